//! Decides whether a stack keeps a quiet connection alive only as it is asked to, and gives one up when it is asked to.
//! RFC 9293 sections 3.8.3 and 3.8.4.

use ackward_model::{Flags, Hook, Micros, Segment, Tcb};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Keep-alive, and the user timeout.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:MUST-25",
            citation: "RFC 9293 section 3.8.4 (MUST-25)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Keep-alive is off unless the application asks for it.",
            provoked_by: "A connection on which nothing happens for hours.",
        },
        check: Some(Check::Emission {
            fits: |Emission {
                       tcb, segment, pace, ..
                   }| { pace.keep_alive || !is_keep_alive(tcb, segment) },
            explain: |_| Misfit::new("nothing, for nobody asked", "a keep-alive"),
        }),
        deviations: &[Deviation {
            name: "keep_alive_unasked",
            rule: "9293:MUST-25",
            summary: "Keep-alives are sent though the application has not asked for them.",
            impact: "Good connections break while the network is away, and packets are paid for that nobody wants.",
            hooks: &[Hook::Emission("9293:MUST-25", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-28",
            citation: "RFC 9293 section 3.8.4 (MUST-28)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Unless the application says otherwise, the keep-alive interval is two hours or more.",
            provoked_by: "SO_KEEPALIVE alone, then nothing for hours.",
        },
        check: Some(Check::Emission {
            fits: |Emission {
                       tcb,
                       segment,
                       pace,
                       at,
                       ..
                   }| {
                let quiet = at.saturating_sub(pace.heard_at);
                pace.keep_idle.is_some()
                    || !pace.keep_alive
                    || quiet >= TWO_HOURS
                    || !is_keep_alive(tcb, segment)
            },
            explain: explain_early,
        }),
        deviations: &[Deviation {
            name: "keep_alive_interval_too_short",
            rule: "9293:MUST-28",
            summary: "By default, keep-alives come within two hours of silence.",
            impact: "Good connections break while the network is away for less.",
            hooks: &[Hook::Emission("9293:MUST-28", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-26",
            citation: "RFC 9293 section 3.8.4 (MUST-26)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A keep-alive is sent only where nothing has been received for the interval.",
            provoked_by: "TCP_KEEPIDLE, then a conversation with pauses that are shorter.",
        },
        check: Some(Check::Emission {
            fits: |Emission {
                       tcb,
                       segment,
                       pace,
                       at,
                       ..
                   }| {
                let quiet = at.saturating_sub(pace.heard_at);
                let early = pace.keep_idle.is_some_and(|idle| quiet < idle);
                !pace.keep_alive || !early || !is_keep_alive(tcb, segment)
            },
            explain: explain_early,
        }),
        deviations: &[Deviation {
            name: "keep_alive_on_a_busy_connection",
            rule: "9293:MUST-26",
            summary: "Keep-alives are sent by the clock, whatever has been received in the meantime.",
            impact: "Connections that show to be alive are bothered.",
            hooks: &[Hook::Emission("9293:MUST-26", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-27",
            citation: "RFC 9293 section 3.8.4 (MUST-27)",
            level: Level::Must,
            class: Class::Violation,
            statement: "The application can set the interval of keep-alive.",
            provoked_by: "SO_KEEPALIVE and TCP_KEEPIDLE, then nothing for longer.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "keep_alive_interval_ignored",
            rule: "9293:MUST-27",
            summary: "Keep-alives do not come in the interval that the application has set.",
            impact: "A peer that is gone is noticed hours later than it should be.",
            hooks: &[Hook::Quiet("9293:MUST-27")],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-24",
            citation: "RFC 9293 section 3.8.4 (MUST-24)",
            level: Level::Must,
            class: Class::Violation,
            statement: "The application can switch keep-alive on.",
            provoked_by: "SO_KEEPALIVE, then nothing for hours.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "keep_alive_never_sent",
            rule: "9293:MUST-24",
            summary: "No keep-alive is sent though the application has asked for it.",
            impact: "A connection whose peer is gone stays for ever.",
            hooks: &[Hook::Quiet("9293:MUST-24"), Hook::Quiet("9293:MUST-27")],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-12",
            citation: "RFC 9293 section 3.8.4 (SHLD-12)",
            level: Level::Should,
            class: Class::Quality,
            statement: "A keep-alive holds no text.",
            provoked_by: "SO_KEEPALIVE, then nothing for longer.",
        },
        check: Some(Check::Emission {
            fits: |Emission {
                       tcb, segment, pace, ..
                   }| {
                let holds_text = pace.keep_alive && !segment.payload.is_empty();
                !holds_text || !is_keep_alive(tcb, segment)
            },
            explain: |_| Misfit::new("a keep-alive without text", "one with an octet"),
        }),
        deviations: &[Deviation {
            name: "keep_alive_holds_text",
            rule: "9293:SHLD-12",
            summary: "A keep-alive sends the last octet again.",
            impact: "None that harms: a peer answers either.",
            hooks: &[Hook::Emission("9293:SHLD-12", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-29",
            citation: "RFC 9293 section 3.8.4 (MUST-29)",
            level: Level::Must,
            class: Class::Violation,
            statement: "One keep-alive without an answer ends nothing.",
            provoked_by: "SO_KEEPALIVE, and a peer that says nothing for longer.",
        },
        check: Some(Check::Emission {
            fits: |Emission {
                       tcb, segment, pace, ..
                   }| {
                !segment.has(Flags::RST) || pace.keep_alives != 1 || !tcb.state.is_synchronized()
            },
            explain: |_| Misfit::new("another keep-alive, after a while", "a RST"),
        }),
        deviations: &[Deviation {
            name: "keep_alive_unanswered_resets",
            rule: "9293:MUST-29",
            summary: "One keep-alive without an answer resets the connection.",
            impact: "One packet that is lost ends a connection that was well.",
            hooks: &[Hook::Emission("9293:MUST-29", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-21",
            citation: "RFC 9293 section 3.8.3 (MUST-21)",
            level: Level::Must,
            class: Class::Violation,
            statement: "The application can say after how long the connection is given up.",
            provoked_by: "TCP_USER_TIMEOUT, and text that nobody acknowledges for longer.",
        },
        check: Some(Check::Emission {
            fits: |Emission {
                       tcb,
                       segment,
                       pace,
                       at,
                       ..
                   }| {
                let again = !segment.payload.is_empty() && segment.seq == tcb.snd_una;
                !again || tcb.snd_nxt == segment.seq || !pace.outlasts_user_timeout(*at, SLACK)
            },
            explain: |_| {
                Misfit::new(
                    "nothing, for the user timeout has passed",
                    "a retransmission",
                )
            },
        }),
        deviations: &[Deviation {
            name: "user_timeout_ignored",
            rule: "9293:MUST-21",
            summary: "Text is sent again for longer than the application lets it.",
            impact: "An application that has set a limit waits for many minutes.",
            hooks: &[Hook::Emission("9293:MUST-21", |_, _| true)],
        }],
    },
];

const TWO_HOURS: Micros = 7_200_000_000;
/// A timer may be late by so much, microseconds.
const SLACK: Micros = 1_000_000;

/// Whether a segment asks the peer for nothing but a sign of life: it stands before what is expected of the stack.
pub(crate) fn is_keep_alive(tcb: &Tcb, segment: &Segment) -> bool {
    let plain = segment.flags.without(Flags::PSH) == Flags::ACK && segment.payload.len() <= 1;
    plain && segment.seq + 1 == tcb.snd_nxt && is_quiet(tcb)
}

/// Whether the stack has nothing to send and waits for no acknowledgment.
fn is_quiet(tcb: &Tcb) -> bool {
    tcb.state.is_synchronized() && tcb.snd_una == tcb.snd_nxt && tcb.send_end() == tcb.snd_nxt
}

fn explain_early(Emission { pace, at, .. }: &Emission<'_>) -> Misfit {
    let idle = pace.keep_idle.unwrap_or(TWO_HOURS);
    Misfit::new(
        format!("nothing within {} s of what was heard", idle / 1_000_000),
        format!(
            "a keep-alive after {} ms",
            at.saturating_sub(pace.heard_at) / 1_000
        ),
    )
}
