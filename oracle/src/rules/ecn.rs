//! Decides whether a segment may carry the bits of explicit congestion notification, and whether a SYN,ACK must.
//! RFC 9293 section 3.8.2 (SHLD-8), RFC 3168 section 6.1.

use ackward_model::{Flags, Hook, OpenMode};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// The bits ECE and CWR.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "3168:6.1.1",
            citation: "RFC 3168 section 6.1.1",
            level: Level::Must,
            class: Class::Violation,
            statement: "A SYN,ACK agrees to explicit congestion notification (ECE without CWR) only if the SYN asked for it \
                        with both bits.",
            provoked_by: "A SYN without ECE and CWR.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                !segment.has(Flags::SYN | Flags::ACK)
                    || !segment.has(Flags::ECE)
                    || tcb.offers.peer_ecn
            },
            explain: |Emission { segment, .. }| {
                Misfit::new("no ECE", format!("flags {}", segment.flags))
            },
        }),
        deviations: &[Deviation {
            name: "ecn_agreed_unasked",
            rule: "3168:6.1.1",
            summary: "A SYN,ACK agrees to explicit congestion notification for which nobody asked.",
            impact: "Routers may mark what the stack then sends as able to be marked, instead of dropping it, and a peer that \
                     does not know the marks never reports them: the stack does not slow down.",
            hooks: &[Hook::Emission("3168:6.1.1", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-8",
            citation: "RFC 9293 section 3.8.2 (SHLD-8), RFC 3168 section 6.1.1",
            level: Level::Should,
            class: Class::Quality,
            statement: "A SYN that asks for explicit congestion notification is answered by a SYN,ACK that agrees to it.",
            provoked_by: "A SYN with ECE and CWR to a listening stack.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                // One that goes out again may do without, in case the bits are what was in the way.
                let answers = segment.has(Flags::SYN | Flags::ACK) && tcb.is_mute();
                // Nor can what remembers nothing of the SYN remember that.
                let remembers = !tcb.syn_cookies;
                !(answers && remembers && tcb.offers.peer_ecn && tcb.open == OpenMode::Passive)
                    || segment.has(Flags::ECE) && !segment.has(Flags::CWR)
            },
            explain: |Emission { segment, .. }| {
                Misfit::new("ECE without CWR", format!("flags {}", segment.flags))
            },
        }),
        deviations: &[Deviation {
            name: "ecn_setup_unanswered",
            rule: "9293:SHLD-8",
            summary: "A SYN that asks for explicit congestion notification gets a SYN,ACK that does not agree to it.",
            impact: "Congestion shows only as loss, on every connection from peers that ask.",
            hooks: &[Hook::Emission("9293:SHLD-8", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "3168:6.1.3",
            citation: "RFC 3168 sections 6.1.2 and 6.1.3",
            level: Level::Must,
            class: Class::Violation,
            statement: "ECE is set after packets that were marked on their way, and CWR after a peer's ECE; neither where \
                        nothing was agreed.",
            provoked_by: "Any conversation: no packet is marked here.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                let agreed = tcb.offers.peer_ecn;
                segment.has(Flags::SYN)
                    || !segment.has(Flags::ECE) && (agreed || !segment.has(Flags::CWR))
            },
            explain: |Emission { segment, .. }| {
                Misfit::new(
                    "neither ECE nor an unasked CWR",
                    format!("flags {}", segment.flags),
                )
            },
        }),
        deviations: &[Deviation {
            name: "congestion_reported_unmarked",
            rule: "3168:6.1.3",
            summary: "Congestion is reported though no packet was marked.",
            impact: "The peer halves its window again and again on a path that is free.",
            hooks: &[Hook::Emission("3168:6.1.3", |_, _| true)],
        }],
    },
];
