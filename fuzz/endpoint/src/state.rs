//! The states of a connection, and what each of them still lets either side do.
//! RFC 9293 section 3.3.2.

/// A connection's state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum State {
    /// CLOSED.
    Closed,
    /// LISTEN.
    Listen,
    /// SYN-SENT.
    SynSent,
    /// SYN-RECEIVED.
    SynReceived,
    /// ESTABLISHED.
    Established,
    /// FIN-WAIT-1.
    FinWait1,
    /// FIN-WAIT-2.
    FinWait2,
    /// CLOSE-WAIT.
    CloseWait,
    /// CLOSING.
    Closing,
    /// LAST-ACK.
    LastAck,
    /// TIME-WAIT.
    TimeWait,
}

impl State {
    /// Whether text and FIN may go out: the handshake is over and our FIN is not acknowledged.
    pub(crate) fn sends(self) -> bool {
        matches!(
            self,
            State::Established
                | State::FinWait1
                | State::CloseWait
                | State::Closing
                | State::LastAck
        )
    }

    /// Whether arriving text is taken: the other side's FIN has not been reached.
    pub(crate) fn takes_text(self) -> bool {
        matches!(self, State::Established | State::FinWait1 | State::FinWait2)
    }

    /// Whether both sides have seen each other's SYN.
    pub fn is_synchronized(self) -> bool {
        !matches!(
            self,
            State::Closed | State::Listen | State::SynSent | State::SynReceived
        )
    }
}
