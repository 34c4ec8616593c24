//! Where the peer contradicts itself about its FIN, nothing more is said; where it only seems to, everything is.
//! RFC 9293 section 3.10.7.4, seventh and eighth check.

mod notation;

use notation::{conforms, diverges_under, roots, trace};

/// Without timestamps, SACK or scaling.
const PLAIN: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

/// Right after nothing that can have happened.
const ABSURD: &str = "> . 1:1(0) ack 30000 win 34241";

/// Text 11:21 and a FIN after it are held.
const FIN_HELD: &str = "
    < FP. 11:21(10) ack 1 win 20000
    > . 1:1(0) ack 1 win 64240
";

#[track_caller]
fn nothing_is_said_after(given: &str) {
    conforms(&format!("{PLAIN}\n{given}\n{ABSURD}"));
}

#[track_caller]
fn everything_is_said_after(given: &str) {
    let absurd = trace(&format!("{PLAIN}\n{given}\n{ABSURD}"));
    assert!(diverges_under(&absurd, &[]), "after\n{given}");
}

#[test]
fn text_past_a_fin_that_is_held_contradicts_it() {
    nothing_is_said_after(&format!("{FIN_HELD}\n< P. 15:31(16) ack 1 win 20000"));
}

#[test]
fn a_fin_elsewhere_contradicts_one_that_is_held() {
    nothing_is_said_after(&format!("{FIN_HELD}\n< F. 15:15(0) ack 1 win 20000"));
}

#[test]
fn what_a_fin_that_is_held_allows_contradicts_nothing() {
    for then in [
        "< P. 15:21(6) ack 1 win 20000",
        "< F. 21:21(0) ack 1 win 20000",
        // No text stands there.
        "< . 25:25(0) ack 1 win 20000",
        // Without ACK nothing is looked at.
        "< P 15:31(16) win 20000",
        // So far ahead that it may as well be old.
        "< P. 1073741815:1073741825(10) ack 1 win 20000",
    ] {
        everything_is_said_after(&format!("{FIN_HELD}\n{then}"));
    }
}

#[test]
fn a_fin_before_text_that_is_held_contradicts_it() {
    nothing_is_said_after(
        "< P. 11:21(10) ack 1 win 20000
         < F. 5:5(0) ack 1 win 20000",
    );
}

#[test]
fn a_fin_contradicts_text_that_was_dropped() {
    // Text that lacks the timestamps may be: the acknowledgment of the text before it says that it was.
    conforms(
        "< S 0:0(0) win 20000 <mss 1000,TS 100/0>
         > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>
         < . 1:1(0) ack 1 win 20000 <TS 110/700>
         < P. 18:35(17) ack 1 win 20000
         < P. 1:18(17) ack 1 win 20000 <TS 300/700>
         > . 1:1(0) ack 18 win 65143 <TS 702/300>
         < F. 25:25(0) ack 1 win 20000 <TS 310/702>
         > . 1:1(0) ack 9 win 65143 <TS 703/300>",
    );
}

#[test]
fn a_fin_contradicts_no_text_that_was_not_acceptable() {
    for given in [
        "< P. 70000:70010(10) ack 1 win 20000",
        "< P. 11:21(10) ack 999 win 20000",
        "< . 50:50(0) ack 1 win 20000",
    ] {
        everything_is_said_after(&format!("{given}\n< F. 5:5(0) ack 1 win 20000"));
    }
}

#[test]
fn a_second_fin_in_order_may_be_acknowledged_and_one_beyond_it_may_not() {
    let after_the_first = "
        < F. 1:1(0) ack 1 win 20000
        > . 1:1(0) ack 2 win 64240";
    let given = |then: &str| format!("{PLAIN}\n{after_the_first}\n{then}");
    conforms(&given(
        "< F. 2:2(0) ack 1 win 20000
         > . 1:1(0) ack 3 win 64240",
    ));
    for then in [
        "< F. 5:5(0) ack 1 win 20000
         > . 1:1(0) ack 6 win 64240",
        "< P. 1:3(2) ack 1 win 20000
         > . 1:1(0) ack 4 win 64240",
    ] {
        assert_eq!(roots("rfc", &given(then)), ["unexplained-9293-ACK-val"]);
    }
}
