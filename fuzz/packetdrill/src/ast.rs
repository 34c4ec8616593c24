//! What a packetdrill script consists of.
//! The dialect is that of packetdrill's own grammar, with what the FreeBSD scripts add; numbers are in script space.

mod expression;
mod packet;

use ackward_model::Micros;

pub use expression::Expression;
pub use packet::{
    AccurateEcn, Ecn, EcnCounter, Icmp, IpField, Numbering, Packet, PacketOption, PacketOptions,
    UdpPorts,
};

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
    /// A shell command run at the end, however the script ended.
    pub cleanup: Option<String>,
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
    /// This long after the start. The first event of every script is at 0.
    At(Micros),
    /// Between these two times after the start.
    Between(Micros, Micros),
    /// This long after the event before it.
    After(Micros),
    /// Between these two times after the event before it.
    Within(Micros, Micros),
    /// Whenever it comes (`*`).
    Any,
}

/// What an event is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// A segment is injected (`<`).
    In(Packet),
    /// A segment is expected (`>`).
    Out(Packet),
    /// An ICMP message is injected (`< icmp`).
    Icmp(Icmp),
    /// A datagram of UDP with this many octets is injected (`true`) or expected.
    Udp(bool, u16),
    /// The application calls.
    Call(SystemCall),
    /// A shell command runs.
    Shell(String),
    /// Python looks at what the stack says about itself then (`TCP_INFO`).
    Code(String),
}

/// A system call and what it returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemCall {
    /// When a call that blocks returns: written like the time at which it begins, and relative or absolute as that is.
    pub until: Option<Micros>,
    /// The function's name.
    pub name: String,
    /// The arguments.
    pub arguments: Vec<Expression>,
    /// What it returns.
    pub result: SystemResult,
}

/// What a system call returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemResult {
    /// The value; `...` for any.
    pub value: Expression,
    /// `errno`, by name.
    pub errno: Option<String>,
    /// What stands in parentheses behind it and is for the reader alone.
    pub note: Option<String>,
}

impl Script {
    /// The events, in order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.items.iter().filter_map(|item| match item {
            Item::Event(event) => Some(event),
            _ => None,
        })
    }

    /// The value of the last option of this name, without dashes and quotes; an empty one where it has none.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().rev().find_map(|option| {
            let (given, value) = option.split_once('=').unwrap_or((option, ""));
            (given.strip_prefix("--") == Some(name)).then(|| value.trim_matches('"'))
        })
    }
}

impl SystemResult {
    /// A number that is no error.
    pub fn value(value: u32) -> SystemResult {
        SystemResult {
            value: Expression::Integer(i64::from(value)),
            errno: None,
            note: None,
        }
    }

    /// −1 with this `errno`.
    pub fn error(errno: &str) -> SystemResult {
        SystemResult {
            value: Expression::Integer(-1),
            errno: Some(errno.to_owned()),
            note: None,
        }
    }
}
