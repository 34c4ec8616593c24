//! `ackward rules`: every rule with its level, its class, the place in the RFC, and what it asks.

use ackward_oracle::rules;
use ackward_packetdrill::wrapped;

use super::Ending;
use super::failure::Failure;
use crate::words;

pub(super) fn run() -> Result<Ending, Failure> {
    for card in rules::cards() {
        println!(
            "{:<16} {:<11} {:<9} {}",
            card.id,
            words::level(card.level),
            card.class.to_string(),
            card.citation
        );
        for line in wrapped(96, card.statement) {
            println!("    {line}");
        }
    }
    println!(
        "\n{} rules, {} named deviations. `ackward explain RULE` says more.",
        rules::cards().count(),
        rules::deviations().count()
    );
    Ok(Ending::Conforms)
}
