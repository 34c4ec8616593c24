//! `ackward rules`: every rule, a line each.

use ackward_oracle::rules;

use super::Ending;
use super::failure::Failure;

pub(super) fn run() -> Result<Ending, Failure> {
    println!(
        "{:<14} {:<6} {:<10} {:<30} asks",
        "rule", "level", "class", "written in"
    );
    for card in rules::cards() {
        println!(
            "{:<14} {:<6} {:<10} {:<30} {}",
            card.id,
            card.level.to_string(),
            card.class.to_string(),
            card.citation,
            card.statement
        );
    }
    println!(
        "\n{} rules, {} named deviations. `ackward explain RULE` says more.",
        rules::cards().count(),
        rules::deviations().count()
    );
    Ok(Ending::Conforms)
}
