//! The order of tests in a synchronized state: timestamps, window, RST, SYN, ACK, text, FIN.
//! RFC 9293 section 3.10.7.4 and RFC 7323 section 5.3.

use super::acknowledgment::{self, Standing};
use super::window::{Acceptability, acceptability};
use super::{Arrival, Reading, Take, TsUpdate, text, timestamps};
use crate::held::Held;
use crate::state::State;
use crate::tcb::{Due, Recent, Tcb};
use crate::timestamp::Age;
use crate::{Flags, OpenMode, Segment, SeqNum, TsVal};

pub(super) fn arrive(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    let segment = arrival.segment;
    if segment.has(Flags::RST) {
        return reset(tcb, arrival, forks);
    }
    if segment.has(Flags::SYN) {
        return syn(tcb, arrival, forks);
    }
    let tsval = tcb
        .timestamps
        .then(|| segment.options.timestamps())
        .flatten()
        .map(|(tsval, _)| tsval);
    if let Some(tsval) = tsval
        && let Some(mut refused) = split_by_age(tcb, tsval)
    {
        let tolerated = refused.ts_recent.iter().any(|recent| {
            arrival
                .latitude
                .paws
                .iter()
                .any(|hook| hook(tcb, segment, recent.value))
        });
        if tolerated {
            let mut accepting = refused.clone();
            consider(&mut accepting, arrival, forks);
            forks.push(accepting);
        }
        let mut others = Vec::new();
        for hook in &arrival.latitude.refused {
            hook(&refused, segment, &mut others);
        }
        for reading in others {
            let mut fork = refused.clone();
            apply(&mut fork, arrival, &reading);
            forks.push(fork);
        }
        let dropped = Reading::dropped(TsUpdate::Never).owed(owes_answer(&refused, segment));
        apply(&mut refused, arrival, &dropped);
        if tcb.ts_recent.is_empty() {
            *tcb = refused;
            return;
        }
        forks.push(refused);
    }
    consider(tcb, arrival, forks);
}

/// Parts the hypothesis by the timestamp test: what refuses the segment comes back, what takes it stays in `tcb`.
pub(super) fn split_by_age(tcb: &mut Tcb, tsval: TsVal) -> Option<Tcb> {
    let refuses =
        |recent: &Recent| matches!(tsval.age_against(recent.value), Age::Older | Age::Undefined);
    if !tcb.ts_recent.iter().any(refuses) {
        return None;
    }
    let mut refused = tcb.clone();
    refused.ts_recent.retain(refuses);
    tcb.ts_recent
        .retain(|recent| tsval.age_against(recent.value) != Age::Older);
    Some(refused)
}

/// The window test and what follows, for a segment that the timestamp test let through.
fn consider(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    if text::contradicts_fin(tcb, arrival.segment) {
        (tcb.unjudged, tcb.contradicted) = (true, true);
        return;
    }
    if acknowledges_unsent(tcb, arrival.segment) {
        owe_challenge(tcb, arrival);
    }
    // In order and complete: one reading, no fork. The way of nearly every segment.
    if let Some(reading) = plain(tcb, arrival) {
        apply(tcb, arrival, &reading);
        return;
    }
    let mut readings = Vec::with_capacity(4);
    rfc_readings(tcb, arrival, &mut readings);
    for hook in &arrival.latitude.readings {
        hook(tcb, arrival.segment, &mut readings);
    }
    let Some(last) = readings.pop() else { return };
    for reading in readings {
        let mut fork = tcb.clone();
        apply(&mut fork, arrival, &reading);
        forks.push(fork);
    }
    apply(tcb, arrival, &last);
}

/// The reading of a segment about which nothing is open and on which no deviation bears.
fn plain(tcb: &Tcb, arrival: Arrival<'_>) -> Option<Reading> {
    let segment = arrival.segment;
    let clear = !arrival.latitude.bears_on_all
        && tcb.state == State::Established
        && !tcb.may_shrink_window
        && tcb.edge == tcb.max_edge
        && segment.has(Flags::ACK)
        && (segment.options.timestamps().is_some() == tcb.timestamps || !tcb.timestamps)
        && acceptability(segment, tcb.rcv_nxt, tcb.edge) == Acceptability::Inside
        && matches!(
            acknowledgment::standing(tcb, segment),
            Standing::Current | Standing::Old
        );
    clear.then(|| Reading::accepted(text::rest_from(segment, tcb.rcv_nxt)))
}

/// Every reading that the RFCs allow.
fn rfc_readings(tcb: &Tcb, arrival: Arrival<'_>, readings: &mut Vec<Reading>) {
    let segment = arrival.segment;
    if !segment.has(Flags::ACK) {
        readings.push(Reading::dropped(TsUpdate::Either));
        return;
    }
    if lacks_timestamps(tcb, segment) {
        readings.push(Reading::dropped(TsUpdate::Never));
        return;
    }
    // What lay inside any window ever advertised stays acceptable (RFC 7323 section 2.4).
    readings_up_to(tcb, segment, tcb.max_edge, readings);
}

/// The readings of a segment with ACK when the window reaches to `edge`.
pub fn readings_up_to(tcb: &Tcb, segment: &Segment, edge: SeqNum, readings: &mut Vec<Reading>) {
    let standing = acceptability(segment, tcb.rcv_nxt, edge);
    if matches!(standing, Acceptability::Inside | Acceptability::Straddles) {
        return accepted_up_to(tcb, segment, edge, readings);
    }
    let refused = Reading::dropped(TsUpdate::Either).owed(owes_answer(tcb, segment));
    let shut = edge == tcb.rcv_nxt && standing == Acceptability::Beyond;
    let valid = acknowledgment::standing(tcb, segment) == Standing::Current;
    if !shut || !valid || segment.seq != tcb.rcv_nxt {
        readings.push(refused);
    }
    if shut {
        // Window zero: valid acknowledgments still count.
        readings.push(Reading {
            acknowledges: true,
            ..refused
        });
    }
    if standing == Acceptability::Spans {
        accepted_up_to(tcb, segment, edge, readings);
    }
}

/// The readings of a segment that is acceptable in the window up to `edge`.
fn accepted_up_to(tcb: &Tcb, segment: &Segment, edge: SeqNum, readings: &mut Vec<Reading>) {
    let whole = text::rest_from(segment, tcb.rcv_nxt);
    match acknowledgment::standing(tcb, segment) {
        Standing::Unsent => {
            readings.push(Reading::dropped(TsUpdate::Either));
            return;
        }
        Standing::TooOld => {
            readings.push(Reading::dropped(TsUpdate::Either));
        }
        Standing::Current | Standing::Old => {}
    }
    let too_old = acknowledgment::standing(tcb, segment) == Standing::TooOld;
    let accepted = |take| {
        let update = if too_old {
            TsUpdate::Either
        } else {
            TsUpdate::Must
        };
        Reading::accepted(take).updating(update)
    };
    if tcb.state.has_peer_fin() {
        // Nothing can follow the FIN: text is ignored, and whether its timestamp counts is open.
        if segment.end().after(edge) {
            readings.push(Reading::dropped(TsUpdate::Either));
        }
        let ignored = !segment.is_empty();
        let reading = accepted(Take::NOTHING);
        readings.push(if ignored {
            reading.updating(TsUpdate::Either)
        } else {
            reading
        });
        let fin_ahead = segment.has(Flags::FIN) && segment.text_end().at_or_after(tcb.rcv_nxt);
        if fin_ahead && segment.seq.at_or_before(tcb.rcv_nxt) {
            // The seventh check ignores text, the eighth advances over a FIN: by the letter, over this one too.
            let take = Take {
                start: segment.text_end(),
                end: segment.text_end(),
                fin: true,
                maybe: false,
            };
            readings.push(accepted(take).updating(TsUpdate::Either));
        }
        return;
    }
    if tcb.orphan && !whole.is_nothing() {
        // Nobody reads any more: the text may be refused with a reset.
        readings.push(accepted(Take::NOTHING).updating(TsUpdate::Either));
    }
    // A window that shrank is shown by the next acknowledgment, and rules before it.
    let whole = Take {
        maybe: tcb.may_shrink_window && whole.start.after(tcb.rcv_nxt),
        ..whole
    };
    if whole.end.at_or_before(edge) && segment.end().at_or_before(edge) {
        readings.push(accepted(whole));
        return;
    }
    // It crosses the edge: the part inside is taken, or none of it.
    let head = Take {
        end: whole.end.earliest(edge),
        fin: false,
        ..whole
    };
    if head.start.after(tcb.rcv_nxt) {
        let maybe = Take {
            maybe: true,
            ..head
        };
        readings.push(accepted(maybe));
        readings.push(Reading {
            acknowledges: false,
            ..accepted(maybe).updating(TsUpdate::Either)
        });
        return;
    }
    readings.push(accepted(head));
    readings.push(accepted(Take::NOTHING).updating(TsUpdate::Either));
    readings.push(Reading::dropped(TsUpdate::Either));
}

/// Whether `segment`, if it is refused, is owed an acknowledgment at once that no stack limits the rate of: it carries
/// text, and its acknowledgment is none of those that RFC 5961 answers with a challenge. One without ACK is dropped before
/// anything else is looked at.
pub fn owes_answer(tcb: &Tcb, segment: &Segment) -> bool {
    let plausible = matches!(
        acknowledgment::standing(tcb, segment),
        Standing::Current | Standing::Old
    );
    // Past the peer's FIN nothing can follow, and whether such text is refused or ignored is a matter of taste.
    let past_fin = tcb.state.has_peer_fin() && segment.end().after(tcb.rcv_nxt);
    !segment.payload.is_empty() && segment.has(Flags::ACK) && plausible && !past_fin
}

/// Makes one reading true.
fn apply(tcb: &mut Tcb, arrival: Arrival<'_>, reading: &Reading) {
    timestamps::update(tcb, arrival, reading);
    if reading.due
        && !arrival
            .latitude
            .silence
            .iter()
            .any(|hook| hook(tcb, arrival.segment))
    {
        tcb.due = Some(Due {
            entry: arrival.entry,
            since: arrival.at,
        });
    }
    if reading.acknowledges {
        acknowledgment::process(tcb, arrival);
        if !tcb.state.is_synchronized() {
            return;
        }
    }
    if reading.forgets_held {
        tcb.held = Held::default();
    }
    if arrival.segment.has(Flags::URG) {
        note_urgent(tcb, arrival.segment, reading);
    }
    text::take(tcb, arrival.segment, reading.take);
}

/// Notes what a segment with URG makes urgent (sixth check). It may be text that is still to come. What counts is what lies
/// ahead of RCV.NXT (section 3.8.5) and of what was urgent before; whether unread text behind RCV.NXT counts too (section
/// 3.10.7.4) is open, and so is what a pointer of zero means.
fn note_urgent(tcb: &mut Tcb, segment: &Segment, reading: &Reading) {
    let (take, end) = (reading.take, segment.seq + u32::from(segment.urgent));
    let first = tcb.irs + 1;
    let known = first + tcb.read.max(tcb.rcv_up.unwrap_or(0));
    if end.at_or_before(known) && segment.urgent > 0 {
        return;
    }
    if !reading.acknowledges && take.is_nothing() {
        // Some take the pointer of a pure acknowledgment that comes a little late.
        tcb.urgent_unknown |= segment.seq.at_or_after(tcb.rcv_nxt);
        return;
    }
    let listens = matches!(
        tcb.state,
        State::Established | State::FinWait1 | State::FinWait2
    );
    // What is taken in its turn is looked at then.
    let counts = if segment.is_empty() {
        segment.seq == tcb.rcv_nxt
    } else {
        !take.is_nothing() && !take.maybe
    };
    let has_come = tcb.held.touches(end - 1, end);
    if listens && counts && segment.urgent > 0 && end.after(tcb.rcv_nxt) && !has_come {
        tcb.rcv_up = Some(end.offset_from(first));
        let in_turn = segment.seq.at_or_before(tcb.rcv_nxt);
        tcb.urgent_news |= in_turn && (tcb.in_use || tcb.open == OpenMode::Active);
    } else {
        tcb.urgent_unknown = true;
    }
}

/// A reset: exactly at RCV.NXT it ends the connection; elsewhere in the window it is challenged (RFC 5961) or ends it
/// (RFC 9293); outside it is nothing. Its timestamp never counts.
fn reset(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    let segment = arrival.segment;
    let offset = i64::from(segment.seq.distance_from(tcb.rcv_nxt));
    if offset == 0 {
        let fits = segment.end().at_or_before(tcb.edge);
        if tcb.state == State::TimeWait || !segment.is_empty() && !fits {
            // TIME-WAIT may be kept (RFC 1337); a reset with text that does not fit is not acceptable by the letter.
            forks.push(tcb.clone());
        }
        tcb.reset();
        return;
    }
    let window = i64::from(tcb.max_edge.distance_from(tcb.rcv_nxt)).max(0);
    if (0..window.max(1)).contains(&offset) {
        forks.push(tcb.with(Tcb::reset));
    } else {
        tcb.reset_refused = true;
    }
    // One that crosses the edge may be dropped for that.
    let whole = segment.end().at_or_before(tcb.edge);
    if whole && (0..i64::from(tcb.rcv_wnd())).contains(&offset) {
        owe_challenge(tcb, arrival);
    }
}

/// Notes that the segment is owed a challenge (RFC 5961). Who limits their rate sends the first of them, and whatever is
/// left of a connection in TIME-WAIT, or in FIN-WAIT-2 without a user, has no means for it.
fn owe_challenge(tcb: &mut Tcb, arrival: Arrival<'_>) {
    let left = tcb.state == State::TimeWait || tcb.orphan && tcb.state == State::FinWait2;
    let mut hooks = arrival.latitude.challenge.iter();
    if !left && !tcb.has_repeated && !hooks.any(|hook| hook(tcb, arrival.segment)) {
        tcb.challenge = Some(Due {
            entry: arrival.entry,
            since: arrival.at,
        });
    }
}

/// Whether the segment SHOULD be dropped without a word, for it lacks the timestamps agreed on (RFC 7323 section 3.2).
fn lacks_timestamps(tcb: &Tcb, segment: &Segment) -> bool {
    tcb.timestamps && segment.options.timestamps().is_none()
}

/// Whether an acceptable segment acknowledges what was never sent.
fn acknowledges_unsent(tcb: &Tcb, segment: &Segment) -> bool {
    segment.has(Flags::ACK)
        && !lacks_timestamps(tcb, segment)
        && acknowledgment::standing(tcb, segment) == Standing::Unsent
        && acceptability(segment, tcb.rcv_nxt, tcb.edge) == Acceptability::Inside
}

/// A SYN in a synchronized state draws a challenge and changes nothing (RFC 5961), or resets the connection if it lies in
/// the window (RFC 9293 for stacks without RFC 5961); in TIME-WAIT it may open a new connection.
fn syn(tcb: &mut Tcb, arrival: Arrival<'_>, forks: &mut Vec<Tcb>) {
    let gone = tcb.state == State::TimeWait || tcb.orphan && tcb.state == State::FinWait2;
    let inside = matches!(
        acceptability(arrival.segment, tcb.rcv_nxt, tcb.max_edge),
        Acceptability::Inside | Acceptability::Straddles
    );
    if inside && !gone {
        forks.push(tcb.with(Tcb::close));
    }
    maybe_take_timestamp(tcb, arrival);
    if !lacks_timestamps(tcb, arrival.segment) {
        owe_challenge(tcb, arrival);
    }
    if gone {
        let mut fork = tcb.clone();
        fork.close();
        if tcb.open == OpenMode::Passive {
            super::closed::listen(&mut fork, arrival, forks);
        }
        forks.push(fork);
    }
}

/// A segment that fails a test although its timestamp is newer and its place in order: both readings stay.
pub(super) fn maybe_take_timestamp(tcb: &mut Tcb, arrival: Arrival<'_>) {
    timestamps::update(tcb, arrival, &Reading::dropped(TsUpdate::Either));
}
