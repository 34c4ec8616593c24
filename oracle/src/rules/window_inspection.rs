//! Decides whether what a stack says about its window is what the wire can say.
//! RFC 7323 section 2.3 (the largest window is 65535 shifted).

use ackward_model::{Hook, Tcb, Window, WindowScale};

use crate::rule::{Check, Class, Deviation, Level, Misfit, Rule, RuleCard};

/// Figures of the sockets interface; never about the wire.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:WND-info",
            citation: "RFC 7323 section 2.3",
            level: Level::Text,
            class: Class::Quality,
            statement: "The receive window that TCP_INFO reports is one that the window field can say.",
            provoked_by: "A connection without window scaling and a receive buffer of more than 65535 octets.",
        },
        check: Some(Check::Inspection {
            fits: |tcb, sample, _| within(tcb, sample.rcv_wnd),
            explain: |tcb, sample, _| misfit(tcb, sample.rcv_wnd, "tcpi_rcv_wnd"),
        }),
        deviations: &[Deviation {
            name: "reported_window_exceeds_the_wire",
            rule: "9293:WND-info",
            summary: "TCP_INFO reports a receive window larger than the window field can say.",
            impact: "A monitoring tool reads a window that the peer was never offered.",
            hooks: &[Hook::Inspection("9293:WND-info")],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:WND-clamp",
            citation: "RFC 7323 section 2.3",
            level: Level::Text,
            class: Class::Quality,
            statement: "TCP_WINDOW_CLAMP reads back as a window that the window field can say.",
            provoked_by: "TCP_WINDOW_CLAMP or SO_RCVLOWAT set high, or autotuning, on a connection without window scaling.",
        },
        check: Some(Check::Inspection {
            fits: |tcb, sample, _| within(tcb, sample.window_clamp),
            explain: |tcb, sample, _| misfit(tcb, sample.window_clamp, "TCP_WINDOW_CLAMP"),
        }),
        deviations: &[Deviation {
            name: "window_clamp_exceeds_the_wire",
            rule: "9293:WND-clamp",
            summary: "TCP_WINDOW_CLAMP reads back larger than the window field can say.",
            impact: "The clamp does not limit the window it is meant to limit.",
            hooks: &[Hook::Inspection("9293:WND-clamp")],
        }],
    },
];

fn within(tcb: &Tcb, window: Option<Window>) -> bool {
    !tcb.state.is_synchronized() || window.is_none_or(|window| window <= largest(tcb))
}

/// The largest window that the shift can say on which the SYNs agreed, whatever the stack makes of it.
fn largest(tcb: &Tcb) -> Window {
    let shift = tcb.offers.peer_scale.and(tcb.offers.stack_scale);
    shift
        .map_or(WindowScale::NONE, WindowScale::announced)
        .largest()
}

fn misfit(tcb: &Tcb, window: Option<Window>, name: &str) -> Misfit {
    Misfit::new(
        format!("{name} up to {}", largest(tcb).0),
        format!("{name} {}", window.unwrap_or_default().0),
    )
}
