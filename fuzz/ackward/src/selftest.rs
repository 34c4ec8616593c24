//! Whether the oracle sees what it is for: a bug is planted, and the hunt must find it and call it by its name.
//!
//! The hunt is the campaign's own: plans from a seed, both modes, diverging cases shrunk and confirmed. Nothing of it
//! knows which bug is there.

use std::time::{Duration, Instant};

use ackward_endpoint::{Plant, PlantCard};
use ackward_oracle::{Profile, Verdict, rules};
use ackward_scenario::{Conversation, Family, Generator, Mode, Scenario};
use ackward_stacks::{Stack, StackError};
use serde::Serialize;

use crate::features::Features;
use crate::live::Live;
use crate::pursue::pursue;
use crate::trial::{Conditions, SILENCE, Trial};

/// So many cases may be spent on a bug.
pub const BUDGET: u64 = 200_000;

/// What became of one planted bug.
#[derive(Clone, Debug, Serialize)]
pub struct Examined {
    /// The bug.
    pub plant: &'static str,
    /// What it does.
    pub does: &'static str,
    /// The rule it departs from.
    pub rule: String,
    /// The root that must be named.
    pub expected: &'static str,
    /// The root that was named first, if any.
    pub named: Option<String>,
    /// Cases needed.
    pub cases: u64,
    /// Time that the hunt took; what shrinking and confirming took is not in it.
    pub seconds: f64,
    /// Injected segments of the smallest scenario.
    pub segments: Option<u32>,
}

impl Examined {
    /// Whether the bug was found and called by its name.
    pub fn is_right(&self) -> bool {
        self.named.as_deref() == Some(self.expected)
    }
}

/// Hunts for `plant` until some root is confirmed, or the budget is spent.
pub fn examine(plant: Plant, seed: u64, profile: &Profile) -> Result<Examined, StackError> {
    let stack = Stack::Mutant(Some(plant));
    let mut hunt = Hunt {
        live: Live::new(stack.open()?, profile),
        features: Features::new(),
        let_go: Vec::new(),
        aside: Duration::ZERO,
    };
    let generator = Generator::new(seed, Mode::Both, Family::V4).with_waits(stack.waits_are_free());
    let card = plant.card();
    let mut examined = Examined {
        plant: card.name,
        does: card.does,
        rule: rule_of(card),
        expected: card.diagnosis,
        named: None,
        cases: 0,
        seconds: 0.0,
        segments: None,
    };
    let began = Instant::now();
    while examined.named.is_none() && examined.cases < BUDGET {
        let plan = generator.plan(examined.cases);
        examined.cases += 1;
        if let Some((root, segments)) = hunt.case(&plan)? {
            examined.named = Some(root);
            examined.segments = Some(segments);
        }
    }
    examined.seconds = (began.elapsed() - hunt.aside).as_secs_f64();
    Ok(examined)
}

/// The rule that a plant departs from, as its diagnosis tells; empty if the oracle does not know that.
pub fn rule_of(card: &PlantCard) -> String {
    if let Some(deviation) = rules::deviation(card.diagnosis) {
        return deviation.rule.to_owned();
    }
    let unexplained = |id: &str| format!("unexplained-{}", id.replace([':', '.', '/'], "-"));
    rules::cards()
        .find(|rule| unexplained(rule.id) == card.diagnosis)
        .map(|rule| rule.id.to_owned())
        .unwrap_or_default()
}

struct Hunt {
    live: Live,
    features: Features,
    /// Roots that were followed and did not stand alone.
    let_go: Vec<String>,
    /// Time spent on following.
    aside: Duration,
}

impl Hunt {
    /// Runs one case; the root it showed that was confirmed, with the size it was shrunk to.
    fn case(&mut self, plan: &ackward_scenario::Plan) -> Result<Option<(String, u32)>, StackError> {
        let mut conversation = Conversation::new(plan);
        let mut verdict = self.live.hunt(&mut conversation, &mut self.features)?;
        let mut scenario = Scenario {
            setup: plan.setup.clone(),
            steps: self.live.taken().to_vec(),
        };
        let mut patience = 0;
        if let (Verdict::Conforms, Some(cut)) = (&verdict, self.live.suspects_silence()) {
            scenario.steps.truncate(cut);
            patience = SILENCE;
            let patient = Conditions {
                patience,
                ..Conditions::default()
            };
            verdict = self.live.run(&scenario, patient)?.verdict;
        }
        let Verdict::Diverges(divergences) = verdict else {
            return Ok(None);
        };
        let roots: Vec<String> = divergences.iter().map(|found| found.root()).collect();
        let began = Instant::now();
        let mut confirmed = None;
        for root in roots {
            // What is another root's consequence here may stand alone elsewhere, but not so often.
            if self.let_go.iter().filter(|gone| **gone == root).count() >= PERSISTENCE {
                continue;
            }
            match pursue(&mut self.live, &scenario, &root, patience)? {
                Some(pursued) => {
                    let best = pursued.shortest.unwrap_or(pursued.most_reachable);
                    confirmed = Some((root, best.size.segments));
                    break;
                }
                None => self.let_go.push(root),
            }
        }
        self.aside += began.elapsed();
        Ok(confirmed)
    }
}

/// So often a root is followed that does not stand alone.
const PERSISTENCE: usize = 3;
