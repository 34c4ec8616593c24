//! Decides whether the round trip that a stack says it measured can have been measured.
//! RFC 7323 section 4.1, RFC 9293 section 3.8.1 (MUST-18).

use ackward_model::{Hook, Micros, Sample, Tcb};

use crate::Pace;
use crate::rule::{Check, Class, Deviation, Level, Misfit, Rule, RuleCard};

/// What may be measured, and what may not.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "7323:4.1-a",
            citation: "RFC 7323 section 4.1",
            level: Level::May,
            class: Class::Quality,
            statement: "A round trip is measured by an echo only where the segment with it moves SND.UNA.",
            provoked_by: "Acknowledgments that acknowledge nothing new, with old echoes.",
        },
        check: Some(Check::Inspection {
            fits: |tcb, sample, pace| !tcb.timestamps || is_plausible(tcb, sample, pace),
            explain,
        }),
        deviations: &[Deviation {
            name: "round_trip_by_any_echo",
            rule: "7323:4.1-a",
            summary: "The echo of a segment that acknowledges nothing new counts as a measurement.",
            impact: "Where text flows one way, or old acknowledgments are repeated, timeouts become far too long.",
            hooks: &[Hook::Inspection("7323:4.1-a")],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-18",
            citation: "RFC 9293 section 3.8.1 (MUST-18), RFC 6298 section 3",
            level: Level::Must,
            class: Class::Quality,
            statement: "The round trip of what was sent again is not measured, unless timestamps tell which one was \
                        acknowledged.",
            provoked_by: "No timestamps, text that is acknowledged only after it has been sent again.",
        },
        check: Some(Check::Inspection {
            fits: |tcb, sample, pace| tcb.timestamps || is_plausible(tcb, sample, pace),
            explain,
        }),
        deviations: &[Deviation {
            name: "round_trip_of_what_was_repeated",
            rule: "9293:MUST-18",
            summary: "The acknowledgment of text that was sent again counts as a measurement from the first time.",
            impact: "After a loss the timeout is longer than the path asks for, and the next loss takes longer to mend.",
            hooks: &[Hook::Inspection("9293:MUST-18")],
        }],
    },
];

/// No clock by which stacks measure is coarser, microseconds.
const COARSEST: Micros = 10_000;

/// Whether some acknowledgment so far may have shown a round trip so long.
fn is_plausible(tcb: &Tcb, sample: &Sample, pace: &Pace) -> bool {
    let longest = pace.round_trips.longest + COARSEST;
    !tcb.state.is_synchronized() || sample.rtt.is_none_or(|rtt| rtt <= longest)
}

fn explain(_: &Tcb, sample: &Sample, pace: &Pace) -> Misfit {
    let milliseconds = |by: Micros| format!("{} ms", by.div_ceil(1_000));
    Misfit::new(
        format!("tcpi_rtt up to {}", milliseconds(pace.round_trips.longest)),
        format!("tcpi_rtt {}", milliseconds(sample.rtt.unwrap_or_default())),
    )
}
