//! Shrinking moves that leave something out: steps, options, control bits, settings.

use ackward_model::{Address, Call, Flags, SocketOption};
use ackward_scenario::{OptionSpec, Scenario, SegmentSpec, Step};

use super::seen::Seen;

/// Leaves out runs of steps, long runs first: once leaving the hole, once closing the gap in sequence space.
pub(super) fn steps(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let count = scenario.steps.len();
    let mut candidates = Vec::new();
    let mut length = count / 2;
    while length > 1 {
        for start in (0..count).step_by(length) {
            let end = (start + length).min(count);
            candidates.push(without(scenario, start, end, Gap::Closed));
            candidates.push(without(scenario, start, end, Gap::Left));
        }
        length /= 2;
    }
    for step in (0..count).rev() {
        candidates.push(without(scenario, step, step + 1, Gap::Closed));
        candidates.push(without(scenario, step, step + 1, Gap::Left));
    }
    candidates
}

/// Leaves out all waits, then each: what is left runs faster.
pub(super) fn waits(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let is_wait = |step: &Step| matches!(step, Step::Wait(_));
    let mut all = scenario.clone();
    all.steps.retain(|step| !is_wait(step));
    let mut candidates = vec![all];
    for step in 0..scenario.steps.len() {
        if is_wait(&scenario.steps[step]) {
            candidates.push(without(scenario, step, step + 1, Gap::Left));
        }
    }
    candidates
}

/// Leaves out any two steps: what only hurts alone may go together (a shutdown and the close after it).
pub(super) fn pairs_of_steps(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let count = scenario.steps.len();
    if count > LONGEST_FOR_PAIRS {
        return Vec::new();
    }
    let mut candidates = Vec::new();
    for first in 0..count {
        for second in first + 1..count {
            for gap in [Gap::Closed, Gap::Left] {
                let one = without(scenario, second, second + 1, gap);
                candidates.push(without(&one, first, first + 1, gap));
            }
        }
    }
    candidates
}

/// Leaves out settings and socket options: all, then each.
pub(super) fn settings(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let mut all = scenario.clone();
    all.setup.sysctls.clear();
    all.setup.socket_options.clear();
    let mut candidates = vec![all];
    for index in 0..scenario.setup.sysctls.len() {
        let mut one = scenario.clone();
        one.setup.sysctls.remove(index);
        candidates.push(one);
    }
    for index in 0..scenario.setup.socket_options.len() {
        let mut one = scenario.clone();
        one.setup.socket_options.remove(index);
        candidates.push(one);
    }
    for candidate in &mut candidates {
        let inline = SocketOption::UrgentInline(true);
        if !candidate.setup.socket_options.contains(&inline) {
            *candidate = each_segment(candidate, plain);
        }
    }
    candidates
}

/// Takes URG off a segment: only where urgent text stays in the stream do the RFCs say what becomes of it.
fn plain(segment: &mut SegmentSpec) {
    segment.flags = segment.flags.without(Flags::URG);
    segment.urgent = 0;
}

/// Leaves out an option: its kind everywhere, then one at a time.
pub(super) fn options(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let mut kinds: Vec<u8> = scenario
        .segments()
        .flat_map(|segment| segment.options.iter().map(kind))
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut candidates: Vec<Scenario> = kinds
        .into_iter()
        .map(|unwanted| {
            each_segment(scenario, |segment| {
                segment.options.retain(|option| kind(option) != unwanted);
            })
        })
        .collect();
    // Without its scale a window may be too small to matter, so the two change together.
    candidates.push(each_segment(scenario, |segment| {
        segment.options.retain(|option| kind(option) != 3);
        segment.window = u16::MAX;
    }));
    for (step, segment) in numbered(scenario) {
        for index in 0..segment.options.len() {
            candidates.push(with_segment(scenario, step, |segment| {
                segment.options.remove(index);
            }));
        }
        for index in 0..segment.options.len() {
            if let OptionSpec::Sack(blocks) = &segment.options[index] {
                for block in 0..blocks.len() {
                    candidates.push(with_segment(scenario, step, |segment| {
                        if let OptionSpec::Sack(blocks) = &mut segment.options[index] {
                            blocks.remove(block);
                        }
                    }));
                }
            }
        }
    }
    candidates
}

/// Clears control bits beside SYN and ACK, copies of text and damage: everywhere, then one at a time.
pub(super) fn flags(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let mut candidates = vec![each_segment(scenario, |segment| {
        segment.flags = Flags(segment.flags.0 & !(Flags::PSH.0 | Flags::URG.0));
        segment.urgent = 0;
        segment.copy = 0;
    })];
    for (step, segment) in numbered(scenario) {
        if segment.damaged {
            candidates.push(with_segment(scenario, step, |segment| {
                segment.damaged = false;
            }));
        }
        if segment.address != Address::Right {
            candidates.push(with_segment(scenario, step, |segment| {
                segment.address = Address::Right;
            }));
        }
        if segment.ip_option {
            candidates.push(with_segment(scenario, step, |segment| {
                segment.ip_option = false;
            }));
        }
        if segment.copy != 0 {
            candidates.push(with_segment(scenario, step, |segment| segment.copy = 0));
        }
        for bit in 0..8 {
            let flag = Flags(1 << bit);
            if segment.flags.contains(flag) && flag != Flags::ACK && flag != Flags::SYN {
                candidates.push(with_segment(scenario, step, |segment| {
                    segment.flags = Flags(segment.flags.0 & !flag.0);
                    if flag == Flags::URG {
                        segment.urgent = 0;
                    }
                }));
            }
        }
    }
    candidates
}

/// What happens to the sequence space that a dropped step took.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// Later numbers stay.
    Left,
    /// Later numbers move down.
    Closed,
}

/// `scenario` without the steps from `start` to before `end`.
fn without(scenario: &Scenario, start: usize, end: usize, gap: Gap) -> Scenario {
    let mut rest = scenario.clone();
    for step in (start..end).rev() {
        let dropped = rest.steps.remove(step);
        if gap == Gap::Closed {
            match dropped {
                Step::Segment(segment) => {
                    close_peer_gap(&mut rest, segment.seq, segment.sequence_len());
                }
                Step::Call(Call::Write(octets)) => {
                    let written = written_before(&rest, step);
                    close_stack_gap(&mut rest, 1 + written, octets);
                }
                Step::Call(Call::ShutdownWrite | Call::Close) => {
                    let written = written_before(&rest, rest.steps.len());
                    close_stack_gap(&mut rest, 1 + written, 1);
                }
                Step::Call(_) | Step::Wait(_) | Step::Icmp(_) => {}
            }
        }
    }
    rest
}

/// Moves what the peer sends after `seq` down by `len`.
pub(super) fn close_peer_gap(scenario: &mut Scenario, seq: u32, len: u32) {
    for segment in segments_mut(scenario) {
        let beyond = segment.seq.wrapping_sub(seq) as i32;
        if beyond > 0 {
            segment.seq = segment.seq.wrapping_sub(len.min(beyond as u32));
        }
    }
}

/// `scenario` with the segments from step `step` on moved up by `by` octets.
pub(super) fn moved_from(scenario: &Scenario, step: usize, by: u32) -> Scenario {
    let mut moved = scenario.clone();
    for later in &mut moved.steps[step..] {
        if let Step::Segment(segment) = later {
            segment.seq = segment.seq.wrapping_add(by);
        }
    }
    moved
}

/// Moves what the peer acknowledges after `ack` down by `len`.
pub(super) fn close_stack_gap(scenario: &mut Scenario, ack: u32, len: u32) {
    let down = |number: &mut u32| {
        let beyond = number.wrapping_sub(ack) as i32;
        if beyond > 0 {
            *number = number.wrapping_sub(len.min(beyond as u32));
        }
    };
    for segment in segments_mut(scenario) {
        down(&mut segment.ack);
        for option in &mut segment.options {
            if let OptionSpec::Sack(blocks) = option {
                for (left, right) in blocks {
                    down(left);
                    down(right);
                }
            }
        }
    }
}

/// Octets that the application writes before `step`.
pub(super) fn written_before(scenario: &Scenario, step: usize) -> u32 {
    scenario.steps[..step]
        .iter()
        .fold(0, |written: u32, step| match step {
            Step::Call(Call::Write(octets)) => written.wrapping_add(*octets),
            _ => written,
        })
}

/// `scenario` with the segment of step `step` changed.
pub(super) fn with_segment(
    scenario: &Scenario,
    step: usize,
    change: impl FnOnce(&mut SegmentSpec),
) -> Scenario {
    let mut changed = scenario.clone();
    if let Some(Step::Segment(segment)) = changed.steps.get_mut(step) {
        change(segment);
    }
    changed
}

/// `scenario` with every segment changed.
pub(super) fn each_segment(
    scenario: &Scenario,
    mut change: impl FnMut(&mut SegmentSpec),
) -> Scenario {
    let mut changed = scenario.clone();
    segments_mut(&mut changed).for_each(&mut change);
    changed
}

/// The segments with the number of their step.
pub(super) fn numbered(scenario: &Scenario) -> impl Iterator<Item = (usize, &SegmentSpec)> {
    scenario
        .steps
        .iter()
        .enumerate()
        .filter_map(|(step, it)| match it {
            Step::Segment(segment) => Some((step, segment)),
            _ => None,
        })
}

fn segments_mut(scenario: &mut Scenario) -> impl Iterator<Item = &mut SegmentSpec> {
    scenario.steps.iter_mut().filter_map(|step| match step {
        Step::Segment(segment) => Some(segment),
        _ => None,
    })
}

fn kind(option: &OptionSpec) -> u8 {
    match option {
        OptionSpec::EndOfList => 0,
        OptionSpec::NoOperation => 1,
        OptionSpec::MaximumSegmentSize(_) => 2,
        OptionSpec::WindowScale(_) => 3,
        OptionSpec::SackPermitted => 4,
        OptionSpec::Sack(_) => 5,
        OptionSpec::Timestamps { .. } => 8,
        OptionSpec::Raw(bytes) => bytes.first().copied().unwrap_or(255),
    }
}

/// Longer scenarios have too many pairs of steps to try them all.
const LONGEST_FOR_PAIRS: usize = 24;
