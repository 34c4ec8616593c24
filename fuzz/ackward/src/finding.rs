//! A confirmed root with everything that is told of it, and the form in which its case is stored.

use std::fmt;

use ackward_model::Trace;
use ackward_oracle::{Class, Diagnosis, Divergence, EventKind, Facts, Reach};
use ackward_scenario::Scenario;
use ackward_stacks::{KernelWords, StackInfo};
use serde::{Deserialize, Deserializer, Serialize};

use crate::Settings;
use crate::neighbourhood::Neighbour;
use crate::pursue::Pursued;
use crate::trial::Observation;
use crate::words::counted;

/// A root, confirmed and shrunk, ready to be written down.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The root's name.
    pub root: String,
    /// What is wrong, in the run kept as [`Finding::trace`].
    pub divergence: Divergence,
    /// What was done in that run.
    pub scenario: Scenario,
    /// What happened.
    pub trace: Trace,
    /// The scenario with the fewest injected segments, where that is another one.
    pub shortest: Option<Scenario>,
    /// How much it weighs.
    pub class: Class,
    /// Who can provoke it.
    pub reach: Reach,
    /// How ordinary the settings are.
    pub settings: Settings,
    /// Runs of ten that showed it, for example `10/10`; empty if it was not confirmed.
    pub runs: String,
    /// Whether no single move makes the scenario smaller.
    pub one_minimal: bool,
    /// What the stack said beside the trace.
    pub words: Option<KernelWords>,
    /// What was tried beside it, and must not change when it is mended.
    pub neighbourhood: Vec<Neighbour>,
    /// The stack and its version.
    pub stack: String,
    /// The profile that the stack was judged under.
    pub profile: String,
}

impl Finding {
    /// What `pursued` proved of `root`.
    pub fn new(
        root: &str,
        pursued: &Pursued,
        words: Option<KernelWords>,
        info: &StackInfo,
        profile: &str,
    ) -> Finding {
        let best = &pursued.most_reachable;
        let divergence = best
            .observation
            .divergence(root)
            .expect("a proven scenario comes with a run that shows its root");
        Finding {
            shortest: pursued
                .shortest
                .as_ref()
                .map(|proven| proven.scenario.clone()),
            class: class(divergence, best.without_samples),
            reach: best.size.reach,
            runs: best.rate.clone(),
            one_minimal: best.one_minimal,
            words,
            ..Finding::of_run(&best.scenario, &best.observation, divergence, info, profile)
        }
    }

    /// What one run of `scenario` showed, unconfirmed.
    pub fn of_run(
        scenario: &Scenario,
        observation: &Observation,
        divergence: &Divergence,
        info: &StackInfo,
        profile: &str,
    ) -> Finding {
        // The trace refers to the steps that were done.
        let scenario = Scenario {
            setup: scenario.setup.clone(),
            steps: observation.taken.clone(),
        };
        Finding {
            root: divergence.root(),
            divergence: divergence.clone(),
            class: class(divergence, true),
            reach: observation.reach(),
            settings: Settings::of(&scenario),
            scenario,
            trace: observation.trace.clone(),
            shortest: None,
            runs: String::new(),
            one_minimal: false,
            words: None,
            neighbourhood: Vec::new(),
            stack: format!("{} {}", info.name, info.version),
            profile: profile.to_owned(),
        }
    }

    /// What the stack does, in a sentence.
    pub fn diagnosis(&self) -> &'static str {
        match self.divergence.diagnosis {
            Diagnosis::ExplainedBy(deviation) => deviation.summary,
            Diagnosis::Unexplained(_) => "No single known deviation explains it.",
        }
    }

    /// What it costs and under which condition, and how much it was here.
    pub fn impact(&self) -> String {
        let general = match self.divergence.diagnosis {
            Diagnosis::ExplainedBy(deviation) => deviation.impact,
            Diagnosis::Unexplained(_) => "Not known, since the cause is not.",
        };
        let here = match &self.divergence.facts {
            Facts::Echo { allowed, observed } => allowed.first().map(|right| {
                let late = right.distance_from(*observed);
                let side = if late < 0 { "newer" } else { "older" };
                format!(
                    "Here the echo is {} {side} than it must be.",
                    counted(late.unsigned_abs(), "tick")
                )
            }),
            Facts::BeyondWindow { taken, .. } => {
                let octets = taken.1.offset_from(taken.0);
                let were = if octets == 1 { "was" } else { "were" };
                Some(format!(
                    "Here {} past the edge {were} taken.",
                    counted(octets, "octet")
                ))
            }
            Facts::Other => None,
        };
        here.map_or(general.to_owned(), |here| format!("{general} {here}"))
    }

    /// The case as it is stored.
    pub fn case(&self) -> Case {
        Case {
            version: VERSION,
            scenario: self.scenario.clone(),
            finding: Some(Summary {
                root: self.root.clone(),
                rule: self.divergence.rule.id.to_owned(),
                diagnosis: self.diagnosis().to_owned(),
                reach: self.reach,
                settings: self.settings,
                stack: self.stack.clone(),
                profile: self.profile.clone(),
                state: self.divergence.state.to_owned(),
                runs: self.runs.clone(),
                allowed: self.divergence.allowed.clone(),
                observed: self.divergence.observed.clone(),
                shortest: self.shortest.clone(),
            }),
        }
    }
}

/// How much `divergence` weighs. What cannot be shown on the wire alone never weighs as a violation.
pub fn class(divergence: &Divergence, without_samples: bool) -> Class {
    if without_samples && divergence.kind != EventKind::Inspection {
        divergence.rule.class
    } else {
        Class::Quality
    }
}

/// The version of the stored form.
const VERSION: u32 = 1;

/// A stored case: `case.json`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Case {
    /// The version of this form.
    #[serde(deserialize_with = "known_version")]
    pub version: u32,
    /// What to do.
    pub scenario: Scenario,
    /// What it showed when it was stored. Never needed to run it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<Summary>,
}

/// What a stored case showed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// The root's name.
    pub root: String,
    /// The rule that is broken.
    pub rule: String,
    /// What the stack does, in a sentence.
    pub diagnosis: String,
    /// Who can provoke it.
    pub reach: Reach,
    /// How ordinary the settings are.
    pub settings: Settings,
    /// The stack and its version.
    pub stack: String,
    /// The profile that it was judged under.
    pub profile: String,
    /// The connection's state.
    pub state: String,
    /// Runs of ten that showed it; empty if it was not confirmed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub runs: String,
    /// What would have been right.
    pub allowed: String,
    /// What was seen.
    pub observed: String,
    /// The scenario with the fewest injected segments, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortest: Option<Scenario>,
}

impl Case {
    /// Reads a stored case. The error names line and column.
    pub fn parse(text: &str) -> Result<Case, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// As it is written into a file.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string_pretty(self).map_err(|_| fmt::Error)?;
        writeln!(f, "{text}")
    }
}

fn known_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let version = u32::deserialize(deserializer)?;
    if version == VERSION {
        return Ok(version);
    }
    Err(serde::de::Error::custom(format!(
        "this is a case of version {version}; this program reads version {VERSION}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::example;

    #[test]
    fn a_stored_case_is_read_back_the_same() {
        let case = example::echo().case();
        let read = Case::parse(&case.to_string());
        assert_eq!(read.ok(), Some(case));
    }

    #[test]
    fn half_a_case_is_an_error_with_its_place() {
        let text = example::echo().case().to_string();
        let error = Case::parse(&text[..text.len() / 2]).expect_err("it is cut");
        assert!(
            error.line() > 1 && error.to_string().contains("column"),
            "{error}"
        );
    }

    #[test]
    fn a_case_of_another_version_is_refused() {
        let text =
            example::echo()
                .case()
                .to_string()
                .replacen("\"version\": 1", "\"version\": 2", 1);
        let error = Case::parse(&text).expect_err("it is newer").to_string();
        assert!(
            error.contains("version 2") && error.contains("line 2"),
            "{error}"
        );
    }

    #[test]
    fn the_impact_says_how_much_it_was_here() {
        assert!(
            example::echo()
                .impact()
                .ends_with("Here the echo is 1000 ticks older than it must be.")
        );
    }
}
