//! Decides whether a segment is one that the peer takes at once.
//! RFC 9293 section 3.7.1.

use ackward_model::{Flags, Hook};

use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// The largest segment.
pub(super) static RULES: &[Rule] = &[Rule {
    card: RuleCard {
        id: "9293:MUST-16",
        citation: "RFC 9293 section 3.7.1 (MUST-15, MUST-16)",
        level: Level::Must,
        class: Class::Violation,
        statement: "Text and options of a segment together are no longer than the segment size that the peer announced, or \
                    the default without one.",
        provoked_by: "Much text at once, to peers that announce little or nothing.",
    },
    check: Some(Check::Emission { fits, explain }),
    deviations: &[
        Deviation {
            name: "syn_cookie_rounds_the_size_up",
            rule: "9293:MUST-16",
            summary: "A SYN cookie has room for a few segment sizes, and a peer that announced less than the smallest of \
                      them gets that.",
            impact: "A peer that can take only less loses each long segment.",
            hooks: &[Hook::Emission("9293:MUST-16", |tcb, segment| {
                tcb.syn_cookies && segment.payload.len() <= SMALLEST_IN_A_COOKIE
            })],
        },
        Deviation {
            name: "announced_size_ignored",
            rule: "9293:MUST-16",
            summary: "Segments are as long as the default lets them be, though the peer announced less (MUST-14).",
            impact: "A peer that can take only less loses each long segment.",
            hooks: &[Hook::Emission("9293:MUST-16", |tcb, segment| {
                tcb.offers.peer_mss.is_some() && segment.payload.len() <= 536
            })],
        },
        Deviation {
            name: "default_size_too_large",
            rule: "9293:MUST-16",
            summary: "To a peer that announces no segment size go segments longer than the default (MUST-15).",
            impact: "On a path that takes no more than every host must take, each long segment is fragmented or lost.",
            hooks: &[Hook::Emission("9293:MUST-16", |tcb, _| {
                tcb.offers.peer_mss.is_none()
            })],
        },
        Deviation {
            name: "segment_exceeds_the_peers_size",
            rule: "9293:MUST-16",
            summary: "More text goes into a segment than the peer said it takes.",
            impact: "What does not fit the peer's buffers or its link is fragmented or lost, each time it is sent.",
            hooks: &[Hook::Emission("9293:MUST-16", |_, _| true)],
        },
    ],
}];

/// What every host must take over IPv6; over IPv4 it is less.
const SMALLEST_IN_A_COOKIE: usize = 1_220;

fn mss(Emission { tcb, path, .. }: &Emission<'_>) -> usize {
    let announced = tcb.offers.peer_mss.filter(|mss| *mss != 0);
    usize::from(announced.unwrap_or(path.default_mss()))
}

/// The most text that fits beside the options of a segment.
pub(super) fn room(emission: &Emission<'_>) -> usize {
    mss(emission).saturating_sub(options(emission))
}

fn options(Emission { segment, .. }: &Emission<'_>) -> usize {
    let options = segment.options.0.iter();
    let len: usize = options.map(|option| option.wire_len()).sum();
    len.next_multiple_of(4)
}

fn fits(emission: &Emission<'_>) -> bool {
    let Emission { segment, .. } = emission;
    // Where the options leave no room, single octets have to go all the same.
    segment.payload.len() <= 1
        || segment.has(Flags::SYN)
        || segment.payload.len() + options(emission) <= mss(emission)
}

fn explain(emission: &Emission<'_>) -> Misfit {
    Misfit::new(
        format!("at most {} octets of text and options", mss(emission)),
        format!(
            "{} of text and {} of options",
            emission.segment.payload.len(),
            options(emission)
        ),
    )
}
