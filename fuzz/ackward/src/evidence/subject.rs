//! What a script holds against the stack: the field that is wrong at the diverging event, and its right value.
//!
//! The oracle hands over echoes and window edges as values. Of other fields it says what is right in words and in relative
//! numbers; those that name one right value are read here.

use ackward_model::{Entry, Event, Flags, Segment, SeqNum, Trace};
use ackward_oracle::{Divergence, EventKind, Facts};
use ackward_packetdrill::{OptionKind, Subject};

/// The subject of a script about `divergence`, which `trace` shows.
pub(super) fn subject(trace: &Trace, divergence: &Divergence) -> Subject {
    match &divergence.facts {
        Facts::Echo { allowed, observed } => Subject::Echo {
            allowed: allowed.clone(),
            observed: *observed,
        },
        Facts::BeyondWindow { edge, .. } if passed(trace, divergence.entry, *edge) => other(
            "an answer before it reports text past the edge already, so a right stack fails there",
        ),
        Facts::BeyondWindow { edge, taken } => Subject::BeyondWindow {
            edge: *edge,
            taken: *taken,
        },
        Facts::Other => match divergence.kind {
            EventKind::Emission => field(trace, divergence).unwrap_or_else(|| {
                other("a right stack may do several things here, and no one line says them all")
            }),
            EventKind::Silence => Subject::Silence,
            EventKind::Call => {
                other("several results of the call would be right, and a script names one")
            }
            EventKind::Inspection => report(divergence).unwrap_or_else(|| {
                other("only what the stack says about itself is wrong, and no packet shows it")
            }),
        },
    }
}

/// Whether a SACK block emitted before `entry` passes `edge`.
fn passed(trace: &Trace, entry: usize, edge: SeqNum) -> bool {
    trace.entries[..entry]
        .iter()
        .any(|entry| match &entry.event {
            Event::Out(segment) => {
                let mut blocks = segment.options.sack().iter();
                blocks.any(|block| block.right.after(edge))
            }
            _ => false,
        })
}

/// The field of the diverging segment that is wrong, where one value is right.
fn field(trace: &Trace, divergence: &Divergence) -> Option<Subject> {
    let Event::Out(segment) = &trace.entries.get(divergence.entry)?.event else {
        return None;
    };
    // Without a connection the segment itself is too many, whatever is in it.
    if matches!(divergence.state, "CLOSED" | "LISTEN") {
        return None;
    }
    // The oracle counts from the peer's initial number.
    let irs = peer_syn(trace)?.seq;
    match divergence.allowed.as_str() {
        "a timestamps option" => return Some(Subject::MissingTimestamps),
        "no timestamps option" => {
            return Some(unwanted(OptionKind::Timestamps, trace, segment));
        }
        "no window scale option" => {
            return Some(unwanted(OptionKind::WindowScale, trace, segment));
        }
        "no block but one that repeats what is acknowledged" => {
            return Some(Subject::Blocks { held: Vec::new() });
        }
        _ => {}
    }
    let words: Vec<&str> = divergence.allowed.split([' ', ',']).collect();
    match words.as_slice() {
        // Until the handshake is complete a wrong acknowledgment is no matter of one field: a RST may be due instead.
        ["ack", _] if matches!(divergence.state, "SYN-SENT" | "SYN-RECEIVED") => {
            reset(trace, divergence)
        }
        ["ack", right] => Some(Subject::Acknowledgment {
            right: irs + number(right)?,
        }),
        ["no", "SACK", "option", ..] => Some(Subject::Unwanted(vec![OptionKind::Sack])),
        ["blocks", "within", held @ ..] => {
            let range = |text: &&str| {
                let (left, right) = text.split_once(':')?;
                Some((irs + number(left)?, irs + number(right)?))
            };
            let held = held.iter().map(range).collect::<Option<_>>()?;
            Some(Subject::Blocks { held })
        }
        ["a", "right", "edge", "at", edge, ..] => {
            let granularity = number(words.iter().skip_while(|word| **word != "than").nth(1)?)?;
            let room = (irs + number(edge)?).distance_from(segment.ack);
            let least = u32::try_from(room).ok()? / granularity.max(1);
            Some(Subject::Window {
                least: u16::try_from(least).ok()?,
            })
        }
        _ => None,
    }
}

/// The RST that the rule of SYN-RECEIVED asks for, where the segment just before is the first that does not even
/// acknowledge the stack's SYN.
fn reset(trace: &Trace, divergence: &Divergence) -> Option<Subject> {
    if divergence.rule.id != "9293:SYN-RCVD-ack" {
        return None;
    }
    let syn = trace.emissions().find(|segment| segment.has(Flags::SYN))?;
    let acknowledgments = |entry: &Entry| match &entry.event {
        Event::In(segment, _) => Some(segment.has(Flags::ACK).then_some(segment.ack)),
        _ => None,
    };
    let before = &trace.entries[..divergence.entry];
    let mut latest_first = before.iter().rev().filter_map(acknowledgments);
    let seq = latest_first.next()??;
    let of_nothing = |ack: SeqNum| ack.at_or_before(syn.seq);
    let first = !latest_first.flatten().any(of_nothing);
    (of_nothing(seq) && first).then_some(Subject::Reset { seq })
}

/// The figure of `TCP_INFO` that is too large.
fn report(divergence: &Divergence) -> Option<Subject> {
    let most = divergence.allowed.strip_prefix("tcpi_rcv_wnd up to ")?;
    Some(Subject::Report {
        name: "tcpi_rcv_wnd",
        most: number(most)?,
    })
}

/// The options that the segment may not carry: `named`, and in a SYN,ACK all that the peer's SYN did not offer.
fn unwanted(named: OptionKind, trace: &Trace, segment: &Segment) -> Subject {
    let offered = |kind: OptionKind| {
        let answered = peer_syn(trace).filter(|_| segment.has(Flags::SYN));
        answered.is_none_or(|syn| match kind {
            OptionKind::WindowScale => syn.options.window_scale().is_some(),
            OptionKind::Timestamps => syn.options.timestamps().is_some(),
            OptionKind::Sack => syn.options.sack_permitted(),
        })
    };
    if segment.options.sack_permitted() && !offered(OptionKind::Sack) {
        // What takes the other options out is likely to take this one out, too.
        return other(
            "the segment also permits SACK, which the peer did not offer: no rule speaks of that, so a right stack may \
             do either",
        );
    }
    let kinds = [OptionKind::WindowScale, OptionKind::Timestamps];
    let unwanted = kinds
        .into_iter()
        .filter(|kind| *kind == named || !offered(*kind));
    Subject::Unwanted(unwanted.collect())
}

fn peer_syn(trace: &Trace) -> Option<&Segment> {
    trace.entries.iter().find_map(|entry| match &entry.event {
        Event::In(segment, _) if segment.has(Flags::SYN) => Some(segment),
        _ => None,
    })
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok()
}

fn other(reason: &str) -> Subject {
    Subject::Other {
        reason: reason.to_owned(),
    }
}

/// What the words of the oracle are made of, so that a change of wording shows.
#[cfg(test)]
mod tests {
    use ackward_model::{
        OpenMode, Options, Origin, SackBlock, SackBlocks, Sample, TcpOption, TsVal, Window,
        WindowField, payload,
    };
    use ackward_oracle::{Judge, NoCoverage, Profile, Verdict};

    use super::*;

    const SYN_ACK: Flags = Flags(0x12);
    const STAMP: TcpOption = TcpOption::Timestamps {
        tsval: TsVal(7),
        tsecr: TsVal(7),
    };

    /// A connection whose SYN carries `offer` and is answered with `answer`.
    fn opened(offer: &[TcpOption], answer: &[TcpOption]) -> Trace {
        let mut trace = Trace::default();
        peer(&mut trace, Flags::SYN, (0, 0), offer);
        stack(&mut trace, SYN_ACK, (0, 1, 1_000), answer);
        let stamp: Vec<_> = offer.iter().filter(|o| **o == STAMP).cloned().collect();
        peer(&mut trace, Flags::ACK, (1, 1), &stamp);
        trace
    }

    fn peer(trace: &mut Trace, flags: Flags, (from, to): (u32, u32), options: &[TcpOption]) {
        let segment = Segment {
            carrier: ackward_model::Carrier::default(),
            damaged: false,
            seq: SeqNum(from),
            ack: SeqNum(if flags.contains(Flags::ACK) { 1 } else { 0 }),
            flags,
            window: WindowField(1_000),
            urgent: 0,
            options: Options(options.to_vec()),
            payload: payload::peer_text(from.saturating_sub(1), to - from, 0),
        };
        trace.push(0, Event::In(segment, Origin::Step(0)));
    }

    fn stack(
        trace: &mut Trace,
        flags: Flags,
        (seq, ack, window): (u32, u32, u16),
        options: &[TcpOption],
    ) {
        let mut options = options.to_vec();
        if flags.contains(Flags::SYN) {
            options.push(TcpOption::MaximumSegmentSize(1_460));
        }
        let segment = Segment {
            carrier: ackward_model::Carrier::default(),
            damaged: false,
            seq: SeqNum(seq),
            ack: SeqNum(ack),
            flags,
            window: WindowField(window),
            urgent: 0,
            options: Options(options),
            payload: Vec::new(),
        };
        trace.push(0, Event::Out(segment));
    }

    /// What a script about the first divergence of `trace` asserts.
    fn judged(trace: &Trace) -> Subject {
        let profile = Profile::named("rfc").expect("it is built in");
        match Judge::new(&profile).judge(trace, &mut NoCoverage) {
            Verdict::Diverges(divergences) => subject(trace, &divergences[0]),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_wrong_acknowledgment_number_is_known_with_the_right_one() {
        let mut trace = opened(&[], &[]);
        peer(&mut trace, Flags::ACK, (1, 11), &[]);
        stack(&mut trace, Flags::ACK, (1, 12, 1_000), &[]);
        let right = SeqNum(11);
        assert_eq!(judged(&trace), Subject::Acknowledgment { right });
    }

    /// SYNs cross; then the peer's text acknowledges `acked`, none of it the stack's SYN, and the stack takes it.
    fn crossed(acked: &[u32]) -> Subject {
        let mut trace = Trace {
            open: OpenMode::Active,
            ..Trace::default()
        };
        stack(&mut trace, Flags::SYN, (0, 0, 1_000), &[]);
        peer(&mut trace, Flags::SYN, (0, 0), &[]);
        stack(&mut trace, SYN_ACK, (0, 1, 1_000), &[]);
        for ack in acked {
            peer(&mut trace, Flags::ACK, (1, 11), &[]);
            if let Some(Event::In(text, _)) = trace.entries.last_mut().map(|it| &mut it.event) {
                text.ack = SeqNum(*ack);
            }
        }
        stack(&mut trace, Flags::ACK, (1, 11, 1_000), &[]);
        judged(&trace)
    }

    #[test]
    fn where_crossed_syns_are_completed_by_nothing_a_rst_is_right() {
        assert_eq!(crossed(&[0]), Subject::Reset { seq: SeqNum(0) });
        assert!(matches!(crossed(&[0, 0]), Subject::Other { .. }));
    }

    #[test]
    fn options_that_the_syn_did_not_offer_are_known() {
        let scale = TcpOption::WindowScale(3);
        let unwanted = vec![OptionKind::WindowScale, OptionKind::Timestamps];
        let trace = opened(&[], &[scale, STAMP]);
        assert_eq!(judged(&trace), Subject::Unwanted(unwanted));
        let mut trace = opened(&[], &[]);
        peer(&mut trace, Flags::ACK, (1, 11), &[]);
        stack(&mut trace, Flags::ACK, (1, 11, 1_000), &[STAMP]);
        let unwanted = vec![OptionKind::Timestamps];
        assert_eq!(judged(&trace), Subject::Unwanted(unwanted));
    }

    #[test]
    fn options_beside_a_permission_that_nobody_asked_for_are_not_asserted() {
        let answer = [STAMP, TcpOption::SackPermitted];
        let trace = opened(&[], &answer);
        assert!(matches!(judged(&trace), Subject::Other { .. }));
        let unwanted = vec![OptionKind::WindowScale, OptionKind::Timestamps];
        let trace = opened(&[TcpOption::SackPermitted], &answer);
        assert_eq!(judged(&trace), Subject::Unwanted(unwanted));
    }

    #[test]
    fn text_past_the_edge_that_was_reported_before_is_not_asserted() {
        let mut trace = opened(&[TcpOption::SackPermitted], &[TcpOption::SackPermitted]);
        let block = SackBlock {
            left: SeqNum(70_001),
            right: SeqNum(70_101),
        };
        let sack = [TcpOption::Sack(SackBlocks::new([block]))];
        stack(&mut trace, Flags::ACK, (1, 1, 1_000), &sack);
        let (first, edge) = (trace.entries.len() - 1, SeqNum(1_001));
        assert!(!passed(&trace, first, edge));
        assert!(passed(&trace, first + 1, edge));
    }

    #[test]
    fn timestamps_left_out_are_known() {
        let mut trace = opened(&[STAMP], &[STAMP]);
        peer(&mut trace, Flags::ACK, (1, 11), &[STAMP]);
        stack(&mut trace, Flags::ACK, (1, 11, 1_000), &[]);
        assert_eq!(judged(&trace), Subject::MissingTimestamps);
    }

    #[test]
    fn the_smallest_window_that_moves_no_edge_is_known() {
        let mut trace = opened(&[], &[]);
        peer(&mut trace, Flags::ACK, (1, 11), &[]);
        stack(&mut trace, Flags::ACK, (1, 11, 500), &[]);
        assert_eq!(judged(&trace), Subject::Window { least: 990 });
    }

    #[test]
    fn a_window_that_is_reported_too_large_is_known() {
        let mut trace = opened(&[], &[]);
        let sample = Sample {
            rcv_wnd: Some(Window(70_000)),
            ..Sample::default()
        };
        trace.push(0, Event::Sample(sample));
        let (name, most) = ("tcpi_rcv_wnd", 65_535);
        assert_eq!(judged(&trace), Subject::Report { name, most });
    }

    #[test]
    fn what_sack_may_report_is_known() {
        let permitted = [TcpOption::SackPermitted];
        let block = |left, right| SackBlock {
            left: SeqNum(left),
            right: SeqNum(right),
        };
        let sack = |left, right| [TcpOption::Sack(SackBlocks::new([block(left, right)]))];
        let answered = |offer: &[TcpOption], sack: &[TcpOption]| {
            let mut trace = opened(offer, offer);
            peer(&mut trace, Flags::ACK, (21, 31), &[]);
            stack(&mut trace, Flags::ACK, (1, 1, 1_000), sack);
            judged(&trace)
        };
        let held = vec![(SeqNum(21), SeqNum(31))];
        assert_eq!(
            answered(&permitted, &sack(21, 41)),
            Subject::Blocks { held }
        );
        let unwanted = vec![OptionKind::Sack];
        assert_eq!(answered(&[], &sack(21, 31)), Subject::Unwanted(unwanted));
    }
}
