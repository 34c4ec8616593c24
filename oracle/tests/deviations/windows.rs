//! Scaled windows, both edges, what lies between, and what is sent into the peer's.
//! RFC 7323 section 2 and RFC 9293 sections 3.8.6 and 3.10.7.4.

use super::{COOKIE, Case, LARGE, PLAIN, SMALL_PEER};

pub(super) const CASES: &[Case] = &[
    Case {
        root: "current_window_judges_alone",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,sackOK,wscale 7>
            > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK,wscale 10>
            < . 1:1(0) ack 1 win 20000
            accept
            < P. 1:11(10) ack 1 win 20000
            > . 1:1(0) ack 11 win 63
        ",
        given: "< P. 11:21(10) ack 1 win 20000
                > . 1:1(0) ack 21 win 62
                < P. 21:63521(63500) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 63509 win 0",
        right: "> . 1:1(0) ack 63521 win 0",
    },
    Case {
        root: "private_window_exceeds_the_wire",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,sackOK>
            > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK>
            < . 1:1(0) ack 1 win 20000
            accept
        ",
        given: "< P. 1:1001(1000) ack 1 win 20000
                > . 1:1(0) ack 1001 win 65535
                < P. 66536:66636(100) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 1001 win 65535 <sack 66536:66636>",
        right: "> . 1:1(0) ack 1001 win 65535",
    },
    Case {
        root: "straddling_segment_taken_whole",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,wscale 7>
            > S. 0:0(0) ack 1 win 100 <mss 1460,wscale 0>
            < . 1:1(0) ack 1 win 20000
        ",
        given: "< P. 1:151(150) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 151 win 0",
        right: "> . 1:1(0) ack 101 win 0",
    },
    Case {
        root: "fin_octet_past_the_edge_taken",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,wscale 7>
            > S. 0:0(0) ack 1 win 100 <mss 1460,wscale 0>
            < . 1:1(0) ack 1 win 20000
            < P. 1:91(90) ack 1 win 20000
            > . 1:1(0) ack 91 win 10
        ",
        given: "< FP. 91:101(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 102 win 0",
        right: "> . 1:1(0) ack 101 win 0",
    },
    Case {
        root: "text_past_the_edge_taken",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,sackOK,wscale 7>
            > S. 0:0(0) ack 1 win 1000 <mss 1460,sackOK,wscale 2>
            < . 1:1(0) ack 1 win 20000
        ",
        given: "< P. 5000:5100(100) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 1 win 250 <sack 5000:5100>",
        right: "> . 1:1(0) ack 1 win 250",
    },
    Case {
        root: "bare_fin_taken_at_zero_window",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,wscale 7>
            > S. 0:0(0) ack 1 win 100 <mss 1460,wscale 0>
            < . 1:1(0) ack 1 win 20000
            < P. 1:101(100) ack 1 win 20000
            > . 1:1(0) ack 101 win 0
            < P. 100:101(1) ack 1 win 20000
            > . 1:1(0) ack 101 win 0
        ",
        given: "< F. 101:101(0) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 102 win 0",
        right: "> . 1:1(0) ack 101 win 0",
    },
    Case {
        root: "left_edge_at_last_ack",
        opening: SMALL_PEER,
        given: "< P. 5:11(6) ack 18 win 20000",
        wrong: "> P. 18:31(13) ack 11 win 64230",
        right: "> . 18:18(0) ack 11 win 64230",
    },
    Case {
        root: "left_edge_at_last_ack",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460>
                  < S 0:0(0) win 20000 <mss 1000>
                  > S. 0:0(0) ack 1 win 64240 <mss 1460>",
        given: "< . 0:1(1) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240
                write 10",
        wrong: "> P. 1:11(10) ack 1 win 64240",
        right: "> S. 0:0(0) ack 1 win 64240 <mss 1460>",
    },
    Case {
        root: "right_edge_inclusive",
        opening: SMALL_PEER,
        given: "< . 64241:64241(0) ack 18 win 20000",
        wrong: "> P. 18:31(13) ack 11 win 64230",
        right: "> . 18:18(0) ack 11 win 64230",
    },
    Case {
        root: "right_edge_inclusive",
        opening: "
            < S 0:0(0) win 17 <mss 1000,wscale 0>
            > S. 0:0(0) ack 1 win 1280 <mss 1460,wscale 7>
            < . 1:1(0) ack 1 win 17
            accept
            write 30
            > P. 1:18(17) ack 1 win 10
            < P. 1:11(10) ack 1 win 17
            > . 18:18(0) ack 11 win 9
        ",
        given: "< . 1281:1281(0) ack 18 win 20000",
        wrong: "> P. 18:31(13) ack 11 win 9",
        right: "> . 18:18(0) ack 11 win 9",
    },
    Case {
        root: "acknowledgment_past_the_edge_counts",
        opening: "
            < S 0:0(0) win 17 <mss 1000>
            > S. 0:0(0) ack 1 win 65535 <mss 1460>
            < . 1:1(0) ack 1 win 17
            accept
            write 30
            > P. 1:18(17) ack 1 win 65535
        ",
        given: "< . 65600:65600(0) ack 18 win 20000",
        wrong: "> P. 18:31(13) ack 1 win 65535",
        right: "> . 18:18(0) ack 1 win 65535",
    },
    Case {
        root: "zero_window_lets_text_in",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,wscale 7>
            > S. 0:0(0) ack 1 win 100 <mss 1460,wscale 0>
            < . 1:1(0) ack 1 win 20000
            < P. 1:101(100) ack 1 win 20000
            > . 1:1(0) ack 101 win 0
        ",
        given: "< P. 101:102(1) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 102 win 0",
        right: "> . 1:1(0) ack 101 win 0",
    },
    Case {
        root: "reported_window_exceeds_the_wire",
        opening: PLAIN,
        given: "",
        wrong: "sample rcv_wnd 65536",
        right: "sample rcv_wnd 65535",
    },
    Case {
        root: "window_clamp_exceeds_the_wire",
        opening: PLAIN,
        given: "",
        wrong: "sample window_clamp 1000000",
        right: "sample window_clamp 65535",
    },
    Case {
        root: "partly_old_segment_refused",
        opening: PLAIN,
        given: "< P. 1:4(3) ack 1 win 20000
                > . 1:1(0) ack 4 win 64237
                < P. 1:7(6) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 4 win 64237",
        right: "> . 1:1(0) ack 7 win 64234",
    },
    Case {
        root: "old_ack_drops_text",
        opening: PLAIN,
        given: "write 20
                > P. 1:21(20) ack 1 win 64240
                < . 1:1(0) ack 21 win 20000
                < P. 1:11(10) ack 1 win 20000",
        wrong: "> . 21:21(0) ack 1 win 64240",
        right: "> . 21:21(0) ack 11 win 64230",
    },
    Case {
        root: "window_sent_unshifted",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,wscale 7>
            > S. 0:0(0) ack 1 win 1000 <mss 1460,wscale 7>
            < . 1:1(0) ack 1 win 20000
            < P. 1:501(500) ack 1 win 20000
            > . 1:1(0) ack 501 win 500
        ",
        given: "< P. 501:901(400) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 901 win 100
                < P. 901:1101(200) ack 1 win 20000
                > . 1:1(0) ack 1001 win 0",
        right: "> . 1:1(0) ack 901 win 497
                < P. 901:1101(200) ack 1 win 20000
                > . 1:1(0) ack 1101 win 496",
    },
    Case {
        root: "syn_cookie_forgets_the_window",
        opening: COOKIE,
        given: "< P. 1:11(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 11 win 63310",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "window_edge_retracts",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 11 win 60000",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "crossing_syn_keeps_own_options",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460,sackOK,TS 700/0,wscale 10>",
        given: "< S 0:0(0) win 20000 <mss 1000,TS 100/0>",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460,TS 700/100,wscale 10>",
        right: "> S. 0:0(0) ack 1 win 64240 <mss 1460,TS 700/100>",
    },
    Case {
        root: "time_wait_window_truncated",
        opening: PLAIN,
        given: "< P. 1:1001(1000) ack 1 win 20000
                > . 1:1(0) ack 1001 win 65535
                read 1000 = data 0
                close
                > F. 1:1(0) ack 1001 win 65535
                < F. 1001:1001(0) ack 2 win 20000",
        wrong: "> . 2:2(0) ack 1002 win 3216",
        right: "> . 2:2(0) ack 1002 win 65534",
    },
    Case {
        root: "time_wait_window_truncated",
        opening: PLAIN,
        given: "< P. 1:1001(1000) ack 1 win 20000
                > . 1:1(0) ack 1001 win 65535
                read 1000 = data 0
                close
                > F. 1:1(0) ack 1001 win 65535
                < . 1001:1001(0) ack 2 win 20000
                < . 1000:1001(1) ack 2 win 20000",
        wrong: "> . 2:2(0) ack 1001 win 3217",
        right: "> . 2:2(0) ack 1001 win 65535",
    },
    Case {
        root: "scale_offered_unasked",
        opening: "< S 0:0(0) win 20000 <mss 1000>",
        given: "",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 7>",
        right: "> S. 0:0(0) ack 1 win 64240 <mss 1460>",
    },
    Case {
        root: "shift_above_fourteen_announced",
        opening: "< S 0:0(0) win 20000 <mss 1000,wscale 7>",
        given: "",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 15>",
        right: "> S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 14>",
    },
    Case {
        root: "shift_changes_between_syns",
        opening: "< S 0:0(0) win 20000 <mss 1000,wscale 7>
                  > S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 7>",
        given: "< S 0:0(0) win 20000 <mss 1000,wscale 7>",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 8>",
        right: "> S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 7>",
    },
    Case {
        root: "syn_window_scaled_when_received",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460,wscale 7>",
        given: "< S. 0:0(0) ack 1 win 100 <mss 1000,wscale 7>
                > . 1:1(0) ack 1 win 502
                write 1000",
        wrong: "> P. 1:1001(1000) ack 1 win 502",
        right: "> P. 1:101(100) ack 1 win 502",
    },
    Case {
        root: "scale_used_without_negotiation",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460>",
        given: "< S. 0:0(0) ack 1 win 100 <mss 1000,wscale 7>
                > . 1:1(0) ack 1 win 64240
                < . 1:1(0) ack 1 win 100
                write 1000",
        wrong: "> P. 1:1001(1000) ack 1 win 64240",
        right: "wait 300
                > P. 1:101(100) ack 1 win 64240",
    },
    Case {
        root: "scale_taken_after_the_handshake",
        opening: PLAIN,
        given: "< . 1:1(0) ack 1 win 100 <wscale 7>
                write 1000",
        wrong: "> P. 1:1001(1000) ack 1 win 64240",
        right: "wait 300
                > P. 1:101(100) ack 1 win 64240",
    },
    Case {
        root: "scale_taken_after_the_handshake",
        opening: "< S 0:0(0) win 17 <mss 1000>
                  > S. 0:0(0) ack 1 win 64240 <mss 1460>
                  < . 1:1(0) ack 1 win 17
                  accept",
        given: "< . 1:1(0) ack 1 win 18 <wscale 7>
                write 1000",
        wrong: "> P. 1:1001(1000) ack 1 win 64240",
        right: "> P. 1:19(18) ack 1 win 64240",
    },
    Case {
        root: "shift_above_fourteen_used",
        opening: "< S 0:0(0) win 20000 <mss 40000,wscale 15>
                  > S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 0>
                  < . 1:1(0) ack 1 win 0
                  accept",
        given: "< . 1:1(0) ack 1 win 1
                write 30000",
        wrong: "> P. 1:20001(20000) ack 1 win 64240",
        right: "> P. 1:16385(16384) ack 1 win 64240",
    },
    Case {
        root: "window_of_same_segment_only_grows",
        opening: PLAIN,
        given: "< . 1:1(0) ack 1 win 100
                write 1000",
        wrong: "> P. 1:1001(1000) ack 1 win 64240",
        right: "wait 300
                > P. 1:101(100) ack 1 win 64240",
    },
    Case {
        root: "window_smaller_by_less_than_a_step_ignored",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460,wscale 7>
                  < S. 0:0(0) ack 1 win 100 <mss 1000,wscale 7>
                  > . 1:1(0) ack 1 win 502",
        given: "< P. 1:2(1) ack 1 win 0
                > . 1:1(0) ack 2 win 502
                write 50",
        wrong: "> P. 1:51(50) ack 2 win 502",
        right: "> . 1:1(0) ack 2 win 502",
    },
    Case {
        root: "window_smaller_by_less_than_a_step_ignored",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460,wscale 10>
                  < S. 0:0(0) ack 1 win 10000 <wscale 14>
                  > . 1:1(0) ack 1 win 64
                  write 1
                  > P. 1:2(1) ack 1 win 64
                  write 2",
        given: "< . 1:2(1) ack 2 win 0",
        wrong: "> P. 2:4(2) ack 2 win 64",
        right: "> . 2:2(0) ack 2 win 64",
    },
    Case {
        root: "predicted_segment_moves_wl1_back",
        opening: LARGE,
        given: "< . 200:200(0) ack 1 win 1000
                < P. 1:25(24) ack 1 win 1000
                > . 1:1(0) ack 25 win 64216
                < P. 25:60(35) ack 1 win 5000
                > . 1:1(0) ack 60 win 64181
                write 3000",
        wrong: "> P. 1:3001(3000) ack 60 win 64181",
        right: "> P. 1:1001(1000) ack 60 win 64181",
    },
    Case {
        root: "fin_one_past_the_peers_window",
        opening: PLAIN,
        given: "< . 2:2(0) ack 1 win 0
                write 10
                shutdown
                < . 2:2(0) ack 1 win 10",
        wrong: "> FP. 1:11(10) ack 1 win 64240",
        right: "> P. 1:11(10) ack 1 win 64240",
    },
    Case {
        root: "older_segment_sets_the_window",
        opening: PLAIN,
        given: "< P. 11:21(10) ack 1 win 100
                > . 1:1(0) ack 1 win 64240
                < P. 1:11(10) ack 1 win 20000
                > . 1:1(0) ack 21 win 64220
                write 1000",
        wrong: "> P. 1:1001(1000) ack 21 win 64220",
        right: "wait 300
                > P. 1:101(100) ack 21 win 64220",
    },
    Case {
        root: "large_window_read_as_negative",
        opening: PLAIN,
        given: "< . 1:1(0) ack 1 win 32768
                write 10",
        wrong: "wait 3000
                < . 1:1(0) ack 1 win 20000",
        right: "> P. 1:11(10) ack 1 win 64240
                wait 3000
                < . 1:1(0) ack 11 win 20000",
    },
    Case {
        root: "window_kept_in_sixteen_bits",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,wscale 7>
            > S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 7>
            < . 1:1(0) ack 1 win 1000
            accept
        ",
        given: "< . 1:1(0) ack 1 win 1024
                write 10",
        wrong: "wait 3000
                < . 1:1(0) ack 1 win 1000",
        right: "> P. 1:11(10) ack 1 win 502
                wait 3000
                < . 1:1(0) ack 11 win 1000",
    },
    Case {
        root: "negative_window_read_as_huge",
        opening: LARGE,
        given: "write 1000
                > P. 1:1001(1000) ack 1 win 64240
                < P. 1:11(10) ack 1 win 10
                > . 1001:1001(0) ack 11 win 64230
                write 30000",
        wrong: "> P. 1001:30001(29000) ack 11 win 64230",
        right: "> P. 1:11(10) ack 11 win 64230",
    },
];
