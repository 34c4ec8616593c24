//! How segments read in script numbers, and what the dialect cannot say of them.
//! Numbers are relative to the initial sequence numbers, except on segments with SYN, where the peer's are verbatim.

use ackward_model::{Address, Flags, Segment, SeqNum, TcpOption, Trace, TsVal};
use ackward_scenario::{Echo, OptionSpec, Scenario, SegmentSpec};

use super::ExportError;
use super::clock::{PeerClock, StackClock};
use crate::ast::{Packet, PacketOption, PacketOptions};

/// What turns live numbers into script numbers.
#[derive(Debug)]
pub(super) struct Numbers {
    /// The sequence number of the peer's SYN.
    isn: SeqNum,
    /// How far that is from what the steps count from.
    shift: u32,
    /// The stack's initial sequence number.
    iss: SeqNum,
    /// The peer's TSvals.
    pub(super) peer: PeerClock,
    /// The stack's TSvals.
    pub(super) stack: StackClock,
}

impl Numbers {
    /// From what was done and what was seen.
    pub(super) fn new(scenario: &Scenario, trace: &Trace, peer: PeerClock) -> Numbers {
        let syn = trace.emissions().find(|segment| segment.has(Flags::SYN));
        let peer_syn = scenario
            .segments()
            .find(|segment| segment.flags.contains(Flags::SYN));
        let shift = peer_syn.map_or(0, |segment| segment.seq);
        Numbers {
            isn: SeqNum(scenario.setup.isn) + shift,
            shift,
            iss: syn.map_or(SeqNum(0), |segment| segment.seq),
            peer,
            stack: StackClock::default(),
        }
    }

    /// A number of the peer's sequence space, relative.
    pub(super) fn of_peer(&self, number: SeqNum) -> u32 {
        number.offset_from(self.isn)
    }

    /// A number of the stack's sequence space, relative.
    pub(super) fn of_stack(&self, number: SeqNum) -> u32 {
        number.offset_from(self.iss)
    }

    /// A segment off the wire as a step would give it.
    pub(super) fn specify(&self, segment: &Segment) -> SegmentSpec {
        let option = |option: &TcpOption| match option {
            TcpOption::EndOfList => OptionSpec::EndOfList,
            TcpOption::NoOperation => OptionSpec::NoOperation,
            TcpOption::MaximumSegmentSize(mss) => OptionSpec::MaximumSegmentSize(*mss),
            TcpOption::WindowScale(shift) => OptionSpec::WindowScale(*shift),
            TcpOption::SackPermitted => OptionSpec::SackPermitted,
            TcpOption::Sack(blocks) => OptionSpec::Sack(
                blocks
                    .as_slice()
                    .iter()
                    .map(|block| (self.of_stack(block.left), self.of_stack(block.right)))
                    .collect(),
            ),
            TcpOption::Timestamps { tsval, tsecr } => OptionSpec::Timestamps {
                tsval: tsval.0,
                tsecr: Echo::Value(tsecr.0),
            },
            TcpOption::Raw(octets) => OptionSpec::Raw(octets.clone()),
        };
        SegmentSpec {
            flags: segment.flags,
            seq: self.of_peer(segment.seq),
            ack: self.of_stack(segment.ack),
            window: segment.window.0,
            urgent: segment.urgent,
            len: segment.payload.len() as u16,
            copy: 0,
            options: segment.options.0.iter().map(option).collect(),
            damaged: segment.damaged,
            ip_option: segment.carrier.options,
            address: segment.carrier.address,
        }
    }

    /// A step as it reads when the peer's numbers count from its SYN.
    pub(super) fn count_from_syn(&self, spec: &SegmentSpec) -> SegmentSpec {
        SegmentSpec {
            seq: spec.seq.wrapping_sub(self.shift),
            ..spec.clone()
        }
    }

    /// An injected segment.
    pub(super) fn inbound(&self, spec: &SegmentSpec) -> Result<Packet, ExportError> {
        let SegmentSpec {
            flags,
            seq,
            ack,
            window,
            urgent,
            len,
            copy: _,
            options,
            damaged,
            ip_option,
            address,
        } = spec;
        if *damaged {
            return Err(ExportError::Damaged);
        }
        if *address != Address::Right {
            return Err(ExportError::Address);
        }
        if *ip_option {
            return Err(ExportError::IpOption);
        }
        let seq = self.peer_number(*flags, *seq);
        if seq.checked_add(u32::from(*len)).is_none() {
            return Err(ExportError::CrossesWrap);
        }
        let acknowledges = flags.contains(Flags::ACK);
        let options = options
            .iter()
            .map(|option| self.inbound_option(option, acknowledges))
            .collect::<Result<_, _>>()?;
        Ok(Packet {
            flags: *flags,
            seq,
            len: *len,
            ack: acknowledges.then_some(*ack),
            window: Some(*window),
            urgent: flags.contains(Flags::URG).then_some(*urgent),
            options: padded(options)?,
            ..Packet::default()
        })
    }

    /// An emitted segment; its script TSval is `tsval`. What the dialect has no word for is left unchecked.
    pub(super) fn outbound(&self, segment: &Segment, tsval: u32) -> Result<Packet, ExportError> {
        let seq = self.of_stack(segment.seq);
        let len = segment.payload.len() as u16;
        if seq.checked_add(u32::from(len)).is_none() {
            return Err(ExportError::CrossesWrap);
        }
        let acknowledges = segment.has(Flags::ACK);
        let options: Option<Vec<PacketOption>> = segment
            .options
            .0
            .iter()
            .map(|option| self.outbound_option(option, tsval, acknowledges))
            .collect();
        Ok(Packet {
            flags: segment.flags,
            seq,
            len,
            ack: acknowledges.then(|| self.peer_number(segment.flags, self.of_peer(segment.ack))),
            window: None,
            urgent: (segment.urgent != 0).then_some(segment.urgent),
            options: match options {
                Some(options) => padded(options)?,
                None => PacketOptions::Unchecked,
            },
            ..Packet::default()
        })
    }

    /// The dialect takes the peer's numbers verbatim on a segment with SYN.
    pub(super) fn peer_number(&self, flags: Flags, relative: u32) -> u32 {
        if flags.contains(Flags::SYN) {
            (self.isn + relative).0
        } else {
            relative
        }
    }

    fn inbound_option(
        &self,
        option: &OptionSpec,
        acknowledges: bool,
    ) -> Result<PacketOption, ExportError> {
        Ok(match option {
            OptionSpec::EndOfList => PacketOption::EndOfList,
            OptionSpec::NoOperation => PacketOption::NoOperation,
            OptionSpec::MaximumSegmentSize(mss) => PacketOption::MaximumSegmentSize(*mss),
            OptionSpec::WindowScale(shift) => PacketOption::WindowScale(*shift),
            OptionSpec::SackPermitted => PacketOption::SackPermitted,
            OptionSpec::Sack(blocks) => PacketOption::Sack(blocks.clone()),
            OptionSpec::Timestamps { tsval, tsecr } => PacketOption::Timestamps {
                tsval: self.peer.script(TsVal(*tsval)).0,
                tsecr: self.inbound_echo(*tsecr, acknowledges)?,
            },
            OptionSpec::Raw(_) => return Err(ExportError::RawOption),
        })
    }

    /// With ACK, packetdrill takes only a TSval that an earlier line expects, and maps it; without, any value.
    fn inbound_echo(&self, echo: Echo, acknowledges: bool) -> Result<u32, ExportError> {
        match echo {
            Echo::Emission(k) => match self.stack.of_emission(k as usize) {
                Some(tsval) => Ok(tsval),
                None if !acknowledges => Ok(0),
                None => Err(ExportError::UnknownEcho),
            },
            Echo::Value(value) if !acknowledges => Ok(value),
            Echo::Value(value) => self
                .stack
                .of_live(TsVal(value))
                .ok_or(ExportError::UnknownEcho),
        }
    }

    /// Without ACK the echo stands for nothing and is left as it is.
    fn outbound_option(
        &self,
        option: &TcpOption,
        tsval: u32,
        acknowledges: bool,
    ) -> Option<PacketOption> {
        Some(match option {
            TcpOption::EndOfList => PacketOption::EndOfList,
            TcpOption::NoOperation => PacketOption::NoOperation,
            TcpOption::MaximumSegmentSize(mss) => PacketOption::MaximumSegmentSize(*mss),
            TcpOption::WindowScale(shift) => PacketOption::WindowScale(*shift),
            TcpOption::SackPermitted => PacketOption::SackPermitted,
            TcpOption::Sack(blocks) => PacketOption::Sack(
                blocks
                    .as_slice()
                    .iter()
                    .map(|block| (self.of_peer(block.left), self.of_peer(block.right)))
                    .collect(),
            ),
            TcpOption::Timestamps { tsecr, .. } => PacketOption::Timestamps {
                tsval,
                tsecr: if acknowledges {
                    self.peer.script(*tsecr).0
                } else {
                    tsecr.0
                },
            },
            TcpOption::Raw(_) => return None,
        })
    }
}

/// `options` filled up to a multiple of four octets, as the grammar asks.
fn padded(mut options: Vec<PacketOption>) -> Result<PacketOptions, ExportError> {
    let mut len: usize = options.iter().map(PacketOption::wire_len).sum();
    while !len.is_multiple_of(4) {
        options.push(PacketOption::EndOfList);
        len += 1;
    }
    if len > 40 {
        return Err(ExportError::OptionsTooLong);
    }
    Ok(PacketOptions::Exactly(options))
}
