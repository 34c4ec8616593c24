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
    let hooks = &arrival.latitude.ts_recent;
    if reading.ts_update == TsUpdate::Never && hooks.is_empty() {
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
        hooks.is_empty(),
    ) {
        // One value in, one value out: the way of nearly every segment.
        match tsval.age_against(recent.value) {
            Age::Newer | Age::Same if in_order => {
                *recent = fresh;
                return;
            }
            Age::Undefined if in_order => {}
            _ => return,
        }
    }
    let frozen = (!hooks.is_empty()).then(|| tcb.clone());
    tcb.update_ts_recent(|recent, after| {
        after.extend(
            rfc_values(recent, fresh, in_order, reading.ts_update)
                .into_iter()
                .flatten(),
        );
        if let Some(before) = &frozen {
            after.extend(hooks.iter().filter_map(|hook| {
                let value = hook(before, arrival.segment, reading, recent.value)?;
                Some(Recent {
                    value,
                    entry: if value == recent.value {
                        recent.entry
                    } else {
                        arrival.entry
                    },
                })
            }));
        }
    });
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
