//! The oracle against a stack of which it is known what it does: silent where nothing is wrong, and a bug for each rule.

use std::collections::BTreeSet;

use ackward::features::Features;
use ackward::live::Live;
use ackward::selftest::{examine, rule_of};
use ackward_endpoint::{PLANTS, Plant};
use ackward_oracle::{Profile, rules};
use ackward_scenario::{Conversation, Family, Generator, Mode};
use ackward_stacks::Stack;

/// Rules for which no bug is planted, and why.
const WITHOUT_A_BUG: &[(&str, &str)] = &[];

fn rfc() -> Profile {
    Profile::named("rfc").expect("it is built in")
}

#[test]
fn every_rule_has_a_planted_bug() {
    let planted: BTreeSet<String> = PLANTS.iter().map(rule_of).collect();
    for rule in rules::cards() {
        let excused = WITHOUT_A_BUG.iter().any(|(id, _)| *id == rule.id);
        assert_ne!(planted.contains(rule.id), excused, "{}", rule.id);
    }
}

#[test]
fn every_deviation_is_performed_by_a_planted_bug() {
    let planted: BTreeSet<&str> = PLANTS.iter().map(|card| card.diagnosis).collect();
    for deviation in rules::deviations() {
        assert!(planted.contains(deviation.name), "{}", deviation.name);
    }
}

#[test]
fn every_expected_diagnosis_is_one_that_the_oracle_can_make() {
    assert!(PLANTS.len() >= 60);
    for card in PLANTS {
        assert!(!rule_of(card).is_empty(), "{}", card.diagnosis);
    }
}

#[test]
fn a_planted_bug_is_found_and_called_by_its_name() {
    for plant in [
        Plant::OldAckSkips,
        Plant::StraddlersWhole,
        Plant::DuplicateUnanswered,
    ] {
        let examined = examine(plant, 1, &rfc()).expect("it is in process");
        assert!(examined.is_right(), "{examined:?}");
    }
}

#[test]
fn the_same_seed_gives_the_same_conversation() {
    let play = || {
        let mut live = Live::new(Stack::Mutant(None).open().expect("in process"), &rfc());
        let generator = Generator::new(4, Mode::Both, Family::V6).with_waits(true);
        let mut traces = Vec::new();
        for plan in generator.take(50) {
            let _ = live.hunt(&mut Conversation::new(&plan), &mut Features::new());
            traces.push(live.trace().clone());
        }
        traces
    };
    assert_eq!(play(), play());
}
