use ackward_model::{Call, Flags, OpenMode, SocketOption, Sysctl};
use ackward_scenario::{Echo, OptionSpec, SegmentSpec, Step};

use super::*;
use crate::fake::{FakeTrial, ROOT};

fn effort(goal: Goal) -> Effort {
    Effort {
        goal,
        patience: 0,
        time: Duration::from_secs(60),
    }
}

/// What is left of `scenario` when only `shows` counts.
fn shrunk(scenario: &Scenario, shows: impl FnMut(&Scenario) -> bool) -> Shrunk {
    let mut trial = FakeTrial::new(shows);
    match shrink(&mut trial, scenario, ROOT, effort(Goal::MostReachable)) {
        Ok(Some(shrunk)) => shrunk,
        _ => panic!("the scenario does not show the root"),
    }
}

fn data(seq: u32, len: u16) -> Step {
    Step::Segment(SegmentSpec {
        flags: Flags::ACK | Flags::PSH,
        seq,
        ack: 1,
        window: 12_345,
        len,
        options: vec![OptionSpec::Timestamps {
            tsval: seq,
            tsecr: Echo::Value(77),
        }],
        ..SegmentSpec::default()
    })
}

fn thirty_steps() -> Scenario {
    let mut scenario = Scenario::default();
    for number in 0..10 {
        scenario.steps.push(data(1 + 100 * number, 100));
        scenario.steps.push(Step::Call(Call::Write(number + 1)));
        scenario.steps.push(Step::Wait(5));
    }
    scenario
}

fn writes(scenario: &Scenario) -> Vec<u32> {
    let write = |step: &Step| match step {
        Step::Call(Call::Write(octets)) => Some(*octets),
        _ => None,
    };
    scenario.steps.iter().filter_map(write).collect()
}

#[test]
fn three_needed_steps_among_thirty_are_all_that_is_left() {
    let needed = |scenario: &Scenario| {
        let texts = scenario.segments().filter(|s| s.len >= 40).count();
        texts >= 2 && !writes(scenario).is_empty()
    };
    let result = shrunk(&thirty_steps(), needed);
    assert!(result.one_minimal);
    assert_eq!(result.scenario.steps.len(), 3);
    assert_eq!(writes(&result.scenario), [1]);
}

#[test]
fn many_small_segments_that_do_what_a_full_one_does_become_one() {
    let mut scenario = Scenario::default();
    for number in 0..3 {
        scenario.steps.push(data(5_001 + 400 * number, 400));
    }
    scenario.steps.push(data(70_000, 1));
    // Either much of the text came out of order, or a full segment in order; and the last octet lies past both.
    let shows = |scenario: &Scenario| {
        let Some((last, before)) = scenario.steps.split_last() else {
            return false;
        };
        let Step::Segment(last) = last else {
            return false;
        };
        let texts = before.iter().filter_map(|step| match step {
            Step::Segment(segment) => Some(segment),
            _ => None,
        });
        let (mut small, mut full) = (0, false);
        for text in texts {
            small += u32::from(text.seq > 1 && text.len >= 400);
            full |= text.seq == 1 && text.len >= 1_192;
        }
        let edge = if full { 66_737 } else { 65_536 };
        last.len > 0 && (edge..1 << 31).contains(&last.seq) && (full || small == 3)
    };
    let result = shrunk(&scenario, shows);
    let texts: Vec<_> = result.scenario.segments().map(|s| (s.seq, s.len)).collect();
    assert!(matches!(texts[..], [(1, 1_192), (_, 1)]), "{texts:?}");
}

#[test]
fn what_lies_before_the_syn_moves_behind_it_with_all_that_follows() {
    let mut scenario = Scenario::default();
    scenario.steps.push(data(u32::MAX - 8, 1_192));
    scenario.steps.push(data(66_718, 1));
    let shows = |scenario: &Scenario| {
        let ends: Vec<_> = scenario
            .segments()
            .map(|s| s.seq.wrapping_add(u32::from(s.len)))
            .collect();
        matches!(ends[..], [first, last] if last.wrapping_sub(first) == 65_536)
    };
    let result = shrunk(&scenario, shows);
    let first = result.scenario.segments().next().map(|s| s.seq);
    assert!(first.is_some_and(|seq| seq <= 1), "begins at {first:?}");
}

#[test]
fn no_single_step_of_the_result_can_go() {
    let needed = |scenario: &Scenario| {
        let written: u32 = writes(scenario).iter().sum();
        written >= 17 && scenario.segments().any(|s| s.seq >= 200)
    };
    let result = shrunk(&thirty_steps(), needed);
    for step in 0..result.scenario.steps.len() {
        let mut without = result.scenario.clone();
        without.steps.remove(step);
        assert!(!needed(&without), "step {step} can go");
    }
}

#[test]
fn dropping_text_closes_the_gap_where_joining_text_is_needed() {
    let joined = |scenario: &Scenario| {
        let texts: Vec<_> = scenario.segments().filter(|s| s.len > 0).collect();
        texts.len() >= 2
            && texts[0].seq == 1
            && texts
                .windows(2)
                .all(|pair| pair[0].seq + u32::from(pair[0].len) == pair[1].seq)
    };
    let result = shrunk(&thirty_steps(), joined);
    let seqs: Vec<_> = result.scenario.segments().map(|s| (s.seq, s.len)).collect();
    assert_eq!(seqs, [(1, 1), (2, 1)]);
}

#[test]
fn options_flags_settings_and_odd_numbers_go() {
    let mut scenario = thirty_steps();
    scenario.setup.isn = 0x1234_5678;
    scenario.setup.sysctls = vec![Sysctl::Sack(false)];
    let result = shrunk(&scenario, |scenario| scenario.segments().count() >= 1);
    let left = result.scenario.segments().next().cloned();
    assert_eq!(result.scenario.setup, Scenario::default().setup);
    assert!(left.is_some_and(|s| {
        s.options.is_empty() && s.flags == Flags::ACK && digits_are_plain(s.window) && s.len == 0
    }));
}

#[test]
fn an_ordinary_syn_goes_on_to_permit_sack() {
    let mut scenario = thirty_steps();
    let syn = SegmentSpec {
        flags: Flags::SYN,
        options: vec![
            OptionSpec::MaximumSegmentSize(1_460),
            OptionSpec::SackPermitted,
            OptionSpec::Timestamps {
                tsval: 7,
                tsecr: Echo::Value(0),
            },
        ],
        ..SegmentSpec::default()
    };
    scenario.steps.insert(0, Step::Segment(syn));
    let opened = |scenario: &Scenario| {
        let first = scenario.segments().next();
        first.is_some_and(|segment| segment.flags == Flags::SYN)
    };
    let result = shrunk(&scenario, opened);
    let left = result.scenario.segments().next();
    let fill = OptionSpec::NoOperation;
    assert_eq!(
        left.map(|syn| syn.options.clone()),
        Some(vec![fill.clone(), fill, OptionSpec::SackPermitted])
    );
}

#[test]
fn the_other_side_opens_even_where_an_echo_names_the_last_emission_there_can_be() {
    let syn = SegmentSpec {
        flags: Flags::SYN,
        options: vec![OptionSpec::Timestamps {
            tsval: 1,
            tsecr: Echo::Emission(u32::MAX),
        }],
        ..SegmentSpec::default()
    };
    let scenario = Scenario {
        steps: vec![Step::Segment(syn.clone()), Step::Segment(syn)],
        ..Scenario::default()
    };
    let told = reshape::open(&scenario, &[]);
    assert!(matches!(told.as_slice(), [told] if told.setup.open == OpenMode::Active));
}

#[test]
fn an_active_open_is_told_as_a_passive_one_where_both_show_the_root() {
    let mut scenario = thirty_steps();
    scenario.setup.open = OpenMode::Active;
    let syn_ack = SegmentSpec {
        flags: Flags::SYN | Flags::ACK,
        ack: 1,
        ..SegmentSpec::default()
    };
    scenario.steps.insert(0, Step::Segment(syn_ack));
    let opened = |scenario: &Scenario| {
        let first = scenario.segments().next().map(|s| s.flags);
        first
            == Some(match scenario.setup.open {
                OpenMode::Active => Flags::SYN | Flags::ACK,
                OpenMode::Passive => Flags::SYN,
            })
    };
    assert_eq!(shrunk(&scenario, opened).size.open, OpenMode::Passive);
}

#[test]
fn a_scenario_that_does_not_show_the_root_is_not_shrunk() {
    let mut trial = FakeTrial::new(|_: &Scenario| false);
    let result = shrink(&mut trial, &thirty_steps(), ROOT, effort(Goal::Shortest));
    assert!(matches!(result, Ok(None)));
}

#[test]
fn running_out_of_time_is_admitted() {
    let mut trial = FakeTrial::new(|_: &Scenario| true);
    let effort = Effort {
        time: Duration::ZERO,
        ..effort(Goal::MostReachable)
    };
    let result = shrink(&mut trial, &thirty_steps(), ROOT, effort);
    assert!(matches!(result, Ok(Some(shrunk)) if !shrunk.one_minimal));
}

fn digits_are_plain(window: u16) -> bool {
    super::size::digits(u32::from(window)) <= 1
}

#[test]
fn urgent_text_is_left_only_where_it_stays_in_the_stream() {
    let mut scenario = Scenario::default();
    scenario
        .setup
        .socket_options
        .push(SocketOption::UrgentInline(true));
    for number in 0..2 {
        let Step::Segment(mut segment) = data(1 + 100 * number, 100) else {
            continue;
        };
        segment.flags = segment.flags | Flags::URG;
        segment.urgent = 10;
        scenario.steps.push(Step::Segment(segment));
    }
    let inline = |scenario: &Scenario| !scenario.setup.socket_options.is_empty();
    let urgent = |scenario: &Scenario| {
        let mut segments = scenario.segments();
        segments.any(|segment| segment.flags.contains(Flags::URG))
    };
    let text = shrunk(&scenario, |scenario| scenario.segments().count() == 2).scenario;
    assert!(!inline(&text) && !urgent(&text));
    let pointer = shrunk(&scenario, urgent).scenario;
    assert!(inline(&pointer));
}
