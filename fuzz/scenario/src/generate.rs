//! Makes plans from a seed: honest conversations over a bad network, and a peer that breaks rules on top of them.

mod dice;
mod falsify;
mod opening;
mod script;
mod settings;

use std::fmt;

use ackward_model::{Micros, SocketOption};

use crate::{Family, Move, Plan, systematic};

pub(crate) use dice::Dice;
pub(crate) use script::any_move;

/// Who may break rules in a plan.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Nobody: two honest ends, and a network that delays, repeats, reorders and loses.
    Network,
    /// The peer: some segments are falsified, or come from nowhere.
    Peer,
    /// One plan so, the next one so.
    Both,
    /// The peer, in every way that [`systematic`] lists, each once.
    Systematic,
}

/// An endless stream of plans. The same seed, mode and family give the same plans.
#[derive(Clone, Debug)]
pub struct Generator {
    seed: u64,
    mode: Mode,
    family: Family,
    waits_are_free: bool,
    next: u64,
}

impl Generator {
    /// A stream from its first plan.
    pub fn new(seed: u64, mode: Mode, family: Family) -> Generator {
        Generator {
            seed,
            mode,
            family,
            waits_are_free: false,
            next: 0,
        }
    }

    /// The same plans with waits in them, for a stack on virtual time: every timer gets its turn.
    pub fn with_waits(self, waits_are_free: bool) -> Generator {
        Generator {
            waits_are_free,
            ..self
        }
    }

    /// The plan at a place of the stream, 0 for the first.
    pub fn plan(&self, index: u64) -> Plan {
        let mut dice = Dice::new(self.seed, index);
        let falsifies = match self.mode {
            Mode::Network => false,
            Mode::Peer => true,
            Mode::Both => index % 2 == 1,
            Mode::Systematic => return self.cell(index),
        };
        let turn = match self.mode {
            Mode::Both => index / 2,
            _ => index,
        };
        if falsifies && turn % SYSTEMATIC_ONE_IN == SYSTEMATIC_ONE_IN - 1 {
            return self.cell(self.seed.wrapping_add(turn / SYSTEMATIC_ONE_IN));
        }
        let setup = settings::setup(&mut dice, self.family);
        let peer = settings::peer(&mut dice, setup.open, falsifies);
        let moves = script::moves(&mut dice, &setup, &peer, falsifies);
        let mut plan = Plan { setup, peer, moves };
        plan.normalize();
        let mut options = plan.setup.socket_options.iter();
        if self.waits_are_free && options.any(|option| *option == SocketOption::KeepAlive(true)) {
            for _ in 0..dice.below(3) {
                let place = dice.below(plan.moves.len() as u32 + 1) as usize;
                plan.moves.insert(place, Move::Wait(LONGEST_WAIT));
            }
            plan.moves
                .push(Move::Wait(dice.pick(&[LONGEST_WAIT, HOURS])));
            plan.moves.push(Move::PeerWrite(1));
            plan.moves.push(Move::DeliverToStack(0));
        } else if self.waits_are_free && dice.one_in(2) {
            for _ in 0..=dice.below(3) {
                let place = dice.below(plan.moves.len() as u32 + 1) as usize;
                plan.moves.insert(place, Move::Wait(dice.pick(&WAITS)));
            }
        } else if self.waits_are_free && dice.one_in(2) {
            // What has to be sent without being asked for shows at the end.
            plan.moves.push(Move::Wait(LONGEST_WAIT));
        }
        plan
    }

    /// A plan of the list. Where waits are free, what has to be sent without being asked for shows at the end.
    fn cell(&self, number: u64) -> Plan {
        let mut plan = systematic::plan(number, self.family);
        if self.waits_are_free && number % 2 == 1 {
            plan.moves.push(Move::Wait(LONGEST_WAIT));
        }
        plan
    }
}

/// Of the plans in which the peer breaks rules, one in so many is the next of the list.
const SYSTEMATIC_ONE_IN: u64 = 5;

/// Shorter and longer than what delayed acknowledgments, retransmissions and TIME-WAIT take, in microseconds.
const WAITS: [Micros; 7] = [
    1_000,
    20_000,
    100_000,
    250_000,
    700_000,
    2_500_000,
    LONGEST_WAIT,
];
const LONGEST_WAIT: Micros = 70_000_000;
/// Longer than the interval of keep-alive.
const HOURS: Micros = 7_300_000_000;

impl Iterator for Generator {
    type Item = Plan;

    /// The next plan; there always is one.
    fn next(&mut self) -> Option<Plan> {
        let plan = self.plan(self.next);
        self.next += 1;
        Some(plan)
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Network => "network",
            Mode::Peer => "peer",
            Mode::Both => "both",
            Mode::Systematic => "systematic",
        })
    }
}

#[cfg(test)]
mod tests;
