//! The lines after the diverging exchange: what makes a wrong TS.Recent or a wrong edge visible, and the fence.
//! RFC 7323 section 5.3 (a segment older than TS.Recent is refused), RFC 9293 section 3.10.7.4.

use ackward_model::{Event as Seen, Flags, Origin, TsVal};

use super::conversation::Conversation;
use super::{Expect, Subject, prose};
use crate::ast::{Packet, PacketOption, PacketOptions, Time};

/// A delayed acknowledgment comes within this time, in microseconds.
const DELAYED_ACK: u64 = 300_000;
/// An answer that has not come within this time, in microseconds, is missing.
const MISSING: u64 = 600_000;
/// How much older than everything else the fence's TSval is at least, in ticks.
const OLD: u32 = 500;

/// What an in-order segment with a TSval between the right and the wrong TS.Recent does on a right stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Consequence {
    /// It is refused as old; a stack with the wrong, older value takes it.
    Refused(TsVal),
    /// It is taken; a stack with the wrong, newer value refuses it.
    Taken(TsVal),
}

impl Consequence {
    /// With room for a stack that tolerates a TSval one tick older than TS.Recent, as Linux does. `None` when there
    /// is no such TSval.
    pub(super) fn of(right: &[TsVal], wrong: TsVal) -> Option<Consequence> {
        let between = |gap: u32| (gap >= 2).then(|| (gap / 2).min(gap - 2));
        let distances = || right.iter().map(|value| value.distance_from(wrong));
        let (least, most) = (distances().min()?, distances().max()?);
        if least > 0 {
            between(least.unsigned_abs()).map(|step| Consequence::Refused(wrong + step))
        } else if most < 0 {
            between(most.unsigned_abs())
                .map(|step| Consequence::Taken(wrong - most.unsigned_abs() + step))
        } else {
            None
        }
    }
}

/// Appends the segment that a right and a wrong TS.Recent tell apart.
pub(super) fn ts_recent(script: &mut Conversation<'_>) {
    let Subject::Echo { allowed, observed } = &script.export.subject else {
        return;
    };
    let clock = &script.numbers.peer;
    let right: Vec<TsVal> = allowed.iter().map(|value| clock.script(*value)).collect();
    let wrong = clock.script(*observed);
    let consequence = Consequence::of(&right, wrong);
    let view = &script.view;
    // After close text that is taken draws a RST, so a FIN probes, and nothing may lie behind it.
    let closed = view.closed;
    let unprobed =
        echo_alone_is_wrong(script) || view.peer_finished() || closed && !view.held.is_empty();
    let Some(consequence) = consequence.filter(|_| !unprobed && script.view.timestamps()) else {
        script.gap();
        script.comment(prose::no_probe());
        return;
    };
    let (tsval, taken_if_right) = match consequence {
        Consequence::Refused(tsval) => (tsval, false),
        Consequence::Taken(tsval) => (tsval, true),
    };
    script.gap();
    script.comment(prose::probe(script.export, consequence, right[0], wrong));
    let seq = script.view.rcv_nxt;
    let mut probe = octet(script, seq, tsval);
    if closed {
        (probe.flags, probe.len) = (Flags::FIN | Flags::ACK, 0);
    }
    script.inject(Time::After(0), probe);
    let taken = taken_if_right == (script.export.expect == Expect::Right);
    let time = if taken {
        script.view.advance(seq + 1);
        script.view.echoed = Some(tsval);
        Time::Within(0, DELAYED_ACK)
    } else {
        Time::After(0)
    };
    script.comment(prose::probe_answer(script.export, taken_if_right, seq));
    script.script.fails_at = Some(script.script.items.len());
    let held = script.view.held.clone();
    let answer = answer(script, &held);
    script.expect(time, answer);
}

/// Whether TS.Recent is right although the echo is not: the next answer, to a segment that moves nothing, shows it.
fn echo_alone_is_wrong(script: &Conversation<'_>) -> bool {
    let Subject::Echo { allowed, .. } = &script.export.subject else {
        return false;
    };
    let after = &script.export.trace.entries[script.export.diverging + 1..];
    let Some(next) = after
        .iter()
        .position(|entry| matches!(entry.event, Seen::In(..)))
    else {
        return false;
    };
    if !matches!(after[next].event, Seen::In(_, Origin::Reveal)) {
        return false;
    }
    let echo = after[next..].iter().find_map(|entry| match &entry.event {
        Seen::Out(segment) => segment.options.timestamps().map(|(_, tsecr)| tsecr),
        _ => None,
    });
    echo.is_some_and(|echo| allowed.contains(&echo))
}

/// Appends the answer that never came.
pub(super) fn missing_answer(script: &mut Conversation<'_>) {
    script.comment(prose::missing_answer(script.export));
    script.script.fails_at = Some(script.script.items.len());
    let mut answer = answer(script, &[]);
    answer.options = PacketOptions::Unchecked;
    script.expect(Time::Within(0, MISSING), answer);
}

/// Appends an octet that ends at the edge, which a right stack keeps.
pub(super) fn edge(script: &mut Conversation<'_>, edge: u32) {
    let view = &script.view;
    let room = edge > view.rcv_nxt + 1;
    let observed = script.export.expect == Expect::Observed;
    let refuses = view.peer_finished() || view.closed;
    if !view.sack() || !room || observed || refuses || script.has_injected(edge - 1) {
        return;
    }
    script.gap();
    script.comment(prose::edge(edge));
    let tsval = script.view.echoed.unwrap_or(TsVal(0));
    let octet = octet(script, edge - 1, tsval);
    script.inject(Time::After(0), octet);
    script.view.hold((edge - 1, edge));
    let held = script.view.held.clone();
    let answer = answer(script, &held);
    script.expect(Time::After(0), answer);
}

/// Appends an old octet, which draws exactly one answer: a packet too many would be taken for it and fail.
pub(super) fn fence(script: &mut Conversation<'_>) {
    if script.view.reset || script.view.rcv_nxt == 0 {
        return;
    }
    script.gap();
    script.comment(prose::fence(script.export));
    let last = script.view.rcv_nxt - 1;
    let octet = octet(script, last, ancient(script));
    script.inject(Time::After(0), octet);
    // A duplicate is reported first (RFC 2883), except by what stands in for a closed socket.
    let mut blocks = vec![(last, last + 1)];
    blocks.extend(&script.view.held);
    let mut answer = answer(script, &blocks);
    if script.view.closed || script.view.peer_finished() {
        answer.options = match answer.options {
            PacketOptions::Exactly(options) if options.is_empty() => PacketOptions::none(),
            _ => PacketOptions::Unchecked,
        };
    }
    script.expect(Time::After(0), answer);
}

/// A TSval older than all that the stack may hold as TS.Recent.
fn ancient(script: &Conversation<'_>) -> TsVal {
    let mut held = vec![script.view.echoed.unwrap_or(TsVal(0))];
    if let Subject::Echo { allowed, observed } = &script.export.subject {
        let values = allowed.iter().chain([observed]);
        held.extend(values.map(|value| script.numbers.peer.script(*value)));
    }
    let base = held[0];
    let oldest = held
        .into_iter()
        .min_by_key(|value| value.distance_from(base))
        .unwrap_or(base);
    match script.view.oldest {
        Some(sent) if oldest.distance_from(sent) >= 2 => sent,
        _ => oldest - OLD,
    }
}

/// One octet from the peer.
fn octet(script: &Conversation<'_>, seq: u32, tsval: TsVal) -> Packet {
    let tsecr = script.numbers.stack.latest();
    let stamp = tsecr
        .filter(|_| script.view.timestamps())
        .map(|tsecr| (tsval.0, tsecr));
    Packet {
        flags: Flags::PSH | Flags::ACK,
        seq,
        len: 1,
        ack: Some(script.view.snd_una),
        window: Some(script.view.window),
        options: PacketOptions::Exactly(stamped(stamp)),
        ..Packet::default()
    }
}

/// The acknowledgment that a right stack sends now, reporting `blocks` as far as there is room.
fn answer(script: &mut Conversation<'_>, blocks: &[(u32, u32)]) -> Packet {
    let view = &script.view;
    let tsval = script.numbers.stack.next();
    let stamp = view
        .echoed
        .filter(|_| view.timestamps())
        .map(|echo| (tsval, echo.0));
    let mut options = stamped(stamp);
    if view.sack() && !blocks.is_empty() {
        let room = if stamp.is_some() { 3 } else { 4 };
        options.extend([PacketOption::NoOperation, PacketOption::NoOperation]);
        options.push(PacketOption::Sack(
            blocks.iter().copied().take(room).collect(),
        ));
    }
    let packet = Packet {
        flags: Flags::ACK,
        seq: view.snd_nxt,
        len: 0,
        ack: Some(view.rcv_nxt),
        window: None,
        options: PacketOptions::Exactly(options),
        ..Packet::default()
    };
    script.numbers.stack.emit(None);
    packet
}

fn stamped(stamp: Option<(u32, u32)>) -> Vec<PacketOption> {
    let Some((tsval, tsecr)) = stamp else {
        return Vec::new();
    };
    vec![
        PacketOption::NoOperation,
        PacketOption::NoOperation,
        PacketOption::Timestamps { tsval, tsecr },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_lies_between_wrong_and_right_with_a_tick_to_spare() {
        let of = |right: u32, wrong: u32| Consequence::of(&[TsVal(right)], TsVal(wrong));
        assert_eq!(of(3000, 2000), Some(Consequence::Refused(TsVal(2500))));
        assert_eq!(of(2000, 3000), Some(Consequence::Taken(TsVal(2500))));
        assert_eq!(of(12, 10), Some(Consequence::Refused(TsVal(10))));
        assert_eq!(of(11, 10), None);
        assert_eq!(of(1, u32::MAX), Some(Consequence::Refused(TsVal(u32::MAX))));
    }

    #[test]
    fn two_right_values_around_a_wrong_one_leave_no_probe() {
        assert_eq!(Consequence::of(&[TsVal(1), TsVal(9)], TsVal(5)), None);
        assert_eq!(
            Consequence::of(&[TsVal(900), TsVal(500)], TsVal(100)),
            Some(Consequence::Refused(TsVal(300)))
        );
    }
}
