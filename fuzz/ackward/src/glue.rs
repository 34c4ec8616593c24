//! A libFuzzer campaign in one call a case: decode, drive, judge, and write down what is new.
//!
//! Known roots never stop it. A root that is not known is confirmed, shrunk and written down like that of any campaign.
//! What would make a campaign red then panics with its transcript, which is how libFuzzer learns of it; anything else does
//! not end the search.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ackward_oracle::{Coverage, EventKind, Known, Profile, Verdict};
use ackward_scenario::encode::decode;
use ackward_scenario::{Conversation, Scenario};
use ackward_stacks::{Host, StackError};

use crate::evidence;
use crate::finding::Finding;
use crate::live::Live;
use crate::pursue::{Pursuit, pursue};

/// One stack under libFuzzer.
pub struct Glue {
    live: Live,
    profile: String,
    known: Known,
    /// Roots that were followed and do not stop the search.
    passed: BTreeSet<String>,
    out: PathBuf,
}

impl Glue {
    /// Judges `host` under `profile`; findings go to the folder `out`.
    pub fn new(host: Box<dyn Host>, profile: &Profile, known: Known, out: &Path) -> Glue {
        Glue {
            live: Live::new(host, profile),
            profile: profile.name.clone(),
            known,
            passed: BTreeSet::new(),
            out: out.to_owned(),
        }
    }

    /// Runs the case that `octets` stand for.
    ///
    /// # Panics
    ///
    /// When it shows a root that is stable, not known and no matter of quality, with the transcript; and when the stack can no longer be driven.
    pub fn run(&mut self, octets: &[u8], coverage: &mut dyn Coverage) {
        let plan = decode(octets);
        let verdict = self.live.hunt(&mut Conversation::new(&plan), coverage);
        let divergences = match verdict {
            Ok(Verdict::Diverges(divergences)) => divergences,
            Ok(_) | Err(StackError::Unsupported(_)) => return,
            Err(error) => panic!("{error}"),
        };
        let scenario = Scenario {
            setup: plan.setup,
            steps: self.live.taken().to_vec(),
        };
        for divergence in &divergences {
            let root = divergence.root();
            if divergence.kind == EventKind::Silence
                || self.known.contains(&root)
                || self.passed.contains(&root)
            {
                continue;
            }
            match self.follow(&root, &scenario) {
                Ok(Some(transcript)) => panic!("{root}, which is not known\n\n{transcript}"),
                Ok(None) => self.passed.insert(root),
                Err(error) => panic!("{error}"),
            };
        }
    }

    /// Confirms, shrinks and writes down. Yields the transcript of what is worth stopping for.
    fn follow(&mut self, root: &str, scenario: &Scenario) -> Result<Option<String>, GlueError> {
        let Pursuit::Holds(pursued) = pursue(&mut self.live, scenario, root, 0)? else {
            return Ok(None);
        };
        let words = self.live.words_on(&pursued.most_reachable.scenario)?;
        let info = self.live.host().info().clone();
        let finding = Finding::new(root, &pursued, words, &info, &self.profile);
        std::fs::create_dir_all(&self.out)?;
        let written = evidence::write_finding(&finding, &self.out)?;
        Ok(pursued.weighs(root).then_some(written.transcript))
    }
}

/// Why a finding could not be followed up.
#[derive(Debug, thiserror::Error)]
enum GlueError {
    #[error(transparent)]
    Stack(#[from] StackError),
    #[error("cannot write what was found: {0}")]
    Evidence(#[from] std::io::Error),
}
