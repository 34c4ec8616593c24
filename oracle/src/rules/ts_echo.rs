//! Decides whether an emitted TSecr is the TS.Recent that the segments so far must have left.
//! RFC 7323 section 4.3.

use ackward_model::{Age, Flags, Hook, State, TsUpdate};

use crate::Facts;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// The three sentences of section 4.3: which segment moves TS.Recent, what is echoed, what Last.ACK.sent is.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "7323:4.3-a",
            citation: "RFC 7323 section 4.3, rule (2)",
            level: Level::Must,
            class: Class::Violation,
            statement: "TS.Recent takes SEG.TSval of an arriving segment exactly when SEG.TSval is not older than \
                        TS.Recent and SEG.SEQ is not beyond Last.ACK.sent.",
            provoked_by: "A segment that begins at Last.ACK.sent and carries a newer TSval: in order, filling a gap, \
                          with an old but acceptable acknowledgment. Or one that must not count: out of order, older, refused.",
        },
        check: None,
        deviations: UPDATE_DEVIATIONS,
    },
    Rule {
        card: RuleCard {
            id: "7323:4.3-b",
            citation: "RFC 7323 section 4.3, rule (3)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Every segment with ACK echoes TS.Recent as it is when the segment is sent.",
            provoked_by: "Any answer on a connection with timestamps; each injected segment has a TSval of its own, so \
                          the echo names the segment it came from.",
        },
        check: Some(Check::Emission { fits, explain }),
        deviations: &[],
    },
    Rule {
        card: RuleCard {
            id: "7323:4.3-c",
            citation: "RFC 7323 section 4.3, rule (1)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Last.ACK.sent is the acknowledgment field of the last segment sent, not RCV.NXT.",
            provoked_by: "Two in-order segments, the second while the acknowledgment of the first is still delayed: the \
                          echo must be that of the first.",
        },
        check: None,
        deviations: &[Deviation {
            name: "ts_recent_compared_with_rcv_nxt",
            rule: "7323:4.3-c",
            summary: "TS.Recent takes the TSval of segments up to RCV.NXT although they are not acknowledged yet.",
            impact: "A peer that times by TSecr measures delayed acknowledgments too short.",
            hooks: &[Hook::TsRecent(|tcb, segment, reading, before| {
                let (tsval, _) = segment.options.timestamps()?;
                let unacknowledged =
                    segment.seq.after(tcb.last_ack_sent) && segment.seq.at_or_before(tcb.rcv_nxt);
                let newer = tsval.age_against(before) == Age::Newer;
                (reading.acknowledges && unacknowledged && newer).then_some(tsval)
            })],
        }],
    },
];

static UPDATE_DEVIATIONS: &[Deviation] = &[
    Deviation {
        name: "old_ack_leaves_ts_recent_alone",
        rule: "7323:4.3-a",
        summary: "A segment whose acknowledgment is old but acceptable does not move TS.Recent, although its text is taken.",
        impact: "A peer that times by TSecr on every acknowledgment (RFC 7323 section 4.1) measures one round trip too \
                 long by the time between the two segments; a Linux peer only when that acknowledgment covers \
                 retransmitted text.",
        hooks: &[Hook::TsRecent(|tcb, segment, reading, before| {
            let old = segment.ack.before(tcb.snd_una);
            (old && reading.ts_update == TsUpdate::Must).then_some(before)
        })],
    },
    Deviation {
        name: "orphaned_fin_wait_2_leaves_ts_recent_alone",
        rule: "7323:4.3-a",
        summary: "Once the application has closed and the stack's FIN is acknowledged, a segment without text does not move TS.Recent.",
        impact: "None that traffic would notice: only the echo in later duplicate acknowledgments of a closed connection.",
        hooks: &[Hook::TsRecent(|tcb, segment, reading, before| {
            let waiting = tcb.orphan && matches!(tcb.state, State::FinWait2 | State::FinWait1);
            (waiting && segment.is_empty() && reading.ts_update == TsUpdate::Must).then_some(before)
        })],
    },
    Deviation {
        name: "out_of_order_text_moves_ts_recent",
        rule: "7323:4.3-a",
        summary: "A segment beyond RCV.NXT moves TS.Recent.",
        impact: "Duplicate acknowledgments carry too new an echo: a peer that times by TSecr measures too short a round \
                 trip, and an older segment that fills the gap may then be refused by PAWS.",
        hooks: &[Hook::TsRecent(|tcb, segment, reading, before| {
            let (tsval, _) = segment.options.timestamps()?;
            let beyond = segment.seq.after(tcb.rcv_nxt);
            let newer = tsval.age_against(before) == Age::Newer;
            (reading.acknowledges && beyond && newer).then_some(tsval)
        })],
    },
    Deviation {
        name: "refused_segment_moves_ts_recent",
        rule: "7323:4.3-a",
        summary: "A segment that is refused moves TS.Recent, wherever it lies.",
        impact: "One forged or damaged segment with a far TSval makes PAWS refuse everything after it: the connection freezes.",
        hooks: &[Hook::TsRecent(|_, segment, reading, _| {
            let (tsval, _) = segment.options.timestamps()?;
            (!reading.acknowledges).then_some(tsval)
        })],
    },
    Deviation {
        name: "timestamps_compared_without_wrap",
        rule: "7323:4.3-a",
        summary: "TSvals are compared as plain unsigned numbers, so that a wrapped one counts as old.",
        impact: "The echo freezes each time the peer's timestamp clock wraps.",
        hooks: &[Hook::TsRecent(|_, segment, reading, before| {
            let (tsval, _) = segment.options.timestamps()?;
            (reading.acknowledges && tsval.0 < before.0).then_some(before)
        })],
    },
    Deviation {
        name: "ts_recent_never_moves",
        rule: "7323:4.3-a",
        summary: "TS.Recent stays what the SYN brought.",
        impact: "Every echo is stale: a peer that times by TSecr measures ever longer round trips.",
        hooks: &[Hook::TsRecent(|_, _, _, before| Some(before))],
    },
];

fn fits(emission: &Emission<'_>) -> bool {
    let Emission { tcb, segment, .. } = emission;
    if !segment.has(Flags::ACK) || segment.has(Flags::RST) || tcb.ts_recent.is_empty() {
        return true;
    }
    match segment.options.timestamps() {
        Some((_, tsecr)) => tcb.ts_recent.iter().any(|recent| recent.value == tsecr),
        None => true,
    }
}

fn explain(emission: &Emission<'_>) -> Misfit {
    let Emission { tcb, segment, .. } = emission;
    let observed = segment
        .options
        .timestamps()
        .map(|(_, tsecr)| tsecr)
        .unwrap_or_default();
    let allowed: Vec<_> = tcb.ts_recent.iter().map(|recent| recent.value).collect();
    let words: Vec<_> = allowed.iter().map(|value| format!("{}", value.0)).collect();
    Misfit {
        allowed: format!("ecr {}", words.join(" or ")),
        observed: format!("ecr {}", observed.0),
        why: tcb
            .ts_recent
            .iter()
            .map(|recent| {
                let why = format!("this segment moved TS.Recent to {}", recent.value.0);
                (recent.entry, why)
            })
            .collect(),
        facts: Facts::Echo { allowed, observed },
    }
}
