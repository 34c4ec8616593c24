//! Decides whether windows are scaled where they must be and nowhere else.
//! RFC 7323 sections 2.2 and 2.3.

use ackward_model::{Flags, Hook, OpenMode, Segment, Tcb, WindowScale};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Negotiation and use of the window scale.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "7323:2.2-a",
            citation: "RFC 7323 section 2.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "The window of a segment with SYN is a plain number of octets, in both directions.",
            provoked_by: "A SYN with a small window and a large shift, then an application that writes more than the window.",
        },
        check: None,
        deviations: &[Deviation {
            name: "syn_window_scaled_when_received",
            rule: "7323:2.2-a",
            summary: "The window of the peer's SYN is shifted before it is used.",
            impact: "The stack sends beyond the window of a peer that opened with a small one.",
            hooks: &[Hook::SendWindow(|tcb, segment, window| {
                let shift = tcb.snd_wind_shift.bits();
                (segment.has(Flags::SYN) && shift > 0).then(|| ackward_model::SendWindow {
                    snd_wnd: window.snd_wnd << shift,
                    ..window
                })
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:2.2-b",
            citation: "RFC 7323 section 2.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "Scaling is in force only if both SYNs carried the option; otherwise both shifts are zero.",
            provoked_by: "A SYN without the option, in both open modes.",
        },
        check: None,
        deviations: &[Deviation {
            name: "scale_used_without_negotiation",
            rule: "7323:2.2-b",
            summary: "The peer's windows are shifted although only one SYN carried the option.",
            impact: "The stack sends far beyond the peer's window.",
            hooks: &[Hook::SendWindow(|tcb, segment, window| {
                let shift = tcb.offers.peer_scale?;
                let unscaled = tcb.snd_wind_shift == WindowScale::NONE;
                unscaled.then(|| ackward_model::SendWindow {
                    snd_wnd: segment.window.scaled(WindowScale::announced(shift)).0,
                    ..window
                })
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:2.2-c",
            citation: "RFC 7323 section 2.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "A SYN,ACK carries the option only if the SYN did.",
            provoked_by: "A passive open whose SYN has no window scale.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                !(segment.has(Flags::SYN) && segment.has(Flags::ACK))
                    || segment.options.window_scale().is_none()
                    || tcb.offers.peer_scale.is_some()
            },
            explain: |_| Misfit::new("no window scale option", "one"),
        }),
        deviations: &[
            Deviation {
                name: "crossing_syn_keeps_own_options",
                rule: "7323:2.2-c",
                summary: "When SYNs cross, the SYN,ACK repeats the options of the stack's own SYN although the peer's SYN \
                      did not offer them, and later windows are shifted as if it had.",
                impact: "After a simultaneous open with a peer that does not scale windows, the peer reads windows that are \
                     too small by the shift: tens of octets instead of tens of thousands.",
                hooks: &[
                    Hook::Emission("7323:2.2-c", repeats_own_offers),
                    Hook::Emission("7323:3.2-b", repeats_own_offers),
                ],
            },
            Deviation {
                name: "scale_offered_unasked",
                rule: "7323:2.2-c",
                summary: "A SYN,ACK carries the window scale option although the SYN did not.",
                impact: "A peer that does not know the option may misread every later window.",
                hooks: &[Hook::Emission("7323:2.2-c", |_, _| true)],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "7323:2.2-d",
            citation: "RFC 7323 section 2.2",
            level: Level::Must,
            class: Class::Violation,
            statement: "A window scale option outside a SYN is ignored.",
            provoked_by: "An acknowledgment with the option, then text beyond the unscaled window.",
        },
        check: None,
        deviations: &[Deviation {
            name: "scale_taken_after_the_handshake",
            rule: "7323:2.2-d",
            summary: "A window scale option on a segment without SYN changes how windows are read.",
            impact: "The stack sends beyond the peer's window after a damaged or forged segment.",
            hooks: &[Hook::SendWindow(|_, segment, window| {
                let shift = segment.options.window_scale()?;
                Some(ackward_model::SendWindow {
                    snd_wnd: segment.window.scaled(WindowScale::announced(shift)).0,
                    ..window
                })
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:2.3-a",
            citation: "RFC 7323 section 2.3",
            level: Level::Must,
            class: Class::Violation,
            statement: "An announced shift of more than 14 is used as 14.",
            provoked_by: "A SYN with a shift of 15 or 255, then windows and text.",
        },
        check: None,
        deviations: &[Deviation {
            name: "shift_above_fourteen_used",
            rule: "7323:2.3-a",
            summary: "A shift above 14 is used as announced.",
            impact: "Windows of 1 GiB and more break the comparison of sequence numbers.",
            hooks: &[Hook::SendWindow(|tcb, segment, window| {
                let shift = tcb
                    .offers
                    .peer_scale
                    .filter(|shift| (15..32).contains(shift))?;
                Some(ackward_model::SendWindow {
                    snd_wnd: u32::from(segment.window.0) << shift,
                    ..window
                })
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:2.3-b",
            citation: "RFC 7323 section 2.3",
            level: Level::Must,
            class: Class::Violation,
            statement: "The announced shift is at most 14.",
            provoked_by: "A huge receive buffer.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, .. }| {
                !segment.has(Flags::SYN)
                    || segment
                        .options
                        .window_scale()
                        .is_none_or(|shift| shift <= 14)
            },
            explain: |Emission { segment, .. }| {
                let shift = segment.options.window_scale().unwrap_or(0);
                Misfit::new("a shift of at most 14", format!("wscale {shift}"))
            },
        }),
        deviations: &[Deviation {
            name: "shift_above_fourteen_announced",
            rule: "7323:2.3-b",
            summary: "A SYN announces a shift above 14.",
            impact: "The peer reads the windows with another shift than they were written with.",
            hooks: &[Hook::Emission("7323:2.3-b", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:2.3-c",
            citation: "RFC 7323 section 2.3",
            level: Level::Must,
            class: Class::Violation,
            statement: "The announced shift is the same in every SYN of a connection.",
            provoked_by: "A repeated SYN, a lost SYN,ACK.",
        },
        check: Some(Check::Emission {
            fits: |Emission { tcb, segment, .. }| {
                let again = segment.has(Flags::SYN) && tcb.snd_nxt == segment.seq + 1;
                let shifts = segment.options.window_scale().zip(tcb.offers.stack_scale);
                !again || shifts.is_none_or(|(now, before)| now == before)
            },
            explain: |Emission { tcb, segment, .. }| {
                Misfit::new(
                    format!("wscale {:?} as before", tcb.offers.stack_scale),
                    format!("wscale {:?}", segment.options.window_scale()),
                )
            },
        }),
        deviations: &[Deviation {
            name: "shift_changes_between_syns",
            rule: "7323:2.3-c",
            summary: "A repeated SYN announces another shift.",
            impact: "The two sides may use different shifts, depending on which SYN arrived.",
            hooks: &[Hook::Emission("7323:2.3-c", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "7323:2.3-d",
            citation: "RFC 7323 section 2.3",
            level: Level::Must,
            class: Class::Violation,
            statement: "Once both SYNs carried the option, the window field of every segment without SYN is RCV.WND shifted \
                        right by the announced shift.",
            provoked_by: "Text in order that nobody reads, and text past the buffer, with a shift in force.",
        },
        check: None,
        deviations: &[Deviation {
            name: "window_sent_unshifted",
            rule: "7323:2.3-d",
            summary: "The window field is not shifted although the SYNs agreed on a shift.",
            impact: "The peer believes in a window that is larger by the shift, and loses what it sends past the true one.",
            hooks: &[Hook::Opening(|tcb| {
                let shifts = tcb.rcv_wind_shift != WindowScale::NONE;
                shifts.then(|| tcb.with(|tcb| tcb.rcv_wind_shift = WindowScale::NONE))
            })],
        }],
    },
];

/// Whether `segment` answers a SYN that crossed the stack's own, with what that one offered.
fn repeats_own_offers(tcb: &Tcb, segment: &Segment) -> bool {
    tcb.open == OpenMode::Active
        && segment.has(Flags::SYN)
        && segment.options.window_scale() == tcb.offers.stack_scale
        && segment.options.timestamps().is_some() == tcb.offers.stack_timestamps
}
