//! From a divergence to something worth writing down: shrunk, and confirmed in its final form. What does not hold in that
//! form, because a lucky run led shrinking astray, is confirmed as it was.

use std::time::Duration;

use ackward_model::Micros;
use ackward_oracle::{Class, EventKind};
use ackward_scenario::Scenario;

use crate::confirm::{Confirmation, Standing, confirm};
use crate::finding::class;
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

/// What comes of following a root.
#[derive(Clone, Debug)]
pub enum Pursuit {
    /// It holds.
    Holds(Box<Pursued>),
    /// It did not appear again often enough.
    Dropped,
    /// It never showed without another root.
    NeverAlone,
}

/// Follows `root`, which `scenario` showed, to its smallest scenarios, and confirms those.
pub fn pursue<T: Trial>(
    trial: &mut T,
    scenario: &Scenario,
    root: &str,
    patience: Micros,
) -> Result<Pursuit, T::Error> {
    // Where each run has to wait for a silence, time buys few runs.
    let time = if patience > 0 { PATIENT } else { QUICK };
    let effort = |goal| Effort {
        goal,
        patience,
        time,
    };
    let best = shrink(trial, scenario, root, effort(Goal::MostReachable))?;
    let mut proof = prove(trial, best, root, patience)?;
    // A smaller form may have shown the root by luck. Where each run waits for a silence there is no time for doubt.
    if matches!(proof, Proof::Dropped) && patience == 0 {
        let as_it_is = Effort {
            time: Duration::ZERO,
            ..effort(Goal::MostReachable)
        };
        let unshrunk = shrink(trial, scenario, root, as_it_is)?;
        proof = prove(trial, unshrunk, root, patience)?;
    }
    let most_reachable = match proof {
        Proof::Holds(proven) => *proven,
        Proof::Dropped => return Ok(Pursuit::Dropped),
        Proof::NeverAlone => return Ok(Pursuit::NeverAlone),
    };
    // Where each run waits for a silence, a second scenario is not worth the time.
    let shorter = if patience > 0 {
        None
    } else {
        shrink(
            trial,
            &most_reachable.scenario,
            root,
            effort(Goal::Shortest),
        )?
        .filter(|shorter| shorter.size.segments < most_reachable.size.segments)
    };
    let shortest = match prove(trial, shorter, root, patience)? {
        Proof::Holds(proven) => Some(*proven),
        Proof::Dropped | Proof::NeverAlone => None,
    };
    Ok(Pursuit::Holds(Box::new(Pursued {
        most_reachable,
        shortest,
    })))
}

impl Pursued {
    /// Whether it is worth stopping for: stable, and no matter of quality.
    pub fn weighs(&self, root: &str) -> bool {
        let best = &self.most_reachable;
        let divergence = best.observation.divergence(root);
        best.standing == Standing::Stable
            && divergence.is_some_and(|it| class(it, best.without_samples) != Class::Quality)
    }

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

/// What confirming one scenario proves.
enum Proof {
    Holds(Box<Proven>),
    Dropped,
    NeverAlone,
}

/// Confirms `shrunk`, if there is one.
fn prove<T: Trial>(
    trial: &mut T,
    shrunk: Option<Shrunk>,
    root: &str,
    patience: Micros,
) -> Result<Proof, T::Error> {
    let Some(shrunk) = shrunk else {
        return Ok(Proof::Dropped);
    };
    let confirmation = confirm(trial, &shrunk.scenario, root, patience)?;
    let (standing, rate) = (confirmation.standing(), confirmation.rate());
    let Confirmation {
        without_samples,
        reach,
        observation,
        ..
    } = confirmation;
    let Some(observation) = observation.filter(|_| standing != Standing::Dropped) else {
        return Ok(Proof::Dropped);
    };
    if !stands_alone(&observation, root) {
        return Ok(Proof::NeverAlone);
    }
    Ok(Proof::Holds(Box::new(Proven {
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
    })))
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
    use std::convert::Infallible;

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

    fn pursued(trial: &mut impl Trial<Error = Infallible>) -> Pursuit {
        let Ok(pursuit) = pursue(trial, &segments(9), ROOT, 0);
        pursuit
    }

    fn held(shows: impl FnMut(&Scenario) -> bool) -> Pursued {
        match pursued(&mut FakeTrial::new(shows)) {
            Pursuit::Holds(held) => *held,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_root_is_confirmed_in_its_smallest_form() {
        let best = held(|scenario| scenario.steps.len() >= 2).most_reachable;
        assert_eq!(best.scenario.steps.len(), 2);
        assert!(best.rate == "10/10" && best.one_minimal);
    }

    #[test]
    fn one_lucky_run_of_a_smaller_form_does_not_lose_a_stable_root() {
        let mut luck = true;
        let held = held(|scenario| scenario.steps.len() == 9 || std::mem::take(&mut luck));
        let best = &held.most_reachable;
        assert_eq!(best.scenario.steps.len(), 9);
        assert!(best.rate == "10/10" && !best.one_minimal);
    }

    #[test]
    fn a_root_that_never_appears_again_is_let_go() {
        let pursuit = pursued(&mut FakeTrial::new(|_: &Scenario| false));
        assert!(matches!(pursuit, Pursuit::Dropped));
    }

    /// Shows another root wherever it shows the one.
    struct InCompany<F>(FakeTrial<F>);

    impl<F: FnMut(&Scenario) -> bool> Trial for InCompany<F> {
        type Error = Infallible;

        fn run(
            &mut self,
            scenario: &Scenario,
            conditions: Conditions,
        ) -> Result<Observation, Infallible> {
            let mut observation = self.0.run(scenario, conditions)?;
            if let Verdict::Diverges(divergences) = &mut observation.verdict {
                let mut other = divergences[0].clone();
                other.diagnosis = Diagnosis::Unexplained(other.rule);
                divergences.push(other);
            }
            Ok(observation)
        }
    }

    #[test]
    fn a_root_that_never_shows_without_another_is_no_finding_of_its_own() {
        let pursuit = pursued(&mut InCompany(FakeTrial::new(|_: &Scenario| true)));
        assert!(matches!(pursuit, Pursuit::NeverAlone));
    }

    #[test]
    fn nothing_stops_for_what_is_intermittent_or_a_matter_of_quality() {
        let stable = held(|_| true);
        assert!(stable.weighs(ROOT) && !stable.weighs("another"));
        let mut quality = stable;
        quality.most_reachable.without_samples = false;
        assert!(!quality.weighs(ROOT));
        let mut runs = 0;
        let intermittent = held(|_| {
            runs += 1;
            runs % 2 == 1
        });
        assert!(!intermittent.weighs(ROOT));
    }
}
