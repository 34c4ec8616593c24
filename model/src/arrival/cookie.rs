//! What can be said of a segment where SYNs are answered with cookies, so that nothing is remembered of a connection before
//! the acknowledgment that brings the cookie back.
//! RFC 4987 section 3.6.

use crate::state::State;
use crate::tcb::Tcb;
use crate::{Flags, Segment};

/// Whether what `segment` does is what RFC 9293 says. What forgets its SYNs knows no older segment, no text that waits, no
/// reset; and whoever has a cookie may open the connection once more.
pub(super) fn is_plain(tcb: &Tcb, segment: &Segment) -> bool {
    match tcb.state {
        State::Listen => {
            let opens_again = segment.has(Flags::ACK) && !segment.has(Flags::RST);
            !opens_again || tcb.iss == Default::default()
        }
        State::SynReceived if tcb.is_forgotten() => {
            is_first_syn(tcb, segment) || completes(tcb, segment)
        }
        // Whether it is gone now shows in nothing, if the next segment may open it again.
        _ => !(tcb.orphan && segment.has(Flags::RST)),
    }
}

/// The SYN, once more.
fn is_first_syn(tcb: &Tcb, segment: &Segment) -> bool {
    let options = &segment.options;
    let tsval = options.timestamps().map(|(tsval, _)| tsval);
    let known = tcb.offers;
    let offers = (
        options.window_scale(),
        options.sack_permitted(),
        options.maximum_segment_size(),
        segment.flags.ask_for_ecn(),
    );
    segment.seq == tcb.irs
        && segment.payload.is_empty()
        && segment.flags.without(Flags::ECE | Flags::CWR) == Flags::SYN
        && offers
            == (
                known.peer_scale,
                known.peer_sack,
                known.peer_mss,
                known.peer_ecn,
            )
        && tsval == tcb.ts_recent.first().map(|recent| recent.value)
}

/// The next segment in order, which brings the cookie and the timestamp that belongs to it.
fn completes(tcb: &Tcb, segment: &Segment) -> bool {
    let opens = segment.has(Flags::ACK) && !segment.has(Flags::SYN) && !segment.has(Flags::RST);
    let in_turn = segment.seq == tcb.rcv_nxt && segment.ack == tcb.snd_nxt;
    let stamped = match segment.options.timestamps() {
        Some((tsval, tsecr)) if tcb.timestamps => {
            let older = |recent: &crate::tcb::Recent| tsval.distance_from(recent.value) < 0;
            tcb.last_tsval == Some(tsecr) && !tcb.ts_recent.iter().any(older)
        }
        other => other.is_some() == tcb.timestamps,
    };
    opens && in_turn && stamped
}
