//! Decides whether a stack is patient: how the intervals between retransmissions and probes grow, and when it may give up.
//! RFC 9293 sections 3.8.1 to 3.8.3 and 3.8.6, RFC 6298 section 5.

use ackward_model::{Flags, Hook, Micros, SendWindow, State, Tcb};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Timeouts and their number.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "9293:MUST-19",
            citation: "RFC 9293 section 3.8.2 (MUST-19), RFC 6298 section 5.5",
            level: Level::Must,
            class: Class::Violation,
            statement: "Each time that nothing is heard of a segment, the timeout doubles.",
            provoked_by: "Text in flight, then nothing for some minutes.",
        },
        check: Some(Check::Emission {
            fits: |emission| {
                let syn = emission.segment.has(Flags::SYN);
                syn || emission.tcb.largest_snd_wnd() == 0 || has_slowed_down(emission)
            },
            explain: explain_interval,
        }),
        deviations: &[Deviation {
            name: "timeout_does_not_grow",
            rule: "9293:MUST-19",
            summary: "A segment is sent again and again at one pace.",
            impact: "Where the network is overloaded the stack goes on to load it.",
            hooks: &[Hook::Emission("9293:MUST-19", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-30",
            citation: "RFC 9293 section 3.8.6.1 (SHLD-30)",
            level: Level::Should,
            class: Class::Quality,
            statement: "The interval between probes of a shut window grows.",
            provoked_by: "A window of zero with text waiting, then nothing for some minutes.",
        },
        check: Some(Check::Emission {
            fits: |emission| {
                let shut = emission.tcb.largest_snd_wnd() == 0;
                !shut || emission.segment.has(Flags::SYN) || has_slowed_down(emission)
            },
            explain: explain_interval,
        }),
        deviations: &[Deviation {
            name: "probes_do_not_slow_down",
            rule: "9293:SHLD-30",
            summary: "A shut window is probed again and again at one pace.",
            impact: "A peer that is busy for long is bothered without need.",
            hooks: &[Hook::Emission("9293:SHLD-30", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-29",
            citation: "RFC 9293 section 3.8.6.1 (SHLD-29)",
            level: Level::Should,
            class: Class::Quality,
            statement: "The first probe goes when the window has been shut for a retransmission timeout.",
            provoked_by: "A window of zero with text waiting.",
        },
        check: Some(Check::Emission {
            fits: |Emission {
                       tcb,
                       segment,
                       pace,
                       at,
                       ..
                   }| {
                let probes = !segment.payload.is_empty()
                    && segment.text_end().after(tcb.snd_nxt)
                    && tcb.largest_snd_wnd() == 0;
                let early = |since: Micros| at.saturating_sub(since) < SHORTEST_TIMEOUT;
                !probes || !pace.shut_since.is_some_and(early)
            },
            explain: |_| Misfit::new("nothing yet", "a probe at once"),
        }),
        deviations: &[Deviation {
            name: "probe_before_its_time",
            rule: "9293:SHLD-29",
            summary: "A window is probed as soon as it is shut.",
            impact: "Each time that a reader falls behind there is a segment more, which it cannot take.",
            hooks: &[Hook::Emission("9293:SHLD-29", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-23",
            citation: "RFC 9293 section 3.8.3 (MUST-23)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A SYN is sent again for three minutes at least before the attempt is given up.",
            provoked_by: "A connect that nobody answers.",
        },
        check: Some(Check::Silence),
        deviations: &[Deviation {
            name: "syn_given_up_early",
            rule: "9293:MUST-23",
            summary: "After some repetitions of its SYN, within three minutes, the stack gives up.",
            impact: "A connection fails where the network was away for a moment.",
            hooks: &[
                Hook::Quiet("9293:MUST-23"),
                Hook::Arrival(|tcb, _| (tcb.state == State::SynSent).then(|| tcb.with(Tcb::close))),
            ],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:MUST-37",
            citation: "RFC 9293 section 3.8.6.1 (MUST-37)",
            level: Level::Must,
            class: Class::Violation,
            statement: "A connection stays while its window is shut.",
            provoked_by: "A window of zero with text waiting, for minutes.",
        },
        check: None,
        deviations: &[Deviation {
            name: "shut_window_resets",
            rule: "9293:MUST-37",
            summary: "A window that is shut for long resets the connection.",
            impact: "A reader that pauses loses the connection.",
            hooks: &[Hook::Emission("9293:RST-cause", |tcb, _| {
                tcb.snd_wnd.iter().any(|window| window.snd_wnd == 0)
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-17",
            citation: "RFC 9293 section 3.8.6 (SHLD-17)",
            level: Level::Should,
            class: Class::Violation,
            statement: "What lies past a window that shrank, and is not acknowledged, ends nothing.",
            provoked_by: "Text in flight past a window that shrinks, then nothing for a while.",
        },
        check: None,
        deviations: &[Deviation {
            name: "shrunk_window_resets",
            rule: "9293:SHLD-17",
            summary: "Text past a window that shrank resets the connection when it is not acknowledged.",
            impact: "A peer that takes back a window loses the connection.",
            hooks: &[Hook::Emission("9293:RST-cause", |tcb, _| {
                let past = |window: &SendWindow| tcb.snd_nxt.after(tcb.snd_una + window.snd_wnd);
                tcb.snd_wnd.iter().any(past)
            })],
        }],
    },
    Rule {
        card: RuleCard {
            id: "9293:SHLD-11",
            citation: "RFC 9293 section 3.8.3 (SHLD-11)",
            level: Level::Should,
            class: Class::Violation,
            statement: "A connection is not given up before 100 seconds of retransmission.",
            provoked_by: "Text in flight, then nothing for a while.",
        },
        check: None,
        deviations: &[Deviation {
            name: "given_up_early",
            rule: "9293:SHLD-11",
            summary: "After a few retransmissions the connection is reset.",
            impact: "An outage of seconds ends every connection that was sending.",
            hooks: &[Hook::Emission("9293:RST-cause", |tcb, _| {
                tcb.snd_una.before(tcb.snd_nxt)
            })],
        }],
    },
];

/// No timeout needs to be longer (RFC 6298 section 2.5), in microseconds.
const LONGEST_TIMEOUT: Micros = 60_000_000;
/// Timeouts are longer, in microseconds: RFC 6298 section 2.4 asks for a second, and stacks take 200 milliseconds.
const SHORTEST_TIMEOUT: Micros = 100_000;

/// Whether the segment repeats one after at least one and a half times the interval before, or after the longest that there
/// need be.
fn has_slowed_down(emission: &Emission<'_>) -> bool {
    let Emission {
        segment, pace, at, ..
    } = emission;
    let intervals = pace.intervals(segment, *at);
    intervals.is_none_or(|(before, now)| now >= LONGEST_TIMEOUT || 2 * now >= 3 * before)
}

fn explain_interval(emission: &Emission<'_>) -> Misfit {
    let Emission {
        segment, pace, at, ..
    } = emission;
    let (before, now) = pace.intervals(segment, *at).unwrap_or_default();
    Misfit::new(
        format!("{} ms after the last time", 2 * before / 1_000),
        format!("{} ms after it, as before", now / 1_000),
    )
}
