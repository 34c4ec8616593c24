//! A libFuzzer campaign in one call a case: decode, drive, judge, and write down what is new.
//!
//! Known roots never stop it. A root that is not known is confirmed, shrunk and written down like that of any campaign;
//! then the process panics with its transcript, which is how libFuzzer learns of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ackward_oracle::{Coverage, EventKind, Known, Profile, Verdict};
use ackward_scenario::encode::decode;
use ackward_scenario::{Conversation, Scenario};
use ackward_stacks::{Host, StackError};

use crate::evidence;
use crate::finding::Finding;
use crate::live::Live;
use crate::pursue::pursue;

/// One stack under libFuzzer.
pub struct Glue {
    live: Live,
    profile: String,
    known: Known,
    /// Roots that did not hold when confirmed.
    given_up: BTreeSet<String>,
    out: PathBuf,
}

impl Glue {
    /// Judges `host` under `profile`; findings go to the folder `out`.
    pub fn new(host: Box<dyn Host>, profile: &Profile, known: Known, out: &Path) -> Glue {
        Glue {
            live: Live::new(host, profile),
            profile: profile.name.clone(),
            known,
            given_up: BTreeSet::new(),
            out: out.to_owned(),
        }
    }

    /// Runs the case that `octets` stand for.
    ///
    /// # Panics
    ///
    /// When it shows a root that is not known, with the transcript; and when the stack can no longer be driven.
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
                || self.given_up.contains(&root)
            {
                continue;
            }
            match self.follow(&root, &scenario) {
                Ok(Some(transcript)) => panic!("{root}, which is not known\n\n{transcript}"),
                Ok(None) => self.given_up.insert(root),
                Err(error) => panic!("{error}"),
            };
        }
    }

    /// Confirms, shrinks and writes down. Yields the transcript.
    fn follow(&mut self, root: &str, scenario: &Scenario) -> Result<Option<String>, GlueError> {
        let Some(pursued) = pursue(&mut self.live, scenario, root, 0)? else {
            return Ok(None);
        };
        let words = self.live.words_on(&pursued.most_reachable.scenario)?;
        let info = self.live.host().info().clone();
        let finding = Finding::new(root, &pursued, words, &info, &self.profile);
        std::fs::create_dir_all(&self.out)?;
        Ok(Some(
            evidence::write_finding(&finding, &self.out)?.transcript,
        ))
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
