//! A segment for a connection that is being opened.
//! RFC 9293 sections 3.10.7.3 and 3.10.7.4.

use super::closed::{note_peer_syn, owe_reset, settle_options};
use super::{Acceptability, Arrival, Reading, TsUpdate, acceptability, synchronized, timestamps};
use crate::state::State;
use crate::tcb::{SendWindow, Tcb};
use crate::{Flags, OpenMode};

/// SYN-SENT.
pub(super) fn syn_sent(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    let segment = arrival.segment;
    let acknowledges_syn = segment.has(Flags::ACK) && segment.ack == tcb.iss + 1;
    if segment.has(Flags::ACK) && !acknowledges_syn {
        // Answered by a reset; the state stays.
        return owe_reset(tcb, arrival);
    }
    if segment.has(Flags::RST) {
        if acknowledges_syn {
            tcb.close();
        }
        return;
    }
    if !segment.has(Flags::SYN) {
        return;
    }
    if !segment.payload.is_empty() || segment.has(Flags::FIN) {
        // What comes with a SYN may be taken or left to a retransmission.
        let mut taker = opened(tcb, arrival, acknowledges_syn);
        take_text_of_syn(&mut taker, arrival);
        forks.push(taker);
    }
    *tcb = opened(tcb, arrival, acknowledges_syn);
}

fn opened(tcb: &Tcb, arrival: Arrival<'_>, acknowledges_syn: bool) -> Tcb {
    let segment = arrival.segment;
    let mut tcb = tcb.clone();
    note_peer_syn(&mut tcb, segment, arrival.entry);
    if acknowledges_syn {
        settle_options(&mut tcb);
        set_window_of_syn(&mut tcb, arrival);
        tcb.snd_una = segment.ack;
        tcb.state = State::Established;
        if tcb.fin_queued {
            tcb.state = State::FinWait1;
        }
    } else {
        tcb.state = State::SynReceived;
        settle_options(&mut tcb);
    }
    tcb
}

/// The window of a SYN,ACK is in force as it stands, unscaled (RFC 7323 section 2.2).
fn set_window_of_syn(tcb: &mut Tcb, arrival: Arrival<'_>) {
    let segment = arrival.segment;
    let offered = SendWindow {
        snd_wnd: segment.window.unscaled().0,
        snd_wl1: segment.seq,
        snd_wl2: segment.ack,
    };
    let hooks = arrival.latitude.send_window.iter();
    let others: Vec<_> = hooks
        .filter_map(|hook| hook(tcb, segment, offered))
        .collect();
    tcb.max_snd_wnd = offered.snd_wnd;
    tcb.snd_wnd = vec![offered];
    tcb.snd_wnd.extend(others);
}

fn take_text_of_syn(tcb: &mut Tcb, arrival: Arrival<'_>) {
    let segment = arrival.segment;
    super::text::take(
        tcb,
        segment,
        super::Take {
            start: segment.text_start(),
            end: segment.text_end(),
            fin: segment.has(Flags::FIN),
            maybe: false,
        },
    );
}

/// SYN-RECEIVED.
pub(super) fn syn_received(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    let segment = arrival.segment;
    let stamps = tcb
        .timestamps
        .then(|| segment.options.timestamps())
        .flatten();
    if let Some((tsval, _)) = stamps
        && !segment.has(Flags::RST)
        && let Some(mut refused) = synchronized::split_by_age(tcb, tsval)
    {
        let tolerated = refused.ts_recent.iter().any(|recent| {
            let mut hooks = arrival.latitude.paws.iter();
            hooks.any(|hook| hook(&refused, segment, recent.value))
        });
        if tolerated {
            let mut accepting = refused.clone();
            syn_received_in_time(&mut accepting, arrival, forks);
            forks.push(accepting);
        }
        // PAWS: answered and dropped.
        timestamps::update(&mut refused, arrival, &Reading::dropped(TsUpdate::Never));
        if tcb.ts_recent.is_empty() {
            *tcb = refused;
            return;
        }
        forks.push(refused);
    }
    syn_received_in_time(tcb, arrival, forks);
}

/// SYN-RECEIVED, for a segment that the timestamp test let through.
fn syn_received_in_time(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    let segment = arrival.segment;
    let timestamps = segment.options.timestamps();
    if segment.has(Flags::RST) {
        return reset_while_opening(tcb, arrival, forks);
    }
    if segment.has(Flags::SYN) {
        return syn_while_opening(tcb, arrival, forks);
    }
    let inside = matches!(
        acceptability(segment, tcb.rcv_nxt, tcb.max_edge),
        Acceptability::Inside | Acceptability::Straddles | Acceptability::Spans
    );
    if !inside || !segment.has(Flags::ACK) {
        synchronized::maybe_take_timestamp(tcb, arrival);
        let acknowledges_syn = segment.has(Flags::ACK) && segment.ack == tcb.snd_nxt;
        if acknowledges_syn && may_count_all_the_same(tcb, arrival) {
            forks.push(tcb.clone());
            establish(tcb, arrival, forks);
        }
        return;
    }
    if acceptability(segment, tcb.rcv_nxt, tcb.max_edge) == Acceptability::Spans {
        // By the letter not acceptable.
        let mut refused = tcb.clone();
        synchronized::maybe_take_timestamp(&mut refused, arrival);
        forks.push(refused);
    }
    if segment.ack != tcb.snd_nxt {
        synchronized::maybe_take_timestamp(tcb, arrival);
        return; // Answered by a reset; the state stays.
    }
    if tcb.timestamps && timestamps.is_none() {
        // SHOULD be dropped without the option (RFC 7323 section 3.2).
        forks.push(tcb.clone());
    }
    establish(tcb, arrival, forks);
}

/// Whether the latitude lets the acknowledgment of a segment count that is not acceptable.
fn may_count_all_the_same(tcb: &Tcb, arrival: Arrival<'_>) -> bool {
    let mut readings = Vec::new();
    for hook in &arrival.latitude.readings {
        hook(tcb, arrival.segment, &mut readings);
    }
    readings.iter().any(|reading| reading.acknowledges)
}

fn establish(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    let segment = arrival.segment;
    let snd_wnd = segment.window.scaled(tcb.snd_wind_shift).0;
    // A FIN that waited goes out before the segment's own text is looked at, with a window of its own.
    tcb.unjudged |= tcb.open == OpenMode::Active && tcb.fin_queued && !segment.is_empty();
    tcb.state = if tcb.fin_queued {
        State::FinWait1
    } else {
        State::Established
    };
    tcb.served = true;
    tcb.snd_una = segment.ack;
    tcb.snd_wnd.clear();
    tcb.snd_wnd.push(SendWindow {
        snd_wnd,
        snd_wl1: segment.seq,
        snd_wl2: segment.ack,
    });
    tcb.max_snd_wnd = snd_wnd;
    synchronized::arrive(tcb, arrival, forks);
}

/// A reset: exactly at RCV.NXT it ends the attempt. Elsewhere in the window RFC 5961 asks for a challenge, RFC 9293
/// allows the reset.
fn reset_while_opening(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    let segment = arrival.segment;
    let offset = segment.seq.distance_from(tcb.rcv_nxt);
    if !(0..tcb.rcv_wnd().max(1) as i32).contains(&offset) {
        return;
    }
    if offset != 0 {
        forks.push(tcb.clone());
    }
    tcb.close();
}

/// A SYN: the same one again is answered again; another one in the window ends a passive attempt, or is challenged.
fn syn_while_opening(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    let segment = arrival.segment;
    if tcb.open == OpenMode::Active && segment.has(Flags::ACK) && segment.ack == tcb.snd_nxt {
        // Crossing SYNs: the SYN,ACK completes the opening.
        let mut established = tcb.clone();
        let options = &segment.options;
        let same_offers = options.window_scale() == tcb.offers.peer_scale
            && options.timestamps().is_some() == tcb.offers.peer_timestamps;
        // Which of two different offers counts is not said.
        established.unjudged = !same_offers;
        if let Some((tsval, _)) = segment.options.timestamps() {
            established.may_have_recent(tsval, arrival.entry);
        }
        established.state = if tcb.fin_queued {
            State::FinWait1
        } else {
            State::Established
        };
        established.snd_una = segment.ack;
        set_window_of_syn(&mut established, arrival);
        forks.push(established);
        synchronized::maybe_take_timestamp(tcb, arrival);
        return;
    }
    synchronized::maybe_take_timestamp(tcb, arrival);
    if tcb.open == OpenMode::Active {
        // Another SYN after SYNs that crossed: whose options count is not said.
        tcb.unjudged = true;
        return;
    }
    if segment.seq == tcb.irs && !segment.has(Flags::ACK) {
        return;
    }
    if segment.has(Flags::ACK) && segment.ack == tcb.snd_nxt {
        // Its acknowledgment is right and its SYN is not: what a stack makes of the two is open.
        forks.push(tcb.with(|tcb| tcb.unjudged = true));
    }
    forks.push(tcb.with(Tcb::close));
}
