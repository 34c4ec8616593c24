//! What a rule is: a card that says what a stack must do and where that is written, and the named ways to depart from it.

use std::fmt;

/// One thing a stack must or should do, with its source.
#[derive(Debug)]
pub struct RuleCard {
    /// Stable identifier, for example `7323:4.3-a`.
    pub id: &'static str,
    /// Where it is written, for example `RFC 7323 section 4.3`.
    pub citation: &'static str,
    /// How binding the RFC makes it.
    pub level: Level,
    /// How much a departure weighs.
    pub class: Class,
    /// What the RFC asks, restated in one sentence.
    pub statement: &'static str,
    /// How a departure is provoked, in one or two sentences.
    pub provoked_by: &'static str,
}

/// How binding the RFC makes a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// MUST, MUST NOT.
    Must,
    /// SHOULD, SHOULD NOT.
    Should,
    /// MAY.
    May,
    /// Running text of the RFC without a key word.
    Text,
}

/// How much a departure weighs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Always a finding.
    Violation,
    /// Breaks the RFC, but deployed stacks do it knowingly.
    Interop,
    /// SHOULD-level or timing: reported, never red.
    Quality,
}

/// A named way of departing from a rule.
#[derive(Debug)]
pub struct Deviation {
    /// Stable name, for example `old_ack_leaves_ts_recent_alone`.
    pub name: &'static str,
    /// The rule it departs from, by [`RuleCard::id`].
    pub rule: &'static str,
    /// What a stack with it does, in one sentence.
    pub summary: &'static str,
    /// What it costs, with the condition under which it costs that.
    pub impact: &'static str,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Must => "MUST",
            Level::Should => "SHOULD",
            Level::May => "MAY",
            Level::Text => "text",
        })
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Violation => "violation",
            Class::Interop => "interop",
            Class::Quality => "quality",
        })
    }
}
