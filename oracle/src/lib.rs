//! What counts as wrong: rules, the judge that applies them, the diagnosis of what it finds, profiles and known lists.
//! RFC 9293 and RFC 7323, through the reference of `ackward-model`.
//!
//! Pure: no clock, socket, thread, randomness or environment. Same trace, same verdict.
#![forbid(unsafe_code)]

pub mod coverage;
pub mod judge;
pub mod known;
pub mod pace;
pub mod profile;
pub mod reach;
pub mod rule;
pub mod rules;
pub mod verdict;

pub use coverage::{Coverage, NoCoverage};
pub use judge::{Judge, PATIENCE};
pub use known::{Known, KnownError};
pub use pace::Pace;
pub use profile::{Profile, ProfileError};
pub use reach::reach;
pub use rule::{Class, Deviation, Level, Rule, RuleCard};
pub use verdict::{Diagnosis, Divergence, EventKind, Facts, Reach, Verdict};
