//! What may be sent, in what pieces, and how a report says what may not.
//! RFC 9293 sections 3.7.1 and 3.8.6.

mod notation;

use notation::{conforms, divergences, roots};

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
        ["segment_exceeds_the_peers_size"]
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
}
