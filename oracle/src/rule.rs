//! What a rule is: a card that says what a stack must do and where that is written, a check, and the named ways to
//! depart from it.

use std::fmt;

use ackward_model::{Call, Hook, Micros, Outcome, Path, Sample, Segment, Tcb};

use crate::{Facts, Pace};

/// One thing a stack must or should do.
#[derive(Debug)]
pub struct Rule {
    /// What it asks, and where.
    pub card: RuleCard,
    /// What it looks at. `None`: the reference itself obeys the rule, and a departure shows in what a stack emits or
    /// delivers afterwards; the rule's deviations give it its name.
    pub check: Option<Check>,
    /// The ways to depart from it.
    pub deviations: &'static [Deviation],
}

/// The identity of a rule.
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

/// Whether a hypothesis allows an emission.
pub type EmissionFits = fn(&Emission<'_>) -> bool;
/// Whether a hypothesis allows what a call returned.
pub type ReturnFits = fn(&Tcb, &Call, &Outcome) -> bool;
/// Whether a hypothesis allows what the stack says of itself.
pub type InspectionFits = fn(&Tcb, &Sample, &Pace) -> bool;

/// A check looks at one event and one hypothesis: `fits` must be cheap, `explain` is asked only about what did not fit.
#[derive(Debug)]
pub enum Check {
    /// Of a segment that the stack emitted.
    Emission {
        /// Whether the hypothesis allows it.
        fits: EmissionFits,
        /// What it would allow.
        explain: fn(&Emission<'_>) -> Misfit,
    },
    /// Of what a call returned.
    Return {
        /// Whether the hypothesis allows it.
        fits: ReturnFits,
        /// What it would allow.
        explain: fn(&Tcb, &Call, &Outcome) -> Misfit,
    },
    /// Of what the stack says about itself.
    Inspection {
        /// Whether the hypothesis allows it.
        fits: InspectionFits,
        /// What it would allow.
        explain: fn(&Tcb, &Sample, &Pace) -> Misfit,
    },
    /// Of an answer that is due and does not come.
    Silence,
}

/// A segment emitted by a hypothesis.
#[derive(Clone, Copy, Debug)]
pub struct Emission<'a> {
    /// The hypothesis before the emission.
    pub tcb: &'a Tcb,
    /// The segment.
    pub segment: &'a Segment,
    /// When it was emitted.
    pub at: Micros,
    /// The host is set to let windows shrink.
    pub may_shrink_window: bool,
    /// What lies between the stack and its peer.
    pub path: Path,
    /// How the stack has paced its segments before this one.
    pub pace: &'a Pace,
}

/// What did not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// What would be right, in relative numbers.
    pub allowed: String,
    /// What was seen, likewise.
    pub observed: String,
    /// Which trace entries made it so.
    pub why: Vec<(usize, String)>,
    /// The values in question.
    pub facts: Facts,
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
    /// Always a finding: a MUST, or a SHOULD whose breach the peer's traffic feels.
    Violation,
    /// Breaks the RFC, but deployed stacks do it knowingly.
    Interop,
    /// Advice, information or timing: reported, never red.
    Quality,
}

/// A named way of departing from a rule, as one extra branch of the reference.
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
    /// The extra branches: more than one where one cause answers more than one decision otherwise.
    pub hooks: &'static [Hook],
}

impl Misfit {
    /// Without reasons or values of a special form.
    pub fn new(allowed: impl Into<String>, observed: impl Into<String>) -> Misfit {
        Misfit {
            allowed: allowed.into(),
            observed: observed.into(),
            why: Vec::new(),
            facts: Facts::Other,
        }
    }
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
