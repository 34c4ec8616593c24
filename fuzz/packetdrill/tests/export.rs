//! What becomes of the two divergences that stand in Linux 6.18.44.

mod by_hand;
mod transcripts;

use ackward_model::{
    Call, Event, Flags, OpenMode, Origin, Outcome, SackBlock, SackBlocks, SeqNum, TcpOption,
};
use ackward_packetdrill::{Expect, ExportError, Script, Style, Subject, export};
use ackward_scenario::step::Live;
use ackward_scenario::{OptionSpec, Step};
use transcripts::fields::{
    crossed_syn, crossing_syn, missing_timestamps, passive, past_the_fin, small_window,
    stale_blocks,
};
use transcripts::{
    ACK, Case, P, beyond_window, echo_after_close, echo_after_old_ack, echo_after_old_ack_active,
    sack, stale_echo, stamped, ts,
};

fn script(given: &ackward_packetdrill::Export<'_>) -> Script {
    export(given).expect("the dialect can say it")
}

/// The events of a script, without comments.
fn events(script: &Script) -> Vec<String> {
    let text = script.to_string();
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.map(|line| line.trim_start().to_owned()).collect()
}

fn failing(script: &Script) -> String {
    let line = script.failing_line().expect("a line fails");
    let text = script.to_string();
    text.lines()
        .nth(line - 1)
        .expect("it is there")
        .trim_start()
        .to_owned()
}

#[test]
fn a_stale_echo_is_probed_with_a_timestamp_between_wrong_and_right() {
    let case = echo_after_old_ack([1000, 2000, 3000, 4000]);
    let script = script(&case.export(stale_echo(3000, 2000), Style::Plain));
    assert_eq!(
        events(&script),
        [
            "0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3",
            "+0 setsockopt(3, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0",
            "+0 bind(3, ..., ...) = 0",
            "+0 listen(3, 1) = 0",
            "+0 < S 0:0(0) win 20000 <mss 1000,sackOK,TS val 1000 ecr 0>",
            "+0 > S. 0:0(0) ack 1 <mss 1460,sackOK,TS val 100 ecr 1000>",
            "+0 < . 1:1(0) ack 1 win 20000 <nop,nop,TS val 2000 ecr 100>",
            "+0 accept(3, ..., ...) = 4",
            "+0 write(4, ..., 17) = 17",
            "+0 > P. 1:18(17) ack 1 <nop,nop,TS val 200 ecr 2000>",
            "+0 < P. 18:35(17) ack 18 win 20000 <nop,nop,TS val 4000 ecr 200>",
            "+0 > . 18:18(0) ack 1 <nop,nop,TS val 300 ecr 2000,nop,nop,sack 18:35>",
            "+0 < P. 1:18(17) ack 1 win 20000 <nop,nop,TS val 3000 ecr 100>",
            "+0 > . 18:18(0) ack 35 <nop,nop,TS val 400 ecr 3000>",
            "+0 < P. 35:36(1) ack 18 win 20000 <nop,nop,TS val 2500 ecr 400>",
            "+0 > . 18:18(0) ack 35 <nop,nop,TS val 500 ecr 3000>",
            "+0 < P. 34:35(1) ack 18 win 20000 <nop,nop,TS val 1000 ecr 400>",
            "+0 > . 18:18(0) ack 35 <nop,nop,TS val 600 ecr 3000,nop,nop,sack 34:35>",
        ]
    );
    assert_eq!(
        failing(&script),
        "+0 > . 18:18(0) ack 35 <nop,nop,TS val 500 ecr 3000>"
    );
}

#[test]
fn expecting_the_faulty_stack_turns_the_probe_round() {
    let case = echo_after_old_ack([1000, 2000, 3000, 4000]);
    let mut given = case.export(stale_echo(3000, 2000), Style::Plain);
    given.expect = Expect::Observed;
    let lines = events(&script(&given));
    assert_eq!(
        lines[lines.len() - 5..],
        [
            "+0 > . 18:18(0) ack 35 <nop,nop,TS val 400 ecr 2000>",
            "+0 < P. 35:36(1) ack 18 win 20000 <nop,nop,TS val 2500 ecr 400>",
            "+0~+.3 > . 18:18(0) ack 36 <nop,nop,TS val 500 ecr 2500>",
            "+0 < P. 35:36(1) ack 18 win 20000 <nop,nop,TS val 1000 ecr 400>",
            "+0 > . 18:18(0) ack 36 <nop,nop,TS val 600 ecr 2500,nop,nop,sack 35:36>",
        ]
    );
}

#[test]
fn neighbouring_timestamps_are_spaced_out_to_make_room_for_the_probe() {
    let case = echo_after_old_ack([u32::MAX, 0, 1, 2]);
    let script = script(&case.export(stale_echo(1, 0), Style::Plain));
    let near = echo_after_old_ack([1000, 2000, 3000, 4000]);
    let far = export(&near.export(stale_echo(3000, 2000), Style::Plain));
    assert_eq!(
        events(&script),
        events(&far.expect("the dialect can say it"))
    );
}

#[test]
fn an_active_open_pins_what_its_window_scale_depends_on() {
    let case = echo_after_old_ack_active();
    let plain = events(&script(&case.export(stale_echo(3000, 1000), Style::Plain)));
    assert_eq!(
        plain[0],
        "`sysctl -q net.ipv4.tcp_rmem=\"4096 131072 33554432\"`"
    );
    assert!(plain.contains(
        &"+0 connect(3, ..., ...) = -1 EINPROGRESS (Operation now in progress)".to_owned()
    ));
    assert!(
        plain
            .contains(&"+0 > S 0:0(0) <mss 1460,sackOK,TS val 100 ecr 0,nop,wscale 10>".to_owned())
    );
    assert!(plain.contains(&"+0 write(3, ..., 17) = 17".to_owned()));
    let kselftest = script(&case.export(stale_echo(3000, 1000), Style::Kselftest));
    assert_eq!(kselftest.init, ["./defaults.sh"]);
    assert!(kselftest.to_string().contains("wscale 8>"));
    assert!(
        kselftest
            .to_string()
            .starts_with("// SPDX-License-Identifier: GPL-2.0\n")
    );
}

#[test]
fn a_packetdrill_that_compares_echoes_needs_no_probe() {
    let case = echo_after_old_ack([1000, 2000, 3000, 4000]);
    let mut given = case.export(stale_echo(3000, 2000), Style::Plain);
    given.assert_echo = true;
    let script = script(&given);
    assert_eq!(
        failing(&script),
        "+0 > . 18:18(0) ack 35 <nop,nop,TS val 400 ecr 3000>"
    );
    assert_eq!(events(&script).len(), 16);
}

#[test]
fn an_echo_that_is_right_again_in_the_reveal_gets_no_probe() {
    let mut case = echo_after_old_ack([1000, 2000, 3000, 4000]);
    let diverging = case.trace.entries.len() - 1;
    case.peer(P, (34, 35), 18, ts(1000, 2));
    if let Some(Event::In(_, origin)) = case.trace.entries.last_mut().map(|entry| &mut entry.event)
    {
        *origin = Origin::Reveal;
    }
    case.stack(ACK, 18, 0, 35, stamped(7004, 3000));
    let mut given = case.export(stale_echo(3000, 2000), Style::Plain);
    given.diverging = diverging;
    let script = script(&given);
    assert_eq!(script.failing_line(), None);
    assert!(script.to_string().contains("asserts nothing about it"));
}

#[test]
fn after_close_a_fin_probes_since_text_would_draw_a_rst() {
    let case = echo_after_close();
    let script = script(&case.export(stale_echo(4000, 2000), Style::Plain));
    let lines = events(&script);
    let probe = lines.len() - 4;
    assert_eq!(
        lines[probe..probe + 2],
        [
            "+0 < F. 1:1(0) ack 2 win 20000 <nop,nop,TS val 3000 ecr 300>",
            "+0 > . 2:2(0) ack 1 <nop,nop,TS val 400 ecr 4000>",
        ]
    );
    assert_eq!(failing(&script), lines[probe + 1]);
}

#[test]
fn an_octet_at_the_edge_that_is_held_already_is_not_sent_again() {
    let (mut case, subject) = beyond_window(0, false);
    case.trace.entries.truncate(case.trace.entries.len() - 2);
    case.scenario.steps.pop();
    case.peer(P, (66_990, 66_996), 1, Vec::new());
    case.stack(ACK, 1, 0, 1461, sack(0, 66_990, 66_996));
    case.peer(P, (66_996, 67_096), 1, Vec::new());
    case.stack(ACK, 1, 0, 1461, sack(0, 66_990, 67_096));
    let script = script(&case.export(subject, Style::Plain));
    assert_eq!(
        events(&script)[11..],
        [
            "+0 < P. 66996:67096(100) ack 1 win 20000",
            "+0 > . 1:1(0) ack 1461 <nop,nop,sack 66990:66996>",
            "+0 < P. 1460:1461(1) ack 1 win 20000",
            "+0 > . 1:1(0) ack 1461 <nop,nop,sack 1460:1461 66990:66996>",
        ]
    );
    assert!(!script.to_string().contains("bare acknowledgment"));
}

#[test]
fn a_write_that_is_cut_short_is_made_on_a_socket_that_does_not_block() {
    let with_write = |octets, written| {
        let mut case = passive(false);
        case.peer(ACK, (1, 1), 1, Vec::new());
        case.call(Call::Write(octets), Outcome::Done(written));
        case.stack(ACK, 1, 10, 2, Vec::new());
        let right = SeqNum(1);
        let given = case.export(Subject::Acknowledgment { right }, Style::Plain);
        script(&given).to_string()
    };
    assert!(with_write(20, 10).contains("O_NONBLOCK"));
    assert!(!with_write(10, 10).contains("O_NONBLOCK"));
}

#[test]
fn text_that_crosses_the_wrap_in_the_numbers_as_printed_is_an_error() {
    let with_syn = |isn: u32| {
        let mut case = Case::new(OpenMode::Passive);
        case.scenario.setup.isn = isn;
        case.peer(Flags::SYN | Flags::FIN, (0, 10), 0, Vec::new());
        case.stack(Flags::SYN | ACK, 0, 0, 1, Vec::new());
        let right = case.isn() + 1;
        export(&case.export(Subject::Acknowledgment { right }, Style::Plain)).map(|_| ())
    };
    assert_eq!(with_syn(u32::MAX - 9), Err(ExportError::CrossesWrap));
    assert_eq!(with_syn(u32::MAX - 10), Ok(()));
}

#[test]
fn text_past_the_edge_expects_a_bare_acknowledgment() {
    let (case, subject) = beyond_window(0, false);
    let script = script(&case.export(subject, Style::Plain));
    assert_eq!(failing(&script), "+0 > . 1:1(0) ack 1461");
    let lines = events(&script);
    assert_eq!(
        lines[4..],
        [
            "+0 < S 0:0(0) win 20000 <mss 1460,nop,nop,sackOK>",
            "+0 > S. 0:0(0) ack 1 <...>",
            "+0 < . 1:1(0) ack 1 win 20000",
            "+0 < P. 1:1461(1460) ack 1 win 20000",
            "+0 > . 1:1(0) ack 1461",
            "+0 < P. 66996:67096(100) ack 1 win 20000",
            "+0 > . 1:1(0) ack 1461",
            "+0 < P. 66995:66996(1) ack 1 win 20000",
            "+0 > . 1:1(0) ack 1461 <nop,nop,sack 66995:66996>",
            "+0 < P. 1460:1461(1) ack 1 win 20000",
            "+0 > . 1:1(0) ack 1461 <nop,nop,sack 1460:1461 66995:66996>",
        ]
    );
}

#[test]
fn the_peers_numbers_are_verbatim_on_segments_with_syn() {
    let (case, subject) = beyond_window(u32::MAX - 5, true);
    let lines = events(&script(&case.export(subject, Style::Plain)));
    assert_eq!(
        lines[4],
        "+0 < S 4294967290:4294967290(0) win 20000 <mss 1460,sackOK,TS val 1000 ecr 0>"
    );
    assert_eq!(
        lines[5],
        "+0 > S. 0:0(0) ack 4294967291 <mss 1460,sackOK,TS val 100 ecr 1000>"
    );
    assert_eq!(
        lines[10],
        "+0 > . 1:1(0) ack 1449 <nop,nop,TS val 300 ecr 3000>"
    );
}

#[test]
fn a_wrong_field_is_expected_as_it_should_be_and_nothing_follows() {
    for ((case, subject), right) in [
        (past_the_fin(), "+0 > . 1:1(0) ack 2"),
        (stale_blocks(), "+0 > . 2:2(0) ack 6"),
        (
            crossing_syn(),
            "+0 > S. 0:0(0) ack 1 <mss 1460,nop,nop,sackOK>",
        ),
        (
            missing_timestamps(),
            "+0 > . 1:1(0) ack 1 <nop,nop,TS val 200 ecr 0>",
        ),
        (small_window(), "+0 > . 2:2(0) ack 1194 win 65535"),
        (crossed_syn(), "+0 > R 0:0(0) <...>"),
    ] {
        for style in [Style::Plain, Style::Kselftest] {
            let script = script(&case.export(subject.clone(), style));
            assert_eq!(failing(&script), right);
            assert_eq!(events(&script).last().map(String::as_str), Some(right));
        }
    }
}

#[test]
fn text_that_goes_on_at_once_is_expected_in_one_line() {
    let mut case = passive(false);
    case.peer(ACK, (1, 1), 1, Vec::new());
    case.call(Call::Write(30), Outcome::Done(30));
    case.stack(ACK, 1, 10, 1, Vec::new());
    case.stack(P, 11, 10, 1, Vec::new());
    case.peer(P, (1, 2), 21, Vec::new());
    case.stack(ACK, 21, 0, 3, Vec::new());
    let right = SeqNum(2);
    let given = case.export(Subject::Acknowledgment { right }, Style::Plain);
    let lines = events(&script(&given));
    assert_eq!(
        lines[lines.len() - 3..],
        [
            "+0 > P. 1:21(20) ack 1",
            "+0 < P. 1:2(1) ack 21 win 20000",
            "+0 > . 21:21(0) ack 2"
        ]
    );
}

#[test]
fn the_peers_numbers_count_from_its_syn_wherever_that_stands() {
    let (mut case, subject) = past_the_fin();
    // The same conversation, with the steps counted from 7 before the SYN.
    case.scenario.setup.isn = case.scenario.setup.isn.wrapping_sub(7);
    for step in &mut case.scenario.steps {
        if let Step::Segment(spec) = step {
            spec.seq += 7;
        }
    }
    let near = past_the_fin().0;
    assert_eq!(
        events(&script(&case.export(subject.clone(), Style::Plain))),
        events(&script(&near.export(subject, Style::Plain)))
    );
}

#[test]
fn a_true_report_of_a_duplicate_stays() {
    let (mut case, subject) = stale_blocks();
    case.trace.entries.truncate(case.trace.entries.len() - 2);
    case.peer(P, (2, 5), 2, Vec::new());
    case.stack(ACK, 2, 0, 6, two_blocks((4, 5), (2, 6)));
    let script = script(&case.export(subject, Style::Plain));
    assert_eq!(failing(&script), "+0 > . 2:2(0) ack 6 <nop,nop,sack 4:5>");
}

fn two_blocks(first: (u32, u32), second: (u32, u32)) -> Vec<TcpOption> {
    let block = |(left, right)| SackBlock {
        left: SeqNum(left),
        right: SeqNum(right),
    };
    vec![
        TcpOption::NoOperation,
        TcpOption::NoOperation,
        TcpOption::Sack(SackBlocks::new([block(first), block(second)])),
    ]
}

#[test]
fn an_answer_that_never_came_is_waited_for() {
    let mut case = passive(false);
    case.peer(ACK, (1, 1), 1, Vec::new());
    case.peer(P, (70_001, 70_101), 1, Vec::new());
    case.trace.push(600_000, Event::Elapse(600_000));
    case.peer(ACK, (0, 1), 1, Vec::new());
    let script = script(&case.export(Subject::Silence, Style::Plain));
    assert_eq!(failing(&script), "+0~+.6 > . 1:1(0) ack 1 <...>");
    assert!(!script.to_string().contains("0:1(1)"));
}

#[test]
fn what_may_be_larger_is_no_test_for_others() {
    let (case, _) = small_window();
    let given = |style| case.export(Subject::Window { least: 7 }, style);
    let plain = script(&given(Style::Plain));
    assert_eq!(failing(&plain), "+0 > . 2:2(0) ack 1194 win 7");
    assert!(plain.to_string().contains("Right: win 7 or more."));
    let kselftest = export(&given(Style::Kselftest));
    assert!(matches!(kselftest, Err(ExportError::NoTest(_))));
}

#[test]
fn what_no_line_can_say_is_admitted() {
    let (case, _) = small_window();
    let reason = "several results would be right".to_owned();
    let given = |style| {
        let reason = reason.clone();
        case.export(Subject::Other { reason }, style)
    };
    let plain = script(&given(Style::Plain));
    assert_eq!(plain.failing_line(), None);
    assert!(plain.to_string().contains(&reason));
    let kselftest = export(&given(Style::Kselftest));
    assert_eq!(kselftest, Err(ExportError::NoTest(reason.clone())));
}

#[test]
fn what_the_dialect_cannot_say_is_an_error() {
    let (mut case, subject) = beyond_window(0, false);
    case.peer(
        ACK,
        (u32::MAX - 1, u32::MAX),
        1,
        vec![OptionSpec::Raw(vec![254, 4, 0, 0])],
    );
    let given = case.export(subject.clone(), Style::Plain);
    assert_eq!(export(&given), Err(ExportError::RawOption));
    case.scenario.steps.pop();
    case.trace.entries.pop();
    case.peer(ACK, (u32::MAX - 1, u32::MAX), 1, Vec::new());
    if let Some(Step::Segment(spec)) = case.scenario.steps.last_mut() {
        spec.len = 9;
    }
    let given = case.export(subject, Style::Plain);
    assert_eq!(export(&given), Err(ExportError::CrossesWrap));
}
