//! What is sent, when, and in what pieces.
//! RFC 9293 sections 3.7, 3.8 and 3.10.2.

use super::{Case, PLAIN};

pub(super) const CASES: &[Case] = &[
    Case {
        root: "window_opened_in_crumbs",
        opening: "
            < S 0:0(0) win 20000 <mss 1000>
            > S. 0:0(0) ack 1 win 1000 <mss 1460>
            < . 1:1(0) ack 1 win 20000
            accept
        ",
        given: "< P. 1:1001(1000) ack 1 win 20000
                > . 1:1(0) ack 1001 win 0
                read 10 = data 0",
        wrong: "> . 1:1(0) ack 1001 win 10",
        right: "read 490 = data 0
                > . 1:1(0) ack 1001 win 500",
    },
    Case {
        root: "small_segments_in_flight",
        opening: PLAIN,
        given: "write 10
                > P. 1:11(10) ack 1 win 64240
                write 10",
        wrong: "> P. 11:21(10) ack 1 win 64240",
        right: "< . 1:1(0) ack 11 win 20000
                > P. 11:21(10) ack 1 win 64240",
    },
    Case {
        root: "no_delay_ignored",
        opening: PLAIN,
        given: "nodelay
                write 10
                > P. 1:11(10) ack 1 win 64240
                write 10",
        wrong: "wait 300
                < . 1:1(0) ack 11 win 20000",
        right: "> P. 11:21(10) ack 1 win 64240",
    },
    Case {
        root: "silly_window_filled_behind_others",
        opening: PLAIN,
        given: "< . 1:1(0) ack 1 win 2500
                write 3000
                > . 1:1001(1000) ack 1 win 64240
                > . 1001:2001(1000) ack 1 win 64240",
        wrong: "> . 2001:2501(500) ack 1 win 64240",
        right: "< . 1:1(0) ack 2001 win 20000
                > P. 2001:3001(1000) ack 1 win 64240",
    },
    Case {
        root: "silly_windows_filled",
        opening: PLAIN,
        given: "< . 1:1(0) ack 1 win 300
                write 1000",
        wrong: "> . 1:301(300) ack 1 win 64240",
        right: "< . 1:1(0) ack 1 win 20000
                > P. 1:1001(1000) ack 1 win 64240",
    },
    Case {
        root: "segments_not_filled",
        opening: PLAIN,
        given: "write 2000",
        wrong: "> . 1:101(100) ack 1 win 64240",
        right: "> . 1:1001(1000) ack 1 win 64240",
    },
    Case {
        root: "sent_again_past_a_shrunken_window",
        opening: PLAIN,
        given: "write 3000
                > . 1:1001(1000) ack 1 win 64240
                > . 1001:2001(1000) ack 1 win 64240
                > P. 2001:3001(1000) ack 1 win 64240
                < . 1:1(0) ack 1001 win 500
                wait 1000
                > . 1001:2001(1000) ack 1 win 64240
                > P. 2001:3001(1000) ack 1 win 64240
                wait 2000
                > . 1001:2001(1000) ack 1 win 64240",
        wrong: "> P. 2001:3001(1000) ack 1 win 64240",
        right: "< . 1:1(0) ack 1001 win 20000
                > P. 2001:3001(1000) ack 1 win 64240",
    },
    Case {
        root: "sacked_text_forgotten",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,sackOK>
            > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK>
            < . 1:1(0) ack 1 win 20000
            accept
        ",
        given: "write 2000
                > . 1:1001(1000) ack 1 win 64240
                > P. 1001:2001(1000) ack 1 win 64240
                < . 1:1(0) ack 1 win 20000 <sack 1001:2001>
                > . 1:1001(1000) ack 1 win 64240
                < . 1:1(0) ack 1001 win 20000",
        wrong: "wait 70000
                < . 1:1(0) ack 2001 win 20000",
        right: "wait 1000
                > P. 1001:2001(1000) ack 1 win 64240",
    },
    Case {
        root: "nothing_sent_again",
        opening: PLAIN,
        given: "write 10
                > P. 1:11(10) ack 1 win 64240",
        wrong: "wait 70000
                < . 1:1(0) ack 11 win 20000",
        right: "wait 30000
                > P. 1:11(10) ack 1 win 64240",
    },
    Case {
        root: "nothing_sent_again",
        opening: PLAIN,
        given: "shutdown
                > F. 1:1(0) ack 1 win 64240",
        wrong: "wait 70000
                < . 1:1(0) ack 1 win 20000",
        right: "wait 30000
                > F. 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "segment_exceeds_the_peers_size",
        opening: PLAIN,
        given: "write 2000",
        wrong: "> . 1:1002(1001) ack 1 win 64240",
        right: "> . 1:1001(1000) ack 1 win 64240",
    },
    Case {
        root: "ecn_agreed_unasked",
        opening: "< S 0:0(0) win 20000 <mss 1000>",
        given: "",
        wrong: "> SE. 0:0(0) ack 1 win 64240 <mss 1460>",
        right: "> S. 0:0(0) ack 1 win 64240 <mss 1460>",
    },
    Case {
        root: "ecn_setup_unanswered",
        opening: "< SEW 0:0(0) win 20000 <mss 1000>",
        given: "",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460>",
        right: "> SE. 0:0(0) ack 1 win 64240 <mss 1460>",
    },
    Case {
        root: "congestion_reported_unmarked",
        opening: "
            < SEW 0:0(0) win 20000 <mss 1000>
            > SE. 0:0(0) ack 1 win 64240 <mss 1460>
            < . 1:1(0) ack 1 win 20000
        ",
        given: "< P. 1:11(10) ack 1 win 20000",
        wrong: "> E. 1:1(0) ack 11 win 64230",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "open_sends_no_syn",
        opening: "active",
        given: "",
        wrong: "wait 5000",
        right: "> S 0:0(0) win 64240 <mss 1460>",
    },
    Case {
        root: "last_text_not_pushed",
        opening: PLAIN,
        given: "write 10",
        wrong: "> . 1:11(10) ack 1 win 64240",
        right: "> P. 1:11(10) ack 1 win 64240",
    },
    Case {
        root: "text_held_back",
        opening: PLAIN,
        given: "shutdown",
        wrong: "wait 70000
                < . 1:1(0) ack 1 win 20000",
        right: "> F. 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "text_held_back",
        opening: PLAIN,
        given: "write 10",
        wrong: "wait 2000
                > P. 1:11(10) ack 1 win 64240",
        right: "> P. 1:11(10) ack 1 win 64240",
    },
    Case {
        root: "shut_window_never_probed",
        opening: PLAIN,
        given: "< . 1:1(0) ack 1 win 0
                write 10",
        wrong: "wait 70000
                < . 1:1(0) ack 1 win 20000",
        right: "wait 30000
                > . 1:2(1) ack 1 win 64240",
    },
    Case {
        root: "sends_what_was_not_written",
        opening: PLAIN,
        given: "< P. 2:11(9) ack 1 win 20000",
        wrong: "> . 5001:5001(0) ack 1 win 64240",
        right: "> . 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "sends_what_was_not_written",
        opening: PLAIN,
        given: "< P. 2:11(9) ack 1 win 20000",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460>",
        right: "> . 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "sends_what_was_not_written",
        opening: PLAIN,
        given: "write 10",
        wrong: "> P. 1:12(11) ack 1 win 64240",
        right: "> P. 1:11(10) ack 1 win 64240",
    },
];
