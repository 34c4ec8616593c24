//! What an emission tells about the TCB that made it.
//! RFC 9293 section 3.4, RFC 7323 sections 2.3 and 4.3 (Last.ACK.sent).

use crate::arrival::settle_options;
use crate::latitude::Latitude;
use crate::state::State;
use crate::tcb::Tcb;
use crate::{Flags, Micros, OpenMode, Segment, SeqNum};

/// The right edge of the window that `segment` advertises; a window with SYN is never scaled (RFC 7323 section 2.2).
pub fn advertised_edge(tcb: &Tcb, segment: &Segment) -> SeqNum {
    let window = if segment.has(Flags::SYN) {
        segment.window.unscaled()
    } else {
        segment.window.scaled(tcb.rcv_wind_shift)
    };
    segment.ack + window.0
}

/// Makes `tcb` the one that has just sent `segment`, which it may have sent, `at` this time.
pub fn emitted(tcb: &mut Tcb, segment: &Segment, at: Micros, latitude: &Latitude) {
    if tcb.unjudged {
        return;
    }
    (tcb.due, tcb.challenge) = (None, None);
    if segment.has(Flags::RST) {
        match tcb.state {
            // Answers to segments that belong to no connection of this kind: the state stays.
            State::Closed | State::Listen | State::SynSent => {}
            State::SynReceived if !segment.has(Flags::ACK) => {}
            _ => tcb.close(),
        }
        return;
    }
    if segment.has(Flags::SYN) {
        emitted_syn(tcb, segment);
    }
    if segment.has(Flags::FIN) && tcb.state == State::SynReceived {
        // CLOSE with nothing to send does not wait for the handshake (section 3.10.4).
        tcb.state = State::FinWait1;
    }
    if let Some((tsval, tsecr)) = segment.options.timestamps() {
        tcb.last_tsval = Some(tsval);
        tcb.first_tsval.get_or_insert((tsval, at));
        let tells = segment.has(Flags::ACK) && tcb.timestamps && tcb.ts_recent.len() > 1;
        if tells && !latitude.echo.iter().any(|hook| hook(tcb, segment)) {
            tcb.ts_recent.retain(|recent| recent.value == tsecr);
        }
    }
    if takes_back_what_arrives(tcb, segment) {
        // Whether the text that is still being processed is taken into such a window is past saying.
        tcb.unjudged = true;
        return;
    }
    if segment.has(Flags::ACK) {
        // What does not answer text that has just come into order may be a challenge, and so may be what answers an old
        // acknowledgment.
        let old = tcb.arrived_ack.is_some_and(|ack| ack.before(tcb.snd_una));
        let plain = tcb.rcv_nxt != tcb.rcv_nxt_on_arrival && !old;
        tcb.has_repeated |= segment.is_empty() && !plain;
        tcb.last_ack_sent = segment.ack;
        // Text may have been sent before what arrived counted, and then says nothing of it.
        tcb.acknowledged |= segment.payload.is_empty();
        if segment.ack == tcb.rcv_nxt {
            tcb.rcv_nxt_on_arrival = tcb.rcv_nxt;
            tcb.owed = None;
        }
        tcb.edge = advertised_edge(tcb, segment);
        tcb.max_edge = tcb.max_edge.latest(tcb.edge);
        tcb.window_saturated |= segment.window.0 == u16::MAX;
    }
    tcb.snd_nxt = tcb.snd_nxt.latest(segment.end());
}

/// Whether `segment`, sent before the text of the latest arrival counted, offers a window that ends before that text does.
fn takes_back_what_arrives(tcb: &Tcb, segment: &Segment) -> bool {
    let amid = segment.ack == tcb.rcv_nxt_on_arrival && tcb.rcv_nxt != tcb.rcv_nxt_on_arrival;
    segment.has(Flags::ACK) && amid && advertised_edge(tcb, segment).before(tcb.rcv_nxt)
}

fn emitted_syn(tcb: &mut Tcb, segment: &Segment) {
    tcb.aborted = false;
    tcb.offers.stack_scale = segment.options.window_scale();
    tcb.offers.stack_timestamps = segment.options.timestamps().is_some();
    if tcb.state == State::Closed && tcb.open == OpenMode::Active {
        tcb.state = State::SynSent;
    }
    if tcb.snd_nxt != segment.seq + 1 || tcb.iss != segment.seq {
        tcb.iss = segment.seq;
        tcb.snd_una = segment.seq;
        tcb.snd_nxt = segment.seq + 1;
    }
    if segment.has(Flags::ACK) {
        settle_options(tcb);
        let offers = tcb.offers;
        // With options that the peer's SYN did not ask for, which of them each side uses from here on is past saying.
        tcb.unjudged |= offers.stack_scale.is_some() && offers.peer_scale.is_none()
            || offers.stack_timestamps && !offers.peer_timestamps;
    }
}
