//! How long a stack tries, and how often.
//! RFC 9293 sections 3.8.1 to 3.8.3 and 3.8.6.

use super::{Case, PLAIN};

/// Ten octets in flight, sent again after 1 and 3 seconds.
const TWICE_AGAIN: &str = "
    write 10
    > P. 1:11(10) ack 1 win 64240
    wait 1000
    > P. 1:11(10) ack 1 win 64240
    wait 2000
    > P. 1:11(10) ack 1 win 64240
";

/// A shut window, probed after 1 and 3 seconds.
const PROBED: &str = "
    < . 1:1(0) ack 1 win 0
    write 10
    wait 1000
    > . 1:2(1) ack 1 win 64240
    wait 1000
    > . 1:2(1) ack 1 win 64240
    wait 2000
    > . 1:2(1) ack 1 win 64240
";

pub(super) const CASES: &[Case] = &[
    Case {
        root: "timeout_does_not_grow",
        opening: PLAIN,
        given: TWICE_AGAIN,
        wrong: "wait 2000
                > P. 1:11(10) ack 1 win 64240",
        right: "wait 4000
                > P. 1:11(10) ack 1 win 64240",
    },
    Case {
        root: "probes_do_not_slow_down",
        opening: PLAIN,
        given: PROBED,
        wrong: "wait 2000
                > . 1:2(1) ack 1 win 64240",
        right: "wait 4000
                > . 1:2(1) ack 1 win 64240",
    },
    Case {
        root: "probe_before_its_time",
        opening: PLAIN,
        given: "< . 1:1(0) ack 1 win 0
                write 10",
        wrong: "> . 1:2(1) ack 1 win 64240",
        right: "wait 200
                > . 1:2(1) ack 1 win 64240",
    },
    Case {
        root: "syn_given_up_early",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460>
                  wait 1000
                  > S 0:0(0) win 64240 <mss 1460>
                  wait 2000
                  > S 0:0(0) win 64240 <mss 1460>",
        given: "",
        wrong: "wait 66000
                < S. 0:0(0) ack 1 win 20000",
        right: "wait 4000
                > S 0:0(0) win 64240 <mss 1460>",
    },
    Case {
        root: "shut_window_resets",
        opening: PLAIN,
        given: PROBED,
        wrong: "wait 4000
                > R. 2:2(0) ack 1 win 64240",
        right: "wait 4000
                > . 1:2(1) ack 1 win 64240",
    },
    Case {
        root: "shrunk_window_resets",
        opening: PLAIN,
        given: "write 1000
                > P. 1:1001(1000) ack 1 win 64240
                < . 1:1(0) ack 1 win 10
                wait 1000",
        wrong: "> R. 1001:1001(0) ack 1 win 64240",
        right: "> P. 1:1001(1000) ack 1 win 64240",
    },
    Case {
        root: "given_up_early",
        opening: PLAIN,
        given: TWICE_AGAIN,
        wrong: "wait 4000
                > R. 11:11(0) ack 1 win 64240",
        right: "wait 4000
                > P. 1:11(10) ack 1 win 64240",
    },
];
