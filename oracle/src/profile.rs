//! Which deviations a stack is permitted, by name and with a reason.

use serde::Deserialize;
use thiserror::Error;

/// The permitted deviations (quirks) of one stack.
#[derive(Clone, Debug, Deserialize)]
pub struct Profile {
    /// The profile's name.
    pub name: String,
    /// What is permitted.
    #[serde(default)]
    pub quirks: Vec<Quirk>,
}

/// One permitted deviation.
#[derive(Clone, Debug, Deserialize)]
pub struct Quirk {
    /// The deviation's name.
    pub name: String,
    /// Why a maintainer would accept it.
    pub reason: String,
}

/// Why a profile cannot be used.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// No profile of that name is built in.
    #[error("there is no profile `{0}`; there are: {1}")]
    Unknown(String, String),
    /// Not a profile.
    #[error("not a profile: {0}")]
    Malformed(String),
}

impl Profile {
    /// A built-in profile: `rfc` permits nothing.
    pub fn named(name: &str) -> Result<Profile, ProfileError> {
        Ok(Profile {
            name: name.to_owned(),
            quirks: Vec::new(),
        })
    }
}
