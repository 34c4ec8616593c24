//! From a divergence to something worth writing down: confirmed, shrunk, and confirmed again in its final form.

use std::time::Duration;

use ackward_model::Micros;
use ackward_oracle::EventKind;
use ackward_scenario::Scenario;

use crate::confirm::{Confirmation, Standing, confirm};
use crate::shrink::{Effort, Goal, Shrunk, Size, shrink};
use crate::trial::{Observation, Trial};

/// A root with the scenarios that show it.
#[derive(Clone, Debug)]
pub struct Pursued {
    /// The scenario that most people can meet: the one to export.
    pub most_reachable: Proven,
    /// The one with the fewest injected segments, where that is another.
    pub shortest: Option<Proven>,
}

/// A scenario that shows a root, with the proof.
#[derive(Clone, Debug)]
pub struct Proven {
    /// The scenario.
    pub scenario: Scenario,
    /// A run of it.
    pub observation: Observation,
    /// Its size.
    pub size: Size,
    /// How far it can be relied on.
    pub standing: Standing,
    /// Runs of ten that showed the root, for example `10/10`.
    pub rate: String,
    /// Whether the wire alone proves it; if not, the stack's own word about itself is needed.
    pub without_samples: bool,
    /// Whether no single move makes it smaller.
    pub one_minimal: bool,
}

/// Follows `root`, which `scenario` showed, to its smallest scenarios, and confirms those. `None`: it did not appear
/// again.
pub fn pursue<T: Trial>(
    trial: &mut T,
    scenario: &Scenario,
    root: &str,
    patience: Micros,
) -> Result<Option<Pursued>, T::Error> {
    let Some(best) = reduce(trial, scenario, root, patience, Goal::MostReachable)? else {
        return Ok(None);
    };
    let smallest = best.scenario.clone();
    let Some(most_reachable) = prove(trial, best, root, patience)? else {
        return Ok(None);
    };
    // Where each run waits for a silence, a second scenario is not worth the time.
    let shorter = if patience > 0 {
        None
    } else {
        reduce(trial, &smallest, root, patience, Goal::Shortest)?
            .filter(|shorter| shorter.size.segments < most_reachable.size.segments)
    };
    let shortest = match shorter {
        Some(shorter) => prove(trial, shorter, root, patience)?,
        None => None,
    };
    Ok(Some(Pursued {
        most_reachable,
        shortest,
    }))
}

impl Pursued {
    /// The better of two pursuits of one root, scenario by scenario.
    #[must_use]
    pub fn or_better(self, other: Pursued) -> Pursued {
        let all = |pursued: Pursued| [Some(pursued.most_reachable), pursued.shortest];
        let mut proven: Vec<Proven> = all(self).into_iter().chain(all(other)).flatten().collect();
        let take_best = |proven: &mut Vec<Proven>, goal: Goal| {
            let best = (1..proven.len()).fold(0, |best, candidate| {
                let preferred = goal.prefers(&proven[candidate].size, &proven[best].size);
                if preferred { candidate } else { best }
            });
            proven.swap_remove(best)
        };
        let most_reachable = take_best(&mut proven, Goal::MostReachable);
        let shortest = (!proven.is_empty())
            .then(|| take_best(&mut proven, Goal::Shortest))
            .filter(|shortest| shortest.size.segments < most_reachable.size.segments);
        Pursued {
            most_reachable,
            shortest,
        }
    }
}

fn reduce<T: Trial>(
    trial: &mut T,
    scenario: &Scenario,
    root: &str,
    patience: Micros,
    goal: Goal,
) -> Result<Option<Shrunk>, T::Error> {
    // Where each run has to wait for a silence, time buys few runs.
    let time = if patience > 0 { PATIENT } else { QUICK };
    let effort = Effort {
        goal,
        patience,
        time,
    };
    shrink(trial, scenario, root, effort)
}

fn prove<T: Trial>(
    trial: &mut T,
    shrunk: Shrunk,
    root: &str,
    patience: Micros,
) -> Result<Option<Proven>, T::Error> {
    let confirmation = confirm(trial, &shrunk.scenario, root, patience)?;
    let (standing, rate) = (confirmation.standing(), confirmation.rate());
    let Confirmation {
        without_samples,
        reach,
        observation,
        ..
    } = confirmation;
    Ok(observation
        .filter(|observation| standing != Standing::Dropped && stands_alone(observation, root))
        .map(|observation| Proven {
            scenario: shrunk.scenario,
            observation,
            size: Size {
                reach: shrunk.size.reach.max(reach),
                ..shrunk.size
            },
            standing,
            rate,
            without_samples,
            one_minimal: shrunk.one_minimal,
        }))
}

/// Whether a run shows `root` and no other wrong emission, silence or result. What can not be shown without another root,
/// however small the scenario gets, is more likely that one's consequence than a cause of its own: one cause, one report.
fn stands_alone(observation: &Observation, root: &str) -> bool {
    observation
        .divergences()
        .iter()
        .all(|divergence| divergence.root() == root || divergence.kind == EventKind::Inspection)
}

/// Time for one goal where a run takes a tenth of a millisecond.
const QUICK: Duration = Duration::from_millis(1_500);
/// Time for one goal where a run waits for a silence.
const PATIENT: Duration = Duration::from_secs(4);

#[cfg(test)]
mod tests {
    use ackward_oracle::{Diagnosis, Verdict};
    use ackward_scenario::{SegmentSpec, Step};

    use super::*;
    use crate::fake::{FakeTrial, ROOT};
    use crate::trial::Conditions;

    fn segments(count: usize) -> Scenario {
        Scenario {
            steps: vec![Step::Segment(SegmentSpec::default()); count],
            ..Scenario::default()
        }
    }

    #[test]
    fn a_root_is_confirmed_again_in_its_smallest_form() {
        let mut trial = FakeTrial::new(|scenario: &Scenario| scenario.steps.len() >= 2);
        let pursued = pursue(&mut trial, &segments(9), ROOT, 0).ok().flatten();
        let best = pursued.map(|pursued| pursued.most_reachable);
        assert!(best.is_some_and(|best| {
            best.scenario.steps.len() == 2 && best.rate == "10/10" && best.one_minimal
        }));
    }

    #[test]
    fn a_root_that_never_appears_again_is_let_go() {
        let mut trial = FakeTrial::new(|_: &Scenario| false);
        let pursued = pursue(&mut trial, &segments(9), ROOT, 0);
        assert!(matches!(pursued, Ok(None)));
    }

    #[test]
    fn a_root_that_never_shows_without_another_is_no_finding_of_its_own() {
        let mut trial = FakeTrial::new(|_: &Scenario| true);
        let run = trial.run(&segments(1), Conditions::default());
        let mut observation = run.expect("the fake never fails");
        assert!(stands_alone(&observation, ROOT));
        if let Verdict::Diverges(divergences) = &mut observation.verdict {
            let mut other = divergences[0].clone();
            other.diagnosis = Diagnosis::Unexplained(other.rule);
            divergences.push(other);
        }
        assert!(!stands_alone(&observation, ROOT));
    }
}
