//! Decides whether the echo of a segment that opens a connection bears on whether it does.
//! RFC 7323 section 3.2, RFC 9293 sections 3.10.7.3 and 3.10.7.4.

use ackward_model::{Flags, Hook, Segment, State};

use crate::rule::{Class, Deviation, Level, Rule, RuleCard};

/// TSecr while the handshake lasts.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "7323:3.2-g",
            citation: "RFC 7323 section 3.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "The TSecr of a segment without ACK is ignored.",
            provoked_by: "A SYN whose TSecr is not zero.",
        },
        check: None,
        deviations: &[Deviation {
            name: "syn_with_an_echo_ignored",
            rule: "7323:3.2-g",
            summary: "A SYN without ACK is ignored when its TSecr is not zero.",
            impact: "A peer that leaves something in a field without meaning cannot connect.",
            hooks: &[
                Hook::Delay(|_, segment| asks_with_an_echo(segment)),
                Hook::Arrival(|tcb, segment| {
                    let waits = matches!(tcb.state, State::Listen | State::SynSent);
                    (waits && asks_with_an_echo(segment)).then(|| tcb.clone())
                }),
            ],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:HS-ecr",
            citation: "RFC 9293 sections 3.10.7.3 and 3.10.7.4, RFC 7323 section 3.2",
            level: Level::Text,
            class: Class::Interop,
            statement: "Sequence and acknowledgment numbers alone decide whether a segment completes the handshake, \
                        not its TSecr.",
            provoked_by: "A SYN,ACK, or the acknowledgment of one, whose TSecr is no TSval that was sent.",
        },
        check: None,
        deviations: &[Deviation {
            name: "handshake_echo_out_of_range_refused",
            rule: "7323:HS-ecr",
            summary: "A segment that would complete the handshake is refused when its TSecr was never sent.",
            impact: "None for honest peers; a forged handshake is harder.",
            hooks: &[Hook::Arrival(|tcb, segment| {
                let opening = matches!(tcb.state, State::SynSent | State::SynReceived);
                let first = tcb.first_tsval.map(|(tsval, _)| tsval);
                let sent = first.zip(tcb.last_tsval);
                let echo = segment.options.timestamps().map(|(_, tsecr)| tsecr);
                let foreign = sent.zip(echo).is_some_and(|((first, last), tsecr)| {
                    let within = tsecr.distance_from(first) >= 0 && tsecr.distance_from(last) <= 0;
                    tsecr.0 != 0 && !within
                });
                let asks = segment.has(Flags::SYN) && !segment.has(Flags::ACK);
                (opening && foreign && !asks).then(|| tcb.clone())
            })],
        }],
    },
];

/// Whether a SYN without ACK echoes something.
fn asks_with_an_echo(segment: &Segment) -> bool {
    let echo = segment.options.timestamps().map(|(_, tsecr)| tsecr);
    let asks = segment.has(Flags::SYN) && !segment.has(Flags::ACK);
    asks && echo.is_some_and(|tsecr| tsecr.0 != 0)
}
