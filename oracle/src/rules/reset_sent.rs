//! Decides whether a reset is owed, and what one looks like.
//! RFC 9293 sections 3.5.2, 3.10.5 and 3.10.7.1 to 3.10.7.3.

use ackward_model::{Flags, Hook, OpenMode, State};

use super::relative;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Resets that answer what belongs to no connection, and those that end one.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:RST-form",
            citation: "RFC 9293 sections 3.5.2 and 3.10.7.1",
            level: Level::Text,
            class: Class::Violation,
            statement: "A RST that answers a segment with ACK stands at the number acknowledged and has no ACK; one that \
                        answers a segment without ACK stands at 0 and acknowledges all of it; no RST answers a RST. A RST \
                        of a connection's own stands between SND.UNA and SND.NXT.",
            provoked_by: "Segments with and without ACK for which there is no connection, or that do not belong to it.",
        },
        check: Some(Check::Emission { fits, explain }),
        deviations: &[Deviation {
            name: "reset_stands_elsewhere",
            rule: "9293:RST-form",
            summary: "A RST has other sequence or acknowledgment numbers than those by which the peer knows that it is \
                      meant, or answers a RST.",
            impact: "The peer ignores it, and keeps a connection that is gone until its own timers give up.",
            hooks: &[Hook::Emission("9293:RST-form", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:RST-owed",
            citation: "RFC 9293 sections 3.5.2 and 3.10.7.1 to 3.10.7.3",
            level: Level::Text,
            class: Class::Violation,
            statement: "Where there is no connection, every segment but a RST is answered by a RST; so is one with ACK in \
                        LISTEN, and in SYN-SENT one that acknowledges anything but the stack's SYN.",
            provoked_by: "Anything that arrives after a reset; a SYN,ACK with a wrong acknowledgment.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "no_reset_without_a_connection",
            rule: "9293:RST-owed",
            summary: "A segment that belongs to no connection is not answered.",
            impact: "A peer that still believes in the connection waits until its own timers give up.",
            hooks: &[Hook::Silence(|tcb, _| tcb.state < State::SynReceived)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:LISTEN",
            citation: "RFC 9293 sections 3.10.7.2 and 3.10.7.4, second check, SYN-RECEIVED",
            level: Level::Text,
            class: Class::Violation,
            statement: "A listener that no peer has connected to yet answers a SYN by SYN,ACK, also after an attempt that a \
                        RST ended.",
            provoked_by: "A SYN, a RST, another SYN.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                let answers_syn = tcb.arrived_ack.is_none() && tcb.arrived.0 == tcb.irs;
                let fresh = tcb.state == State::SynReceived && tcb.is_mute() && !tcb.served;
                let listens = tcb.open == OpenMode::Passive && fresh;
                !segment.has(Flags::RST) || !listens || !answers_syn
            },
            explain: |_| Misfit::new("a SYN,ACK", "a RST"),
        }),
        deviations: &[Deviation {
            name: "listener_refuses",
            rule: "9293:LISTEN",
            summary: "A SYN to a listener is answered by a RST.",
            impact: "A forged or broken attempt keeps everybody else from connecting.",
            hooks: &[Hook::Emission("9293:LISTEN", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-13",
            citation: "RFC 9293 section 3.6.1 (MUST-13)",
            level: Level::Must,
            class: Class::Interop,
            statement: "TIME-WAIT lasts for two maximum segment lifetimes, which deployed stacks take as half a minute \
                        each.",
            provoked_by: "Whatever arrives in the first minute after both sides have closed, the stack first.",
        },
        check: Some(Check::Emission {
            fits: time_wait_fits,
            explain: |Emission { tcb, at, .. }| {
                let since = tcb.time_wait_since.unwrap_or(*at);
                Misfit::new(
                    "no RST in the first minute of TIME-WAIT",
                    format!("a RST after {} ms", (at - since) / 1_000),
                )
            },
        }),
        deviations: &[Deviation {
            name: "time_wait_cut_short",
            rule: "9293:MUST-13",
            summary: "The connection is forgotten before TIME-WAIT can be over.",
            impact: "A last acknowledgment that is lost is not repeated: the peer's FIN is answered by a reset, and its \
                     application is told of an error; old segments may meet a new connection.",
            hooks: &[Hook::Emission("9293:MUST-13", |_, _| true)],
        }],
    },
];

/// Twice half a minute, in microseconds.
const TIME_WAIT: u64 = 60_000_000;

fn time_wait_fits(emission: &Emission<'_>) -> bool {
    let Emission {
        tcb, segment, at, ..
    } = emission;
    if !segment.has(Flags::RST) || tcb.state != State::TimeWait {
        return true;
    }
    let lasted = tcb.time_wait_since.map(|since| at.saturating_sub(since));
    // CLOSE with text unread is an ABORT, which forgets the connection at once (section 3.10.5).
    let aborted = tcb.orphan && tcb.read < tcb.text_received();
    aborted || lasted.is_none_or(|lasted| lasted >= TIME_WAIT)
}

fn fits(Emission { tcb, segment, .. }: &Emission<'_>) -> bool {
    if !segment.has(Flags::RST) {
        return true;
    }
    let acknowledges = segment.has(Flags::ACK);
    let answers = match tcb.arrived_ack {
        Some(ack) => !acknowledges && segment.seq == ack,
        None => acknowledges && segment.seq.0 == 0 && segment.ack == tcb.arrived.1,
    };
    let own = segment.seq.at_or_after(tcb.snd_una) && segment.seq.at_or_before(tcb.snd_nxt);
    answers && !tcb.arrived_reset || own && tcb.state >= State::SynReceived
}

fn explain(Emission { tcb, segment, .. }: &Emission<'_>) -> Misfit {
    let mut allowed = match tcb.arrived_ack {
        _ if tcb.arrived_reset => "no RST in answer to a RST".to_owned(),
        Some(ack) => format!("a RST at {}", relative(ack, tcb.iss)),
        None => format!(
            "a RST at sequence number 0 that acknowledges {}",
            relative(tcb.arrived.1, tcb.irs)
        ),
    };
    if tcb.state >= State::SynReceived {
        allowed += &format!(
            ", or one of its own from {} to {}",
            relative(tcb.snd_una, tcb.iss),
            relative(tcb.snd_nxt, tcb.iss)
        );
    }
    Misfit::new(
        allowed,
        format!(
            "{} at {}, acknowledging {}",
            segment.flags,
            relative(segment.seq, tcb.iss),
            relative(segment.ack, tcb.irs)
        ),
    )
}
