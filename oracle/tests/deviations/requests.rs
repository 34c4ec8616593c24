//! What an application asks for beside sending: signs of life, an end in time, and fields of the IP header.
//! RFC 9293 sections 3.8.3, 3.8.4, 3.9.1.9 and 3.9.2.

use super::{Case, PLAIN};

const KEPT_ALIVE: &str = "
    option keepalive 1
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

/// The same, after ten seconds of silence.
const AFTER_TEN: &str = "
    option keepalive 1
    option keepidle 10
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

const MARKED: &str = "
    option tos 184
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 tos 184 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

const FEW_HOPS: &str = "
    option ttl 40
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 ttl 40 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

/// Urgent text stays in the stream.
const INLINE: &str = "
    option inline 1
    < S 0:0(0) win 20000 <mss 1000>
    > S. 0:0(0) ack 1 win 64240 <mss 1460>
    < . 1:1(0) ack 1 win 20000
    accept
";

pub(super) const CASES: &[Case] = &[
    Case {
        root: "urgent_text_unmarked",
        opening: INLINE,
        given: "urgent 10",
        wrong: "> P. 1:11(10) ack 1 win 64240",
        right: "> UP. 1:11(10) ack 1 win 64240 urg 10",
    },
    Case {
        root: "urgent_pointer_at_the_last_octet",
        opening: INLINE,
        given: "urgent 10",
        wrong: "> UP. 1:11(10) ack 1 win 64240 urg 9",
        right: "> UP. 1:11(10) ack 1 win 64240 urg 10",
    },
    Case {
        root: "urgent_pointer_wrong_when_sent_again",
        opening: INLINE,
        given: "urgent 1500
                > U. 1:1001(1000) ack 1 win 64240 urg 1500
                > UP. 1001:1501(500) ack 1 win 64240 urg 500
                wait 1000
                > U. 1:1001(1000) ack 1 win 64240 urg 1500",
        wrong: "> UP. 1001:1501(500) ack 1 win 64240 urg 1500",
        right: "> UP. 1001:1501(500) ack 1 win 64240 urg 500",
    },
    Case {
        root: "urgent_text_marked_only_at_its_end",
        opening: INLINE,
        given: "urgent 1500",
        wrong: "> . 1:1001(1000) ack 1 win 64240
                > UP. 1001:1501(500) ack 1 win 64240 urg 500",
        right: "> U. 1:1001(1000) ack 1 win 64240 urg 1500
                > UP. 1001:1501(500) ack 1 win 64240 urg 500",
    },
    Case {
        root: "urgent_text_of_some_length_untold",
        opening: INLINE,
        given: "< UP. 1:11(10) ack 1 win 20000 urg 10
                > . 1:1(0) ack 11 win 64230",
        wrong: "poll = 0",
        right: "poll = 1
                read 10 = data 0
                poll = 0",
    },
    Case {
        root: "urgent_text_untold",
        opening: INLINE,
        given: "< UP. 1:11(10) ack 1 win 20000 urg 1
                > . 1:1(0) ack 11 win 64230",
        wrong: "poll = 0",
        right: "poll = 1
                read 5 = data 0
                poll = 0",
    },
    Case {
        root: "keep_alive_unasked",
        opening: PLAIN,
        given: "wait 8000000",
        wrong: "> . 0:0(0) ack 1 win 64240",
        right: "< P. 1:11(10) ack 1 win 20000
                > . 1:1(0) ack 11 win 64230",
    },
    Case {
        root: "keep_alive_interval_too_short",
        opening: KEPT_ALIVE,
        given: "",
        wrong: "wait 60000
                > . 0:0(0) ack 1 win 64240",
        right: "wait 7200000
                > . 0:0(0) ack 1 win 64240",
    },
    Case {
        root: "keep_alive_on_a_busy_connection",
        opening: AFTER_TEN,
        given: "wait 9000
                < P. 1:11(10) ack 1 win 20000
                > . 1:1(0) ack 11 win 64230",
        wrong: "wait 1000
                > . 0:0(0) ack 11 win 64230",
        right: "wait 10000
                > . 0:0(0) ack 11 win 64230",
    },
    Case {
        root: "keep_alive_interval_ignored",
        opening: AFTER_TEN,
        given: "",
        wrong: "wait 60000
                < P. 1:11(10) ack 1 win 20000
                > . 1:1(0) ack 11 win 64230",
        right: "wait 10000
                > . 0:0(0) ack 1 win 64240",
    },
    Case {
        root: "keep_alive_never_sent",
        opening: AFTER_TEN,
        given: "",
        wrong: "wait 8000000
                < P. 1:11(10) ack 1 win 20000
                > . 1:1(0) ack 11 win 64230",
        right: "wait 10000
                > . 0:0(0) ack 1 win 64240",
    },
    Case {
        root: "keep_alive_holds_text",
        opening: AFTER_TEN,
        given: "write 10
                > P. 1:11(10) ack 1 win 64240
                < . 1:1(0) ack 11 win 20000",
        wrong: "wait 10000
                > P. 10:11(1) ack 1 win 64240",
        right: "wait 10000
                > . 10:10(0) ack 1 win 64240",
    },
    Case {
        root: "keep_alive_unanswered_resets",
        opening: AFTER_TEN,
        given: "wait 10000
                > . 0:0(0) ack 1 win 64240
                wait 60000",
        wrong: "> R. 1:1(0) ack 1 win 64240",
        right: "> . 0:0(0) ack 1 win 64240",
    },
    Case {
        root: "user_timeout_ignored",
        opening: "
            option usertimeout 5000
            < S 0:0(0) win 20000 <mss 1000>
            > S. 0:0(0) ack 1 win 64240 <mss 1460>
            < . 1:1(0) ack 1 win 20000
            accept
        ",
        given: "write 10
                > P. 1:11(10) ack 1 win 64240
                wait 2000
                > P. 1:11(10) ack 1 win 64240
                wait 4500",
        wrong: "> P. 1:11(10) ack 1 win 64240",
        right: "< . 1:1(0) ack 1 win 20000
                > R 1:1(0) win 0",
    },
    Case {
        root: "traffic_class_ignored",
        opening: MARKED,
        given: "write 10",
        wrong: "> P. 1:11(10) ack 1 win 64240",
        right: "> P. 1:11(10) ack 1 win 64240 tos 184",
    },
    Case {
        root: "traffic_class_altered",
        opening: MARKED,
        given: "write 10",
        wrong: "> P. 1:11(10) ack 1 win 64240 tos 160",
        right: "> P. 1:11(10) ack 1 win 64240 tos 184",
    },
    Case {
        root: "traffic_class_change_ignored",
        opening: MARKED,
        given: "set tos 16
                write 10",
        wrong: "> P. 1:11(10) ack 1 win 64240 tos 184",
        right: "> P. 1:11(10) ack 1 win 64240 tos 16",
    },
    Case {
        root: "time_to_live_ignored",
        opening: FEW_HOPS,
        given: "write 10",
        wrong: "> P. 1:11(10) ack 1 win 64240",
        right: "> P. 1:11(10) ack 1 win 64240 ttl 40",
    },
    Case {
        root: "segment_with_an_ip_option_dropped",
        opening: PLAIN,
        given: "< P. 1:11(10) ack 1 win 20000 ip option
                < P. 11:21(10) ack 1 win 20000",
        wrong: "> . 1:1(0) ack 1 win 64240",
        right: "> . 1:1(0) ack 21 win 64220",
    },
    Case {
        root: "segment_from_a_group_address_taken",
        opening: "",
        given: "< S 0:0(0) win 20000 from multicast <mss 1000>",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460>",
        right: "wait 1000",
    },
    Case {
        root: "segment_to_a_group_address_taken",
        opening: "",
        given: "< S 0:0(0) win 20000 to broadcast <mss 1000>",
        wrong: "> S. 0:0(0) ack 1 win 64240 <mss 1460>",
        right: "wait 1000",
    },
    Case {
        root: "chosen_address_ignored",
        opening: "active",
        given: "",
        wrong: "> S 0:0(0) win 64240 from elsewhere <mss 1460>",
        right: "> S 0:0(0) win 64240 <mss 1460>",
    },
    Case {
        root: "address_changes",
        opening: PLAIN,
        given: "write 10",
        wrong: "> P. 1:11(10) ack 1 win 64240 from elsewhere",
        right: "> P. 1:11(10) ack 1 win 64240",
    },
    Case {
        root: "source_quench_ends_the_connection",
        opening: PLAIN,
        given: "write 10
                > P. 1:11(10) ack 1 win 64240
                < icmp quench 1
                < . 1:1(0) ack 11 win 20000
                < P. 1:11(10) ack 11 win 20000",
        wrong: "> R 11:11(0) win 0",
        right: "> . 11:11(0) ack 11 win 64230",
    },
    Case {
        root: "soft_icmp_error_ends_the_connection",
        opening: PLAIN,
        given: "write 10
                > P. 1:11(10) ack 1 win 64240
                < icmp unreachable 1
                < . 1:1(0) ack 11 win 20000
                < P. 1:11(10) ack 11 win 20000",
        wrong: "> R 11:11(0) win 0",
        right: "> . 11:11(0) ack 11 win 64230",
    },
    Case {
        root: "hard_icmp_error_survived",
        opening: PLAIN,
        given: "write 10
                > P. 1:11(10) ack 1 win 64240
                < icmp port 1
                < P. 1:11(10) ack 11 win 20000",
        wrong: "> . 11:11(0) ack 11 win 64230",
        right: "> R 11:11(0) win 0",
    },
    Case {
        root: "icmp_error_of_another_connection_obeyed",
        opening: PLAIN,
        given: "write 10
                > P. 1:11(10) ack 1 win 64240
                < icmp port 1 foreign
                < P. 1:11(10) ack 11 win 20000",
        wrong: "> R 11:11(0) win 0",
        right: "> . 11:11(0) ack 11 win 64230",
    },
    Case {
        root: "passive_open_forgets_the_connection",
        opening: PLAIN,
        given: "listen
                < P. 1:11(10) ack 1 win 20000",
        wrong: "> R 1:1(0) win 0",
        right: "> . 1:1(0) ack 11 win 64230",
    },
];
