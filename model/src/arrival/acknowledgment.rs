//! What an acceptable acknowledgment does to the send side.
//! RFC 9293 section 3.10.7.4, fifth check; RFC 5961 section 5.2.

use super::Arrival;
use crate::Segment;
use crate::state::State;
use crate::tcb::{SendWindow, Tcb};

/// How SEG.ACK stands to what was sent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Standing {
    /// SND.UNA ≤ SEG.ACK ≤ SND.NXT.
    Current,
    /// Older, but within MAX.SND.WND of SND.UNA: ignored, the rest of the segment counts.
    Old,
    /// So old that RFC 5961 drops the segment and RFC 9293 does not.
    TooOld,
    /// Acknowledges what was never sent.
    Unsent,
}

/// How the acknowledgment of `segment` stands to what `tcb` has sent.
pub fn standing(tcb: &Tcb, segment: &Segment) -> Standing {
    let ack = segment.ack;
    if ack.after(tcb.snd_nxt) {
        return Standing::Unsent;
    }
    let behind = tcb.snd_una.distance_from(ack);
    if behind <= 0 {
        return Standing::Current;
    }
    let sent_before = tcb.snd_una.offset_from(tcb.iss + 1);
    if behind.unsigned_abs() <= tcb.max_snd_wnd.min(sent_before) {
        Standing::Old
    } else {
        Standing::TooOld
    }
}

/// Processes SEG.ACK and SEG.WND; an old or unsent acknowledgment changes nothing.
pub(super) fn process(tcb: &mut Tcb, arrival: Arrival<'_>) {
    let segment = arrival.segment;
    if standing(tcb, segment) != Standing::Current {
        return;
    }
    update_windows(tcb, arrival);
    tcb.snd_una = segment.ack;
    if tcb.fin_acknowledged_by(segment.ack) {
        match tcb.state {
            State::FinWait1 => tcb.state = State::FinWait2,
            State::Closing => tcb.state = State::TimeWait,
            State::LastAck => tcb.close(),
            _ => {}
        }
    }
}

fn update_windows(tcb: &mut Tcb, arrival: Arrival<'_>) {
    let segment = arrival.segment;
    let offered = SendWindow {
        snd_wnd: segment.window.scaled(tcb.snd_wind_shift).0,
        snd_wl1: segment.seq,
        snd_wl2: segment.ack,
    };
    let newer = |window: &SendWindow| {
        window.snd_wl1.before(segment.seq)
            || window.snd_wl1 == segment.seq && window.snd_wl2.at_or_before(segment.ack)
    };
    let replaces_all = tcb.snd_wnd.iter().all(newer);
    let mut extra = Vec::new();
    for hook in &arrival.latitude.send_window {
        let mut add = |window: &SendWindow| {
            let other = hook(tcb, segment, *window);
            extra.extend(other.filter(|other| !replaces_all || *other != offered));
        };
        tcb.snd_wnd.iter().for_each(&mut add);
    }
    for window in &mut tcb.snd_wnd {
        if newer(window) {
            *window = offered;
        }
    }
    tcb.snd_wnd.extend(extra);
    for index in (1..tcb.snd_wnd.len()).rev() {
        if tcb.snd_wnd[..index].contains(&tcb.snd_wnd[index]) {
            tcb.snd_wnd.swap_remove(index);
        }
    }
    if replaces_all {
        tcb.max_snd_wnd = tcb.max_snd_wnd.max(offered.snd_wnd);
    }
}
