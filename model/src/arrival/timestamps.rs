//! Which value TS.Recent takes from a segment.
//! RFC 7323 section 4.3: SEG.TSval ≥ TS.Recent and SEG.SEQ ≤ Last.ACK.sent.

use super::{Arrival, Reading, TsUpdate};
use crate::tcb::{Recent, Tcb};
use crate::timestamp::Age;

/// Applies `reading` of the segment to every value that TS.Recent may have.
pub(super) fn update(tcb: &mut Tcb, arrival: Arrival<'_>, reading: &Reading) {
    let Some((tsval, _)) = arrival.segment.options.timestamps() else {
        return;
    };
    if !tcb.timestamps {
        return;
    }
    let others = departing_values(tcb, arrival, reading);
    if reading.ts_update == TsUpdate::Never && others.is_empty() {
        return;
    }
    let in_order = arrival.segment.seq.at_or_before(tcb.last_ack_sent);
    let fresh = Recent {
        value: tsval,
        entry: arrival.entry,
    };
    if let ([recent], TsUpdate::Must, true) = (
        tcb.ts_recent.as_mut_slice(),
        reading.ts_update,
        others.is_empty(),
    ) {
        // One value in, one value out: the way of nearly every segment.
        match tsval.age_against(recent.value) {
            Age::Newer | Age::Same if in_order => {
                *recent = fresh;
                return;
            }
            Age::Undefined => {}
            _ => return,
        }
    }
    let mut after: Vec<Recent> = Vec::with_capacity(tcb.ts_recent.len() + 1);
    let values = tcb.ts_recent.iter().flat_map(|recent| {
        rfc_values(*recent, fresh, in_order, reading.ts_update)
            .into_iter()
            .flatten()
    });
    for recent in values.chain(others) {
        if !after.iter().any(|known| known.value == recent.value) {
            after.push(recent);
        }
    }
    tcb.ts_recent = after;
}

/// The values that deviations in force let TS.Recent have as well.
fn departing_values(tcb: &Tcb, arrival: Arrival<'_>, reading: &Reading) -> Vec<Recent> {
    let mut values = Vec::new();
    for hook in &arrival.latitude.ts_recent {
        values.extend(tcb.ts_recent.iter().filter_map(|recent| {
            let value = hook(tcb, arrival.segment, reading, recent.value)?;
            let entry = if value == recent.value {
                recent.entry
            } else {
                arrival.entry
            };
            Some(Recent { value, entry })
        }));
    }
    values
}

/// The one or two values that the RFC lets TS.Recent have afterwards.
fn rfc_values(
    recent: Recent,
    fresh: Recent,
    in_order: bool,
    update: TsUpdate,
) -> [Option<Recent>; 2] {
    if update == TsUpdate::Never || !in_order {
        return [Some(recent), None];
    }
    match (fresh.value.age_against(recent.value), update) {
        (Age::Older, _) => [Some(recent), None],
        (Age::Newer | Age::Same, TsUpdate::Must) => [Some(fresh), None],
        (Age::Undefined, _) | (_, _) => [Some(recent), Some(fresh)],
    }
}
