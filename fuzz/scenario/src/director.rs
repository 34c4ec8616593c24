//! Who decides the next step: a stored scenario, or a plan that looks at what was seen.

use ackward_model::Trace;

use crate::{Scenario, Setup, Step};

/// Yields the steps of one case. A driver makes each step real before it asks for the next one, so a director may look
/// at everything that happened so far.
pub trait Director {
    /// The circumstances; asked once, before the first step.
    fn setup(&self) -> &Setup;

    /// The next step, or `None` when the case is over. `seen` is the trace so far.
    fn next(&mut self, seen: &Trace) -> Option<Step>;
}

/// Replays a stored scenario.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    scenario: &'a Scenario,
    position: usize,
}

impl<'a> Replay<'a> {
    /// From its first step.
    pub fn new(scenario: &'a Scenario) -> Replay<'a> {
        Replay {
            scenario,
            position: 0,
        }
    }
}

impl Director for Replay<'_> {
    fn setup(&self) -> &Setup {
        &self.scenario.setup
    }

    fn next(&mut self, _seen: &Trace) -> Option<Step> {
        let step = self.scenario.steps.get(self.position).cloned();
        self.position += usize::from(step.is_some());
        step
    }
}
