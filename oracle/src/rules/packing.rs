//! Decides whether text goes out in segments that are worth sending: not while a small one is in flight, and not in crumbs.
//! RFC 9293 sections 3.7.4, 3.8.6.2.1 and 3.9.1.2.

use ackward_model::emission::advertised_edge;
use ackward_model::{Flags, Hook, Micros, SendWindow};

use super::mss;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// The Nagle algorithm, silly windows, and full segments.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:SHLD-7",
            citation: "RFC 9293 section 3.7.4 (SHLD-7)",
            level: Level::Should,
            class: Class::Quality,
            statement: "While a segment that was not full is in flight, no other one follows that is not full, unless the \
                        application has switched that off, is done, or finds it urgent.",
            provoked_by: "Several small writes, with nothing acknowledged.",
        },
        check: Some(Check::Emission {
            fits: |emission| {
                let Emission { tcb, pace, at, .. } = emission;
                let small_in_flight = pace.short_end.is_some_and(|end| end.after(tcb.snd_una));
                // What is left of a large write may go behind the full segments of it.
                let in_burst = pace
                    .large_at
                    .is_some_and(|large_at| at - large_at < AT_ONCE);
                let done = tcb.fin_queued || tcb.has_urgent_text();
                let permitted = pace.no_delay || pace.narrow || done || in_burst;
                !small_in_flight || permitted || !is_crumb(emission)
            },
            explain: |emission| {
                let len = emission.segment.payload.len();
                Misfit::new(
                    format!("nothing, or a segment of {} octets", mss::room(emission)),
                    format!("one of {len} while another is in flight"),
                )
            },
        }),
        deviations: &[Deviation {
            name: "small_segments_in_flight",
            rule: "9293:SHLD-7",
            summary: "Small segments follow each other without waiting for an acknowledgment.",
            impact: "An application that writes octet by octet fills the path with headers.",
            hooks: &[Hook::Emission("9293:SHLD-7", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-17",
            citation: "RFC 9293 section 3.7.4 (MUST-17)",
            level: Level::Must,
            class: Class::Violation,
            statement: "An application can switch the Nagle algorithm off: what the window takes then goes at once.",
            provoked_by: "TCP_NODELAY, then small writes with text in flight.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "no_delay_ignored",
            rule: "9293:MUST-17",
            summary: "Small text waits for an acknowledgment although the application has switched that off.",
            impact: "Each small write of an interactive application takes a round trip, and a delayed acknowledgment on top.",
            hooks: &[Hook::Quiet("9293:MUST-17")],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-38",
            citation: "RFC 9293 section 3.8.6.2.1 (MUST-38)",
            level: Level::Must,
            class: Class::Quality,
            statement: "Of text that the window does not take whole, no part goes at once that is neither a full segment nor \
                        half of the largest window seen.",
            provoked_by: "More text than a small rest of the window takes.",
        },
        check: Some(Check::Emission {
            fits: |emission| {
                let usable = usable(emission, u32::max);
                let limited = usable < mss::room(emission) as u32 && usable < waiting(emission);
                // What goes past the window is not too little.
                let limited = limited && len(emission) <= usable;
                !limited || waiting(emission) <= len(emission) || !is_crumb(emission)
            },
            explain: |emission| {
                Misfit::new(
                    "nothing yet",
                    format!(
                        "{} octets of {} that wait",
                        len(emission),
                        waiting(emission)
                    ),
                )
            },
        }),
        deviations: &[
            Deviation {
                name: "silly_window_filled_behind_others",
                rule: "9293:MUST-38",
                summary: "Behind other segments the stack fills the little that is left of the window.",
                impact: "Each time that the window ends a burst, one segment is small.",
                hooks: &[Hook::Emission("9293:MUST-38", |tcb, _| {
                    tcb.snd_una.before(tcb.snd_nxt)
                })],
            },
            Deviation {
                name: "silly_windows_filled",
                rule: "9293:MUST-38",
                summary: "The stack fills whatever little rest of the window there is at once.",
                impact: "A slow reader makes the connection go on in small segments, which cost as much as large ones.",
                hooks: &[Hook::Emission("9293:MUST-38", |_, _| true)],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-39",
            citation: "RFC 9293 section 3.8.6.2.2 (MUST-39)",
            level: Level::Must,
            class: Class::Quality,
            statement: "A window that the application opens by reading is not announced in crumbs: by half the buffer or a \
                        segment at least.",
            provoked_by: "A window that is shut, then reads of a few octets.",
        },
        check: Some(Check::Emission {
            fits: |emission| {
                let Emission {
                    tcb,
                    segment,
                    pace,
                    at,
                    ..
                } = emission;
                let update = segment.flags == Flags::ACK
                    && segment.is_empty()
                    && segment.ack == tcb.last_ack_sent
                    && pace.reading
                    && !pace.resized
                    && at.saturating_sub(pace.disturbed_at) < AT_ONCE;
                !update || opening(emission) == 0 || opening(emission) >= least_opening(emission)
            },
            explain: |emission| {
                Misfit::new(
                    format!("nothing, or {} octets more", least_opening(emission)),
                    format!("{} more", opening(emission)),
                )
            },
        }),
        deviations: &[Deviation {
            name: "window_opened_in_crumbs",
            rule: "9293:MUST-39",
            summary: "A window is announced as soon as a few octets have been read.",
            impact: "A slow reader makes the peer send in small segments, which cost as much as large ones.",
            hooks: &[Hook::Emission("9293:MUST-39", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-28",
            citation: "RFC 9293 section 3.9.1.2 (SHLD-28)",
            level: Level::Should,
            class: Class::Quality,
            statement: "Where more text waits and the window takes it, segments are full.",
            provoked_by: "Writes of more than a segment.",
        },
        check: Some(Check::Emission {
            fits: |emission| {
                let room = mss::room(emission) as u32;
                let limited = usable(emission, u32::min) < room.min(waiting(emission));
                limited
                    // What the stack has pushed is cut there.
                    || emission.segment.has(Flags::PSH)
                    || emission.pace.narrow
                    || emission.pace.cramped
                    || waiting(emission) <= len(emission)
                    || !is_crumb(emission)
            },
            explain: |emission| {
                Misfit::new(
                    format!("{} octets", mss::room(emission)),
                    format!("{} of {} that wait", len(emission), waiting(emission)),
                )
            },
        }),
        deviations: &[Deviation {
            name: "segments_not_filled",
            rule: "9293:SHLD-28",
            summary: "Segments hold less than they could although more text waits.",
            impact: "A large transfer takes more packets than it needs.",
            hooks: &[
                Hook::Emission("9293:SHLD-28", |_, _| true),
                // They are small, and in flight together.
                Hook::Emission("9293:SHLD-7", |_, _| true),
            ],
        }],
    },
];

/// Octets by which a segment moves the right edge.
fn opening(Emission { tcb, segment, .. }: &Emission<'_>) -> u32 {
    let edge = advertised_edge(tcb, segment);
    edge.distance_from(tcb.edge).max(0) as u32
}

/// Octets by which it must move at least, if at all: half of a buffer that is as large as its first window, or a segment
/// as small as any that a stack may have measured.
fn least_opening(Emission { tcb, pace, .. }: &Emission<'_>) -> u32 {
    let rounding = tcb.rcv_wind_shift.granularity() - 1;
    (pace.syn_window / 2)
        .min(SMALLEST_SEGMENT)
        .saturating_sub(rounding)
}

/// Octets of text in the smallest segments that a stack takes for full.
const SMALLEST_SEGMENT: u32 = 88;
/// Octets that an option may take which is gone by the time that a segment is sent.
const OPTIONS: usize = 40;
/// What goes later after an event is sent by a timer, which may do so; in microseconds.
const AT_ONCE: Micros = 1_000;
/// So long after text was sent a timer may be due, whatever else happens; in microseconds.
const PAUSE: Micros = 100_000;

/// Whether text fills a segment, or half of the largest window: options may have taken room that are gone by now.
pub(crate) fn is_large(emission: &Emission<'_>) -> bool {
    let len = emission.segment.payload.len() + OPTIONS;
    len >= mss::room(emission) || 2 * len as u32 >= emission.tcb.max_snd_wnd
}

/// Whether new text is less than a segment holds and less than half of the largest window, and no timer sends it.
fn is_crumb(emission: &Emission<'_>) -> bool {
    let Emission {
        tcb,
        segment,
        pace,
        at,
        ..
    } = emission;
    let new = segment.seq.at_or_after(tcb.snd_nxt);
    let len = segment.payload.len();
    len > 0
        && new
        && !pace.cramped
        && !segment.has(Flags::SYN)
        && !segment.has(Flags::RST)
        && !is_large(emission)
        && tcb.largest_snd_wnd() > 0
        && at.saturating_sub(pace.disturbed_at) < AT_ONCE
        && at.saturating_sub(pace.latest_at) < PAUSE
}

fn len(emission: &Emission<'_>) -> u32 {
    emission.segment.payload.len() as u32
}

/// Octets written and not sent before this segment.
fn waiting(Emission { tcb, segment, .. }: &Emission<'_>) -> u32 {
    let end = tcb.iss + 1 + tcb.written;
    end.distance_from(segment.seq).max(0) as u32
}

/// Octets that the window takes from this segment on; of several that may be in force, the one that `pick` prefers.
fn usable(Emission { tcb, segment, .. }: &Emission<'_>, pick: fn(u32, u32) -> u32) -> u32 {
    let windows = tcb
        .snd_wnd
        .iter()
        .map(|SendWindow { snd_wnd, .. }| *snd_wnd);
    let window = windows.reduce(pick).unwrap_or(0);
    let edge = tcb.snd_una + window;
    edge.distance_from(segment.seq).max(0) as u32
}
