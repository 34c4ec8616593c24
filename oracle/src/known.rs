//! Which roots of a stack are known already, each with a reason and the place in the RFC.

use serde::Deserialize;
use thiserror::Error;

/// The known roots of one stack.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Known {
    /// The entries.
    #[serde(default)]
    pub root: Vec<KnownRoot>,
}

/// One known root.
#[derive(Clone, Debug, Deserialize)]
pub struct KnownRoot {
    /// The root's name.
    pub name: String,
    /// Why it is a divergence, in a sentence.
    pub reason: String,
    /// The place in the RFC.
    pub rfc: String,
    /// Versions where it was seen.
    pub versions: Vec<String>,
    /// The smallest trigger, in words.
    pub trigger: String,
}

/// Why a known list cannot be used.
#[derive(Debug, Error)]
#[error("not a known list: {0}")]
pub struct KnownError(pub String);

impl Known {
    /// Reads a list.
    pub fn parse(text: &str) -> Result<Known, KnownError> {
        toml::from_str(text).map_err(|error| KnownError(error.to_string()))
    }

    /// Whether `root` is in the list.
    pub fn contains(&self, root: &str) -> bool {
        self.root.iter().any(|known| known.name == root)
    }
}
