//! Decides what a message of the network does to the connection that it is about, and to others.
//! RFC 9293 section 3.9.2.2.

use ackward_model::{Hook, IcmpKind, Tcb};

use crate::rule::{Class, Deviation, Level, Rule, RuleCard};

/// ICMP messages.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:MUST-54",
            citation: "RFC 9293 section 3.9.2.2 (MUST-54)",
            level: Level::Must,
            class: Class::Violation,
            statement: "An ICMP error goes to the connection whose segment it quotes, and to no other.",
            provoked_by: "A hard error that quotes a segment of another port.",
        },
        check: None,
        deviations: &[Deviation {
            name: "icmp_error_of_another_connection_obeyed",
            rule: "9293:MUST-54",
            summary: "A hard ICMP error about one connection ends another one to the same host.",
            impact: "Where one service is not there, all connections to its host are lost.",
            hooks: &[Hook::Icmp(|tcb, icmp| {
                let ends = icmp.foreign && icmp.kind.is_hard() && tcb.state.is_synchronized();
                ends.then(|| tcb.with(Tcb::close))
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-55",
            citation: "RFC 9293 section 3.9.2.2 (MUST-55)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A source quench is discarded.",
            provoked_by: "A source quench about text in flight.",
        },
        check: None,
        deviations: &[Deviation {
            name: "source_quench_ends_the_connection",
            rule: "9293:MUST-55",
            summary: "A source quench ends the connection.",
            impact: "A message that no router sends any more, but anybody can, is a reset.",
            hooks: &[Hook::Icmp(|tcb, icmp| {
                let ends = icmp.kind == IcmpKind::SourceQuench && icmp.concerns(tcb);
                ends.then(|| tcb.with(Tcb::close))
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-56",
            citation: "RFC 9293 section 3.9.2.2 (MUST-56)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A soft ICMP error ends nothing.",
            provoked_by: "An unreachable network or host, a time exceeded or a parameter problem about text in flight.",
        },
        check: None,
        deviations: &[Deviation {
            name: "soft_icmp_error_ends_the_connection",
            rule: "9293:MUST-56",
            summary: "A soft ICMP error ends the connection.",
            impact: "While routes change, connections are lost that would have survived.",
            hooks: &[Hook::Icmp(|tcb, icmp| {
                let ends = icmp.kind.is_soft() && icmp.concerns(tcb);
                ends.then(|| tcb.with(Tcb::close))
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-26",
            citation: "RFC 9293 section 3.9.2.2 (SHLD-26)",
            level: Level::Should,
            class: Class::Interop,
            statement: "A hard ICMP error ends the connection.",
            provoked_by: "An unreachable protocol or port about text in flight.",
        },
        check: None,
        deviations: &[Deviation {
            name: "hard_icmp_error_survived",
            rule: "9293:SHLD-26",
            summary: "A connection stays when the network says that its peer will never be reached.",
            impact: "The application waits for a timeout; nobody can end the connection by a forged message either.",
            hooks: &[Hook::Icmp(|tcb, icmp| {
                let stays = icmp.kind.is_hard() && icmp.concerns(tcb);
                stays.then(|| tcb.clone())
            })],
        }],
    },
];
