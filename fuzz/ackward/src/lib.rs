//! The hunt: campaigns, confirming, shrinking, evidence, and the command `ackward`.

pub mod campaign;
pub mod commands;
pub mod confirm;
pub mod evidence;
pub mod features;
pub mod figures;
mod files;
pub mod finding;
pub mod glue;
pub mod interrupt;
pub mod live;
pub mod neighbourhood;
pub mod pursue;
pub mod reach;
pub mod replay;
pub mod requirements;
pub mod selftest;
pub mod settings;
pub mod shrink;
pub mod trial;
mod words;

#[cfg(test)]
mod fake;

pub use settings::Settings;
