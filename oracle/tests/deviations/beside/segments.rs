//! Acknowledgments, refusals, resets, SACK blocks and text.
//! RFC 9293 section 3.10.7, RFC 2018, RFC 2883 and RFC 5961.

use super::super::PLAIN;
use super::Beside;

pub(super) const CASES: &[Beside] = &[
    // Without ACK nothing is looked at.
    Beside {
        deviation: "acknowledges_through_a_hole",
        opening: PLAIN,
        given: "< P 11:21(10) win 20000",
        wrong: "> . 1:1(0) ack 21 win 64220",
    },
    // There is no text.
    Beside {
        deviation: "acknowledges_through_a_hole",
        opening: PLAIN,
        given: "< . 11:11(0) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 11 win 64230",
    },
    // The FIN stands alone.
    Beside {
        deviation: "fin_ignored_on_partly_old_segment",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 1 win 64240",
    },
    // Not closed, only shut down.
    Beside {
        deviation: "orphaned_fin_wait_2_ignores_the_acknowledgment_field",
        opening: PLAIN,
        given: "shutdown
                > F. 1:1(0) ack 1 win 64240
                < . 1:1(0) ack 2 win 20000
                < F. 1:1(0) ack 999 win 20000",
        wrong: "> . 2:2(0) ack 2 win 64240",
    },
    // There is no FIN.
    Beside {
        deviation: "orphaned_fin_wait_2_ignores_the_acknowledgment_field",
        opening: PLAIN,
        given: "close
                > F. 1:1(0) ack 1 win 64240
                < . 1:1(0) ack 2 win 20000
                < . 1:1(0) ack 999 win 20000",
        wrong: "> . 2:2(0) ack 2 win 64240",
    },
    // The FIN lies elsewhere.
    Beside {
        deviation: "orphaned_fin_wait_2_ignores_the_acknowledgment_field",
        opening: PLAIN,
        given: "close
                > F. 1:1(0) ack 1 win 64240
                < . 1:1(0) ack 2 win 20000
                < F. 5:5(0) ack 2 win 20000",
        wrong: "> . 2:2(0) ack 2 win 64240",
    },
    // Neither closed nor shut down.
    Beside {
        deviation: "orphaned_fin_wait_2_ignores_the_acknowledgment_field",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 999 win 20000",
        wrong: "> . 1:1(0) ack 2 win 64240",
    },
    // What it acknowledges was sent.
    Beside {
        deviation: "acknowledgment_of_unsent_text_accepted",
        opening: "
            < S 0:0(0) win 20000 <mss 1000>
            > S. 0:0(0) ack 1 win 10 <mss 1460>
            < P. 1:11(10) ack 1 win 20000
            > . 1:1(0) ack 11 win 0
        ",
        given: "< P. 11:12(1) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 12 win 0",
    },
    // Without ACK nothing is looked at.
    Beside {
        deviation: "text_past_the_fin_taken",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000
                > . 1:1(0) ack 2 win 64240
                < P 1:3(2) win 20000",
        wrong: "> . 1:1(0) ack 3 win 64240",
    },
    // It begins past the FIN.
    Beside {
        deviation: "text_past_the_fin_taken",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000
                > . 1:1(0) ack 2 win 64240
                < P. 5:8(3) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 8 win 64240",
    },
    // No SYNs have crossed.
    Beside {
        deviation: "crossed_syn_completed_by_acknowledgment_of_nothing",
        opening: "
            < S 0:0(0) win 20000 <mss 1000>
            > S. 0:0(0) ack 1 win 64240 <mss 1460>
        ",
        given: "< P. 1:11(10) ack 0 win 20000",
        wrong: "> . 1:1(0) ack 11 win 64230",
    },
    // It ends the attempt.
    Beside {
        deviation: "crossed_syn_completed_by_acknowledgment_of_nothing",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460>
                  < S 0:0(0) win 20000 <mss 1000>
                  > S. 0:0(0) ack 1 win 64240 <mss 1460>",
        given: "< R. 1:1(0) ack 0 win 0",
        wrong: "> . 1:1(0) ack 1 win 64240",
    },
];
