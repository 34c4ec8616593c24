//! Judges a trace: is every event allowed, and if not, what single cause explains it.
//! RFC 9293 section 3.10.7 and RFC 7323, through the reference.

mod feature;
mod run;
mod silence;

use ackward_model::{Latitude, Trace};

use crate::rule::Deviation;
use crate::rules;
use crate::verdict::{Diagnosis, Divergence, Verdict};
use crate::{Coverage, Known, NoCoverage, Profile};
use run::{Broken, Run};

/// An answer counts as missing after this many microseconds without one.
pub const PATIENCE: u64 = 600_000;

/// Why a trace with too many ways to read it has no verdict.
const OVERFLOW: &str = "too many hypotheses";

/// At most this many causes are told apart in one trace.
const MOST_CAUSES: usize = 5;

/// Judges traces of one stack. Keeps its working memory from trace to trace.
#[derive(Debug)]
pub struct Judge {
    permitted: Vec<&'static Deviation>,
    known: Vec<&'static Deviation>,
    latitude: Latitude,
    run: Run,
    suspicion: Option<usize>,
    /// A deviation carried the trace judged last on to where there were too many hypotheses.
    overflowed: bool,
}

impl Judge {
    /// A judge under `profile`.
    pub fn new(profile: &Profile) -> Judge {
        let permitted: Vec<_> = profile.deviations().collect();
        Judge {
            latitude: latitude(&permitted),
            permitted,
            known: Vec::new(),
            run: Run::default(),
            suspicion: None,
            overflowed: false,
        }
    }

    /// Knowing some causes beforehand: where these explain a trace, together if need be, no new one is believed.
    pub fn knowing(mut self, known: &Known) -> Judge {
        let roots = known.root.iter();
        self.known = roots
            .filter_map(|root| rules::deviation(&root.name))
            .collect();
        self
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
            Err(Broken::Overflow { .. }) => Verdict::Inconclusive(OVERFLOW),
            Err(broken @ Broken::At { .. }) => self.diagnose(trace, broken),
        }
    }

    /// The trace entry of an injected segment that was owed an answer which had not come when the case went on, in the
    /// trace judged last. The same case cut off after that segment and left alone for [`PATIENCE`] can be judged.
    pub fn suspects_silence(&self) -> Option<usize> {
        self.suspicion
    }

    /// Finds the deviations under which the whole trace becomes possible, among the known ones first: a single one, else
    /// the first chain in which each carries it past the event where it stood.
    fn diagnose(&mut self, trace: &Trace, first: Broken) -> Verdict {
        let mut enabled = self.permitted.clone();
        let mut causes = Vec::new();
        self.overflowed = false;
        let explained = [self.known.clone(), rules::deviations().collect()]
            .iter()
            .any(|suspects| {
                self.explain(trace, &first, suspects, &mut enabled, &mut causes)
                    || self.explain_by_pair(trace, &first, suspects, &mut causes)
            });
        if !explained && self.overflowed {
            return Verdict::Inconclusive(OVERFLOW);
        }
        if !explained {
            // Not all of it can be explained: the known causes that carry it furthest, then the event that is left.
            // What a new one would only carry further it does not explain.
            enabled.clone_from(&self.permitted);
            causes.clear();
            self.follow_known(trace, first, &mut enabled, &mut causes);
        }
        Verdict::Diverges(causes)
    }

    /// Depth first over the deviations that carry the trace past `broken`. `true` if a chain explains all of it; then
    /// `causes` holds it in order of appearance.
    fn explain(
        &mut self,
        trace: &Trace,
        broken: &Broken,
        suspects: &[&'static Deviation],
        enabled: &mut Vec<&'static Deviation>,
        causes: &mut Vec<Divergence>,
    ) -> bool {
        let advancing = self.advancing(trace, broken, suspects, enabled);
        if let Some(Advance { deviation, .. }) = advancing.iter().find(|advance| advance.explains())
        {
            causes.push(broken.divergence(Diagnosis::ExplainedBy(deviation)));
            return true;
        }
        if causes.len() + 1 == MOST_CAUSES {
            return false;
        }
        for Advance {
            deviation, rest, ..
        } in advancing
        {
            let Err(next @ Broken::At { .. }) = rest else {
                continue;
            };
            enabled.push(deviation);
            causes.push(broken.divergence(Diagnosis::ExplainedBy(deviation)));
            if self.explain(trace, &next, suspects, enabled, causes) {
                return true;
            }
            causes.pop();
            enabled.pop();
        }
        false
    }

    /// Two causes that show in one event only together, so that neither carries the trace past it alone.
    fn explain_by_pair(
        &mut self,
        trace: &Trace,
        broken: &Broken,
        suspects: &[&'static Deviation],
        causes: &mut Vec<Divergence>,
    ) -> bool {
        let candidates: Vec<_> = suspects
            .iter()
            .filter(|deviation| broken.may_be_caused_by(deviation))
            .collect();
        for (index, one) in candidates.iter().enumerate() {
            for other in &candidates[index + 1..] {
                let mut latitude = latitude(&self.permitted);
                let hooks = one.hooks.iter().chain(other.hooks);
                hooks.for_each(|hook| latitude.allow(*hook));
                let rest = self.run.over(trace, &latitude, &mut NoCoverage);
                self.overflowed |= matches!(rest, Err(Broken::Overflow { .. }));
                let contradicted = self.run.contradicted_at();
                if rest.is_ok() && contradicted.is_none_or(|entry| entry > broken.progress().0) {
                    causes.clear();
                    causes.extend(
                        [one, other]
                            .map(|deviation| broken.divergence(Diagnosis::ExplainedBy(deviation))),
                    );
                    return true;
                }
            }
        }
        false
    }

    fn follow_known(
        &mut self,
        trace: &Trace,
        mut broken: Broken,
        enabled: &mut Vec<&'static Deviation>,
        causes: &mut Vec<Divergence>,
    ) {
        let suspects = self.known.clone();
        while causes.len() < MOST_CAUSES {
            let furthest = self
                .advancing(trace, &broken, &suspects, enabled)
                .into_iter()
                .filter_map(|advance| match advance.rest {
                    Err(next @ Broken::At { .. }) => Some((advance.deviation, next)),
                    _ => None,
                })
                .reduce(|best, other| {
                    if other.1.progress() > best.1.progress() {
                        other
                    } else {
                        best
                    }
                });
            let Some((deviation, next)) = furthest else {
                break;
            };
            causes.push(broken.divergence(Diagnosis::ExplainedBy(deviation)));
            enabled.push(deviation);
            broken = next;
        }
        let card = broken.card();
        causes.push(broken.divergence(Diagnosis::Unexplained(card)));
    }

    /// The deviations that carry the trace past `broken`, in their fixed order, with what stops it then; those that do
    /// not carry it past the event itself come last.
    fn advancing(
        &mut self,
        trace: &Trace,
        broken: &Broken,
        suspects: &[&'static Deviation],
        enabled: &[&'static Deviation],
    ) -> Vec<Advance> {
        let mut advancing = Vec::new();
        for &deviation in suspects {
            let permitted = enabled.iter().any(|enabled| enabled.name == deviation.name);
            if permitted || !broken.may_be_caused_by(deviation) {
                continue;
            }
            let mut latitude = latitude(enabled);
            deviation
                .hooks
                .iter()
                .for_each(|hook| latitude.allow(*hook));
            let rest = self.run.over(trace, &latitude, &mut NoCoverage);
            let further = match &rest {
                Ok(()) => true,
                Err(next) => next.progress() > broken.progress(),
            };
            if further {
                self.overflowed |= matches!(rest, Err(Broken::Overflow { .. }));
                let contradicted = self.run.contradicted_at();
                let known = self.known.iter().any(|known| known.name == deviation.name);
                advancing.push(Advance {
                    deviation,
                    rest,
                    known,
                    judged: known || contradicted.is_none_or(|entry| entry > broken.progress().0),
                });
            }
        }
        // What only gets further within the same event is tried last.
        advancing.sort_by_key(|advance| match &advance.rest {
            Ok(()) => false,
            Err(next) => next.progress().0 == broken.progress().0,
        });
        advancing
    }
}

/// A deviation that carries a trace further.
struct Advance {
    deviation: &'static Deviation,
    /// What stops the trace then.
    rest: Result<(), Broken>,
    /// It is on the list of the known ones.
    known: bool,
    /// The event that was not possible before is judged, not only left unsaid because the peer contradicted itself; what
    /// a known deviation leaves unsaid is no ground to believe in a new one.
    judged: bool,
}

impl Advance {
    /// Whether the whole trace is possible. A deviation that only makes the peer contradict itself explains nothing; a
    /// known one explains what it leads to where nothing more can be said.
    fn explains(&self) -> bool {
        match self.rest {
            Ok(()) => self.judged,
            Err(Broken::Overflow { .. }) => self.known,
            Err(Broken::At { .. }) => false,
        }
    }
}

fn latitude(deviations: &[&'static Deviation]) -> Latitude {
    let mut latitude = Latitude::default();
    for hook in deviations.iter().flat_map(|deviation| deviation.hooks) {
        latitude.allow(*hook);
    }
    latitude
}
