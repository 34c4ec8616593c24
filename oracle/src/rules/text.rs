//! Decides whether the octets delivered are those accepted, and the octets sent those written.
//! RFC 9293 section 3.10.7.4, seventh check, and section 3.10.2.

use ackward_model::payload::is_stack_text;
use ackward_model::{Call, Flags, Hook, OpenMode, Outcome, State, Tcb};

use super::relative;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Linux's number for "nothing to read now".
const EAGAIN: i32 = 11;

/// Both directions of the stream.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:DATA-int",
            citation: "RFC 9293 section 3.10.7.4, seventh check",
            level: Level::Text,
            class: Class::Violation,
            statement: "The application reads exactly the octets accepted, in order, each once, and the end of the \
                        stream only after the FIN.",
            provoked_by: "Overlapping copies with different octets, refused segments, reads in between.",
        },
        check: Some(Check::Return {
            fits: delivery_fits,
            explain: explain_delivery,
        }),
        deviations: &[],
    },
    Rule {
        card: RuleCard {
            id: "9293:SND-int",
            citation: "RFC 9293 sections 3.4 and 3.10.2",
            level: Level::Text,
            class: Class::Violation,
            statement: "Text sent is what the application wrote, at its place, and waits for the handshake; a FIN \
                        follows all of it and only after the application closed; no segment begins beyond SND.NXT.",
            provoked_by: "Writes, closes and retransmissions in between.",
        },
        check: Some(Check::Emission {
            fits: sent_fits,
            explain: explain_sent,
        }),
        deviations: &[Deviation {
            name: "sends_what_was_not_written",
            rule: "9293:SND-int",
            summary: "Text or a FIN is sent that the application did not ask for, or other octets than it wrote, or text \
                      before the handshake is complete.",
            impact: "The stream is corrupt.",
            hooks: &[Hook::Emission("9293:SND-int", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-61",
            citation: "RFC 9293 section 3.9.1.2 (MUST-61)",
            level: Level::Must,
            class: Class::Interop,
            statement: "The segment with the last octet that the application has written carries PSH.",
            provoked_by: "Any write.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                let last = segment.text_end() == tcb.iss + 1 + tcb.written;
                segment.payload.is_empty() || !last || segment.has(Flags::PSH)
            },
            explain: |_| Misfit::new("PSH on the last octet written", "no PSH"),
        }),
        deviations: &[Deviation {
            name: "last_text_not_pushed",
            rule: "9293:MUST-61",
            summary: "The segment with the last octet written has no PSH.",
            impact: "A receiver that waits for PSH keeps the text from its application.",
            hooks: &[Hook::Emission("9293:MUST-61", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SND-again",
            citation: "RFC 9293 sections 3.8.1 and 3.10.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "What is not acknowledged is sent again, and a part of what waits goes where the window takes a \
                        part: a young connection is not quiet for a minute while there is something to send.",
            provoked_by: "A SYN, text or a FIN that nobody acknowledges, then nothing for a minute.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "nothing_sent_again",
            rule: "9293:SND-again",
            summary: "What is lost is never sent again.",
            impact: "One lost segment stalls the connection for ever.",
            hooks: &[Hook::Quiet("9293:SND-again")],
        }],
    },
    Rule {
        card: RuleCard {
            id: "2018:5",
            citation: "RFC 2018 sections 5 and 8",
            level: Level::Must,
            class: Class::Violation,
            statement: "What a SACK block has reported is kept, and sent again after a timeout, until it is acknowledged.",
            provoked_by: "SACK blocks, then acknowledgments without them that stop in front of what was reported; then \
                          nothing for a minute.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "sacked_text_forgotten",
            rule: "2018:5",
            summary: "What the peer has reported as held is never sent again.",
            impact: "A peer that had to throw away what it held waits for ever.",
            hooks: &[Hook::Quiet("2018:5")],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SND-prompt",
            citation: "RFC 9293 section 3.8.6.2.1",
            level: Level::Text,
            class: Class::Violation,
            statement: "With nothing in flight, text that the peer's window takes whole is not held back for more than a \
                        second, and a FIN likewise.",
            provoked_by: "Text written, or a close, while everything is acknowledged; then nothing for some seconds.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "text_held_back",
            rule: "9293:SND-prompt",
            summary: "Text or a FIN that may go waits for a timer, or for ever.",
            impact: "Each write, or each close, takes seconds where nothing stands in its way.",
            hooks: &[Hook::Quiet("9293:SND-prompt")],
        }],
    },
];

fn delivery_fits(tcb: &Tcb, call: &Call, outcome: &Outcome) -> bool {
    if let (Call::Accept, Outcome::Done(_)) = (call, outcome) {
        // There is a connection to accept only once the handshake is complete.
        return tcb.state != State::SynReceived;
    }
    if let (Call::Accept, Outcome::Error(EAGAIN)) = (call, outcome) {
        // And then there is one.
        let standing = tcb.state == State::Established && tcb.open == OpenMode::Passive;
        return !standing || tcb.in_use || tcb.application_elsewhere;
    }
    let Call::Read(asked) = call else { return true };
    if tcb.application_elsewhere || tcb.reads_unknown {
        return true;
    }
    let known = tcb.state.is_synchronized();
    match outcome {
        Outcome::Data(octets) if !octets.is_empty() => {
            let enough = !known || tcb.read + octets.len() as u32 <= tcb.text_received();
            octets.len() as u32 <= *asked
                && enough
                && tcb.first_foreign_octet(tcb.read, octets).is_none()
        }
        Outcome::Data(_) => {
            *asked == 0 || !known || tcb.state.has_peer_fin() && tcb.read == tcb.text_received()
        }
        Outcome::Error(EAGAIN) => {
            !known || !tcb.state.has_peer_fin() && tcb.read == tcb.text_received()
        }
        _ => true,
    }
}

fn explain_delivery(tcb: &Tcb, _: &Call, outcome: &Outcome) -> Misfit {
    let received = if tcb.state.is_synchronized() {
        tcb.text_received()
    } else {
        tcb.read
    };
    let allowed = match (tcb.state.has_peer_fin(), received - tcb.read.min(received)) {
        (true, 0) => "the end of the stream".to_owned(),
        (false, 0) => "nothing to read yet".to_owned(),
        (_, unread) => format!("up to {unread} accepted octets from offset {}", tcb.read),
    };
    let observed = match outcome {
        Outcome::Data(octets) if octets.is_empty() => "the end of the stream".to_owned(),
        Outcome::Data(octets) => {
            let foreign = tcb.first_foreign_octet(tcb.read, octets);
            match foreign {
                Some(offset) => format!("octet {offset} from a segment that was not accepted"),
                None => format!("{} octets", octets.len()),
            }
        }
        Outcome::Error(errno) => format!("errno {errno}"),
        Outcome::Done(_) => "success".to_owned(),
    };
    Misfit::new(allowed, observed)
}

fn sent_fits(Emission { tcb, segment, .. }: &Emission<'_>) -> bool {
    if segment.has(Flags::RST) || tcb.state < State::SynReceived {
        return true;
    }
    if segment.has(Flags::SYN) {
        return tcb.state == State::SynReceived;
    }
    let first = tcb.iss + 1;
    let fin_fits =
        !segment.has(Flags::FIN) || tcb.fin_queued && segment.text_end() == first + tcb.written;
    let offset = segment.seq.offset_from(first);
    let text_fits = segment.payload.is_empty()
        || tcb.state != State::SynReceived
            && offset <= tcb.written
            && offset + segment.payload.len() as u32 <= tcb.written
            && is_stack_text(offset, &segment.payload);
    fin_fits && text_fits && segment.seq.at_or_before(tcb.snd_nxt)
}

fn explain_sent(Emission { tcb, segment, .. }: &Emission<'_>) -> Misfit {
    let fin = if tcb.fin_queued {
        ", then a FIN"
    } else {
        ", no FIN"
    };
    let allowed = format!("the {} octets written, at their place{fin}", tcb.written);
    Misfit::new(
        allowed,
        format!(
            "{} {}:{}",
            segment.flags,
            relative(segment.seq, tcb.iss),
            relative(segment.end(), tcb.iss)
        ),
    )
}
