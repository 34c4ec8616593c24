//! Which value is echoed, and which segments are too old.
//! RFC 7323 sections 4.3, 5.2 and 5.3.

use super::super::{OPEN, PLAIN};
use super::Beside;

/// A SYN with timestamps that is answered.
const SYN_RECEIVED: &str = "
    < S 0:0(0) win 20000 <mss 1000,TS 100/0>
    > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>
";

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
    Beside {
        deviation: "paws_at_delivery",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
                < P. 40:50(10) ack 18 win 20000 <TS 400/701>
                < P. 1:18(17) ack 18 win 20000 <TS 110/701>",
        wrong: "> . 18:18(0) ack 18 win 65143 <TS 703/110,sack 40:50>",
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
    // It is the socket that answers.
    Beside {
        deviation: "timestamps_left_out_when_ts_recent_is_zero",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,TS 0/0>
            > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/0>
            < . 1:1(0) ack 1 win 20000 <TS 0/700>
        ",
        given: "< P. 18:35(17) ack 1 win 20000 <TS 0/700>",
        wrong: "> . 1:1(0) ack 1 win 65160",
    },
    // Not closed, only shut down.
    Beside {
        deviation: "time_wait_stamped_without_agreement",
        opening: PLAIN,
        given: "shutdown
                > F. 1:1(0) ack 1 win 64240
                < . 1:1(0) ack 2 win 20000
                < P. 0:1(1) ack 2 win 20000",
        wrong: "> . 2:2(0) ack 1 win 64240 <TS 700/4000>",
    },
    // Closed, and the FIN is not acknowledged.
    Beside {
        deviation: "time_wait_stamped_without_agreement",
        opening: PLAIN,
        given: "close
                > F. 1:1(0) ack 1 win 64240
                < P. 0:1(1) ack 1 win 20000",
        wrong: "> . 2:2(0) ack 1 win 64240 <TS 700/4000>",
    },
    // What was sent is echoed.
    Beside {
        deviation: "handshake_echo_out_of_range_refused",
        opening: SYN_RECEIVED,
        given: "< P. 1:18(17) ack 1 win 20000 <TS 110/700>",
        wrong: "> . 1:1(0) ack 1 win 65160 <TS 701/100>",
    },
    // Nothing is.
    Beside {
        deviation: "handshake_echo_out_of_range_refused",
        opening: SYN_RECEIVED,
        given: "< P. 1:18(17) ack 1 win 20000 <TS 110/0>",
        wrong: "> . 1:1(0) ack 1 win 65160 <TS 701/100>",
    },
    // The handshake is over.
    Beside {
        deviation: "handshake_echo_out_of_range_refused",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 300/9>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/110>",
    },
];
