//! Shrinking moves that make numbers smaller or plainer: lengths, windows, timestamps, waits, settings, the ISN.

use ackward_model::{Call, Flags, SocketOption, Sysctl};
use ackward_scenario::{Echo, OptionSpec, Scenario, SegmentSpec, Step};

use super::drop::{
    close_peer_gap, close_stack_gap, each_segment, moved_from, numbered, with_segment,
    written_before,
};
use super::seen::Seen;
use super::size::digits;

/// Shortens texts, of segments and of writes, with and without moving later numbers down.
pub(super) fn lengths(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let mut candidates = Vec::new();
    for (step, it) in scenario.steps.iter().enumerate() {
        match it {
            Step::Segment(segment) => {
                for shorter in shorter_than(u32::from(segment.len)) {
                    let open = with_segment(scenario, step, |s| s.len = shorter as u16);
                    let mut closed = open.clone();
                    let cut = u32::from(segment.len) - shorter;
                    close_peer_gap(&mut closed, segment.seq.wrapping_add(shorter), cut);
                    // The end stays, the beginning moves.
                    let tail = with_segment(scenario, step, |s| {
                        s.len = shorter as u16;
                        s.seq = s.seq.wrapping_add(cut);
                    });
                    candidates.extend([closed, open, tail]);
                }
            }
            Step::Call(Call::Write(octets)) => {
                for shorter in shorter_than(*octets).into_iter().filter(|&n| n > 0) {
                    let mut open = scenario.clone();
                    open.steps[step] = Step::Call(Call::Write(shorter));
                    let mut closed = open.clone();
                    let start = 1 + written_before(scenario, step);
                    close_stack_gap(&mut closed, start + shorter, octets - shorter);
                    candidates.extend([closed, open]);
                }
            }
            _ => {}
        }
    }
    candidates
}

/// Lets a segment begin where the one before it ended, or at a plain distance from there; later ones stay or move along.
pub(super) fn gaps(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let mut candidates = Vec::new();
    let mut end: u32 = 0;
    for (step, segment) in numbered(scenario) {
        let gap = segment.seq.wrapping_sub(end) as i32;
        let size = gap.unsigned_abs();
        let near = [
            0,
            1,
            10,
            100,
            1_000,
            65_535,
            size / 2,
            size.saturating_sub(1),
        ];
        for plain in near.into_iter().chain(plainer(size)) {
            for seq in [end.wrapping_add(plain), end.wrapping_sub(plain)] {
                candidates.push(with_segment(scenario, step, |s| s.seq = seq));
                let by = seq.wrapping_sub(segment.seq);
                candidates.push(moved_from(scenario, step, by));
            }
        }
        end = segment.seq.wrapping_add(segment.sequence_len());
    }
    candidates
}

/// Shortens and rounds waits.
pub(super) fn waits(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let mut candidates = Vec::new();
    for (step, it) in scenario.steps.iter().enumerate() {
        if let Step::Wait(micros) = it {
            let shorter = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, micros / 2];
            for wait in shorter.into_iter().filter(|wait| wait < micros) {
                let mut candidate = scenario.clone();
                candidate.steps[step] = Step::Wait(wait);
                candidates.push(candidate);
            }
        }
    }
    candidates
}

/// Spaces the timestamps evenly, equal ones staying equal and the order staying what it was; or lets them start low.
pub(super) fn timestamps(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let Some(first) = scenario.segments().find_map(|segment| segment.tsval()) else {
        return Vec::new();
    };
    let mut distances: Vec<i32> = scenario
        .segments()
        .filter_map(|segment| Some(segment.tsval()?.wrapping_sub(first) as i32))
        .collect();
    distances.sort_unstable();
    distances.dedup();
    let spaced = |tsval: u32| {
        let distance = tsval.wrapping_sub(first) as i32;
        let rank = distances.partition_point(|&other| other < distance);
        100 * (rank as u32 + 1)
    };
    let lowest = distances.first().copied().unwrap_or(0);
    let mut candidates = vec![map_tsvals(scenario, spaced)];
    for base in [100, 1_000] {
        candidates.push(map_tsvals(scenario, |tsval| {
            tsval
                .wrapping_sub(first)
                .wrapping_sub(lowest as u32)
                .wrapping_add(base)
        }));
    }
    candidates
}

/// Sets windows to plain values: all, all after the SYN, one at a time.
pub(super) fn windows(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    const PLAIN: [u16; 5] = [65_535, 20_000, 10_000, 1_000, 0];
    let mut candidates: Vec<Scenario> = PLAIN
        .iter()
        .map(|&window| each_segment(scenario, |segment| segment.window = window))
        .collect();
    for (step, segment) in numbered(scenario) {
        let rounded = plainer(u32::from(segment.window));
        let values = rounded.into_iter().map(|n| n.min(65_535) as u16);
        for window in PLAIN.into_iter().chain(values) {
            candidates.push(with_segment(scenario, step, |s| s.window = window));
        }
    }
    candidates
}

/// Rounds what options announce.
pub(super) fn announcements(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let mut candidates = Vec::new();
    for (step, segment) in numbered(scenario) {
        for index in 0..segment.options.len() {
            let values: Vec<OptionSpec> = match &segment.options[index] {
                OptionSpec::MaximumSegmentSize(_) => {
                    [1_460, 1_000].map(OptionSpec::MaximumSegmentSize).to_vec()
                }
                OptionSpec::WindowScale(_) => [0, 7].map(OptionSpec::WindowScale).to_vec(),
                _ => continue,
            };
            for value in values {
                candidates.push(with_segment(scenario, step, |s| s.options[index] = value));
            }
        }
    }
    candidates
}

/// Fills the option area up with no-operations where people do: before the last option.
pub(super) fn alignment(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let mut candidates = Vec::new();
    for (step, _) in numbered(scenario) {
        candidates.push(with_segment(scenario, step, |segment| {
            let options = &mut segment.options;
            options.retain(|option| *option != OptionSpec::NoOperation);
            if let Some(last) = options.pop() {
                let octets = option_octets(options) + option_octets(std::slice::from_ref(&last));
                let fill = octets.wrapping_neg() % 4;
                options.extend(std::iter::repeat_n(OptionSpec::NoOperation, fill));
                options.push(last);
            }
        }));
    }
    candidates
}

/// Lets all echoes fit what is acknowledged. Where emissions share a TSval, a scenario may name another one of them than
/// its honest peer meant.
pub(super) fn plain_echoes(scenario: &Scenario, seen: &[Seen]) -> Vec<Scenario> {
    let mut all = scenario.clone();
    for (step, it) in all.steps.iter_mut().enumerate() {
        if let Step::Segment(segment) = it {
            fit_echo(segment, seen.get(step));
        }
    }
    vec![all]
}

/// Lets echoes fit what is acknowledged, all or one at a time, and acknowledgments repeat the one before.
pub(super) fn echoes_and_acks(scenario: &Scenario, seen: &[Seen]) -> Vec<Scenario> {
    let fit = |step: usize, segment: &mut SegmentSpec| fit_echo(segment, seen.get(step));
    let mut candidates = plain_echoes(scenario, seen);
    let mut previous = 1;
    for (step, segment) in numbered(scenario) {
        candidates.push(with_segment(scenario, step, |s| fit(step, s)));
        for ack in [1, previous] {
            candidates.push(with_segment(scenario, step, |s| s.ack = ack));
            candidates.push(with_segment(scenario, step, |s| {
                s.ack = ack;
                fit(step, s);
            }));
        }
        previous = segment.ack;
    }
    candidates
}

fn fit_echo(segment: &mut SegmentSpec, seen: Option<&Seen>) {
    let Some(seen) = seen else { return };
    let echo = plain_echo(segment, seen);
    for option in &mut segment.options {
        if let OptionSpec::Timestamps { tsecr, .. } = option {
            *tsecr = echo;
        }
    }
}

/// What an honest peer echoes in `segment`.
pub(super) fn plain_echo(segment: &SegmentSpec, seen: &Seen) -> Echo {
    if segment.flags.contains(Flags::ACK) {
        Echo::Emission(seen.echoed_with(segment.ack))
    } else {
        Echo::Value(0)
    }
}

/// Rounds the initial sequence number, reads and settings.
pub(super) fn values(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let mut candidates: Vec<Scenario> = [0, 1_000]
        .map(|isn| {
            let mut candidate = scenario.clone();
            candidate.setup.isn = isn;
            candidate
        })
        .to_vec();
    for (index, sysctl) in scenario.setup.sysctls.iter().enumerate() {
        for plain in plainer_sysctl(*sysctl) {
            let mut candidate = scenario.clone();
            candidate.setup.sysctls[index] = plain;
            candidates.push(candidate);
        }
    }
    for (index, option) in scenario.setup.socket_options.iter().enumerate() {
        for plain in plainer_option(*option) {
            let mut candidate = scenario.clone();
            candidate.setup.socket_options[index] = plain;
            candidates.push(candidate);
        }
    }
    for (step, it) in scenario.steps.iter().enumerate() {
        let Step::Call(call) = it else { continue };
        let plain: Vec<Call> = match *call {
            Call::Read(octets) => plainer(octets).into_iter().map(Call::Read).collect(),
            Call::Set(option) => plainer_option(option).into_iter().map(Call::Set).collect(),
            Call::Sysctl(sysctl) => plainer_sysctl(sysctl)
                .into_iter()
                .map(Call::Sysctl)
                .collect(),
            _ => continue,
        };
        for call in plain {
            let mut candidate = scenario.clone();
            candidate.steps[step] = Step::Call(call);
            candidates.push(candidate);
        }
    }
    candidates
}

/// Octets that `options` take on the wire, before any padding.
pub(super) fn option_octets(options: &[OptionSpec]) -> usize {
    let octets = |option: &OptionSpec| match option {
        OptionSpec::EndOfList | OptionSpec::NoOperation => 1,
        OptionSpec::MaximumSegmentSize(_) => 4,
        OptionSpec::WindowScale(_) => 3,
        OptionSpec::SackPermitted => 2,
        OptionSpec::Sack(blocks) => 2 + 8 * blocks.len(),
        OptionSpec::Timestamps { .. } => 10,
        OptionSpec::Raw(bytes) => bytes.len(),
    };
    options.iter().map(octets).sum()
}

fn map_tsvals(scenario: &Scenario, map: impl Fn(u32) -> u32) -> Scenario {
    each_segment(scenario, |segment| {
        for option in &mut segment.options {
            if let OptionSpec::Timestamps { tsval, .. } = option {
                *tsval = map(*tsval);
            }
        }
    })
}

fn plainer_sysctl(sysctl: Sysctl) -> Vec<Sysctl> {
    let Sysctl::ReceiveMemory(least, default, most) = sysctl else {
        return Vec::new();
    };
    let mut plain = vec![
        Sysctl::ReceiveMemory(4_096, 131_072, 6_291_456),
        Sysctl::ReceiveMemory(4_096, default, most),
        Sysctl::ReceiveMemory(least, default, 6_291_456),
        Sysctl::ReceiveMemory(least, 131_072, most),
    ];
    let rounded = plainer(default).into_iter();
    plain.extend(rounded.map(|default| Sysctl::ReceiveMemory(least, default, most.max(default))));
    let rounded = plainer(most).into_iter();
    plain.extend(rounded.map(|most| Sysctl::ReceiveMemory(least, default.min(most), most)));
    plain
}

fn plainer_option(option: SocketOption) -> Vec<SocketOption> {
    match option {
        SocketOption::ReceiveBuffer(octets) => map_plainer(octets, SocketOption::ReceiveBuffer),
        SocketOption::ReceiveLowWater(octets) => map_plainer(octets, SocketOption::ReceiveLowWater),
        SocketOption::WindowClamp(octets) => map_plainer(octets, SocketOption::WindowClamp),
        SocketOption::KeepIdle(seconds) => map_plainer(seconds, SocketOption::KeepIdle),
        SocketOption::UserTimeout(by) => map_plainer(by, SocketOption::UserTimeout),
        SocketOption::NoDelay(_)
        | SocketOption::QuickAck(_)
        | SocketOption::KeepAlive(_)
        | SocketOption::TrafficClass(_)
        | SocketOption::UrgentInline(_)
        | SocketOption::TimeToLive(_) => Vec::new(),
    }
}

fn map_plainer(octets: u32, make: impl Fn(u32) -> SocketOption) -> Vec<SocketOption> {
    plainer(octets).into_iter().map(make).collect()
}

/// Numbers near `number` with fewer significant digits.
fn plainer(number: u32) -> Vec<u32> {
    let mut plain = Vec::new();
    let units = std::iter::successors(Some(10_u32), |unit| unit.checked_mul(10));
    for unit in units.take_while(|unit| *unit <= number) {
        let down = number - number % unit;
        plain.extend([down, down.saturating_add(unit)]);
    }
    plain.retain(|&candidate| digits(candidate) < digits(number));
    plain.reverse();
    plain
}

fn shorter_than(octets: u32) -> Vec<u32> {
    let mut shorter = vec![0, 1, octets / 4, octets / 2, octets.saturating_sub(1)];
    shorter.retain(|&candidate| candidate < octets);
    shorter.dedup();
    shorter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plainer_numbers_have_fewer_digits_and_the_plainest_come_first() {
        let plain = plainer(65_021);
        assert_eq!(plain.first(), Some(&70_000));
        assert!(plain.contains(&65_020) && plain.iter().all(|&n| digits(n) < 5));
    }

    #[test]
    fn the_largest_number_has_plainer_ones_and_an_end() {
        assert_eq!(plainer(u32::MAX).first(), Some(&4_000_000_000));
    }

    #[test]
    fn respaced_timestamps_keep_their_order_and_what_is_equal() {
        let at = |tsval| {
            Step::Segment(SegmentSpec {
                options: vec![OptionSpec::Timestamps {
                    tsval,
                    tsecr: Echo::Emission(0),
                }],
                ..Default::default()
            })
        };
        let scenario = Scenario {
            steps: vec![at(u32::MAX - 5), at(90), at(7), at(90)],
            ..Default::default()
        };
        let spaced = &timestamps(&scenario, &[])[0];
        let tsvals: Vec<_> = spaced.segments().filter_map(|s| s.tsval()).collect();
        assert_eq!(tsvals, [100, 300, 200, 300]);
    }
}
