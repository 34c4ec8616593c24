//! The steps of a scenario: concrete segments, calls, waits. Numbers are relative to the initial sequence numbers, as
//! in packetdrill, so a scenario can run again against another connection of the same stack.

use ackward_model::payload::{self, Copy};
use ackward_model::{Address, Icmp, IcmpKind};
use ackward_model::{
    Call, Carrier, Flags, Micros, Options, SackBlock, SackBlocks, Segment, SeqNum, TcpOption,
    TsVal, WindowField,
};
use serde::{Deserialize, Serialize};

use crate::Setup;

/// What to do, from the opening on.
///
/// A passive open starts with a listening socket; the driver accepts as soon as it can. An active open starts with a
/// `connect` whose SYN is emission 0.
#[derive(
    Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, arbitrary::Arbitrary,
)]
pub struct Scenario {
    /// The circumstances.
    pub setup: Setup,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, arbitrary::Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A segment arrives at the stack.
    Segment(SegmentSpec),
    /// The application on the stack's side acts.
    Call(Call),
    /// This many microseconds pass.
    Wait(Micros),
    /// The network tells the stack something.
    Icmp(IcmpSpec),
}

/// An ICMP message in relative numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, arbitrary::Arbitrary)]
pub struct IcmpSpec {
    /// What it says.
    pub kind: IcmpKind,
    /// SEG.SEQ of the segment that it quotes, minus the stack's ISS.
    pub seq: u32,
    /// That segment is of another connection between the same hosts.
    pub foreign: bool,
}

impl IcmpSpec {
    /// The message to put on the wire.
    pub fn resolve(&self, live: &dyn Live) -> Icmp {
        Icmp {
            kind: self.kind,
            seq: live.iss() + self.seq,
            foreign: self.foreign,
        }
    }
}

/// A segment in relative numbers.
#[derive(
    Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, arbitrary::Arbitrary,
)]
pub struct SegmentSpec {
    /// Control bits.
    pub flags: Flags,
    /// SEG.SEQ minus the peer's ISN: a SYN has 0, the first octet of text 1.
    pub seq: u32,
    /// SEG.ACK minus the stack's ISS: 1 acknowledges its SYN. Ignored without ACK.
    pub ack: u32,
    /// SEG.WND as on the wire.
    pub window: u16,
    /// SEG.UP; without meaning unless the URG flag is set.
    #[serde(default)]
    pub urgent: u16,
    /// Octets of text.
    pub len: u16,
    /// Which copy of the peer's text this is (see [`ackward_model::payload`]).
    pub copy: Copy,
    /// Options in wire order.
    pub options: Vec<OptionSpec>,
    /// The checksum is wrong.
    #[serde(default)]
    pub damaged: bool,
    /// The datagram has an IP option of unknown kind (in IPv4).
    #[serde(default)]
    pub ip_option: bool,
    /// Which addresses the datagram has.
    #[serde(default)]
    pub address: Address,
}

/// A TCP option in relative numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, arbitrary::Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum OptionSpec {
    /// Kind 0.
    EndOfList,
    /// Kind 1.
    NoOperation,
    /// Kind 2.
    MaximumSegmentSize(u16),
    /// Kind 3, any shift.
    WindowScale(u8),
    /// Kind 4.
    SackPermitted,
    /// Kind 5: left and right edges minus the stack's ISS, at most four.
    Sack(Vec<(u32, u32)>),
    /// Kind 8.
    Timestamps {
        /// TSval, verbatim.
        tsval: u32,
        /// What TSecr is.
        tsecr: Echo,
    },
    /// Octets as they are, kind and length included.
    Raw(Vec<u8>),
}

/// A TSecr that can be resolved against another run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, arbitrary::Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum Echo {
    /// The TSval of the stack's k-th emission (0 is its first), or of the last one before it that had a timestamp.
    Emission(u32),
    /// This value verbatim.
    Value(u32),
}

/// What must be known to make a specification concrete.
pub trait Live {
    /// The peer's ISN.
    fn isn(&self) -> SeqNum;
    /// The stack's ISS; 0 until it is known.
    fn iss(&self) -> SeqNum;
    /// The TSval of the stack's `k`-th emission or of the last one before it that had one; 0 if none.
    fn tsval_of_emission(&self, k: u32) -> TsVal;
}

impl SegmentSpec {
    /// The segment to put on the wire.
    pub fn resolve(&self, live: &dyn Live) -> Segment {
        let SegmentSpec {
            flags,
            seq,
            ack,
            window,
            urgent,
            len,
            copy,
            options,
            damaged,
            ip_option,
            address,
        } = self;
        let offset = seq
            .wrapping_add(u32::from(flags.contains(Flags::SYN)))
            .wrapping_sub(1);
        Segment {
            seq: live.isn() + *seq,
            ack: if flags.contains(Flags::ACK) {
                live.iss() + *ack
            } else {
                SeqNum(*ack)
            },
            flags: *flags,
            window: WindowField(*window),
            urgent: *urgent,
            options: Options(options.iter().map(|option| option.resolve(live)).collect())
                .as_received(),
            damaged: *damaged,
            carrier: Carrier {
                options: *ip_option,
                address: *address,
                ..Carrier::default()
            },
            payload: payload::peer_text(offset, u32::from(*len), *copy),
        }
    }

    /// TSval, if there is a timestamps option.
    pub fn tsval(&self) -> Option<u32> {
        self.options.iter().find_map(|option| match option {
            OptionSpec::Timestamps { tsval, .. } => Some(*tsval),
            _ => None,
        })
    }

    /// Sequence space taken: text, SYN and FIN.
    pub fn sequence_len(&self) -> u32 {
        u32::from(self.len)
            + u32::from(self.flags.contains(Flags::SYN))
            + u32::from(self.flags.contains(Flags::FIN))
    }
}

impl OptionSpec {
    /// The option's kind; `None` for raw octets that have none.
    pub fn kind(&self) -> Option<u8> {
        match self {
            OptionSpec::EndOfList => Some(0),
            OptionSpec::NoOperation => Some(1),
            OptionSpec::MaximumSegmentSize(_) => Some(2),
            OptionSpec::WindowScale(_) => Some(3),
            OptionSpec::SackPermitted => Some(4),
            OptionSpec::Sack(_) => Some(5),
            OptionSpec::Timestamps { .. } => Some(8),
            OptionSpec::Raw(bytes) => bytes.first().copied(),
        }
    }

    /// Octets on the wire.
    pub fn wire_len(&self) -> usize {
        match self {
            OptionSpec::EndOfList | OptionSpec::NoOperation => 1,
            OptionSpec::MaximumSegmentSize(_) => 4,
            OptionSpec::WindowScale(_) => 3,
            OptionSpec::SackPermitted => 2,
            OptionSpec::Sack(blocks) => 2 + 8 * blocks.len().min(4),
            OptionSpec::Timestamps { .. } => 10,
            OptionSpec::Raw(bytes) => bytes.len(),
        }
    }

    /// The option to put on the wire.
    pub fn resolve(&self, live: &dyn Live) -> TcpOption {
        match self {
            OptionSpec::EndOfList => TcpOption::EndOfList,
            OptionSpec::NoOperation => TcpOption::NoOperation,
            OptionSpec::MaximumSegmentSize(mss) => TcpOption::MaximumSegmentSize(*mss),
            OptionSpec::WindowScale(shift) => TcpOption::WindowScale(*shift),
            OptionSpec::SackPermitted => TcpOption::SackPermitted,
            OptionSpec::Sack(blocks) => {
                TcpOption::Sack(SackBlocks::new(blocks.iter().map(|(left, right)| {
                    SackBlock {
                        left: live.iss() + *left,
                        right: live.iss() + *right,
                    }
                })))
            }
            OptionSpec::Timestamps { tsval, tsecr } => TcpOption::Timestamps {
                tsval: TsVal(*tsval),
                tsecr: match tsecr {
                    Echo::Emission(k) => live.tsval_of_emission(*k),
                    Echo::Value(value) => TsVal(*value),
                },
            },
            OptionSpec::Raw(bytes) => TcpOption::Raw(bytes.clone()),
        }
    }
}

impl Scenario {
    /// The segments this scenario injects.
    pub fn segments(&self) -> impl Iterator<Item = &SegmentSpec> {
        self.steps.iter().filter_map(|step| match step {
            Step::Segment(segment) => Some(segment),
            _ => None,
        })
    }
}
