//! Makes any plan one that can be played: within bounds, opened by a SYN, without what cannot happen.
//! Normalizing twice is normalizing once.

use ackward_endpoint::TsClock;
use ackward_model::{Call, Flags, Micros, OpenMode, SocketOption, Sysctl};

use crate::conversation::MAX_MOVES;
use crate::{Family, Move, OptionSpec, Plan, SegmentSpec, Setup, Step};

/// What a link of 1,500 octets leaves for the TCP segment.
const LINK: usize = 1_500;
/// Octets a call may write or read.
const MAX_CALL: u32 = 1 << 18;
/// A plan waits once and no longer than this.
const MAX_PLAN_WAIT: Micros = 100_000;
/// The peer's clock may not go half around: then old and new would change places.
const MAX_TICKS: u32 = (1 << 31) - (1 << 28);
const MAX_EDITS: usize = 4;

impl Plan {
    /// Repairs the plan.
    pub fn normalize(&mut self) {
        normalize_setup(&mut self.setup);
        self.peer.opens_too &= self.setup.open == OpenMode::Active;
        self.peer.buffer = self.peer.buffer.clamp(1, 1 << 30);
        self.peer.offer.mss = self.peer.offer.mss.map(|mss| mss.max(1));
        self.peer.clock = match self.peer.clock {
            TsClock::PerSegment { step } => TsClock::PerSegment {
                step: step.clamp(3, 1 << 20),
            },
            TsClock::Coarse { share } => TsClock::Coarse {
                share: share.clamp(1, 16),
            },
        };
        self.keep_possible_moves();
        if self.setup.open == OpenMode::Passive && !self.moves.first().is_some_and(opens) {
            self.moves.insert(0, Move::DeliverToStack(0));
        }
        self.moves.truncate(MAX_MOVES);
    }

    fn keep_possible_moves(&mut self) {
        let (open, link) = (self.setup.open, Link::of(&self.setup));
        let mut calls = Calls::new(open);
        let (mut ticks, mut waits) = (MAX_TICKS, 1);
        let mut may_wait = |by: &mut Micros| {
            *by = (*by).min(MAX_PLAN_WAIT);
            let may = waits > 0 && *by > 0;
            waits -= u32::from(may);
            may
        };
        self.moves.retain_mut(|next| match next {
            Move::Call(call) | Move::Step(Step::Call(call)) => calls.keep(call),
            Move::Wait(by) | Move::Step(Step::Wait(by)) => may_wait(by),
            Move::PeerClock(by) => {
                *by = (*by).min(ticks);
                ticks -= *by;
                *by > 0
            }
            Move::PeerWrite(octets) | Move::PeerWriteUrgent(octets) => *octets > 0,
            Move::DeliverEdited { edits, .. } => {
                edits.truncate(MAX_EDITS);
                true
            }
            Move::Step(Step::Segment(segment)) => {
                fit_segment(link, segment);
                true
            }
            _ => true,
        });
    }
}

/// What of a case's circumstances bears on its segments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    family: Family,
    /// Urgent text stays in the stream.
    urgent: bool,
}

impl Link {
    pub(crate) fn of(setup: &Setup) -> Link {
        let inline = SocketOption::UrgentInline(true);
        Link {
            family: setup.family,
            urgent: setup.socket_options.contains(&inline),
        }
    }
}

/// Cuts options and text to what fits on the link. URG goes where the application takes urgent text out of the stream, which
/// the RFCs do not know.
pub(crate) fn fit_segment(link: Link, segment: &mut SegmentSpec) {
    let family = link.family;
    if !link.urgent {
        segment.flags = segment.flags.without(Flags::URG);
    }
    if !segment.flags.contains(Flags::URG) {
        segment.urgent = 0;
    }
    let mut area = 0;
    let fitting = segment.options.iter_mut().position(|option| {
        if let OptionSpec::Sack(blocks) = option {
            blocks.truncate(4);
        }
        area += option.wire_len();
        area > 40
    });
    if let Some(fitting) = fitting {
        area -= segment.options[fitting].wire_len();
        segment.options.truncate(fitting);
    }
    let ip = match family {
        Family::V4 | Family::Mapped => 20,
        Family::V6 => 40,
    };
    let room = LINK - ip - 20 - area.next_multiple_of(4);
    segment.len = segment.len.min(room as u16);
}

/// Which calls can happen: none before the peer's SYN was sent at least, none after the socket is closed.
struct Calls {
    open: OpenMode,
    closed: bool,
}

impl Calls {
    fn new(open: OpenMode) -> Calls {
        Calls {
            open,
            closed: false,
        }
    }

    fn keep(&mut self, call: &mut Call) -> bool {
        if self.closed && !matches!(call, Call::Sysctl(_)) {
            return false;
        }
        match call {
            // The driver connects.
            Call::Connect => return false,
            Call::Accept => return self.open == OpenMode::Passive,
            Call::Write(octets) | Call::WriteUrgent(octets) | Call::Read(octets) => {
                *octets = (*octets).clamp(1, MAX_CALL)
            }
            Call::Close => self.closed = true,
            Call::Set(option) => fit_option(option),
            // It means connections to come.
            Call::Sysctl(Sysctl::SynCookies(_)) => return false,
            Call::Sysctl(sysctl) => fit_sysctl(sysctl),
            Call::ShutdownWrite | Call::Listen | Call::Urgent => {}
        }
        true
    }
}

fn normalize_setup(setup: &mut Setup) {
    setup.sysctls.iter_mut().for_each(fit_sysctl);
    setup.socket_options.iter_mut().for_each(fit_option);
    keep_first_of_a_kind(&mut setup.sysctls);
    keep_first_of_a_kind(&mut setup.socket_options);
}

fn keep_first_of_a_kind<T>(settings: &mut Vec<T>) {
    let mut kinds = Vec::new();
    settings.retain(|setting| {
        let kind = std::mem::discriminant(setting);
        let first = !kinds.contains(&kind);
        kinds.extend(first.then_some(kind));
        first
    });
}

fn fit_option(option: &mut SocketOption) {
    match option {
        SocketOption::ReceiveBuffer(octets)
        | SocketOption::ReceiveLowWater(octets)
        | SocketOption::WindowClamp(octets) => *octets = (*octets).clamp(1, i32::MAX as u32),
        SocketOption::KeepIdle(seconds) => *seconds = (*seconds).clamp(1, 32_767),
        SocketOption::UserTimeout(by) => *by = (*by).min(i32::MAX as u32),
        // The two lowest bits belong to ECN, and a datagram must get to the peer.
        SocketOption::TrafficClass(class) => *class &= 0xfc,
        SocketOption::TimeToLive(hops) => *hops = (*hops).max(1),
        SocketOption::UrgentInline(on) => *on = true,
        SocketOption::NoDelay(_) | SocketOption::QuickAck(_) | SocketOption::KeepAlive(_) => {}
    }
}

fn fit_sysctl(sysctl: &mut Sysctl) {
    if let Sysctl::ReceiveMemory(least, usual, most) = sysctl {
        let mut sizes = [*least, *usual, *most].map(|size| size.clamp(4_096, i32::MAX as u32));
        sizes.sort_unstable();
        [*least, *usual, *most] = sizes;
    }
}

fn opens(first: &Move) -> bool {
    match first {
        Move::DeliverToStack(_) | Move::RepeatToStack(_) | Move::DeliverEdited { .. } => true,
        Move::Step(Step::Segment(segment)) => is_syn(segment),
        _ => false,
    }
}

fn is_syn(segment: &SegmentSpec) -> bool {
    segment.flags.contains(Flags::SYN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arbitrary::{Arbitrary, Unstructured};
    use quickcheck::quickcheck;

    quickcheck! {
        fn a_normal_plan_stays_as_it_is(octets: Vec<u8>) -> bool {
            let mut plan = Plan::arbitrary(&mut Unstructured::new(&octets)).unwrap_or_default();
            plan.normalize();
            let once = plan.clone();
            plan.normalize();
            plan == once && plan.moves.len() <= MAX_MOVES
        }
    }

    #[test]
    fn text_leaves_room_for_the_options() {
        let mut segment = SegmentSpec {
            len: u16::MAX,
            options: vec![OptionSpec::Timestamps {
                tsval: 1,
                tsecr: crate::Echo::Value(0),
            }],
            ..SegmentSpec::default()
        };
        fit_segment(
            Link {
                family: Family::V4,
                urgent: false,
            },
            &mut segment,
        );
        assert_eq!(segment.len, 1448);
        fit_segment(
            Link {
                family: Family::V6,
                urgent: false,
            },
            &mut segment,
        );
        assert_eq!(segment.len, 1428);
    }

    #[test]
    fn nothing_is_called_after_close() {
        let calls = [Call::Write(1), Call::Close, Call::Read(1), Call::Connect];
        let mut plan = Plan {
            moves: calls.map(Move::Call).to_vec(),
            ..Plan::default()
        };
        plan.normalize();
        let kept = &plan.moves[1..];
        assert_eq!(kept, [Call::Write(1), Call::Close].map(Move::Call));
    }
}
