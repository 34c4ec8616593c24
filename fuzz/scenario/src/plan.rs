//! What to try, in terms of what will be seen: the moves of both applications, of the network, and of a peer that
//! breaks rules. A plan runs against any connection; the scenario it becomes depends on the answers.

use ackward_endpoint::{AckPolicy, Offer, TsClock};
use ackward_model::{Call, Flags, IcmpKind, Micros};
use arbitrary::Arbitrary;
use serde::{Deserialize, Serialize};

use crate::{Edit, Scenario, Setup, Step};

/// A conversation to try.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, Arbitrary)]
pub struct Plan {
    /// The circumstances.
    pub setup: Setup,
    /// The peer.
    pub peer: PeerConfig,
    /// What happens, in order.
    pub moves: Vec<Move>,
}

/// What kind of honest end the peer is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Arbitrary)]
pub struct PeerConfig {
    /// What its SYN offers.
    pub offer: Offer,
    /// Octets its receive buffer holds.
    pub buffer: u32,
    /// The TSval of its first segment.
    pub tsval: u32,
    /// How TSval rises.
    pub clock: TsClock,
    /// When it acknowledges text.
    pub acks: AckPolicy,
    /// Sends a SYN of its own although the stack opens: the SYNs may cross.
    pub opens_too: bool,
}

/// One move. `nth` counts what is in flight in that direction, oldest first, modulo how many there are.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// The application on the stack's side acts.
    Call(Call),
    /// The peer's application writes so many octets.
    PeerWrite(u16),
    /// The peer's application reads at most so many octets.
    PeerRead(u32),
    /// The peer's application will write no more.
    PeerShutdown,
    /// The peer's application gives up: a reset.
    PeerAbort,
    /// The peer's retransmission timer expires.
    PeerRetransmit,
    /// The peer is idle for so many ticks of its timestamp clock (milliseconds).
    PeerClock(u32),
    /// A segment reaches the stack.
    DeliverToStack(u8),
    /// A segment reaches the stack, and a copy of it stays in flight.
    RepeatToStack(u8),
    /// A segment to the stack is lost.
    DropToStack(u8),
    /// A segment reaches the peer.
    DeliverToPeer(u8),
    /// A segment to the peer is lost.
    DropToPeer(u8),
    /// So many microseconds pass.
    Wait(Micros),
    /// A segment reaches the stack with some fields other than the honest peer sent them.
    DeliverEdited {
        /// Which one.
        nth: u8,
        /// The edits, in order.
        edits: Vec<Edit>,
    },
    /// A segment the honest peer never sent reaches the stack.
    Craft(Craft),
    /// A step that is concrete already.
    Step(Step),
    /// The network tells the stack something about a segment of it.
    Icmp {
        /// What it says.
        kind: IcmpKind,
        /// SEG.SEQ of that segment.
        seq: (AckBase, i32),
        /// The segment is of another connection.
        foreign: bool,
    },
    /// The peer's application writes so many urgent octets.
    PeerWriteUrgent(u16),
}

/// A segment from scratch. TSecr is the stack's newest TSval; there are timestamps if the peer's SYN offered them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Arbitrary)]
pub struct Craft {
    /// SEG.SEQ.
    pub seq: (SeqBase, i32),
    /// SEG.ACK.
    pub ack: (AckBase, i32),
    /// TSval.
    pub tsval: (TsBase, i32),
    /// SEG.WND as on the wire.
    pub window: u16,
    /// Control bits.
    pub flags: Flags,
    /// Octets of text.
    pub len: u16,
    /// Which copy of the text.
    pub copy: u8,
}

/// A place in the peer's sequence space, as far as the wire tells it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum SeqBase {
    /// The furthest acknowledgment the stack has sent.
    RcvNxt,
    /// The largest edge of a window the stack has ever advertised: the first octet it never allowed.
    Edge,
    /// The peer's ISN.
    Irs,
}

/// A place in the stack's sequence space, as far as the wire tells it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum AckBase {
    /// The furthest acknowledgment that has reached the stack.
    SndUna,
    /// The end of what the stack has sent.
    SndNxt,
}

/// A value of the peer's timestamp clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum TsBase {
    /// The newest that has reached the stack.
    Newest,
    /// The last one the stack has echoed.
    Recent,
}

impl Default for PeerConfig {
    fn default() -> PeerConfig {
        PeerConfig {
            offer: Offer::default(),
            buffer: 65535,
            tsval: 1,
            clock: TsClock::default(),
            acks: AckPolicy::Immediate,
            opens_too: false,
        }
    }
}

impl Move {
    /// Whether only a peer that breaks rules makes this move.
    pub fn breaks_rules(&self) -> bool {
        matches!(
            self,
            Move::DeliverEdited { .. }
                | Move::Craft(_)
                | Move::Icmp { .. }
                | Move::Step(Step::Segment(_) | Step::Icmp(_))
        )
    }
}

/// Every scenario is a plan that looks at nothing. What it holds beyond [`MAX_STEPS`](crate::conversation::MAX_STEPS)
/// steps a conversation does not play.
impl From<Scenario> for Plan {
    fn from(scenario: Scenario) -> Plan {
        Plan {
            setup: scenario.setup,
            peer: PeerConfig::default(),
            moves: scenario.steps.into_iter().map(Move::Step).collect(),
        }
    }
}
