//! What a run showed at each step of its scenario, in the scenario's own relative numbers.

use ackward_model::{Event, Flags, Origin, Segment, SeqNum, Trace};

/// What the peer had seen of the stack just before a step's segment was injected.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Seen {
    /// For each segment that the stack had emitted, the sequence number after its last one, minus the stack's ISS.
    ends: Vec<u32>,
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
                    *slot = Some(now.clone());
                }
            }
            _ => {}
        }
    }
    let mut last = Seen::default();
    all.into_iter()
        .map(|seen| {
            last = seen.unwrap_or_else(|| last.clone());
            last.clone()
        })
        .collect()
}

impl Seen {
    /// The sequence number after the last one that the stack had used, minus its ISS.
    pub(super) fn next(&self) -> u32 {
        self.ends.iter().copied().max().unwrap_or(0)
    }

    /// The emission that an honest peer echoes which acknowledges up to `ack`: the newest one that it covers.
    pub(super) fn echoed_with(&self, ack: u32) -> u32 {
        let covered = self.ends.iter().rposition(|&end| end <= ack);
        covered.unwrap_or(0) as u32
    }

    fn note(&mut self, segment: &Segment, iss: SeqNum, isn: SeqNum) {
        self.ends.push(segment.end().offset_from(iss));
        if segment.has(Flags::ACK) {
            self.acknowledged = segment.ack.offset_from(isn);
        }
    }
}
