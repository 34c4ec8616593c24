//! What taking text and FIN does to the receive side.
//! RFC 9293 section 3.10.7.4, seventh and eighth check.

use super::Take;
use crate::payload;
use crate::state::State;
use crate::tcb::{Accepted, Tcb};
use crate::{Flags, Segment};

/// Takes part of the segment's text, and its FIN if `take` says so.
pub(super) fn take(tcb: &mut Tcb, segment: &Segment, take: Take) {
    if take.is_nothing() {
        return;
    }
    if contradicts(tcb, take) {
        (tcb.unjudged, tcb.contradicted) = (true, true);
        return;
    }
    if take.start.before(take.end) {
        let first = tcb.irs + 1;
        let index = take.start.offset_from(segment.text_start()) as usize;
        let start = take.start.offset_from(first);
        if let Some(octet) = segment.payload.get(index) {
            tcb.accepted.push(Accepted {
                start,
                end: take.end.offset_from(first),
                copy: payload::copy_of(start, *octet),
            });
        }
        if take.maybe {
            tcb.held.insert_maybe(take.start, take.end);
        } else if take.start == tcb.rcv_nxt && tcb.held.is_empty() {
            tcb.rcv_nxt = take.end;
        } else {
            tcb.held.insert(take.start, take.end);
        }
    }
    if take.fin {
        tcb.held.set_fin(take.end);
    }
    if !tcb.held.is_empty() {
        let doubtful = tcb.held.may_hold_past_fin();
        if tcb.held.advance(&mut tcb.rcv_nxt) {
            receive_fin(tcb);
            (tcb.unjudged, tcb.contradicted) = (tcb.unjudged || doubtful, doubtful);
        }
    }
}

/// Where text that may be held has come into order, the hypothesis parts in two.
pub(super) fn decide(tcb: &mut Tcb, forks: &mut Vec<Tcb>) {
    while let Some((start, end)) = tcb.held.decide(tcb.rcv_nxt) {
        let mut holding = tcb.clone();
        holding.held.insert(start, end);
        if holding.held.advance(&mut holding.rcv_nxt) {
            receive_fin(&mut holding);
        }
        decide(&mut holding, forks);
        forks.push(holding);
    }
}

/// Text past a FIN contradicts it, as does a FIN elsewhere; the RFCs do not say what follows. Text that may as well be
/// dropped contradicts nothing.
fn contradicts(tcb: &Tcb, take: Take) -> bool {
    if take.maybe {
        return false;
    }
    let known = tcb.held.fin();
    let past_fin = known.is_some_and(|fin| take.end.after(fin));
    let elsewhere = take.fin && known.is_some_and(|fin| fin != take.end);
    let mut ranges = tcb.held.ranges().iter();
    past_fin || elsewhere || take.fin && ranges.any(|range| range.1.after(take.end))
}

fn receive_fin(tcb: &mut Tcb) {
    tcb.state = match tcb.state {
        State::SynReceived | State::Established => State::CloseWait,
        State::FinWait1 => State::Closing,
        State::FinWait2 => State::TimeWait,
        other => other,
    };
}

/// The part of the segment's text at or after `from`, with its FIN.
pub fn rest_from(segment: &Segment, from: crate::SeqNum) -> Take {
    Take {
        start: segment.text_start().latest(from),
        end: segment.text_end().latest(from),
        fin: segment.has(Flags::FIN),
        maybe: false,
    }
}
