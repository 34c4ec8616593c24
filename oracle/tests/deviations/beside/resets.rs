//! Resets, sent and received.
//! RFC 9293 sections 3.5.2 and 3.10.7, RFC 5961 section 3.

use super::super::{OPEN, PLAIN};
use super::Beside;

/// A SYN that is answered, with a window of 1000.
const SYN_RECEIVED: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 1000 <mss 1460>
";

pub(super) const CASES: &[Beside] = &[
    // No text ends there.
    Beside {
        deviation: "reset_at_sack_edge_obeyed",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 300/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
                < R. 70000:70000(0) ack 18 win 0 <TS 310/701>
                < P. 1:18(17) ack 18 win 20000 <TS 320/701>",
        wrong: "> R 18:18(0) win 0",
    },
    // The FIN does not stand there.
    Beside {
        deviation: "reset_at_own_fin_obeyed",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000
                > . 1:1(0) ack 2 win 64240
                < R 70000:70000(0) win 0
                < P. 1:2(1) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0",
    },
    // Past the edge.
    Beside {
        deviation: "reset_at_the_edge_ends_the_handshake",
        opening: SYN_RECEIVED,
        given: "< R 1002:1002(0) win 0
                < . 1:1(0) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0",
    },
    // It is no reset.
    Beside {
        deviation: "reset_obeyed_anywhere",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0",
    },
    Beside {
        deviation: "reset_ignored",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 1 win 64240",
    },
    // There is no connection yet.
    Beside {
        deviation: "reset_ignored",
        opening: SYN_RECEIVED,
        given: "< R 1:1(0) win 0
                < . 1:1(0) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 1 win 1000",
    },
    // Nothing lies past the FIN.
    Beside {
        deviation: "text_past_the_fin_resets",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000
                > . 1:1(0) ack 2 win 64240
                < P. 0:1(1) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0",
    },
    // There is no FIN.
    Beside {
        deviation: "text_past_the_fin_resets",
        opening: PLAIN,
        given: "< P. 11:21(10) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0",
    },
    // Not closed, only shut down.
    Beside {
        deviation: "orphaned_fin_wait_2_answers_a_reset",
        opening: PLAIN,
        given: "shutdown
                > F. 1:1(0) ack 1 win 64240
                < . 1:1(0) ack 2 win 20000
                < R 70000:70000(0) win 0",
        wrong: "> . 2:2(0) ack 1 win 64240",
    },
    // Closed, and the FIN is not acknowledged.
    Beside {
        deviation: "orphaned_fin_wait_2_answers_a_reset",
        opening: PLAIN,
        given: "close
                > F. 1:1(0) ack 1 win 64240
                < R 70000:70000(0) win 0",
        wrong: "> . 2:2(0) ack 1 win 64240",
    },
    // A reset acknowledges nothing.
    Beside {
        deviation: "acknowledgment_of_unsent_text_unanswered",
        opening: PLAIN,
        given: "< R 9:9(0) win 0",
        wrong: "wait 700
                < . 0:1(1) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240",
    },
];
