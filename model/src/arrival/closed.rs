//! A segment for a connection that does not exist.
//! RFC 9293 sections 3.10.7.1 and 3.10.7.2.

use super::Arrival;
use crate::state::State;
use crate::tcb::{Due, Recent, SendWindow, Tcb};
use crate::{Flags, Segment, SeqNum, WindowScale};

/// A segment that belongs to no connection is answered by a reset, unless it is one.
pub(super) fn owe_reset(tcb: &mut Tcb, arrival: Arrival<'_>) {
    let mut silence = arrival.latitude.silence.iter();
    if !arrival.segment.has(Flags::RST) && !silence.any(|hook| hook(tcb, arrival.segment)) {
        tcb.due = Some(Due {
            entry: arrival.entry,
            since: arrival.at,
        });
    }
}

/// LISTEN: a SYN makes a connection, everything else is answered by at most a reset.
pub(super) fn listen(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    let segment = arrival.segment;
    if segment.has(Flags::ACK) {
        owe_reset(tcb, arrival);
    }
    if !segment.has(Flags::SYN) || segment.has(Flags::RST) || segment.has(Flags::ACK) {
        return;
    }
    if segment.has(Flags::FIN) {
        // Whether a SYN with a FIN opens anything is left open by deployed stacks.
        forks.push(tcb.clone());
    }
    let application_elsewhere = tcb.in_use || tcb.application_elsewhere;
    let (origin, served) = (tcb.text_origin, tcb.served);
    let may_shrink_window = tcb.may_shrink_window;
    let arrived = (tcb.arrived, tcb.arrived_ack);
    // That of the first attempt: what follows TIME-WAIT jumps ahead of the clock.
    let iss = Some(tcb.iss).filter(|iss| *iss != SeqNum(0));
    let syn_cookies = tcb.syn_cookies;
    // A cookie has no room for a clock.
    let earlier = tcb.earlier_iss.or(iss).filter(|_| !syn_cookies);
    *tcb = Tcb::new(tcb.open);
    (tcb.earlier_iss, tcb.syn_cookies) = (earlier, syn_cookies);
    (tcb.application_elsewhere, tcb.text_origin) = (application_elsewhere, origin);
    (tcb.served, tcb.may_shrink_window) = (served, may_shrink_window);
    (tcb.arrived, tcb.arrived_ack) = arrived;
    note_peer_syn(tcb, segment, arrival.entry);
    tcb.state = State::SynReceived;
}

/// What both ways of opening learn from the peer's SYN. Its window is never scaled (RFC 7323 section 2.2).
pub(super) fn note_peer_syn(tcb: &mut Tcb, segment: &Segment, entry: usize) {
    tcb.irs = segment.seq;
    tcb.reads_unknown |= tcb.text_origin.is_some_and(|origin| origin != segment.seq);
    tcb.rcv_nxt = segment.seq + 1;
    tcb.rcv_nxt_on_arrival = tcb.rcv_nxt;
    tcb.last_ack_sent = tcb.rcv_nxt;
    tcb.furthest_text = tcb.rcv_nxt;
    tcb.edge = tcb.rcv_nxt;
    tcb.max_edge = tcb.rcv_nxt;
    tcb.offers.peer_scale = segment.options.window_scale();
    tcb.offers.peer_ecn = segment.flags.ask_for_ecn();
    tcb.offers.peer_sack = segment.options.sack_permitted();
    tcb.offers.peer_mss = segment.options.maximum_segment_size();
    tcb.offers.peer_timestamps = false;
    tcb.ts_recent.clear();
    if let Some((value, _)) = segment.options.timestamps() {
        tcb.offers.peer_timestamps = true;
        tcb.ts_recent.push(Recent { value, entry });
    }
    tcb.snd_wnd.clear();
    tcb.snd_wnd.push(SendWindow {
        snd_wnd: segment.window.unscaled().0,
        snd_wl1: segment.seq,
        snd_wl2: segment.ack,
    });
}

/// Settles what both SYNs together bring into force.
pub(crate) fn settle_options(tcb: &mut Tcb) {
    let offers = tcb.offers;
    tcb.timestamps = offers.peer_timestamps && offers.stack_timestamps;
    // Who may send blocks is for the SYN of the one who gets them to say (RFC 2018 section 4).
    tcb.sack = offers.peer_sack;
    (tcb.snd_wind_shift, tcb.rcv_wind_shift) = match (offers.peer_scale, offers.stack_scale) {
        (Some(peer), Some(stack)) => (WindowScale::announced(peer), WindowScale::announced(stack)),
        _ => (WindowScale::NONE, WindowScale::NONE),
    };
}
