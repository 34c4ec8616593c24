//! Decides whether text the stack sends for the first time lies inside the window the peer offered.
//! RFC 7323 section 2.4 and RFC 9293 sections 3.8.6 and 3.10.7.4 (SND.WL1, SND.WL2).

use ackward_model::{Flags, Hook, Segment, SendWindow, Tcb};

use super::relative;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Sending inside the window, and which segment sets it.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "7323:2.4-e",
            citation: "RFC 7323 section 2.4 and RFC 9293 section 3.8.6 (MAY-7)",
            level: Level::May,
            class: Class::Quality,
            statement: "What lies past a window that shrank, by a step of its field or more, is sent again once at most.",
            provoked_by: "Text in flight, an acknowledgment that takes part of the window back, then nothing for a while.",
        },
        check: Some(Check::Emission {
            fits: |Emission {
                       tcb, segment, pace, ..
                   }| {
                !is_past_the_window(tcb, segment) || !pace.has_resent_past(segment)
            },
            explain: |Emission { tcb, segment, .. }| {
                let edge = relative(tcb.snd_una + tcb.largest_snd_wnd(), tcb.iss);
                Misfit::new(
                    format!("text before {edge}, the edge of the peer's window"),
                    format!(
                        "text at {} for the third time",
                        relative(segment.seq, tcb.iss)
                    ),
                )
            },
        }),
        deviations: &[Deviation {
            name: "sent_again_past_a_shrunken_window",
            rule: "7323:2.4-e",
            summary: "Text past a window that shrank is sent again and again.",
            impact: "What the peer has no room for crosses the network in vain.",
            hooks: &[Hook::Emission("7323:2.4-e", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:2.4-d",
            citation: "RFC 7323 section 2.4 and RFC 9293 section 3.8.6 (MUST-34)",
            level: Level::Must,
            class: Class::Violation,
            statement: "Text sent for the first time lies inside the window of the most recent segment that set it; one \
                        octet may probe a window of zero.",
            provoked_by: "Windows that shrink, close, arrive in another order than they were sent, with text waiting.",
        },
        check: Some(Check::Emission { fits, explain }),
        deviations: &[
            Deviation {
                name: "window_of_same_segment_only_grows",
                rule: "7323:2.4-d",
                summary: "A smaller, nonzero window with the same sequence and acknowledgment numbers as the last is \
                          ignored; a newer acknowledgment always brings its window.",
                impact: "The stack may send into a window that the peer has just taken back, which the peer was told not to do.",
                hooks: &[Hook::SendWindow(|tcb, segment, window| {
                    let offered = segment.window.scaled(tcb.snd_wind_shift).0;
                    let newer_ack = segment.ack.after(tcb.snd_una);
                    if newer_ack {
                        return Some(SendWindow {
                            snd_wnd: offered,
                            snd_wl1: segment.seq,
                            snd_wl2: segment.ack,
                        });
                    }
                    let same = segment.seq == window.snd_wl1;
                    (same && offered != 0 && offered < window.snd_wnd).then_some(window)
                })],
            },
            Deviation {
                name: "window_smaller_by_less_than_a_step_ignored",
                rule: "7323:2.4-d",
                summary: "A window that is smaller than the one in force by less than one step of the window field is \
                          taken for the same.",
                impact: "Less than one step is sent too much, and only after the unscaled window of a SYN.",
                hooks: &[Hook::SendWindow(|tcb, segment, window| {
                    let same =
                        window.snd_wnd >> tcb.snd_wind_shift.bits() == u32::from(segment.window.0);
                    let offered = segment.window.scaled(tcb.snd_wind_shift).0;
                    let smaller = same && offered < window.snd_wnd;
                    let expected = segment.seq == tcb.rcv_nxt;
                    (smaller && expected).then_some(SendWindow {
                        snd_wl1: segment.seq,
                        ..window
                    })
                })],
            },
            Deviation {
                name: "predicted_segment_moves_wl1_back",
                rule: "7323:2.4-d",
                summary: "A segment that header prediction expects (in order, with the window in force) sets SND.WL1 to \
                          its own sequence number even where that is older, so that the next segment in order \
                          replaces the window of a newer one.",
                impact: "The stack sends into a window that a newer segment had taken back; only with a peer that \
                         shrinks its window.",
                hooks: &[Hook::SendWindow(|tcb, segment, window| {
                    let offered = segment.window.scaled(tcb.snd_wind_shift).0;
                    let predicted = segment.seq == tcb.rcv_nxt
                        && segment.ack == tcb.snd_una
                        && offered == window.snd_wnd;
                    predicted.then_some(SendWindow {
                        snd_wl1: segment.seq,
                        ..window
                    })
                })],
            },
            Deviation {
                name: "older_segment_sets_the_window",
                rule: "7323:2.4-d",
                summary: "The window of a reordered, older segment replaces the newer one.",
                impact: "The stack sends beyond the window the peer has now, or stalls.",
                hooks: &[Hook::SendWindow(|tcb, segment, _| {
                    Some(SendWindow {
                        snd_wnd: segment.window.scaled(tcb.snd_wind_shift).0,
                        snd_wl1: segment.seq,
                        snd_wl2: segment.ack,
                    })
                })],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-1",
            citation: "RFC 9293 section 3.1 (MUST-1)",
            level: Level::Must,
            class: Class::Violation,
            statement: "The window is an unsigned number: text goes into one of 32768 or more.",
            provoked_by: "A window field of 32768 or more, then text, with nothing in flight.",
        },
        check: None,
        deviations: &[Deviation {
            name: "large_window_read_as_negative",
            rule: "9293:MUST-1",
            summary: "A window field of 32768 or more counts as negative, so that nothing is sent into it.",
            impact: "A peer with a large buffer gets nothing until it offers less.",
            hooks: &[Hook::SendWindow(|_, segment, window| {
                let negative = segment.window.0 > i16::MAX as u16;
                let newer = !segment.seq.before(window.snd_wl1);
                (negative && newer).then_some(SendWindow {
                    snd_wnd: 0,
                    snd_wl1: segment.seq,
                    snd_wl2: segment.ack,
                })
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:REC-1",
            citation: "RFC 9293 section 3.1 (REC-1)",
            level: Level::Should,
            class: Class::Violation,
            statement: "Windows are kept in 32 bits: text goes into a scaled one of 65536 octets or more.",
            provoked_by: "A peer that scales and has a large buffer, then text, with nothing in flight.",
        },
        check: None,
        deviations: &[Deviation {
            name: "window_kept_in_sixteen_bits",
            rule: "9293:REC-1",
            summary: "Of a scaled window only the lowest 16 bits count.",
            impact: "A peer with a large buffer gets little or nothing: a window of 65536 octets reads as zero.",
            hooks: &[Hook::SendWindow(|tcb, segment, window| {
                let offered = segment.window.scaled(tcb.snd_wind_shift).0;
                let newer = !segment.seq.before(window.snd_wl1);
                (offered > u32::from(u16::MAX) && newer).then_some(SendWindow {
                    snd_wnd: offered & u32::from(u16::MAX),
                    snd_wl1: segment.seq,
                    snd_wl2: segment.ack,
                })
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-34",
            citation: "RFC 9293 section 3.8.6 (MUST-34)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A window that shrinks below what is in flight is survived: nothing new is sent past it.",
            provoked_by: "Text in flight, then an acknowledgment that takes part of the window back.",
        },
        check: None,
        deviations: &[Deviation {
            name: "negative_window_read_as_huge",
            rule: "9293:MUST-34",
            summary: "A window that ends before SND.NXT counts as a huge one.",
            impact: "The stack sends everything it has at once.",
            hooks: &[Hook::SendWindow(|tcb, segment, window| {
                let offered = segment.window.scaled(tcb.snd_wind_shift).0;
                let in_flight = tcb.snd_nxt.offset_from(segment.ack);
                (in_flight > offered).then_some(SendWindow {
                    snd_wnd: 1 << 30,
                    ..window
                })
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-36",
            citation: "RFC 9293 section 3.8.6.1 (MUST-36)",
            level: Level::Must,
            class: Class::Violation,
            statement: "While the peer's window is zero and there is something to send, the window is probed.",
            provoked_by: "A window of zero with text or a FIN waiting, then nothing for a minute.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "shut_window_never_probed",
            rule: "9293:MUST-36",
            summary: "A window of zero is not probed.",
            impact: "If the segment that opens the window again is lost, the connection stalls for ever.",
            hooks: &[Hook::Quiet("9293:MUST-36")],
        }],
    },
];

/// Whether `segment` repeats text at or past the edge of every window that may be in force, by a step of the window field
/// or more.
pub(crate) fn is_past_the_window(tcb: &Tcb, segment: &Segment) -> bool {
    let step = 1 << tcb.snd_wind_shift.bits();
    let edge = tcb.snd_una + tcb.largest_snd_wnd() + step;
    let again = !segment.payload.is_empty() && segment.text_end().at_or_before(tcb.snd_nxt);
    again && segment.seq.after(tcb.snd_una) && segment.seq.at_or_after(edge)
}

fn fits(Emission { tcb, segment, .. }: &Emission<'_>) -> bool {
    let sends = !segment.payload.is_empty() && segment.text_end().after(tcb.snd_nxt);
    if segment.has(Flags::SYN) || segment.has(Flags::RST) || !sends {
        return true;
    }
    let window = tcb.largest_snd_wnd();
    let probe = u32::from(window == 0 || !(tcb.snd_una + window).after(tcb.snd_nxt));
    segment
        .text_end()
        .at_or_before(tcb.snd_una + window + probe)
}

fn explain(Emission { tcb, segment, .. }: &Emission<'_>) -> Misfit {
    let edge = relative(tcb.snd_una + tcb.largest_snd_wnd(), tcb.iss);
    Misfit::new(
        format!("new text up to {edge}, the edge of the peer's window"),
        format!(
            "{}:{}",
            relative(segment.seq, tcb.iss),
            relative(segment.text_end(), tcb.iss)
        ),
    )
}
