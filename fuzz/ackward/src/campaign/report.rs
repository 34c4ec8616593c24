//! What is recorded of a campaign: `campaign.json`.

use std::io;
use std::path::{Path, PathBuf};

use ackward_oracle::Reach;
use serde::{Deserialize, Serialize};

use crate::Settings;
use crate::files::write_atomically;

/// The record of a campaign.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Version of this program.
    pub version: String,
    /// The stack's name.
    pub stack: String,
    /// The stack's version, as it gives it.
    pub stack_version: String,
    /// The link to it.
    pub link: String,
    /// Address family: `4`, `6` or `mapped`.
    pub family: String,
    /// The seed of the generator.
    pub seed: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Cases run, those of confirming and shrinking not counted.
    pub cases: u64,
    /// Segments in those cases, both ways.
    pub segments: u64,
    /// Cases a second of hunting: the time spent on confirming and shrinking is not counted.
    pub cases_per_second: f64,
    /// Cases without a verdict.
    pub inconclusive: u64,
    /// A hash over the first [`HASHED_PLANS`](super::HASHED_PLANS) generated scenarios of each job.
    pub scenarios_hash: String,
    /// Roots that never showed without another, and so have no finding of their own.
    #[serde(default)]
    pub never_alone: Vec<String>,
    /// The findings, the weightiest first.
    pub findings: Vec<Entry>,
}

/// One root in the record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The root's name.
    pub root: String,
    /// The rule that is broken.
    pub rule: String,
    /// What the cause is, in a sentence.
    pub diagnosis: String,
    /// `violation`, `interop` or `quality`.
    pub class: String,
    /// Who can provoke it.
    pub reach: Reach,
    /// How ordinary the settings are.
    pub settings: Settings,
    /// Whether the known list has it.
    pub known: bool,
    /// Seconds from the start to its first appearance.
    pub first_seen_seconds: f64,
    /// The case of its first appearance; 0 is the first.
    pub first_seen_case: u64,
    /// Segments that the exported scenario injects, SYN and handshake ACK included.
    pub injected_segments: u32,
    /// Segments that the exported script injects beside those: probe and fence.
    pub probe_segments: u32,
    /// Runs of ten that showed it, for example `10/10`.
    pub runs: String,
    /// Where and how it showed.
    pub signatures: Vec<String>,
    /// Its folder, relative to the record.
    pub path: String,
    /// What it costs, and under which condition.
    pub impact: String,
}

impl Report {
    /// Writes `campaign.json` into `folder`, whole or not at all.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        let path = folder.join("campaign.json");
        let mut text = serde_json::to_string_pretty(self).map_err(io::Error::from)?;
        text.push('\n');
        write_atomically(&path, text.as_bytes())?;
        Ok(path)
    }
}
