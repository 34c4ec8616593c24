//! Decides whether a stack may reset a connection, and whether it obeys a reset.
//! RFC 9293 sections 3.5.2 and 3.10.7.

use ackward_model::emission::advertised_edge;
use ackward_model::{Flags, Hook, Segment, State, Tcb};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Resets sent and received.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "5961:3.2-c",
            citation: "RFC 5961 section 3.2 and RFC 9293 section 3.10.7.4, second check",
            level: Level::Must,
            class: Class::Interop,
            statement: "A RST outside the window is ignored.",
            provoked_by: "A RST left of RCV.NXT, at the edge and past it.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                let repeats = segment.flags == Flags::ACK
                    && segment.is_empty()
                    && segment.seq == tcb.snd_nxt
                    && segment.ack == tcb.last_ack_sent
                    && advertised_edge(tcb, segment) == tcb.edge;
                // Nothing else can have been its cause.
                let idle = tcb.owed.is_none() && tcb.acknowledged;
                !tcb.reset_refused || !repeats || !idle
            },
            explain: |_| {
                Misfit::new(
                    "nothing, for the RST is outside the window",
                    "an acknowledgment",
                )
            },
        }),
        deviations: &[
            Deviation {
                name: "orphaned_fin_wait_2_answers_a_reset",
                rule: "5961:3.2-c",
                summary: "Once the application has closed and the stack's FIN is acknowledged, a RST outside the window is \
                          answered by an acknowledgment.",
                impact: "What answers a RST can be made to answer a forged one, and tells where the window is.",
                hooks: &[Hook::Emission("5961:3.2-c", |tcb, _| {
                    tcb.orphan && tcb.state == State::FinWait2
                })],
            },
            Deviation {
                name: "reset_outside_the_window_answered",
                rule: "5961:3.2-c",
                summary: "A RST outside the window is answered by an acknowledgment.",
                impact: "Two ends, one of which has lost its state, may answer each other; an attacker learns from the answer.",
                hooks: &[Hook::Emission("5961:3.2-c", |_, _| true)],
            },
            Deviation {
                name: "reset_at_sack_edge_obeyed",
                rule: "5961:3.2-c",
                summary: "A RST at the end of the text held out of order ends the connection wherever the window ends.",
                impact: "A peer that aborts after a loss is believed; an attacker has one more number to guess.",
                hooks: &[Hook::Arrival(|tcb, segment| {
                    let at_end = tcb.held.ends_at(segment.seq) && tcb.state.is_synchronized();
                    (segment.has(Flags::RST) && at_end).then(|| tcb.with(Tcb::reset))
                })],
            },
            Deviation {
                name: "reset_at_own_fin_obeyed",
                rule: "5961:3.2-c",
                summary: "After the peer's FIN, a RST that stands at the FIN and not behind it ends the connection.",
                impact: "A peer that does not count its own FIN is believed; an attacker has one more number to guess.",
                hooks: &[Hook::Arrival(|tcb, segment| {
                    let at_fin = tcb.state.has_peer_fin() && segment.seq + 1 == tcb.rcv_nxt;
                    (segment.has(Flags::RST) && at_fin).then(|| tcb.with(Tcb::reset))
                })],
            },
            Deviation {
                name: "reset_at_the_edge_ends_the_handshake",
                rule: "5961:3.2-c",
                summary: "In SYN-RECEIVED a RST exactly at the right edge ends the attempt.",
                impact: "None that harms: one number more among the thousands in the window does the same.",
                hooks: &[
                    // What is over is not repeated.
                    Hook::Quiet("9293:SND-again"),
                    Hook::Arrival(|tcb, segment| {
                        let at_edge =
                            tcb.state == State::SynReceived && segment.seq == tcb.max_edge;
                        (segment.has(Flags::RST) && at_edge).then(|| tcb.with(Tcb::reset))
                    }),
                ],
            },
            Deviation {
                name: "reset_obeyed_anywhere",
                rule: "5961:3.2-c",
                summary: "A RST ends the connection wherever it lies.",
                impact: "Whoever knows addresses and ports ends any connection with a single segment.",
                hooks: &[Hook::Arrival(|tcb, segment| {
                    let exists = tcb.state >= State::SynReceived;
                    (segment.has(Flags::RST) && exists).then(|| tcb.with(Tcb::reset))
                })],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "9293:RST-cause",
            citation: "RFC 9293 sections 3.5.2 and 3.10.4",
            level: Level::Text,
            class: Class::Violation,
            statement: "A connection that the application holds open is not reset by its own side.",
            provoked_by: "Everything that is refused, on a connection in use.",
        },
        check: Some(Check::Emission {
            fits: |Emission {
                       tcb,
                       segment,
                       pace,
                       at,
                       ..
                   }| {
                !segment.has(Flags::RST)
                    || tcb.orphan
                    || pace.may_have_given_up(*at)
                    // A rule of its own, MUST-29.
                    || pace.keep_alives == 1
                    // RFC 9293 section 3.1 suggests one (MUST-7).
                    || tcb.arrived_impossible
                    || !matches!(
                        tcb.state,
                        State::Established | State::FinWait1 | State::FinWait2 | State::CloseWait
                    )
            },
            explain: |Emission { tcb, .. }| {
                Misfit::new(format!("no RST in {}", tcb.state), "a RST")
            },
        }),
        deviations: &[
            Deviation {
                name: "text_past_the_fin_resets",
                rule: "9293:RST-cause",
                summary: "Text past the peer's FIN resets the connection instead of being ignored.",
                impact: "Only a peer that sends past its own FIN is cut off.",
                hooks: &[
                    Hook::Emission("9293:RST-cause", past_the_fin),
                    Hook::Emission("9293:MUST-13", past_the_fin),
                ],
            },
            Deviation {
                name: "resets_without_cause",
                rule: "9293:RST-cause",
                summary: "The stack resets a connection that is in use.",
                impact: "The connection is lost.",
                hooks: &[Hook::Emission("9293:RST-cause", |_, _| true)],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-66",
            citation: "RFC 9293 section 3.4 (MUST-66)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A RST counts though the receive window is zero.",
            provoked_by: "Text up to the last octet of the window, unread, then a RST.",
        },
        check: None,
        deviations: &[Deviation {
            name: "reset_ignored_at_zero_window",
            rule: "9293:MUST-66",
            summary: "While the receive window is zero, a RST at RCV.NXT does not end the connection.",
            impact: "A connection whose reader is slow outlives its peer.",
            hooks: &[Hook::Arrival(|tcb, segment| {
                let shut = !tcb.edge.after(tcb.rcv_nxt) && tcb.state.is_synchronized();
                let exact = segment.has(Flags::RST) && segment.seq == tcb.rcv_nxt;
                (shut && exact).then(|| tcb.clone())
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-2",
            citation: "RFC 9293 section 3.5.3 (SHLD-2)",
            level: Level::Should,
            class: Class::Interop,
            statement: "A RST may hold text, and counts all the same.",
            provoked_by: "A RST at RCV.NXT with text.",
        },
        check: None,
        deviations: &[Deviation {
            name: "reset_with_text_ignored",
            rule: "9293:SHLD-2",
            summary: "A RST that holds text does not end the connection.",
            impact: "A peer that says why it resets is not heard.",
            hooks: &[Hook::Arrival(|tcb, segment| {
                let told = segment.has(Flags::RST) && !segment.payload.is_empty();
                let exact = tcb.state.is_synchronized() && segment.seq == tcb.rcv_nxt;
                (told && exact).then(|| tcb.clone())
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:RST-exact",
            citation: "RFC 9293 section 3.10.7.4, second check",
            level: Level::Must,
            class: Class::Violation,
            statement: "A RST exactly at RCV.NXT ends the connection.",
            provoked_by: "A RST at RCV.NXT, then anything that would be answered.",
        },
        check: None,
        deviations: &[Deviation {
            name: "reset_ignored",
            rule: "9293:RST-exact",
            summary: "A RST at RCV.NXT does not end the connection.",
            impact: "The connection hangs until the application gives up.",
            hooks: &[Hook::Arrival(|tcb, segment| {
                let exact = segment.has(Flags::RST) && segment.seq == tcb.rcv_nxt;
                (tcb.state.is_synchronized() && exact).then(|| tcb.clone())
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:CLOSED",
            citation: "RFC 9293 sections 3.10.7.1 and 3.10.7.2",
            level: Level::Text,
            class: Class::Violation,
            statement: "Where there is no connection, nothing but a RST is sent.",
            provoked_by: "Anything that arrives after a reset, or after both FINs of a passive close are acknowledged.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                let opens = segment.has(Flags::SYN) && !segment.has(Flags::ACK);
                segment.has(Flags::RST) || opens || tcb.state >= State::SynReceived
            },
            explain: |Emission { tcb, segment, .. }| {
                Misfit::new(
                    format!("nothing but a RST in {}", tcb.state),
                    format!("a segment with flags {}", segment.flags),
                )
            },
        }),
        deviations: &[Deviation {
            name: "answers_without_a_connection",
            rule: "9293:CLOSED",
            summary: "Where there is no connection, a segment is answered by something else than a RST.",
            impact: "A peer that still believes in the connection is not told that it is gone.",
            hooks: &[Hook::Emission("9293:CLOSED", |_, _| true)],
        }],
    },
];

/// What arrived reaches past the peer's FIN.
fn past_the_fin(tcb: &Tcb, _: &Segment) -> bool {
    tcb.state.has_peer_fin() && tcb.arrived.1.after(tcb.rcv_nxt)
}
