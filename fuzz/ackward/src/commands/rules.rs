//! `ackward rules`: every rule with its level, its class, the place in the RFC, and what it asks; then each
//! requirement of RFC 7323 and RFC 9293 with the rules that check it.

use ackward_oracle::rules;
use ackward_packetdrill::wrapped;

use super::Ending;
use super::failure::Failure;
use crate::{requirements, words};

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
    print!("\n{}", requirements::tables());
    Ok(Ending::Conforms)
}
