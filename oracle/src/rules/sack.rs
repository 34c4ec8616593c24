//! Decides whether a SACK block reports text that was received.
//! RFC 2018 sections 2 to 4 and RFC 2883 section 4.

use ackward_model::{Flags, Hook, SackBlock, SeqNum, Tcb};

use super::relative;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Blocks name only what is held, or once again what was received before.
pub(super) static RULES: &[Rule] = &[
    Rule {
        card: RuleCard {
            id: "2018:4-e",
            citation: "RFC 2018 section 3 and RFC 2883 section 4",
            level: Level::Must,
            class: Class::Violation,
            statement: "A SACK block covers text that is held beyond the acknowledgment; only the first, and one around it, may \
                    report again what was received before.",
            provoked_by: "Several pieces out of order, repeated and overlapping.",
        },
        check: Some(Check::Emission { fits, explain }),
        deviations: &[
            Deviation {
                name: "fin_leaves_stale_sack_blocks",
                rule: "2018:4-e",
                summary: "The acknowledgment of a FIN that had waited out of order still carries the SACK blocks of the text \
                      it covers.",
                impact: "A sender reads the first of them as a duplicate (RFC 2883) that never was; nothing is left to send by \
                     then, so only what it counts is wrong.",
                hooks: &[Hook::Emission("2018:4-e", |tcb, segment| {
                    let covered = |block: &SackBlock| block.right.at_or_before(segment.ack);
                    tcb.state.has_peer_fin() && segment.options.sack().iter().all(covered)
                })],
            },
            Deviation {
                name: "sack_reports_what_never_came",
                rule: "2018:4-e",
                summary: "A SACK block covers text that was not received, or SACK was not permitted.",
                impact: "The sender does not retransmit what is missing until its timer expires.",
                hooks: &[Hook::Emission("2018:4-e", |_, _| true)],
            },
        ],
    },
    Rule {
        card: RuleCard {
            id: "2018:4-a",
            citation: "RFC 2018 section 4",
            level: Level::Must,
            class: Class::Violation,
            statement: "The first SACK block, or the one behind the report of a duplicate, has the text that came last, \
                    unless the acknowledgment covers it.",
            provoked_by: "Several pieces out of order, not in the order of their places.",
        },
        check: Some(Check::Emission {
            fits: latest_first,
            explain: explain_first,
        }),
        deviations: &[Deviation {
            name: "latest_text_not_first_in_sack",
            rule: "2018:4-a",
            summary: "The first SACK block is another than the one with the text that came last.",
            impact: "With more gaps than blocks, the sender is not told of text that has arrived, and sends it again.",
            hooks: &[Hook::Emission("2018:4-a", |_, _| true)],
        }],
    },
    Rule {
        card: RuleCard {
            id: "2018:3-isolated",
            citation: "RFC 2018 section 3",
            level: Level::Text,
            class: Class::Interop,
            statement: "A SACK block is all of a piece: neither the octet before it nor the one behind it is held.",
            provoked_by: "Text out of order that touches what is held already.",
        },
        check: Some(Check::Emission {
            fits: isolated,
            explain: explain_isolated,
        }),
        deviations: &[Deviation {
            name: "sack_blocks_in_pieces",
            rule: "2018:3-isolated",
            summary: "A SACK block ends where more text is held.",
            impact: "The blocks are soon used up, and the sender is not told of all that has arrived.",
            hooks: &[Hook::Emission("2018:3-isolated", |_, _| true)],
        }],
    },
];

pub(super) fn fits(Emission { tcb, segment, .. }: &Emission<'_>) -> bool {
    // What goes out before the text of the arrival counts still shows what was held before it.
    let amid = tcb.rcv_nxt != tcb.rcv_nxt_on_arrival && tcb.sent_amid_arrival(segment);
    if segment.has(Flags::RST) || amid {
        return true;
    }
    let blocks = segment.options.sack();
    if blocks.is_empty() {
        return true;
    }
    tcb.sack
        && blocks.iter().enumerate().all(|(index, block)| {
            let again = index <= 1 && block.right.at_or_before(tcb.rcv_nxt) && !stale(tcb, block);
            let held = tcb.held.covers(block.left, block.right);
            let holds = held && block.right.after(tcb.rcv_nxt);
            block.left.before(block.right) && (again || holds)
        })
}

/// Whether `block` was held until the latest arrival brought it into order, and nothing that arrived since the last
/// acknowledgment repeats it.
fn stale(tcb: &Tcb, block: &SackBlock) -> bool {
    let repeated = [tcb.arrived, tcb.arrived_since_ack]
        .iter()
        .any(|(start, end)| start.at_or_before(block.left) && block.right.at_or_before(*end));
    block.right.after(tcb.rcv_nxt_on_arrival) && !repeated
}

fn explain(Emission { tcb, segment, .. }: &Emission<'_>) -> Misfit {
    let ranges = tcb.held.ranges().iter();
    let held: Vec<_> = ranges
        .map(|(left, right)| show(tcb, *left, *right))
        .collect();
    let allowed = match (tcb.sack, held.is_empty()) {
        (false, _) => "no SACK option, for it was not permitted".to_owned(),
        (true, true) => "no block but one that repeats what is acknowledged".to_owned(),
        (true, false) => format!("blocks within {}", held.join(" ")),
    };
    Misfit::new(allowed, explain_blocks(tcb, segment.options.sack()))
}

/// The block that stands for the text that came last: the first, unless that one reports a duplicate.
fn first<'a>(tcb: &Tcb, blocks: &'a [SackBlock]) -> Option<&'a SackBlock> {
    blocks
        .iter()
        .find(|block| !reports_duplicate(tcb, blocks, block))
}

/// Whether `block` is the first of `blocks` and reports what came again (RFC 2883 section 4).
fn reports_duplicate(tcb: &Tcb, blocks: &[SackBlock], block: &SackBlock) -> bool {
    let within = |other: &SackBlock| {
        other.left.at_or_before(block.left) && block.right.at_or_before(other.right)
    };
    blocks.first() == Some(block)
        && (block.right.at_or_before(tcb.rcv_nxt) || blocks.get(1).is_some_and(within))
}

fn latest_first(emission: &Emission<'_>) -> bool {
    let Emission { tcb, segment, .. } = emission;
    let blocks = segment.options.sack();
    let (start, _) = tcb.arrived;
    // What goes out with text of its own may have been made before the text of the arrival counted.
    if !segment.is_empty()
        || blocks.is_empty()
        || !tcb.arrived_fresh
        || !tcb.held.holds(start)
        || !fits(emission)
    {
        return true;
    }
    let has = |block: &SackBlock, (start, end): (SeqNum, SeqNum)| {
        block.left.before(end) && start.before(block.right)
    };
    // A timer may have sent it for a segment before the latest.
    first(tcb, blocks)
        .is_some_and(|block| has(block, tcb.arrived) || has(block, tcb.arrived_since_ack))
}

fn explain_first(Emission { tcb, segment, .. }: &Emission<'_>) -> Misfit {
    let (start, end) = tcb.arrived;
    let allowed = format!(
        "first the block with {}:{}",
        relative(start, tcb.irs),
        relative(end, tcb.irs)
    );
    Misfit::new(allowed, explain_blocks(tcb, segment.options.sack()))
}

fn isolated(Emission { tcb, segment, .. }: &Emission<'_>) -> bool {
    let blocks = segment.options.sack();
    let whole = |block: &SackBlock| !tcb.held.holds(block.left - 1) && !tcb.held.holds(block.right);
    // Text that came again is reported as it came.
    let exempt = |block: &SackBlock| {
        reports_duplicate(tcb, blocks, block) || !tcb.arrived_fresh && blocks.first() == Some(block)
    };
    blocks.iter().all(|block| exempt(block) || whole(block))
}

fn explain_isolated(Emission { tcb, segment, .. }: &Emission<'_>) -> Misfit {
    let held: Vec<_> = tcb
        .held
        .ranges()
        .iter()
        .map(|(left, right)| show(tcb, *left, *right))
        .collect();
    Misfit::new(
        format!("blocks as whole as {}", held.join(" ")),
        explain_blocks(tcb, segment.options.sack()),
    )
}

fn show(tcb: &Tcb, left: SeqNum, right: SeqNum) -> String {
    format!("{}:{}", relative(left, tcb.irs), relative(right, tcb.irs))
}

pub(super) fn explain_blocks(tcb: &Tcb, blocks: &[SackBlock]) -> String {
    let blocks = blocks
        .iter()
        .map(|block| show(tcb, block.left, block.right));
    format!("sack {}", blocks.collect::<Vec<_>>().join(" "))
}
