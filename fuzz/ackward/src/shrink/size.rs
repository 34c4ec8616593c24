//! Which of two scenarios is the smaller one.
//! The order of the fields is the order of what counts: a later field matters only where all earlier ones are equal.

use ackward_model::{Address, Call, Flags, Micros, OpenMode, SeqNum, SocketOption, Sysctl};
use ackward_oracle::{Divergence, Reach};
use ackward_scenario::{OptionSpec, Scenario, SegmentSpec, Step};

use super::numbers::{option_octets, plain_echo};
use super::seen;
use crate::settings::{self, Settings};
use crate::trial::Observation;

/// The size of a scenario that shows a root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Size {
    /// Who can provoke it.
    pub reach: Reach,
    /// How ordinary its settings are.
    pub settings: Settings,
    /// How many settings leave their default.
    pub touched: u32,
    /// Who opens.
    pub open: OpenMode,
    /// Application calls.
    pub calls: u32,
    /// Injected segments, SYN and handshake ACK included.
    pub segments: u32,
    /// Whether it takes the reveal, which is no part of the scenario, to show the root.
    pub revealed: bool,
    /// Octets of text, both ways.
    pub octets: u64,
    /// Options and control bits beside ACK.
    pub trimmings: u32,
    /// Microseconds of waiting.
    pub waiting: Micros,
    /// Significant decimal digits of all numbers.
    pub digits: u32,
}

/// What the smallest scenario is wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// To be exported: the one that most people can meet.
    MostReachable,
    /// To be read: the one with the fewest injected segments.
    Shortest,
}

impl Goal {
    /// Whether `a` serves the goal better than `b`.
    pub fn prefers(self, a: &Size, b: &Size) -> bool {
        match self {
            Goal::MostReachable => a < b,
            Goal::Shortest => (a.segments, a) < (b.segments, b),
        }
    }
}

impl Size {
    /// The size of `scenario`, which showed `divergence` when it ran.
    pub fn of(scenario: &Scenario, observation: &Observation, divergence: &Divergence) -> Size {
        let isn = SeqNum(scenario.setup.isn);
        let seen = seen::before_each_step(&observation.trace, isn, scenario.steps.len());
        let mut size = Size {
            reach: observation.reach(),
            revealed: observation.revealed(divergence),
            ..Size::at_least(scenario)
        };
        for (step, it) in scenario.steps.iter().enumerate() {
            let (Step::Segment(segment), Some(seen)) = (it, seen.get(step)) else {
                continue;
            };
            for option in &segment.options {
                if let OptionSpec::Timestamps { tsecr, .. } = option {
                    let plain = *tsecr == plain_echo(segment, seen);
                    size.digits += u32::from(!plain) * ODD_ECHO;
                }
            }
        }
        size
    }

    /// What the size of `scenario` cannot fall below, whatever it shows.
    pub(super) fn at_least(scenario: &Scenario) -> Size {
        let mut size = Size {
            reach: Reach::Network,
            settings: Settings::of(scenario),
            touched: settings::touched(scenario),
            open: scenario.setup.open,
            calls: 0,
            segments: 0,
            revealed: false,
            octets: 0,
            trimmings: 0,
            waiting: 0,
            digits: digits(scenario.setup.isn),
        };
        for sysctl in &scenario.setup.sysctls {
            size.digits += sysctl_digits(*sysctl);
        }
        for option in &scenario.setup.socket_options {
            size.digits += option_digits(*option);
        }
        let mut end = 0;
        for step in &scenario.steps {
            match step {
                Step::Segment(segment) => {
                    size.add_segment(segment, end);
                    end = segment.seq.wrapping_add(segment.sequence_len());
                }
                Step::Call(call) => size.add_call(*call),
                Step::Wait(micros) => size.waiting += *micros,
                Step::Icmp(_) => size.segments += 1,
            }
        }
        size
    }

    /// Adds a segment; the one before it ended at `end`.
    fn add_segment(&mut self, segment: &SegmentSpec, end: u32) {
        let SegmentSpec {
            flags,
            seq,
            ack,
            window,
            urgent,
            len,
            copy,
            options,
            damaged,
            ip_option,
            address,
        } = segment;
        let beside_ack = flags.0 & !(Flags::ACK.0 | Flags::SYN.0);
        self.segments += 1;
        self.octets += u64::from(*len);
        self.trimmings += beside_ack.count_ones()
            + u32::from(*copy != 0)
            + digits(u32::from(*urgent))
            + u32::from(*damaged)
            + u32::from(*ip_option)
            + u32::from(*address != Address::Right);
        // A number that follows from the lengths before it is as plain as can be; so is a gap of a plain size.
        let gap = (seq.wrapping_sub(end) as i32).unsigned_abs();
        self.digits += digits(gap) + digits(*ack) + window_digits(*window);
        let fill = options
            .iter()
            .filter(|o| **o == OptionSpec::NoOperation)
            .count() as u32;
        let ragged = !option_octets(options).is_multiple_of(4);
        let permits = options.contains(&OptionSpec::SackPermitted);
        // An ordinary SYN permits SACK, and no other segment does.
        self.trimmings += u32::from(permits != flags.contains(Flags::SYN));
        self.trimmings +=
            options.len() as u32 - fill - u32::from(permits) + u32::from(ragged) + fill / 4;
        for option in options {
            self.digits += match option {
                OptionSpec::EndOfList | OptionSpec::NoOperation | OptionSpec::SackPermitted => 0,
                OptionSpec::MaximumSegmentSize(mss) => digits(u32::from(*mss)),
                OptionSpec::WindowScale(shift) => digits(u32::from(*shift)),
                OptionSpec::Sack(blocks) => {
                    self.trimmings += blocks.len() as u32;
                    0
                }
                OptionSpec::Timestamps { tsval, .. } => tsval_digits(*tsval),
                OptionSpec::Raw(bytes) => bytes.len() as u32,
            };
        }
    }

    fn add_call(&mut self, call: Call) {
        self.calls += 1;
        match call {
            Call::Write(octets) | Call::WriteUrgent(octets) => self.octets += u64::from(octets),
            Call::Read(octets) => self.digits += digits(octets),
            Call::Set(option) => self.digits += option_digits(option),
            Call::Sysctl(sysctl) => self.digits += sysctl_digits(sysctl),
            Call::Connect
            | Call::Accept
            | Call::ShutdownWrite
            | Call::Close
            | Call::Urgent
            | Call::Listen => {}
        }
    }
}

fn sysctl_digits(sysctl: Sysctl) -> u32 {
    match sysctl {
        Sysctl::ReceiveMemory(least, default, most) => {
            digits(least) + digits(default) + digits(most)
        }
        _ => 0,
    }
}

fn option_digits(option: SocketOption) -> u32 {
    match option {
        SocketOption::ReceiveBuffer(octets)
        | SocketOption::ReceiveLowWater(octets)
        | SocketOption::WindowClamp(octets) => digits(octets),
        SocketOption::KeepIdle(seconds) => digits(seconds),
        SocketOption::UserTimeout(by) => digits(by),
        SocketOption::TrafficClass(value) | SocketOption::TimeToLive(value) => {
            digits(u32::from(value))
        }
        SocketOption::NoDelay(_)
        | SocketOption::QuickAck(_)
        | SocketOption::KeepAlive(_)
        | SocketOption::UrgentInline(_) => 0,
    }
}

/// The largest window says nothing in particular; a closed one says a lot.
fn window_digits(window: u16) -> u32 {
    match window {
        0 => 5,
        u16::MAX => 0,
        other => digits(u32::from(other)),
    }
}

/// A timestamp of zero says a lot: some stacks take it for one that was never set.
fn tsval_digits(tsval: u32) -> u32 {
    if tsval == 0 { 5 } else { digits(tsval) }
}

/// An echo that no honest peer would send there weighs like so many digits.
const ODD_ECHO: u32 = 10;

/// Significant decimal digits; numbers that every reader knows count as one.
pub(super) fn digits(mut number: u32) -> u32 {
    if matches!(number, 1_460 | 4_096 | 65_535 | 131_072 | 6_291_456) {
        return 1;
    }
    if number == 0 {
        return 0;
    }
    while number.is_multiple_of(10) {
        number /= 10;
    }
    number.ilog10() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size() -> Size {
        Size::at_least(&Scenario::default())
    }

    #[test]
    fn an_earlier_term_outweighs_all_later_ones() {
        let ordinary = Size {
            settings: Settings::Ordinary,
            ..size()
        };
        let long = Size {
            segments: 100,
            octets: 1 << 40,
            ..size()
        };
        assert!(long < ordinary);
    }

    #[test]
    fn a_network_scenario_is_smaller_than_a_shorter_one_of_a_rule_breaker() {
        let network = Size {
            segments: 9,
            reach: Reach::Network,
            ..size()
        };
        let peer = Size {
            segments: 3,
            reach: Reach::Peer,
            ..size()
        };
        assert!(Goal::MostReachable.prefers(&network, &peer));
        assert!(Goal::Shortest.prefers(&peer, &network));
    }

    #[test]
    fn passive_is_smaller_than_active_unless_the_shortest_is_wanted() {
        let passive = Size {
            segments: 4,
            ..size()
        };
        let active = Size {
            segments: 3,
            open: OpenMode::Active,
            ..size()
        };
        assert!(Goal::MostReachable.prefers(&passive, &active));
        assert!(Goal::Shortest.prefers(&active, &passive));
    }

    #[test]
    fn round_numbers_are_plain() {
        assert_eq!(
            [0, 7, 1_000, 20_000, 65_535, 65_534].map(digits),
            [0, 1, 1, 1, 1, 5]
        );
    }
}
