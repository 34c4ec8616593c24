//! Decides whether what the application asks for is done.
//! RFC 9293 sections 3.10.1, 3.10.2 and 3.10.4, and section 3.6.1 for text that nobody reads.

use ackward_model::{Call, Flags, Hook, Outcome, State, Tcb};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// OPEN, SEND and CLOSE.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:OPEN",
            citation: "RFC 9293 section 3.10.1",
            level: Level::Text,
            class: Class::Violation,
            statement: "An active OPEN sends a SYN, and does not wait with it.",
            provoked_by: "A connect, then nothing for some seconds.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "open_sends_no_syn",
            rule: "9293:OPEN",
            summary: "After an active OPEN no SYN is sent, or late.",
            impact: "There is no connection.",
            hooks: &[Hook::Quiet("9293:OPEN")],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SEND",
            citation: "RFC 9293 section 3.10.2",
            level: Level::Text,
            class: Class::Violation,
            statement: "In ESTABLISHED and CLOSE-WAIT, SEND takes text as long as the application has not closed.",
            provoked_by: "Writes at any time.",
        },
        check: Some(Check::Return {
            fits: |tcb, call, outcome| {
                let refused = matches!((call, outcome), (Call::Write(_), Outcome::Error(EPIPE)));
                let open = matches!(tcb.state, State::Established | State::CloseWait);
                !refused || !open || tcb.application_elsewhere
            },
            explain: |tcb, _, _| {
                Misfit::new(format!("text is taken in {}", tcb.state), "a broken pipe")
            },
        }),
        deviations: &[],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-8",
            citation: "RFC 9293 section 3.4.1 (MUST-8)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Initial sequence numbers follow a clock: a later connection on the same addresses and ports has a \
                        later one.",
            provoked_by: "A SYN that is answered, a RST, and another SYN.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                let later = |iss| segment.seq.after(iss);
                !segment.has(Flags::SYN) || tcb.earlier_iss.is_none_or(later)
            },
            explain: |Emission { tcb, segment, .. }| {
                let by = segment
                    .seq
                    .distance_from(tcb.earlier_iss.unwrap_or_default());
                Misfit::new(
                    "a later ISS than the one before",
                    format!("one at {by} from it"),
                )
            },
        }),
        deviations: &[Deviation {
            name: "iss_does_not_advance",
            rule: "9293:MUST-8",
            summary: "A later connection begins where an earlier one did, or before it.",
            impact: "Old segments of the one are taken for the other's.",
            hooks: &[Hook::Emission("9293:MUST-8", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-12",
            citation: "RFC 9293 section 3.6 (MUST-12)",
            level: Level::Must,
            class: Class::Violation,
            statement: "The application is told whether the peer closed or reset the connection.",
            provoked_by: "A RST, then a read.",
        },
        check: Some(Check::Return {
            fits: |tcb, call, outcome| {
                let ends = matches!((call, outcome),
                    (Call::Read(asked), Outcome::Data(octets)) if *asked > 0 && octets.is_empty());
                !ends || !tcb.aborted || tcb.application_elsewhere
            },
            explain: |_, _, _| {
                Misfit::new("an error, for the peer has reset", "the end of the stream")
            },
        }),
        deviations: &[],
    },
    Rule {
        card: RuleCard {
            id: "9293:CLOSE",
            citation: "RFC 9293 sections 3.10.4 and 3.6",
            level: Level::Text,
            class: Class::Violation,
            statement: "CLOSE ends the stream with a FIN; a RST takes its place only where text is left unread.",
            provoked_by: "A close with everything read.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                let read = !tcb.closed_unread && !tcb.reads_unknown;
                let orderly = tcb.orphan && read && !tcb.heard_since_close;
                !segment.has(Flags::RST) || !orderly || !stands(tcb)
            },
            explain: |_| Misfit::new("a FIN, for everything is read", "a RST"),
        }),
        deviations: &[Deviation {
            name: "close_resets",
            rule: "9293:CLOSE",
            summary: "CLOSE resets a connection on which everything was read.",
            impact: "Text in flight is lost, and the peer's application is told of an error.",
            hooks: &[Hook::Emission("9293:CLOSE", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-3",
            citation: "RFC 9293 section 3.6.1 (SHLD-3)",
            level: Level::Should,
            class: Class::Interop,
            statement: "CLOSE with text left unread sends a RST, to show that it was lost.",
            provoked_by: "A close with text unread.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                !segment.has(Flags::FIN) || !tcb.closed_unread || tcb.heard_since_close
            },
            explain: |_| Misfit::new("a RST, for text was left unread", "a FIN"),
        }),
        deviations: &[Deviation {
            name: "unread_text_forgotten",
            rule: "9293:SHLD-3",
            summary: "CLOSE with text left unread is an orderly end.",
            impact: "The peer takes for read what nobody has seen.",
            hooks: &[Hook::Emission("9293:SHLD-3", |_, _| true)],
        }],
    },
];

/// Linux's number for "nobody may write here".
const EPIPE: i32 = 32;

/// Whether there is a connection that CLOSE has to end.
fn stands(tcb: &Tcb) -> bool {
    matches!(
        tcb.state,
        State::Established | State::FinWait1 | State::FinWait2 | State::CloseWait | State::LastAck
    )
}
