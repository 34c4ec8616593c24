//! A stack for tests: a predicate decides which scenarios show the one root there is.

use std::convert::Infallible;

use ackward_model::{Event, Origin, Segment, SeqNum, Trace};
use ackward_oracle::{
    Class, Deviation, Diagnosis, Divergence, EventKind, Facts, Level, RuleCard, Verdict,
};
use ackward_scenario::{Scenario, Step};

use crate::trial::{Conditions, Observation, Trial};

/// Shows [`ROOT`] where `shows` holds, and remembers under which conditions it ran.
pub(crate) struct FakeTrial<F> {
    shows: F,
    pub(crate) conditions: Vec<Conditions>,
}

pub(crate) const ROOT: &str = "loses_its_head";

static RULE: RuleCard = RuleCard {
    id: "9293:0",
    citation: "RFC 9293 section 0",
    level: Level::Must,
    class: Class::Violation,
    statement: "A stack keeps its head.",
    provoked_by: "Anything.",
};

static DEVIATION: Deviation = Deviation {
    name: ROOT,
    rule: "9293:0",
    summary: "Loses its head.",
    impact: "None.",
};

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
    Divergence {
        rule: &RULE,
        entry: 0,
        state: "ESTABLISHED",
        kind: EventKind::Emission,
        allowed: String::new(),
        observed: String::new(),
        why: Vec::new(),
        diagnosis: Diagnosis::ExplainedBy(&DEVIATION),
        facts: Facts::Other,
    }
}
