//! The echo table: for each situation, exactly the right TSecr values are allowed.
//! RFC 7323 section 4.3.

mod notation;

use ackward_oracle::Verdict;
use notation::judge;

/// Established, TS.Recent = 110, the stack has sent 17 octets of which none is acknowledged, Last.ACK.sent = 1.
const OPEN: &str = "
    < S 0:0(0) win 20000 <mss 1000,sackOK,TS 100/0>
    > S. 0:0(0) ack 1 win 65160 <mss 1460,sackOK,TS 700/100>
    < . 1:1(0) ack 1 win 20000 <TS 110/700>
    accept
    write 17
    > P. 1:18(17) ack 1 win 65160 <TS 701/110>
";

/// After the steps `then`, the emission `answer` (with `ECR` in it) may echo exactly `allowed` of the values that
/// occur.
#[track_caller]
fn echoes(then: &str, answer: &str, allowed: &[u32]) {
    for value in [
        100,
        110,
        111,
        109,
        120,
        200,
        201,
        300,
        301,
        305,
        310,
        400,
        5000,
        1 << 30,
    ] {
        let transcript = format!(
            "{OPEN}\n{then}\n{}",
            answer.replace("ECR", &value.to_string())
        );
        let conforms = matches!(judge("rfc", &transcript), Verdict::Conforms);
        assert_eq!(
            conforms,
            allowed.contains(&value),
            "echo {value} after\n{then}"
        );
    }
}

#[test]
fn row_1_text_in_order_moves_ts_recent() {
    echoes(
        "< P. 1:18(17) ack 18 win 20000 <TS 300/701>",
        "> . 18:18(0) ack 18 win 65143 <TS 702/ECR>",
        &[300],
    );
}

#[test]
fn rows_2_and_3_of_a_delayed_run_the_first_segment_counts() {
    echoes(
        "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
         < P. 18:35(17) ack 18 win 20000 <TS 305/701>
         < P. 35:52(17) ack 18 win 20000 <TS 310/701>",
        "> . 18:18(0) ack 52 win 65109 <TS 702/ECR>",
        &[300],
    );
}

#[test]
fn row_4_text_out_of_order_leaves_ts_recent_alone() {
    echoes(
        "< P. 18:35(17) ack 18 win 20000 <TS 300/701>",
        "> . 18:18(0) ack 1 win 65160 <TS 702/ECR,sack 18:35>",
        &[110],
    );
}

#[test]
fn row_5_a_duplicate_acknowledgment_that_also_acknowledges_a_pending_run_echoes_its_first_segment()
{
    echoes(
        "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
         < P. 35:52(17) ack 18 win 20000 <TS 310/701>",
        "> . 18:18(0) ack 18 win 65143 <TS 702/ECR,sack 35:52>",
        &[300],
    );
}

#[test]
fn row_6_a_filled_gap_echoes_the_filler() {
    echoes(
        "< P. 18:35(17) ack 18 win 20000 <TS 300/701>
         > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
         < P. 1:18(17) ack 18 win 20000 <TS 310/701>",
        "> . 18:18(0) ack 35 win 65126 <TS 703/ECR>",
        &[310],
    );
}

#[test]
fn row_7_a_gap_filled_beyond_last_ack_sent_leaves_ts_recent_alone() {
    echoes(
        "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
         < P. 35:52(17) ack 18 win 20000 <TS 310/701>
         < P. 18:35(17) ack 18 win 20000 <TS 400/701>",
        "> . 18:18(0) ack 52 win 65109 <TS 702/ECR>",
        &[300],
    );
}

#[test]
fn row_8_an_overlap_that_begins_at_or_before_last_ack_sent_moves_ts_recent() {
    echoes(
        "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
         > . 18:18(0) ack 18 win 65143 <TS 702/300>
         < P. 10:35(25) ack 18 win 20000 <TS 310/702>",
        "> . 18:18(0) ack 35 win 65126 <TS 703/ECR>",
        &[310],
    );
}

#[test]
fn row_9_an_overlap_that_begins_inside_unacknowledged_text_does_not() {
    echoes(
        "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
         < P. 10:35(25) ack 18 win 20000 <TS 310/701>",
        "> . 18:18(0) ack 35 win 65126 <TS 702/ECR>",
        &[300],
    );
}

#[test]
fn rows_10_and_11_a_full_duplicate_may_or_may_not_count() {
    echoes(
        "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
         > . 18:18(0) ack 18 win 65143 <TS 702/300>
         < P. 1:18(17) ack 18 win 20000 <TS 310/702>",
        "> . 18:18(0) ack 18 win 65143 <TS 703/ECR>",
        &[300, 310],
    );
}

#[test]
fn row_12_a_duplicate_inside_pending_text_does_not_count() {
    echoes(
        "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
         < P. 5:10(5) ack 18 win 20000 <TS 310/701>",
        "> . 18:18(0) ack 18 win 65143 <TS 702/ECR>",
        &[300],
    );
}

#[test]
fn rows_13_and_17_a_pure_acknowledgment_counts_at_last_ack_sent_and_not_beyond() {
    echoes(
        "< . 1:1(0) ack 18 win 20000 <TS 300/701>
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>",
        "> . 18:18(0) ack 1 win 65160 <TS 702/ECR,sack 18:35>",
        &[300],
    );
    echoes(
        "< . 50:50(0) ack 18 win 20000 <TS 300/701>
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>",
        "> . 18:18(0) ack 1 win 65160 <TS 702/ECR,sack 18:35>",
        &[110],
    );
}

#[test]
fn row_14_a_pure_acknowledgment_beyond_last_ack_sent_does_not_count() {
    echoes(
        "< P. 1:18(17) ack 18 win 20000 <TS 300/701>
         < . 18:18(0) ack 18 win 20000 <TS 310/701>",
        "> . 18:18(0) ack 18 win 65143 <TS 702/ECR>",
        &[300],
    );
}

#[test]
fn rows_15_and_16_a_keep_alive_may_or_may_not_count() {
    for len in [0, 1] {
        let end = len;
        echoes(
            &format!("< . 0:{end}({len}) ack 18 win 20000 <TS 300/701>"),
            "> . 18:18(0) ack 1 win 65160 <TS 702/ECR>",
            &[110, 300],
        );
    }
}

#[test]
fn rows_18_to_20_an_old_but_acceptable_acknowledgment_counts() {
    // 18: text in order; 19: text that fills a gap; 20: no text.
    echoes(
        "< . 1:1(0) ack 18 win 20000 <TS 200/701>
         < P. 1:18(17) ack 1 win 20000 <TS 300/700>",
        "> . 18:18(0) ack 18 win 65143 <TS 702/ECR>",
        &[300],
    );
    echoes(
        "< P. 18:35(17) ack 18 win 20000 <TS 310/701>
         > . 18:18(0) ack 1 win 65160 <TS 702/110,sack 18:35>
         < P. 1:18(17) ack 1 win 20000 <TS 300/700>",
        "> . 18:18(0) ack 35 win 65126 <TS 703/ECR>",
        &[300],
    );
    echoes(
        "< . 1:1(0) ack 18 win 20000 <TS 200/701>
         < . 1:1(0) ack 1 win 20000 <TS 300/700>
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>",
        "> . 18:18(0) ack 1 win 65160 <TS 702/ECR,sack 18:35>",
        &[300],
    );
}

#[test]
fn rows_21_to_23_a_refused_acknowledgment_may_or_may_not_count() {
    // 22: never sent; 23: none.
    echoes(
        "< . 1:1(0) ack 9999 win 20000 <TS 300/701>",
        "> . 18:18(0) ack 1 win 65160 <TS 702/ECR>",
        &[110, 300],
    );
    echoes(
        "< - 1:1(0) win 20000 <TS 300/701>
         < P. 18:35(17) ack 18 win 20000 <TS 310/701>",
        "> . 18:18(0) ack 1 win 65160 <TS 702/ECR,sack 18:35>",
        &[110, 300],
    );
}

#[test]
fn rows_24_and_52_what_paws_refuses_does_not_count() {
    for ack in [1, 18] {
        echoes(
            &format!("< P. 1:18(17) ack {ack} win 20000 <TS 109/701>"),
            "> . 18:18(0) ack 1 win 65160 <TS 702/ECR>",
            &[110],
        );
    }
}

#[test]
fn row_25_half_a_circle_away_may_or_may_not_count() {
    let half = 110u32 + (1 << 31);
    let transcript = |ack: u32, echo: u32| {
        format!(
            "{OPEN}
             < P. 1:18(17) ack 18 win 20000 <TS {half}/701>
             > . 18:18(0) ack {ack} win {} <TS 702/{echo}>",
            65161 - ack
        )
    };
    for (ack, echo, right) in [
        (18, half, true),
        (18, 110, true),
        (1, 110, true),
        (18, 300, false),
    ] {
        let conforms = matches!(judge("rfc", &transcript(ack, echo)), Verdict::Conforms);
        assert_eq!(conforms, right, "ack {ack} echo {echo}");
    }
}

#[test]
fn row_28_a_probe_of_a_zero_window_may_or_may_not_count_and_row_29_a_pure_acknowledgment_does() {
    let shut = "
        < P. 1:18(17) ack 18 win 20000 <TS 200/701>
        > . 18:18(0) ack 18 win 65143 <TS 702/200>
    ";
    // The window is shut by a stack whose window ends where the text does.
    let closed = "
        < S 0:0(0) win 20000 <mss 1000,TS 100/0>
        > S. 0:0(0) ack 1 win 17 <mss 1460,TS 700/100>
        < . 1:1(0) ack 1 win 20000 <TS 110/700>
        accept
        < P. 1:18(17) ack 1 win 20000 <TS 200/700>
        > . 1:1(0) ack 18 win 0 <TS 702/200>
    ";
    assert!(matches!(
        judge("rfc", &format!("{OPEN}{shut}")),
        Verdict::Conforms
    ));
    for (probe, right) in [
        ("< P. 18:19(1)", [200, 300].as_slice()),
        ("< . 18:18(0)", &[300]),
    ] {
        for echo in [110, 200, 300] {
            let transcript = format!(
                "{closed}
                 {probe} ack 1 win 20000 <TS 300/702>
                 > . 1:1(0) ack 18 win 0 <TS 703/{echo}>"
            );
            let conforms = matches!(judge("rfc", &transcript), Verdict::Conforms);
            assert_eq!(conforms, right.contains(&echo), "echo {echo} after {probe}");
        }
    }
}

#[test]
fn row_31_text_past_the_edge_does_not_count() {
    echoes(
        "< P. 65161:65261(100) ack 18 win 20000 <TS 300/701>",
        "> . 18:18(0) ack 1 win 65160 <TS 702/ECR>",
        &[110],
    );
}

#[test]
fn row_32_a_fin_in_order_counts_and_row_33_a_repeated_one_may() {
    echoes(
        "< F. 1:1(0) ack 18 win 20000 <TS 300/701>",
        "> . 18:18(0) ack 2 win 65160 <TS 702/ECR>",
        &[300],
    );
    echoes(
        "< F. 1:1(0) ack 18 win 20000 <TS 300/701>
         > . 18:18(0) ack 2 win 65160 <TS 702/300>
         < F. 1:1(0) ack 18 win 20000 <TS 310/701>",
        "> . 18:18(0) ack 2 win 65160 <TS 703/ECR>",
        &[300, 310],
    );
}

#[test]
fn row_36_text_past_the_fin_may_or_may_not_count_and_a_pure_acknowledgment_there_does() {
    for (then, allowed) in [
        ("< P. 2:12(10)", [300, 310].as_slice()),
        ("< . 2:2(0)", &[310]),
    ] {
        echoes(
            &format!(
                "< F. 1:1(0) ack 18 win 20000 <TS 300/701>
                 > . 18:18(0) ack 2 win 65160 <TS 702/300>
                 {then} ack 18 win 20000 <TS 310/702>
                 write 5"
            ),
            "> P. 18:23(5) ack 2 win 65160 <TS 703/ECR>",
            allowed,
        );
    }
}

#[test]
fn row_45_a_reset_never_counts_and_row_46_a_syn_may() {
    echoes(
        "< R. 50:50(0) ack 18 win 20000 <TS 5000/701>",
        "> . 18:18(0) ack 1 win 65160 <TS 702/ECR>",
        &[110],
    );
    echoes(
        "< S 1:1(0) win 20000 <TS 300/701>",
        "> . 18:18(0) ack 1 win 65160 <TS 702/ECR>",
        &[110, 300],
    );
    echoes(
        "< S 5:5(0) win 20000 <TS 300/701>",
        "> . 18:18(0) ack 1 win 65160 <TS 702/ECR>",
        &[110],
    );
}

#[test]
fn row_47_a_segment_without_timestamps_leaves_ts_recent_alone() {
    for (echo, right) in [(109, false), (110, true), (111, false), (700, false)] {
        let transcript = format!(
            "{OPEN}
             < P. 1:18(17) ack 18 win 20000
             > . 18:18(0) ack 18 win 65143 <TS 702/{echo}>"
        );
        let taken = ["segment_without_timestamps_taken"];
        let diverges = notation::diverges_under(&notation::trace(&transcript), &taken);
        assert_eq!(!diverges, right, "echo {echo}");
    }
}

#[test]
fn row_48_a_retransmission_echoes_ts_recent_as_it_is_then() {
    echoes(
        "< P. 1:18(17) ack 1 win 20000 <TS 300/701>",
        "> P. 1:18(17) ack 18 win 65143 <TS 702/ECR>",
        &[300],
    );
}

#[test]
fn rows_37_39_and_42_the_handshake_sets_ts_recent_in_both_open_modes() {
    for echo in [100, 110, 300] {
        let passive = format!(
            "< S 0:0(0) win 20000 <mss 1000,TS 100/0>
             > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/{echo}>"
        );
        assert_eq!(
            matches!(judge("rfc", &passive), Verdict::Conforms),
            echo == 100
        );
        let active = format!(
            "active
             > S 0:0(0) win 64240 <mss 1460,TS 700/0>
             < S. 0:0(0) ack 1 win 20000 <mss 1000,TS 300/700>
             > . 1:1(0) ack 1 win 64240 <TS 701/{echo}>"
        );
        assert_eq!(
            matches!(judge("rfc", &active), Verdict::Conforms),
            echo == 300
        );
        let completing = format!(
            "< S 0:0(0) win 20000 <mss 1000,TS 100/0>
             > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>
             < P. 1:18(17) ack 1 win 20000 <TS 110/700>
             > . 1:1(0) ack 18 win 65143 <TS 701/{echo}>"
        );
        assert_eq!(
            matches!(judge("rfc", &completing), Verdict::Conforms),
            echo == 110
        );
    }
}

#[test]
fn row_40_a_completing_acknowledgment_with_an_older_timestamp_does_not_establish() {
    let transcript = |ack: u32, echo: u32| {
        format!(
            "< S 0:0(0) win 20000 <mss 1000,TS 100/0>
             > S. 0:0(0) ack 1 win 65160 <mss 1460,TS 700/100>
             < P. 1:18(17) ack 1 win 20000 <TS 90/700>
             > . 1:1(0) ack {ack} win {} <TS 701/{echo}>",
            65161 - ack
        )
    };
    assert!(matches!(
        judge("rfc", &transcript(1, 100)),
        Verdict::Conforms
    ));
    assert!(matches!(
        judge("rfc", &transcript(18, 90)),
        Verdict::Diverges(_)
    ));
}
