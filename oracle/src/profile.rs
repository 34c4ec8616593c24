//! Which deviations a stack is permitted, by name and with a reason.

use serde::Deserialize;
use thiserror::Error;

use crate::rule::Deviation;
use crate::rules;

/// The built-in profiles.
const BUILT_IN: &[&str] = &[
    include_str!("../profiles/rfc.toml"),
    include_str!("../profiles/linux.toml"),
];

/// The permitted deviations (quirks) of one stack.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The profile's name.
    pub name: String,
    /// What is permitted.
    #[serde(default)]
    pub quirk: Vec<Quirk>,
}

/// One permitted deviation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quirk {
    /// The deviation's name.
    pub name: String,
    /// Why a maintainer of the rule would accept it.
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
    /// It permits what no rule knows.
    #[error("profile `{profile}` permits `{quirk}`, which is no deviation of any rule")]
    UnknownQuirk {
        /// The profile.
        profile: String,
        /// The name that nothing bears.
        quirk: String,
    },
}

impl Profile {
    /// A built-in profile: `rfc` permits nothing.
    pub fn named(name: &str) -> Result<Profile, ProfileError> {
        let profiles = Profile::built_in()?;
        let names: Vec<_> = profiles
            .iter()
            .map(|profile| profile.name.clone())
            .collect();
        profiles
            .into_iter()
            .find(|profile| profile.name == name)
            .ok_or_else(|| ProfileError::Unknown(name.to_owned(), names.join(", ")))
    }

    /// Reads a profile and checks that every quirk is a deviation of some rule.
    pub fn parse(text: &str) -> Result<Profile, ProfileError> {
        let profile: Profile =
            toml::from_str(text).map_err(|error| ProfileError::Malformed(error.to_string()))?;
        for quirk in &profile.quirk {
            if rules::deviation(&quirk.name).is_none() {
                return Err(ProfileError::UnknownQuirk {
                    profile: profile.name.clone(),
                    quirk: quirk.name.clone(),
                });
            }
        }
        Ok(profile)
    }

    /// All built-in profiles.
    pub fn built_in() -> Result<Vec<Profile>, ProfileError> {
        BUILT_IN.iter().map(|text| Profile::parse(text)).collect()
    }

    /// The deviations permitted.
    pub fn deviations(&self) -> impl Iterator<Item = &'static Deviation> {
        self.quirk
            .iter()
            .filter_map(|quirk| rules::deviation(&quirk.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_profiles_are_sound_and_give_reasons() {
        let profiles = Profile::built_in().expect("built-in profiles parse");
        assert!(
            profiles
                .iter()
                .any(|profile| profile.name == "rfc" && profile.quirk.is_empty())
        );
        for quirk in profiles.iter().flat_map(|profile| &profile.quirk) {
            assert!(quirk.reason.len() > 20, "{} has no reason", quirk.name);
        }
    }

    #[test]
    fn a_quirk_that_no_rule_knows_is_refused() {
        let text = "name = 'x'\n[[quirk]]\nname = 'nonsense'\nreason = 'because'";
        assert!(matches!(
            Profile::parse(text),
            Err(ProfileError::UnknownQuirk { .. })
        ));
    }
}
