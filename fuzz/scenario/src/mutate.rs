//! Changes a plan a little, or joins two: how a search goes on from where a plan has been.

use crate::generate::{Dice, any_move};
use crate::{Move, Plan, Step};

/// A plan like `plan`, or, where `other` is given, one time in four with its end. The same seed, the same change.
pub fn mutate(plan: &Plan, other: Option<&Plan>, seed: u64) -> Plan {
    let mut dice = Dice::new(seed, 0);
    let mut changed = match other.filter(|_| dice.one_in(4)) {
        Some(other) => splice(plan, other, &mut dice),
        None => plan.clone(),
    };
    let falsifies = changed.moves.iter().any(Move::breaks_rules);
    for _ in 0..=dice.below(3) {
        change(&mut changed, falsifies, &mut dice);
    }
    if !dice.one_in(WAITING) {
        changed.moves.retain(|next| !waits(next));
    }
    changed.normalize();
    changed
}

/// One change in this many keeps its waits. A wait nearly always meets something new, so that without this they would
/// come to fill a corpus, and a case with one costs as much time as a thousand without.
const WAITING: u32 = 64;

fn waits(next: &Move) -> bool {
    matches!(next, Move::Wait(_) | Move::Step(Step::Wait(_)))
}

/// The beginning of `plan`, then the end of `other`. They play in the circumstances of the first.
fn splice(plan: &Plan, other: &Plan, dice: &mut Dice) -> Plan {
    let keep = place(dice, plan.moves.len() + 1);
    let from = place(dice, other.moves.len() + 1);
    let mut moves = plan.moves[..keep].to_vec();
    moves.extend_from_slice(&other.moves[from..]);
    Plan {
        setup: plan.setup.clone(),
        peer: plan.peer,
        moves,
    }
}

fn change(plan: &mut Plan, falsifies: bool, dice: &mut Dice) {
    let len = plan.moves.len();
    if len == 0 {
        plan.moves.push(any_move(dice, falsifies));
        return;
    }
    let at = place(dice, len);
    match dice.below(8) {
        0 | 1 => plan.moves.insert(at, any_move(dice, falsifies)),
        2 => {
            plan.moves.remove(at);
        }
        3 => plan.moves.insert(at, plan.moves[at].clone()),
        4 => plan.moves.swap(at, place(dice, len)),
        5 => plan.moves[at] = any_move(dice, falsifies),
        6 => turn(&mut plan.moves[at], dice),
        _ => reshape(plan, dice),
    }
}

/// Changes the number in a move.
fn turn(next: &mut Move, dice: &mut Dice) {
    let nth = dice.below(4) as u8;
    match next {
        Move::DeliverToStack(which)
        | Move::RepeatToStack(which)
        | Move::DropToStack(which)
        | Move::DeliverToPeer(which)
        | Move::DropToPeer(which)
        | Move::DeliverEdited { nth: which, .. } => *which = nth,
        Move::PeerWrite(octets) | Move::PeerWriteUrgent(octets) => {
            *octets = 1 + dice.below(1_460) as u16
        }
        Move::PeerClock(ticks) => *ticks = 1 + dice.below(1 << 30),
        Move::Craft(craft) => craft.seq.1 = craft.seq.1.wrapping_add(dice.pick(&[-1, 1, 100])),
        other => *other = Move::DeliverToStack(nth),
    }
}

/// Changes the peer or where numbers begin.
fn reshape(plan: &mut Plan, dice: &mut Dice) {
    match dice.below(6) {
        0 => plan.setup.isn = dice.near_a_boundary(3_000),
        1 => plan.peer.tsval = dice.near_a_boundary(300),
        2 => plan.peer.offer.window_scale = dice.pick(&[None, Some(0), Some(7), Some(14)]),
        3 => plan.peer.offer.timestamps ^= true,
        4 => plan.peer.offer.sack ^= true,
        _ => plan.peer.offer.mss = dice.pick(&[Some(536), Some(1_000), Some(1_460)]),
    }
}

fn place(dice: &mut Dice, below: usize) -> usize {
    dice.below(below as u32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Family, Generator, Mode};
    use quickcheck::quickcheck;

    quickcheck! {
        fn a_mutant_is_normal_and_repeatable(seed: u64, spliced: bool) -> bool {
            let generator = Generator::new(seed, Mode::Both, Family::V4);
            let other = generator.plan(1);
            let make = || mutate(&generator.plan(0), spliced.then_some(&other), seed);
            let mut again = make();
            again.normalize();
            again == make()
        }

        fn a_network_plan_stays_one(seed: u64) -> bool {
            let generator = Generator::new(seed, Mode::Network, Family::V4);
            let mutant = mutate(&generator.plan(0), Some(&generator.plan(1)), seed);
            !mutant.moves.iter().any(Move::breaks_rules)
        }
    }
}
