//! One job of a campaign: generate, drive, judge, count; and follow up what diverges.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;

use ackward_model::{Event, Micros, Trace};
use ackward_oracle::{Divergence, Verdict, reach};
use ackward_scenario::{Conversation, Plan, Scenario};
use ackward_stacks::{Clock, StackInfo};

use super::found::Found;
use super::ledger::Headline;
use super::source::Source;
use super::*;
use crate::Settings;
use crate::features::Features;
use crate::live::Live;
use crate::neighbourhood;
use crate::pursue::{Pursuit, pursue};
use crate::trial::{Conditions, SILENCE, Trial};

/// What the jobs of a campaign share.
pub(super) struct Shared<'a> {
    pub(super) options: &'a Options,
    interrupt: Interrupt,
    pub(super) seeds: Vec<Plan>,
    /// What the first job to reach the stack heard of it.
    pub(super) info: OnceLock<StackInfo>,
    began: Instant,
    pub(super) cases: AtomicU64,
    segments: AtomicU64,
    features: AtomicU64,
    /// Nanoseconds that the jobs spent on cases.
    hunting: AtomicU64,
    ledger: Mutex<Ledger<Found>>,
}

/// What one job counted.
pub(super) struct Tally {
    pub(super) inconclusive: u64,
    pub(super) hash: u64,
}

impl<'a> Shared<'a> {
    pub(super) fn new(options: &'a Options, interrupt: Interrupt, seeds: Vec<Plan>) -> Shared<'a> {
        Shared {
            options,
            interrupt,
            seeds,
            info: OnceLock::new(),
            began: Instant::now(),
            cases: AtomicU64::new(0),
            segments: AtomicU64::new(0),
            features: AtomicU64::new(0),
            hunting: AtomicU64::new(0),
            ledger: Mutex::new(Ledger::new()),
        }
    }

    /// The roots held. A job that panicked takes the campaign down with it, so what it left locked is never read.
    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger<Found>> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn standings(&self) -> Standings {
        Standings {
            elapsed: self.began.elapsed(),
            hunting: Duration::from_nanos(self.hunting.load(Ordering::Relaxed))
                / u32::from(self.options.jobs),
            cases: self.cases.load(Ordering::Relaxed),
            segments: self.segments.load(Ordering::Relaxed),
            features: self.features.load(Ordering::Relaxed),
            findings: self.ledger().held().count(),
        }
    }
}

/// Searches as job `job` until the limit is reached or somebody asks to stop.
pub(super) fn hunt(
    shared: &Shared<'_>,
    job: u16,
    news: &Sender<News>,
) -> Result<Tally, CampaignError> {
    let tally = Worker::new(shared, job, news).and_then(Worker::run);
    if tally.is_err() {
        // The campaign has failed, so the other jobs need not go on.
        shared.interrupt.ask();
    }
    tally
}

struct Worker<'a> {
    shared: &'a Shared<'a>,
    news: &'a Sender<News>,
    live: Live,
    source: Source,
    features: Features,
    /// Cases that this job may run.
    share: u64,
    cases: u64,
    inconclusive: u64,
    /// When the last case was over, or what came between it and the next.
    lap: Instant,
    /// Time spent on waiting for answers that seemed to be missing.
    waited: Duration,
    /// Roots that show as a silence, each with a scenario. They take seconds to confirm, so the hunt goes first.
    silences: BTreeMap<String, Scenario>,
}

impl<'a> Worker<'a> {
    fn new(
        shared: &'a Shared<'a>,
        job: u16,
        news: &'a Sender<News>,
    ) -> Result<Worker<'a>, CampaignError> {
        let options = shared.options;
        let mut live = Live::new(options.stack.open()?, &options.profile);
        let info = shared.info.get_or_init(|| live.host().info().clone());
        if job == 0 {
            let link = info
                .link
                .map_or_else(|| "no link".to_owned(), |link| link.to_string());
            tell(
                news,
                News::Begun {
                    stack: format!("{} {}", info.name, info.version),
                    link,
                },
            );
        }
        Ok(Worker {
            shared,
            news,
            live,
            source: Source::new(options, job, &shared.seeds),
            features: Features::new(),
            share: share(options, job),
            cases: 0,
            inconclusive: 0,
            lap: Instant::now(),
            waited: Duration::ZERO,
            silences: BTreeMap::new(),
        })
    }

    fn run(mut self) -> Result<Tally, CampaignError> {
        self.lap = Instant::now();
        while self.goes_on() {
            let met = self.features.count();
            let plan = self.source.next_plan();
            let mut conversation = Conversation::new(&plan);
            let judged = match self.live.hunt(&mut conversation, &mut self.features) {
                Ok(Verdict::Conforms) => {
                    self.count();
                    if let Some(cut) = self.live.suspects_silence() {
                        self.look_for_a_silence(&plan, cut)?;
                    }
                    true
                }
                Ok(Verdict::Diverges(divergences)) => {
                    self.count();
                    self.follow(&plan, &divergences, 0)?;
                    true
                }
                Ok(Verdict::Inconclusive(_)) | Err(StackError::Unsupported(_)) => {
                    self.count();
                    self.inconclusive += 1;
                    false
                }
                Err(error) => return Err(error.into()),
            };
            let new = self.features.count() - met;
            if new > 0 {
                self.shared
                    .features
                    .fetch_add(u64::from(new), Ordering::Relaxed);
                // What grows from a plan without a verdict would have none either.
                if judged {
                    self.source.keep(plan)?;
                }
            }
        }
        self.confirm_silences()?;
        Ok(Tally {
            inconclusive: self.inconclusive,
            hash: self.source.hash(),
        })
    }

    fn goes_on(&self) -> bool {
        let within = match self.shared.options.limit {
            Limit::Time(time) => self.shared.began.elapsed() + self.reserved(time) < time,
            Limit::Cases(_) => self.cases < self.share,
        };
        within && !self.shared.interrupt.asked()
    }

    /// How much of a campaign of this `time` is kept for the silences that are to be confirmed: a quarter of it at most,
    /// and none where that is not enough for one.
    fn reserved(&self, time: Duration) -> Duration {
        let wanted = A_SILENCE * self.silences.len() as u32;
        let kept = wanted.min(time / 4);
        if kept + OVERRUN < A_SILENCE {
            return Duration::ZERO;
        }
        kept
    }

    fn count(&mut self) {
        self.cases += 1;
        let lap = std::mem::replace(&mut self.lap, Instant::now());
        let took = self.lap.duration_since(lap).as_nanos() as u64;
        self.shared.hunting.fetch_add(took, Ordering::Relaxed);
        self.shared.cases.fetch_add(1, Ordering::Relaxed);
        let segments = segments(self.live.trace());
        self.shared.segments.fetch_add(segments, Ordering::Relaxed);
        if self.cases.is_multiple_of(CASES_A_NOTICE)
            && let Some(notice) = self.live.host().notice()
        {
            tell(self.news, News::Notice(notice));
        }
    }

    /// Runs the first `cut` steps of the last case again with a wait at the end, as long as waiting takes no more than a
    /// tenth of the time.
    fn look_for_a_silence(&mut self, plan: &Plan, cut: usize) -> Result<(), CampaignError> {
        let dear =
            (self.waited + Duration::from_micros(SILENCE)) * 10 > self.shared.began.elapsed();
        if dear && self.waiting_takes_time() {
            return Ok(());
        }
        let mut scenario = self.last_scenario(plan);
        scenario.steps.truncate(cut);
        let began = Instant::now();
        let patient = Conditions {
            patience: SILENCE,
            sample: false,
            fresh: false,
        };
        let verdict = self.live.run(&scenario, patient)?.verdict;
        self.waited += began.elapsed();
        self.lap = Instant::now();
        match verdict {
            Verdict::Diverges(divergences) => self.follow(plan, &divergences, SILENCE),
            Verdict::Conforms | Verdict::Inconclusive(_) => Ok(()),
        }
    }

    /// Takes down what the last case showed, and works on what is new in it.
    fn follow(
        &mut self,
        plan: &Plan,
        divergences: &[Divergence],
        patience: Micros,
    ) -> Result<(), CampaignError> {
        let at = self.shared.began.elapsed();
        let trace = self.live.trace();
        let headline = || {
            let settings = Settings::of(&self.last_scenario(plan));
            Headline(reach(trace), settings, plan.setup.open)
        };
        let mut roots: Vec<String> = Vec::new();
        let mut ledger = self.shared.ledger();
        for divergence in divergences {
            let root = divergence.root();
            if ledger.appears(&root, divergence.signature(), headline, at, self.cases - 1) {
                roots.push(root);
            }
        }
        drop(ledger);
        if roots.is_empty() {
            return Ok(());
        }
        let scenario = self.last_scenario(plan);
        for root in roots {
            if patience > 0 && self.waiting_takes_time() {
                self.silences
                    .entry(root)
                    .or_insert_with(|| scenario.clone());
            } else if self.overrun() > OVERRUN / 4 {
                self.leave(&root);
            } else {
                self.work_on(&root, &scenario, patience)?;
            }
        }
        self.lap = Instant::now();
        Ok(())
    }

    /// Whether the stack lives in the machine's time, so that answers are waited for in earnest.
    fn waiting_takes_time(&mut self) -> bool {
        self.live.host().info().clock == Clock::Real
    }

    /// How long the campaign has gone on after its time was over.
    fn overrun(&self) -> Duration {
        match self.shared.options.limit {
            Limit::Time(time) => self.shared.began.elapsed().saturating_sub(time),
            Limit::Cases(_) => Duration::ZERO,
        }
    }

    fn leave(&self, root: &str) {
        let notice = format!("seen once, and not confirmed for want of time: {root}");
        tell(self.news, News::Notice(notice));
    }

    /// Confirms what showed as a silence, as far as there is time.
    fn confirm_silences(&mut self) -> Result<(), CampaignError> {
        let now = self.shared.began.elapsed();
        let until = match self.shared.options.limit {
            Limit::Time(time) => time + OVERRUN,
            Limit::Cases(_) => now + (now / 10).max(A_SILENCE),
        };
        for (root, scenario) in std::mem::take(&mut self.silences) {
            if self.shared.ledger().finding(&root).is_some() {
                continue;
            }
            let in_time = self.shared.began.elapsed() + A_SILENCE <= until;
            if in_time && !self.shared.interrupt.asked() {
                self.work_on(&root, &scenario, SILENCE)?;
            } else {
                self.leave(&root);
            }
        }
        Ok(())
    }

    /// Confirms, shrinks and writes down.
    fn work_on(
        &mut self,
        root: &str,
        scenario: &Scenario,
        patience: Micros,
    ) -> Result<(), CampaignError> {
        let new = match pursue(&mut self.live, scenario, root, patience)? {
            Pursuit::Holds(new) => *new,
            Pursuit::Dropped => {
                self.shared.ledger().dropped += 1;
                return Ok(());
            }
            Pursuit::NeverAlone => {
                if self.shared.ledger().never_alone.insert(root.to_owned()) {
                    let notice = format!("always seen with another, and so not reported: {root}");
                    tell(self.news, News::Notice(notice));
                }
                return Ok(());
            }
        };
        let mut ledger = self.shared.ledger();
        let held = ledger.finding(root).map(|found| found.pursued().clone());
        let before = held.as_ref().map(|held| held.most_reachable.size);
        let (pursued, words) = Found::decide(held, new, |best| self.live.words_on(best))?;
        let family = self.shared.options.family;
        let neighbourhood = neighbourhood::examine(&mut self.live, root, family)?;
        let found = Found::write(
            root,
            pursued,
            (words, neighbourhood),
            self.live.host().info(),
            self.shared.options,
        )?;
        let size = found.pursued().most_reachable.size;
        let headline = Headline::of(&size);
        let line = match before {
            None => found.line(root).map(|line| format!("found {line}")),
            Some(before) if before == size => None,
            Some(_) => found
                .line(root)
                .map(|line| format!("better scenario for {line}")),
        };
        ledger.hold(root, found, headline);
        drop(ledger);
        if let Some(line) = line {
            tell(self.news, News::Found(line));
        }
        Ok(())
    }

    fn last_scenario(&self, plan: &Plan) -> Scenario {
        Scenario {
            setup: plan.setup.clone(),
            steps: self.live.taken().to_vec(),
        }
    }
}

/// How many of a limited number of cases fall to job `job`.
fn share(options: &Options, job: u16) -> u64 {
    let Limit::Cases(cases) = options.limit else {
        return u64::MAX;
    };
    let (jobs, job) = (u64::from(options.jobs), u64::from(job));
    cases / jobs + u64::from(job < cases % jobs)
}

fn segments(trace: &Trace) -> u64 {
    let segment = |event: &Event| matches!(event, Event::In(..) | Event::Out(_));
    trace
        .entries
        .iter()
        .filter(|entry| segment(&entry.event))
        .count() as u64
}

/// Nobody listens any more only when the campaign is being torn down.
fn tell(news: &Sender<News>, what: News) {
    let _ = news.send(what);
}

/// What confirming a silence takes at most: shrinking it, then ten runs that wait for it.
const A_SILENCE: Duration = Duration::from_millis(11_500);
/// A campaign may end so much later than asked for.
const OVERRUN: Duration = Duration::from_secs(4);
const CASES_A_NOTICE: u64 = 256;
