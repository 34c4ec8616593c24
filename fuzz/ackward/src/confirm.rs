//! Whether a divergence is real: the same scenario again and again, each time in a fresh namespace.

use ackward_model::Micros;
use ackward_oracle::Reach;
use ackward_scenario::Scenario;

use crate::trial::{Conditions, Observation, Trial};

/// What re-running a scenario showed.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// In how many runs the root appeared.
    pub same: u32,
    /// Runs made.
    pub runs: u32,
    /// Whether the root appeared in a run without samples, so that the wire alone proves it.
    pub without_samples: bool,
    /// Who can provoke it: the worst that a run showed.
    pub reach: Reach,
    /// A run that showed the root, one without samples where there is one.
    pub observation: Option<Observation>,
}

/// How far a root can be relied on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// At least nine runs of ten.
    Stable,
    /// Three to eight of ten: kept with its rate, never red.
    Intermittent,
    /// Fewer: an accident.
    Dropped,
}

/// Runs `scenario` ten times and counts the runs that show `root`. Two of the runs take no samples.
pub fn confirm<T: Trial>(
    trial: &mut T,
    scenario: &Scenario,
    root: &str,
    patience: Micros,
) -> Result<Confirmation, T::Error> {
    let mut confirmation = Confirmation {
        same: 0,
        runs: RUNS,
        without_samples: false,
        reach: Reach::Network,
        observation: None,
    };
    for run in 0..RUNS {
        let sample = run % 5 != 0;
        let conditions = Conditions {
            fresh: true,
            sample,
            patience,
        };
        let observation = trial.run(scenario, conditions)?;
        if observation.divergence(root).is_some() {
            confirmation.same += 1;
            confirmation.reach = confirmation.reach.max(observation.reach());
            if confirmation.observation.is_none() || !sample && !confirmation.without_samples {
                confirmation.observation = Some(observation);
            }
            confirmation.without_samples |= !sample;
        }
    }
    Ok(confirmation)
}

impl Confirmation {
    /// How far the root can be relied on.
    pub fn standing(&self) -> Standing {
        match self.same {
            9.. => Standing::Stable,
            3..=8 => Standing::Intermittent,
            _ => Standing::Dropped,
        }
    }

    /// The rate, for example `10/10`.
    pub fn rate(&self) -> String {
        format!("{}/{}", self.same, self.runs)
    }
}

const RUNS: u32 = 10;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeTrial, ROOT};

    fn standing_at_one_run_in(period: u32) -> Standing {
        let mut runs = 0;
        let mut trial = FakeTrial::new(|_: &Scenario| {
            runs += 1;
            runs % period == 0
        });
        confirm(&mut trial, &Scenario::default(), ROOT, 0)
            .map_or(Standing::Dropped, |confirmation| confirmation.standing())
    }

    #[test]
    fn a_root_seen_each_time_is_stable() {
        assert_eq!(standing_at_one_run_in(1), Standing::Stable);
    }

    #[test]
    fn a_root_seen_every_other_time_is_intermittent() {
        assert_eq!(standing_at_one_run_in(2), Standing::Intermittent);
    }

    #[test]
    fn a_root_seen_once_is_an_accident() {
        assert_eq!(standing_at_one_run_in(10), Standing::Dropped);
    }

    #[test]
    fn every_run_is_in_a_fresh_namespace_and_some_take_no_samples() {
        let mut trial = FakeTrial::new(|_: &Scenario| true);
        let confirmation = confirm(&mut trial, &Scenario::default(), ROOT, 0);
        assert!(confirmation.is_ok_and(|c| c.without_samples && c.rate() == "10/10"));
        assert!(trial.conditions.iter().all(|c| c.fresh));
        assert_eq!(trial.conditions.iter().filter(|c| !c.sample).count(), 2);
    }
}
