//! A campaign: many cases against one stack, what they found, and a record of it.

mod found;
mod ledger;
mod report;
pub(crate) mod source;
mod worker;

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ackward_oracle::{Class, Known, Profile};
use ackward_scenario::{Family, Mode};
use ackward_stacks::{Stack, StackError};
use thiserror::Error;

pub use report::{Entry, Report};
pub use source::HASHED_PLANS;

use crate::interrupt::Interrupt;
use ledger::Ledger;
use worker::{Shared, Tally};

/// How to search.
#[derive(Clone, Debug)]
pub struct Options {
    /// The stack, and how to reach it.
    pub stack: Stack,
    /// What the stack is permitted.
    pub profile: Profile,
    /// Address family of all cases.
    pub family: Family,
    /// What to try.
    pub mode: Mode,
    /// Where the generator starts.
    pub seed: u64,
    /// When to stop.
    pub limit: Limit,
    /// Threads, each with a namespace of its own.
    pub jobs: u16,
    /// Roots that are known already.
    pub known: Known,
    /// Where cases that met something new are kept.
    pub corpus: Corpus,
    /// The folder for findings and `campaign.json`; it must be there and writable.
    pub out: PathBuf,
}

/// When a campaign stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// After this time. What was found by then is still confirmed and shrunk.
    Time(Duration),
    /// After this many cases.
    Cases(u64),
}

/// Where cases that met something new are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Corpus {
    /// Nowhere: the seed alone decides what is tried, and in which order.
    None,
    /// In memory, for this campaign.
    Memory,
    /// In this folder, from campaign to campaign.
    Folder(PathBuf),
}

/// What a campaign tells while it runs.
#[derive(Clone, Debug)]
pub enum News {
    /// The stack answers.
    Begun {
        /// Its name and version.
        stack: String,
        /// The link to it.
        link: String,
    },
    /// Something that the user should know, once.
    Notice(String),
    /// A root was confirmed, or a better scenario for it: a line about it.
    Found(String),
    /// How it goes; four times a second.
    Standings(Standings),
}

/// How a campaign goes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Standings {
    /// Since its start.
    pub elapsed: Duration,
    /// Spent on the cases, not on confirming and shrinking; the mean of all jobs.
    pub hunting: Duration,
    /// Cases run.
    pub cases: u64,
    /// Segments in them, both ways.
    pub segments: u64,
    /// Features met.
    pub features: u64,
    /// Roots held.
    pub findings: usize,
}

/// What a campaign ended with.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The record, as written to `campaign.json`.
    pub report: Report,
    /// The findings, in the order of the record.
    pub findings: Vec<Told>,
    /// Divergences that did not appear again when confirmed.
    pub dropped: u64,
}

/// A finding, ready to be told.
#[derive(Clone, Debug)]
pub struct Told {
    /// Its entry in the record.
    pub entry: Entry,
    /// What happened, for a terminal.
    pub transcript: String,
    /// Whether it makes a campaign red: stable, no matter of quality, and not known.
    pub red: bool,
}

/// Why a campaign could not run, or not to its end.
#[derive(Debug, Error)]
pub enum CampaignError {
    /// The stack cannot be set up or driven.
    #[error(transparent)]
    Stack(#[from] StackError),
    /// What was found cannot be written down.
    #[error("cannot write what was found: {0}")]
    Evidence(#[from] io::Error),
    /// A file in the corpus is no seed.
    #[error("{}: {reason}", path.display())]
    Seed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// Searches until the limit or until `interrupt` asks, and writes the record. Cases under way are finished.
pub fn run(
    options: &Options,
    interrupt: &Interrupt,
    tell: &mut dyn FnMut(News),
) -> Result<Outcome, CampaignError> {
    let seeds = source::load(&options.corpus)?;
    // Namespaces first, threads after: a user namespace takes in a process of one thread only.
    options.stack.prepare()?;
    let shared = Shared::new(options, interrupt.clone(), seeds);
    let (sender, receiver) = mpsc::channel();
    let ended: Vec<Result<Tally, CampaignError>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs)
            .map(|job| {
                let (shared, news) = (&shared, sender.clone());
                scope.spawn(move || worker::hunt(shared, job, &news))
            })
            .collect();
        drop(sender);
        relay(&shared, &receiver, tell);
        workers
            .into_iter()
            .map(|worker| {
                worker
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    });
    finish(&shared, ended)
}

/// Writes the record. A job that failed ends the campaign with its error, but does not lose what was found by then.
fn finish(
    shared: &Shared<'_>,
    ended: Vec<Result<Tally, CampaignError>>,
) -> Result<Outcome, CampaignError> {
    let mut failure = None;
    let mut tallies = Vec::new();
    for job in ended {
        match job {
            Ok(tally) => tallies.push(tally),
            // The first to fail asked the others to stop.
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    let outcome = conclude(shared, &tallies);
    let begun = failure.is_none() || outcome.report.cases > 0;
    let written = begun.then(|| outcome.report.write(&shared.options.out));
    if let Some(failure) = failure {
        return Err(failure);
    }
    written.transpose()?;
    Ok(outcome)
}

/// Passes on what workers tell, and standings between, until the last worker is done.
fn relay(shared: &Shared<'_>, news: &mpsc::Receiver<News>, tell: &mut dyn FnMut(News)) {
    loop {
        match news.recv_timeout(BETWEEN_STANDINGS) {
            Ok(news) => tell(news),
            Err(RecvTimeoutError::Timeout) => tell(News::Standings(shared.standings())),
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

fn conclude(shared: &Shared<'_>, tallies: &[Tally]) -> Outcome {
    let options = shared.options;
    let standings = shared.standings();
    let ledger = shared.ledger();
    let mut findings: Vec<Told> = ledger
        .held()
        .filter_map(|(root, held, found)| found.tell(root, held, &options.known))
        .collect();
    findings.sort_by(|a, b| weight(&a.entry).cmp(&weight(&b.entry)));
    let info = shared.info.get();
    let (stack, stack_version, link) = info.map_or_else(Default::default, |info| {
        let link = info
            .link
            .map_or_else(|| "no link".to_owned(), |link| link.to_string());
        (info.name.to_owned(), info.version.clone(), link)
    });
    let report = Report {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        stack,
        stack_version,
        link,
        family: options.family.to_string(),
        seed: options.seed,
        seconds: standings.elapsed.as_secs_f64(),
        cases: standings.cases,
        segments: standings.segments,
        cases_per_second: standings.cases_per_second(),
        inconclusive: tallies.iter().map(|tally| tally.inconclusive).sum(),
        scenarios_hash: format!("{:016x}", source::combine(tallies.iter().map(|t| t.hash))),
        never_alone: ledger.never_alone().cloned().collect(),
        findings: findings.iter().map(|told| told.entry.clone()).collect(),
    };
    Outcome {
        report,
        findings,
        dropped: ledger.dropped,
    }
}

/// The weightiest first: violations before quality, the network before a peer, defaults before extremes.
fn weight(entry: &Entry) -> (usize, ackward_oracle::Reach, crate::Settings, &str) {
    let class = [Class::Violation, Class::Interop, Class::Quality]
        .iter()
        .position(|class| class.to_string() == entry.class);
    (
        class.unwrap_or(usize::MAX),
        entry.reach,
        entry.settings,
        &entry.root,
    )
}

impl Outcome {
    /// Whether the stack diverges in a way that is not known.
    pub fn red(&self) -> bool {
        self.findings.iter().any(|told| told.red)
    }
}

impl Standings {
    /// Cases a second of hunting.
    pub fn cases_per_second(&self) -> f64 {
        self.per_second(self.cases)
    }

    /// Segments a second of hunting, both ways.
    pub fn segments_per_second(&self) -> f64 {
        self.per_second(self.segments)
    }

    fn per_second(&self, count: u64) -> f64 {
        let seconds = self.hunting.as_secs_f64();
        if seconds > 0.0 {
            count as f64 / seconds
        } else {
            0.0
        }
    }
}

const BETWEEN_STANDINGS: Duration = Duration::from_millis(250);

#[cfg(test)]
mod tests;
