//! `ackward explain`: what a rule says, how it is provoked, who departs from it and how, and who may.

use ackward_oracle::{Deviation, Diagnosis, Profile, RuleCard, rules};
use ackward_packetdrill::wrapped;

use super::Ending;
use super::failure::Failure;
use crate::evidence::{conversation, transcript};
use crate::{selftest, words};

/// What to explain.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  ackward explain 7323:4.3-a\n  ackward explain old_ack_leaves_ts_recent_alone"
)]
pub(super) struct Args {
    /// A rule (`7323:4.3-a`), or the name of a deviation or root: that one alone, with its rule
    rule: String,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let name = args.rule.as_str();
    let card = find(name).ok_or_else(|| Failure::NoSuchRule(name.to_owned()))?;
    let profiles = Profile::built_in()?;
    print(
        "",
        &format!(
            "{}  ({}, {}, {})",
            card.id,
            card.citation,
            words::level(card.level),
            card.class
        ),
    );
    println!();
    print("", card.statement);
    println!();
    print("", &format!("Provoked by: {}", card.provoked_by));
    if let Some(root) = rules::deviation(name) {
        println!("\nThis way to depart from it:");
        print_deviation(root, &profiles);
        print_example([root.name], &profiles)?;
        return Ok(Ending::Conforms);
    }
    let departures = || rules::deviations().filter(|deviation| deviation.rule == card.id);
    if departures().next().is_some() {
        println!("\nKnown ways to depart from it:");
    }
    departures().for_each(|deviation| print_deviation(deviation, &profiles));
    let unexplained = Diagnosis::Unexplained(card).name();
    let names = departures().map(|deviation| deviation.name.to_owned());
    print_example(names.chain([unexplained]), &profiles)?;
    Ok(Ending::Conforms)
}

/// Shows the first of `roots` for which there is a planted bug, and what a right stack does in its place.
fn print_example(
    roots: impl IntoIterator<Item = impl AsRef<str>>,
    profiles: &[Profile],
) -> Result<(), Failure> {
    let Some(strict) = profiles.iter().find(|profile| profile.quirk.is_empty()) else {
        return Ok(());
    };
    for root in roots {
        let Some(example) = selftest::example(root.as_ref(), strict)? else {
            continue;
        };
        println!("\nWith that bug planted (mutant:{}):\n", example.plant);
        print!("{}", transcript(&example.wrong));
        println!("\nThe same without it (mutant:none), which is right:\n");
        print!("{}", conversation(&example.right));
        return Ok(());
    }
    Ok(())
}

fn print_deviation(deviation: &Deviation, profiles: &[Profile]) {
    println!("\n  {}", deviation.name);
    print("    ", deviation.summary);
    print("    ", &format!("Impact: {}", deviation.impact));
    for profile in profiles {
        let quirk = profile
            .quirk
            .iter()
            .find(|quirk| quirk.name == deviation.name);
        if let Some(quirk) = quirk {
            print(
                "    ",
                &format!("Permitted by profile {}: {}", profile.name, quirk.reason),
            );
        }
    }
}

/// Prints `text` wrapped, each line after `indent`.
fn print(indent: &str, text: &str) {
    for line in wrapped(WIDTH - indent.len(), text) {
        println!("{indent}{line}");
    }
}

/// The rule with this identifier, or the one that the deviation or root of this name departs from.
fn find(name: &str) -> Option<&'static RuleCard> {
    let by_id = |id: &str| rules::cards().find(|card| card.id == id);
    by_id(name)
        .or_else(|| by_id(rules::deviation(name)?.rule))
        .or_else(|| {
            let named = |card: &&'static RuleCard| Diagnosis::Unexplained(card).name() == name;
            rules::cards().find(named)
        })
}

const WIDTH: usize = 100;
