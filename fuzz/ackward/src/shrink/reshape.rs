//! Shrinking moves that say the same in another way: merged neighbours, another side opening, an honest peer.

use ackward_model::{Call, Flags, OpenMode};
use ackward_scenario::{Echo, OptionSpec, Scenario, SegmentSpec, Step};

use super::drop::{moved_from, numbered, with_segment};
use super::seen::Seen;

/// Merges neighbours: segments whose text joins, two writes, two reads, two waits.
pub(super) fn merge(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let mut candidates = Vec::new();
    for step in 1..scenario.steps.len() {
        let merged = match (&scenario.steps[step - 1], &scenario.steps[step]) {
            (Step::Segment(first), Step::Segment(second)) => join(first, second),
            (Step::Call(Call::Write(a)), Step::Call(Call::Write(b))) => {
                Some(Step::Call(Call::Write(a.saturating_add(*b))))
            }
            (Step::Call(Call::Read(a)), Step::Call(Call::Read(b))) => {
                Some(Step::Call(Call::Read(a.saturating_add(*b))))
            }
            (Step::Wait(a), Step::Wait(b)) => Some(Step::Wait(a.saturating_add(*b))),
            _ => None,
        };
        if let Some(merged) = merged {
            let mut candidate = scenario.clone();
            candidate.steps[step - 1] = merged;
            candidate.steps.remove(step);
            candidates.push(candidate);
        }
    }
    candidates
}

/// Lets the other side open.
pub(super) fn open(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    match scenario.setup.open {
        OpenMode::Active => passive(scenario).into_iter().collect(),
        OpenMode::Passive => active(scenario).into_iter().collect(),
    }
}

/// Makes one segment what an honest peer would send there: an acknowledgment of what was seen, a clock that does not
/// run backwards, a window that does not shrink, an echo of the last timestamp seen, text where the last one ended.
pub(super) fn honest(scenario: &Scenario, seen: &[Seen]) -> Vec<Scenario> {
    let mut candidates = Vec::new();
    let mut before = SegmentSpec::default();
    let mut clock = 0;
    for (step, segment) in numbered(scenario) {
        let now = seen.get(step).cloned().unwrap_or_default();
        let mut push = |change: &dyn Fn(&mut SegmentSpec)| {
            candidates.push(with_segment(scenario, step, change));
        };
        push(&|s| s.ack = now.next());
        push(&|s| s.ack = before.ack);
        push(&|s| s.seq = now.acknowledged);
        push(&|s| s.seq = before.seq.wrapping_add(before.sequence_len()));
        push(&|s| s.window = s.window.max(before.window));
        push(&|s| s.flags = s.flags | Flags::ACK);
        push(&|s| {
            set_timestamps(s, |_, tsecr| {
                *tsecr = Echo::Emission(now.echoed_with(segment.ack));
            });
        });
        push(&|s| set_timestamps(s, |tsval, _| *tsval = clock));
        push(&|s| set_timestamps(s, |tsval, _| *tsval = clock.wrapping_add(100)));
        clock = segment.tsval().unwrap_or(clock);
        before = segment.clone();
    }
    candidates
}

/// Tells two texts as one of ordinary size in order, with what comes later moved along: what many small segments or old
/// copies made a stack do, a full segment often does alone.
pub(super) fn full_segment(scenario: &Scenario, _seen: &[Seen]) -> Vec<Scenario> {
    let texts: Vec<usize> = numbered(scenario)
        .filter(|(_, segment)| segment.len > 0 && !segment.flags.contains(Flags::SYN))
        .map(|(step, _)| step)
        .collect();
    let mut candidates = Vec::new();
    for &full in &texts {
        let before = numbered(scenario).take_while(|(step, _)| *step < full);
        let end = before.fold(1, |_, (_, s)| s.seq.wrapping_add(s.sequence_len()));
        let by = u32::from(FULL);
        let mut told = match scenario.steps.get(full + 1) {
            Some(_) => moved_from(scenario, full + 1, by),
            None => scenario.clone(),
        };
        if let Some(Step::Segment(segment)) = told.steps.get_mut(full) {
            (segment.seq, segment.len) = (end, FULL);
        }
        for &dropped in texts.iter().filter(|&&dropped| dropped != full) {
            let mut told = told.clone();
            told.steps.remove(dropped);
            candidates.push(told);
        }
    }
    candidates
}

/// An ordinary full segment, in octets: fits the usual MTU in either family with every option.
const FULL: u16 = 1_400;

/// The second segment with the text of the first before its own.
fn join(first: &SegmentSpec, second: &SegmentSpec) -> Option<Step> {
    let joins = first.seq.wrapping_add(first.sequence_len()) == second.seq
        && first.len > 0
        && second.len > 0
        && first.copy == second.copy
        && !first.flags.contains(Flags::FIN)
        && !first.flags.contains(Flags::SYN);
    joins.then(|| {
        Step::Segment(SegmentSpec {
            seq: first.seq,
            len: first.len.saturating_add(second.len),
            ..second.clone()
        })
    })
}

/// An active open told as a passive one: SYN-ACK becomes SYN and ACK, and emission 0 is the SYN-ACK.
fn passive(scenario: &Scenario) -> Option<Scenario> {
    let mut told = scenario.clone();
    let step = told.steps.iter().position(
        |step| matches!(step, Step::Segment(s) if s.flags.contains(Flags::SYN | Flags::ACK)),
    )?;
    let Step::Segment(answer) = told.steps.remove(step) else {
        return None;
    };
    renumber(&mut told, |k| k.saturating_sub(1));
    told.setup.open = OpenMode::Passive;
    let mut syn = answer.clone();
    syn.flags = Flags::SYN;
    syn.ack = 0;
    set_timestamps(&mut syn, |_, tsecr| *tsecr = Echo::Value(0));
    let mut ack = answer;
    ack.flags = Flags::ACK;
    ack.seq = 1;
    ack.ack = 1;
    ack.len = 0;
    ack.options
        .retain(|option| matches!(option, OptionSpec::Timestamps { .. }));
    set_timestamps(&mut ack, |_, tsecr| *tsecr = Echo::Emission(0));
    told.steps
        .splice(step..step, [Step::Segment(syn), Step::Segment(ack)]);
    told.steps.retain(|step| *step != Step::Call(Call::Connect));
    Some(told)
}

/// A passive open told as an active one: the SYN becomes a SYN-ACK, and an ACK right after it goes.
fn active(scenario: &Scenario) -> Option<Scenario> {
    let mut told = scenario.clone();
    let step = told
        .steps
        .iter()
        .position(|step| matches!(step, Step::Segment(s) if s.flags == Flags::SYN))?;
    renumber(&mut told, |k| k.saturating_add(1));
    told.setup.open = OpenMode::Active;
    if let Some(Step::Segment(syn)) = told.steps.get_mut(step) {
        syn.flags = Flags::SYN | Flags::ACK;
        syn.ack = 1;
        set_timestamps(syn, |_, tsecr| *tsecr = Echo::Emission(0));
    }
    if let Some(Step::Segment(ack)) = told.steps.get(step + 1)
        && ack.flags == Flags::ACK
        && ack.len == 0
    {
        told.steps.remove(step + 1);
    }
    told.steps.retain(|step| *step != Step::Call(Call::Accept));
    Some(told)
}

fn renumber(scenario: &mut Scenario, map: impl Fn(u32) -> u32) {
    for step in &mut scenario.steps {
        if let Step::Segment(segment) = step {
            set_timestamps(segment, |_, tsecr| {
                if let Echo::Emission(k) = tsecr {
                    *k = map(*k);
                }
            });
        }
    }
}

fn set_timestamps(segment: &mut SegmentSpec, change: impl Fn(&mut u32, &mut Echo)) {
    for option in &mut segment.options {
        if let OptionSpec::Timestamps { tsval, tsecr } = option {
            change(tsval, tsecr);
        }
    }
}
