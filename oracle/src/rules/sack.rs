//! Decides whether a SACK block reports text that was received.
//! RFC 2018 sections 2 to 4 and RFC 2883 section 4.

use ackward_model::{Flags, Hook, SackBlock, Tcb};

use super::relative;
use crate::rule::{Check, Class, Deviation, Emission, Level, Misfit, Rule, RuleCard};

/// Blocks name only what is held, or once again what was received before.
pub(super) static RULES: &[Rule] = &[Rule {
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
}];

fn fits(Emission { tcb, segment, .. }: &Emission<'_>) -> bool {
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
            block.left.before(block.right) && (again || tcb.held.covers(block.left, block.right))
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
    let show = |(left, right)| format!("{}:{}", relative(left, tcb.irs), relative(right, tcb.irs));
    let held: Vec<_> = tcb.held.ranges().iter().map(|range| show(*range)).collect();
    let blocks = segment.options.sack().iter();
    let sent: Vec<_> = blocks
        .map(|block| show((block.left, block.right)))
        .collect();
    let allowed = match (tcb.sack, held.is_empty()) {
        (false, _) => "no SACK option, for it was not permitted".to_owned(),
        (true, true) => "no block but one that repeats what is acknowledged".to_owned(),
        (true, false) => format!("blocks within {}", held.join(" ")),
    };
    Misfit::new(allowed, format!("sack {}", sent.join(" ")))
}
