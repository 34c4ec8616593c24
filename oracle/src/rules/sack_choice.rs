//! Decides whether an acknowledgment reports as much as it should, and no duplicate that is none.
//! RFC 2018 sections 2 and 4, RFC 2883 section 4.

use ackward_model::{Flags, Hook, SackBlock, Tcb, TcpOption};

use super::sack::{self, explain_blocks};
use crate::pace::is_bare;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Which blocks are chosen.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "2018:2",
            citation: "RFC 2018 section 2",
            level: Level::Must,
            class: Class::Violation,
            statement: "Only a SYN permits SACK.",
            provoked_by: "Anything but a SYN.",
        },
        check: Some(Check::Emission {
            fits: |Emission { segment, .. }| {
                segment.has(Flags::SYN) || !segment.options.0.contains(&TcpOption::SackPermitted)
            },
            explain: |_| Misfit::new("no SACK-permitted option", "one"),
        }),
        deviations: &[Deviation {
            name: "sack_permitted_outside_of_a_syn",
            rule: "2018:2",
            summary: "Segments without SYN permit SACK.",
            impact: "Two octets of each segment are lost, and a strict peer may drop it.",
            hooks: &[Hook::Emission("2018:2", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "2883:4-a",
            citation: "RFC 2883 section 4, (1) and (2)",
            level: Level::Text,
            class: Class::Violation,
            statement: "A block that reports a duplicate covers what came in the most recent segment, and is sent once.",
            provoked_by: "Text that comes again, then other text.",
        },
        check: Some(Check::Emission {
            fits: reports_what_came,
            explain: |Emission { tcb, segment, .. }| {
                Misfit::new(
                    "no duplicate but what came in the latest segment",
                    explain_blocks(tcb, segment.options.sack()),
                )
            },
        }),
        deviations: &[Deviation {
            name: "duplicate_reported_again",
            rule: "2883:4-a",
            summary: "A duplicate is reported that did not come in the latest segment, or was reported before.",
            impact: "The sender counts duplicates that never were, and takes its losses for reordering.",
            hooks: &[Hook::Emission("2883:4-a", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "2018:4-always",
            citation: "RFC 2018 section 4",
            level: Level::Should,
            class: Class::Quality,
            statement: "A stack that sends SACK blocks sends them on every acknowledgment while text is held out of order.",
            provoked_by: "Text out of order, then anything else that is answered.",
        },
        check: Some(Check::Emission {
            fits: tells_anything,
            explain: |_| Misfit::new("SACK blocks", "none"),
        }),
        deviations: &[Deviation {
            name: "sack_left_out_now_and_then",
            rule: "2018:4-always",
            summary: "Some acknowledgments carry no SACK blocks although text is held out of order.",
            impact: "A sender may think that the text was thrown away, and sends it again.",
            hooks: &[Hook::Emission("2018:4-always", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "2018:4-d",
            citation: "RFC 2018 section 4",
            level: Level::Should,
            class: Class::Quality,
            statement: "Behind the first block stand those that were reported most recently.",
            provoked_by: "More gaps than there is room for.",
        },
        check: Some(Check::Emission {
            fits: repeats_the_last,
            explain: |Emission {
                          tcb, segment, pace, ..
                      }| {
                let last = pace.reports.first;
                Misfit::new(
                    format!(
                        "the block reported first before, {}",
                        explain_blocks(tcb, last.as_slice())
                    ),
                    explain_blocks(tcb, segment.options.sack()),
                )
            },
        }),
        deviations: &[Deviation {
            name: "latest_reports_not_repeated",
            rule: "2018:4-d",
            summary: "The block that was reported first is not repeated in the next acknowledgment.",
            impact: "Where one acknowledgment is lost, the sender is not told of what it alone reported.",
            hooks: &[Hook::Emission("2018:4-d", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "2018:4-c",
            citation: "RFC 2018 section 4",
            level: Level::Should,
            class: Class::Quality,
            statement: "An acknowledgment reports as many blocks as fit.",
            provoked_by: "Several gaps.",
        },
        check: Some(Check::Emission {
            fits: tells_all,
            explain: |Emission { tcb, segment, .. }| {
                Misfit::new(
                    format!("{} blocks", most(tcb)),
                    explain_blocks(tcb, segment.options.sack()),
                )
            },
        }),
        deviations: &[Deviation {
            name: "fewer_sack_blocks_than_fit",
            rule: "2018:4-c",
            summary: "Fewer blocks are reported than there are, although they would fit.",
            impact: "Where acknowledgments are lost, the sender is not told of text that has arrived.",
            hooks: &[Hook::Emission("2018:4-c", |_, _| true)],
        }],
    },
];

/// Whether there are blocks where text is held. Where nobody reads any more it may have been thrown away, a timer may have
/// sent the acknowledgment of a segment before the latest, and who remembers four blocks may have forgotten some.
fn tells_anything(emission: &Emission<'_>) -> bool {
    let Emission {
        tcb, segment, pace, ..
    } = emission;
    let holds = !tcb.held.ranges().is_empty() && !tcb.orphan;
    let remembers = tcb.held.has_few() && pace.answers_one();
    let owes = tcb.sack && pace.reports.any && holds && remembers;
    !owes || !is_bare(segment) || !segment.options.sack().is_empty()
}

/// Whether the block that was reported first before is still reported, if it is held. Blocks that nothing explains are for
/// another rule.
fn repeats_the_last(emission: &Emission<'_>) -> bool {
    let Emission {
        tcb, segment, pace, ..
    } = emission;
    let blocks = segment.options.sack();
    let still_held = |block: &SackBlock| {
        let ahead = block.left.distance_from(tcb.rcv_nxt);
        (0..1 << 30).contains(&ahead) && tcb.held.covers(block.left, block.right)
    };
    let Some(last) = pace.reports.first.filter(still_held) else {
        return true;
    };
    let has = |block: &SackBlock| {
        block.left.at_or_before(last.left) && last.right.at_or_before(block.right)
    };
    let owes = blocks.len() > 1 && is_bare(segment) && pace.answers_one();
    !owes || blocks.iter().any(has) || !sack::fits(emission)
}

/// Whether there are as many blocks as fit. Who remembers four may have forgotten some once there were more.
fn tells_all(emission: &Emission<'_>) -> bool {
    let Emission {
        tcb, segment, pace, ..
    } = emission;
    let blocks = segment.options.sack();
    let reports = tcb.sack && is_bare(segment) && !blocks.is_empty();
    let owes = reports && tcb.held.has_few() && pace.answers_one();
    !owes || blocks.len() >= most(tcb) || !sack::fits(emission)
}

/// Blocks that nothing explains are for another rule, and what goes out before the text of the arrival counts still shows
/// what was held before it.
fn reports_what_came(emission: &Emission<'_>) -> bool {
    let Emission { tcb, segment, .. } = emission;
    let amid = tcb.rcv_nxt != tcb.rcv_nxt_on_arrival && tcb.sent_amid_arrival(segment);
    let told = duplicate(tcb, segment.options.sack());
    amid || told.is_none_or(|block| has_come(tcb, block)) || !sack::fits(emission)
}

/// The block that reports a duplicate, if the first one does: it lies below the acknowledgment or in the second.
fn duplicate<'a>(tcb: &Tcb, blocks: &'a [SackBlock]) -> Option<&'a SackBlock> {
    let first = blocks.first()?;
    let within = |other: &SackBlock| {
        other.left.at_or_before(first.left) && first.right.at_or_before(other.right)
    };
    let old = first.right.at_or_before(tcb.rcv_nxt);
    (old || blocks.get(1).is_some_and(within)).then_some(first)
}

/// Whether all of `block` has come since the last acknowledgment without text.
fn has_come(tcb: &Tcb, block: &SackBlock) -> bool {
    [tcb.arrived, tcb.arrived_since_ack]
        .iter()
        .any(|(start, end)| start.at_or_before(block.left) && block.right.at_or_before(*end))
}

/// How many blocks are to be reported: those there are, as far as the option fits.
fn most(tcb: &Tcb) -> usize {
    let fit = if tcb.timestamps { 3 } else { 4 };
    tcb.held.ranges().len().min(fit)
}
