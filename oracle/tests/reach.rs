//! Who could have sent a trace's segments.
//! RFC 9293 section 3.10 and RFC 7323 section 4.3.

mod notation;

use ackward_oracle::{Reach, reach};

const OPEN: &str = "
    < S 0:0(0) win 20000 <mss 1000,sackOK,TS 100/0>
    > S. 0:0(0) ack 1 win 65160 <mss 1460,sackOK,TS 700/100>
    < . 1:1(0) ack 1 win 20000 <TS 110/700>
    accept
    write 17
    > P. 1:18(17) ack 1 win 65160 <TS 701/110>
";

#[track_caller]
fn reaches(expected: Reach, then: &str) {
    assert_eq!(
        reach(&notation::trace(&format!("{OPEN}\n{then}"))),
        expected,
        "{then}"
    );
}

#[test]
fn a_delayed_segment_with_an_acknowledgment_that_was_true_when_sent_is_the_networks_doing() {
    reaches(
        Reach::Network,
        "< P. 18:35(17) ack 18 win 19983 <TS 310/701>
         > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
         < P. 1:18(17) ack 1 win 20000 <TS 300/700>",
    );
}

#[test]
fn lost_and_repeated_segments_are_the_networks_doing() {
    reaches(
        Reach::Network,
        "< P. 18:35(17) ack 18 win 20000 <TS 310/701>
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>
         < P. 50:60(10) ack 18 win 20000 <TS 320/701>",
    );
}

#[test]
fn a_clock_or_an_acknowledgment_that_goes_backwards_is_the_peers() {
    // The acknowledgment falls while the clock rises.
    reaches(
        Reach::Peer,
        "< P. 18:35(17) ack 18 win 20000 <TS 300/701>
         < P. 1:18(17) ack 1 win 20000 <TS 310/700>",
    );
    // It stood ahead when the SYN was sent: in the middle of the circle, and where the SYN's value is zero.
    reaches(Reach::Peer, "< . 1:1(0) ack 18 win 20000 <TS 99/701>");
    let at_zero = OPEN.replace("TS 100/0", "TS 0/0");
    let at_zero = at_zero.replace("TS 110/700", "TS 4294967096/700");
    assert_eq!(reach(&notation::trace(&at_zero)), Reach::Peer);
    // It echoes what it can not have received when it acknowledged less.
    reaches(Reach::Peer, "< P. 1:18(17) ack 18 win 20000 <TS 300/700>");
}

#[test]
fn what_was_never_sent_or_offered_is_the_peers() {
    reaches(Reach::Peer, "< . 1:1(0) ack 99 win 20000 <TS 300/701>");
    reaches(
        Reach::Peer,
        "< P. 65161:65261(100) ack 18 win 20000 <TS 300/701>",
    );
    reaches(Reach::Peer, "< P. 1:18(17) ack 18 win 100 <TS 300/701>");
    reaches(Reach::Peer, "< P. 1:18(17) ack 18 win 20000");
    reaches(Reach::Peer, "< P. 1:18(17) ack 18 win 20000 <TS 300/999>");
}

#[test]
fn a_segment_that_outlives_its_lifetime_is_the_peers() {
    let overtaken_by = |tsval: u32| {
        format!(
            "< P. 18:35(17) ack 18 win 20000 <TS {tsval}/701>
             < P. 1:18(17) ack 1 win 20000 <TS 300/700>"
        )
    };
    reaches(Reach::Network, &overtaken_by(120_300));
    reaches(Reach::Peer, &overtaken_by(120_301));
}

#[test]
fn other_octets_for_the_same_numbers_are_the_peers() {
    let again = |copy: u32| {
        format!(
            "< P. 1:18(17) ack 18 win 20000 <TS 300/701> copy 1
             < P. 11:28(17) ack 18 win 20000 <TS 310/701> copy {copy}"
        )
    };
    reaches(Reach::Network, &again(1));
    reaches(Reach::Peer, &again(2));
}

#[test]
fn text_past_its_own_fin_is_the_peers() {
    reaches(Reach::Network, "< F. 1:1(0) ack 18 win 20000 <TS 300/701>");
    reaches(
        Reach::Peer,
        "< F. 1:1(0) ack 18 win 20000 <TS 300/701>
         < P. 2:10(8) ack 18 win 20000 <TS 310/701>",
    );
}

#[test]
fn urgent_text_that_ends_behind_all_that_was_sent_is_honest() {
    reaches(
        Reach::Network,
        "< U. 1:11(10) ack 18 win 20000 urg 20 <TS 300/701>
         < UP. 11:21(10) ack 18 win 20000 urg 10 <TS 300/701>
         < P. 21:31(10) ack 18 win 20000 <TS 310/701>
         < U. 1:11(10) ack 18 win 20000 urg 20 <TS 320/701>",
    );
    // What was sent as any other text became urgent, and the end of urgent text was not marked.
    for [first, second] in [["P", "UP"], ["UP", "P"]] {
        reaches(
            Reach::Peer,
            &format!(
                "< {first}. 1:11(10) ack 18 win 20000 urg 10 <TS 300/701>
                 < {second}. 1:11(10) ack 18 win 20000 urg 10 <TS 310/701>"
            ),
        );
    }
    reaches(
        Reach::Peer,
        "< U. 1:11(10) ack 18 win 20000 urg 0 <TS 300/701>",
    );
}
