//! Stored cases: read, run once more, written.

use std::fs;
use std::path::Path;

use ackward_model::Micros;
use ackward_scenario::Scenario;
use ackward_stacks::StackError;

use super::failure::Failure;
use crate::files::write_atomically;
use crate::finding::Case;
use crate::live::Live;
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

/// Runs `scenario` in a fresh namespace; cut off and with a wait at its end where an answer seems to be missing. Yields
/// what was run in the end, too.
pub(super) fn run(
    live: &mut Live,
    scenario: &Scenario,
) -> Result<(Scenario, Observation), StackError> {
    let observation = live.run(scenario, fresh(0))?;
    match observation.suspects_silence {
        Some(cut) if observation.divergences().is_empty() => {
            let mut cut_off = scenario.clone();
            cut_off.steps = observation.taken;
            cut_off.steps.truncate(cut);
            let observation = live.run(&cut_off, fresh(SILENCE))?;
            Ok((cut_off, observation))
        }
        _ => Ok((scenario.clone(), observation)),
    }
}

fn fresh(patience: Micros) -> Conditions {
    Conditions {
        fresh: true,
        patience,
        ..Conditions::default()
    }
}
