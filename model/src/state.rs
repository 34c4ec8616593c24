//! The states of a connection and their names.
//! RFC 9293 section 3.3.2.

use std::fmt;

/// A connection's state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum State {
    /// No connection.
    Closed,
    /// Waiting for a SYN.
    Listen,
    /// SYN sent.
    SynSent,
    /// SYN received, SYN,ACK sent or due.
    SynReceived,
    /// Open both ways.
    Established,
    /// Closed by the application; its FIN is not yet acknowledged.
    FinWait1,
    /// Our FIN is acknowledged; the peer's has not come.
    FinWait2,
    /// The peer's FIN has come; the application has not closed.
    CloseWait,
    /// Both FINs crossed; ours is not yet acknowledged.
    Closing,
    /// Closed after the peer's FIN; our FIN is not yet acknowledged.
    LastAck,
    /// Both FINs are acknowledged.
    TimeWait,
}

impl State {
    /// The name the RFC uses.
    pub fn name(self) -> &'static str {
        match self {
            State::Closed => "CLOSED",
            State::Listen => "LISTEN",
            State::SynSent => "SYN-SENT",
            State::SynReceived => "SYN-RECEIVED",
            State::Established => "ESTABLISHED",
            State::FinWait1 => "FIN-WAIT-1",
            State::FinWait2 => "FIN-WAIT-2",
            State::CloseWait => "CLOSE-WAIT",
            State::Closing => "CLOSING",
            State::LastAck => "LAST-ACK",
            State::TimeWait => "TIME-WAIT",
        }
    }

    /// Whether both sides know each other's initial sequence number.
    pub fn is_synchronized(self) -> bool {
        self >= State::Established
    }

    /// Whether the peer's FIN has been received and everything before it.
    pub fn has_peer_fin(self) -> bool {
        matches!(
            self,
            State::CloseWait | State::Closing | State::LastAck | State::TimeWait
        )
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
