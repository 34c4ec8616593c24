//! How a connection comes about, and what is left open about it.
//! RFC 9293 sections 3.5 and 3.10.7.1 to 3.10.7.4.

mod notation;

use ackward_model::SeqNum;
use notation::{PEER_ISN, conforms, diverges_under, roots, trace};

/// A SYN that nobody has answered yet.
const SYN_SENT: &str = "active
    > S 0:0(0) win 64240 <mss 1460,wscale 7>
";

/// SYNs that have crossed.
const CROSSED: &str = "active
    > S 0:0(0) win 64240 <mss 1460,wscale 7>
    < S 0:0(0) win 20000 <mss 1000,wscale 7>
    > S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 7>
";

/// A SYN that is answered.
const SYN_RECEIVED: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
";

/// Right after nothing that can have happened.
const ABSURD: &str = "> . 1:1(0) ack 30000 win 100";

#[track_caller]
fn nothing_is_said_after(given: &str) {
    conforms(&format!("{given}\n{ABSURD}"));
}

#[track_caller]
fn everything_is_said_after(given: &str) {
    assert!(
        diverges_under(&trace(&format!("{given}\n{ABSURD}")), &[]),
        "after\n{given}"
    );
}

#[test]
fn without_a_connection_everything_but_a_reset_is_owed_a_reset() {
    for opening in [
        format!("{SYN_RECEIVED}\n< . 1:1(0) ack 1 win 20000\naccept"),
        format!("{SYN_SENT}\n< S. 0:0(0) ack 1 win 20000 <mss 1000>\n> . 1:1(0) ack 1 win 64240"),
    ] {
        let gone = format!("{opening}\n< R 1:1(0) win 0");
        assert_eq!(
            roots(
                "rfc",
                &format!("{gone}\n< . 1:1(0) ack 5 win 20000\nwait 700")
            ),
            ["no_reset_without_a_connection"]
        );
        conforms(&format!("{gone}\n< R. 1:1(0) ack 5 win 0\nwait 700"));
    }
}

#[test]
fn a_listener_opens_only_for_a_syn() {
    for segment in ["P 0:10(10)", "R 0:0(0)", "SR 0:0(0)"] {
        let answered = format!(
            "< {segment} win 20000
             > S. 0:0(0) ack 1 win 64240 <mss 1460>"
        );
        assert!(diverges_under(&trace(&answered), &[]), "{segment}");
    }
}

#[test]
fn only_an_acknowledgment_of_the_syn_answers_it() {
    let answered = format!("{SYN_SENT}\n< S. 0:0(0) ack 5 win 20000 <mss 1000>");
    conforms(&format!("{answered}\n> R 5:5(0) win 0"));
    assert_eq!(
        roots("rfc", &format!("{answered}\n> . 1:1(0) ack 1 win 64240")),
        ["answers_without_a_connection"]
    );
}

#[test]
fn what_comes_with_a_syn_may_be_taken_or_left() {
    for (with_syn, taken) in [("S. 0:10(10)", 11), ("SF. 0:0(0)", 2), ("SF. 0:10(10)", 12)] {
        for ack in [1, taken] {
            conforms(&format!(
                "active
                 > S 0:0(0) win 64240 <mss 1460>
                 < {with_syn} ack 1 win 20000 <mss 1000>
                 > . 1:1(0) ack {ack} win 60000"
            ));
        }
    }
}

#[test]
fn a_syn_ack_completes_what_crossing_syns_began() {
    let completed = format!("{CROSSED}\n< S. 0:0(0) ack 1 win 20000 <mss 1000,wscale 7>");
    everything_is_said_after(&completed);
    conforms(&format!(
        "{completed}
         < P. 1:11(10) ack 1 win 20000
         > . 1:1(0) ack 11 win 501"
    ));
}

#[test]
fn which_of_two_different_offers_counts_is_not_said() {
    for offers in [
        "mss 1000",
        "mss 1000,wscale 3",
        "mss 1000,TS 100/0,wscale 7",
    ] {
        nothing_is_said_after(&format!(
            "{CROSSED}\n< S. 0:0(0) ack 1 win 20000 <{offers}>"
        ));
    }
}

#[test]
fn what_comes_of_a_second_syn_with_a_right_acknowledgment_is_not_said() {
    nothing_is_said_after(&format!(
        "{SYN_RECEIVED}\n< S. 5:5(0) ack 1 win 20000 <mss 1000>"
    ));
    everything_is_said_after(&format!(
        "{SYN_RECEIVED}\n< S. 5:5(0) ack 999 win 20000 <mss 1000>"
    ));
}

#[test]
fn another_syn_may_end_the_attempt_and_the_same_one_again_may_not() {
    let reset_after = |seq: u32| {
        format!(
            "{SYN_RECEIVED}
             < S {seq}:{seq}(0) win 20000 <mss 1000>
             < . 1:1(0) ack 1 win 20000
             > R 1:1(0) win 0"
        )
    };
    conforms(&reset_after(5));
    assert_eq!(roots("rfc", &reset_after(0)), ["resets_without_cause"]);
}

#[test]
fn whether_text_counts_that_completes_the_handshake_of_a_closed_socket_is_not_said() {
    let closing = format!("{CROSSED}\nshutdown");
    nothing_is_said_after(&format!("{closing}\n< P. 1:11(10) ack 1 win 20000"));
    everything_is_said_after(&format!("{closing}\n< . 1:1(0) ack 1 win 20000"));
}

#[test]
fn another_attempt_may_announce_another_shift() {
    conforms(&format!(
        "{SYN_SENT}\n> S 7000:7000(0) win 64240 <mss 1460,wscale 8>"
    ));
}

/// A connection is reset, and another one opens on the same ports from 1000 on.
const REOPENED: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
    < R 1:1(0) win 0
    < S 1000:1000(0) win 20000 <mss 1000>
    > S. 7000:7000(0) ack 1001 win 64240 <mss 1460>
    < . 1001:1001(0) ack 7001 win 20000
    < P. 1001:1011(10) ack 7001 win 20000
    > . 7001:7001(0) ack 1011 win 64230
";

#[test]
fn a_socket_of_an_earlier_connection_on_the_same_ports_reads_nothing_of_this_one() {
    conforms(&format!("{REOPENED}\nread 10 = end"));
    conforms(&format!("{REOPENED}\nwrite 10 = error 32"));
    conforms(&format!("{REOPENED}\naccept = nothing"));
}

#[test]
fn behind_another_isn_than_the_coded_one_text_names_no_copy() {
    let read = |text: &str, origin: u32| {
        let mut trace = trace(text);
        trace.text_origin = Some(SeqNum(origin));
        diverges_under(&trace, &[])
    };
    let other_copy = format!(
        "{SYN_RECEIVED}
         < . 1:1(0) ack 1 win 20000
         accept
         < P. 1:11(10) ack 1 win 20000
         > . 1:1(0) ack 11 win 64230
         read 10 = data 2"
    );
    assert!(read(&other_copy, PEER_ISN));
    assert!(!read(&other_copy, PEER_ISN.wrapping_add(1)));
}

#[test]
fn a_syn_with_an_option_of_impossible_length_may_be_dropped() {
    let dropped = "< S 0:0(0) win 20000 <raw fa00>\n< S 1:1(0) win 20000 <mss 1000>";
    conforms(&format!(
        "{dropped}\n> S. 0:0(0) ack 2 win 64240 <mss 1460>"
    ));
}

#[test]
fn an_open_to_a_group_address_is_refused() {
    assert_eq!(
        roots("rfc", "remote broadcast\nactive"),
        ["unexplained-9293-MUST-46"]
    );
    conforms("active");
}

#[test]
fn a_port_may_be_listened_on_while_a_connection_on_it_opens() {
    let received = SYN_RECEIVED.to_owned();
    let opened = format!("{SYN_RECEIVED}\n< . 1:1(0) ack 1 win 20000\naccept");
    for opening in [SYN_SENT, CROSSED, SYN_RECEIVED] {
        conforms(&format!("{opening}\nlisten"));
        assert_eq!(
            roots("rfc", &format!("{opening}\nlisten = refused")),
            ["unexplained-9293-MUST-42"]
        );
    }
    // Whoever listened may listen still, and what stands may keep its port.
    for opening in ["", "active", &opened] {
        conforms(&format!("{opening}\nlisten = refused"));
    }
    everything_is_said_after(&format!("{received}\nlisten"));
}
