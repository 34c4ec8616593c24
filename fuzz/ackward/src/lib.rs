//! The hunt: campaigns, confirming, shrinking, evidence, and the command `ackward`.

pub mod confirm;
pub mod settings;
pub mod shrink;
pub mod trial;

#[cfg(test)]
mod fake;

pub use settings::Settings;
