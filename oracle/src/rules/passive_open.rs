//! Decides what a further passive open of the connection's port may lead to.
//! RFC 9293 section 3.9.1.1.

use ackward_model::{Call, Hook, Outcome, State};

use crate::rule::{Check, Class, Deviation, Level, Misfit, Rule, RuleCard};

/// A passive open beside a connection.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:MUST-41",
            citation: "RFC 9293 section 3.9.1.1 (MUST-41)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A passive open makes a new connection record or returns an error; the connections there are it \
                        leaves alone.",
            provoked_by: "A further socket that listens on the port of a connection; then the connection goes on.",
        },
        check: None,
        deviations: &[Deviation {
            name: "passive_open_forgets_the_connection",
            rule: "9293:MUST-41",
            summary: "A passive open takes the place of the connection that there is on the port.",
            impact: "A server that starts anew ends the connections of the one before it.",
            hooks: &[Hook::Call(|tcb, call, outcome| {
                let opened = matches!((call, outcome), (Call::Listen, Outcome::Done(_)));
                let forgets = opened && tcb.state > State::Listen;
                forgets.then(|| tcb.with(|tcb| tcb.close()))
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-42",
            citation: "RFC 9293 section 3.9.1.1 (MUST-42)",
            level: Level::Must,
            class: Class::Violation,
            statement: "An application can listen on a port while a connection on it is in SYN-SENT or SYN-RECEIVED.",
            provoked_by: "A further socket that listens on the port before the handshake is complete, and a SYN to it from \
                          another peer.",
        },
        check: Some(Check::Return {
            fits: |tcb, call, outcome| {
                let refused = matches!((call, outcome), (Call::Listen, Outcome::Error(_)));
                let opening = matches!(tcb.state, State::SynSent | State::SynReceived);
                !refused || !opening
            },
            explain: |tcb, _, _| Misfit::new(format!("success in {}", tcb.state), "an error"),
        }),
        deviations: &[],
    },
];
