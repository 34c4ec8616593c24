//! Which causes are named where several could be: known ones first, each by what only it explains.

mod notation;

use ackward_model::SeqNum;
use ackward_oracle::{Divergence, Facts, Judge, Known, NoCoverage, Profile, Verdict};
use notation::roots;

/// An opening: `SYN` options of both sides with timestamps, 17 octets sent by the stack, nothing acknowledged.
const OPEN: &str = "
    < S 0:0(0) win 20000 <mss 1000,sackOK,TS 100/0>
    > S. 0:0(0) ack 1 win 65160 <mss 1460,sackOK,TS 700/100>
    < . 1:1(0) ack 1 win 20000 <TS 110/700>
    accept
    write 17
    > P. 1:18(17) ack 1 win 65160 <TS 701/110>
";

/// Without timestamps, SACK or scaling.
const PLAIN: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

#[test]
fn text_inside_a_window_that_was_taken_back_stays_acceptable() {
    let shrunk = format!(
        "{PLAIN}
         < P. 1:11(10) ack 1 win 20000
         > . 1:1(0) ack 11 win 1000
         < P. 5001:5011(10) ack 1 win 20000
         < P. 11:5001(4990) ack 1 win 20000"
    );
    let kept = format!("{shrunk}\n> . 1:1(0) ack 5011 win 60000");
    assert_eq!(roots("rfc", &kept), ["window_edge_retracts"]);
    let refused = format!("{shrunk}\n> . 1:1(0) ack 11 win 60000");
    assert_eq!(
        roots("rfc", &refused),
        ["window_edge_retracts", "current_window_judges_alone"]
    );
}

#[test]
fn two_causes_in_one_trace_are_told_apart() {
    let text = "
        < S 0:0(0) win 20000 <mss 1460,sackOK,TS 100/0>
        > S. 0:0(0) ack 1 win 65160 <mss 1460,sackOK,TS 700/100>
        < . 1:1(0) ack 1 win 20000 <TS 110/700>
        accept
        write 17
        > P. 1:18(17) ack 1 win 65160 <TS 701/110>
        < P. 18:35(17) ack 18 win 20000 <TS 310/701>
        > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
        < P. 1:18(17) ack 1 win 20000 <TS 300/700>
        > . 18:18(0) ack 35 win 65535 <TS 703/110>
        < P. 65570:65670(100) ack 18 win 20000 <TS 320/702>
        > . 18:18(0) ack 35 win 65535 <TS 704/110,sack 65570:65670>";
    assert_eq!(
        roots("rfc", text),
        [
            "old_ack_leaves_ts_recent_alone",
            "private_window_exceeds_the_wire"
        ]
    );
}

#[test]
fn text_past_the_edge_is_told_by_the_edge_and_what_was_taken() {
    let text = "
        < S 0:0(0) win 20000 <mss 1460,sackOK>
        > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK>
        < P. 1:1461(1460) ack 1 win 20000
        > . 1:1(0) ack 1461 win 65535
        < P. 67000:67100(100) ack 1 win 20000
        > . 1:1(0) ack 1461 win 65535 <sack 67000:67100>";
    let rfc = Profile::named("rfc").expect("a built-in profile");
    let verdict = Judge::new(&rfc).judge(&notation::trace(text), &mut NoCoverage);
    let Verdict::Diverges(causes) = verdict else {
        panic!("text past the edge was taken in\n{text}");
    };
    let peer = |number: u32| SeqNum(notation::PEER_ISN) + number;
    assert!(matches!(
        causes[0].facts,
        Facts::BeyondWindow { edge, taken }
            if edge == peer(66_996) && taken == (peer(67_000), peer(67_100))
    ));
}

#[test]
fn two_known_causes_are_believed_before_one_new_one() {
    let text = "
        < S 0:0(0) win 20000 <mss 1000,TS 0/0>
        > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 0/0>
        < . 1:1(0) ack 1 win 20000
        accept
        shutdown
        > F. 1:1(0) ack 1 win 65160 <TS 0/0>
        < . 1:1(0) ack 2 win 20000 <TS 4294967284/0>
        < . 1:1(0) ack 1 win 20000 <TS 17/0>
        close
        < . 1:1(0) ack 2 win 20000 <TS 27/0>
        < . 0:1(1) ack 2 win 20000 <TS 3758096384/0>
        > . 2:2(0) ack 1 win 65160 <TS 0/4294967284>";
    assert_eq!(roots("linux", text), ["timestamps_compared_without_wrap"]);
    assert_eq!(
        roots_knowing_linux(text),
        [
            "old_ack_leaves_ts_recent_alone",
            "orphaned_fin_wait_2_leaves_ts_recent_alone"
        ]
    );
}

#[test]
fn what_a_known_cause_leaves_unsaid_is_no_ground_for_a_new_one() {
    let text = "
        < S 0:0(0) win 20000 <mss 1000,TS 100/0>
        > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 0/100>
        < . 1:1(0) ack 1 win 20000 <TS 200/0>
        accept
        write 1
        > P. 1:2(1) ack 1 win 65160 <TS 0/200>
        < . 2:3(1) ack 2 win 20000
        > . 2:2(0) ack 1 win 65160 <TS 0/200>
        < . 1:1(0) ack 1 win 20000 <TS 300/0>
        < F. 2:2(0) ack 1 win 20000 <TS 200/0>
        > . 2:2(0) ack 1 win 65160 <TS 0/200>";
    assert_eq!(roots("linux", text), ["refused_segment_moves_ts_recent"]);
    assert_eq!(
        roots_knowing_linux(text),
        ["old_ack_leaves_ts_recent_alone"]
    );
}

/// The roots that a judge names who knows what is known of Linux.
fn roots_knowing_linux(text: &str) -> Vec<String> {
    let profile = Profile::named("linux").expect("a built-in profile");
    let known = Known::named("linux").expect("a built-in list");
    let mut judge = Judge::new(&profile).knowing(&known);
    match judge.judge(&notation::trace(text), &mut NoCoverage) {
        Verdict::Diverges(causes) => causes.iter().map(Divergence::root).collect(),
        other => panic!("{other:?} in\n{text}"),
    }
}

#[test]
fn a_right_answer_to_a_crossing_syn_leaves_everything_judged() {
    let crossed = "active
        > S 0:0(0) win 64240 <mss 1460,wscale 10>
        < S 0:0(0) win 20000 <mss 1000>";
    let wrong_later = "
        < . 1:1(0) ack 1 win 20000
        < P. 1:11(10) ack 1 win 20000
        > . 1:1(0) ack 1 win 64240";
    let right_answer = format!("{crossed}\n> S. 0:0(0) ack 1 win 64240 <mss 1460>\n{wrong_later}");
    assert_eq!(
        roots_knowing_linux(&right_answer),
        ["in_order_segment_swallowed"]
    );
    let own_offers =
        format!("{crossed}\n> S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 10>\n{wrong_later}");
    assert_eq!(
        roots_knowing_linux(&own_offers),
        ["crossing_syn_keeps_own_options"]
    );
}

#[test]
fn where_a_known_cause_leads_to_too_many_ways_it_is_named_and_no_new_one() {
    let mut text = format!(
        "{OPEN}
         nodelay
         write 500
         > P. 18:518(500) ack 1 win 65160 <TS 702/110>
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>
         > . 518:518(0) ack 1 win 65160 <TS 702/110,sack 18:35>
         < P. 1:18(17) ack 1 win 20000 <TS 300/700>
         > . 518:518(0) ack 35 win 65126 <TS 703/110>"
    );
    // Text that lacks the timestamps: taken or not, each of it.
    for start in (100..1_000).step_by(100) {
        let end = start + 10;
        text += &format!("\n< P. {start}:{end}(10) ack 18 win 20000");
    }
    let trace = notation::trace(&text);
    let profile = Profile::named("linux").expect("a built-in profile");
    let known = Known::named("linux").expect("a built-in list");
    let mut knowing = Judge::new(&profile).knowing(&known);
    let Verdict::Diverges(causes) = knowing.judge(&trace, &mut NoCoverage) else {
        panic!("the echo is wrong in\n{text}");
    };
    let named: Vec<_> = causes.iter().map(Divergence::root).collect();
    assert_eq!(named, ["old_ack_leaves_ts_recent_alone"]);
    let verdict = Judge::new(&profile).judge(&trace, &mut NoCoverage);
    assert!(matches!(verdict, Verdict::Inconclusive(_)), "{verdict:?}");
}

#[test]
fn a_value_that_a_known_cause_kept_is_put_down_to_the_segment_that_brought_it() {
    let text = format!(
        "{OPEN}
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>
         > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
         < P. 1:18(17) ack 1 win 20000 <TS 300/700>
         > . 18:18(0) ack 35 win 65126 <TS 703/110>
         < P. 50:60(10) ack 18 win 20000 <TS 320/701>
         > . 18:18(0) ack 35 win 65126 <TS 704/9,sack 50:60>"
    );
    let profile = Profile::named("linux").expect("a built-in profile");
    let known = Known::named("linux").expect("a built-in list");
    let mut judge = Judge::new(&profile).knowing(&known);
    let Verdict::Diverges(causes) = judge.judge(&notation::trace(&text), &mut NoCoverage) else {
        panic!("the last echo is wrong in\n{text}");
    };
    let why: Vec<_> = causes.iter().map(|cause| cause.why.clone()).collect();
    let moved = |entry: usize, value: u32| {
        vec![(entry, format!("this segment moved TS.Recent to {value}"))]
    };
    assert_eq!(why, [moved(10, 300), moved(2, 110)]);
}
