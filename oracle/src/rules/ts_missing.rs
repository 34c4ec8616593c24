//! Decides what becomes of a segment that lacks the timestamps agreed on, and which resets carry them.
//! RFC 7323 section 3.2.

use ackward_model::arrival::readings_up_to;
use ackward_model::{Flags, Hook, Micros, Segment, State, Tcb};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// The option where it should be and is not.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "7323:3.2-e",
            citation: "RFC 7323 section 3.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "A segment without the timestamps agreed on does not abort the connection.",
            provoked_by: "Timestamps in both SYNs, then text without them.",
        },
        check: None,
        deviations: &[Deviation {
            name: "segment_without_timestamps_resets",
            rule: "7323:3.2-e",
            summary: "A segment without the timestamps agreed on resets the connection.",
            impact: "A middlebox that strips options, or whoever guesses a sequence number, ends the connection.",
            hooks: &[Hook::Emission("9293:RST-cause", |tcb, _| {
                tcb.timestamps && tcb.arrived_tsval.is_none() && !tcb.arrived_reset
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:3.2-d",
            citation: "RFC 7323 section 3.2",
            level: Level::Should,
            class: Class::Interop,
            statement: "A segment without the timestamps agreed on is dropped without a word, unless it has RST.",
            provoked_by: "Timestamps in both SYNs, then text without them.",
        },
        check: None,
        deviations: &[Deviation {
            name: "segment_without_timestamps_taken",
            rule: "7323:3.2-d",
            summary: "A segment without the timestamps agreed on is taken like any other.",
            impact: "Old segments are not told from new ones where the option is stripped on the way.",
            hooks: &[Hook::Doubtful(|tcb, segment, readings| {
                if lacks_timestamps(tcb, segment) && segment.has(Flags::ACK) {
                    readings_up_to(tcb, segment, tcb.max_edge, readings);
                }
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:3.2-h",
            citation: "RFC 7323 section 3.2",
            level: Level::Should,
            class: Class::Quality,
            statement: "A RST of a connection with timestamps carries them.",
            provoked_by: "A close with text unread; text for a socket that is closed.",
        },
        check: Some(Check::Emission {
            fits: reset_fits,
            explain: |_| Misfit::new("a timestamps option", "none"),
        }),
        deviations: &[
            Deviation {
                name: "answering_resets_without_timestamps",
                rule: "7323:3.2-h",
                summary: "A RST that is made of the segment it answers carries no timestamps.",
                impact: "None: a receiver takes a RST whatever its timestamps are.",
                hooks: &[Hook::Emission("7323:3.2-h", |_, segment| {
                    !segment.has(Flags::ACK)
                })],
            },
            Deviation {
                name: "resets_without_timestamps",
                rule: "7323:3.2-h",
                summary: "No RST carries timestamps.",
                impact: "None: a receiver takes a RST whatever its timestamps are.",
                hooks: &[Hook::Emission("7323:3.2-h", |_, _| true)],
            },
        ],
    },
];

/// No connection is forgotten sooner, microseconds.
const SOON: Micros = 50_000_000;

/// A connection that was given up is forgotten, and what comes for it then belongs to none. One whose user has gone may
/// have ended unseen: a RST that answers a segment without ACK need not be of the connection.
fn reset_fits(emission: &Emission<'_>) -> bool {
    let Emission {
        tcb,
        segment,
        pace,
        at,
        ..
    } = emission;
    if !segment.has(Flags::RST) || !tcb.timestamps || segment.options.timestamps().is_some() {
        return true;
    }
    let forgotten = *at >= SOON || pace.may_have_given_up(*at) || tcb.state == State::TimeWait;
    let own = !tcb.orphan || !tcb.heard_since_close || tcb.arrived_ack.is_some();
    forgotten || !own || !tcb.state.is_synchronized()
}

fn lacks_timestamps(tcb: &Tcb, segment: &Segment) -> bool {
    tcb.timestamps && segment.options.timestamps().is_none()
}
