//! Decides whether an emission may or must carry the timestamps option.
//! RFC 7323 section 3.2.

use ackward_model::{Flags, Hook, Segment, State, Tcb};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Presence of the option, and TSecr where there is nothing to echo.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "7323:3.2-a",
            citation: "RFC 7323 section 3.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "Once both SYNs carried timestamps, every segment but a RST carries them.",
            provoked_by: "Anything that is answered outside the main path: challenge ACKs, SYN-RECEIVED, TIME-WAIT.",
        },
        check: Some(Check::Emission {
            fits: |emission| {
                !emission.tcb.timestamps
                    || emission.segment.has(Flags::RST)
                    || emission.segment.has(Flags::SYN)
                    || emission.segment.options.timestamps().is_some()
            },
            explain: |_| Misfit::new("a timestamps option", "none"),
        }),
        deviations: &[
            Deviation {
                name: "timestamps_left_out_when_ts_recent_is_zero",
                rule: "7323:3.2-a",
                summary: "An acknowledgment sent in SYN-RECEIVED or TIME-WAIT carries no timestamps when TS.Recent is zero.",
                impact: "A peer whose clock starts at zero and that follows RFC 7323 drops the answer silently.",
                hooks: &[Hook::Emission("7323:3.2-a", |tcb, _| {
                    let beside_the_socket = matches!(
                        tcb.state,
                        State::SynReceived | State::TimeWait | State::FinWait2
                    );
                    beside_the_socket && tcb.ts_recent.iter().any(|recent| recent.value.0 == 0)
                })],
            },
            Deviation {
                name: "timestamps_left_out",
                rule: "7323:3.2-a",
                summary: "Some segments of a connection with timestamps carry none.",
                impact: "A peer that follows RFC 7323 drops such a segment silently.",
                hooks: &[Hook::Emission("7323:3.2-a", |_, _| true)],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "7323:3.2-b",
            citation: "RFC 7323 section 3.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "Timestamps are sent only if both SYNs carried them; in a SYN,ACK only if the SYN did.",
            provoked_by: "A SYN without timestamps, later segments with them.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                if segment.has(Flags::RST) || segment.options.timestamps().is_none() {
                    return true;
                }
                match (segment.has(Flags::SYN), segment.has(Flags::ACK)) {
                    (true, false) => true,
                    (true, true) => tcb.offers.peer_timestamps,
                    _ => tcb.timestamps,
                }
            },
            explain: |_| Misfit::new("no timestamps option", "one"),
        }),
        deviations: &[
            Deviation {
                name: "time_wait_stamped_without_agreement",
                rule: "7323:3.2-b",
                summary: "TIME-WAIT answers with timestamps although the SYNs did not agree on them.",
                impact: "None for the stream, which is over: a peer that sent the option where it does not count gets its \
                         value back.",
                hooks: &[Hook::Emission("7323:3.2-b", |tcb, segment| {
                    let waiting =
                        tcb.state == State::TimeWait || tcb.orphan && tcb.state == State::FinWait2;
                    waiting && !segment.has(Flags::SYN)
                })],
            },
            Deviation {
                name: "timestamps_not_negotiated",
                rule: "7323:3.2-b",
                summary: "Timestamps are sent although the SYNs did not agree on them.",
                impact: "Twelve octets of every segment are lost, and a peer may misread a later negotiation.",
                hooks: &[Hook::Emission("7323:3.2-b", |_, _| true)],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "7323:3.2-c",
            citation: "RFC 7323 section 3.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "Timestamps on a connection that did not negotiate them are ignored; the segment counts as any other.",
            provoked_by: "No timestamps in the SYN, then text with falling TSvals.",
        },
        check: None,
        deviations: &[Deviation {
            name: "unnegotiated_timestamps_refused",
            rule: "7323:3.2-c",
            summary: "A segment with timestamps that were not negotiated is dropped.",
            impact: "Text is lost until the peer stops sending the option.",
            hooks: &[Hook::Reading(|tcb, segment, readings| {
                if !tcb.timestamps && segment.options.timestamps().is_some() {
                    readings.push(super::dropped(tcb, segment));
                }
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:3.2-f",
            citation: "RFC 7323 section 3.2",
            level: Level::Should,
            class: Class::Quality,
            statement: "TSecr is zero when the segment has no ACK.",
            provoked_by: "An active open.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, .. }| {
                segment.has(Flags::ACK)
                    || segment.has(Flags::RST)
                    || segment
                        .options
                        .timestamps()
                        .is_none_or(|(_, tsecr)| tsecr.0 == 0)
            },
            explain: |Emission { segment, .. }| {
                let tsecr = segment.options.timestamps().map_or(0, |(_, tsecr)| tsecr.0);
                Misfit::new("ecr 0", format!("ecr {tsecr}"))
            },
        }),
        deviations: &[
            Deviation {
                name: "echo_without_ack",
                rule: "7323:3.2-f",
                summary: "The first SYN carries a TSecr that echoes nothing.",
                impact: "None: a receiver ignores TSecr without ACK.",
                hooks: &[Hook::Emission("7323:3.2-f", |_, _| true)],
            },
            // A single echo says little of where it came from, so those that say more are tried before.
            Deviation {
                name: "acknowledgment_echoes_what_it_answers",
                rule: "7323:4.3-b",
                summary: "An acknowledgment without text echoes the segment that it answers, whatever TS.Recent is.",
                impact: "Duplicate acknowledgments carry too new an echo, those of old segments too old a one: a peer that \
                         times by TSecr measures wrong round trips.",
                hooks: &[
                    Hook::Emission("7323:4.3-b", echoes_the_latest),
                    Hook::Echo(echoes_the_latest),
                ],
            },
        ],
    },
];

/// Whether a segment without text or control bits echoes the latest arrival.
fn echoes_the_latest(tcb: &Tcb, segment: &Segment) -> bool {
    let tsecr = segment.options.timestamps().map(|(_, tsecr)| tsecr);
    segment.is_empty() && tsecr.is_some() && tsecr == tcb.arrived_tsval
}
