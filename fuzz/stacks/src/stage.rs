//! What a script drives: a host seen as datagrams, system calls and a clock.
//!
//! Numbers (domains, options, flags, errors) are those of Linux on every stage: scripts are written in their names.

use std::net::{IpAddr, SocketAddr};

use ackward_model::Micros;

use crate::StackError;

/// Where a script takes place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StageOptions {
    /// The stack's address.
    pub local: IpAddr,
    /// Its peer's, of the same family.
    pub remote: IpAddr,
    /// The largest datagram of the link between them, in octets.
    pub mtu: u16,
    /// Segments that are injected count as several of this size, in octets of text, if they hold more.
    pub segment_size: Option<u16>,
}

/// A host on which one script runs.
///
/// Times are microseconds since [`start`](Stage::start). A stage belongs to the thread that made it.
pub trait Stage {
    /// Time begins.
    fn start(&mut self) -> Result<(), StackError>;

    /// The time.
    fn now(&mut self) -> Micros;

    /// Lets time pass until `at`; not at all if that is over.
    fn wait_until(&mut self, at: Micros) -> Result<(), StackError>;

    /// A datagram arrives at the host.
    fn inject(&mut self, datagram: &[u8]) -> Result<(), StackError>;

    /// The next datagram that the host has sent to the peer, oldest first, and when it did. Waits for one until
    /// `deadline`.
    fn outbound(&mut self, deadline: Micros) -> Result<Option<(Micros, Vec<u8>)>, StackError>;

    /// The application calls, and waits for the result.
    fn call(&mut self, operation: Operation) -> Result<Returned, StackError>;

    /// The application calls, and the script goes on meanwhile. At most one such call runs at a time.
    fn begin(&mut self, operation: Operation) -> Result<(), StackError>;

    /// The result of the call begun last, and when it was there. Waits for it until `deadline`.
    fn finish(&mut self, deadline: Micros) -> Result<Option<(Micros, Returned)>, StackError>;

    /// A process started now would find itself in the host that the script runs on.
    fn is_kernel(&self) -> bool;

    /// Puts a setting of the host in force, by its name (`net.ipv4.tcp_sack`). `None`: there is nothing like it here.
    fn set(&mut self, name: &str, value: &str) -> Result<Option<()>, StackError>;

    /// What a setting is, by the same name.
    fn setting(&self, name: &str) -> Option<String>;
}

/// A system call. Descriptors are those that the stage has handed out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// `socket`: domain, type, protocol.
    Socket(i32, i32, i32),
    /// `bind`.
    Bind(i32, SocketAddr),
    /// `listen`: backlog.
    Listen(i32, i32),
    /// `accept`, whose result is a descriptor.
    Accept(i32),
    /// `connect`.
    Connect(i32, SocketAddr),
    /// `recv` of at most so many octets, with these flags; `None` for `read`.
    Receive(i32, u32, Option<i32>),
    /// `send` with these flags; `None` for `write`.
    Send(i32, Vec<u8>, Option<i32>),
    /// `close`.
    Close(i32),
    /// `shutdown`: which way.
    Shutdown(i32, i32),
    /// `fcntl`: command and argument.
    Control(i32, i32, i32),
    /// `getsockopt`: level, name, length offered.
    GetOption(i32, i32, i32, u32),
    /// `setsockopt`: level, name, value.
    SetOption(i32, i32, i32, Vec<u8>),
    /// `poll`: descriptors with the events asked for, and milliseconds.
    Poll(Vec<(i32, i16)>, i32),
}

/// What a system call returns.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Returned {
    /// The value.
    pub value: i64,
    /// `errno`, where the value is −1.
    pub errno: i32,
    /// What was written for the caller: text received, the value of an option, the events of `poll` (two octets each).
    pub octets: Vec<u8>,
}
