//! Decides whether what may be forged is answered by a challenge.
//! RFC 5961 sections 3.2, 4.2 and 5.2, RFC 9293 section 3.10.7.4.

use ackward_model::{Flags, Hook};

use crate::rule::{Check, Class, Deviation, Level, Rule, RuleCard};

/// What is challenged: a RST that is not exact, a SYN, an acknowledgment of what was never sent. The rate may be limited,
/// so only the first acknowledgment of a connection that repeats one is asked for.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "5961:3.2-b",
            citation: "RFC 5961 section 3.2 and RFC 9293 section 3.10.7.4, second check",
            level: Level::Must,
            class: Class::Interop,
            statement: "A RST in the window that is not exactly at RCV.NXT, unless it ends the connection, is answered by \
                        an acknowledgment.",
            provoked_by: "A RST some octets past RCV.NXT, then nothing for a second.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "reset_in_the_window_unchallenged",
            rule: "5961:3.2-b",
            summary: "A RST in the window that is not exact is dropped without an answer.",
            impact: "A peer that has lost its state, and whose RST is not exact, is not told where it would be: the \
                     connection hangs.",
            hooks: &[Hook::Challenge(|_, segment| segment.has(Flags::RST))],
        }],
    },
    Rule {
        card: RuleCard {
            id: "5961:4.2",
            citation: "RFC 5961 section 4.2 and RFC 9293 section 3.10.7.4, fourth check",
            level: Level::Must,
            class: Class::Interop,
            statement: "A SYN on a connection that stands, unless it ends it, is answered by an acknowledgment.",
            provoked_by: "A SYN anywhere, then nothing for a second.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "syn_unchallenged",
            rule: "5961:4.2",
            summary: "A SYN on a connection that stands is dropped without an answer.",
            impact: "A peer that starts anew on the same ports is not told of the old connection, and can not end it.",
            hooks: &[Hook::Challenge(|_, segment| segment.has(Flags::SYN))],
        }],
    },
    Rule {
        card: RuleCard {
            id: "5961:5.2",
            citation: "RFC 5961 section 5.2 and RFC 9293 section 3.10.7.4, fifth check",
            level: Level::Must,
            class: Class::Interop,
            statement: "An acceptable segment that acknowledges what was never sent is answered by an acknowledgment.",
            provoked_by: "An acknowledgment past SND.NXT, then nothing for a second.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "acknowledgment_of_unsent_text_unanswered",
            rule: "5961:5.2",
            summary: "A segment that acknowledges what was never sent is dropped without an answer.",
            impact: "Two ends that disagree about what was sent never find out.",
            hooks: &[Hook::Challenge(|_, segment| {
                !segment.has(Flags::RST) && !segment.has(Flags::SYN)
            })],
        }],
    },
];
