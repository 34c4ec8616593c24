//! Stored cases: read, run once more, written.

use std::fs;
use std::path::Path;

use ackward_oracle::Divergence;
use ackward_scenario::Scenario;
use ackward_stacks::StackInfo;

use super::failure::Failure;
use crate::files::write_atomically;
use crate::finding::{Case, Finding, class};
use crate::trial::{Conditions, Observation, SILENCE, Trial};

/// The case in the file `path`.
pub(super) fn read(path: &Path) -> Result<Case, Failure> {
    let text = fs::read_to_string(path).map_err(Failure::unreadable(path))?;
    Case::parse(&text).map_err(|error| Failure::json(path, text, &error))
}

/// Writes `case` to `path`, whole or not at all.
pub(super) fn write(case: &Case, path: &Path) -> Result<(), Failure> {
    write_atomically(path, case.to_string().as_bytes()).map_err(Failure::unwritable(path))
}

/// A stored case, run again.
pub(super) struct Rerun {
    /// What was run in the end.
    scenario: Scenario,
    /// What it showed.
    pub(super) observation: Observation,
    /// The same, without asking the stack about itself.
    on_the_wire: Observation,
}

/// Runs `case` in a fresh namespace; where an answer seems to be missing and what is stored did not show, cut off and with
/// a wait at its end.
pub(super) fn run<T: Trial>(trial: &mut T, case: &Case) -> Result<Rerun, T::Error> {
    let shows = |observation: &Observation| target(observation, case).is_some();
    let mut scenario = case.scenario.clone();
    let mut conditions = Conditions {
        fresh: true,
        ..Conditions::default()
    };
    let mut observation = trial.run(&scenario, conditions)?;
    if let (Some(cut), false) = (observation.suspects_silence, shows(&observation)) {
        let mut cut_off = Scenario {
            setup: scenario.setup.clone(),
            steps: observation.taken.clone(),
        };
        cut_off.steps.truncate(cut);
        conditions.patience = SILENCE;
        let patient = trial.run(&cut_off, conditions)?;
        if shows(&patient) || observation.divergences().is_empty() {
            (scenario, observation) = (cut_off, patient);
        } else {
            conditions.patience = 0;
        }
    }
    let on_the_wire = if observation.divergences().is_empty() {
        observation.clone()
    } else {
        conditions.sample = false;
        trial.run(&scenario, conditions)?
    };
    Ok(Rerun {
        scenario,
        observation,
        on_the_wire,
    })
}

/// The divergence of `observation` that `case` was stored for; any, where it was stored for none.
pub(super) fn target<'a>(observation: &'a Observation, case: &Case) -> Option<&'a Divergence> {
    match stored_root(case) {
        Some(root) => observation.divergence(root),
        None => observation.divergences().first(),
    }
}

/// The root that `case` was stored for.
fn stored_root(case: &Case) -> Option<&str> {
    case.finding.as_ref().map(|finding| finding.root.as_str())
}

impl Rerun {
    /// What was run in the end.
    pub(super) fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The divergence that `case` was stored for, else the first one; and says so if it is another.
    pub(super) fn divergence(&self, case: &Case) -> Option<&Divergence> {
        let first = self.observation.divergences().first()?;
        let stored = target(&self.observation, case);
        if let (None, Some(root)) = (stored, stored_root(case)) {
            eprintln!("{root} does not show here; {} does", first.root());
        }
        Some(stored.unwrap_or(first))
    }

    /// `divergence` as a finding, unconfirmed.
    pub(super) fn finding(
        &self,
        divergence: &Divergence,
        info: &StackInfo,
        profile: &str,
    ) -> Finding {
        let on_the_wire = self.on_the_wire.divergence(&divergence.root()).is_some();
        Finding {
            class: class(divergence, on_the_wire),
            ..Finding::of_run(&self.scenario, &self.observation, divergence, info, profile)
        }
    }
}
