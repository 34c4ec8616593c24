//! Decides whether text was taken that lies past every window edge the stack ever advertised, and whether all that lies
//! inside is taken.
//! RFC 9293 section 3.10.7.4, first check.

use ackward_model::arrival::{Acceptability, Take, acceptability, owes_answer, rest_from};
use ackward_model::{Flags, Hook, Reading, Segment, SeqNum, Tcb, TsUpdate};

use super::relative;
use crate::Facts;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// The two sides of the acceptability test.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:WND-int",
            citation: "RFC 9293 section 3.10.7.4, first check",
            level: Level::Text,
            class: Class::Violation,
            statement: "Text at or past the furthest right edge ever advertised is not acceptable: it is neither \
                        acknowledged, selectively acknowledged nor delivered.",
            provoked_by: "Text at the advertised edge, in particular without window scaling, where the wire can say at \
                          most 65535 and the stack's own window may be larger.",
        },
        check: Some(Check::Emission { fits, explain }),
        deviations: INTERIOR_DEVIATIONS,
    },
    Rule {
        card: RuleCard {
            id: "9293:3.10-acc",
            citation: "RFC 9293 section 3.10.7.4, first check",
            level: Level::Text,
            class: Class::Violation,
            statement: "A segment is acceptable exactly when its first or last octet lies in the window; nothing of an \
                        unacceptable one counts.",
            provoked_by: "Segments of no, one and many octets that begin or end at RCV.NXT and at the edge, with the \
                          window open and shut.",
        },
        check: None,
        deviations: ACCEPTABILITY_DEVIATIONS,
    },
    Rule {
        card: RuleCard {
            id: "9293:FIN-zw",
            citation: "RFC 9293 section 3.10.7.4, first check",
            level: Level::Text,
            class: Class::Interop,
            statement: "While the window is zero no FIN is acceptable: by the letter, its one octet of sequence space does \
                        not fit.",
            provoked_by: "A full buffer that nobody reads, then a FIN without text.",
        },
        check: None,
        deviations: FIN_DEVIATIONS,
    },
];

static INTERIOR_DEVIATIONS: &[Deviation] = &[
    Deviation {
        name: "fin_octet_past_the_edge_taken",
        rule: "9293:WND-int",
        summary: "A FIN is taken although its one octet of sequence space lies at the edge.",
        impact: "None: a FIN needs no buffer.",
        hooks: &[Hook::Doubtful(|tcb, segment, readings| {
            let open = tcb.max_edge.after(tcb.rcv_nxt);
            let fin = open && segment.has(Flags::FIN) && segment.text_end() == tcb.max_edge;
            if fin && segment.seq.at_or_before(tcb.max_edge) {
                take_all(tcb, segment, readings);
            }
        })],
    },
    Deviation {
        name: "straddling_segment_taken_whole",
        rule: "9293:WND-int",
        summary: "A segment that begins inside the window is taken whole although it ends past the edge.",
        impact: "At most one segment is taken past the edge.",
        hooks: &[Hook::Doubtful(|tcb, segment, readings| {
            let standing = acceptability(segment, tcb.rcv_nxt, tcb.max_edge);
            if matches!(standing, Acceptability::Straddles | Acceptability::Spans) {
                take_all(tcb, segment, readings);
            }
        })],
    },
    Deviation {
        name: "acknowledgment_past_the_edge_counts",
        rule: "9293:3.10-acc",
        summary: "Where a larger window may stand behind a saturated window field, the acknowledgment of a segment past \
                  the edge is processed.",
        impact: "None that harms: a true acknowledgment is learned.",
        hooks: &[Hook::Doubtful(|tcb, segment, readings| {
            let past = tcb.window_saturated && segment.seq.after(tcb.max_edge);
            if past && segment.has(Flags::ACK) {
                readings.push(acknowledgment_only(tcb, segment));
            }
        })],
    },
    Deviation {
        name: "private_window_exceeds_the_wire",
        rule: "9293:WND-int",
        summary: "The stack keeps a window of its own that is larger than the window field can say, 65535 octets \
                  without window scaling, and takes text in it.",
        impact: "Up to the stack's whole receive buffer is taken past the advertised edge, from any peer that does not \
                 offer window scaling and sends past the edge.",
        hooks: &[
            Hook::Doubtful(|tcb, segment, readings| {
                if tcb.window_saturated && past_the_edge(tcb, segment) && !segment.is_empty() {
                    take_all(tcb, segment, readings);
                }
            }),
            // A RST in it is challenged.
            Hook::Emission("5961:3.2-c", |tcb, _| {
                tcb.window_saturated && tcb.arrived.0.after(tcb.max_edge)
            }),
        ],
    },
    Deviation {
        name: "text_past_the_edge_taken",
        rule: "9293:WND-int",
        summary: "Text past the advertised edge is taken.",
        impact: "A peer can make the stack hold more than it offered.",
        hooks: &[Hook::Doubtful(|tcb, segment, readings| {
            let open = tcb.max_edge.after(tcb.rcv_nxt);
            if open && past_the_edge(tcb, segment) && !segment.payload.is_empty() {
                take_all(tcb, segment, readings);
            }
        })],
    },
];

static ACCEPTABILITY_DEVIATIONS: &[Deviation] = &[
    Deviation {
        name: "left_edge_at_last_ack",
        rule: "9293:3.10-acc",
        summary: "A segment that ends at or after the last acknowledgment sent counts as acceptable, so that its \
                  acknowledgment and window are processed although all its text is old.",
        impact: "None that harms: a true acknowledgment is learned from a duplicate.",
        hooks: &[
            // A RST there is challenged.
            Hook::Emission("5961:3.2-c", |tcb, _| {
                let (start, end) = tcb.arrived;
                start.before(tcb.rcv_nxt) && end.at_or_after(tcb.last_ack_sent)
            }),
            Hook::Doubtful(|tcb, segment, readings| {
                let old = segment.seq.before(tcb.rcv_nxt)
                    && segment.end().at_or_before(tcb.rcv_nxt)
                    && segment.has(Flags::ACK);
                if old && segment.end().at_or_after(tcb.last_ack_sent) {
                    // One that ends the stack's side of the connection leaves nobody to answer the old text.
                    let ends = tcb.fin_acknowledged_by(segment.ack);
                    let owed = owes_answer(tcb, segment) && !ends;
                    readings.push(acknowledgment_only(tcb, segment).owed(owed));
                }
            }),
        ],
    },
    Deviation {
        name: "right_edge_inclusive",
        rule: "9293:3.10-acc",
        summary: "A segment that begins exactly at the right edge counts as acceptable, so that its acknowledgment is \
                  processed; its text is not taken.",
        impact: "None that harms: a true acknowledgment is learned.",
        hooks: &[
            // A RST there is challenged.
            Hook::Emission("5961:3.2-c", |tcb, _| tcb.arrived.0 == tcb.max_edge),
            Hook::Doubtful(|tcb, segment, readings| {
                let open = tcb.edge.after(tcb.rcv_nxt);
                let at_edge = open && (segment.seq == tcb.edge || segment.seq == tcb.max_edge);
                if at_edge && segment.has(Flags::ACK) {
                    readings.push(acknowledgment_only(tcb, segment));
                }
            }),
        ],
    },
    Deviation {
        name: "zero_window_lets_text_in",
        rule: "9293:3.10-acc",
        summary: "Text is taken although the window is zero.",
        impact: "A peer can make the stack hold more than it offered.",
        hooks: &[Hook::Doubtful(|tcb, segment, readings| {
            let text = !segment.payload.is_empty() && segment.end().after(tcb.rcv_nxt);
            if tcb.max_edge == tcb.rcv_nxt && text {
                take_all(tcb, segment, readings);
            }
        })],
    },
    Deviation {
        name: "partly_old_segment_refused",
        rule: "9293:3.10-acc",
        summary: "A segment that begins left of RCV.NXT is dropped whole although part of its text is new.",
        impact: "A peer that repacketizes its retransmissions is never acknowledged: the connection stalls.",
        hooks: &[Hook::Reading(|tcb, segment, readings| {
            if segment.seq.before(tcb.rcv_nxt) && segment.end().after(tcb.rcv_nxt) {
                readings.push(super::dropped(tcb, segment));
            }
        })],
    },
    Deviation {
        name: "old_ack_drops_text",
        rule: "9293:3.10-acc",
        summary: "Text that comes with an old but acceptable acknowledgment is dropped.",
        impact: "Reordered text is lost until the peer sends it again with a newer acknowledgment.",
        hooks: &[Hook::Reading(|tcb, segment, readings| {
            if segment.ack.before(tcb.snd_una) {
                readings.push(super::dropped(tcb, segment));
            }
        })],
    },
];

static FIN_DEVIATIONS: &[Deviation] = &[Deviation {
    name: "bare_fin_taken_at_zero_window",
    rule: "9293:FIN-zw",
    summary: "A FIN without text is taken although the window is zero.",
    impact: "None: a FIN needs no buffer, and refusing it would stall a peer that has nothing else to send.",
    hooks: &[Hook::Doubtful(|tcb, segment, readings| {
        let shut = tcb.max_edge == tcb.rcv_nxt;
        let bare = shut && segment.has(Flags::FIN) && segment.payload.is_empty();
        if bare && segment.seq.at_or_before(tcb.rcv_nxt) && segment.end().after(tcb.rcv_nxt) {
            take_all(tcb, segment, readings);
        }
    })],
}];

/// Whether some of the segment's sequence space lies past the furthest edge.
fn past_the_edge(tcb: &Tcb, segment: &Segment) -> bool {
    segment.end().after(tcb.max_edge)
}

/// Adds the readings that take everything not taken yet.
fn take_all(tcb: &Tcb, segment: &Segment, readings: &mut Vec<Reading>) {
    if !segment.has(Flags::ACK) || segment.ack.after(tcb.snd_nxt) || tcb.state.has_peer_fin() {
        return;
    }
    let take = rest_from(segment, tcb.rcv_nxt);
    if keep_or_drop(tcb, segment, readings) {
        readings.push(Reading::accepted(Take {
            maybe: true,
            ..take
        }));
        return;
    }
    readings.push(Reading::accepted(take));
    if segment.seq.at_or_after(tcb.max_edge) {
        // Whether TS.Recent follows a segment that should not have been accepted at all is open.
        readings.push(Reading::accepted(take).updating(TsUpdate::Never));
    }
}

/// Lets all readings say of text out of order that it may be kept or dropped, up to the edge or whole: each for itself
/// would double the hypotheses with every such segment. `false` if there is none, or if a FIN comes with it.
pub(super) fn keep_or_drop(tcb: &Tcb, segment: &Segment, readings: &mut [Reading]) -> bool {
    let take = rest_from(segment, tcb.rcv_nxt);
    let out_of_order = take.start.after(tcb.rcv_nxt) && !take.fin;
    if out_of_order {
        for reading in readings {
            reading.take = Take {
                maybe: true,
                ..take
            };
        }
    }
    out_of_order
}

/// The reading in which only the acknowledgment and the window count.
pub(super) fn acknowledgment_only(tcb: &Tcb, segment: &Segment) -> Reading {
    Reading::accepted(Take::NOTHING)
        .updating(TsUpdate::Either)
        .owed(owes_answer(tcb, segment))
}

fn fits(emission: &Emission<'_>) -> bool {
    taken_past(emission).is_none()
}

/// The octets that the emission shows as taken and that this hypothesis can not have taken.
fn taken_past(emission: &Emission<'_>) -> Option<(SeqNum, SeqNum)> {
    let Emission { tcb, segment, .. } = emission;
    if !segment.has(Flags::ACK) || segment.has(Flags::RST) || !tcb.state.is_synchronized() {
        return None;
    }
    let limit = tcb.max_edge.latest(tcb.rcv_nxt);
    let limit = tcb.held.end().map_or(limit, |end| limit.latest(end));
    let acknowledged = segment.ack.after(limit).then_some((limit, segment.ack));
    acknowledged.or_else(|| {
        // A block left of RCV.NXT repeats what was received before, however far back.
        let mut blocks = segment.options.sack().iter();
        let block = blocks
            .find(|block| block.right.after(limit) && block.left.distance_from(tcb.rcv_nxt) >= 0)?;
        Some((block.left.latest(limit), block.right))
    })
}

fn explain(emission: &Emission<'_>) -> Misfit {
    let tcb = emission.tcb;
    let (left, right) = taken_past(emission).unwrap_or_default();
    let edge = relative(tcb.max_edge, tcb.irs);
    Misfit {
        allowed: format!("nothing at or past {edge}, the furthest edge advertised"),
        observed: format!(
            "octets {}:{} taken",
            relative(left, tcb.irs),
            relative(right, tcb.irs)
        ),
        why: Vec::new(),
        facts: Facts::BeyondWindow {
            edge: tcb.max_edge,
            taken: (left, right),
        },
    }
}
