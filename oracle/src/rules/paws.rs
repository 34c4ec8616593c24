//! Names the departures from the timestamp test: what it must refuse, what it must let through, and when it is asked.
//! RFC 7323 sections 5.2 and 5.3.

use ackward_model::{Age, Flags, Hook, Segment, State, Tcb, TsUpdate};

use super::window_interior::acknowledgment_only;
use crate::rule::{Class, Deviation, Level, Rule, RuleCard};

/// PAWS. The reference applies it; a departure shows in what is acknowledged, delivered or echoed afterwards.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "7323:5.3-R2",
            citation: "RFC 7323 section 5.3, rules R2 to R5",
            level: Level::Must,
            class: Class::Violation,
            statement: "The timestamp test comes before the window test and everything after it: a refused segment is \
                        neither selectively acknowledged nor does its acknowledgment count.",
            provoked_by: "Out-of-order text with an old TSval.",
        },
        check: None,
        deviations: &[
            Deviation {
                name: "paws_spares_out_of_order_text",
                rule: "7323:5.3-R2",
                summary: "Out-of-order text is kept although its timestamp is old.",
                impact: "Old duplicates that lie beyond RCV.NXT are delivered once the gap is filled.",
                hooks: &[Hook::Paws(|tcb, segment, _| segment.seq.after(tcb.rcv_nxt))],
            },
            Deviation {
                name: "paws_spares_the_acknowledgment",
                rule: "7323:5.3-R2",
                summary: "The text of a segment with an old timestamp is refused, its acknowledgment and its window count.",
                impact: "An acknowledgment from before the sequence space wrapped makes the stack forget text that never \
                         arrived.",
                hooks: &[Hook::Refused(|tcb, segment, readings| {
                    let reading = acknowledgment_only(tcb, segment).updating(TsUpdate::Never);
                    readings.extend(segment.has(Flags::ACK).then_some(reading));
                })],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "7323:5.3-R1",
            citation: "RFC 7323 section 5.3, rule R1",
            level: Level::Must,
            class: Class::Violation,
            statement: "A segment whose TSval is older than a valid TS.Recent is not acceptable: it is acknowledged and dropped.",
            provoked_by: "Text in order whose TSval lies just below TS.Recent, far below, or half the circle below.",
        },
        check: None,
        deviations: &[
            Deviation {
                name: "paws_tolerates_one_tick",
                rule: "7323:5.3-R1",
                summary: "A segment that is older by a single tick is taken.",
                impact: "Old duplicates of the last tick are not refused.",
                hooks: &[Hook::Paws(|_, segment, recent| {
                    segment
                        .options
                        .timestamps()
                        .is_some_and(|(tsval, _)| tsval + 1 == recent)
                })],
            },
            Deviation {
                name: "paws_takes_zero_as_unset",
                rule: "7323:5.3-R1",
                summary: "A TS.Recent of zero counts as not valid: any TSval is taken.",
                impact: "Old duplicates are not refused in the one tick in which the peer's clock stands at zero.",
                hooks: &[
                    Hook::Paws(|_, _, recent| recent.0 == 0),
                    Hook::TsRecent(|tcb, segment, reading, before| {
                        let (tsval, _) = segment.options.timestamps()?;
                        let counts = reading.ts_update != TsUpdate::Never
                            && segment.seq.at_or_before(tcb.last_ack_sent);
                        (before.0 == 0 && counts).then_some(tsval)
                    }),
                ],
            },
            Deviation {
                name: "paws_compares_without_wrap",
                rule: "7323:5.3-R1",
                summary: "The timestamp test compares plain unsigned numbers: what is newer across a wrap is refused, what \
                          is older across one is taken.",
                impact: "Each time the peer's timestamp clock wraps, nothing is taken any more: the connection freezes.",
                hooks: &[
                    Hook::Paws(|_, segment, recent| {
                        let stamps = segment.options.timestamps();
                        stamps.is_some_and(|(tsval, _)| tsval.0 > recent.0)
                    }),
                    Hook::Reading(|tcb, segment, readings| {
                        let mut recents = tcb.ts_recent.iter();
                        let wrapped = segment.options.timestamps().is_some_and(|(tsval, _)| {
                            recents.any(|recent| tsval.0 < recent.value.0)
                        });
                        if tcb.timestamps && wrapped {
                            readings.push(super::dropped(tcb, segment));
                        }
                    }),
                ],
            },
            Deviation {
                name: "paws_absent",
                rule: "7323:5.3-R1",
                summary: "Segments with older timestamps are taken.",
                impact: "On a fast path, an old duplicate from before the sequence space wrapped is delivered as new text.",
                hooks: &[Hook::Paws(|_, _, _| true)],
            },
            Deviation {
                name: "older_timestamp_moves_ts_recent",
                rule: "7323:4.3-a",
                summary: "TS.Recent takes an older TSval, so that it goes backwards.",
                impact: "The echo goes backwards, and PAWS accepts old duplicates that it must refuse.",
                hooks: &[
                    Hook::Paws(|_, _, _| true),
                    Hook::TsRecent(|_, segment, reading, before| {
                        let (tsval, _) = segment.options.timestamps()?;
                        (reading.acknowledges && tsval.age_against(before) == Age::Older)
                            .then_some(tsval)
                    }),
                ],
            },
            Deviation {
                name: "paws_refuses_equal",
                rule: "7323:5.3-R1",
                summary: "A segment whose TSval equals TS.Recent is refused.",
                impact: "All but one of the segments sent within a tick of the peer's clock are lost.",
                hooks: &[Hook::Reading(|tcb, segment, readings| {
                    let equal = segment.options.timestamps().is_some_and(|(tsval, _)| {
                        tcb.ts_recent.iter().any(|recent| recent.value == tsval)
                    });
                    if equal {
                        readings.push(super::dropped(tcb, segment));
                    }
                })],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "7323:5.3-once",
            citation: "RFC 7323 section 5.3",
            level: Level::Must,
            class: Class::Violation,
            statement: "The timestamp test is made once, on arrival: text held out of order is delivered although \
                        TS.Recent has passed its TSval by then.",
            provoked_by: "Out-of-order text, then the gap filled with a much newer TSval.",
        },
        check: None,
        deviations: &[Deviation {
            name: "paws_at_delivery",
            rule: "7323:5.3-once",
            summary: "Text held out of order is thrown away when the segment that fills the gap has a newer timestamp.",
            impact: "Every reordering across a tick of the peer's clock costs a retransmission.",
            hooks: &[Hook::Reading(|tcb, segment, readings| {
                let fills = segment.seq == tcb.rcv_nxt && !tcb.held.is_empty();
                let newer = segment.options.timestamps().is_some_and(|(tsval, _)| {
                    let mut recents = tcb.ts_recent.iter();
                    recents.any(|recent| tsval.age_against(recent.value) == Age::Newer)
                });
                if tcb.timestamps && fills && newer {
                    super::forget_held(readings);
                }
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:5.2-a",
            citation: "RFC 7323 section 5.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "A RST is never subject to the timestamp test.",
            provoked_by: "A RST exactly at RCV.NXT with a TSval far below TS.Recent.",
        },
        check: None,
        deviations: &[
            Deviation {
                name: "paws_refuses_reset_beside_the_socket",
                rule: "7323:5.2-a",
                summary: "In SYN-RECEIVED, in TIME-WAIT, and in FIN-WAIT-2 after close, a RST with an old timestamp is ignored.",
                impact: "A peer whose clock restarted waits for the stack's timer instead of ending the wait.",
                hooks: &[Hook::Arrival(|tcb, segment| {
                    let waiting = matches!(tcb.state, State::SynReceived | State::TimeWait)
                        || tcb.orphan && tcb.state == State::FinWait2;
                    let old = tcb.timestamps && segment.has(Flags::RST) && older(tcb, segment);
                    let refused = waiting && old;
                    refused.then(|| tcb.clone())
                })],
            },
            Deviation {
                name: "paws_refuses_reset",
                rule: "7323:5.2-a",
                summary: "A RST with an old timestamp is ignored.",
                impact: "A peer whose clock restarted cannot reset the connection.",
                hooks: &[Hook::Arrival(|tcb, segment| {
                    let refused = tcb.timestamps && segment.has(Flags::RST) && older(tcb, segment);
                    refused.then(|| tcb.clone())
                })],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "7323:5.2-b",
            citation: "RFC 7323 section 5.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "The timestamps of a RST change nothing.",
            provoked_by: "A RST in the window but not at RCV.NXT, with a TSval far ahead, then ordinary text.",
        },
        check: None,
        deviations: &[Deviation {
            name: "reset_moves_ts_recent",
            rule: "7323:5.2-b",
            summary: "A RST that does not end the connection moves TS.Recent.",
            impact: "One forged RST with a far TSval makes PAWS refuse everything after it: the connection freezes.",
            hooks: &[Hook::Arrival(|tcb, segment| {
                let (tsval, _) = segment.options.timestamps()?;
                let counts = tcb.timestamps && segment.has(Flags::RST);
                counts.then(|| tcb.with(|tcb| tcb.set_ts_recent(tsval)))
            })],
        }],
    },
];

/// Whether the segment's TSval is older than some value that TS.Recent may have.
fn older(tcb: &Tcb, segment: &Segment) -> bool {
    let mut recents = tcb.ts_recent.iter();
    segment.options.timestamps().is_some_and(|(tsval, _)| {
        recents.any(|recent| tsval.age_against(recent.value) == Age::Older)
    })
}
