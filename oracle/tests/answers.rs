//! Who is owed an answer, and who may be left without one.
//! RFC 9293 section 3.10.7.4 and RFC 5961 sections 3 to 5.

mod notation;

use notation::{conforms, divergences, diverges_under, roots, trace};

/// Without timestamps, SACK or scaling.
const PLAIN: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

/// The peer's ten octets are acknowledged.
const TEN_TAKEN: &str = "
    < P. 1:11(10) ack 1 win 20000
    > . 1:1(0) ack 11 win 64230
";

/// The application has closed, and the peer has acknowledged the FIN.
const CLOSED: &str = "
    close
    > F. 1:1(0) ack 1 win 64240
    < . 1:1(0) ack 2 win 20000
";

/// The same, but the application still reads.
const SHUT_DOWN: &str = "
    shutdown
    > F. 1:1(0) ack 1 win 64240
    < . 1:1(0) ack 2 win 20000
";

/// Both FINs are acknowledged, the stack's first.
const TIME_WAIT: &str = "
    shutdown
    > F. 1:1(0) ack 1 win 64240
    < F. 1:1(0) ack 2 win 20000
    > . 2:2(0) ack 2 win 64240
";

#[test]
fn of_what_is_refused_only_text_with_a_plausible_acknowledgment_must_be_answered() {
    let silence_after = |refused: &str| format!("{PLAIN}\n{TEN_TAKEN}\n{refused}\nwait 700");
    assert_eq!(
        roots("rfc", &silence_after("< P. 1:11(10) ack 1 win 20000")),
        ["unacceptable_segment_unanswered"]
    );
    for refused in [
        "< . 10:10(0) ack 1 win 20000",
        "< . 70000:70000(0) ack 1 win 20000",
        "< P 1:11(10) win 20000",
        "< P. 1:11(10) ack 999 win 20000",
    ] {
        conforms(&silence_after(refused));
    }
}

#[test]
fn an_acknowledgment_of_what_was_never_sent_is_owed_a_challenge_while_there_is_a_socket() {
    let silence_after = |state: &str, then: &str| format!("{PLAIN}\n{state}\n{then}\nwait 700");
    let unsent = "< . 1:1(0) ack 999 win 20000";
    let unanswered = ["acknowledgment_of_unsent_text_unanswered"];
    assert_eq!(roots("rfc", &silence_after("", unsent)), unanswered);
    assert_eq!(roots("rfc", &silence_after(SHUT_DOWN, unsent)), unanswered);
    let fin_in_flight = "close\n> F. 1:1(0) ack 1 win 64240";
    assert_eq!(
        roots("rfc", &silence_after(fin_in_flight, unsent)),
        unanswered
    );
    conforms(&silence_after(CLOSED, unsent));
    conforms(&silence_after(TIME_WAIT, "< . 2:2(0) ack 999 win 20000"));
}

#[test]
fn a_reset_at_rcv_nxt_may_be_refused_in_time_wait() {
    let answer_after_reset = |answer: &str| {
        format!(
            "{PLAIN}\n{TIME_WAIT}
             < R 2:2(0) win 0
             < F. 1:1(0) ack 2 win 20000
             {answer}"
        )
    };
    conforms(&answer_after_reset("> . 2:2(0) ack 2 win 64240"));
    conforms(&answer_after_reset("> R 2:2(0) win 0"));
}

#[test]
fn a_reset_with_text_may_be_refused_where_the_text_does_not_fit() {
    let given = |octets: u32| {
        format!(
            "< S 0:0(0) win 20000 <mss 1000>
             > S. 0:0(0) ack 1 win 100 <mss 1460>
             < . 1:1(0) ack 1 win 20000
             accept
             < R 1:{}({octets}) win 0
             < P. 1:11(10) ack 1 win 20000",
            1 + octets
        )
    };
    let (refused, obeyed) = ("> . 1:1(0) ack 11 win 90", "> R 1:1(0) win 0");
    for octets in [0, 100, 101] {
        conforms(&format!("{}\n{obeyed}", given(octets)));
    }
    conforms(&format!("{}\n{refused}", given(101)));
    for (octets, root) in [(0, "reset_ignored"), (100, "reset_with_text_ignored")] {
        let kept = format!("{}\n{refused}", given(octets));
        assert_eq!(roots("rfc", &kept), [root]);
    }
}

#[test]
fn a_syn_may_open_a_new_connection_only_where_the_old_one_has_no_socket() {
    let answered = |state: &str, answer: &str| {
        format!("{PLAIN}\n{state}\n< S 1000000:1000000(0) win 20000 <mss 1000>\n{answer}")
    };
    let anew = "> S. 7000:7000(0) ack 1000001 win 64240 <mss 1460>";
    for (state, challenge) in [
        (TIME_WAIT, "> . 2:2(0) ack 2 win 64240"),
        (CLOSED, "> . 2:2(0) ack 1 win 64240"),
    ] {
        conforms(&answered(state, challenge));
        conforms(&answered(state, anew));
    }
    let fin_in_flight = "close\n> F. 1:1(0) ack 1 win 64240";
    for state in ["", SHUT_DOWN, fin_in_flight] {
        assert!(
            diverges_under(&trace(&answered(state, anew)), &[]),
            "{state}"
        );
    }
}

#[test]
fn what_goes_out_after_a_refused_reset_need_not_be_its_answer() {
    let refused = "< R 70000:70000(0) win 0";
    assert_eq!(
        roots(
            "rfc",
            &format!("{PLAIN}\n{refused}\n> . 1:1(0) ack 1 win 64240")
        ),
        ["reset_outside_the_window_answered"]
    );
    // It may be text that is sent again, or a keep-alive.
    conforms(&format!(
        "{PLAIN}
         nodelay
         write 10
         > P. 1:11(10) ack 1 win 64240
         write 10
         > P. 11:21(10) ack 1 win 64240
         {refused}
         > . 1:11(10) ack 1 win 64240"
    ));
    conforms(&format!(
        "option keepalive 1
         option keepidle 1
         {PLAIN}
         wait 1000
         {refused}
         > . 0:0(0) ack 1 win 64240"
    ));
}

#[test]
fn a_close_with_text_unread_forgets_time_wait() {
    conforms(&format!(
        "{PLAIN}
         {TEN_TAKEN}
         shutdown
         > F. 1:1(0) ack 11 win 64230
         < F. 11:11(0) ack 2 win 20000
         > . 2:2(0) ack 12 win 64230
         close
         < F. 11:11(0) ack 2 win 20000
         > R 2:2(0) win 0"
    ));
}

#[test]
fn a_listener_must_not_refuse_a_syn_and_may_refuse_what_comes_after_it() {
    let syn = "< S 0:0(0) win 20000 <mss 1000>";
    assert_eq!(
        roots("rfc", &format!("{syn}\n> R. 0:0(0) ack 1 win 0")),
        ["listener_refuses"]
    );
    conforms(&format!(
        "{syn}
         < P 5:10(5) win 20000
         > R. 0:0(0) ack 10 win 0"
    ));
}

#[test]
fn a_report_says_which_numbers_a_reset_should_have_had() {
    for (given, allowed) in [
        (
            "< R 1:1(0) win 0
             < . 1:1(0) ack 5 win 20000
             > R 9:9(0) win 0",
            "a RST at 5",
        ),
        (
            "< R 1:1(0) win 0
             < P 1:11(10) win 20000
             > R. 0:0(0) ack 9 win 0",
            "a RST at sequence number 0 that acknowledges 11",
        ),
        (
            "< R 1:1(0) win 0
             < R. 1:1(0) ack 5 win 0
             > R 5:5(0) win 0",
            "no RST in answer to a RST",
        ),
        (
            "< P. 1:11(10) ack 1 win 20000
             > . 1:1(0) ack 11 win 64230
             close
             > R. 9:9(0) ack 11 win 0",
            "a RST at 1, or one of its own from 1 to 1",
        ),
    ] {
        let found = divergences("rfc", &format!("{PLAIN}\n{given}"));
        assert_eq!(found[0].allowed, allowed);
    }
}
