//! Makes plans from a seed: honest conversations over a bad network, and a peer that breaks rules on top of them.

mod dice;
mod falsify;
mod opening;
mod script;
mod settings;

use std::fmt;

use crate::{Family, Plan};

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
}

/// An endless stream of plans. The same seed, mode and family give the same plans.
#[derive(Clone, Debug)]
pub struct Generator {
    seed: u64,
    mode: Mode,
    family: Family,
    next: u64,
}

impl Generator {
    /// A stream from its first plan.
    pub fn new(seed: u64, mode: Mode, family: Family) -> Generator {
        Generator {
            seed,
            mode,
            family,
            next: 0,
        }
    }

    /// The plan at a place of the stream, 0 for the first.
    pub fn plan(&self, index: u64) -> Plan {
        let mut dice = Dice::new(self.seed, index);
        let falsifies = match self.mode {
            Mode::Network => false,
            Mode::Peer => true,
            Mode::Both => index % 2 == 1,
        };
        let setup = settings::setup(&mut dice, self.family);
        let peer = settings::peer(&mut dice, setup.open, falsifies);
        let moves = script::moves(&mut dice, &setup, &peer, falsifies);
        let mut plan = Plan { setup, peer, moves };
        plan.normalize();
        plan
    }
}

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
        })
    }
}

#[cfg(test)]
mod tests;
