//! A confirmed root: written down, and its entry in the record.

use std::io;

use ackward_oracle::{Diagnosis, Divergence, Known};
use ackward_scenario::Scenario;
use ackward_stacks::{KernelWords, StackInfo};

use super::ledger::Root;
use super::report::Entry;
use super::{Options, Told};
use crate::evidence::{self, Written};
use crate::finding::{Finding, class};
use crate::neighbourhood::Neighbour;
use crate::pursue::Pursued;

/// A confirmed root and where it is written down.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pursued: Pursued,
    written: Written,
}

impl Found {
    /// The better of what is held and what is new, with what `listen` hears of that one's scenario.
    pub(super) fn decide<W, E>(
        held: Option<Pursued>,
        new: Pursued,
        listen: impl FnOnce(&Scenario) -> Result<W, E>,
    ) -> Result<(Pursued, W), E> {
        let best = match held {
            Some(held) => held.or_better(new),
            None => new,
        };
        let words = listen(&best.most_reachable.scenario)?;
        Ok((best, words))
    }

    /// Writes the finding into its folder, over what an earlier and lesser one left there.
    pub(super) fn write(
        root: &str,
        pursued: Pursued,
        (words, neighbourhood): (Option<KernelWords>, Vec<Neighbour>),
        info: &StackInfo,
        options: &Options,
    ) -> io::Result<Found> {
        let profile = options.profile.name.as_str();
        let finding = Finding {
            neighbourhood,
            ..Finding::new(root, &pursued, words, info, profile)
        };
        let written = evidence::write_finding(&finding, &options.out)?;
        Ok(Found { pursued, written })
    }

    /// A line about it.
    pub(super) fn line(&self, root: &str) -> Option<String> {
        let best = &self.pursued.most_reachable;
        let divergence = best.observation.divergence(root)?;
        Some(format!(
            "{root}: {} ({}), reach {}, settings {}",
            divergence.rule.id,
            class(divergence, best.without_samples),
            best.size.reach,
            best.size.settings
        ))
    }

    /// What is held.
    pub(super) fn pursued(&self) -> &Pursued {
        &self.pursued
    }

    /// The entry in the record, and what a terminal shows.
    pub(super) fn tell(&self, root: &str, held: &Root<Found>, known: &Known) -> Option<Told> {
        let best = &self.pursued.most_reachable;
        let divergence = best.observation.divergence(root)?;
        let known = known.contains(root);
        let class = class(divergence, best.without_samples);
        Some(Told {
            red: self.pursued.weighs(root) && !known,
            transcript: self.written.transcript.clone(),
            entry: Entry {
                root: root.to_owned(),
                rule: divergence.rule.id.to_owned(),
                diagnosis: diagnosis(divergence),
                class: class.to_string(),
                reach: best.size.reach,
                settings: best.size.settings,
                known,
                first_seen_seconds: held.first_seen.as_secs_f64(),
                first_seen_case: held.first_seen_case,
                injected_segments: best.size.segments,
                probe_segments: self.written.probe_segments,
                runs: best.rate.clone(),
                signatures: held.signatures.iter().cloned().collect(),
                path: self.written.folder.clone(),
                impact: self.written.impact.clone(),
            },
        })
    }
}

fn diagnosis(divergence: &Divergence) -> String {
    match divergence.diagnosis {
        Diagnosis::ExplainedBy(deviation) => deviation.summary.to_owned(),
        Diagnosis::Unexplained(_) => "no single known deviation explains it".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use ackward_scenario::{SegmentSpec, Step};

    use super::*;
    use crate::fake::{FakeTrial, ROOT};
    use crate::pursue::{Pursuit, pursue};

    /// What is proven where at least `least` steps show the root.
    fn proven(least: usize) -> Pursued {
        let scenario = Scenario {
            steps: vec![Step::Segment(SegmentSpec::default()); least],
            ..Scenario::default()
        };
        let mut trial = FakeTrial::new(|scenario: &Scenario| scenario.steps.len() >= least);
        match pursue(&mut trial, &scenario, ROOT, 0) {
            Ok(Pursuit::Holds(pursued)) => *pursued,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_kernel_is_heard_on_the_scenario_that_is_written_down() {
        let steps = |scenario: &Scenario| Ok::<_, Infallible>(scenario.steps.len());
        for (held, new) in [(2, 5), (5, 2)] {
            let Ok((best, heard)) = Found::decide(Some(proven(held)), proven(new), steps);
            assert_eq!((best.most_reachable.scenario.steps.len(), heard), (2, 2));
        }
    }
}
