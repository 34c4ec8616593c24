//! What may be sent, in what pieces, and how a report says what may not.
//! RFC 9293 sections 3.7.1 and 3.8.6.

mod notation;

use notation::{conforms, divergences, diverges_under, roots, trace};

/// Without timestamps, SACK or scaling.
const PLAIN: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

/// A peer that takes segments of `mss` octets, with timestamps.
fn stamped(mss: u32) -> String {
    format!(
        "< S 0:0(0) win 20000 <mss {mss},TS 100/0>
         > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>
         < . 1:1(0) ack 1 win 20000 <TS 110/700>
         accept
         write 2000"
    )
}

#[test]
fn the_largest_segment_counts_the_options_too() {
    let opened = stamped(1000);
    conforms(&format!(
        "{opened}\n> . 1:989(988) ack 1 win 65160 <TS 701/110>"
    ));
    assert_eq!(
        roots(
            "rfc",
            &format!("{opened}\n> . 1:990(989) ack 1 win 65160 <TS 701/110>")
        ),
        ["segment_exceeds_the_peers_size"]
    );
}

#[test]
fn where_the_options_leave_no_room_single_octets_go() {
    let opened = stamped(8);
    conforms(&format!(
        "{opened}\n> . 1:2(1) ack 1 win 65160 <TS 701/110>"
    ));
    assert_eq!(
        roots(
            "rfc",
            &format!("{opened}\n> . 1:3(2) ack 1 win 65160 <TS 701/110>")
        ),
        ["announced_size_ignored"]
    );
}

#[test]
fn a_fin_may_probe_a_shut_window_where_nothing_is_in_flight() {
    conforms(&format!(
        "{PLAIN}
         < . 2:2(0) ack 1 win 0
         shutdown
         > F. 1:1(0) ack 1 win 64240"
    ));
    let in_flight = format!(
        "{PLAIN}
         write 10
         > P. 1:11(10) ack 1 win 64240
         < . 2:2(0) ack 1 win 0
         shutdown"
    );
    assert_eq!(
        roots(
            "rfc",
            &format!("{in_flight}\n> F. 11:11(0) ack 1 win 64240")
        ),
        ["fin_one_past_the_peers_window"]
    );
}

#[test]
fn one_octet_probes_a_window_that_is_shut_or_full_and_no_other() {
    let sends = |window: u32, text: &str| {
        format!(
            "{PLAIN}
             < . 2:2(0) ack 1 win {window}
             write 500
             wait 300
             {text}"
        )
    };
    conforms(&sends(0, "> . 1:2(1) ack 1 win 64240"));
    conforms(&sends(100, "> . 1:101(100) ack 1 win 64240"));
    conforms(&sends(
        100,
        "> . 1:101(100) ack 1 win 64240
         > . 101:102(1) ack 1 win 64240",
    ));
    for (window, text) in [
        (0, "> . 1:3(2) ack 1 win 64240"),
        (100, "> . 1:102(101) ack 1 win 64240"),
    ] {
        assert!(diverges_under(&trace(&sends(window, text)), &[]), "{text}");
    }
}

#[test]
fn text_may_come_with_a_syn() {
    conforms(
        "active
         write 10
         > S 0:10(10) win 64240 <mss 1460>",
    );
}

#[test]
fn who_takes_a_smaller_window_for_the_same_also_takes_its_place_in_sequence() {
    let sent = trace(
        "active
         > S 0:0(0) win 64240 <mss 1460,wscale 7>
         < S. 0:0(0) ack 1 win 1000 <mss 2000,wscale 7>
         > . 1:1(0) ack 1 win 502
         < . 1:1(0) ack 1 win 7
         < . 1:1(0) ack 1 win 5
         write 1000
         > P. 1:1001(1000) ack 1 win 502",
    );
    let (step, growth) = (
        "window_smaller_by_less_than_a_step_ignored",
        "window_of_same_segment_only_grows",
    );
    assert!(diverges_under(&sent, &[step]));
    assert!(!diverges_under(&sent, &[step, growth]));
}

#[test]
fn what_may_be_sent_is_told_in_numbers_relative_to_the_initial_ones() {
    let told = |then: &str| {
        let found = divergences("rfc", &format!("{PLAIN}\n{then}"));
        (found[0].allowed.clone(), found[0].observed.clone())
    };
    assert_eq!(
        told(
            "< . 2:2(0) ack 1 win 10
             write 10
             shutdown
             > FP. 1:11(10) ack 1 win 64240"
        ),
        (
            "a FIN that ends at 11 at most".to_owned(),
            "one that ends at 12".to_owned()
        )
    );
    assert_eq!(
        told(
            "< . 2:2(0) ack 1 win 100
             write 500
             > . 1:201(200) ack 1 win 64240"
        ),
        (
            "new text up to 101, the edge of the peer's window".to_owned(),
            "1:201".to_owned()
        )
    );
}

#[test]
fn what_a_stack_has_pushed_may_be_cut_there() {
    conforms(&format!(
        "{PLAIN}\nwrite 2000\n> P. 1:101(100) ack 1 win 64240"
    ));
    assert_eq!(
        roots(
            "rfc",
            &format!("{PLAIN}\nwrite 2000\n> . 1:101(100) ack 1 win 64240")
        ),
        ["segments_not_filled"]
    );
}

#[test]
fn a_window_that_may_have_been_shut_before_may_be_probed_already() {
    let opened = "< S 0:0(0) win 20000 <mss 536>
        > S. 0:0(0) ack 1 win 30000 <mss 536>
        < . 1:1(0) ack 1 win 20000
        accept";
    let probed = "wait 100
        < . 1:1(0) ack 1 win 0
        write 1
        wait 50
        > P. 1:2(1) ack 1 win 30000";
    // One that crosses the edge behind a gap counts or not.
    let crosses = "< . 30000:30002(2) ack 1 win 0\n> . 1:1(0) ack 1 win 30000";
    conforms(&format!("{opened}\n{crosses}\n{probed}"));
    assert_eq!(
        roots("rfc", &format!("{opened}\n{probed}")),
        ["probe_before_its_time"]
    );
}
