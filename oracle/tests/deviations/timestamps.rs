//! What is echoed, which segments carry the option, and which are too old.
//! RFC 7323 sections 3.2, 4.3 and 5.

use super::{Case, OPEN, PLAIN};

pub(super) const CASES: &[Case] = &[
    Case {
        root: "old_ack_leaves_ts_recent_alone",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
                < P. 1:18(17) ack 1 win 20000 <TS 300/700>",
        wrong: "> . 18:18(0) ack 35 win 65126 <TS 703/110>",
        right: "> . 18:18(0) ack 35 win 65126 <TS 703/300>",
    },
    Case {
        root: "segment_without_timestamps_taken",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000
                < P. 18:35(17) ack 18 win 20000 <TS 310/701>",
        wrong: "> . 18:18(0) ack 35 win 65126 <TS 703/110>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 703/110,sack 18:35>",
    },
    Case {
        root: "segment_without_timestamps_resets",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000",
        wrong: "> R. 18:18(0) ack 1 win 0 <TS 703/110>",
        right: "< P. 1:18(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 18 win 65143 <TS 703/310>",
    },
    Case {
        root: "answering_resets_without_timestamps",
        opening: OPEN,
        given: "close
                > F. 18:18(0) ack 1 win 65160 <TS 702/110>
                < P. 1:18(17) ack 18 win 20000 <TS 310/701>",
        wrong: "> R 19:19(0) win 0",
        right: "> R 19:19(0) win 0 <TS 703/110>",
    },
    Case {
        root: "resets_without_timestamps",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 18 win 65143 <TS 703/310>
                close",
        wrong: "> R. 18:18(0) ack 18 win 0",
        right: "> R. 18:18(0) ack 18 win 0 <TS 703/310>",
    },
    Case {
        root: "syn_with_an_echo_ignored",
        opening: "",
        given: "< S 0:0(0) win 20000 <mss 1000,TS 100/7>",
        wrong: "wait 700",
        right: "> S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>",
    },
    Case {
        root: "round_trip_by_any_echo",
        opening: OPEN,
        given: "< . 1:1(0) ack 1 win 20000 <TS 310/4000000000>",
        wrong: "sample rtt 70000",
        right: "sample rtt 9000",
    },
    Case {
        root: "round_trip_of_what_was_repeated",
        opening: PLAIN,
        given: "write 10
                > P. 1:11(10) ack 1 win 64240
                wait 1000
                > P. 1:11(10) ack 1 win 64240
                < . 1:1(0) ack 11 win 20000",
        wrong: "sample rtt 125000",
        right: "sample rtt 9000",
    },
    Case {
        root: "timestamp_clock_too_slow",
        opening: OPEN,
        given: "wait 5000",
        wrong: "> P. 1:18(17) ack 1 win 65160 <TS 701/110>",
        right: "> P. 1:18(17) ack 1 win 65160 <TS 5701/110>",
    },
    Case {
        root: "orphaned_fin_wait_2_leaves_ts_recent_alone",
        opening: OPEN,
        given: "close
                > F. 18:18(0) ack 1 win 65160 <TS 702/110>
                < . 1:1(0) ack 19 win 20000 <TS 300/702>
                < . 1:1(0) ack 19 win 20000 <TS 310/702>
                < . 0:1(1) ack 19 win 20000 <TS 90/702>",
        wrong: "> . 19:19(0) ack 1 win 65160 <TS 703/300>",
        right: "> . 19:19(0) ack 1 win 65160 <TS 703/310>",
    },
    Case {
        root: "out_of_order_text_moves_ts_recent",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 300/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/300,sack 18:35>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>",
    },
    Case {
        root: "refused_segment_moves_ts_recent",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 90/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/90>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110>",
    },
    Case {
        root: "refused_segment_moves_ts_recent",
        opening: "< S 0:0(0) win 20000 <mss 1000,TS 100/0>
                  > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>",
        given: "< . 1:1(0) ack 1 win 20000 <TS 90/700>",
        wrong: "> . 1:1(0) ack 1 win 65160 <TS 701/90>",
        right: "> . 1:1(0) ack 1 win 65160 <TS 701/100>",
    },
    Case {
        root: "acknowledgment_echoes_what_it_answers",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 310/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/310,sack 18:35>
                write 10
                > P. 18:28(10) ack 1 win 65160 <TS 703/110,sack 18:35>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
                write 10
                > P. 18:28(10) ack 1 win 65160 <TS 703/110,sack 18:35>",
    },
    Case {
        root: "ts_recent_never_moves",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 300/701>",
        wrong: "> . 18:18(0) ack 18 win 65143 <TS 702/110>",
        right: "> . 18:18(0) ack 18 win 65143 <TS 702/300>",
    },
    Case {
        root: "timestamps_compared_without_wrap",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,TS 4294967200/0>
            > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/4294967200>
            < . 1:1(0) ack 1 win 20000 <TS 4294967290/700>
            < P. 1:2(1) ack 1 win 20000 <TS 4294967291/700>
            > . 1:1(0) ack 2 win 65159 <TS 701/4294967291>
        ",
        given: "< P. 2:3(1) ack 1 win 20000 <TS 50/700>",
        wrong: "> . 1:1(0) ack 3 win 65158 <TS 701/4294967291>",
        right: "> . 1:1(0) ack 3 win 65158 <TS 701/50>",
    },
    Case {
        root: "ts_recent_compared_with_rcv_nxt",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
                < P. 18:35(17) ack 18 win 20000 <TS 310/701>",
        wrong: "> . 18:18(0) ack 35 win 65126 <TS 702/310>",
        right: "> . 18:18(0) ack 35 win 65126 <TS 702/300>",
    },
    Case {
        root: "time_wait_stamped_without_agreement",
        opening: PLAIN,
        given: "close
                > F. 1:1(0) ack 1 win 64240
                < F. 1:1(0) ack 2 win 20000
                > . 2:2(0) ack 2 win 64240
                < F. 1:1(0) ack 2 win 20000",
        wrong: "> . 2:2(0) ack 2 win 64240 <TS 700/4000>",
        right: "> . 2:2(0) ack 2 win 64240",
    },
    Case {
        root: "time_wait_stamped_without_agreement",
        opening: PLAIN,
        given: "close
                > F. 1:1(0) ack 1 win 64240
                < . 1:1(0) ack 2 win 20000
                < P. 0:1(1) ack 2 win 20000",
        wrong: "> . 2:2(0) ack 1 win 64240 <TS 700/4000>",
        right: "> . 2:2(0) ack 1 win 64240",
    },
    Case {
        root: "paws_spares_out_of_order_text",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 50/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110>",
    },
    Case {
        root: "paws_spares_the_acknowledgment",
        opening: "
            < S 0:0(0) win 17 <mss 1000,TS 100/0>
            > S. 0:0(0) ack 1 win 64240 <mss 1460,TS 700/100>
            < . 1:1(0) ack 1 win 17 <TS 110/700>
            accept
            write 30
            > P. 1:18(17) ack 1 win 64240 <TS 701/110>
        ",
        given: "< P. 1:11(10) ack 18 win 20000 <TS 90/701>",
        wrong: "> P. 18:31(13) ack 1 win 64240 <TS 702/110>",
        right: "> . 18:18(0) ack 1 win 64240 <TS 702/110>",
    },
    Case {
        root: "paws_compares_without_wrap",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,TS 4294967200/0>
            > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/4294967200>
            < . 1:1(0) ack 1 win 20000 <TS 4294967290/700>
        ",
        given: "< P. 1:11(10) ack 1 win 20000 <TS 50/700>",
        wrong: "> . 1:1(0) ack 1 win 65160 <TS 701/4294967290>",
        right: "> . 1:1(0) ack 11 win 65150 <TS 701/50>",
    },
    Case {
        root: "paws_compares_without_wrap",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,TS 4294967290/0>
            > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/4294967290>
            < . 1:1(0) ack 1 win 20000 <TS 50/700>
        ",
        given: "< P. 1:11(10) ack 1 win 20000 <TS 4294967291/700>",
        wrong: "> . 1:1(0) ack 11 win 65150 <TS 701/50>",
        right: "> . 1:1(0) ack 1 win 65160 <TS 701/50>",
    },
    Case {
        root: "older_timestamp_moves_ts_recent",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 50/701>",
        wrong: "> . 18:18(0) ack 18 win 65143 <TS 702/50>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110>",
    },
    Case {
        root: "timestamps_left_out_when_ts_recent_is_zero",
        opening: "< S 0:0(0) win 20000 <mss 1000,TS 0/0>
                  > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/0>",
        given: "< P. 70000:70010(10) ack 1 win 20000 <TS 300/700>",
        wrong: "> . 1:1(0) ack 1 win 65160",
        right: "> . 1:1(0) ack 1 win 65160 <TS 701/0>",
    },
    Case {
        root: "timestamps_left_out",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 300/701>",
        wrong: "> . 18:18(0) ack 18 win 65143",
        right: "> . 18:18(0) ack 18 win 65143 <TS 702/300>",
    },
    Case {
        root: "timestamps_not_negotiated",
        opening: PLAIN,
        given: "< P. 1:18(17) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 18 win 64223 <TS 702/0>",
        right: "> . 1:1(0) ack 18 win 64223",
    },
    Case {
        root: "unnegotiated_timestamps_refused",
        opening: PLAIN,
        given: "< P. 1:18(17) ack 1 win 20000 <TS 300/0>",
        wrong: "> . 1:1(0) ack 1 win 64240",
        right: "> . 1:1(0) ack 18 win 64223",
    },
    Case {
        root: "echo_without_ack",
        opening: "active",
        given: "",
        wrong: "> S 0:0(0) win 64240 <mss 1460,TS 700/9>",
        right: "> S 0:0(0) win 64240 <mss 1460,TS 700/0>",
    },
    Case {
        root: "tsval_decreases",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 300/701>",
        wrong: "> . 18:18(0) ack 18 win 65143 <TS 699/300>",
        right: "> . 18:18(0) ack 18 win 65143 <TS 701/300>",
    },
    Case {
        root: "paws_tolerates_one_tick",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 109/701>",
        wrong: "> . 18:18(0) ack 18 win 65143 <TS 702/110>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110>",
    },
    Case {
        root: "paws_takes_zero_as_unset",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,TS 0/0>
            > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/0>
            < . 1:1(0) ack 1 win 20000 <TS 0/700>
        ",
        given: "< P. 1:18(17) ack 1 win 20000 <TS 4294967000/700>",
        wrong: "> . 1:1(0) ack 18 win 65143 <TS 702/0>",
        right: "> . 1:1(0) ack 1 win 65160 <TS 702/0>",
    },
    Case {
        root: "paws_absent",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 50/701>",
        wrong: "> . 18:18(0) ack 18 win 65143 <TS 702/110>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110>",
    },
    Case {
        root: "paws_refuses_equal",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 110/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/110>",
        right: "> . 18:18(0) ack 18 win 65143 <TS 702/110>",
    },
    Case {
        root: "paws_at_delivery",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
                < P. 1:18(17) ack 18 win 20000 <TS 400/701>",
        wrong: "> . 18:18(0) ack 18 win 65143 <TS 703/400>",
        right: "> . 18:18(0) ack 35 win 65126 <TS 703/400>",
    },
    Case {
        root: "paws_refuses_reset",
        opening: OPEN,
        given: "< R. 1:1(0) ack 18 win 20000 <TS 50/701>
                < P. 1:18(17) ack 18 win 20000 <TS 300/701>",
        wrong: "> . 18:18(0) ack 18 win 65143 <TS 702/300>",
        right: "> R 18:18(0)",
    },
    Case {
        root: "reset_moves_ts_recent",
        opening: OPEN,
        given: "< R. 50:50(0) ack 18 win 20000 <TS 5000/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/5000>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110>",
    },
    Case {
        root: "handshake_echo_out_of_range_refused",
        opening: "< S 0:0(0) win 20000 <mss 1000,TS 100/0>
                  > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>",
        given: "< P. 1:18(17) ack 1 win 20000 <TS 110/9>",
        wrong: "> . 1:1(0) ack 1 win 65160 <TS 701/100>",
        right: "> . 1:1(0) ack 18 win 65143 <TS 701/110>",
    },
    Case {
        root: "handshake_echo_out_of_range_refused",
        opening: "< S 0:0(0) win 20000 <mss 1000,TS 100/0>
                  > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>",
        given: "< P. 1:18(17) ack 1 win 20000 <TS 110/9000>",
        wrong: "> . 1:1(0) ack 1 win 65160 <TS 701/100>",
        right: "> . 1:1(0) ack 18 win 65143 <TS 701/110>",
    },
    Case {
        root: "handshake_echo_out_of_range_refused",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460,TS 700/0>",
        given: "< S. 0:0(0) ack 1 win 20000 <mss 1000,TS 100/9>",
        wrong: "> S 0:0(0) win 64240 <mss 1460,TS 701/0>",
        right: "> . 1:1(0) ack 1 win 64240 <TS 701/100>",
    },
    Case {
        root: "paws_refuses_reset_beside_the_socket",
        opening: OPEN,
        given: "close
                > F. 18:18(0) ack 1 win 65160 <TS 702/110>
                < . 1:1(0) ack 19 win 20000 <TS 300/702>
                < R. 1:1(0) ack 19 win 0 <TS 200/702>
                < . 0:1(1) ack 19 win 20000 <TS 90/702>",
        wrong: "> . 19:19(0) ack 1 win 65160 <TS 703/300>",
        right: "> R 19:19(0) win 0",
    },
    // A clock that stands still.
    Case {
        root: "timestamp_clock_too_slow",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,TS 100/0>
            > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>
            < . 1:1(0) ack 1 win 20000 <TS 110/700>
            wait 5000
        ",
        given: "< P. 1:18(17) ack 1 win 20000 <TS 300/700>",
        wrong: "> . 1:1(0) ack 18 win 65143 <TS 700/300>",
        right: "> . 1:1(0) ack 18 win 65143 <TS 704/300>",
    },
];
