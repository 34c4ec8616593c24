//! Who can provoke what a run showed, whatever the stack's clock did meanwhile.
//! RFC 7323 section 5.4: a timestamp clock may tick between any two segments.

use ackward_model::{Event, Origin, Segment, TcpOption, Trace, TsVal};
use ackward_oracle::Reach;
use ackward_scenario::{Echo, OptionSpec, Step};

/// The reach of `trace`, in which `steps` were done. Where it hangs on two emissions having the same TSval, because the
/// clock did not tick between them, another run may look otherwise: the worse one counts.
pub fn reach(trace: &Trace, steps: &[Step]) -> Reach {
    match ackward_oracle::reach(trace) {
        Reach::Network => ackward_oracle::reach(&ticked(trace, steps)),
        Reach::Peer => Reach::Peer,
    }
}

/// `trace` as it would be had the stack's clock ticked once more before each emission.
fn ticked(trace: &Trace, steps: &[Step]) -> Trace {
    let mut ticked = trace.clone();
    let mut tsvals: Vec<TsVal> = Vec::new();
    for entry in &mut ticked.entries {
        match &mut entry.event {
            Event::Out(segment) => {
                let ticks = tsvals.len() as u32;
                let before = tsvals.last().copied().unwrap_or_default();
                let tsval = stamps(segment).map(|(tsval, _)| {
                    *tsval = *tsval + ticks;
                    *tsval
                });
                tsvals.push(tsval.unwrap_or(before));
            }
            Event::In(segment, Origin::Step(step)) => {
                let echoed = steps.get(*step).and_then(echoed_emission);
                let tsval = echoed.and_then(|k| tsvals.get(k).or(tsvals.last()));
                if let (Some(tsval), Some((_, tsecr))) = (tsval, stamps(segment)) {
                    *tsecr = *tsval;
                }
            }
            _ => {}
        }
    }
    ticked
}

/// The emission whose TSval `step` echoes.
fn echoed_emission(step: &Step) -> Option<usize> {
    let Step::Segment(segment) = step else {
        return None;
    };
    segment.options.iter().find_map(|option| match option {
        OptionSpec::Timestamps {
            tsecr: Echo::Emission(k),
            ..
        } => Some(*k as usize),
        _ => None,
    })
}

/// TSval and TSecr.
fn stamps(segment: &mut Segment) -> Option<(&mut TsVal, &mut TsVal)> {
    segment
        .options
        .0
        .iter_mut()
        .find_map(|option| match option {
            TcpOption::Timestamps { tsval, tsecr } => Some((tsval, tsecr)),
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use ackward_model::{Flags, Options, SeqNum, WindowField};
    use ackward_scenario::SegmentSpec;

    use super::*;

    /// Text of the stack is acknowledged by text that overtook the text before it; that one echoes emission `last`. The
    /// stack's clock stands still.
    fn overtaken(last: u32) -> (Trace, Vec<Step>) {
        let (mut trace, mut steps) = (Trace::default(), Vec::new());
        let mut peer = |trace: &mut Trace, flags, seq: u32, len: u32, ack: u32, tsval, echoes| {
            let tsecr = Echo::Emission(echoes);
            steps.push(Step::Segment(SegmentSpec {
                options: vec![OptionSpec::Timestamps { tsval, tsecr }],
                ..SegmentSpec::default()
            }));
            let tsecr = if flags == Flags::SYN { 0 } else { CLOCK };
            let segment = segment(flags, (seq, len), 1_000_000 + ack, (tsval, tsecr));
            trace.push(0, Event::In(segment, Origin::Step(steps.len() - 1)));
        };
        let stack = |trace: &mut Trace, flags, seq: u32, len, ack| {
            let segment = segment(flags, (1_000_000 + seq, len), ack, (CLOCK, 100));
            trace.push(0, Event::Out(segment));
        };
        peer(&mut trace, Flags::SYN, 0, 0, 0, 100, 0);
        stack(&mut trace, Flags::SYN | Flags::ACK, 0, 0, 1);
        peer(&mut trace, Flags::ACK, 1, 0, 1, 100, 0);
        stack(&mut trace, Flags::ACK, 1, 17, 1);
        peer(&mut trace, Flags::ACK, 18, 17, 18, 300, 1);
        stack(&mut trace, Flags::ACK, 18, 0, 1);
        peer(&mut trace, Flags::ACK, 1, 17, 1, 200, last);
        (trace, steps)
    }

    fn segment(flags: Flags, text: (u32, u32), ack: u32, stamp: (u32, u32)) -> Segment {
        Segment {
            carrier: ackward_model::Carrier::default(),
            damaged: false,
            seq: SeqNum(text.0),
            ack: SeqNum(ack),
            flags,
            window: WindowField(20_000),
            urgent: 0,
            options: Options(vec![TcpOption::Timestamps {
                tsval: TsVal(stamp.0),
                tsecr: TsVal(stamp.1),
            }]),
            payload: vec![0; text.1 as usize],
        }
    }

    const CLOCK: u32 = 7_000;

    #[test]
    fn an_echo_that_is_honest_whenever_the_clock_ticks_is_honest() {
        let (trace, steps) = overtaken(0);
        assert_eq!(reach(&trace, &steps), Reach::Network);
    }

    #[test]
    fn an_echo_that_is_honest_only_while_the_clock_stands_is_not() {
        let (trace, steps) = overtaken(2);
        assert_eq!(ackward_oracle::reach(&trace), Reach::Network);
        assert_eq!(reach(&trace, &steps), Reach::Peer);
    }
}
