//! A stack and a judge together: directors go in, judged traces come out.

use ackward_model::{Event, Origin, Trace};
use ackward_oracle::{Coverage, Judge, Known, NoCoverage, Profile, Verdict};
use ackward_scenario::{Director, Replay, Scenario, Step};
use ackward_stacks::{Clock, DriveOptions, Host, KernelWords, StackError, drive};

use crate::trial::{Conditions, Observation, Trial};

/// A stack with a judge beside it. Keeps its working memory from case to case.
pub struct Live {
    host: Box<dyn Host>,
    judge: Judge,
    trace: Trace,
    taken: Vec<Step>,
}

impl Live {
    /// Judges `host` under `profile`, knowing what is known of such a stack.
    pub fn new(host: Box<dyn Host>, profile: &Profile) -> Live {
        let known = Known::named(host.info().name).unwrap_or_default();
        Live {
            judge: Judge::new(profile).knowing(&known),
            host,
            trace: Trace::default(),
            taken: Vec::new(),
        }
    }

    /// Runs one case without waiting. A stack in process is asked about itself as well, for that costs nothing.
    pub fn hunt(
        &mut self,
        director: &mut dyn Director,
        coverage: &mut dyn Coverage,
    ) -> Result<Verdict, StackError> {
        let options = DriveOptions {
            sample: self.host.info().clock == Clock::Virtual,
            ..DriveOptions::default()
        };
        drive(
            &mut *self.host,
            director,
            &options,
            &mut self.trace,
            &mut self.taken,
        )?;
        Ok(self.judge.judge(&self.trace, coverage))
    }

    /// What happened in the last case.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The steps that were done in the last case.
    pub fn taken(&self) -> &[Step] {
        &self.taken
    }

    /// Where in the last case an answer was due and had not come when the case went on: after so many of its steps.
    pub fn suspects_silence(&self) -> Option<usize> {
        let entry = self.trace.entries.get(self.judge.suspects_silence()?)?;
        match entry.event {
            Event::In(_, Origin::Step(step)) => Some(step + 1),
            _ => Some(self.taken.len()),
        }
    }

    /// The stack.
    pub fn host(&mut self) -> &mut dyn Host {
        &mut *self.host
    }

    /// Runs `scenario` once more with an ear on what the stack says about each segment, where it can be heard.
    pub fn words_on(&mut self, scenario: &Scenario) -> Result<Option<KernelWords>, StackError> {
        if !self.host.listen_to_kernel(true) {
            return Ok(None);
        }
        let run = self.run(scenario, Conditions::default());
        let words = self.host.kernel_words();
        self.host.listen_to_kernel(false);
        run.map(|_| words)
    }
}

impl Trial for Live {
    type Error = StackError;

    fn run(
        &mut self,
        scenario: &Scenario,
        conditions: Conditions,
    ) -> Result<Observation, StackError> {
        if conditions.fresh {
            self.host.renew()?;
        }
        let options = DriveOptions {
            patience: conditions.patience,
            sample: conditions.sample,
            ..DriveOptions::default()
        };
        let driven = drive(
            &mut *self.host,
            &mut Replay::new(scenario),
            &options,
            &mut self.trace,
            &mut self.taken,
        );
        let verdict = match driven {
            Ok(()) => self.judge.judge(&self.trace, &mut NoCoverage),
            Err(StackError::Unsupported(_)) => {
                Verdict::Inconclusive("the stack does not take a setting of this case")
            }
            Err(error) => return Err(error),
        };
        Ok(Observation {
            trace: self.trace.clone(),
            taken: self.taken.clone(),
            suspects_silence: self.suspects_silence(),
            verdict,
        })
    }
}
