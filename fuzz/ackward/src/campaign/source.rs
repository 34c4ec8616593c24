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
pub(crate) struct Source {
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
    pub(crate) fn new(options: &Options, job: u16, seeds: &[Plan]) -> Source {
        Source {
            generator: Generator::new(options.seed, options.mode, options.family)
                .with_waits(options.stack.waits_are_free()),
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
    pub(crate) fn next_plan(&mut self) -> Plan {
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
    pub(crate) fn keep(&mut self, plan: Plan) -> io::Result<()> {
        let Some(kept) = &mut self.kept else {
            return Ok(());
        };
        if let Some(folder) = &self.folder {
            write_atomically(&folder.join(name(&plan)), &encode(&plan))?;
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

/// The seeds in `folder`, which is made where it is missing: whatever else lies there, perhaps half written, is none.
fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(folder)?;
    let entries = fs::read_dir(folder)?;
    entries
        .map(|entry| entry.map(|entry| entry.path()))
        .filter(|path| path.as_ref().map_or(true, |path| is_name(path)))
        .collect()
}

/// The name of the file in which `plan` is kept.
fn name(plan: &Plan) -> String {
    let mut hash = StreamHash::new();
    hash.add(plan);
    format!("{:016x}", hash.value())
}

/// Whether a file is named as plans are.
fn is_name(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| {
        let digit = |octet: u8| octet.is_ascii_digit() || (b'a'..=b'f').contains(&octet);
        name.len() == 16 && name.bytes().all(digit)
    })
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

#[cfg(test)]
mod tests {
    use ackward_scenario::{Family, Mode};

    use super::*;

    #[test]
    fn what_is_not_named_as_a_seed_is_none() {
        let folder = std::env::temp_dir().join(format!("ackward-source-{}", std::process::id()));
        let plan = Generator::new(1, Mode::Both, Family::V4).plan(0);
        fs::create_dir_all(&folder).expect("a folder");
        let seed = folder.join(name(&plan));
        fs::write(&seed, encode(&plan)).expect("a file");
        fs::write(seed.with_extension("7.0.partial"), b"half").expect("a file");
        fs::write(folder.join("README"), b"What lies here").expect("a file");
        let loaded = load(&Corpus::Folder(folder.clone()));
        assert_eq!(loaded.ok(), Some(vec![plan]));
        fs::remove_dir_all(&folder).expect("it was there");
    }
}
