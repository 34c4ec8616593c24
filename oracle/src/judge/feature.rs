//! Which features an event has: what a guided search collects instead of the stack's own branches.

use ackward_model::arrival::{acceptability, standing};
use ackward_model::{Flags, Segment, State, Tcb};

/// The feature of a segment that arrives at `tcb`.
pub(super) fn arrival(tcb: &Tcb, segment: &Segment) -> u32 {
    let mut hash = Fold::new(1, tcb.state);
    hash.add(u32::from(segment.flags.without(Flags::PSH).0));
    if tcb.state.is_synchronized() {
        hash.add(acceptability(segment, tcb.rcv_nxt, tcb.edge) as u32);
        hash.add(standing(tcb, segment) as u32);
        hash.add(u32::from(segment.seq.at_or_before(tcb.last_ack_sent)));
        hash.add(u32::from(segment.payload.is_empty()) << 1 | u32::from(tcb.held.is_empty()));
        hash.add(u32::from(segment.window.0 == 0) << 1 | u32::from(tcb.rcv_wnd() == 0));
        hash.add(u32::from(tcb.rcv_wind_shift.bits() == 0) << 1 | u32::from(tcb.sack));
        if let (Some((tsval, _)), Some(recent)) =
            (segment.options.timestamps(), tcb.ts_recent.first())
        {
            hash.add(tsval.age_against(recent.value) as u32);
        }
    }
    hash.value()
}

/// The feature of a segment that `tcb` emits.
pub(super) fn emission(tcb: &Tcb, segment: &Segment) -> u32 {
    let mut hash = Fold::new(2, tcb.state);
    hash.add(u32::from(segment.flags.without(Flags::PSH).0));
    hash.add(segment.options.sack().len() as u32);
    hash.add(u32::from(segment.window.0 == 0) << 1 | u32::from(segment.payload.is_empty()));
    hash.add(
        u32::from(segment.ack == tcb.last_ack_sent) << 1 | u32::from(segment.seq == tcb.snd_nxt),
    );
    hash.value()
}

struct Fold(u32);

impl Fold {
    fn new(kind: u32, state: State) -> Fold {
        let mut fold = Fold(0x811C_9DC5 ^ kind);
        fold.add(state as u32);
        fold
    }

    fn add(&mut self, value: u32) {
        self.0 = (self.0 ^ value).wrapping_mul(0x0100_0193).rotate_left(5);
    }

    fn value(self) -> u32 {
        self.0 ^ self.0 >> 15
    }
}
