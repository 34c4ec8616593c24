//! Where a campaign's cases come from: the generator, and what the corpus makes of earlier ones.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ackward_scenario::encode::{StreamHash, decode, encode};
use ackward_scenario::mutate::mutate;
use ackward_scenario::{Generator, Plan};

use super::{CampaignError, Corpus, Options};
use crate::files::write_atomically;

/// Yields plans. Without a corpus the seed alone decides which, and in which order.
pub(super) struct Source {
    generator: Generator,
    seed: u64,
    /// The next place of the generator's stream. Jobs take turns on one stream.
    place: u64,
    jobs: u64,
    /// Plans that met something new; `None` when nothing is kept.
    kept: Option<Vec<Plan>>,
    folder: Option<PathBuf>,
    /// Plans yielded.
    count: u64,
    hash: StreamHash,
}

/// So many plans of each job go into the hash of a campaign's scenarios.
pub const HASHED_PLANS: u64 = 1_000;

impl Source {
    /// The plans of job `job`. `seeds` are the plans that an earlier campaign has kept.
    pub(super) fn new(options: &Options, job: u16, seeds: &[Plan]) -> Source {
        Source {
            generator: Generator::new(options.seed, options.mode, options.family),
            seed: options.seed ^ u64::from(job) << 32,
            place: u64::from(job),
            jobs: u64::from(options.jobs),
            kept: (options.corpus != Corpus::None).then(|| seeds.to_vec()),
            folder: match &options.corpus {
                Corpus::Folder(folder) => Some(folder.clone()),
                Corpus::None | Corpus::Memory => None,
            },
            count: 0,
            hash: StreamHash::new(),
        }
    }

    /// The next plan: a fresh one, or every other time a change of one that has been kept.
    pub(super) fn next_plan(&mut self) -> Plan {
        let kept = self.kept.as_deref().unwrap_or_default();
        let plan = if self.count % 2 == 1 && !kept.is_empty() {
            let luck = scatter(self.seed, self.count);
            let one = luck as usize % kept.len();
            let other = (luck >> 32) as usize % kept.len();
            mutate(&kept[one], Some(&kept[other]), luck)
        } else {
            let plan = self.generator.plan(self.place);
            self.place += self.jobs;
            plan
        };
        if self.count < HASHED_PLANS {
            self.hash.add(&plan);
        }
        self.count += 1;
        plan
    }

    /// Keeps a plan that met something new.
    pub(super) fn keep(&mut self, plan: Plan) -> io::Result<()> {
        let Some(kept) = &mut self.kept else {
            return Ok(());
        };
        if let Some(folder) = &self.folder {
            let mut name = StreamHash::new();
            name.add(&plan);
            let name = format!("{:016x}", name.value());
            write_atomically(&folder.join(name), &encode(&plan))?;
        }
        kept.push(plan);
        Ok(())
    }

    /// A hash over the plans yielded, up to the first [`HASHED_PLANS`].
    pub(super) fn hash(&self) -> u64 {
        self.hash.value()
    }
}

/// The seeds that a corpus holds.
pub(super) fn load(corpus: &Corpus) -> Result<Vec<Plan>, CampaignError> {
    let Corpus::Folder(folder) = corpus else {
        return Ok(Vec::new());
    };
    let mut paths = list(folder).map_err(|error| unusable(folder, &error.to_string()))?;
    paths.sort();
    paths.iter().map(|path| read_seed(path)).collect()
}

/// One number for the hashes of all jobs, in the order of the jobs.
pub(super) fn combine(hashes: impl IntoIterator<Item = u64>) -> u64 {
    hashes.into_iter().fold(0, scatter)
}

/// The files in `folder`, which is made where it is missing.
fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(folder)?;
    fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect()
}

fn read_seed(path: &Path) -> Result<Plan, CampaignError> {
    let octets = fs::read(path).map_err(|error| unusable(path, &error.to_string()))?;
    let plan = decode(&octets);
    // Any octets can be made a plan. Those that this version has not written would be made another one by the next.
    if encode(&plan) == octets {
        Ok(plan)
    } else {
        Err(unusable(path, "not a seed that this version has written"))
    }
}

fn unusable(path: &Path, reason: &str) -> CampaignError {
    CampaignError::Seed {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}

/// A number that looks as if chance had made it of two others (SplitMix64).
fn scatter(seed: u64, count: u64) -> u64 {
    let mut z = seed.wrapping_add(count.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
