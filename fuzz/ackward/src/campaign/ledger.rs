//! Which roots a campaign holds, and whether a new appearance is worth the trouble of confirming and shrinking it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ackward_model::OpenMode;
use ackward_oracle::Reach;

use crate::Settings;
use crate::shrink::Size;

/// What a newcomer asks first about a root: who can provoke it, at which settings, who opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Headline(pub(super) Reach, pub(super) Settings, pub(super) OpenMode);

/// The roots seen in a campaign, and `F` for those that were confirmed.
#[derive(Debug)]
pub(super) struct Ledger<F> {
    roots: BTreeMap<String, Root<F>>,
    /// Divergences that did not appear again when confirmed.
    pub(super) dropped: u64,
    /// Roots that did not show without another when confirmed.
    pub(super) never_alone: BTreeSet<String>,
}

/// What is held of one root.
#[derive(Debug)]
pub(super) struct Root<F> {
    /// When it appeared first.
    pub(super) first_seen: Duration,
    /// The case of its first appearance.
    pub(super) first_seen_case: u64,
    /// Where and how it showed.
    pub(super) signatures: BTreeSet<String>,
    /// Appearances.
    pub(super) count: u64,
    /// The confirmed finding, once there is one.
    pub(super) finding: Option<F>,
    /// The headline of that finding.
    held: Option<Headline>,
    /// The headlines that were worked on, and how often each, and those that came of it.
    attempts: Vec<(Headline, u32)>,
}

impl Headline {
    /// The headline of a scenario of this size.
    pub(super) fn of(size: &Size) -> Headline {
        Headline(size.reach, size.settings, size.open)
    }

    /// Whether this is as bad news as `other` in every respect.
    fn covers(self, other: Headline) -> bool {
        self.0 <= other.0 && self.1 <= other.1 && self.2 <= other.2
    }
}

impl<F> Ledger<F> {
    /// Nothing seen yet.
    pub(super) fn new() -> Ledger<F> {
        Ledger {
            roots: BTreeMap::new(),
            dropped: 0,
            never_alone: BTreeSet::new(),
        }
    }

    /// Takes down an appearance of `root`. Returns whether it should be worked on: because the root is not held yet, or
    /// because its headline is worse news in some respect than each that was worked on. One of which nothing as bad came
    /// is tried again a few times.
    pub(super) fn appears(
        &mut self,
        root: &str,
        signature: String,
        headline: impl FnOnce() -> Headline,
        at: Duration,
        case: u64,
    ) -> bool {
        let held = self.roots.entry(root.to_owned()).or_insert_with(|| Root {
            first_seen: at,
            first_seen_case: case,
            signatures: BTreeSet::new(),
            count: 0,
            finding: None,
            held: None,
            attempts: Vec::new(),
        });
        held.count += 1;
        held.signatures.insert(signature);
        let worst = Headline(Reach::Network, Settings::Defaults, OpenMode::Passive);
        if held.held == Some(worst) {
            return false;
        }
        let headline = headline();
        let satisfied = held.held.is_some_and(|held| held.covers(headline));
        let covering = held
            .attempts
            .iter_mut()
            .find(|(tried, _)| tried.covers(headline));
        match covering {
            None => {
                held.attempts.push((headline, 1));
                true
            }
            Some((_, times)) if !satisfied && *times < ATTEMPTS => {
                *times += 1;
                true
            }
            Some(_) => false,
        }
    }

    /// What is held of `root`.
    pub(super) fn finding(&self, root: &str) -> Option<&F> {
        self.roots.get(root)?.finding.as_ref()
    }

    /// Holds `finding`, which has this headline, for `root`, which has appeared, instead of what was held before.
    pub(super) fn hold(&mut self, root: &str, finding: F, headline: Headline) {
        if let Some(held) = self.roots.get_mut(root) {
            held.finding = Some(finding);
            held.held = Some(headline);
            held.attempts.push((headline, ATTEMPTS));
        }
    }

    /// The roots that never showed without another, so that they are more likely its consequence than a cause.
    pub(super) fn never_alone(&self) -> impl Iterator<Item = &String> {
        let alone = |root: &&String| self.finding(root).is_none();
        self.never_alone.iter().filter(alone)
    }

    /// The roots that are held.
    pub(super) fn held(&self) -> impl Iterator<Item = (&str, &Root<F>, &F)> {
        self.roots
            .iter()
            .filter_map(|(name, root)| Some((name.as_str(), root, root.finding.as_ref()?)))
    }
}

const ATTEMPTS: u32 = 5;

#[cfg(test)]
mod tests {
    use super::*;

    const NETWORK: Headline = Headline(Reach::Network, Settings::Defaults, OpenMode::Passive);
    const PEER: Headline = Headline(Reach::Peer, Settings::Defaults, OpenMode::Passive);

    fn appears(ledger: &mut Ledger<()>, headline: Headline) -> bool {
        let signature = "root in ESTABLISHED (emission)".to_owned();
        ledger.appears("root", signature, || headline, Duration::ZERO, 0)
    }

    #[test]
    fn a_root_that_is_held_is_counted_and_left_alone() {
        let mut ledger = Ledger::new();
        assert!(appears(&mut ledger, NETWORK));
        ledger.hold("root", (), NETWORK);
        assert!(!appears(&mut ledger, NETWORK));
        assert!(!appears(&mut ledger, PEER));
        assert_eq!(ledger.roots["root"].count, 3);
    }

    #[test]
    fn worse_news_of_a_held_root_is_worked_on() {
        let mut ledger = Ledger::new();
        assert!(appears(&mut ledger, PEER));
        ledger.hold("root", (), PEER);
        assert!(!appears(&mut ledger, PEER));
        assert!(appears(&mut ledger, NETWORK));
    }

    #[test]
    fn bad_news_of_which_something_lesser_came_are_tried_again_a_few_times() {
        let mut ledger = Ledger::new();
        assert!(appears(&mut ledger, NETWORK));
        ledger.hold("root", (), PEER);
        let tries = (0..100).filter(|_| appears(&mut ledger, NETWORK)).count();
        assert_eq!(tries as u32, ATTEMPTS - 1);
        ledger.hold("root", (), NETWORK);
        assert!(!appears(&mut ledger, NETWORK));
    }

    #[test]
    fn news_that_are_worse_in_one_respect_alone_are_worked_on() {
        let tuned = Headline(Reach::Network, Settings::Extreme, OpenMode::Passive);
        let mut ledger = Ledger::new();
        assert!(appears(&mut ledger, tuned));
        ledger.hold("root", (), tuned);
        assert!(appears(&mut ledger, PEER));
    }

    #[test]
    fn what_came_of_the_work_counts_as_worked_on() {
        let mut ledger = Ledger::new();
        assert!(appears(&mut ledger, PEER));
        ledger.hold("root", (), NETWORK);
        assert!(!appears(&mut ledger, NETWORK));
    }

    #[test]
    fn a_root_that_is_held_in_the_end_was_alone_once() {
        let mut ledger = Ledger::new();
        assert!(appears(&mut ledger, NETWORK));
        ledger.never_alone.insert("root".to_owned());
        assert_eq!(ledger.never_alone().count(), 1);
        ledger.hold("root", (), NETWORK);
        assert_eq!(ledger.never_alone().count(), 0);
    }

    #[test]
    fn a_root_that_does_not_hold_is_given_up_after_a_few_attempts() {
        let mut ledger = Ledger::new();
        let attempts = (0..100).filter(|_| appears(&mut ledger, PEER)).count();
        assert_eq!(attempts, ATTEMPTS as usize);
    }
}
