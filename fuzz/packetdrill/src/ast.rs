//! What a packetdrill script consists of.
//! The dialect is that of packetdrill's own grammar; numbers are in script space.

use ackward_model::{Flags, Micros};

/// A whole script.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Script {
    /// Comment lines at the top, without their slashes.
    pub header: Vec<String>,
    /// Command-line options that the script brings along (`--ip_version=ipv6`).
    pub options: Vec<String>,
    /// Shell commands run once the network stands and before the first event.
    pub init: Vec<String>,
    /// What happens, with comments between.
    pub items: Vec<Item>,
    /// Index into [`Script::items`] of the event that fails on a stack with the fault.
    pub fails_at: Option<usize>,
    /// Segments that the script injects after the diverging exchange: probe and fence.
    pub added_segments: u32,
}

/// One line of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// An empty line.
    Blank,
    /// A comment on what follows, without its slashes; long ones are wrapped.
    Comment(String),
    /// An event.
    Event(Event),
}

/// Something that happens at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// When.
    pub time: Time,
    /// What.
    pub action: Action,
}

/// When an event happens or is expected. All times are in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Time {
    /// At the very start: the first event of every script.
    Start,
    /// This long after the event before it.
    After(Micros),
    /// Between these two times after the event before it.
    Within(Micros, Micros),
}

/// What an event is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A segment is injected (`<`).
    In(Packet),
    /// A segment is expected (`>`).
    Out(Packet),
    /// The application calls.
    Call(SystemCall),
    /// A shell command runs.
    Shell(String),
    /// Python looks at what the stack says about itself then (`TCP_INFO`).
    Code(String),
}

/// A segment in script numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packet {
    /// Control bits.
    pub flags: Flags,
    /// SEG.SEQ.
    pub seq: u32,
    /// Octets of text.
    pub len: u16,
    /// SEG.ACK, if the ACK flag is set.
    pub ack: Option<u32>,
    /// The raw window field. Always there on an injected segment; unchecked when absent from an expected one.
    pub window: Option<u16>,
    /// SEG.UP, unless it is 0.
    pub urgent: Option<u16>,
    /// The options.
    pub options: PacketOptions,
}

/// The options of a segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PacketOptions {
    /// These, in this order. They fill a multiple of four octets.
    Exactly(Vec<PacketOption>),
    /// Whatever the stack sends (`<...>`); only on expected segments.
    Unchecked,
}

/// One option in script numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PacketOption {
    /// `eol`.
    EndOfList,
    /// `nop`.
    NoOperation,
    /// `mss`, in octets.
    MaximumSegmentSize(u16),
    /// `wscale`, any shift.
    WindowScale(u8),
    /// `sackOK`.
    SackPermitted,
    /// `sack`: first octet held and first octet no longer held, in the order sent.
    Sack(Vec<(u32, u32)>),
    /// `TS`.
    Timestamps {
        /// TSval, in ticks.
        tsval: u32,
        /// TSecr, in ticks.
        tsecr: u32,
    },
}

/// A system call and what it returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemCall {
    /// The function's name.
    pub name: &'static str,
    /// The arguments as written, separated by commas.
    pub arguments: String,
    /// What it returns.
    pub result: SystemResult,
}

/// What a system call returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SystemResult {
    /// A number that is no error.
    Value(u32),
    /// −1 with this `errno`, by name.
    Error(&'static str),
}

impl PacketOption {
    /// Octets on the wire.
    pub fn wire_len(&self) -> usize {
        match self {
            PacketOption::EndOfList | PacketOption::NoOperation => 1,
            PacketOption::MaximumSegmentSize(_) => 4,
            PacketOption::WindowScale(_) => 3,
            PacketOption::SackPermitted => 2,
            PacketOption::Sack(blocks) => 2 + 8 * blocks.len(),
            PacketOption::Timestamps { .. } => 10,
        }
    }
}

impl PacketOptions {
    /// No options at all.
    pub fn none() -> PacketOptions {
        PacketOptions::Exactly(Vec::new())
    }
}
