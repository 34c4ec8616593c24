//! Decides whether the right edge of the advertised window may stand where an emission puts it, and what a moved edge
//! still owes.
//! RFC 7323 section 2.4 and RFC 9293 section 3.8.6.

use ackward_model::arrival::readings_up_to;
use ackward_model::emission::advertised_edge;
use ackward_model::{Flags, Hook, Reading, Segment, State, Tcb};

use super::relative;
use super::window_interior::keep_or_drop;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Retraction, and what stays acceptable after it.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "7323:2.4-a",
            citation: "RFC 7323 section 2.4 and RFC 9293 section 3.8.6 (SHLD-14)",
            level: Level::Should,
            class: Class::Violation,
            statement: "The right edge of the window does not move left by one step of the window field or more.",
            provoked_by: "Many small segments that nobody reads; a receive buffer made smaller during the connection.",
        },
        check: Some(Check::Emission { fits, explain }),
        deviations: &[
            Deviation {
                name: "time_wait_window_truncated",
                rule: "7323:2.4-a",
                summary: "Without window scaling the window that TIME-WAIT advertises is that of the stack cut to 16 \
                          bits, so that one larger than 65535 octets appears as a small one.",
                impact: "None for the peer's text, which is complete by then; a trace of the connection is misleading.",
                hooks: &[Hook::Emission("7323:2.4-a", |tcb, _| {
                    let waiting =
                        tcb.state == State::TimeWait || tcb.orphan && tcb.state == State::FinWait2;
                    waiting && tcb.window_saturated && tcb.rcv_wind_shift.bits() == 0
                })],
            },
            Deviation {
                name: "syn_cookie_forgets_the_window",
                rule: "7323:2.4-a",
                summary: "The connection that a SYN cookie opens has another window than the SYN,ACK with the cookie \
                          promised.",
                impact: "Text that fills the promised window may end outside of the one there is, and is sent again.",
                hooks: &[
                    Hook::Emission("7323:2.4-a", |tcb, segment| {
                        let lost = tcb.max_edge.distance_from(advertised_edge(tcb, segment));
                        tcb.syn_cookies && lost < A_SEGMENT as i32
                    }),
                    Hook::Reading(|tcb, segment, readings| {
                        if tcb.syn_cookies && segment.has(Flags::ACK) {
                            // The last segment that begins in the window may be taken whole.
                            let (least, most) =
                                (tcb.max_edge - A_SEGMENT, tcb.max_edge + 2 * A_SEGMENT);
                            readings_up_to(tcb, segment, least.latest(tcb.rcv_nxt), readings);
                            readings_up_to(tcb, segment, most, readings);
                        }
                    }),
                ],
            },
            Deviation {
                name: "window_edge_retracts",
                rule: "7323:2.4-a",
                summary: "The right edge of the window moves left.",
                impact: "Text that was in flight when the edge moved arrives outside the window and is sent again.",
                hooks: &[Hook::Emission("7323:2.4-a", |_, _| true)],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "7323:2.4-b",
            citation: "RFC 7323 section 2.4",
            level: Level::Must,
            class: Class::Interop,
            statement: "Text inside any window that was ever advertised stays acceptable after the window shrank: the furthest \
                        edge is kept track of.",
            provoked_by: "A window that shrinks, then text between the new and the old edge.",
        },
        check: None,
        deviations: &[Deviation {
            name: "current_window_judges_alone",
            rule: "7323:2.4-b",
            summary: "Acceptability is decided by the latest window, not by the largest edge advertised.",
            impact: "Text in flight when the window shrank is dropped and sent again.",
            hooks: &[Hook::Doubtful(by_the_latest_window)],
        }],
    },
];

/// As much as a window loses that is counted in segments of another size, octets.
const A_SEGMENT: u32 = 1_460;

fn by_the_latest_window(tcb: &Tcb, segment: &Segment, readings: &mut Vec<Reading>) {
    if tcb.edge != tcb.max_edge && segment.has(Flags::ACK) {
        readings_up_to(tcb, segment, tcb.edge.latest(tcb.rcv_nxt), readings);
        if segment.end().after(tcb.edge) {
            keep_or_drop(tcb, segment, readings);
        }
    }
}

fn fits(emission: &Emission<'_>) -> bool {
    let Emission {
        tcb,
        segment,
        may_shrink_window,
        ..
    } = emission;
    if !segment.has(Flags::ACK) || segment.has(Flags::RST) || *may_shrink_window {
        return true;
    }
    if tcb.state < State::SynReceived || cannot_say_more(segment) {
        return true;
    }
    let lost = tcb.max_edge.distance_from(advertised_edge(tcb, segment));
    lost <= 0 || lost.unsigned_abs() < tcb.rcv_wind_shift.granularity()
}

/// Whether the window is the largest that an unscaled field holds: a SYN sent again after a scaled window.
fn cannot_say_more(segment: &Segment) -> bool {
    segment.has(Flags::SYN) && segment.window.0 == u16::MAX
}

fn explain(emission: &Emission<'_>) -> Misfit {
    let Emission { tcb, segment, .. } = emission;
    let edge = advertised_edge(tcb, segment);
    Misfit::new(
        format!(
            "a right edge at {} or beyond, less than {} octet{} short of it at most",
            relative(tcb.max_edge, tcb.irs),
            tcb.rcv_wind_shift.granularity(),
            if tcb.rcv_wind_shift.bits() == 0 {
                ""
            } else {
                "s"
            }
        ),
        format!(
            "ack {} win {}: a right edge at {}",
            relative(segment.ack, tcb.irs),
            segment.window.0,
            relative(edge, tcb.irs)
        ),
    )
}
