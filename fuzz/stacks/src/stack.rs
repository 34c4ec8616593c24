//! What a stack under test is to the rest: a host that opens connections, one a case.

use std::fmt;

use ackward_model::{Call, Icmp, Micros, Outcome, Sample, Segment};
use ackward_scenario::Setup;

use crate::StackError;

/// Where emissions go: the time they were read (microseconds since the case began), and the segment.
pub type Outbox<'a> = &'a mut dyn FnMut(Micros, Segment);

/// A stack in its surroundings (namespace, link, clock).
///
/// A host belongs to the thread that made it. One case runs at a time.
pub trait Host {
    /// What it is.
    fn info(&self) -> &StackInfo;

    /// Begins a case: a fresh pair of addresses and ports; a listening socket, or one that has yet to connect.
    fn open(&mut self, setup: &Setup) -> Result<Box<dyn Connection + '_>, StackError>;

    /// Replaces the surroundings, so that nothing of earlier cases is left.
    fn renew(&mut self) -> Result<(), StackError>;

    /// Starts or stops taking down what the stack says about each injected segment. Returns whether it can.
    fn listen_to_kernel(&mut self, on: bool) -> bool;

    /// What the stack said during the last case, if it was listened to.
    fn kernel_words(&mut self) -> Option<KernelWords>;

    /// Something that the user should know, once: why cases were held back.
    fn notice(&mut self) -> Option<String>;
}

/// One case on a stack: its network side and its application side.
pub trait Connection {
    /// Microseconds since the case began.
    fn now(&self) -> Micros;

    /// A segment arrives at the stack.
    fn inject(&mut self, segment: &Segment) -> Result<(), StackError>;

    /// The network tells the stack something.
    fn tell(&mut self, icmp: &Icmp) -> Result<(), StackError>;

    /// The application acts. `None`: there is nothing to act on (no connection accepted yet, or closed already).
    fn call(&mut self, call: &Call) -> Result<Option<Outcome>, StackError>;

    /// Hands over what the stack has emitted on this connection, oldest first. `now` is the time to give it; to read the
    /// clock for each would cost as much as a segment does.
    fn drain(&mut self, now: Micros, out: Outbox<'_>) -> Result<(), StackError>;

    /// Lets `by` microseconds pass and hands over what is emitted meanwhile.
    fn elapse(&mut self, by: Micros, out: Outbox<'_>) -> Result<(), StackError>;

    /// What the stack says of itself, if there is a socket to ask.
    fn inspect(&mut self) -> Option<Sample>;

    /// How many segments the stack says it has ever dropped for lack of memory. Two readings make a difference.
    fn memory_drops(&mut self) -> u64;

    /// Ends the case and leaves nothing behind.
    fn close(self: Box<Self>) -> Result<(), StackError>;
}

/// What a stack is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackInfo {
    /// Its name, as in `--stack`.
    pub name: &'static str,
    /// Its version, as it gives it.
    pub version: String,
    /// The link to it, if it has one.
    pub link: Option<LinkKind>,
    /// Its clock.
    pub clock: Clock,
}

/// How segments get to the stack and back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LinkKind {
    /// A TUN device: IP datagrams.
    Tun,
    /// AF_PACKET on one end of a veth pair: Ethernet frames.
    Raw,
}

/// Whose time a stack lives in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Clock {
    /// The machine's: to wait takes time, and absences need patience.
    Real,
    /// Its own: to wait takes no time.
    Virtual,
}

/// What the stack said about one case, beside the trace. Never needed for a verdict.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct KernelWords {
    /// A word for each injected segment, in order: `dropped: TCP_OVERWINDOW`, `not dropped`.
    pub segments: Vec<String>,
    /// Lines of the kernel log that report a fault in the kernel.
    pub log: Vec<String>,
}

impl fmt::Display for LinkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LinkKind::Tun => "tun",
            LinkKind::Raw => "raw",
        })
    }
}
