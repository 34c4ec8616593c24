//! How a finding becomes a script that fails on a stack with the fault and passes on the same stack once it is mended.
//! RFC 7323 sections 4.3 and 5.3 for the probe of TS.Recent; RFC 9293 section 3.10.7.4 for the window's edge.

use ackward_model::{SeqNum, Trace, TsVal};
use ackward_scenario::Scenario;
use thiserror::Error;

use crate::ast::Script;

mod application;
mod clock;
mod conversation;
mod machine;
mod numbers;
mod probe;
mod prose;
mod right;
mod view;

/// What a script is made from.
#[derive(Clone, Debug)]
pub struct Export<'a> {
    /// What was done.
    pub scenario: &'a Scenario,
    /// What happened when it was done.
    pub trace: &'a Trace,
    /// Index into [`Trace::entries`] of the event that shows the fault.
    pub diverging: usize,
    /// The values in question.
    pub subject: Subject,
    /// What a reader is told.
    pub header: Header,
    /// Which earlier events made the right values what they are; each with its index into the trace.
    pub why: &'a [(usize, String)],
    /// For whom the script is written.
    pub style: Style,
    /// Leave out the probe, for a packetdrill that compares TSecr.
    pub assert_echo: bool,
    /// Whose values the script expects.
    pub expect: Expect,
}

/// The values in question, as on the wire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A TSecr.
    Echo {
        /// Every right value.
        allowed: Vec<TsVal>,
        /// The one seen.
        observed: TsVal,
    },
    /// Text that was taken although it lies at or past every right window edge.
    BeyondWindow {
        /// The furthest edge advertised.
        edge: SeqNum,
        /// The octets taken, first and one past last.
        taken: (SeqNum, SeqNum),
    },
    /// A SEG.ACK.
    Acknowledgment {
        /// The right one.
        right: SeqNum,
    },
    /// A segment where a RST is right, which ends the connection.
    Reset {
        /// SEG.SEQ of the right one.
        seq: SeqNum,
    },
    /// SACK blocks of text that is not held.
    Blocks {
        /// What is held and may be reported: first octet and one past last.
        held: Vec<(SeqNum, SeqNum)>,
    },
    /// Options that the segment may not carry.
    Unwanted(Vec<OptionKind>),
    /// A timestamps option that the segment must carry and does not.
    MissingTimestamps,
    /// A window that is too small.
    Window {
        /// The smallest right window field.
        least: u16,
    },
    /// An answer that is due at once and never came; the diverging event is the one after the wait.
    Silence,
    /// A figure of `TCP_INFO` that is too large.
    Report {
        /// Its name in the C structure.
        name: &'static str,
        /// The largest right value.
        most: u32,
    },
    /// Nothing whose right value the script could name.
    Other {
        /// Why not; a clause without a full stop.
        reason: String,
    },
}

/// An option by its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// Window scale.
    WindowScale,
    /// Timestamps.
    Timestamps,
    /// SACK blocks.
    Sack,
}

/// What a reader is told. Sentences, without line breaks.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Header {
    /// The root's name.
    pub root: String,
    /// The rule's identifier.
    pub rule: String,
    /// Where the rule is written.
    pub citation: String,
    /// What the RFC asks, in our own words.
    pub statement: String,
    /// The stack and its version.
    pub stack: String,
    /// What the stack does instead.
    pub diagnosis: String,
    /// What would be right at the diverging event.
    pub allowed: String,
    /// What was seen there.
    pub observed: String,
    /// Who can provoke it.
    pub reach: String,
    /// Which settings it takes.
    pub settings: String,
    /// What it costs, with its condition.
    pub impact: String,
    /// Where else it was seen or is mended; may be empty.
    pub versions: String,
}

/// For whom a script is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// A person with a packetdrill binary.
    Plain,
    /// The kernel's own selftests: their settings, their runner, few words.
    Kselftest,
}

/// Whose values a script expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expect {
    /// The right ones: the script fails on a stack with the fault.
    Right,
    /// Those of the faulty stack: the script passes there, which proves that the other one fails for the reason it
    /// names.
    Observed,
}

/// What cannot be said in packetdrill's dialect.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ExportError {
    /// A segment's numbers pass 2^32 within the segment.
    #[error("a segment crosses sequence number 2^32, which packetdrill cannot write")]
    CrossesWrap,
    /// An option that is malformed or of an unknown kind.
    #[error("a segment carries raw option octets, which packetdrill cannot write")]
    RawOption,
    /// A checksum that does not fit.
    #[error("a segment has a wrong checksum, which packetdrill cannot write")]
    Damaged,
    /// A message of the network.
    #[error("the network tells the stack something, which is not written as a script yet")]
    Icmp,
    /// Addresses that are no host's.
    #[error("a segment or a connect has a group address, which packetdrill cannot write")]
    Address,
    /// A passive open beside the connection.
    #[error(
        "a further socket listens on the port for another peer, whom packetdrill does not have"
    )]
    FurtherListener,
    /// An option in the IP header.
    #[error("a segment has an IP option, which packetdrill cannot write")]
    IpOption,
    /// More than 40 octets of options.
    #[error("a segment carries more than 40 octets of options")]
    OptionsTooLong,
    /// A TSecr that no earlier emission carried as TSval.
    #[error("a segment echoes a timestamp that the stack never sent, which packetdrill refuses")]
    UnknownEcho,
    /// An `errno` without a name here.
    #[error("a call fails with errno {0}, whose name is not known")]
    UnknownErrno(i32),
    /// It could not fail, or a right stack could fail it.
    #[error("the script would be no test: {0}")]
    NoTest(String),
    /// The diverging event is not in the trace.
    #[error("the trace has no event {0}")]
    NoSuchEvent(usize),
}

/// The script.
pub fn export(export: &Export<'_>) -> Result<Script, ExportError> {
    if export.diverging >= export.trace.entries.len() {
        return Err(ExportError::NoSuchEvent(export.diverging));
    }
    let mut script = conversation::write(export)?;
    if export.style == Style::Kselftest
        && export.expect == Expect::Right
        && let Some(reason) = prose::not_a_test(export, &script)
    {
        return Err(ExportError::NoTest(reason));
    }
    script.header = prose::header(export, &script);
    Ok(script)
}
