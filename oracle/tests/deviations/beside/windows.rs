//! Both edges of the window, and what lies between.
//! RFC 7323 section 2.4 and RFC 9293 sections 3.8.6 and 3.10.7.4.

use super::super::PLAIN;
use super::Beside;

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
];
