//! A stack for tests: a predicate decides which scenarios show the one root there is.

use std::convert::Infallible;

use ackward_model::{Event, Origin, Segment, SeqNum, Trace};
use ackward_oracle::{Diagnosis, Divergence, EventKind, Facts, Verdict, rules};
use ackward_scenario::{Scenario, Step};

use crate::trial::{Conditions, Observation, Trial};

/// Shows [`ROOT`] where `shows` holds, and remembers under which conditions it ran.
pub(crate) struct FakeTrial<F> {
    shows: F,
    pub(crate) conditions: Vec<Conditions>,
}

pub(crate) const ROOT: &str = "old_ack_leaves_ts_recent_alone";

impl<F: FnMut(&Scenario) -> bool> FakeTrial<F> {
    pub(crate) fn new(shows: F) -> FakeTrial<F> {
        FakeTrial {
            shows,
            conditions: Vec::new(),
        }
    }
}

impl<F: FnMut(&Scenario) -> bool> Trial for FakeTrial<F> {
    type Error = Infallible;

    fn run(
        &mut self,
        scenario: &Scenario,
        conditions: Conditions,
    ) -> Result<Observation, Infallible> {
        self.conditions.push(conditions);
        let verdict = if (self.shows)(scenario) {
            Verdict::Diverges(vec![divergence()])
        } else {
            Verdict::Conforms
        };
        Ok(Observation {
            trace: trace(scenario),
            taken: scenario.steps.clone(),
            verdict,
            suspects_silence: None,
        })
    }
}

fn trace(scenario: &Scenario) -> Trace {
    let mut trace = Trace::default();
    for (number, step) in scenario.steps.iter().enumerate() {
        if let Step::Segment(spec) = step {
            let segment = Segment {
                seq: SeqNum(spec.seq),
                ..Segment::default()
            };
            trace.push(0, Event::In(segment, Origin::Step(number)));
        }
    }
    trace
}

fn divergence() -> Divergence {
    let deviation = rules::deviations()
        .find(|deviation| deviation.name == ROOT)
        .expect("the oracle knows this deviation");
    let rule = rules::cards()
        .find(|card| card.id == deviation.rule)
        .expect("a deviation departs from a rule");
    Divergence {
        rule,
        entry: 0,
        state: "ESTABLISHED",
        kind: EventKind::Emission,
        allowed: String::new(),
        observed: String::new(),
        why: Vec::new(),
        diagnosis: Diagnosis::ExplainedBy(deviation),
        facts: Facts::Other,
    }
}
