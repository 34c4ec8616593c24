//! What the network tells a stack about a segment that it has sent.
//! RFC 9293 section 3.9.2.2.

use serde::{Deserialize, Serialize};

use crate::{SeqNum, Tcb};

/// An ICMP or ICMPv6 message about a segment of the stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Icmp {
    /// What it says.
    pub kind: IcmpKind,
    /// SEG.SEQ of the segment that it quotes.
    pub seq: SeqNum,
    /// The quoted segment is of another connection between the same hosts.
    pub foreign: bool,
}

/// What an ICMP message says, in the words of ICMP for IPv4; IPv6 has its own for all but the source quench.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, arbitrary::Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum IcmpKind {
    /// Destination unreachable, code 0.
    NetworkUnreachable,
    /// Destination unreachable, code 1.
    HostUnreachable,
    /// Destination unreachable, code 2.
    ProtocolUnreachable,
    /// Destination unreachable, code 3.
    PortUnreachable,
    /// Source quench.
    SourceQuench,
    /// Time exceeded, code 0.
    TimeExceeded,
    /// Parameter problem, code 0.
    ParameterProblem,
}

impl IcmpKind {
    /// Whether it says that the peer will never be reached.
    pub fn is_hard(self) -> bool {
        matches!(
            self,
            IcmpKind::ProtocolUnreachable | IcmpKind::PortUnreachable
        )
    }

    /// Whether it says that the peer is not reached for now.
    pub fn is_soft(self) -> bool {
        !self.is_hard() && self != IcmpKind::SourceQuench
    }
}

impl Icmp {
    /// Whether it is about something that the connection has in flight.
    pub fn concerns(&self, tcb: &Tcb) -> bool {
        tcb.state.is_synchronized()
            && !self.foreign
            && self.seq.at_or_after(tcb.snd_una)
            && self.seq.before(tcb.snd_nxt)
    }
}
