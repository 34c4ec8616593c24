//! What is judged of a stack that answers SYNs with cookies, and what is not.
//! RFC 4987 section 3.6.

mod notation;

use notation::{conforms, diverges_under, roots, trace};

/// A SYN whose answer holds a cookie.
const COOKIE: &str = "
    syncookies
    < S 0:0(0) win 20000 <mss 1000,sackOK,TS 100/0,wscale 7>
    > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK,TS 700/100,wscale 7>
";

/// The cookie comes back.
const BACK: &str = "
    < . 1:1(0) ack 1 win 20000 <TS 110/700>
    accept
";

/// Right after nothing that can have happened.
const ABSURD: &str = "> . 1:1(0) ack 30000 win 100";

#[track_caller]
fn nothing_is_said_after(given: &str) {
    conforms(&format!("{COOKIE}\n{given}\n{ABSURD}"));
}

#[track_caller]
fn everything_is_said_after(given: &str) {
    let text = format!("{COOKIE}\n{given}\n{ABSURD}");
    assert!(diverges_under(&trace(&text), &[]), "after\n{given}");
}

#[test]
fn a_cookie_that_comes_back_makes_a_connection_like_any_other() {
    everything_is_said_after("");
    everything_is_said_after(BACK);
    everything_is_said_after("< S 0:0(0) win 20000 <mss 1000,sackOK,TS 100/0,wscale 7>");
    everything_is_said_after(&format!(
        "{BACK}\n< . 11:21(10) ack 1 win 20000 <TS 120/700>"
    ));
}

#[test]
fn what_a_cookie_does_not_tell_is_not_judged() {
    for segment in [
        "R 1:1(0) win 0",
        "R. 1:1(0) ack 1 win 0",
        "S 0:0(0) win 20000 <mss 1000,sackOK,TS 101/0,wscale 7>",
        "S 0:0(0) win 20000 <mss 1000,TS 100/0,wscale 7>",
        "S 0:0(0) win 20000 <mss 536,sackOK,TS 100/0,wscale 7>",
        "S 0:0(0) win 20000 <mss 1000,sackOK,TS 100/0>",
        "S 7:7(0) win 20000 <mss 1000,sackOK,TS 100/0,wscale 7>",
        ". 11:21(10) ack 1 win 20000 <TS 110/700>",
        ". 0:1(1) ack 1 win 20000 <TS 110/700>",
        ". 1:1(0) ack 2 win 20000 <TS 110/700>",
        ". 1:1(0) ack 1 win 20000 <TS 90/700>",
        ". 1:1(0) ack 1 win 20000 <TS 110/699>",
        ". 1:1(0) ack 1 win 20000",
    ] {
        nothing_is_said_after(&format!("< {segment}"));
    }
}

#[test]
fn a_cookie_may_open_the_connection_once_more() {
    let gone = format!("{BACK}\n< R 1:1(0) win 0");
    everything_is_said_after(&gone);
    nothing_is_said_after(&format!("{gone}\n< . 1:1(0) ack 1 win 20000 <TS 120/700>"));
    everything_is_said_after(&format!("{gone}\n< R 1:1(0) win 0"));
    // And it may begin where it began.
    let syn = "< S 0:0(0) win 20000 <mss 1000,sackOK,TS 130/0,wscale 7>";
    let syn_ack = "> S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK,TS 700/130,wscale 7>";
    conforms(&format!("{COOKIE}\n{gone}\n{syn}\n{syn_ack}"));
}

#[test]
fn what_is_not_remembered_is_not_sent_again_nor_agreed_to() {
    conforms(&format!("{COOKIE}\nwait 70000"));
    conforms(
        "syncookies
         < SEW 0:0(0) win 20000 <mss 1000>
         > S. 0:0(0) ack 1 win 64240 <mss 1460>",
    );
    let without = COOKIE.replace("syncookies", "");
    assert_eq!(
        roots("rfc", &format!("{without}\nwait 70000")),
        ["nothing_sent_again"]
    );
}

#[test]
fn segments_may_be_of_a_size_that_fits_into_a_cookie() {
    let write = "write 3000\n> . 1:525(524) ack 1 win 502 <TS 701/110>";
    conforms(&format!("{COOKIE}\n{BACK}\n{write}"));
    let without = COOKIE.replace("syncookies", "");
    assert_eq!(
        roots("rfc", &format!("{without}\n{BACK}\n{write}")),
        ["segments_not_filled"]
    );
}
