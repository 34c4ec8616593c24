//! Decides whether a FIN lies inside the window the peer offered.
//! RFC 9293 sections 3.4 and 3.8.6.

use ackward_model::{Flags, Hook};

use super::relative;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// A FIN counts like an octet.
pub(super) static RULES: &[Rule] = &[Rule {
    card: RuleCard {
        id: "9293:SND-fin",
        citation: "RFC 9293 sections 3.4 and 3.8.6",
        level: Level::Text,
        class: Class::Interop,
        statement: "A FIN takes a place in the window: sent for the first time, it lies inside it; where the window is \
                        zero it may probe.",
        provoked_by: "A close with as much text as the window takes.",
    },
    check: Some(Check::Emission {
        fits: |Emission { tcb, segment, .. }| {
            let first = segment.has(Flags::FIN) && segment.end().after(tcb.snd_nxt);
            let edge = tcb.snd_una + tcb.largest_snd_wnd();
            let probes = edge == tcb.snd_una && segment.seq == tcb.snd_una;
            !first || probes || segment.end().at_or_before(edge)
        },
        explain: |Emission { tcb, segment, .. }| {
            let edge = relative(tcb.snd_una + tcb.largest_snd_wnd(), tcb.iss);
            let end = relative(segment.end(), tcb.iss);
            Misfit::new(
                format!("a FIN that ends at {edge} at most"),
                format!("one that ends at {end}"),
            )
        },
    }),
    deviations: &[Deviation {
        name: "fin_one_past_the_peers_window",
        rule: "9293:SND-fin",
        summary: "A FIN is sent with text that fills the peer's window, one octet past it.",
        impact: "A receiver that counts the FIN, as the RFC does, refuses it, and it has to be sent again; most take it.",
        hooks: &[Hook::Emission("9293:SND-fin", |_, _| true)],
    }],
}];
