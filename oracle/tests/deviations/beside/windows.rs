//! Both edges of the window, and what lies between.
//! RFC 7323 section 2.4 and RFC 9293 sections 3.8.6 and 3.10.7.4.

use super::super::{PLAIN, SMALL_PEER};
use super::Beside;

/// A window that the field can not say in full.
const SATURATED: &str = "
    < S 0:0(0) win 20000 <mss 1000,sackOK>
    > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK>
    < . 1:1(0) ack 1 win 20000
    < P. 1:1001(1000) ack 1 win 20000
    > . 1:1(0) ack 1001 win 65535
";

/// A window of zero.
const SHUT: &str = "
    < S 0:0(0) win 20000 <mss 1000,wscale 7>
    > S. 0:0(0) ack 1 win 100 <mss 1460,wscale 0>
    < . 1:1(0) ack 1 win 20000
    < P. 1:101(100) ack 1 win 20000
    > . 1:1(0) ack 101 win 0
";

pub(super) const CASES: &[Beside] = &[
    // Not closed, only shut down.
    Beside {
        deviation: "time_wait_window_truncated",
        opening: PLAIN,
        given: "< P. 1:1001(1000) ack 1 win 20000
                > . 1:1(0) ack 1001 win 65535
                shutdown
                > F. 1:1(0) ack 1001 win 65535
                < . 1001:1001(0) ack 2 win 20000
                < . 1000:1001(1) ack 2 win 20000",
        wrong: "> . 2:2(0) ack 1001 win 3217",
    },
    // Closed, and the FIN is not acknowledged.
    Beside {
        deviation: "time_wait_window_truncated",
        opening: PLAIN,
        given: "< P. 1:1001(1000) ack 1 win 20000
                > . 1:1(0) ack 1001 win 65535
                read 1000 = data 0
                close
                > F. 1:1(0) ack 1001 win 65535
                < . 1000:1001(1) ack 1 win 20000",
        wrong: "> . 2:2(0) ack 1001 win 3217",
    },
    // Not closed at all.
    Beside {
        deviation: "time_wait_window_truncated",
        opening: PLAIN,
        given: "< P. 1:1001(1000) ack 1 win 20000
                > . 1:1(0) ack 1001 win 65535
                < . 1000:1001(1) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 1001 win 3217",
    },
    // Somebody is left to answer.
    Beside {
        deviation: "left_edge_at_last_ack",
        opening: SMALL_PEER,
        given: "< P. 5:11(6) ack 18 win 20000",
        wrong: "wait 700",
    },
    // The field could say more than that window.
    Beside {
        deviation: "acknowledgment_past_the_edge_counts",
        opening: SMALL_PEER,
        given: "< . 65600:65600(0) ack 18 win 20000",
        wrong: "> P. 18:31(13) ack 11 win 64230",
    },
    // No acknowledgment, or one of what was never sent.
    Beside {
        deviation: "private_window_exceeds_the_wire",
        opening: SATURATED,
        given: "< P 66536:66636(100) win 20000",
        wrong: "> . 1:1(0) ack 1001 win 65535 <sack 66536:66636>",
    },
    Beside {
        deviation: "private_window_exceeds_the_wire",
        opening: SATURATED,
        given: "< P. 66536:66636(100) ack 999 win 20000",
        wrong: "> . 1:1(0) ack 1001 win 65535 <sack 66536:66636>",
    },
    // There is text, with the FIN or without.
    Beside {
        deviation: "bare_fin_taken_at_zero_window",
        opening: SHUT,
        given: "< P. 101:102(1) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 102 win 0",
    },
    Beside {
        deviation: "bare_fin_taken_at_zero_window",
        opening: SHUT,
        given: "< FP. 101:102(1) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 103 win 0",
    },
    // It acknowledges something else than the SYN.
    Beside {
        deviation: "right_edge_inclusive",
        opening: "
            < S 0:0(0) win 20000 <mss 1000>
            > S. 0:0(0) ack 1 win 1000 <mss 1460>
        ",
        given: "< . 1001:1001(0) ack 999 win 20000",
        wrong: "accept",
    },
    // These are not the stack's own offers.
    Beside {
        deviation: "crossing_syn_keeps_own_options",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460>",
        given: "< S 0:0(0) win 20000 <mss 1000>",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 7>",
    },
    // It was shifted before.
    Beside {
        deviation: "window_sent_unshifted",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,wscale 7>
            > S. 0:0(0) ack 1 win 1000 <mss 1460,wscale 7>
            < . 1:1(0) ack 1 win 20000
            < P. 1:501(500) ack 1 win 20000
            > . 1:1(0) ack 501 win 4
        ",
        given: "< P. 501:901(400) ack 1 win 20000
                > . 1:1(0) ack 901 win 112
                < P. 901:1101(200) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 1013 win 0",
    },
    // It is no negative number in sixteen bits.
    Beside {
        deviation: "large_window_read_as_negative",
        opening: PLAIN,
        given: "< . 1:1(0) ack 1 win 32767
                write 10",
        wrong: "wait 3000
                < . 1:1(0) ack 1 win 20000",
    },
];
