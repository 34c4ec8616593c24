//! Decides whether urgent text is marked as such when it is sent, and told of when it has come.
//! RFC 9293 section 3.8.5.

use ackward_model::{Call, Flags, Hook, Outcome, Segment, SeqNum, Tcb};

use super::relative;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// The urgent pointer in both directions.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:MUST-62",
            citation: "RFC 9293 section 3.8.5 (MUST-62)",
            level: Level::Must,
            class: Class::Violation,
            statement: "The urgent pointer points to the octet behind the urgent text.",
            provoked_by: "Urgent text of the application's.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                let pointer = segment.seq + u32::from(segment.urgent);
                let saturated = segment.urgent == u16::MAX;
                !segment.has(Flags::URG) || saturated || tcb.urgent_end() == Some(pointer)
            },
            explain: |Emission { tcb, segment, .. }| {
                let allowed = match tcb.urgent_end() {
                    Some(end) => format!("an urgent pointer to {}", relative(end, tcb.iss)),
                    None => "no URG, for nothing is urgent".to_owned(),
                };
                let pointer = segment.seq + u32::from(segment.urgent);
                Misfit::new(allowed, format!("one to {}", relative(pointer, tcb.iss)))
            },
        }),
        deviations: &[
            Deviation {
                name: "urgent_pointer_at_the_last_octet",
                rule: "9293:MUST-62",
                summary: "The urgent pointer points to the last urgent octet.",
                impact: "The peer's application takes the last urgent octet for an ordinary one.",
                hooks: &[Hook::Emission("9293:MUST-62", |tcb, segment| {
                    let pointer = segment.seq + u32::from(segment.urgent) + 1;
                    tcb.urgent_end() == Some(pointer)
                })],
            },
            Deviation {
                name: "urgent_pointer_wrong_when_sent_again",
                rule: "9293:MUST-62",
                summary: "In a segment that is sent again, the urgent pointer is that of one before it, and points too far.",
                impact: "After a loss the peer's application takes ordinary text for urgent, or the other way round; a peer \
                         that takes the urgent octet out of the stream takes the wrong one.",
                hooks: &[Hook::Emission("9293:MUST-62", |tcb, segment| {
                    let again = segment.seq.before(tcb.snd_nxt);
                    let counted_from = |end: SeqNum| end - u32::from(segment.urgent);
                    again
                        && tcb.urgent_end().map(counted_from).is_some_and(|from| {
                            from.at_or_after(tcb.snd_una) && from.before(segment.seq)
                        })
                })],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-31",
            citation: "RFC 9293 section 3.8.5 (MUST-31)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Urgent text may have any length: it is marked, and told of, in segments that do not hold its end too.",
            provoked_by: "Urgent text of more than an octet, or of more than a segment.",
        },
        check: None,
        deviations: &[
            Deviation {
                name: "urgent_text_marked_only_at_its_end",
                rule: "9293:MUST-31",
                summary: "Of urgent text that takes several segments, only the last one says that it is urgent.",
                impact: "The peer's application is not told to make haste until it has all that it should have hastened to.",
                hooks: &[Hook::Emission("9293:MUST-30", |tcb, segment| {
                    let end = segment.text_end();
                    tcb.urgent_end().is_some_and(|up| end.before(up))
                })],
            },
            Deviation {
                name: "urgent_text_of_some_length_untold",
                rule: "9293:MUST-31",
                summary: "Of urgent text that is longer than an octet the application is not told.",
                impact: "It is lost to an application that looks only where it is told to.",
                hooks: &[Hook::Misread(|_, segment| {
                    (segment.urgent > 1).then(|| plain(segment)).flatten()
                })],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-30",
            citation: "RFC 9293 section 3.8.5 (MUST-30)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Text that the application has written as urgent goes out with URG.",
            provoked_by: "Urgent text of the application's.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                !is_urgent(tcb, segment) || segment.has(Flags::URG)
            },
            explain: |_| Misfit::new("URG", "none"),
        }),
        deviations: &[Deviation {
            name: "urgent_text_unmarked",
            rule: "9293:MUST-30",
            summary: "Urgent text goes out like any other.",
            impact: "The peer's application is not told that something is urgent.",
            hooks: &[Hook::Emission("9293:MUST-30", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-32",
            citation: "RFC 9293 section 3.8.5 (MUST-32)",
            level: Level::Must,
            class: Class::Violation,
            statement: "The application is told of urgent text when the pointer to it comes, and while it has yet to be read.",
            provoked_by: "A segment with URG.",
        },
        check: Some(Check::Return {
            fits: |tcb, call, outcome| {
                let (Call::Urgent, Outcome::Done(told)) = (call, outcome) else {
                    return true;
                };
                // Until it has come, a signal will do.
                let Some(end) = tcb.rcv_up.filter(|end| tcb.read < *end) else {
                    return true;
                };
                let has_come = end <= tcb.text_received();
                let untold = has_come && told & FOUND == 0 || tcb.urgent_news && *told == 0;
                !untold || is_unclear(tcb)
            },
            explain: |_, _, _| Misfit::new("urgent text", "none"),
        }),
        deviations: &[Deviation {
            name: "urgent_text_untold",
            rule: "9293:MUST-32",
            summary: "The application is not told of urgent text.",
            impact: "What is urgent waits for its turn.",
            hooks: &[Hook::Misread(|_, segment| plain(segment))],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-33",
            citation: "RFC 9293 section 3.8.5 (MUST-33)",
            level: Level::Must,
            class: Class::Violation,
            statement: "The application can learn whether more urgent text is to be read: none once all of it has been read.",
            provoked_by: "A segment with URG, all of which is read.",
        },
        check: Some(Check::Return {
            fits: |tcb, call, outcome| {
                let (Call::Urgent, Outcome::Done(told)) = (call, outcome) else {
                    return true;
                };
                let waits = tcb.rcv_up.is_some_and(|end| end > tcb.read);
                told & FOUND == 0 || waits || is_unclear(tcb)
            },
            explain: |_, _, _| Misfit::new("no urgent text", "some"),
        }),
        deviations: &[],
    },
];

/// The part of the outcome of [`Call::Urgent`] that stands for urgent text to be read.
const FOUND: u32 = 1;

/// Whether `segment` has urgent text, as far as the pointer can say.
fn is_urgent(tcb: &Tcb, segment: &Segment) -> bool {
    let text = !segment.payload.is_empty() && !segment.has(Flags::SYN);
    let reach = segment.seq + u32::from(u16::MAX);
    let within = |end: SeqNum| end.after(segment.seq) && end.before(reach);
    text && tcb.urgent_end().is_some_and(within)
}

/// Whether what the application asks is not of this connection, or what it has read is past saying, or what some pointer
/// made urgent.
fn is_unclear(tcb: &Tcb) -> bool {
    tcb.urgent_unknown
        || tcb.reads_unknown
        || tcb.application_elsewhere
        || !tcb.state.is_synchronized()
}

/// The segment without URG, if it has it.
fn plain(segment: &Segment) -> Option<Segment> {
    segment.has(Flags::URG).then(|| Segment {
        flags: segment.flags.without(Flags::URG),
        urgent: 0,
        ..segment.clone()
    })
}
