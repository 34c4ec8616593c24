//! What a segment's arrival may do to a TCB, dispatched by state.
//! RFC 9293 section 3.10.7.

mod acknowledgment;
mod closed;
mod opening;
mod reading;
mod synchronized;
mod text;
mod timestamps;
mod window;

pub use acknowledgment::{Standing, standing};
pub(crate) use closed::settle_options;
pub use reading::{Reading, Take, TsUpdate};
pub use synchronized::{owes_answer, readings_up_to};
pub use text::rest_from;
pub use window::{Acceptability, acceptability};

use crate::latitude::Latitude;
use crate::state::State;
use crate::tcb::Tcb;
use crate::{Segment, trace::Micros};

/// One arrival with everything that bears on it.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// The segment.
    pub segment: &'a Segment,
    /// Its index into the trace.
    pub entry: usize,
    /// When it was injected, microseconds.
    pub at: Micros,
    /// The deviations in force.
    pub latitude: &'a Latitude,
}

/// Lets the segment arrive at `tcb`. Where more than one outcome is possible, the others are pushed to `forks`.
pub fn arrive(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    if tcb.unjudged {
        return;
    }
    tcb.arrived = (arrival.segment.seq, arrival.segment.end());
    tcb.arriving = arrival.entry;
    for hook in &arrival.latitude.arrival {
        forks.extend(hook(tcb, arrival.segment));
    }
    tcb.rcv_nxt_on_arrival = tcb.rcv_nxt;
    match tcb.state {
        State::Closed => {}
        State::Listen => closed::listen(tcb, arrival, forks),
        State::SynSent => opening::syn_sent(tcb, arrival, forks),
        State::SynReceived => opening::syn_received(tcb, arrival, forks),
        _ => synchronized::arrive(tcb, arrival, forks),
    }
    for index in 0..forks.len() {
        if !forks[index].held.is_empty() {
            let mut fork = forks[index].clone();
            text::decide(&mut fork, forks);
            forks[index] = fork;
        }
    }
    if !tcb.held.is_empty() {
        text::decide(tcb, forks);
    }
}
