//! What taking text and FIN does to the receive side.
//! RFC 9293 section 3.10.7.4, seventh and eighth check.

use super::acknowledgment::{Standing, standing as standing_of};
use super::{Acceptability, Take, acceptability};
use crate::payload;
use crate::reference::MOST_FORKS;
use crate::state::State;
use crate::tcb::{Accepted, Tcb};
use crate::{Flags, Segment};

/// Takes part of the segment's text, and its FIN if `take` says so.
pub(super) fn take(tcb: &mut Tcb, segment: &Segment, take: Take) {
    if take.is_nothing() {
        return;
    }
    if tcb.state.has_peer_fin() {
        if take.fin {
            // A second FIN: what lies between the two is no text, and what the application reads is past saying.
            tcb.rcv_nxt = take.end + 1;
            tcb.reads_unknown = true;
        }
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
            // Who keeps it may keep what lies inside the window and drop the rest.
            let edge = tcb.max_edge.latest(take.start).earliest(take.end);
            tcb.held.insert_maybe(take.start, edge);
            tcb.held.insert_maybe(edge, take.end);
        } else if take.start == tcb.rcv_nxt && tcb.held.is_empty() {
            tcb.rcv_nxt = take.end;
        } else {
            tcb.held.insert(take.start, take.end);
        }
    }
    if take.fin {
        let first = tcb.held.fin().is_none();
        if first && tcb.held.end().is_some_and(|end| end.after(take.end)) {
            // Only a FIN that was not acceptable comes this far with text past it.
            (tcb.unjudged, tcb.contradicted) = (true, true);
        }
        tcb.held.set_fin(take.end);
    }
    if !tcb.held.is_empty() {
        let doubtful = tcb.held.may_hold_past_fin();
        if tcb.held.advance(&mut tcb.rcv_nxt) {
            receive_fin(tcb);
            if doubtful {
                (tcb.unjudged, tcb.contradicted) = (true, true);
            }
        }
    }
}

/// Where text that may be held has come into order, the hypothesis parts in two.
pub(super) fn decide(tcb: &mut Tcb, forks: &mut Vec<Tcb>) {
    while forks.len() <= MOST_FORKS
        && let Some((start, end)) = tcb.held.decide(tcb.rcv_nxt)
    {
        let mut holding = tcb.clone();
        holding.held.insert(start, end);
        if holding.held.advance(&mut holding.rcv_nxt) {
            receive_fin(&mut holding);
        }
        decide(&mut holding, forks);
        forks.push(holding);
    }
}

/// Whether the peer contradicts itself: it sends past a FIN of its own that was taken and still waits for the text before
/// it, or a FIN before text it has sent. The RFCs do not say what follows, whichever of it is taken.
pub(super) fn contradicts_fin(tcb: &mut Tcb, segment: &Segment) -> bool {
    if tcb.state.has_peer_fin() || !segment.has(Flags::ACK) {
        return false;
    }
    let end = segment.text_end();
    if let Some(fin) = tcb.held.fin() {
        let near = end.distance_from(tcb.rcv_nxt).unsigned_abs() < 1 << 30;
        let past = !segment.payload.is_empty() && end.after(fin);
        return near && (past || segment.has(Flags::FIN) && end != fin);
    }
    let acceptable = matches!(
        acceptability(segment, tcb.rcv_nxt, tcb.max_edge),
        Acceptability::Inside | Acceptability::Straddles | Acceptability::Spans
    );
    if !acceptable || standing_of(tcb, segment) == Standing::Unsent {
        return false;
    }
    let held_past = tcb
        .held
        .ranges()
        .last()
        .is_some_and(|range| range.1.after(end));
    let before_text = tcb.furthest_text.after(end) || held_past;
    if !segment.payload.is_empty() {
        tcb.furthest_text = tcb.furthest_text.latest(end);
    }
    segment.has(Flags::FIN) && before_text
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
