//! Names the departures from what must be refused although its sequence number fits: an acknowledgment of what was never
//! sent, text past the peer's FIN.
//! RFC 9293 section 3.10.7.4, fifth and seventh check.

use ackward_model::arrival::rest_from;
use ackward_model::{Flags, Hook, OpenMode, Reading, State};

use crate::rule::{Class, Deviation, Level, Rule, RuleCard};

/// Refusals after the window test.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:ACK-unsent",
            citation: "RFC 9293 section 3.10.7.4, fifth check",
            level: Level::Text,
            class: Class::Violation,
            statement: "A segment that acknowledges what was never sent is dropped, and answered if at all by an acknowledgment.",
            provoked_by: "Text or a FIN in order whose acknowledgment lies beyond SND.NXT.",
        },
        check: None,
        deviations: &[
            Deviation {
                name: "orphaned_fin_wait_2_ignores_the_acknowledgment_field",
                rule: "9293:ACK-unsent",
                summary: "Once the application has closed and the stack's FIN is acknowledged, a FIN is taken whatever \
                          it acknowledges, and behind an old SYN, too.",
                impact: "A forged FIN needs no plausible acknowledgment to end a closed connection's wait.",
                hooks: &[Hook::Arrival(|tcb, segment| {
                    let waiting = tcb.orphan && tcb.state == State::FinWait2;
                    // Text in front of it is old then.
                    let bare_fin = segment.has(Flags::FIN)
                        && segment.text_end() == tcb.rcv_nxt
                        && !segment.has(Flags::RST);
                    (waiting && bare_fin).then(|| {
                        tcb.with(|tcb| {
                            tcb.rcv_nxt += 1;
                            tcb.state = State::TimeWait;
                            tcb.may_have_recent_of(segment);
                        })
                    })
                })],
            },
            Deviation {
                name: "acknowledgment_of_unsent_text_accepted",
                rule: "9293:ACK-unsent",
                summary: "A segment is taken although it acknowledges what was never sent.",
                impact: "A blind attacker can insert text without guessing the acknowledgment.",
                hooks: &[Hook::Reading(|tcb, segment, readings| {
                    if segment.ack.after(tcb.snd_nxt) && segment.has(Flags::ACK) {
                        readings.push(Reading::accepted(rest_from(segment, tcb.rcv_nxt)));
                    }
                })],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "9293:CW-text",
            citation: "RFC 9293 section 3.10.7.4, seventh check",
            level: Level::Text,
            class: Class::Violation,
            statement: "Once the peer's FIN has been received, text past it is ignored.",
            provoked_by: "A FIN, then a segment that begins before it and ends past it.",
        },
        check: None,
        deviations: &[Deviation {
            name: "text_past_the_fin_taken",
            rule: "9293:CW-text",
            summary: "After the peer's FIN, a segment that begins before it and ends past it is acknowledged in full.",
            impact: "Only a peer that contradicts its own FIN sees it: sequence space past the end of the stream is acknowledged.",
            hooks: &[Hook::Arrival(|tcb, segment| {
                let plain = segment.has(Flags::ACK)
                    && !segment.has(Flags::FIN)
                    && !segment.has(Flags::SYN)
                    && !segment.has(Flags::RST);
                let reaches = segment.seq.at_or_before(tcb.rcv_nxt);
                let past = reaches && segment.end().after(tcb.rcv_nxt);
                (tcb.state.has_peer_fin() && plain && past).then(|| {
                    tcb.with(|tcb| {
                        tcb.rcv_nxt = segment.end();
                        tcb.may_have_recent_of(segment);
                        tcb.reads_unknown = true;
                    })
                })
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SYN-RCVD-ack",
            citation: "RFC 9293 section 3.10.7.4, fifth check, SYN-RECEIVED",
            level: Level::Text,
            class: Class::Violation,
            statement: "In SYN-RECEIVED only an acknowledgment of the stack's SYN completes the handshake; any other is \
                        dropped, and answered by a RST.",
            provoked_by: "Text whose acknowledgment is the stack's ISS, after SYNs that crossed.",
        },
        check: None,
        deviations: &[Deviation {
            name: "crossed_syn_completed_by_acknowledgment_of_nothing",
            rule: "9293:SYN-RCVD-ack",
            summary: "After SYNs that crossed, a segment that acknowledges nothing, not even the stack's SYN, completes the \
                      handshake and its text is taken.",
            impact: "Only a peer that never acknowledged the SYN sees it; an attacker who guesses the ISS wrong by one is \
                     believed.",
            hooks: &[Hook::Arrival(|tcb, segment| {
                let crossed = tcb.state == State::SynReceived && tcb.open == OpenMode::Active;
                let of_nothing = segment.has(Flags::ACK) && segment.ack == tcb.iss;
                let plain = !segment.has(Flags::SYN) && !segment.has(Flags::RST);
                // What is in flight and what is acknowledged is past saying from here on.
                (crossed && of_nothing && plain).then(|| tcb.with(|tcb| tcb.unjudged = true))
            })],
        }],
    },
];
