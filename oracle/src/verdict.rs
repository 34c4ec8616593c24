//! What the judge answers.

use std::fmt;

use ackward_model::{SeqNum, TsVal};
use serde::{Deserialize, Serialize};

use crate::{Deviation, RuleCard};

/// The verdict on one trace.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every event is allowed.
    Conforms,
    /// Some event is not: one divergence a cause, in order of appearance.
    Diverges(Vec<Divergence>),
    /// No verdict can be given, and why.
    Inconclusive(&'static str),
}

/// An emission, a silence or a call result that the reference does not allow.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// The rule that is broken.
    pub rule: &'static RuleCard,
    /// Index into [`Trace::entries`](ackward_model::Trace::entries) of the event that shows it.
    pub entry: usize,
    /// The connection's state in the reference then, as in RFC 9293 (`ESTABLISHED`).
    pub state: &'static str,
    /// What kind of event shows it.
    pub kind: EventKind,
    /// What would be right, readable, in numbers relative to the initial sequence numbers.
    pub allowed: String,
    /// What was seen, likewise.
    pub observed: String,
    /// Which earlier events made the allowed values what they are; each with its index into the trace.
    pub why: Vec<(usize, String)>,
    /// The cause.
    pub diagnosis: Diagnosis,
    /// The values in question, for those who write a test from it.
    pub facts: Facts,
}

/// The values in question, as on the wire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Facts {
    /// A TSecr: the values that would be right, the one seen.
    Echo {
        /// Every right value.
        allowed: Vec<TsVal>,
        /// The one seen.
        observed: TsVal,
    },
    /// Text was taken that lies at or past every right window edge ever advertised.
    BeyondWindow {
        /// The furthest edge advertised.
        edge: SeqNum,
        /// The octets taken, first and one past last.
        taken: (SeqNum, SeqNum),
    },
    /// Nothing that needs a form of its own.
    Other,
}

/// What kind of event shows a divergence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EventKind {
    /// A segment that is not allowed.
    Emission,
    /// A due segment that never came.
    Silence,
    /// A call that returned what it may not.
    Call,
    /// The stack's word about itself.
    Inspection,
}

/// The cause of a divergence.
#[derive(Clone, Copy, Debug)]
pub enum Diagnosis {
    /// The whole trace is possible under this deviation and those of the other causes; or it is a known one that carries
    /// the trace further, to an event that nothing explains.
    ExplainedBy(&'static Deviation),
    /// No deviation explains it: the rule whose check failed.
    Unexplained(&'static RuleCard),
}

/// Who can provoke it. The more reachable one is the smaller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// A peer that keeps the RFCs, behind a network that reorders, repeats, delays and loses.
    Network,
    /// Only a peer that breaks a rule.
    Peer,
}

impl Divergence {
    /// The root's name: one root, one report.
    pub fn root(&self) -> String {
        self.diagnosis.name()
    }

    /// Root, state and kind of event.
    pub fn signature(&self) -> String {
        format!("{} in {} ({})", self.root(), self.state, self.kind)
    }
}

impl Diagnosis {
    /// The deviation's name, or `unexplained-` with the rule's id made fit for a path.
    pub fn name(&self) -> String {
        match self {
            Diagnosis::ExplainedBy(deviation) => deviation.name.to_owned(),
            Diagnosis::Unexplained(card) => {
                format!("unexplained-{}", card.id.replace([':', '.', '/'], "-"))
            }
        }
    }
}

impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EventKind::Emission => "emission",
            EventKind::Silence => "silence",
            EventKind::Call => "call",
            EventKind::Inspection => "inspection",
        })
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reach::Network => "network",
            Reach::Peer => "peer",
        })
    }
}
