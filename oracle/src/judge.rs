//! Judges a trace: is every event allowed, and if not, what single cause explains it.
//! RFC 9293 section 3.10.7 and RFC 7323, through the reference.

mod feature;
mod run;

use ackward_model::{Latitude, Trace};

use crate::rule::Deviation;
use crate::rules;
use crate::verdict::{Diagnosis, Divergence, Verdict};
use crate::{Coverage, NoCoverage, Profile};
use run::{Broken, Run};

/// An answer counts as missing after this many microseconds without one.
pub const PATIENCE: u64 = 600_000;

/// At most this many causes are told apart in one trace.
const MOST_CAUSES: usize = 4;

/// Judges traces of one stack. Keeps its working memory from trace to trace.
#[derive(Debug)]
pub struct Judge {
    permitted: Vec<&'static Deviation>,
    latitude: Latitude,
    run: Run,
    suspicion: Option<usize>,
}

impl Judge {
    /// A judge under `profile`.
    pub fn new(profile: &Profile) -> Judge {
        let permitted: Vec<_> = profile.deviations().collect();
        Judge {
            latitude: latitude(&permitted),
            permitted,
            run: Run::default(),
            suspicion: None,
        }
    }

    /// The verdict on `trace`. Features of it are reported to `coverage`.
    pub fn judge(&mut self, trace: &Trace, coverage: &mut dyn Coverage) -> Verdict {
        self.suspicion = None;
        if trace.memory_drops {
            return Verdict::Inconclusive("the stack dropped segments for lack of memory");
        }
        let broken = self.run.over(trace, &self.latitude, coverage);
        self.suspicion = self.run.suspicion();
        match broken {
            Ok(()) => Verdict::Conforms,
            Err(Broken::Overflow) => Verdict::Inconclusive("too many hypotheses"),
            Err(broken @ Broken::At { .. }) => self.diagnose(trace, broken),
        }
    }

    /// The trace entry of an injected segment that was owed an answer which had not come when the case went on, in the
    /// trace judged last. The same case cut off after that segment and left alone for [`PATIENCE`] can be judged.
    pub fn suspects_silence(&self) -> Option<usize> {
        self.suspicion
    }

    /// Finds the deviations under which the whole trace becomes possible: one where one does it, else those that each
    /// carry it past the event at which it stood, in their fixed order.
    fn diagnose(&mut self, trace: &Trace, first: Broken) -> Verdict {
        let mut causes: Vec<Divergence> = Vec::new();
        let mut enabled = self.permitted.clone();
        let mut broken = first;
        while causes.len() < MOST_CAUSES {
            let Broken::At { entry, .. } = &broken else {
                break;
            };
            let entry = *entry;
            match self.cause(trace, &enabled, entry) {
                Some((deviation, rest)) => {
                    causes.push(broken.into_divergence(trace, Diagnosis::ExplainedBy(deviation)));
                    enabled.push(deviation);
                    match rest {
                        Ok(()) => return Verdict::Diverges(causes),
                        Err(next) => broken = next,
                    }
                }
                None => {
                    let card = broken.card();
                    causes.push(broken.into_divergence(trace, Diagnosis::Unexplained(card)));
                    return Verdict::Diverges(causes);
                }
            }
        }
        if causes.is_empty() {
            return Verdict::Inconclusive("too many hypotheses");
        }
        Verdict::Diverges(causes)
    }

    /// The first deviation that makes the whole trace possible, else the first that carries it furthest past `entry`.
    fn cause(
        &mut self,
        trace: &Trace,
        enabled: &[&'static Deviation],
        entry: usize,
    ) -> Option<(&'static Deviation, Result<(), Broken>)> {
        let mut furthest: Option<(&'static Deviation, usize, Broken)> = None;
        for deviation in rules::deviations() {
            if enabled.iter().any(|known| known.name == deviation.name) {
                continue;
            }
            let mut latitude = latitude(enabled);
            deviation
                .hooks
                .iter()
                .for_each(|hook| latitude.allow(*hook));
            match self.run.over(trace, &latitude, &mut NoCoverage) {
                Ok(()) => return Some((deviation, Ok(()))),
                Err(broken) => {
                    let reached = broken.entry();
                    let best = furthest.as_ref().map_or(entry, |(_, reached, _)| *reached);
                    if reached > best {
                        furthest = Some((deviation, reached, broken));
                    }
                }
            }
        }
        furthest.map(|(deviation, _, broken)| (deviation, Err(broken)))
    }
}

fn latitude(deviations: &[&'static Deviation]) -> Latitude {
    let mut latitude = Latitude::default();
    for hook in deviations.iter().flat_map(|deviation| deviation.hooks) {
        latitude.allow(*hook);
    }
    latitude
}
