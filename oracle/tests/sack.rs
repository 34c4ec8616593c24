//! Which SACK blocks may go out, where there are several ways to be right.
//! RFC 2018 sections 3 and 4, RFC 2883 section 4.

mod notation;

use notation::{conforms, divergences, roots};

/// An opening in which the SYNs carry these options.
fn opened(peer: &str, stack: &str) -> String {
    format!(
        "< S 0:0(0) win 20000 <mss 1000{peer}>
         > S. 0:0(0) ack 1 win 64240 <mss 1460{stack}>
         < . 1:1(0) ack 1 win 20000
         accept"
    )
}

#[test]
fn it_is_the_peers_syn_that_permits_sack() {
    let blocks = "
        < P. 18:35(17) ack 1 win 20000
        > . 1:1(0) ack 1 win 64240 <sack 18:35>";
    for stack in ["", ",sackOK"] {
        conforms(&format!("{}{blocks}", opened(",sackOK", stack)));
        assert_eq!(
            roots("rfc", &format!("{}{blocks}", opened("", stack))),
            ["sack_reports_what_never_came"]
        );
    }
}

#[test]
fn text_that_goes_out_before_the_arrival_is_taken_shows_what_was_held_before() {
    conforms(
        "< S 0:0(0) win 17 <mss 1000,sackOK>
         > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK>
         < . 1:1(0) ack 1 win 17
         accept
         write 30
         > P. 1:18(17) ack 1 win 64240
         < P. 18:35(17) ack 1 win 17
         > . 18:18(0) ack 1 win 64240 <sack 18:35>
         < P. 1:18(17) ack 18 win 17
         > P. 18:31(13) ack 1 win 64240 <sack 18:35>
         > . 31:31(0) ack 35 win 64206",
    );
}

#[test]
fn an_acknowledgment_may_have_been_made_for_a_segment_before_the_latest() {
    let open = opened(",sackOK", ",sackOK");
    conforms(&format!(
        "{open}
         < P. 18:35(17) ack 1 win 20000
         < P. 60:70(10) ack 1 win 20000
         > . 1:1(0) ack 1 win 64240 <sack 18:35 60:70>"
    ));
    conforms(&format!(
        "{open}
         < P. 20:60(40) ack 1 win 20000
         > . 1:1(0) ack 1 win 64240 <sack 20:60>
         < P. 20:30(10) ack 1 win 20000
         < P. 70:80(10) ack 1 win 20000
         > . 1:1(0) ack 1 win 64240 <sack 20:30 20:60 70:80>"
    ));
}

#[test]
fn a_block_that_ends_where_more_is_held_is_whole_only_if_it_reports_what_came_again() {
    let held = format!(
        "{}
         < P. 18:35(17) ack 1 win 20000
         > . 1:1(0) ack 1 win 64240 <sack 18:35>",
        opened(",sackOK", ",sackOK")
    );
    assert_eq!(
        roots(
            "rfc",
            &format!(
                "{held}
                 < P. 35:52(17) ack 1 win 20000
                 > . 1:1(0) ack 1 win 64240 <sack 35:52>"
            )
        ),
        ["sack_blocks_in_pieces"]
    );
    conforms(&format!(
        "{held}
         < P. 18:25(7) ack 1 win 20000
         > . 1:1(0) ack 1 win 64240 <sack 18:25>"
    ));
}

#[test]
fn what_a_block_says_is_told_in_numbers_relative_to_the_initial_ones() {
    let told = |then: &str| {
        let found = divergences("rfc", &format!("{}\n{then}", opened(",sackOK", ",sackOK")));
        (found[0].allowed.clone(), found[0].observed.clone())
    };
    assert_eq!(
        told(
            "< P. 18:35(17) ack 1 win 20000
             > . 1:1(0) ack 1 win 64240 <sack 18:40>"
        ),
        ("blocks within 18:35".to_owned(), "sack 18:40".to_owned())
    );
}
