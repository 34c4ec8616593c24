//! Resets, sent and received, and what is left of a connection.
//! RFC 9293 sections 3.5.2, 3.6.1 and 3.10.7, RFC 5961 section 3.

use super::{Case, OPEN, PLAIN};

pub(super) const CASES: &[Case] = &[
    Case {
        root: "iss_does_not_advance",
        opening: "
            < S 0:0(0) win 20000 <mss 1000>
            > S. 0:0(0) ack 1 win 64240 <mss 1460>
            < R 1:1(0) win 0
        ",
        given: "< S 0:0(0) win 20000 <mss 1000>",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460>",
        right: "> S. 9000:9000(0) ack 1 win 64240 <mss 1460>",
    },
    Case {
        root: "reset_ignored_at_zero_window",
        opening: "
            < S 0:0(0) win 20000 <mss 1000>
            > S. 0:0(0) ack 1 win 100 <mss 1460>
            < . 1:1(0) ack 1 win 20000
            accept
        ",
        given: "< P. 1:101(100) ack 1 win 20000
                > . 1:1(0) ack 101 win 0
                < R 101:101(0) win 0
                < . 101:101(0) ack 2 win 20000",
        wrong: "> . 1:1(0) ack 101 win 0",
        right: "> R 2:2(0) win 0",
    },
    Case {
        root: "reset_with_text_ignored",
        opening: PLAIN,
        given: "< R 1:11(10) win 0
                < . 1:1(0) ack 2 win 20000",
        wrong: "> . 1:1(0) ack 1 win 64240",
        right: "> R 2:2(0) win 0",
    },
    Case {
        root: "crossing_syn_unanswered",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460>",
        given: "< S 0:0(0) win 20000 <mss 1000>",
        wrong: "wait 1000
                > S 0:0(0) win 64240 <mss 1460>",
        right: "> S. 0:0(0) ack 1 win 64240 <mss 1460>",
    },
    Case {
        root: "reset_in_the_window_unchallenged",
        opening: PLAIN,
        given: "< R 9:9(0) win 0",
        wrong: "wait 700
                < . 0:1(1) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240",
        right: "> . 1:1(0) ack 1 win 64240
                wait 700
                < . 0:1(1) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "close_resets",
        opening: PLAIN,
        given: "close",
        wrong: "> R. 1:1(0) ack 1 win 0",
        right: "> F. 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "unread_text_forgotten",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000
                > . 1:1(0) ack 11 win 64230
                close",
        wrong: "> F. 1:1(0) ack 11 win 64230",
        right: "> R. 1:1(0) ack 11 win 0",
    },
    Case {
        root: "listener_refuses",
        opening: "",
        given: "< S 0:0(0) win 20000 <mss 1000>
                > S. 0:0(0) ack 1 win 64240 <mss 1460>
                < R 1:1(0) win 0
                < S 0:0(0) win 20000 <mss 1000>",
        wrong: "> R. 0:0(0) ack 1 win 0",
        right: "> S. 9000:9000(0) ack 1 win 64240 <mss 1460>",
    },
    Case {
        root: "orphaned_fin_wait_2_answers_a_reset",
        opening: PLAIN,
        given: "close
                > F. 1:1(0) ack 1 win 64240
                < . 1:1(0) ack 2 win 20000
                < R 70000:70000(0) win 0",
        wrong: "> . 2:2(0) ack 1 win 64240",
        right: "",
    },
    Case {
        root: "reset_outside_the_window_answered",
        opening: PLAIN,
        given: "< R 70000:70000(0) win 0",
        wrong: "> . 1:1(0) ack 1 win 64240",
        right: "",
    },
    Case {
        root: "reset_stands_elsewhere",
        opening: PLAIN,
        given: "< R 1:1(0) win 0
                < . 1:1(0) ack 5 win 20000",
        wrong: "> R 0:0(0) win 0",
        right: "> R 5:5(0) win 0",
    },
    Case {
        root: "no_reset_without_a_connection",
        opening: PLAIN,
        given: "< R 1:1(0) win 0
                < . 1:1(0) ack 5 win 20000",
        wrong: "wait 700",
        right: "> R 5:5(0) win 0",
    },
    Case {
        root: "time_wait_cut_short",
        opening: PLAIN,
        given: "shutdown
                > F. 1:1(0) ack 1 win 64240
                < F. 1:1(0) ack 2 win 20000
                > . 2:2(0) ack 2 win 64240
                wait 20000
                < F. 1:1(0) ack 2 win 20000",
        wrong: "> R 2:2(0) win 0",
        right: "> . 2:2(0) ack 2 win 64240",
    },
    Case {
        root: "time_wait_cut_short",
        opening: PLAIN,
        given: "shutdown
                > F. 1:1(0) ack 1 win 64240
                < F. 1:1(0) ack 1 win 20000
                > . 2:2(0) ack 2 win 64240
                < . 2:2(0) ack 2 win 20000
                < F. 1:1(0) ack 2 win 20000",
        wrong: "> R 2:2(0) win 0",
        right: "> . 2:2(0) ack 2 win 64240",
    },
    Case {
        root: "time_wait_cut_short",
        opening: PLAIN,
        given: "wait 70000
                shutdown
                > F. 1:1(0) ack 1 win 64240
                < F. 1:1(0) ack 2 win 20000
                > . 2:2(0) ack 2 win 64240
                < F. 1:1(0) ack 2 win 20000",
        wrong: "> R 2:2(0) win 0",
        right: "> . 2:2(0) ack 2 win 64240",
    },
    Case {
        root: "answers_without_a_connection",
        opening: PLAIN,
        given: "< R 1:1(0) win 0
                < . 1:1(0) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 2 win 64240",
        right: "> R 1:1(0) win 0",
    },
    Case {
        root: "answers_without_a_connection",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000
                > . 1:1(0) ack 2 win 64240
                close
                > F. 1:1(0) ack 2 win 64240
                < . 2:2(0) ack 2 win 20000
                < F. 1:1(0) ack 2 win 20000",
        wrong: "> . 2:2(0) ack 2 win 64240",
        right: "> R 2:2(0) win 0",
    },
    Case {
        root: "reset_at_own_fin_obeyed",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000
                > . 1:1(0) ack 2 win 64240
                < R 1:1(0) win 0
                < P. 1:2(1) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0",
        right: "> . 1:1(0) ack 2 win 64240",
    },
    Case {
        root: "reset_obeyed_anywhere",
        opening: PLAIN,
        given: "< R 70000:70000(0) win 0
                < P. 1:11(10) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "reset_at_the_edge_ends_the_handshake",
        opening: "< S 0:0(0) win 20000 <mss 1000>
                  > S. 0:0(0) ack 1 win 1000 <mss 1460>",
        given: "< R 1001:1001(0) win 0
                < . 1:1(0) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0
                accept",
        right: "accept",
    },
    Case {
        root: "reset_at_sack_edge_obeyed",
        opening: OPEN,
        given: "< P. 65151:65161(10) ack 18 win 20000 <TS 300/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 65151:65161>
                < R. 65161:65161(0) ack 18 win 0 <TS 310/701>
                < P. 1:18(17) ack 18 win 20000 <TS 320/701>",
        wrong: "> R 18:18(0) win 0",
        right: "> . 18:18(0) ack 18 win 65143 <TS 703/320,sack 65151:65161>",
    },
    Case {
        root: "resets_without_cause",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000",
        wrong: "> R. 1:1(0) ack 11 win 0",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "text_past_the_fin_resets",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000
                > . 1:1(0) ack 2 win 64240
                < P. 1:11(10) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0",
        right: "> . 1:1(0) ack 2 win 64240",
    },
    Case {
        root: "reset_ignored",
        opening: PLAIN,
        given: "< R 1:1(0) win 0
                < P. 1:11(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 11 win 64230",
        right: "> R 1:1(0) win 0",
    },
    Case {
        root: "reset_stands_elsewhere",
        opening: PLAIN,
        given: "< R 1:1(0) win 0
                < P 1:11(10) win 20000",
        wrong: "> R. 0:0(0) ack 5 win 0",
        right: "> R. 0:0(0) ack 11 win 0",
    },
    Case {
        root: "time_wait_cut_short",
        opening: PLAIN,
        given: "close
                > F. 1:1(0) ack 1 win 64240
                < F. 1:1(0) ack 2 win 20000
                > . 2:2(0) ack 2 win 64240
                < F. 1:1(0) ack 2 win 20000",
        wrong: "> R 2:2(0) win 0",
        right: "> . 2:2(0) ack 2 win 64240",
    },
    // Text that nobody has read yet is no reason while somebody may.
    Case {
        root: "time_wait_cut_short",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000
                > . 1:1(0) ack 11 win 64230
                shutdown
                > F. 1:1(0) ack 11 win 64230
                < F. 11:11(0) ack 2 win 20000
                > . 2:2(0) ack 12 win 64230
                < F. 11:11(0) ack 2 win 20000",
        wrong: "> R 2:2(0) win 0",
        right: "> . 2:2(0) ack 12 win 64230",
    },
    Case {
        root: "reset_stands_elsewhere",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000
                > . 1:1(0) ack 11 win 64230
                close",
        wrong: "> R. 5:5(0) ack 11 win 0",
        right: "> R. 1:1(0) ack 11 win 0",
    },
];
