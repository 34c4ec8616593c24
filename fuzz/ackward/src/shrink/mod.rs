//! Makes a scenario that shows a root as small as it gets, by the order of [`Size`].
//!
//! Every candidate is run again and judged; it replaces the best one when it shows the same root and is smaller. The end
//! is reached when no single move helps.

mod drop;
mod numbers;
mod reshape;
mod seen;
mod size;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use ackward_model::{Micros, SeqNum};
use ackward_scenario::Scenario;

pub use size::{Goal, Size};

use crate::trial::{Conditions, Observation, Trial};

/// The smallest scenario found, and how sure that is.
#[derive(Clone, Debug)]
pub struct Shrunk {
    /// The scenario.
    pub scenario: Scenario,
    /// Its last run.
    pub observation: Observation,
    /// Its size.
    pub size: Size,
    /// Runs made on the way.
    pub runs: u32,
    /// Whether no single move keeps the root and makes it smaller. False when time ran out first.
    pub one_minimal: bool,
}

/// What to shrink towards, and how much may be spent on it.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// What the result is wanted for.
    pub goal: Goal,
    /// How long each run waits for something late, in microseconds.
    pub patience: Micros,
    /// How long shrinking may take.
    pub time: Duration,
}

/// Shrinks `scenario`, which must show `root` when it runs: `None` if it does not.
pub fn shrink<T: Trial>(
    trial: &mut T,
    scenario: &Scenario,
    root: &str,
    effort: Effort,
) -> Result<Option<Shrunk>, T::Error> {
    let mut shrinker = Shrinker {
        trial,
        root,
        effort,
        until: Instant::now() + effort.time,
        tried: HashSet::new(),
        runs: 0,
    };
    let Some(mut best) = shrinker.show(scenario)? else {
        return Ok(None);
    };
    loop {
        let mut improved = false;
        for moves in MOVES {
            while let Some(better) = shrinker.better(&best, *moves)? {
                best = better;
                improved = true;
            }
        }
        let out_of_time = shrinker.out_of_time();
        if !improved || out_of_time {
            best.runs = shrinker.runs;
            best.one_minimal = !improved && !out_of_time;
            return Ok(Some(best));
        }
    }
}

/// Everything one kind of change can make of a scenario, given what its last run showed.
type Moves = fn(&Scenario, &[seen::Seen]) -> Vec<Scenario>;

/// The moves: first the one that makes honest what was recorded in an ambiguous way, then those that take most away.
const MOVES: &[Moves] = &[
    numbers::plain_echoes,
    drop::waits,
    drop::steps,
    drop::settings,
    reshape::open,
    reshape::honest,
    drop::pairs_of_steps,
    reshape::merge,
    reshape::full_segment,
    numbers::lengths,
    drop::options,
    drop::flags,
    numbers::gaps,
    numbers::alignment,
    numbers::waits,
    numbers::timestamps,
    numbers::windows,
    numbers::announcements,
    numbers::echoes_and_acks,
    numbers::values,
];

struct Shrinker<'a, T> {
    trial: &'a mut T,
    root: &'a str,
    effort: Effort,
    until: Instant,
    /// Hashes of candidates that did not help. The best one only gets smaller, so they never will.
    tried: HashSet<u64>,
    runs: u32,
}

impl<T: Trial> Shrinker<'_, T> {
    /// The first candidate that keeps the root and is smaller than `best`.
    fn better(&mut self, best: &Shrunk, moves: Moves) -> Result<Option<Shrunk>, T::Error> {
        let isn = SeqNum(best.scenario.setup.isn);
        let steps = best.scenario.steps.len();
        let seen = seen::before_each_step(&best.observation.trace, isn, steps);
        for candidate in moves(&best.scenario, &seen) {
            if self.out_of_time() {
                return Ok(None);
            }
            if candidate == best.scenario || !self.tried.insert(hash(&candidate)) {
                continue;
            }
            // A run is dear, so what cannot be smaller even in the best reach is left out.
            let hopeful = Size::at_least(&candidate);
            if !self.effort.goal.prefers(&hopeful, &best.size) {
                continue;
            }
            if let Some(shown) = self.show(&candidate)?
                && self.effort.goal.prefers(&shown.size, &best.size)
            {
                return Ok(Some(shown));
            }
        }
        Ok(None)
    }

    /// Runs `scenario`; what it is worth, if it shows the root.
    fn show(&mut self, scenario: &Scenario) -> Result<Option<Shrunk>, T::Error> {
        self.runs += 1;
        let hasty = Conditions::default();
        let mut observation = self.trial.run(scenario, hasty)?;
        if self.effort.patience > 0
            && let Some(cut) = observation.suspects_silence
        {
            // Only what may turn out as a silence is worth the wait.
            let patient = Conditions {
                patience: self.effort.patience,
                ..hasty
            };
            observation.taken.truncate(cut);
            let cut_off = Scenario {
                setup: scenario.setup.clone(),
                steps: observation.taken,
            };
            observation = self.trial.run(&cut_off, patient)?;
        }
        let Some(divergence) = observation.divergence(self.root) else {
            return Ok(None);
        };
        let scenario = Scenario {
            setup: scenario.setup.clone(),
            steps: observation.taken.clone(),
        };
        let size = Size::of(&scenario, &observation, divergence);
        Ok(Some(Shrunk {
            size,
            scenario,
            observation,
            runs: 0,
            one_minimal: false,
        }))
    }

    fn out_of_time(&self) -> bool {
        Instant::now() >= self.until
    }
}

fn hash(scenario: &Scenario) -> u64 {
    let mut hasher = DefaultHasher::new();
    scenario.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
