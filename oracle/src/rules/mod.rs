//! The rules, one file a question, and the one list of them.

mod acknowledgment;
mod application;
mod challenge;
mod ecn;
mod fin_sent;
mod icmp;
mod internet;
mod keep_alive;
mod mss;
mod options;
mod packing;
mod passive_open;
mod paws;
mod refused;
mod reset;
mod reset_sent;
mod retransmission;
mod round_trip;
mod sack;
mod sack_choice;
mod text;
mod ts_clock;
mod ts_echo;
mod ts_handshake;
mod ts_missing;
mod ts_presence;
mod urgent;
mod window_edge;
mod window_inspection;
mod window_interior;
mod window_scale;
mod window_send;

use ackward_model::arrival::owes_answer;
use ackward_model::{Reading, Segment, SeqNum, Tcb, TsUpdate};

use crate::rule::{Deviation, Rule, RuleCard};

/// Every file of rules. The first rule in it that fails names an unexplained divergence, and diagnoses are tried in its
/// order.
static FILES: &[&[Rule]] = &[
    options::RULES,
    internet::RULES,
    urgent::RULES,
    icmp::RULES,
    passive_open::RULES,
    keep_alive::RULES,
    ts_handshake::RULES,
    ts_echo::RULES,
    window_scale::RULES,
    window_edge::RULES,
    window_interior::RULES,
    paws::RULES,
    sack::RULES,
    sack_choice::RULES,
    refused::RULES,
    packing::RULES,
    fin_sent::RULES,
    ts_presence::RULES,
    ts_missing::RULES,
    ts_clock::RULES,
    acknowledgment::RULES,
    window_send::RULES,
    text::RULES,
    retransmission::RULES,
    reset::RULES,
    reset_sent::RULES,
    challenge::RULES,
    application::RULES,
    mss::RULES,
    ecn::RULES,
    window_inspection::RULES,
    round_trip::RULES,
];

/// Every rule, in the order of the list.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    FILES.iter().copied().flatten()
}

/// Whether text goes out in a segment that is worth it.
pub(crate) use keep_alive::is_keep_alive;
pub(crate) use packing::is_large;
pub(crate) use window_send::is_past_the_window;

/// The card of every rule.
pub fn cards() -> impl Iterator<Item = &'static RuleCard> {
    rules().map(|rule| &rule.card)
}

/// Every deviation, in the order in which a diagnosis tries them.
pub fn deviations() -> impl Iterator<Item = &'static Deviation> {
    rules().flat_map(|rule| rule.deviations)
}

/// The rule with this identifier.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rules().find(|rule| rule.card.id == id)
}

/// The deviation of this name.
pub fn deviation(name: &str) -> Option<&'static Deviation> {
    deviations().find(|deviation| deviation.name == name)
}

/// A sequence number as packetdrill shows it.
fn relative(seq: SeqNum, initial: SeqNum) -> u32 {
    seq.offset_from(initial)
}

/// The reading of a segment without any effect; its text is owed an answer all the same.
fn dropped(tcb: &Tcb, segment: &Segment) -> Reading {
    Reading::dropped(TsUpdate::Never).owed(owes_answer(tcb, segment))
}

/// Adds to each reading that counts another, in which what was held before is lost.
fn forget_held(readings: &mut Vec<Reading>) {
    for index in 0..readings.len() {
        if readings[index].acknowledges {
            readings.push(readings[index].forgetting_held());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_every_deviation_departs_from_a_rule_that_exists() {
        let ids: BTreeSet<_> = cards().map(|card| card.id).collect();
        assert_eq!(ids.len(), cards().count());
        let names: BTreeSet<_> = deviations().map(|deviation| deviation.name).collect();
        assert_eq!(names.len(), deviations().count());
        for deviation in deviations() {
            assert!(ids.contains(deviation.rule), "{}", deviation.name);
        }
    }

    #[test]
    fn every_rule_can_fail() {
        for rule in rules() {
            assert!(
                rule.check.is_some() || !rule.deviations.is_empty(),
                "{} has neither a check nor a deviation",
                rule.card.id
            );
        }
    }
}
