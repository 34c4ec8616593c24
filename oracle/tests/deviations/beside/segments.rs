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
    // The FIN stands alone.
    Beside {
        deviation: "fin_ignored_on_partly_old_segment",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 1 win 64240",
    },
];
