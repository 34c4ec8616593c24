//! Every deviation is recognised by its own name in a transcript that shows it, and right behaviour in the same
//! situation is silent.

mod notation;

use std::collections::BTreeSet;

use ackward_model::Sysctl;
use ackward_oracle::{Divergence, Judge, Known, NoCoverage, Profile, Verdict};
use notation::{conforms, diverges_under, roots};

/// An opening: `SYN` options of both sides with timestamps, 17 octets sent by the stack, nothing acknowledged.
const OPEN: &str = "
    < S 0:0(0) win 20000 <mss 1000,sackOK,TS 100/0>
    > S. 0:0(0) ack 1 win 65160 <mss 1460,sackOK,TS 700/100>
    < . 1:1(0) ack 1 win 20000 <TS 110/700>
    accept
    write 17
    > P. 1:18(17) ack 1 win 65160 <TS 701/110>
";

/// Without timestamps, SACK or scaling.
const PLAIN: &str = "
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

/// A peer whose window of 17 octets is full while the stack has 13 more to send; the peer has sent 10.
const SMALL_PEER: &str = "
    < S 0:0(0) win 17 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 17
    accept
    write 30
    > P. 1:18(17) ack 1 win 64240
    < P. 1:11(10) ack 1 win 17
    > . 18:18(0) ack 11 win 64230
";

/// A scenario with what a deviating and what a right stack makes of it.
struct Case {
    root: &'static str,
    opening: &'static str,
    given: &'static str,
    wrong: &'static str,
    right: &'static str,
}

const CASES: &[Case] = &[
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
        root: "held_text_acknowledged_piece_by_piece",
        opening: PLAIN,
        given: "< P. 11:21(10) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240
                < P. 1:11(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 11 win 64230
                > . 1:1(0) ack 21 win 64220",
        right: "> . 1:1(0) ack 21 win 64220",
    },
    Case {
        root: "answers_without_a_connection",
        opening: PLAIN,
        given: "< R 1:1(0) win 0
                < . 1:1(0) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 2 win 64240",
        right: "> R 1:1(0) win 0",
    },
    Case {
        root: "reset_at_own_fin_obeyed",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000
                > . 1:1(0) ack 2 win 64240
                < R 1:1(0) win 0
                < P. 1:2(1) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0",
        right: "> . 1:1(0) ack 2 win 64240",
    },
    Case {
        root: "reset_at_the_edge_ends_the_handshake",
        opening: "< S 0:0(0) win 20000 <mss 1000>
                  > S. 0:0(0) ack 1 win 1000 <mss 1460>",
        given: "< R 1001:1001(0) win 0
                < . 1:1(0) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0
                accept",
        right: "accept",
    },
    Case {
        root: "sends_what_was_not_written",
        opening: PLAIN,
        given: "< P. 2:11(9) ack 1 win 20000",
        wrong: "> . 5001:5001(0) ack 1 win 64240",
        right: "> . 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "sends_what_was_not_written",
        opening: PLAIN,
        given: "< P. 2:11(9) ack 1 win 20000",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460>",
        right: "> . 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "sack_reports_what_never_came",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
                write 5",
        wrong: "> P. 18:23(5) ack 1 win 65160 <TS 702/110,sack 40:50>",
        right: "> P. 18:23(5) ack 1 win 65160 <TS 702/110,sack 18:35>",
    },
    Case {
        root: "sack_reports_what_never_came",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
                < P. 1:18(17) ack 18 win 20000 <TS 320/701>",
        wrong: "> . 18:18(0) ack 35 win 65126 <TS 703/320,sack 18:35>",
        right: "> . 18:18(0) ack 35 win 65126 <TS 703/320>",
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
        root: "text_in_order_unacknowledged",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000
                wait 700",
        wrong: "< P. 11:21(10) ack 1 win 20000",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "syn_unanswered",
        opening: "",
        given: "< S 0:0(0) win 20000 <mss 1000>
                wait 700",
        wrong: "< S 0:0(0) win 20000 <mss 1000>",
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
        root: "zero_window_probe_unanswered",
        opening: "
            < S 0:0(0) win 20000 <mss 1000,wscale 7>
            > S. 0:0(0) ack 1 win 100 <mss 1460,wscale 0>
            < . 1:1(0) ack 1 win 20000
            < P. 1:101(100) ack 1 win 20000
            > . 1:1(0) ack 101 win 0
        ",
        given: "< P. 101:102(1) ack 1 win 20000",
        wrong: "wait 700",
        right: "> . 1:1(0) ack 101 win 0",
    },
    Case {
        root: "paws_spares_out_of_order_text",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 50/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110>",
    },
    Case {
        root: "older_timestamp_moves_ts_recent",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 50/701>",
        wrong: "> . 18:18(0) ack 18 win 65143 <TS 702/50>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110>",
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
        root: "reset_at_sack_edge_obeyed",
        opening: OPEN,
        given: "< P. 65151:65161(10) ack 18 win 20000 <TS 300/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 65151:65161>
                < R. 65161:65161(0) ack 18 win 0 <TS 310/701>
                < P. 1:18(17) ack 18 win 20000 <TS 320/701>",
        wrong: "> R 18:18(0) win 0",
        right: "> . 18:18(0) ack 18 win 65143 <TS 703/320,sack 65151:65161>",
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
        root: "acknowledges_through_a_hole",
        opening: PLAIN,
        given: "< P. 11:21(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 21 win 64220",
        right: "> . 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "in_order_segment_swallowed",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 1 win 64240",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "held_text_forgotten",
        opening: PLAIN,
        given: "< P. 11:21(10) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240
                < P. 1:11(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 11 win 64230",
        right: "> . 1:1(0) ack 21 win 64220",
    },
    Case {
        root: "orphaned_fin_wait_2_ignores_the_acknowledgment_field",
        opening: PLAIN,
        given: "close
                > F. 1:1(0) ack 1 win 64240
                < . 1:1(0) ack 2 win 20000
                < F. 1:1(0) ack 999 win 20000",
        wrong: "> . 2:2(0) ack 2 win 64240",
        right: "> . 2:2(0) ack 1 win 64240",
    },
    Case {
        root: "acknowledgment_of_unsent_text_accepted",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 999 win 20000",
        wrong: "> . 1:1(0) ack 11 win 64230",
        right: "> . 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "crossed_syn_completed_by_acknowledgment_of_nothing",
        opening: "active
                  > S 0:0(0) win 64240 <mss 1460>
                  < S 0:0(0) win 20000 <mss 1000>
                  > S. 0:0(0) ack 1 win 64240 <mss 1460>",
        given: "< P. 1:11(10) ack 0 win 20000",
        wrong: "> . 1:1(0) ack 11 win 64230",
        right: "> R 0:0(0) win 0",
    },
    Case {
        root: "text_past_the_fin_taken",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000
                > . 1:1(0) ack 2 win 64240
                < P. 1:2(1) ack 1 win 20000
                > . 1:1(0) ack 2 win 64240
                < P. 1:3(2) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 3 win 64240",
        right: "> . 1:1(0) ack 2 win 64240",
    },
    Case {
        root: "fin_before_its_text",
        opening: PLAIN,
        given: "< F. 11:11(0) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 12 win 64229",
        right: "> . 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "fin_ignored_on_partly_old_segment",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000
                > . 1:1(0) ack 11 win 64230
                < FP. 6:16(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 16 win 64225",
        right: "> . 1:1(0) ack 17 win 64224",
    },
    Case {
        root: "unacceptable_segment_unanswered",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
                > . 18:18(0) ack 18 win 65143 <TS 702/300>
                < P. 1:18(17) ack 18 win 20000 <TS 300/701>
                wait 700",
        wrong: "< P. 18:35(17) ack 18 win 20000 <TS 300/701>",
        right: "> . 18:18(0) ack 18 win 65143 <TS 702/300>",
    },
    Case {
        root: "fin_leaves_stale_sack_blocks",
        opening: "< S 0:0(0) win 20000 <mss 1000,sackOK>
                  > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK>
                  < . 1:1(0) ack 1 win 20000",
        given: "< F. 4:5(1) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240 <sack 4:6>
                < . 2:3(1) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240 <sack 2:3 4:6>
                < . 1:4(3) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 6 win 64235 <sack 2:3 2:3 4:6>",
        right: "> . 1:1(0) ack 6 win 64235 <sack 2:3>",
    },
    Case {
        root: "fin_leaves_stale_sack_blocks",
        opening: "< S 0:0(0) win 20000 <mss 1000,sackOK>
                  > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK>
                  < . 1:1(0) ack 1 win 20000",
        given: "< F. 4:5(1) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240 <sack 4:6>
                < . 1:4(3) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 6 win 64235 <sack 4:6>",
        right: "> . 1:1(0) ack 6 win 64235",
    },
    Case {
        root: "sack_reports_what_never_came",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 300/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:40>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>",
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
                close
                > F. 1:1(0) ack 1001 win 65535
                < F. 1001:1001(0) ack 2 win 20000",
        wrong: "> . 2:2(0) ack 1002 win 3216",
        right: "> . 2:2(0) ack 1002 win 65534",
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
        right: "> P. 1:101(100) ack 1 win 64240",
    },
    Case {
        root: "scale_taken_after_the_handshake",
        opening: PLAIN,
        given: "< . 1:1(0) ack 1 win 100 <wscale 7>
                write 1000",
        wrong: "> P. 1:1001(1000) ack 1 win 64240",
        right: "> P. 1:101(100) ack 1 win 64240",
    },
    Case {
        root: "shift_above_fourteen_used",
        opening: "< S 0:0(0) win 20000 <mss 1000,wscale 15>
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
        right: "> P. 1:101(100) ack 1 win 64240",
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
        opening: PLAIN,
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
    Case {
        root: "older_segment_sets_the_window",
        opening: PLAIN,
        given: "< P. 11:21(10) ack 1 win 100
                > . 1:1(0) ack 1 win 64240
                < P. 1:11(10) ack 1 win 20000
                > . 1:1(0) ack 21 win 64220
                write 1000",
        wrong: "> P. 1:1001(1000) ack 21 win 64220",
        right: "> P. 1:101(100) ack 21 win 64220",
    },
    Case {
        root: "negative_window_read_as_huge",
        opening: PLAIN,
        given: "write 1000
                > P. 1:1001(1000) ack 1 win 64240
                < P. 1:11(10) ack 1 win 10
                > . 1001:1001(0) ack 11 win 64230
                write 30000",
        wrong: "> P. 1001:30001(29000) ack 11 win 64230",
        right: "> P. 1:11(10) ack 11 win 64230",
    },
    Case {
        root: "sends_what_was_not_written",
        opening: PLAIN,
        given: "write 10",
        wrong: "> P. 1:12(11) ack 1 win 64240",
        right: "> P. 1:11(10) ack 1 win 64240",
    },
    Case {
        root: "resets_without_cause",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000",
        wrong: "> R. 1:1(0) ack 11 win 0",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "text_past_the_fin_resets",
        opening: PLAIN,
        given: "< F. 1:1(0) ack 1 win 20000
                > . 1:1(0) ack 2 win 64240
                < P. 1:11(10) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0",
        right: "> . 1:1(0) ack 2 win 64240",
    },
    Case {
        root: "reset_ignored",
        opening: PLAIN,
        given: "< R 1:1(0) win 0
                < P. 1:11(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 11 win 64230",
        right: "> R 1:1(0) win 0",
    },
];

#[test]
fn each_deviation_is_named_and_right_behaviour_is_silent() {
    let mut wrong_names = Vec::new();
    for case in CASES {
        let Case {
            root,
            opening,
            given,
            wrong,
            right,
        } = case;
        let silent = roots("rfc", &format!("{opening}\n{given}\n{right}"));
        let named = roots("rfc", &format!("{opening}\n{given}\n{wrong}"));
        if !silent.is_empty() || named != [*root] {
            wrong_names.push(format!("{root}: right {silent:?}, wrong {named:?}"));
        }
    }
    assert!(wrong_names.is_empty(), "{}", wrong_names.join("\n"));
}

/// Every branch of the RFC and of a deviation stays when another deviation comes into force.
#[test]
fn a_further_deviation_makes_no_transcript_diverge() {
    let mut broken = Vec::new();
    for Case {
        root,
        opening,
        given,
        wrong,
        right,
    } in CASES
    {
        let [wrong, right] =
            [wrong, right].map(|last| notation::trace(&format!("{opening}\n{given}\n{last}")));
        for deviation in ackward_oracle::rules::deviations() {
            let further = deviation.name;
            for names in [vec![*root, further], vec![further, *root]] {
                if diverges_under(&wrong, &names) {
                    broken.push(format!("{root}, wrong, under {names:?}"));
                }
            }
            if diverges_under(&right, &[further]) {
                broken.push(format!("{root}, right, under {further}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// A deviation that shows only together with another, in a test of its own below.
const ELSEWHERE: &[&str] = &["current_window_judges_alone"];

#[test]
fn no_deviation_is_without_a_transcript() {
    let shown: BTreeSet<_> = CASES.iter().map(|case| case.root).collect();
    for deviation in ackward_oracle::rules::deviations() {
        assert!(
            shown.contains(deviation.name) || ELSEWHERE.contains(&deviation.name),
            "{} has no transcript",
            deviation.name
        );
    }
}

#[test]
fn text_from_a_segment_that_was_not_accepted_is_not_delivered() {
    let given = format!(
        "{OPEN}
         < P. 1:18(17) ack 18 win 20000 <TS 90/701> copy 1
         > . 18:18(0) ack 1 win 65160 <TS 702/110>
         < P. 1:18(17) ack 18 win 20000 <TS 300/701> copy 2
         > . 18:18(0) ack 18 win 65143 <TS 703/300>"
    );
    conforms(&format!("{given}\nread 17 = data 2"));
    assert_eq!(
        roots("rfc", &format!("{given}\nread 17 = data 1")),
        ["unexplained-9293-DATA-int"]
    );
    assert_eq!(
        roots("rfc", &format!("{given}\nread 17 = end")),
        ["unexplained-9293-DATA-int"]
    );
    assert_eq!(
        roots("rfc", &format!("{given}\nread 17 = nothing")),
        ["unexplained-9293-DATA-int"]
    );
}

#[test]
fn text_inside_a_window_that_was_taken_back_stays_acceptable() {
    let shrunk = format!(
        "{PLAIN}
         < P. 1:11(10) ack 1 win 20000
         > . 1:1(0) ack 11 win 1000
         < P. 5001:5011(10) ack 1 win 20000
         < P. 11:5001(4990) ack 1 win 20000"
    );
    let kept = format!("{shrunk}\n> . 1:1(0) ack 5011 win 60000");
    assert_eq!(roots("rfc", &kept), ["window_edge_retracts"]);
    let refused = format!("{shrunk}\n> . 1:1(0) ack 11 win 60000");
    assert_eq!(
        roots("rfc", &refused),
        ["window_edge_retracts", "current_window_judges_alone"]
    );
}

#[test]
fn two_causes_in_one_trace_are_told_apart() {
    let text = "
        < S 0:0(0) win 20000 <mss 1460,sackOK,TS 100/0>
        > S. 0:0(0) ack 1 win 65160 <mss 1460,sackOK,TS 700/100>
        < . 1:1(0) ack 1 win 20000 <TS 110/700>
        accept
        write 17
        > P. 1:18(17) ack 1 win 65160 <TS 701/110>
        < P. 18:35(17) ack 18 win 20000 <TS 310/701>
        > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
        < P. 1:18(17) ack 1 win 20000 <TS 300/700>
        > . 18:18(0) ack 35 win 65535 <TS 703/110>
        < P. 65570:65670(100) ack 18 win 20000 <TS 320/702>
        > . 18:18(0) ack 35 win 65535 <TS 704/110,sack 65570:65670>";
    assert_eq!(
        roots("rfc", text),
        [
            "old_ack_leaves_ts_recent_alone",
            "private_window_exceeds_the_wire"
        ]
    );
}

#[test]
fn a_known_quirk_is_silent_under_its_profile_and_named_without_it() {
    let text = format!(
        "{OPEN}
         < P. 1:18(17) ack 18 win 20000 <TS 109/701>
         > . 18:18(0) ack 18 win 65143 <TS 702/110>"
    );
    assert_eq!(roots("rfc", &text), ["paws_tolerates_one_tick"]);
    assert!(roots("linux", &text).is_empty());
}

#[test]
fn two_known_causes_are_believed_before_one_new_one() {
    let text = "
        < S 0:0(0) win 20000 <mss 1000,TS 0/0>
        > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 0/0>
        < . 1:1(0) ack 1 win 20000
        accept
        shutdown
        > F. 1:1(0) ack 1 win 65160 <TS 0/0>
        < . 1:1(0) ack 2 win 20000 <TS 4294967284/0>
        < . 1:1(0) ack 1 win 20000 <TS 17/0>
        close
        < . 1:1(0) ack 2 win 20000 <TS 27/0>
        < . 0:1(1) ack 2 win 20000 <TS 3758096384/0>
        > . 2:2(0) ack 1 win 65160 <TS 0/4294967284>";
    assert_eq!(roots("linux", text), ["timestamps_compared_without_wrap"]);
    assert_eq!(
        roots_knowing_linux(text),
        [
            "old_ack_leaves_ts_recent_alone",
            "orphaned_fin_wait_2_leaves_ts_recent_alone"
        ]
    );
}

#[test]
fn what_follows_a_fin_past_the_edge_that_text_passed_is_not_judged() {
    let text = "
        < S 0:0(0) win 65535 <mss 1460,sackOK>
        > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK>
        < P. 48:1412(1364) ack 1 win 65535
        > . 1:1(0) ack 1 win 65535 <sack 48:1412>
        accept
        < P. 65537:66997(1460) ack 1 win 65535
        > . 1:1(0) ack 1 win 65535 <sack 65537:66997 48:1412>
        < F. 65536:65536(0) ack 1 win 65535
        > . 1:1(0) ack 1 win 65535 <sack 65536:66997 48:1412>";
    assert_eq!(roots("linux", text), ["private_window_exceeds_the_wire"]);
}

#[test]
fn what_a_known_cause_leaves_unsaid_is_no_ground_for_a_new_one() {
    let text = "
        < S 0:0(0) win 20000 <mss 1000,TS 100/0>
        > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 0/100>
        < . 1:1(0) ack 1 win 20000 <TS 200/0>
        accept
        write 1
        > P. 1:2(1) ack 1 win 65160 <TS 0/200>
        < . 2:3(1) ack 2 win 20000
        > . 2:2(0) ack 1 win 65160 <TS 0/200>
        < . 1:1(0) ack 1 win 20000 <TS 300/0>
        < F. 2:2(0) ack 1 win 20000 <TS 200/0>
        > . 2:2(0) ack 1 win 65160 <TS 0/200>";
    assert_eq!(roots("linux", text), ["refused_segment_moves_ts_recent"]);
    assert_eq!(
        roots_knowing_linux(text),
        ["old_ack_leaves_ts_recent_alone"]
    );
}

/// The roots that a judge names who knows what is known of Linux.
fn roots_knowing_linux(text: &str) -> Vec<String> {
    let profile = Profile::named("linux").expect("a built-in profile");
    let known = Known::named("linux").expect("a built-in list");
    let mut judge = Judge::new(&profile).knowing(&known);
    match judge.judge(&notation::trace(text), &mut NoCoverage) {
        Verdict::Diverges(causes) => causes.iter().map(Divergence::root).collect(),
        other => panic!("{other:?} in\n{text}"),
    }
}

#[test]
fn a_quirk_takes_no_way_of_the_rfc_away() {
    let head_of_a_straddling_segment_held = "
        < S 0:0(0) win 20000 <mss 1000,wscale 7>
        > S. 0:0(0) ack 1 win 100 <mss 1460,wscale 0>
        < . 1:1(0) ack 1 win 20000
        < P. 51:151(100) ack 1 win 20000
        > . 1:1(0) ack 1 win 100
        < P. 1:51(50) ack 1 win 20000
        > . 1:1(0) ack 101 win 0";
    for profile in ["rfc", "linux"] {
        assert!(roots(profile, head_of_a_straddling_segment_held).is_empty());
    }
}

#[test]
fn a_right_answer_to_a_crossing_syn_leaves_everything_judged() {
    let crossed = "active
        > S 0:0(0) win 64240 <mss 1460,wscale 10>
        < S 0:0(0) win 20000 <mss 1000>";
    let wrong_later = "
        < . 1:1(0) ack 1 win 20000
        < P. 1:11(10) ack 1 win 20000
        > . 1:1(0) ack 1 win 64240";
    let right_answer = format!("{crossed}\n> S. 0:0(0) ack 1 win 64240 <mss 1460>\n{wrong_later}");
    assert_eq!(
        roots_knowing_linux(&right_answer),
        ["in_order_segment_swallowed"]
    );
    let own_offers =
        format!("{crossed}\n> S. 0:0(0) ack 1 win 64240 <mss 1460,wscale 10>\n{wrong_later}");
    assert_eq!(
        roots_knowing_linux(&own_offers),
        ["crossing_syn_keeps_own_options"]
    );
}

#[test]
fn a_syn_sent_again_can_not_say_the_scaled_window_before_it() {
    let again = |window: u32| {
        format!(
            "< S 0:0(0) win 65535 <mss 1460,wscale 7>
             > S. 0:0(0) ack 1 win 65535 <mss 1460,wscale 7>
             < S 0:0(0) win 65535 <mss 1460,wscale 7>
             > . 1:1(0) ack 1 win 8192
             > S. 0:0(0) ack 1 win {window} <mss 1460,wscale 7>"
        )
    };
    conforms(&again(65535));
    assert_eq!(roots("rfc", &again(60000)), ["window_edge_retracts"]);
}

#[test]
fn a_syn_ack_after_crossed_syns_may_be_challenged_and_its_timestamp_count() {
    conforms(
        "active
         > S 0:0(0) win 64240 <mss 1460,sackOK,TS 700/0>
         < S 0:0(0) win 20000 <sackOK,TS 100/0>
         > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK,TS 700/100>
         < S. 1:1(0) ack 1 win 20000 <TS 200/700>
         > . 1:1(0) ack 1 win 64240 <TS 700/200>
         > S. 0:0(0) ack 1 win 64240 <mss 1460,sackOK,TS 701/200>",
    );
}

#[test]
fn a_segment_that_spans_the_whole_window_may_leave_the_handshake_open() {
    let spans = "
        < S 0:0(0) win 20000 <mss 1460>
        > S. 0:0(0) ack 1 win 1000 <mss 1460>
        < . 0:1002(1002) ack 1 win 20000";
    conforms(&format!(
        "{spans}\n> . 1:1(0) ack 1 win 1000\n> S. 0:0(0) ack 1 win 1000 <mss 1460>"
    ));
    conforms(&format!("{spans}\n> . 1:1(0) ack 1001 win 0"));
}

#[test]
fn an_acknowledgment_is_too_old_by_the_smallest_window_that_may_have_been_the_largest() {
    conforms(
        "< S 0:0(0) win 1000 <mss 536,wscale 7>
         > S. 0:0(0) ack 1 win 65535 <mss 1460,wscale 2>
         < . 1:1(0) ack 1 win 10
         accept
         write 1281
         > . 1:537(536) ack 1 win 16383
         > . 537:1073(536) ack 1 win 16383
         < . 65535:65537(2) ack 1 win 10
         > . 1073:1073(0) ack 1 win 16383
         < . 537:537(0) ack 525 win 65535
         > P. 1073:1282(209) ack 1 win 16383
         < . 537:537(0) ack 1282 win 65535
         < . 1:2(1) ack 1 win 65535
         > . 1282:1282(0) ack 1 win 16383",
    );
}

#[test]
fn a_window_taken_back_while_text_is_processed_leaves_open_whether_that_is_taken() {
    let text = "
        < S 0:0(0) win 17 <mss 1000>
        > S. 0:0(0) ack 1 win 64240 <mss 1460>
        < . 1:1(0) ack 1 win 17
        accept
        write 30
        > P. 1:18(17) ack 1 win 64240
        < P. 1:11(10) ack 18 win 17
        > P. 18:31(13) ack 1 win 0";
    for refused_or_taken in ["> . 31:31(0) ack 1 win 0", "> . 31:31(0) ack 11 win 0"] {
        let mut trace = notation::trace(&format!("{text}\n{refused_or_taken}"));
        trace.sysctls.push(Sysctl::ShrinkWindow(true));
        let rfc = Profile::named("rfc").expect("a built-in profile");
        let verdict = Judge::new(&rfc).judge(&trace, &mut NoCoverage);
        assert!(matches!(verdict, Verdict::Conforms), "{verdict:?}");
    }
}

#[test]
fn a_fin_sent_before_the_handshake_is_complete_leaves_it_behind() {
    conforms(
        "active
         > S 0:0(0) win 64240 <mss 1460>
         < S 0:0(0) win 20000 <mss 1000>
         > S. 0:0(0) ack 1 win 64240 <mss 1460>
         shutdown
         > F. 1:1(0) ack 1 win 64240
         < F. 1:1(0) ack 1 win 20000
         > . 2:2(0) ack 2 win 64240",
    );
}

#[test]
fn a_late_report_of_a_duplicate_is_no_stale_block() {
    conforms(&format!(
        "{OPEN}
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>
         > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>
         < P. 1:18(17) ack 18 win 20000 <TS 320/701>
         > . 18:18(0) ack 35 win 65126 <TS 703/320,sack 18:35>"
    ));
}

#[test]
fn a_syn_in_the_window_may_reset_the_connection() {
    let syn = format!("{PLAIN}\n< S 5:5(0) win 20000 <mss 1000>");
    conforms(&format!("{syn}\n> . 1:1(0) ack 1 win 64240"));
    conforms(&format!("{syn}\n> R. 0:0(0) ack 6 win 0"));
    let outside = format!("{PLAIN}\n< S 70000:70000(0) win 20000 <mss 1000>");
    assert_eq!(
        roots("rfc", &format!("{outside}\n> R. 0:0(0) ack 6 win 0")),
        ["resets_without_cause"]
    );
}

#[test]
fn a_segment_with_two_different_timestamps_is_not_judged() {
    let twice = format!("{OPEN}\n< P. 1:18(17) ack 18 win 20000 <TS 300/701,TS 310/701>");
    for echo in [300, 310] {
        conforms(&format!(
            "{twice}\n> . 18:18(0) ack 18 win 65143 <TS 703/{echo}>"
        ));
    }
}

#[test]
fn where_a_known_cause_leads_to_too_many_ways_it_is_named_and_no_new_one() {
    let mut text = format!(
        "{OPEN}
         write 500
         > P. 18:518(500) ack 1 win 65160 <TS 702/110>
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>
         > . 518:518(0) ack 1 win 65160 <TS 702/110,sack 18:35>
         < P. 1:18(17) ack 1 win 20000 <TS 300/700>
         > . 518:518(0) ack 35 win 65126 <TS 703/110>"
    );
    // Text that lacks the timestamps: taken or not, each of it.
    for start in (100..1_000).step_by(100) {
        let end = start + 10;
        text += &format!("\n< P. {start}:{end}(10) ack 18 win 20000");
    }
    let trace = notation::trace(&text);
    let profile = Profile::named("linux").expect("a built-in profile");
    let known = Known::named("linux").expect("a built-in list");
    let mut knowing = Judge::new(&profile).knowing(&known);
    let Verdict::Diverges(causes) = knowing.judge(&trace, &mut NoCoverage) else {
        panic!("the echo is wrong in\n{text}");
    };
    let named: Vec<_> = causes.iter().map(Divergence::root).collect();
    assert_eq!(named, ["old_ack_leaves_ts_recent_alone"]);
    let verdict = Judge::new(&profile).judge(&trace, &mut NoCoverage);
    assert!(matches!(verdict, Verdict::Inconclusive(_)), "{verdict:?}");
}
