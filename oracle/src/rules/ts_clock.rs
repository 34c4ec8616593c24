//! Decides whether the stack's timestamp clock runs forward, and fast enough.
//! RFC 7323 section 5.4.

use ackward_model::{Flags, Hook};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// What TSval does from segment to segment.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "7323:5.4-a",
            citation: "RFC 7323 section 5.4",
            level: Level::Must,
            class: Class::Violation,
            statement: "TSval never decreases from one segment of a connection to the next.",
            provoked_by: "Answers from different parts of a stack: SYN,ACK, established socket, TIME-WAIT.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| match (
                tcb.last_tsval,
                segment.options.timestamps(),
            ) {
                (Some(last), Some((tsval, _))) if !segment.has(Flags::RST) => {
                    tsval.distance_from(last) >= 0
                }
                _ => true,
            },
            explain: |Emission { tcb, segment, .. }| {
                let last = tcb.last_tsval.map_or(0, |last| last.0);
                let tsval = segment.options.timestamps().map_or(0, |(tsval, _)| tsval.0);
                Misfit::new(format!("TSval from {last} on"), format!("TSval {tsval}"))
            },
        }),
        deviations: &[Deviation {
            name: "tsval_decreases",
            rule: "7323:5.4-a",
            summary: "TSval goes backwards on a connection.",
            impact: "The peer's PAWS refuses the segment and everything like it.",
            hooks: &[Hook::Emission("7323:5.4-a", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:5.4-b",
            citation: "RFC 7323 section 5.4",
            level: Level::Must,
            class: Class::Violation,
            statement: "The timestamp clock is proportional to real time, and ticks at least once a second.",
            provoked_by: "A wait of some seconds between two segments of the stack.",
        },
        check: Some(Check::Emission {
            fits: ticks,
            explain,
        }),
        deviations: &[Deviation {
            name: "timestamp_clock_too_slow",
            rule: "7323:5.4-b",
            summary: "Less than a tick a second passes between TSvals.",
            impact: "Old segments look new to the peer's PAWS, and its round-trip times are wrong.",
            hooks: &[Hook::Emission("7323:5.4-b", |_, _| true)],
        }],
    },
];

/// Whole seconds since the first TSval, and the ticks that have passed by then.
fn passed(emission: &Emission<'_>) -> Option<(u64, i32)> {
    let (first, since) = emission.tcb.first_tsval?;
    let (tsval, _) = emission.segment.options.timestamps()?;
    let seconds = emission.at.saturating_sub(since) / 1_000_000;
    Some((seconds, tsval.distance_from(first)))
}

fn ticks(emission: &Emission<'_>) -> bool {
    if emission.segment.has(Flags::RST) {
        return true;
    }
    // Half the circle further on, the distance says nothing.
    passed(emission).is_none_or(|(seconds, ticks)| {
        seconds > 1 << 30 || ticks < 0 || ticks as u64 + 1 >= seconds
    })
}

fn explain(emission: &Emission<'_>) -> Misfit {
    let (seconds, ticks) = passed(emission).unwrap_or_default();
    Misfit::new(
        format!("at least {seconds} ticks in {seconds} s"),
        format!("{ticks} ticks"),
    )
}
