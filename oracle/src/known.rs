//! Which roots of a stack are known already, each with a reason and the place in the RFC.

use serde::Deserialize;
use thiserror::Error;

/// The built-in lists, by the stack's name.
const BUILT_IN: &[(&str, &str)] = &[("linux", include_str!("../known/linux.toml"))];

/// The known roots of one stack.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// The entries.
    #[serde(default)]
    pub root: Vec<KnownRoot>,
}

/// One known root.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownRoot {
    /// The root's name.
    pub name: String,
    /// Why it is a divergence: what the RFC says, what the stack does, whether by mistake or by choice, what it costs.
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
pub enum KnownError {
    /// No list of that name is built in.
    #[error("there is no known list `{0}`; there are: {1}")]
    Unknown(String, String),
    /// Not a known list.
    #[error("not a known list: {0}")]
    Malformed(String),
}

impl Known {
    /// The built-in list of a stack.
    pub fn named(name: &str) -> Result<Known, KnownError> {
        let list = BUILT_IN.iter().find(|(stack, _)| *stack == name);
        let (_, text) = list.ok_or_else(|| {
            let names: Vec<_> = BUILT_IN.iter().map(|(stack, _)| *stack).collect();
            KnownError::Unknown(name.to_owned(), names.join(", "))
        })?;
        Known::parse(text)
    }

    /// Reads a list.
    pub fn parse(text: &str) -> Result<Known, KnownError> {
        toml::from_str(text).map_err(|error| KnownError::Malformed(error.to_string()))
    }

    /// Whether `root` is in the list.
    pub fn contains(&self, root: &str) -> bool {
        self.root.iter().any(|known| known.name == root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Profile, rules};
    use std::collections::BTreeSet;

    fn linux() -> Known {
        Known::named("linux").expect("the built-in list parses")
    }

    #[test]
    fn a_built_in_list_names_deviations_that_exist_each_once() {
        let known = linux();
        assert!(!known.root.is_empty());
        let names: BTreeSet<_> = known.root.iter().map(|root| &root.name).collect();
        assert_eq!(names.len(), known.root.len());
        for name in names {
            assert!(rules::deviation(name).is_some(), "{name} is no deviation");
        }
    }

    #[test]
    fn every_known_root_is_argued() {
        for root in linux().root {
            let KnownRoot {
                name,
                reason,
                rfc,
                versions,
                trigger,
            } = root;
            assert!(reason.len() > 100, "{name} gives no reason");
            assert!(rfc.starts_with("RFC "), "{name} names no RFC");
            assert!(!versions.is_empty(), "{name} was seen nowhere");
            assert!(trigger.len() > 20, "{name} has no trigger");
        }
    }

    #[test]
    fn what_a_profile_permits_is_no_known_root() {
        let known = linux();
        let profile = Profile::named("linux").expect("built-in profiles parse");
        for quirk in profile.quirk {
            assert!(!known.contains(&quirk.name), "{} is both", quirk.name);
        }
    }

    #[test]
    fn a_list_that_is_none_and_a_stack_without_one_are_told_apart() {
        assert!(matches!(
            Known::parse("[[roots]]\nname = 'misspelt'"),
            Err(KnownError::Malformed(_))
        ));
        assert!(matches!(
            Known::named("nonsense"),
            Err(KnownError::Unknown(..))
        ));
    }
}
