//! Both directions of the stream: what is read is what was accepted, what is sent is what was written.
//! RFC 9293 sections 3.4, 3.10.2 and 3.10.7.4, seventh check.

mod notation;

use ackward_model::{Call, Event};
use notation::{conforms, divergences, diverges_under, roots, trace};

/// A SYN that is answered.
const SYN_RECEIVED: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
";

/// A connection that the application has not accepted yet.
const WAITING: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
";

/// Without timestamps, SACK or scaling.
const PLAIN: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

/// Ten octets of the peer's have come.
const TEN: &str = "
    < P. 1:11(10) ack 1 win 20000
    > . 1:1(0) ack 11 win 64230
";

/// Ten octets of the peer's have come, and its FIN.
const TEN_AND_FIN: &str = "
    < FP. 1:11(10) ack 1 win 20000
    > . 1:1(0) ack 12 win 64230
";

/// A window of 100, and text that crosses its edge: the head may be taken, and the acknowledgment says that it was not.
const HEAD_DROPPED: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 100 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
    < P. 51:151(100) ack 1 win 20000
    < P. 1:51(50) ack 1 win 20000
    > . 1:1(0) ack 51 win 50
";

#[track_caller]
fn misdelivers(text: &str) {
    assert_eq!(roots("rfc", text), ["unexplained-9293-DATA-int"], "{text}");
}

#[track_caller]
fn sends_what_was_not_written(text: &str) {
    assert_eq!(roots("rfc", text), ["sends_what_was_not_written"], "{text}");
}

#[test]
fn a_connection_waits_to_be_accepted_once_the_handshake_is_complete_and_only_then() {
    conforms(&format!("{WAITING}\naccept"));
    misdelivers(&format!("{WAITING}\naccept = nothing"));
    conforms(&format!("{SYN_RECEIVED}\naccept = nothing"));
    misdelivers(&format!("{SYN_RECEIVED}\naccept"));
    // It is accepted already, and another one may be waited for.
    conforms(&format!("{PLAIN}\naccept = nothing"));
    conforms(
        "active
         > S 0:0(0) win 64240 <mss 1460>
         < S. 0:0(0) ack 1 win 20000 <mss 1000>
         > . 1:1(0) ack 1 win 64240
         accept = nothing",
    );
}

#[test]
fn the_end_is_read_behind_all_text_and_only_after_the_fin() {
    misdelivers(&format!("{PLAIN}\n{TEN}\nread 10 = end"));
    misdelivers(&format!("{PLAIN}\n{TEN}\nread 10 = data 0\nread 10 = end"));
    misdelivers(&format!("{PLAIN}\n{TEN_AND_FIN}\nread 10 = end"));
    conforms(&format!(
        "{PLAIN}\n{TEN_AND_FIN}\nread 10 = data 0\nread 10 = end"
    ));
    conforms(&format!("{PLAIN}\n{TEN}\nread 0 = end"));
}

#[test]
fn there_is_nothing_to_read_only_where_all_is_read_and_more_may_come() {
    misdelivers(&format!("{PLAIN}\n{TEN}\nread 10 = nothing"));
    conforms(&format!(
        "{PLAIN}\n{TEN}\nread 10 = data 0\nread 10 = nothing"
    ));
    misdelivers(&format!(
        "{PLAIN}\n{TEN_AND_FIN}\nread 10 = data 0\nread 10 = nothing"
    ));
}

#[test]
fn what_was_accepted_may_be_read_after_a_reset_or_lost() {
    let reset = format!(
        "{PLAIN}
         < P. 1:301(300) ack 1 win 20000
         > . 1:1(0) ack 301 win 63940
         < R 301:301(0) win 0"
    );
    for read in ["read 300 = data 0", "read 300 = nothing"] {
        conforms(&format!("{reset}\n{read}"));
    }
    misdelivers(&format!("{reset}\nread 300 = data 1"));
}

#[test]
fn no_more_is_read_than_was_asked_for_or_acknowledged() {
    let more = trace(&format!("{HEAD_DROPPED}\nread 100 = data 0"));
    assert!(diverges_under(&more, &[]));
    conforms(&format!("{HEAD_DROPPED}\nread 50 = data 0"));
    let mut trace = trace(&format!("{PLAIN}\n{TEN}\nread 10 = data 0"));
    let call = trace.entries.len() - 2;
    trace.entries[call].event = Event::Call(Call::Read(9));
    assert!(diverges_under(&trace, &[]));
}

#[test]
fn only_what_was_written_goes_out_and_at_its_place() {
    let written = format!("{PLAIN}\nwrite 10");
    conforms(&format!("{written}\n> P. 1:11(10) ack 1 win 64240"));
    sends_what_was_not_written(&format!("{written}\n> P. 1:12(11) ack 1 win 64240"));
    sends_what_was_not_written(&format!("{written}\n> P. 2:11(9) ack 1 win 64240"));
    sends_what_was_not_written(&format!("{written}\n> P. 0:5(5) ack 1 win 64240"));
    let mut other = trace(&format!("{written}\n> P. 1:11(10) ack 1 win 64240"));
    if let Some(Event::Out(segment)) = other.entries.last_mut().map(|entry| &mut entry.event) {
        segment.payload[3] ^= 1;
    }
    assert!(diverges_under(&other, &[]));
}

#[test]
fn text_waits_for_the_handshake() {
    let crossed = "active
        > S 0:0(0) win 64240 <mss 1460>
        < S 0:0(0) win 20000 <mss 1000>
        > S. 0:0(0) ack 1 win 64240 <mss 1460>
        write 10";
    let text = "> P. 1:11(10) ack 1 win 64240";
    sends_what_was_not_written(&format!("{crossed}\n{text}"));
    conforms(&format!("{crossed}\n< . 1:1(0) ack 1 win 20000\n{text}"));
}

#[test]
fn a_fin_follows_all_text_of_who_has_closed() {
    let written = format!("{PLAIN}\nwrite 10\n> P. 1:11(10) ack 1 win 64240");
    sends_what_was_not_written(&format!("{written}\n> F. 11:11(0) ack 1 win 64240"));
    sends_what_was_not_written(&format!("{written}\nshutdown\n> F. 5:5(0) ack 1 win 64240"));
    conforms(&format!(
        "{written}\nshutdown\n> F. 11:11(0) ack 1 win 64240"
    ));
}

#[test]
fn a_report_says_what_could_have_been_read_and_sent() {
    let told = |text: &str| {
        let found = divergences("rfc", text);
        (found[0].allowed.clone(), found[0].observed.clone())
    };
    for (given, then, allowed, observed) in [
        (
            PLAIN,
            "read 10 = end",
            "nothing to read yet",
            "the end of the stream",
        ),
        (
            TEN_AND_FIN,
            "read 10 = data 0\nread 10 = nothing",
            "the end of the stream",
            "errno 11",
        ),
        (
            TEN,
            "read 4 = data 0\nread 6 = data 1",
            "up to 6 accepted octets from offset 4",
            "octet 4 from a segment that was not accepted",
        ),
        (SYN_RECEIVED, "accept", "nothing to read yet", "success"),
        (
            HEAD_DROPPED,
            "read 100 = data 0",
            "up to 50 accepted octets from offset 0",
            "100 octets",
        ),
        (
            "write 10",
            "> P. 1:12(11) ack 1 win 64240",
            "the 10 octets written, at their place, no FIN",
            "P. 1:12",
        ),
        (
            "shutdown",
            "> P. 1:12(11) ack 1 win 64240",
            "the 0 octets written, at their place, then a FIN",
            "P. 1:12",
        ),
    ] {
        let begins = given.contains("< S ");
        let opening = if begins { "" } else { PLAIN };
        let text = format!("{opening}\n{given}\n{then}");
        assert_eq!(
            told(&text),
            (allowed.to_owned(), observed.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn a_reset_is_told_as_an_error_once() {
    let reset = format!("{PLAIN}\n< R 1:1(0) win 0");
    assert_eq!(
        roots("rfc", &format!("{reset}\nread 10 = end")),
        ["unexplained-9293-MUST-12"]
    );
    conforms(&format!("{reset}\nread 10 = reset\nread 10 = end"));
    conforms(&format!(
        "{PLAIN}\n< F. 1:1(0) ack 1 win 20000\n> . 1:1(0) ack 2 win 64240\nread 10 = end\n< R 2:2(0) win 0\nread 10 = end"
    ));
}

#[test]
fn text_that_has_been_read_is_urgent_no_more() {
    let read = "
        option inline 1
        < S 0:0(0) win 20000 <mss 1000>
        > S. 0:0(0) ack 1 win 64240 <mss 1460>
        < . 1:1(0) ack 1 win 20000
        accept
        < UP. 1:11(10) ack 1 win 20000 urg 5
        > . 1:1(0) ack 11 win 64230
        read 5 = data 0";
    conforms(&format!("{read}\npoll = 0"));
    assert_eq!(
        roots("rfc", &format!("{read}\npoll = 1")),
        ["unexplained-9293-MUST-33"]
    );
}

/// An opening after which urgent text stays in the stream.
const INLINE: &str = "
    option inline 1
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept";

#[test]
fn urgent_text_may_be_still_to_come_when_it_is_told_of() {
    let ahead = format!(
        "{INLINE}
        < UP. 1:11(10) ack 1 win 20000 urg 20
        > . 1:1(0) ack 11 win 64230"
    );
    // Before it has come, a signal will do, and one is enough.
    for told in [1, 2, 3] {
        conforms(&format!("{ahead}\npoll = {told}\npoll = 0"));
    }
    assert_eq!(
        roots("rfc", &format!("{ahead}\npoll = 0")),
        ["urgent_text_of_some_length_untold"]
    );
    let come = format!("{ahead}\n< P. 11:31(20) ack 1 win 20000\n> . 1:1(0) ack 31 win 64210");
    conforms(&format!(
        "{come}\npoll = 1\nread 19 = data 0\npoll = 1\nread 1 = data 0\npoll = 0"
    ));
    assert_eq!(
        roots("rfc", &format!("{come}\npoll = 0")),
        ["urgent_text_of_some_length_untold"]
    );
    assert_eq!(
        roots("rfc", &format!("{come}\nread 20 = data 0\npoll = 1")),
        ["unexplained-9293-MUST-33"]
    );
}

#[test]
fn urgent_text_out_of_order_is_told_of_once_it_is_in_order() {
    let held = format!(
        "{INLINE}
        < UP. 11:21(10) ack 1 win 20000 urg 10
        > . 1:1(0) ack 1 win 64240"
    );
    // Whoever takes segments in their order has not looked at this one yet.
    conforms(&format!("{held}\npoll = 0"));
    let come = format!("{held}\n< P. 1:11(10) ack 1 win 20000\n> . 1:1(0) ack 21 win 64220");
    conforms(&format!("{come}\npoll = 1"));
    assert_eq!(
        roots("rfc", &format!("{come}\npoll = 0")),
        ["urgent_text_of_some_length_untold"]
    );
}

#[test]
fn a_pointer_that_says_nothing_new_takes_nothing_back() {
    let told = format!(
        "{INLINE}
        < UP. 1:11(10) ack 1 win 20000 urg 10
        > . 1:1(0) ack 11 win 64230"
    );
    let again = "< UP. 11:21(10) ack 1 win 20000 urg 20\n> . 1:1(0) ack 21 win 64220";
    for further in ["< U. 11:11(0) ack 1 win 20000 urg 0", again] {
        conforms(&format!("{told}\n{further}\npoll = 1"));
    }
    // A pointer of zero into text that is still to come may mean anything.
    conforms(&format!(
        "{told}\n< U. 11:11(0) ack 1 win 20000 urg 0\nread 10 = data 0\npoll = 1"
    ));
    assert_eq!(
        roots(
            "rfc",
            &format!("{told}\n< U. 6:6(0) ack 1 win 20000 urg 2\nread 10 = data 0\npoll = 1")
        ),
        ["unexplained-9293-MUST-33"]
    );
}

#[test]
fn where_urgent_text_leaves_the_stream_nothing_is_said_of_it() {
    let taken_out = "
        < S 0:0(0) win 20000 <mss 1000>
        > S. 0:0(0) ack 1 win 64240 <mss 1460>
        < . 1:1(0) ack 1 win 20000
        accept
        < UP. 1:11(10) ack 1 win 20000 urg 5
        > . 1:1(0) ack 11 win 64230";
    for told in 0..2 {
        conforms(&format!("{taken_out}\npoll = {told}\nread 4 = data 0"));
    }
}
