//! What is read off the wire and put on it.
//! RFC 9293 sections 3.1, 3.2 and 3.7.1.

use super::{COOKIE, Case, OPEN, PLAIN};

pub(super) const CASES: &[Case] = &[
    Case {
        root: "checksum_wrong",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 11 win 64230 bad checksum",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "damaged_segment_taken",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000 bad checksum",
        wrong: "> . 1:1(0) ack 11 win 64230",
        right: "wait 1000",
    },
    Case {
        root: "options_read_past_their_end",
        opening: OPEN,
        given: "< P. 1:11(10) ack 18 win 20000 <TS 120/701>
                > . 18:18(0) ack 11 win 65150 <TS 702/120>
                < P. 11:21(10) ack 18 win 20000 <eol,TS 130/701>",
        wrong: "> . 18:18(0) ack 21 win 65140 <TS 703/130>",
        right: "< P. 11:21(10) ack 18 win 20000 <TS 140/701>
                > . 18:18(0) ack 21 win 65140 <TS 703/140>",
    },
    Case {
        root: "text_with_other_options_refused",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000 <raw fa04080a>",
        wrong: "< P. 11:21(10) ack 1 win 20000
                > . 1:1(0) ack 1 win 64240",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "options_behind_an_unknown_one_unread",
        opening: "
            < S 0:0(0) win 20000 <raw fa04080a,mss 1000>
            > S. 0:0(0) ack 1 win 64240 <mss 1460>
            < . 1:1(0) ack 1 win 20000
            accept
        ",
        given: "write 2000",
        wrong: "> . 1:537(536) ack 1 win 64240",
        right: "> . 1:1001(1000) ack 1 win 64240",
    },
    Case {
        root: "stops_at_an_impossible_length",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000 <raw fa00>",
        wrong: "< P. 1:11(10) ack 1 win 20000
                wait 1000
                < P. 11:21(10) ack 1 win 20000",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "timestamps_read_only_where_aligned",
        opening: OPEN,
        given: "< P. 1:11(10) ack 18 win 20000 <TS 120/701>
                > . 18:18(0) ack 11 win 65150 <TS 702/120>
                < P. 11:21(10) ack 18 win 20000 <nop,TS 130/701>",
        wrong: "< P. 21:31(10) ack 18 win 20000 <TS 140/701>
                > . 18:18(0) ack 11 win 65150 <TS 703/120,sack 21:31>",
        right: "> . 18:18(0) ack 21 win 65140 <TS 703/130>",
    },
    Case {
        root: "size_announced_outside_of_a_syn",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 11 win 64230 <mss 1460>",
        right: "> . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "size_announced_exceeds_the_path",
        opening: "< S 0:0(0) win 20000 <mss 1000>",
        given: "",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1461>",
        right: "> S. 0:0(0) ack 1 win 64240 <mss 1460>",
    },
    Case {
        root: "no_size_announced",
        opening: "< S 0:0(0) win 20000 <mss 1000>",
        given: "",
        wrong: "> S. 0:0(0) ack 1 win 64240",
        right: "> S. 0:0(0) ack 1 win 64240 <mss 1400>",
    },
    Case {
        root: "syn_cookie_rounds_the_size_up",
        opening: COOKIE,
        given: "write 2000",
        wrong: "> . 1:537(536) ack 1 win 64240",
        right: "> . 1:201(200) ack 1 win 64240",
    },
    Case {
        root: "announced_size_ignored",
        opening: "
            < S 0:0(0) win 20000 <mss 100>
            > S. 0:0(0) ack 1 win 64240 <mss 1460>
            < . 1:1(0) ack 1 win 20000
            accept
        ",
        given: "write 2000",
        wrong: "> . 1:537(536) ack 1 win 64240",
        right: "> . 1:101(100) ack 1 win 64240",
    },
    Case {
        root: "default_size_too_large",
        opening: "
            < S 0:0(0) win 20000
            > S. 0:0(0) ack 1 win 64240 <mss 1460>
            < . 1:1(0) ack 1 win 20000
            accept
        ",
        given: "write 2000",
        wrong: "> . 1:1461(1460) ack 1 win 64240",
        right: "> . 1:537(536) ack 1 win 64240",
    },
    Case {
        root: "option_without_a_length",
        opening: "< S 0:0(0) win 20000 <mss 1000>",
        given: "",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460,raw fa>",
        right: "> S. 0:0(0) ack 1 win 64240 <mss 1460,raw fa03aa>",
    },
    Case {
        root: "padding_is_not_zero",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 11 win 64230 <eol,raw 5aa5>",
        right: "> . 1:1(0) ack 11 win 64230 <eol>",
    },
    Case {
        root: "timestamps_twice",
        opening: OPEN,
        given: "< P. 1:11(10) ack 18 win 20000 <TS 120/701>",
        wrong: "> . 18:18(0) ack 11 win 65150 <TS 702/120,TS 702/120>",
        right: "> . 18:18(0) ack 11 win 65150 <TS 702/120>",
    },
];
