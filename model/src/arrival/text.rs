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
        if take.start == tcb.rcv_nxt && tcb.held.is_empty() {
            tcb.rcv_nxt = take.end;
        } else {
            tcb.held.insert(take.start, take.end);
        }
    }
    if take.fin && !tcb.held.set_fin(take.end) {
        tcb.unjudged = true;
        return;
    }
    if !tcb.held.is_empty() && tcb.held.advance(&mut tcb.rcv_nxt) {
        receive_fin(tcb);
    }
    // Text past the FIN contradicts it.
    if let Some(fin) = tcb.held.fin()
        && tcb.held.end().is_some_and(|end| end.after(fin + 1))
    {
        tcb.unjudged = true;
    }
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
    }
}
