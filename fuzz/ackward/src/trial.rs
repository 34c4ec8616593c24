//! One run of one scenario, judged: all that confirming and shrinking need to know of a stack.

use ackward_model::{Event, Micros, Origin, Trace};
use ackward_oracle::{Divergence, Reach, Verdict};
use ackward_scenario::{Scenario, Step};

/// Runs scenarios and judges what happens.
pub trait Trial {
    /// Why a run could not take place.
    type Error;

    /// Runs `scenario` under `conditions`.
    fn run(
        &mut self,
        scenario: &Scenario,
        conditions: Conditions,
    ) -> Result<Observation, Self::Error>;
}

/// Under what conditions a scenario runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// In a namespace that no case has used before.
    pub fresh: bool,
    /// Whether the stack is asked about itself.
    pub sample: bool,
    /// How long the end of the case waits for something late, in microseconds.
    pub patience: Micros,
}

/// What one run showed.
#[derive(Clone, Debug)]
pub struct Observation {
    /// What happened.
    pub trace: Trace,
    /// The steps that were done; a call that had no connection to act on was not.
    pub taken: Vec<Step>,
    /// What the judge says of it.
    pub verdict: Verdict,
    /// Where an answer was due that had not come when the case went on: after so many of the steps done. Cut off there
    /// and left alone for [`SILENCE`], the case can be judged.
    pub suspects_silence: Option<usize>,
}

impl Default for Conditions {
    fn default() -> Conditions {
        Conditions {
            fresh: false,
            sample: true,
            patience: 0,
        }
    }
}

impl Observation {
    /// The divergence with this root, if the run showed it.
    pub fn divergence(&self, root: &str) -> Option<&Divergence> {
        self.divergences()
            .iter()
            .find(|divergence| divergence.root() == root)
    }

    /// Whether the reveal was needed to show the divergence.
    pub fn revealed(&self, divergence: &Divergence) -> bool {
        let before = self.trace.entries.iter().take(divergence.entry);
        before
            .map(|entry| &entry.event)
            .any(|event| matches!(event, Event::In(_, Origin::Reveal)))
    }

    /// Who can provoke it.
    pub fn reach(&self) -> Reach {
        crate::reach::reach(&self.trace, &self.taken)
    }

    /// Every divergence of the run.
    pub fn divergences(&self) -> &[Divergence] {
        match &self.verdict {
            Verdict::Diverges(all) => all,
            Verdict::Conforms | Verdict::Inconclusive(_) => &[],
        }
    }
}

/// After how many microseconds a due answer that has not come is missing.
pub const SILENCE: Micros = 600_000;
