//! What the RFCs leave open, and what nothing can be said about, is no divergence; what lies just beside it is.

mod notation;

use ackward_model::Sysctl;
use ackward_oracle::{Judge, NoCoverage, Profile, Verdict};
use notation::{conforms, diverges_under, permitting, roots, trace};

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
fn text_from_a_segment_that_was_not_accepted_is_not_delivered() {
    let given = format!(
        "{OPEN}
         < P. 1:18(17) ack 18 win 20000 <TS 90/701> copy 1
         > . 18:18(0) ack 1 win 65160 <TS 702/110>
         < P. 1:18(17) ack 18 win 20000 <TS 300/701> copy 2
         > . 18:18(0) ack 18 win 65143 <TS 703/300>"
    );
    conforms(&format!("{given}\nread 17 = data 2"));
    assert_eq!(
        roots("rfc", &format!("{given}\nread 17 = data 1")),
        ["unexplained-9293-DATA-int"]
    );
    assert_eq!(
        roots("rfc", &format!("{given}\nread 17 = end")),
        ["unexplained-9293-DATA-int"]
    );
    assert_eq!(
        roots("rfc", &format!("{given}\nread 17 = nothing")),
        ["unexplained-9293-DATA-int"]
    );
}

#[test]
fn a_known_quirk_is_silent_under_its_profile_and_named_without_it() {
    let text = format!(
        "{OPEN}
         < P. 1:18(17) ack 18 win 20000 <TS 109/701>
         > . 18:18(0) ack 18 win 65143 <TS 702/110>"
    );
    assert_eq!(roots("rfc", &text), ["paws_tolerates_one_tick"]);
    assert!(roots("linux", &text).is_empty());
}

#[test]
fn what_follows_a_fin_past_the_edge_that_text_passed_is_not_judged() {
    let text = "
        < S 0:0(0) win 65535 <mss 1460,sackOK>
        > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK>
        < P. 48:1412(1364) ack 1 win 65535
        > . 1:1(0) ack 1 win 65535 <sack 48:1412>
        accept
        < P. 65537:66997(1460) ack 1 win 65535
        > . 1:1(0) ack 1 win 65535 <sack 65537:66997 48:1412>
        < F. 65536:65536(0) ack 1 win 65535
        > . 1:1(0) ack 1 win 65535 <sack 65536:66997 48:1412>";
    assert_eq!(roots("linux", text), ["private_window_exceeds_the_wire"]);
}

#[test]
fn a_quirk_takes_no_way_of_the_rfc_away() {
    let head_of_a_straddling_segment_held = "
        < S 0:0(0) win 20000 <mss 1000,wscale 7>
        > S. 0:0(0) ack 1 win 100 <mss 1460,wscale 0>
        < . 1:1(0) ack 1 win 20000
        < P. 51:151(100) ack 1 win 20000
        > . 1:1(0) ack 1 win 100
        < P. 1:51(50) ack 1 win 20000
        > . 1:1(0) ack 101 win 0";
    for profile in ["rfc", "linux"] {
        assert!(roots(profile, head_of_a_straddling_segment_held).is_empty());
    }
}

#[test]
fn a_syn_sent_again_can_not_say_the_scaled_window_before_it() {
    let again = |window: u32| {
        format!(
            "< S 0:0(0) win 65535 <mss 1460,wscale 7>
             > S. 0:0(0) ack 1 win 65535 <mss 1460,wscale 7>
             < S 0:0(0) win 65535 <mss 1460,wscale 7>
             > . 1:1(0) ack 1 win 8192
             > S. 0:0(0) ack 1 win {window} <mss 1460,wscale 7>"
        )
    };
    conforms(&again(65535));
    assert_eq!(roots("rfc", &again(60000)), ["window_edge_retracts"]);
}

#[test]
fn a_syn_ack_after_crossed_syns_may_be_challenged_and_its_timestamp_count() {
    conforms(
        "active
         > S 0:0(0) win 64240 <mss 1460,sackOK,TS 700/0>
         < S 0:0(0) win 20000 <sackOK,TS 100/0>
         > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK,TS 700/100>
         < S. 1:1(0) ack 1 win 20000 <TS 200/700>
         > . 1:1(0) ack 1 win 64240 <TS 700/200>
         > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK,TS 701/200>",
    );
}

#[test]
fn a_segment_that_spans_the_whole_window_may_leave_the_handshake_open() {
    let spans = "
        < S 0:0(0) win 20000 <mss 1460>
        > S. 0:0(0) ack 1 win 1000 <mss 1460>
        < . 0:1002(1002) ack 1 win 20000";
    conforms(&format!(
        "{spans}\n> . 1:1(0) ack 1 win 1000\n> S. 0:0(0) ack 1 win 1000 <mss 1460>"
    ));
    conforms(&format!("{spans}\n> . 1:1(0) ack 1001 win 0"));
}

#[test]
fn an_acknowledgment_is_too_old_by_the_smallest_window_that_may_have_been_the_largest() {
    conforms(
        "< S 0:0(0) win 1000 <mss 536,wscale 7>
         > S. 0:0(0) ack 1 win 65535 <mss 1460,wscale 2>
         < . 1:1(0) ack 1 win 10
         accept
         write 1281
         > . 1:537(536) ack 1 win 16383
         > . 537:1073(536) ack 1 win 16383
         < . 65535:65537(2) ack 1 win 10
         > . 1073:1073(0) ack 1 win 16383
         < . 537:537(0) ack 525 win 65535
         > P. 1073:1282(209) ack 1 win 16383
         < . 537:537(0) ack 1282 win 65535
         < . 1:2(1) ack 1 win 65535
         > . 1282:1282(0) ack 1 win 16383",
    );
}

#[test]
fn a_window_taken_back_while_text_is_processed_leaves_open_whether_that_is_taken() {
    let text = "
        < S 0:0(0) win 17 <mss 1000>
        > S. 0:0(0) ack 1 win 64240 <mss 1460>
        < . 1:1(0) ack 1 win 17
        accept
        write 30
        > P. 1:18(17) ack 1 win 64240
        < P. 1:11(10) ack 18 win 17
        > P. 18:31(13) ack 1 win 0";
    for refused_or_taken in ["> . 31:31(0) ack 1 win 0", "> . 31:31(0) ack 11 win 0"] {
        let mut trace = notation::trace(&format!("{text}\n{refused_or_taken}"));
        trace.sysctls.push(Sysctl::ShrinkWindow(true));
        let rfc = Profile::named("rfc").expect("a built-in profile");
        let verdict = Judge::new(&rfc).judge(&trace, &mut NoCoverage);
        assert!(matches!(verdict, Verdict::Conforms), "{verdict:?}");
    }
}

#[test]
fn a_fin_sent_before_the_handshake_is_complete_leaves_it_behind() {
    conforms(
        "active
         > S 0:0(0) win 64240 <mss 1460>
         < S 0:0(0) win 20000 <mss 1000>
         > S. 0:0(0) ack 1 win 64240 <mss 1460>
         shutdown
         > F. 1:1(0) ack 1 win 64240
         < F. 1:1(0) ack 1 win 20000
         > . 2:2(0) ack 2 win 64240",
    );
}

#[test]
fn a_late_report_of_a_duplicate_is_no_stale_block() {
    conforms(&format!(
        "{OPEN}
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>
         > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>
         < P. 1:18(17) ack 18 win 20000 <TS 320/701>
         > . 18:18(0) ack 35 win 65126 <TS 703/320,sack 18:35>"
    ));
}

#[test]
fn a_syn_in_the_window_may_reset_the_connection() {
    let syn = format!("{PLAIN}\n< S 5:5(0) win 20000 <mss 1000>");
    conforms(&format!("{syn}\n> . 1:1(0) ack 1 win 64240"));
    conforms(&format!("{syn}\n> R. 0:0(0) ack 6 win 0"));
    let outside = format!("{PLAIN}\n< S 70000:70000(0) win 20000 <mss 1000>");
    assert_eq!(
        roots("rfc", &format!("{outside}\n> R. 0:0(0) ack 70001 win 0")),
        ["resets_without_cause"]
    );
}

#[test]
fn a_segment_with_two_different_timestamps_is_not_judged() {
    let twice = format!("{OPEN}\n< P. 1:18(17) ack 18 win 20000 <TS 300/701,TS 310/701>");
    for echo in [300, 310] {
        conforms(&format!(
            "{twice}\n> . 18:18(0) ack 18 win 65143 <TS 703/{echo}>"
        ));
    }
}

#[test]
fn an_edge_may_stand_less_than_a_step_left_of_where_it_was() {
    let after = |octets: u32| {
        format!(
            "< S 0:0(0) win 20000 <mss 1000,wscale 7>
             > S. 0:0(0) ack 1 win 65160 <mss 1460,wscale 7>
             < P. 1:{0}({octets}) ack 1 win 20000
             > . 1:1(0) ack {0} win 508",
            1 + octets
        )
    };
    conforms(&after(9));
    assert_eq!(roots("rfc", &after(8)), ["window_edge_retracts"]);
}

#[test]
fn the_timestamps_of_a_reset_are_not_judged() {
    conforms(&format!(
        "{OPEN}
         close
         < P. 1:18(17) ack 18 win 20000 <TS 300/701>
         > R. 18:18(0) ack 18 win 0 <TS 600/9>"
    ));
}

#[test]
fn an_old_segment_that_ends_the_side_of_who_learns_from_it_leaves_nobody_to_answer() {
    let silent = trace(&format!(
        "{PLAIN}
         < P. 1:2(1) ack 1 win 20000
         > . 1:1(0) ack 2 win 64239
         read 1 = data 0
         close
         > F. 1:1(0) ack 2 win 64239
         < P. 1:2(1) ack 2 win 20000
         wait 700"
    ));
    assert!(diverges_under(&silent, &[]));
    assert!(!diverges_under(&silent, &["left_edge_at_last_ack"]));
}

#[test]
fn text_out_of_order_past_the_edge_is_held_or_dropped_in_one_hypothesis() {
    let mut text = "
        < S 0:0(0) win 20000 <mss 1000>
        > S. 0:0(0) ack 1 win 65535 <mss 1460>
        < . 1:1(0) ack 1 win 20000"
        .to_owned();
    for start in (66_000..67_000).step_by(100) {
        let end = start + 10;
        text += &format!("\n< P. {start}:{end}(10) ack 1 win 20000\n> . 1:1(0) ack 1 win 65535");
    }
    let mut judge = permitting(&["private_window_exceeds_the_wire"]);
    let verdict = judge.judge(&trace(&text), &mut NoCoverage);
    assert!(matches!(verdict, Verdict::Conforms), "{verdict:?}");
}

#[test]
fn who_has_a_private_window_takes_whole_what_begins_inside_the_window_told() {
    let whole = trace(
        "< S 0:0(0) win 20000 <mss 1000>
         > S. 0:0(0) ack 1 win 65535 <mss 1460>
         < . 1:1(0) ack 1 win 20000
         < P. 1:65501(65500) ack 1 win 20000
         < P. 65501:65601(100) ack 1 win 20000
         > . 1:1(0) ack 65601 win 65535",
    );
    assert!(diverges_under(&whole, &[]));
    assert!(!diverges_under(
        &whole,
        &["private_window_exceeds_the_wire"]
    ));
}

#[test]
fn an_acknowledgment_older_than_anything_sent_may_drop_its_segment_and_an_old_one_may_not() {
    let given = |ack: u32| {
        format!(
            "{PLAIN}
             write 17
             > P. 1:18(17) ack 1 win 64240
             < . 1:1(0) ack 18 win 20000
             < P. 1:11(10) ack {ack} win 20000"
        )
    };
    for ack in [0, 1] {
        conforms(&format!("{}\n> . 18:18(0) ack 11 win 64230", given(ack)));
    }
    let dropped = "> . 18:18(0) ack 1 win 64240";
    conforms(&format!("{}\n{dropped}", given(0)));
    assert_eq!(
        roots("rfc", &format!("{}\n{dropped}", given(1))),
        ["old_ack_drops_text"]
    );
}

/// RFC 7323 section 3.2 asks to drop it silently.
#[test]
fn a_syn_without_the_timestamps_agreed_on_may_be_dropped() {
    conforms(
        "
        < S 0:0(0) win 20000 <mss 1000,TS 100/0>
        > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>
        < . 1:1(0) ack 1 win 20000 <TS 110/700>
        < S. 0:0(0) ack 1 win 20000
        wait 700",
    );
}

#[test]
fn the_head_of_a_straddling_segment_out_of_order_may_be_held_or_dropped() {
    let straddles = "
        < S 0:0(0) win 20000 <mss 1000>
        > S. 0:0(0) ack 1 win 100 <mss 1460>
        < . 1:1(0) ack 1 win 20000
        < P. 51:151(100) ack 1 win 20000
        > . 1:1(0) ack 1 win 100
        < P. 1:51(50) ack 1 win 20000";
    conforms(&format!("{straddles}\n> . 1:1(0) ack 101 win 0"));
    conforms(&format!("{straddles}\n> . 1:1(0) ack 51 win 50"));
}

#[test]
fn the_acknowledgment_of_a_straddling_segment_out_of_order_may_go_unread() {
    // Read, it would leave nothing in flight, and what waits would have to go within a second.
    conforms(
        "< S 0:0(0) win 10 <mss 1000>
         > S. 0:0(0) ack 1 win 100 <mss 1460>
         < . 1:1(0) ack 1 win 10
         accept
         write 30
         > P. 1:11(10) ack 1 win 100
         < P. 51:151(100) ack 11 win 20000
         wait 2000
         > P. 1:11(10) ack 1 win 100",
    );
}

#[test]
fn a_reset_with_text_across_the_edge_may_be_dropped_without_a_challenge() {
    conforms(&format!(
        "{PLAIN}
         < R 64236:64246(10) win 0
         wait 700
         < . 0:1(1) ack 1 win 20000
         > . 1:1(0) ack 1 win 64240"
    ));
}

/// The acknowledgment that an old one drew may have been a challenge, and the next may be held back.
#[test]
fn after_an_old_acknowledgment_a_challenge_may_be_held_back() {
    conforms(&format!(
        "{PLAIN}
         < P. 1:11(10) ack 0 win 20000
         > . 1:1(0) ack 11 win 64230
         < P. 11:21(10) ack 9 win 20000
         wait 700
         < . 0:1(1) ack 1 win 20000
         > . 1:1(0) ack 11 win 64230"
    ));
}

#[test]
fn a_pipe_breaks_only_where_the_application_has_closed_it() {
    let refused = "write 10 = error 32";
    assert_eq!(
        roots("rfc", &format!("{PLAIN}\n{refused}")),
        ["unexplained-9293-SEND"]
    );
    conforms(&format!("{PLAIN}\nwrite 10 = error 11"));
    conforms(&format!("{PLAIN}\nshutdown\n{refused}"));
}

#[test]
fn text_out_of_order_may_be_dropped_for_a_window_that_may_shrink_unsaid() {
    let mut dropped = trace(&format!(
        "{PLAIN}
         < P. 11:21(10) ack 1 win 20000
         < P. 1:11(10) ack 1 win 20000
         > . 1:1(0) ack 11 win 64230"
    ));
    assert!(diverges_under(&dropped, &[]));
    dropped.sysctls.push(Sysctl::ShrinkWindow(true));
    assert!(!diverges_under(&dropped, &[]));
}

#[test]
fn after_half_the_circle_of_seconds_the_timestamp_clock_says_nothing() {
    let mut late = trace(
        "< S 0:0(0) win 20000 <mss 1000,TS 100/0>
         > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>
         < . 1:1(0) ack 1 win 20000 <TS 110/700>
         < P. 1:18(17) ack 1 win 20000 <TS 300/700>
         > . 1:1(0) ack 18 win 65143 <TS 700/300>",
    );
    let seconds = |count: u64| count * 1_000_000;
    for entry in &mut late.entries[3..] {
        entry.at += seconds(1 << 20);
    }
    assert!(diverges_under(&late, &[]));
    for entry in &mut late.entries[3..] {
        entry.at += seconds(1 << 31);
    }
    assert!(!diverges_under(&late, &[]));
}
