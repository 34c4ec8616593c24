//! `ackward explain`: what a rule says, how it is provoked, who departs from it and how.

use ackward_oracle::{Diagnosis, RuleCard, rules};

use super::Ending;
use super::failure::Failure;

/// What to explain.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  ackward explain 7323:4.3-a")]
pub(super) struct Args {
    /// A rule (`7323:4.3-a`), or the name of a deviation or root
    rule: String,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let card = find(&args.rule).ok_or_else(|| Failure::NoSuchRule(args.rule.clone()))?;
    println!(
        "{}  ({}, {}, {})\n",
        card.id, card.citation, card.level, card.class
    );
    println!("{}\n", card.statement);
    println!("Provoked by: {}", card.provoked_by);
    let departures = || rules::deviations().filter(|d| d.rule == card.id);
    if departures().next().is_some() {
        println!("\nKnown ways to depart from it:");
    }
    for deviation in departures() {
        println!("\n  {}\n    {}", deviation.name, deviation.summary);
        println!("    Impact: {}", deviation.impact);
    }
    Ok(Ending::Conforms)
}

/// The rule with this identifier, or the one that the deviation or root of this name departs from.
fn find(name: &str) -> Option<&'static RuleCard> {
    let by_id = |id: &str| rules::cards().find(|card| card.id == id);
    by_id(name)
        .or_else(|| {
            let deviation = rules::deviations().find(|d| d.name == name)?;
            by_id(deviation.rule)
        })
        .or_else(|| {
            let named = |card: &&'static RuleCard| Diagnosis::Unexplained(card).name() == name;
            rules::cards().find(named)
        })
}
