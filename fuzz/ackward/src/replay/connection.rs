//! Which connection a line of a script is about, and how its numbers become those on the wire.
//! Follows packetdrill's own way: one socket is under test at a time, and a SYN that reaches a listening one begins another.

use std::collections::BTreeMap;
use std::net::IpAddr;

use ackward_model::wire::{self, Route};
use ackward_model::{
    Carrier, Flags, Options, SackBlock, SackBlocks, Segment, SeqNum, TcpOption, TsVal, WindowField,
    payload,
};
use ackward_packetdrill::ast::{AccurateEcn, Ecn, IpField, Numbering};
use ackward_packetdrill::{Packet, PacketOption, PacketOptions};

use super::calls::Refusal;
use super::datagram;

/// What a socket has done so far, as far as a script's lines depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stand {
    /// Nothing yet.
    New,
    /// It listens.
    Listening,
    /// It connects and its SYN has not been seen.
    Connecting,
    /// Its SYN was seen.
    SynSent,
    /// A segment has reached the listening socket; nothing has come back.
    Received,
    /// The SYN,ACK was seen.
    SynAckSent,
    /// The handshake went on.
    Up,
}

/// A connection, or a socket that may become one.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    pub(super) stand: Stand,
    /// The number that the script has for the socket.
    pub(super) name: Option<i64>,
    /// From the peer to the stack.
    pub(super) route: Route,
    /// Initial sequence number of the stack, in the script and on the wire.
    script_iss: u32,
    pub(super) live_iss: Option<u32>,
    /// That of the peer, which is the same in both.
    pub(super) isn: Option<u32>,
    /// The live TSval for each that the script has.
    stamps: BTreeMap<u32, u32>,
}

impl Connection {
    /// A socket that the script calls `name`, between these addresses.
    pub(super) fn new(
        name: Option<i64>,
        local: (IpAddr, u16),
        remote: (IpAddr, u16),
    ) -> Connection {
        Connection {
            stand: Stand::New,
            name,
            route: Route {
                source: remote,
                destination: local,
            },
            script_iss: 0,
            live_iss: None,
            isn: None,
            stamps: BTreeMap::new(),
        }
    }

    /// A segment from the script is about to arrive.
    pub(super) fn arriving(&mut self, packet: &Packet) {
        let syn_ack = Flags::SYN.0 | Flags::ACK.0;
        match self.stand {
            Stand::SynAckSent if packet.flags.contains(Flags::ACK) => self.stand = Stand::Up,
            Stand::SynSent if packet.flags.contains(Flags(syn_ack)) => {
                self.stand = Stand::Up;
                self.isn = Some(packet.seq);
            }
            _ => {}
        }
    }

    /// The script expects a segment.
    pub(super) fn expecting(&mut self, packet: &Packet) {
        let syn = packet.flags.contains(Flags::SYN);
        let ack = packet.flags.contains(Flags::ACK);
        match self.stand {
            Stand::Connecting if syn && !ack => self.script_iss = packet.seq,
            Stand::Received if syn && ack => self.script_iss = packet.seq,
            _ => {}
        }
    }

    /// What was expected was sent.
    pub(super) fn sent(&mut self, packet: &Packet, live: &datagram::Datagram) {
        let syn = packet.flags.contains(Flags::SYN);
        let ack = packet.flags.contains(Flags::ACK);
        match self.stand {
            Stand::Connecting if syn && !ack => {
                self.live_iss = Some(live.seq);
                self.stand = Stand::SynSent;
                self.route.destination.1 = live.ports.0;
            }
            Stand::Received if syn && ack => {
                self.live_iss = Some(live.seq);
                self.stand = Stand::SynAckSent;
            }
            _ => {}
        }
        if let (Some(script), Some(live)) = (stamp_of_packet(packet), stamp_of_datagram(live)) {
            self.stamps.insert(script, live);
        }
    }

    /// How much must be added to a number of the stack's in the script: it counts from 0 after the SYN.
    fn local_offset(&self, syn: bool) -> u32 {
        let live = self.live_iss.unwrap_or(self.script_iss);
        if syn {
            live.wrapping_sub(self.script_iss)
        } else {
            live
        }
    }

    fn remote_offset(&self, syn: bool) -> u32 {
        if syn { 0 } else { self.isn.unwrap_or(0) }
    }

    /// The segment on the wire for one that the script injects, or why there is none.
    pub(super) fn to_wire(&self, packet: &Packet) -> Result<(Segment, Vec<u8>), Refusal> {
        let syn = packet.flags.contains(Flags::SYN);
        let ours = match packet.numbering {
            Numbering::Absolute => 0,
            _ => self.remote_offset(syn),
        };
        let theirs = match packet.numbering {
            Numbering::Absolute => 0,
            _ => self.local_offset(syn),
        };
        let seq = packet.seq.wrapping_add(ours);
        let ack = packet.ack.map_or(0, |ack| ack.wrapping_add(theirs));
        let mut options = Vec::new();
        if let PacketOptions::Exactly(given) = &packet.options {
            for option in given {
                options.push(self.option_to_wire(packet, option, theirs)?);
            }
        }
        let mut flags = packet.flags;
        let mut accurate_ecn = packet.accurate_ecn == AccurateEcn::Set;
        if let AccurateEcn::Counter(counter) = packet.accurate_ecn {
            accurate_ecn = counter & 4 != 0;
            flags.0 |= if counter & 2 != 0 { Flags::CWR.0 } else { 0 };
            flags.0 |= if counter & 1 != 0 { Flags::ECE.0 } else { 0 };
        }
        let mut carrier = Carrier {
            time_to_live: 255,
            ..Carrier::default()
        };
        let (mut congestion, mut label) = (0, 0);
        for field in &packet.ip {
            match *field {
                IpField::Ecn(Ecn::NotEct | Ecn::Either) => congestion = 0,
                IpField::Ecn(Ecn::Ect1) => congestion = 1,
                IpField::Ecn(Ecn::Ect0) => congestion = 2,
                IpField::Ecn(Ecn::Ce) => congestion = 3,
                IpField::TrafficClass { octet, .. } => {
                    carrier.traffic_class = octet & !3;
                    congestion = octet & 3;
                }
                IpField::TimeToLive { hops, .. } => carrier.time_to_live = hops,
                IpField::FlowLabel(flow) => label = flow,
            }
        }
        // The oracle tells octets by their place in the stream.
        let text = seq
            .wrapping_add(u32::from(syn))
            .wrapping_sub(self.isn.unwrap_or(seq));
        let segment = Segment {
            seq: SeqNum(seq),
            ack: SeqNum(ack),
            flags,
            window: WindowField(packet.window.unwrap_or(0)),
            urgent: packet.urgent.unwrap_or(0),
            options: Options(options),
            damaged: false,
            carrier,
            payload: payload::peer_text(text.wrapping_sub(1), u32::from(packet.len), 0),
        };
        let mut route = self.route;
        if let Some((source, destination)) = packet.ports {
            route.source.1 = source;
            route.destination.1 = destination;
        }
        let mut octets = Vec::new();
        wire::encode(&segment, route, &mut octets);
        if congestion != 0 || accurate_ecn || label != 0 {
            datagram::mark(&mut octets, congestion, accurate_ecn, label);
            wire::complete_checksum(&mut octets);
        }
        Ok((segment, octets))
    }

    fn option_to_wire(
        &self,
        packet: &Packet,
        option: &PacketOption,
        theirs: u32,
    ) -> Result<TcpOption, Refusal> {
        Ok(match option {
            PacketOption::Timestamps { tsval, tsecr } => {
                let echo = match self.stamps.get(tsecr) {
                    Some(live) => *live,
                    None if !packet.flags.contains(Flags::ACK) => *tsecr,
                    None => return Err(Refusal::Wrong("unable to infer live TS ecr".to_owned())),
                };
                TcpOption::Timestamps {
                    tsval: TsVal(*tsval),
                    tsecr: TsVal(echo),
                }
            }
            PacketOption::Sack(blocks) => {
                TcpOption::Sack(SackBlocks::new(blocks.iter().map(|(left, right)| {
                    SackBlock {
                        left: SeqNum(left.wrapping_add(theirs)),
                        right: SeqNum(right.wrapping_add(theirs)),
                    }
                })))
            }
            other => plain(other)?,
        })
    }

    /// The options that the script expects, as they would be on the wire; timestamps are compared apart.
    pub(super) fn expected_options(
        &self,
        packet: &Packet,
    ) -> Result<Option<Vec<TcpOption>>, Refusal> {
        let PacketOptions::Exactly(given) = &packet.options else {
            return Ok(None);
        };
        let offset = self.remote_offset(packet.flags.contains(Flags::SYN));
        let options = given.iter().map(|option| match option {
            PacketOption::Timestamps { tsval, tsecr } => Ok(TcpOption::Timestamps {
                tsval: TsVal(*tsval),
                tsecr: TsVal(*tsecr),
            }),
            PacketOption::Sack(blocks) => Ok(TcpOption::Sack(SackBlocks::new(blocks.iter().map(
                |(left, right)| SackBlock {
                    left: SeqNum(left.wrapping_add(offset)),
                    right: SeqNum(right.wrapping_add(offset)),
                },
            )))),
            other => plain(other),
        });
        options.collect::<Result<_, _>>().map(Some)
    }

    /// Sequence and acknowledgment number of a live segment in the script's numbers.
    pub(super) fn numbers(&self, live: &datagram::Datagram, absolute: bool) -> (u32, u32) {
        if absolute {
            return (live.seq, live.ack);
        }
        let syn = live.flags.contains(Flags::SYN);
        // Without an ACK bit the field is as the stack left it.
        let ack = match live.flags.contains(Flags::ACK) {
            true => live.ack.wrapping_sub(self.isn.unwrap_or(0)),
            false => live.ack,
        };
        (live.seq.wrapping_sub(self.local_offset(syn)), ack)
    }
}

/// An option without numbers of a connection.
fn plain(option: &PacketOption) -> Result<TcpOption, Refusal> {
    let hexadecimal = |digits: &str| -> Result<Vec<u8>, Refusal> {
        (0..digits.len() / 2)
            .map(|place| {
                u8::from_str_radix(digits.get(2 * place..2 * place + 2).unwrap_or(digits), 16)
            })
            .collect::<Result<_, _>>()
            .map_err(|_| Refusal::Needs("cookies by name".to_owned()))
    };
    Ok(match option {
        PacketOption::EndOfList => TcpOption::EndOfList,
        PacketOption::NoOperation => TcpOption::NoOperation,
        PacketOption::MaximumSegmentSize(octets) => TcpOption::MaximumSegmentSize(*octets),
        PacketOption::WindowScale(shift) => TcpOption::WindowScale(*shift),
        PacketOption::SackPermitted => TcpOption::SackPermitted,
        PacketOption::FastOpen {
            cookie,
            experimental,
        } => {
            let cookie = hexadecimal(cookie)?;
            let head = match experimental {
                true => vec![254, cookie.len() as u8 + 4, 0xf9, 0x89],
                false => vec![34, cookie.len() as u8 + 2],
            };
            TcpOption::Raw([head, cookie].concat())
        }
        PacketOption::Md5(_) => return Err(Refusal::Needs("the option md5".to_owned())),
        PacketOption::AccurateEcn(_) => return Err(Refusal::Needs("the option ECN".to_owned())),
        PacketOption::Sack(_) | PacketOption::Timestamps { .. } => {
            unreachable!("both hold numbers of a connection, and are mapped by their callers")
        }
    })
}

fn stamp_of_packet(packet: &Packet) -> Option<u32> {
    let PacketOptions::Exactly(options) = &packet.options else {
        return None;
    };
    options.iter().find_map(|option| match option {
        PacketOption::Timestamps { tsval, .. } => Some(*tsval),
        _ => None,
    })
}

fn stamp_of_datagram(live: &datagram::Datagram) -> Option<u32> {
    live.options.iter().find_map(|option| match option {
        TcpOption::Timestamps { tsval, .. } => Some(tsval.0),
        _ => None,
    })
}
