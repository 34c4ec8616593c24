//! Decides whether an acknowledgment says exactly what has been received in order, and whether one that is due comes.
//! RFC 9293 sections 3.8.4 and 3.10.7.4.

use ackward_model::arrival::Take;
use ackward_model::emission::advertised_edge;
use ackward_model::{Flags, Hook, OpenMode, Reading, Segment, State};

use super::relative;
use crate::pace::is_bare;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// The acknowledgment field, FIN, and answers to what is not acceptable.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:SND-zw",
            citation: "RFC 9293 section 3.10.7.4, first check",
            level: Level::Text,
            class: Class::Interop,
            statement: "While the window is zero, the acknowledgment of a segment at RCV.NXT counts though its text does not.",
            provoked_by: "A full buffer, text in flight, then text from the peer that acknowledges it.",
        },
        check: None,
        deviations: &[Deviation {
            name: "acknowledgment_ignored_at_zero_window",
            rule: "9293:SND-zw",
            summary: "While the window is zero, nothing of a segment with text counts.",
            impact: "What a probe of the shut window acknowledges is sent again after a timeout, and a window that it opens \
                     stays shut.",
            hooks: &[Hook::Doubtful(|tcb, segment, readings| {
                let shut = !tcb.edge.after(tcb.rcv_nxt) && segment.seq == tcb.rcv_nxt;
                if shut && !segment.payload.is_empty() {
                    readings.push(super::dropped(tcb, segment));
                }
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:ACK-val",
            citation: "RFC 9293 sections 3.4 and 3.10.7.4",
            level: Level::Text,
            class: Class::Violation,
            statement: "The acknowledgment field is RCV.NXT: it passes no hole, never decreases, and covers all text \
                        received in order.",
            provoked_by: "Text out of order, overlapping, repeated; anything that is refused.",
        },
        check: Some(Check::Emission { fits, explain }),
        deviations: &[
            Deviation {
                name: "acknowledges_through_a_hole",
                rule: "9293:ACK-val",
                summary: "Out-of-order text is acknowledged as if the gap before it had been filled.",
                impact: "The missing octets are never sent again: the stream is corrupt.",
                hooks: &[Hook::Arrival(|tcb, segment| {
                    let beyond = segment.seq.after(tcb.rcv_nxt) && segment.has(Flags::ACK);
                    let takes = tcb.state == State::Established && !segment.payload.is_empty();
                    (takes && beyond).then(|| tcb.with(|tcb| tcb.rcv_nxt = segment.text_end()))
                })],
            },
            Deviation {
                name: "in_order_segment_swallowed",
                rule: "9293:ACK-val",
                summary: "A segment in order is dropped without effect.",
                impact: "Its text has to be sent again.",
                hooks: &[Hook::Reading(|tcb, segment, readings| {
                    if segment.seq == tcb.rcv_nxt && !segment.is_empty() {
                        readings.push(super::dropped(tcb, segment));
                    }
                })],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-31",
            citation: "RFC 9293 section 3.10.7.4 (SHLD-31)",
            level: Level::Should,
            class: Class::Interop,
            statement: "Text beyond RCV.NXT that lies in the window is held until the gap before it is filled.",
            provoked_by: "Several segments out of order, then the one before them.",
        },
        check: None,
        deviations: &[Deviation {
            name: "held_text_forgotten",
            rule: "9293:SHLD-31",
            summary: "Text held out of order is not acknowledged when the gap before it is filled.",
            impact: "All text that came out of order is sent twice.",
            hooks: &[Hook::Reading(|tcb, segment, readings| {
                let fills = segment.seq.at_or_before(tcb.rcv_nxt)
                    && segment.text_end().after(tcb.rcv_nxt)
                    && !tcb.held.is_empty();
                if fills {
                    super::forget_held(readings);
                }
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:FIN",
            citation: "RFC 9293 section 3.10.7.4, eighth check",
            level: Level::Text,
            class: Class::Violation,
            statement: "A FIN is acknowledged once everything before it has come, and only then.",
            provoked_by: "A FIN in order, out of order, on a segment that is partly old, with text that does not fit.",
        },
        check: None,
        deviations: &[
            Deviation {
                name: "fin_before_its_text",
                rule: "9293:FIN",
                summary: "A FIN is taken although text before it is missing.",
                impact: "The application sees the end of a stream that is cut short.",
                hooks: &[Hook::Arrival(|tcb, segment| {
                    let early = segment.has(Flags::FIN) && segment.text_end().after(tcb.rcv_nxt);
                    (early && tcb.state == State::Established).then(|| {
                        tcb.with(|tcb| {
                            tcb.rcv_nxt = segment.end();
                            tcb.state = State::CloseWait;
                        })
                    })
                })],
            },
            Deviation {
                name: "fin_ignored_on_partly_old_segment",
                rule: "9293:FIN",
                summary: "The FIN of a segment whose text is partly or wholly old is ignored.",
                impact: "The connection half closes only when the peer sends the FIN again alone.",
                hooks: &[Hook::Reading(|tcb, segment, readings| {
                    if segment.has(Flags::FIN) && segment.seq.before(tcb.rcv_nxt) {
                        readings.push(Reading::accepted(Take {
                            start: tcb.rcv_nxt,
                            end: segment.text_end().latest(tcb.rcv_nxt),
                            fin: false,
                            maybe: false,
                        }));
                    }
                })],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "9293:ZW-ack",
            citation: "RFC 9293 section 3.8.6.1",
            level: Level::Text,
            class: Class::Violation,
            statement: "A probe with text that arrives while the window is zero is answered with RCV.NXT and the window.",
            provoked_by: "An application that does not read, a full buffer, one more octet.",
        },
        check: None,
        deviations: &[Deviation {
            name: "zero_window_probe_unanswered",
            rule: "9293:ZW-ack",
            summary: "A probe of a zero window draws no answer.",
            impact: "A sender whose window update was lost waits for ever.",
            hooks: &[Hook::Silence(|tcb, _| {
                tcb.state.is_synchronized() && tcb.rcv_wnd() == 0
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:ACK-oow",
            citation: "RFC 9293 section 3.10.7.4, first check",
            level: Level::Text,
            class: Class::Violation,
            statement: "A segment that is not acceptable is answered by an acknowledgment, unless it is a RST.",
            provoked_by: "Old text, text past the edge, text that PAWS refuses.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "unacceptable_segment_unanswered",
            rule: "9293:ACK-oow",
            summary: "A segment with text that is not acceptable draws no answer.",
            impact: "Two sides that disagree about what was received never find out.",
            hooks: &[Hook::Silence(|tcb, _| tcb.state.is_synchronized())],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-40",
            citation: "RFC 9293 section 3.8.6.3 (MUST-40)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Text and FIN in order are acknowledged in less than half a second; 600 ms are given.",
            provoked_by: "Text in order, then nothing for a while.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "text_in_order_unacknowledged",
            rule: "9293:MUST-40",
            summary: "Text or a FIN in order is taken and not acknowledged.",
            impact: "Everything is sent again until the peer gives up.",
            hooks: &[Hook::Delay(|tcb, segment| {
                !segment.has(Flags::SYN) && !segment.seq.after(tcb.rcv_nxt)
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "5681:4.2-c",
            citation: "RFC 5681 section 4.2",
            level: Level::Should,
            class: Class::Interop,
            statement: "Text out of order is acknowledged at once.",
            provoked_by: "Text behind a gap, then nothing for a while.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "out_of_order_text_unacknowledged",
            rule: "5681:4.2-c",
            summary: "Text that waits behind a gap is not acknowledged.",
            impact: "The sender does not learn of a loss before its timer expires.",
            hooks: &[Hook::Delay(|tcb, segment| segment.seq.after(tcb.rcv_nxt))],
        }],
    },
    Rule {
        card: RuleCard {
            id: "5681:4.2-d",
            citation: "RFC 5681 section 4.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "No segment draws more than one acknowledgment, but for larger windows as the application reads.",
            provoked_by: "Anything that is acknowledged.",
        },
        check: Some(Check::Emission {
            fits: |Emission {
                       tcb, segment, pace, ..
                   }| {
                let again = is_bare(segment)
                    && segment.seq == tcb.snd_nxt
                    && tcb.state.is_synchronized()
                    && advertised_edge(tcb, segment) == tcb.edge;
                !again || segment.has(Flags::SYN) || !pace.has_answered_all()
            },
            explain: |_| {
                Misfit::new(
                    "nothing, for everything is acknowledged",
                    "another acknowledgment",
                )
            },
        }),
        deviations: &[Deviation {
            name: "acknowledged_more_than_once",
            rule: "5681:4.2-d",
            summary: "A segment is acknowledged twice.",
            impact: "A sender takes the second for a duplicate, and its text for lost.",
            hooks: &[Hook::Emission("5681:4.2-d", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-10",
            citation: "RFC 9293 section 3.5 (MUST-10)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Both ends may open at once: a SYN that crosses the stack's own is answered.",
            provoked_by: "A SYN without ACK in SYN-SENT.",
        },
        check: None,
        deviations: &[Deviation {
            name: "crossing_syn_unanswered",
            rule: "9293:MUST-10",
            summary: "In SYN-SENT a SYN without ACK is ignored.",
            impact: "Two ends that open at once, as through two address translators, never connect.",
            hooks: &[
                Hook::Delay(|tcb, segment| crosses(segment) && tcb.open == OpenMode::Active),
                Hook::Arrival(|tcb, segment| {
                    (crosses(segment) && tcb.state == State::SynSent).then(|| tcb.clone())
                }),
            ],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SYN-ack",
            citation: "RFC 9293 sections 3.10.7.2 and 3.10.7.3",
            level: Level::Text,
            class: Class::Violation,
            statement: "A SYN that opens a connection is answered.",
            provoked_by: "A SYN to a listening socket, a SYN,ACK to one that connects, then nothing for a while.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "syn_unanswered",
            rule: "9293:SYN-ack",
            summary: "A SYN that opens a connection draws no answer.",
            impact: "No connection comes about.",
            hooks: &[Hook::Delay(|_, segment| segment.has(Flags::SYN))],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-58",
            citation: "RFC 9293 section 3.10.7.4, seventh check (MUST-58, MUST-59)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A segment that fills a gap is answered by one acknowledgment of all that is now in order.",
            provoked_by: "Several segments out of order, then the one before them.",
        },
        check: None,
        deviations: &[Deviation {
            name: "held_text_acknowledged_piece_by_piece",
            rule: "9293:MUST-58",
            summary: "When a gap is filled, the text before and behind it is acknowledged one piece after the other.",
            impact: "The peer sees several acknowledgments where one is due, and sends in bursts.",
            hooks: &[Hook::Emission("9293:ACK-val", |tcb, segment| {
                segment.ack.after(tcb.rcv_nxt_on_arrival) && segment.ack.before(tcb.rcv_nxt)
            })],
        }],
    },
];

fn crosses(segment: &Segment) -> bool {
    segment.has(Flags::SYN) && !segment.has(Flags::ACK) && !segment.has(Flags::RST)
}

fn fits(Emission { tcb, segment, .. }: &Emission<'_>) -> bool {
    let counts = segment.has(Flags::ACK) && !segment.has(Flags::RST);
    !counts
        || tcb.state < State::SynReceived
        || segment.ack == tcb.rcv_nxt
        || tcb.sent_amid_arrival(segment)
}

fn explain(Emission { tcb, segment, .. }: &Emission<'_>) -> Misfit {
    Misfit::new(
        format!("ack {}", relative(tcb.rcv_nxt, tcb.irs)),
        format!("ack {}", relative(segment.ack, tcb.irs)),
    )
}
