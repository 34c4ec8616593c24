//! Acknowledgments, refusals and SACK blocks.
//! RFC 9293 section 3.10.7, RFC 2018, RFC 2883 and RFC 5961.

use super::{Case, OPEN, PLAIN};

pub(super) const CASES: &[Case] = &[
    Case {
        root: "latest_text_not_first_in_sack",
        opening: OPEN,
        given: "< P. 35:52(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 35:52>
                < P. 18:20(2) ack 18 win 20000 <TS 310/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 35:52 18:20>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:20 35:52>",
    },
    Case {
        root: "sack_permitted_outside_of_a_syn",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 300/701>",
        wrong: "> . 18:18(0) ack 18 win 65143 <TS 702/300,sackOK>",
        right: "> . 18:18(0) ack 18 win 65143 <TS 702/300>",
    },
    Case {
        root: "duplicate_reported_again",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
                > . 18:18(0) ack 18 win 65143 <TS 702/300>
                < P. 1:18(17) ack 18 win 20000 <TS 300/701>
                > . 18:18(0) ack 18 win 65143 <TS 702/300,sack 1:18>
                < P. 18:35(17) ack 18 win 20000 <TS 310/701>",
        wrong: "> . 18:18(0) ack 35 win 65126 <TS 703/310,sack 1:18>",
        right: "> . 18:18(0) ack 35 win 65126 <TS 703/310>",
    },
    Case {
        root: "sack_left_out_now_and_then",
        opening: OPEN,
        given: "< P. 35:52(17) ack 18 win 20000 <TS 300/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 35:52>
                < P. 69:86(17) ack 18 win 20000 <TS 310/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/110>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 69:86 35:52>",
    },
    Case {
        root: "latest_reports_not_repeated",
        opening: OPEN,
        given: "< P. 35:52(17) ack 18 win 20000 <TS 300/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 35:52>
                < P. 69:86(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 69:86 35:52>
                < P. 103:120(17) ack 18 win 20000 <TS 320/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 103:120 69:86 35:52>
                < P. 137:154(17) ack 18 win 20000 <TS 320/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 137:154 35:52 69:86>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 137:154 103:120 69:86>",
    },
    Case {
        root: "fewer_sack_blocks_than_fit",
        opening: OPEN,
        given: "< P. 35:52(17) ack 18 win 20000 <TS 300/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 35:52>
                < P. 69:86(17) ack 18 win 20000 <TS 310/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 69:86>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 69:86 35:52>",
    },
    Case {
        root: "out_of_order_text_unacknowledged",
        opening: OPEN,
        given: "< P. 35:52(17) ack 18 win 20000 <TS 300/701>",
        wrong: "wait 700
                < P. 69:86(17) ack 18 win 20000 <TS 310/701>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 35:52>",
    },
    Case {
        root: "acknowledged_more_than_once",
        opening: OPEN,
        given: "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
                > . 18:18(0) ack 18 win 65143 <TS 702/300>
                < P. 18:35(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 35 win 65126 <TS 702/310>
                < P. 35:52(17) ack 18 win 20000 <TS 320/701>
                > . 18:18(0) ack 52 win 65109 <TS 702/320>
                > . 18:18(0) ack 52 win 65109 <TS 702/320>",
        wrong: "> . 18:18(0) ack 52 win 65109 <TS 702/320>",
        right: "",
    },
    Case {
        root: "acknowledgment_ignored_at_zero_window",
        opening: "
            < S 0:0(0) win 20000 <mss 1000>
            > S. 0:0(0) ack 1 win 1000 <mss 1460>
            < . 1:1(0) ack 1 win 20000
            accept
        ",
        given: "< P. 1:1001(1000) ack 1 win 20000
                > . 1:1(0) ack 1001 win 0
                write 10
                > P. 1:11(10) ack 1001 win 0
                < P. 1001:1002(1) ack 11 win 20000
                > . 11:11(0) ack 1001 win 0",
        wrong: "write 10
                wait 1000
                > P. 1:11(10) ack 1001 win 0
                wait 2000",
        right: "write 10
                > P. 11:21(10) ack 1001 win 0",
    },
    Case {
        root: "sack_blocks_in_pieces",
        opening: OPEN,
        given: "< P. 35:52(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 35:52>
                < P. 18:35(17) ack 18 win 20000 <TS 310/701>",
        wrong: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35 35:52>",
        right: "> . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:52>",
    },
    Case {
        root: "syn_unchallenged",
        opening: PLAIN,
        given: "< S 70000:70000(0) win 20000 <mss 1000>",
        wrong: "wait 700
                < . 0:1(1) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240",
        right: "> . 1:1(0) ack 1 win 64240
                wait 700
                < . 0:1(1) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240",
    },
    Case {
        root: "acknowledgment_of_unsent_text_unanswered",
        opening: PLAIN,
        given: "< . 1:1(0) ack 9 win 20000",
        wrong: "wait 700
                < . 0:1(1) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240",
        right: "> . 1:1(0) ack 1 win 64240
                wait 700
                < . 0:1(1) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240",
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
    // What lies half the circle ahead repeats nothing.
    Case {
        root: "sack_reports_what_never_came",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
                < P. 2000000000:2000000010(10) ack 18 win 20000 <TS 310/701>
                < P. 1:18(17) ack 18 win 20000 <TS 320/701>",
        wrong: "> . 18:18(0) ack 35 win 65126 <TS 703/320,sack 18:35>",
        right: "> . 18:18(0) ack 35 win 65126 <TS 703/320>",
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
        root: "held_text_forgotten",
        opening: OPEN,
        given: "< P. 18:35(17) ack 18 win 20000 <TS 310/701>
                > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
                write 10
                > P. 18:28(10) ack 1 win 65160 <TS 703/110,sack 18:35>
                < P. 1:18(17) ack 28 win 20000 <TS 110/703>",
        wrong: "> . 28:28(0) ack 18 win 65143 <TS 704/110>",
        right: "> . 28:28(0) ack 35 win 65126 <TS 704/110>",
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
        root: "orphaned_fin_wait_2_ignores_the_acknowledgment_field",
        opening: PLAIN,
        given: "close
                > F. 1:1(0) ack 1 win 64240
                < . 1:1(0) ack 2 win 20000
                < FS. 0:0(0) ack 2 win 20000",
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
];
