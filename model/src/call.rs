//! What the application on the stack's side can do, and what it gets back.
//! RFC 9293 section 3.9.1 in terms of the sockets interface.

use serde::{Deserialize, Serialize};

/// One call of the application on the stack's side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, arbitrary::Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// `connect` (active open). Returns at once; the SYN is an emission.
    Connect,
    /// `accept` (passive open). [`Outcome::Done`] once there is a connection, `EAGAIN` before.
    Accept,
    /// `write` of this many octets of [`stack_octet`](crate::payload::stack_octet) text, from where the last write ended.
    Write(u32),
    /// `read` of at most this many octets, without blocking.
    Read(u32),
    /// `shutdown(SHUT_WR)`.
    ShutdownWrite,
    /// `close`.
    Close,
    /// `setsockopt`.
    Set(SocketOption),
    /// Writes a setting of the host, mid-connection.
    Sysctl(Sysctl),
    /// `send(MSG_OOB)` of this many octets, as [`Call::Write`]: all that was written so far is urgent.
    WriteUrgent(u32),
    /// Asks for urgent text: [`Outcome::Done`] of 1 if `poll(POLLPRI)` finds some, and of 2 more if `SIGURG` has come since it
    /// was asked for last.
    Urgent,
    /// `listen` of a further socket on the connection's port (passive open), which is closed again. [`Outcome::Done`] if a
    /// SYN from another peer's port was answered meanwhile.
    Listen,
}

/// A socket option with its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, arbitrary::Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum SocketOption {
    /// `SO_RCVBUF`, octets as passed (the kernel doubles it).
    ReceiveBuffer(u32),
    /// `SO_RCVLOWAT`, octets.
    ReceiveLowWater(u32),
    /// `TCP_WINDOW_CLAMP`, octets.
    WindowClamp(u32),
    /// `TCP_NODELAY`.
    NoDelay(bool),
    /// `TCP_QUICKACK`.
    QuickAck(bool),
    /// `SO_KEEPALIVE`.
    KeepAlive(bool),
    /// `TCP_KEEPIDLE`, seconds.
    KeepIdle(u32),
    /// `TCP_USER_TIMEOUT`, milliseconds.
    UserTimeout(u32),
    /// `IP_TOS` or `IPV6_TCLASS`: the octet of the differentiated services field, without its two lowest bits.
    TrafficClass(u8),
    /// `IP_TTL` or `IPV6_UNICAST_HOPS`.
    TimeToLive(u8),
    /// `SO_OOBINLINE`: urgent text stays in the stream, as the RFCs have it.
    UrgentInline(bool),
}

/// A setting of the host. Unlisted ones stay at the stack's default.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, arbitrary::Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum Sysctl {
    /// `tcp_window_scaling`.
    WindowScaling(bool),
    /// `tcp_timestamps` (1 or 0).
    Timestamps(bool),
    /// `tcp_sack`.
    Sack(bool),
    /// `tcp_rmem`: minimum, default and maximum receive buffer, octets.
    ReceiveMemory(u32, u32, u32),
    /// `tcp_moderate_rcvbuf`.
    ModerateReceiveBuffer(bool),
    /// `tcp_shrink_window`.
    ShrinkWindow(bool),
    /// `tcp_syncookies`: never (0), or always (2): no state is kept of a SYN, and what its answer acknowledges says what was
    /// in it (RFC 4987 section 3.6). By default only where SYNs come in floods.
    SynCookies(bool),
}

/// What a call returned.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// Success; for `Write` the number of octets taken, else 0.
    Done(u32),
    /// The octets that `Read` returned; none means end of stream.
    Data(Vec<u8>),
    /// `errno`.
    Error(i32),
}
