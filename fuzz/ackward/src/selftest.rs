//! Whether the oracle sees what it is for: a bug is planted, and the hunt must find it and call it by its name.
//!
//! The hunt is the campaign's own: plans from a seed, both modes, diverging cases shrunk and confirmed. Nothing of it
//! knows which bug is there. One trace may be possible under several deviations, and then bears the name of the first; so
//! the name that counts is settled by the first cases that diverge: what is there explains them all.

use std::path::PathBuf;
use std::time::Instant;

use ackward_endpoint::{PLANTS, Plant, PlantCard};
use ackward_model::{Micros, Trace};
use ackward_oracle::profile::Quirk;
use ackward_oracle::{Judge, Known, NoCoverage, Profile, Verdict, rules};
use ackward_scenario::{Conversation, Family, Generator, Mode, Plan, Scenario};
use ackward_stacks::{Stack, StackError};
use serde::Serialize;

use crate::campaign::source::Source;
use crate::campaign::{Corpus, Limit, Options};
use crate::features::Features;
use crate::finding::Finding;
use crate::live::Live;
use crate::pursue::{Pursuit, pursue};
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
    /// Cases up to the first that diverged.
    pub first: u64,
    /// Cases until the cause had its name.
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

/// The first of `cases` cases that diverges, by number, with the roots that it bears. Where nothing is planted there must
/// be none.
pub fn first_divergence(
    stack: Stack,
    seed: u64,
    cases: u64,
    profile: &Profile,
) -> Result<Option<(u64, Vec<String>)>, StackError> {
    let mut live = Live::new(stack.open()?, profile);
    let mut features = Features::new();
    let plans = Generator::new(seed, Mode::Both, Family::V4).with_waits(true);
    for (case, plan) in (0..cases).zip(plans) {
        if let Some(witness) = run(&mut live, &plan, &mut features)? {
            return Ok(Some((case, witness.roots)));
        }
    }
    Ok(None)
}

/// Hunts for `plant` until enough cases diverge to name the cause, or the budget is spent.
pub fn examine(plant: Plant, seed: u64, profile: &Profile) -> Result<Examined, StackError> {
    let options = Options {
        stack: Stack::Mutant(Some(plant)),
        profile: profile.clone(),
        family: Family::V4,
        mode: Mode::Both,
        seed,
        limit: Limit::Cases(BUDGET),
        jobs: 1,
        known: Known::default(),
        corpus: Corpus::Memory,
        out: PathBuf::new(),
    };
    let mut source = Source::new(&options, 0, &[]);
    let card = plant.card();
    let mut live = Live::new(options.stack.open()?, profile);
    let mut features = Features::new();
    let mut witnesses: Vec<Witness> = Vec::new();
    let mut cases = 0;
    let mut first = 0;
    let mut last = BUDGET;
    let began = Instant::now();
    while cases < last && witnesses.len() < WITNESSES {
        let met = features.count();
        let plan = source.next_plan();
        cases += 1;
        witnesses.extend(run(&mut live, &plan, &mut features)?);
        if features.count() > met {
            // Kept in memory, which does not fail.
            let _ = source.keep(plan);
        }
        if witnesses.len() == 1 && first == 0 {
            // For a rare bug the first witnesses must do.
            first = cases;
            last = (8 * cases).clamp(PATIENCE, BUDGET);
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let named = settle(&witnesses, profile);
    let segments = match &named {
        Some(root) => smallest(&mut live, &witnesses, root)?,
        None => None,
    };
    Ok(Examined {
        plant: card.name,
        does: card.does,
        rule: rule_of(card),
        expected: card.diagnosis,
        named: named.filter(|_| segments.is_some()),
        first,
        cases,
        seconds,
        segments,
    })
}

/// A root in a conversation with a stack that has the bug, and the same conversation with one that has none.
#[derive(Clone, Debug)]
pub struct Example {
    /// The bug.
    pub plant: &'static str,
    /// What it does wrong, and where.
    pub wrong: Finding,
    /// What a right stack does with the same segments and calls.
    pub right: Trace,
}

/// An example of `root`, if there is a planted bug that shows it within [`SEARCH`] cases.
pub fn example(root: &str, profile: &Profile) -> Result<Option<Example>, StackError> {
    let Some(card) = PLANTS.iter().find(|card| card.diagnosis == root) else {
        return Ok(None);
    };
    let mut live = Live::new(Stack::Mutant(Some(card.plant)).open()?, profile);
    let mut features = Features::new();
    let plans = Generator::new(1, Mode::Both, Family::V4).with_waits(true);
    for plan in plans.take(SEARCH) {
        let witness = run(&mut live, &plan, &mut features)?;
        let Some(witness) = witness.filter(|witness| witness.bears(root)) else {
            continue;
        };
        let pursuit = pursue(&mut live, &witness.scenario, root, witness.patience)?;
        let Pursuit::Holds(pursued) = pursuit else {
            continue;
        };
        let info = live.host().info().clone();
        let wrong = Finding::new(root, &pursued, None, &info, &profile.name);
        let mut sound = Live::new(Stack::Mutant(None).open()?, profile);
        let patient = Conditions {
            patience: witness.patience,
            ..Conditions::default()
        };
        let right = sound.run(&wrong.scenario, patient)?;
        if matches!(right.verdict, Verdict::Conforms) {
            return Ok(Some(Example {
                plant: card.name,
                wrong,
                right: right.trace,
            }));
        }
    }
    Ok(None)
}

/// So many cases are searched for an example.
pub const SEARCH: usize = 20_000;

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

/// A case that diverged.
struct Witness {
    scenario: Scenario,
    patience: Micros,
    trace: Trace,
    roots: Vec<String>,
}

impl Witness {
    /// Whether the case bears this name, alone or among others.
    fn bears(&self, root: &str) -> bool {
        self.roots.iter().any(|own| own == root)
    }
}

/// Runs one case, and once more where an answer seems to be missing.
fn run(
    live: &mut Live,
    plan: &Plan,
    features: &mut Features,
) -> Result<Option<Witness>, StackError> {
    let mut verdict = live.hunt(&mut Conversation::new(plan), features)?;
    let mut scenario = Scenario {
        setup: plan.setup.clone(),
        steps: live.taken().to_vec(),
    };
    let mut patience = 0;
    if let (Verdict::Conforms, Some(cut)) = (&verdict, live.suspects_silence()) {
        scenario.steps.truncate(cut);
        patience = SILENCE;
        let patient = Conditions {
            patience,
            ..Conditions::default()
        };
        verdict = live.run(&scenario, patient)?.verdict;
    }
    let Verdict::Diverges(divergences) = verdict else {
        return Ok(None);
    };
    Ok(Some(Witness {
        scenario,
        patience,
        trace: live.trace().clone(),
        roots: divergences.iter().map(|found| found.root()).collect(),
    }))
}

/// The root that explains most of what was witnessed; of several, the one that a diagnosis tries first.
fn settle(witnesses: &[Witness], profile: &Profile) -> Option<String> {
    let deviations = rules::deviations().map(|deviation| deviation.name);
    let mut best: Option<(usize, String)> = None;
    let mut stand = |votes: usize, root: String| {
        if votes > best.as_ref().map_or(0, |(most, _)| *most) {
            best = Some((votes, root));
        }
    };
    for name in deviations.filter(|name| witnesses.iter().any(|one| one.bears(name))) {
        let mut permitting = profile.clone();
        permitting.quirk.push(Quirk {
            name: name.to_owned(),
            reason: String::new(),
        });
        let mut judge = Judge::new(&permitting);
        let mut explains =
            // What has too many branches to be followed contradicts nothing.
            |one: &&Witness| !matches!(judge.judge(&one.trace, &mut NoCoverage), Verdict::Diverges(_));
        stand(
            witnesses.iter().filter(|one| explains(one)).count(),
            name.to_owned(),
        );
    }
    let unexplained = witnesses.iter().flat_map(|one| &one.roots);
    for root in unexplained.filter(|root| root.starts_with("unexplained-")) {
        let bearing = witnesses.iter().filter(|one| one.bears(root));
        stand(bearing.count(), root.clone());
    }
    best.map(|(_, root)| root)
}

/// How few injected segments show `root`, shrunk and confirmed.
fn smallest(live: &mut Live, witnesses: &[Witness], root: &str) -> Result<Option<u32>, StackError> {
    for witness in witnesses.iter().filter(|one| one.bears(root)) {
        let pursuit = pursue(live, &witness.scenario, root, witness.patience)?;
        if let Pursuit::Holds(pursued) = pursuit {
            let best = pursued.shortest.unwrap_or(pursued.most_reachable);
            return Ok(Some(best.size.segments));
        }
    }
    Ok(None)
}

/// So many cases that diverge settle the name.
const WITNESSES: usize = 32;
/// So many cases at least are tried for further witnesses.
const PATIENCE: u64 = 20_000;
