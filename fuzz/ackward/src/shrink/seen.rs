//! What a run showed at each step of its scenario, in the scenario's own relative numbers.

use ackward_model::{Event, Origin, Segment, SeqNum, Trace};

/// What the peer had seen of the stack just before a step's segment was injected.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Seen {
    /// How many segments the stack had emitted.
    pub(super) emissions: u32,
    /// The sequence number after the last one that the stack had used, minus its ISS.
    pub(super) next: u32,
    /// The last ACK field, minus the peer's ISN.
    pub(super) acknowledged: u32,
}

/// For each of `steps` steps, what had been seen before it. Steps that inject nothing have seen what the one before
/// them had.
pub(super) fn before_each_step(trace: &Trace, isn: SeqNum, steps: usize) -> Vec<Seen> {
    let mut all: Vec<Option<Seen>> = vec![None; steps];
    let mut now = Seen::default();
    let mut iss: Option<SeqNum> = None;
    for entry in &trace.entries {
        match &entry.event {
            Event::Out(segment) => {
                let iss = *iss.get_or_insert(segment.seq);
                now.note(segment, iss, isn);
            }
            Event::In(_, Origin::Step(step)) => {
                if let Some(slot) = all.get_mut(*step) {
                    *slot = Some(now);
                }
            }
            _ => {}
        }
    }
    let mut last = Seen::default();
    all.into_iter()
        .map(|seen| {
            last = seen.unwrap_or(last);
            last
        })
        .collect()
}

impl Seen {
    fn note(&mut self, segment: &Segment, iss: SeqNum, isn: SeqNum) {
        self.emissions += 1;
        let next = segment.end().offset_from(iss);
        if next < 1 << 31 {
            self.next = self.next.max(next);
        }
        if segment.has(ackward_model::Flags::ACK) {
            self.acknowledged = segment.ack.offset_from(isn);
        }
    }
}
