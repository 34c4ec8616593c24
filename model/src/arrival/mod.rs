//! What a segment's arrival may do to a TCB, dispatched by state.
//! RFC 9293 section 3.10.7.

mod acknowledgment;
mod closed;
mod cookie;
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
use crate::tcb::{Due, Tcb};
use crate::{Flags, Segment, trace::Micros};

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
    note(tcb, arrival.segment);
    tcb.arriving = arrival.entry;
    tcb.rcv_nxt_on_arrival = tcb.rcv_nxt;
    if arrival.segment.options.contradict() {
        // Which of two different values of one option counts is not said.
        (tcb.unjudged, tcb.contradicted) = (true, true);
        return;
    }
    if tcb.syn_cookies && !cookie::is_plain(tcb, arrival.segment) {
        tcb.unjudged = true;
        return;
    }
    if tcb.arrived_impossible {
        // What says nothing that can be read may be dropped (RFC 9293 section 3.1, MUST-7).
        forks.push(tcb.clone());
    }
    let before = forks.len();
    let opening = tcb.state < State::SynReceived;
    let young = tcb.state <= State::SynReceived;
    for hook in &arrival.latitude.arrival {
        forks.extend(hook(tcb, arrival.segment));
    }
    for hook in &arrival.latitude.death {
        if hook(tcb, arrival.segment) {
            forks.push(tcb.with(|tcb| (tcb.unjudged, tcb.dead) = (true, true)));
        }
    }
    match tcb.state {
        State::Closed => closed::owe_reset(tcb, arrival),
        State::Listen => closed::listen(tcb, arrival, forks),
        State::SynSent => opening::syn_sent(tcb, arrival, forks),
        State::SynReceived => opening::syn_received(tcb, arrival, forks),
        _ => synchronized::arrive(tcb, arrival, forks),
    }
    for index in before..forks.len() {
        if !forks[index].held.is_empty() {
            let mut fork = forks[index].clone();
            text::decide(&mut fork, forks);
            forks[index] = fork;
        }
    }
    if !tcb.held.is_empty() {
        text::decide(tcb, forks);
    }
    if young {
        for hook in &arrival.latitude.opening {
            let others: Vec<_> = forks[before..].iter().filter_map(hook).collect();
            forks.extend(others.into_iter().chain(hook(tcb)));
        }
    }
    if young && arrival.segment.has(Flags::URG) {
        // Whether a pointer counts that comes with the handshake is a question nobody's traffic asks.
        tcb.urgent_unknown = true;
        for fork in &mut forks[before..] {
            fork.urgent_unknown = true;
        }
    }
    note_owed(tcb, arrival, opening);
    note_time_wait(tcb, arrival);
    for fork in &mut forks[before..] {
        note_owed(fork, arrival, opening);
        note_time_wait(fork, arrival);
    }
}

/// Notes when TIME-WAIT began.
fn note_time_wait(tcb: &mut Tcb, arrival: Arrival<'_>) {
    if tcb.state == State::TimeWait {
        tcb.time_wait_since.get_or_insert(arrival.at);
    }
}

/// Notes that the segment has come into order, so that an acknowledgment must follow before long (RFC 9293 section
/// 3.8.6.3), or that it waits for what is missing, so that one should follow at once (RFC 5681 section 4.2); `opening`
/// before the peer's SYN was known.
fn note_owed(tcb: &mut Tcb, arrival: Arrival<'_>, opening: bool) {
    let opened = opening && tcb.state >= State::SynReceived;
    let in_order = tcb.rcv_nxt.after(tcb.rcv_nxt_on_arrival);
    let (start, end) = (arrival.segment.text_start(), arrival.segment.text_end());
    let held = tcb.arrived_fresh && start.after(tcb.rcv_nxt) && tcb.held.touches(start, end);
    if tcb.owed.is_some() || !opened && !in_order && !held {
        return;
    }
    let mut delay = arrival.latitude.delay.iter();
    if !delay.any(|hook| hook(tcb, arrival.segment)) {
        tcb.owed = Some(Due {
            entry: arrival.entry,
            since: arrival.at,
        });
    }
}

/// Notes which sequence space arrived.
fn note(tcb: &mut Tcb, segment: &Segment) {
    let (start, end) = (segment.seq, segment.end());
    tcb.arrived = (start, end);
    tcb.heard_since_close = tcb.orphan;
    tcb.reset_refused = false;
    tcb.arrived_fresh = !segment.payload.is_empty()
        && start.at_or_after(tcb.rcv_nxt)
        && !tcb.held.touches(start, end);
    tcb.arrived_reset = segment.has(Flags::RST);
    tcb.arrived_impossible = segment.options.have_impossible_length();
    tcb.arrived_ack = segment.has(Flags::ACK).then_some(segment.ack);
    tcb.arrived_tsval = segment.options.timestamps().map(|(tsval, _)| tsval);
    let far = start.distance_from(tcb.rcv_nxt).unsigned_abs() > 1 << 30;
    if segment.payload.is_empty() && !segment.has(Flags::FIN) || far {
        return; // Nothing comes twice in it, and it may stand anywhere on the circle.
    }
    let (since_start, since_end) = tcb.arrived_since_ack;
    tcb.arrived_since_ack = if tcb.acknowledged {
        (start, end)
    } else {
        (start.earliest(since_start), end.latest(since_end))
    };
    tcb.acknowledged = false;
}
