//! Which value is echoed, and which segments are too old.
//! RFC 7323 sections 4.3, 5.2 and 5.3.

use super::super::OPEN;
use super::Beside;

pub(super) const CASES: &[Beside] = &[
    // Text out of order lies beyond RCV.NXT.
    Beside {
        deviation: "ts_recent_compared_with_rcv_nxt",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 300/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/300,sack 18:35>",
    },
    // Nor does an unset TS.Recent follow it.
    Beside {
        deviation: "paws_takes_zero_as_unset",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,TS 0/0>
            > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/0>
            < . 1:1(0) ack 1 win 20000 <TS 0/700>
        ",
        given: "< P. 18:35(17) ack 1 win 20000 <TS 300/700>",
        wrong: "> . 1:1(0) ack 1 win 65160 <TS 702/300>",
    },
    // Its timestamp is newer.
    Beside {
        deviation: "older_timestamp_moves_ts_recent",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 300/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/300,sack 18:35>",
    },
    // It fills no gap.
    Beside {
        deviation: "paws_at_delivery",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
                < P. 40:50(10) ack 18 win 20000 <TS 400/701>",
        wrong: "> . 18:18(0) ack 50 win 65111 <TS 703/400>",
    },
    // The socket is still there.
    Beside {
        deviation: "paws_refuses_reset_beside_the_socket",
        opening: OPEN,
        given: "shutdown
                > F. 18:18(0) ack 1 win 65160 <TS 702/110>
                < . 1:1(0) ack 19 win 20000 <TS 300/702>
                < R. 1:1(0) ack 19 win 0 <TS 200/702>
                < . 0:1(1) ack 19 win 20000 <TS 90/702>",
        wrong: "> . 19:19(0) ack 1 win 65160 <TS 703/300>",
    },
    // The reset is new.
    Beside {
        deviation: "paws_refuses_reset_beside_the_socket",
        opening: OPEN,
        given: "close
                > F. 18:18(0) ack 1 win 65160 <TS 702/110>
                < . 1:1(0) ack 19 win 20000 <TS 300/702>
                < R. 1:1(0) ack 19 win 0 <TS 400/702>
                < . 0:1(1) ack 19 win 20000 <TS 90/702>",
        wrong: "> . 19:19(0) ack 1 win 65160 <TS 703/300>",
    },
    Beside {
        deviation: "paws_refuses_reset",
        opening: OPEN,
        given: "< R. 1:1(0) ack 18 win 20000 <TS 400/701>
                < P. 1:18(17) ack 18 win 20000 <TS 500/701>",
        wrong: "> . 18:18(0) ack 18 win 65143 <TS 702/500>",
    },
    // It is no reset.
    Beside {
        deviation: "reset_moves_ts_recent",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 300/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/300>",
    },
];
