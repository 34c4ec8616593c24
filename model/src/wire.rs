//! Segments to IP datagrams and back: header layout and checksums.
//! RFC 9293 section 3.1, RFC 791, RFC 8200.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use pnet_packet::ip::IpNextHeaderProtocols;
use pnet_packet::ipv4::{self, Ipv4Packet, MutableIpv4Packet};
use pnet_packet::ipv6::{Ipv6Packet, MutableIpv6Packet};
use pnet_packet::tcp::{MutableTcpPacket, TcpPacket, ipv4_checksum, ipv6_checksum};
use pnet_packet::{MutablePacket, Packet};
use thiserror::Error;

use crate::{Address, Carrier, Flags, Icmp, IcmpKind, Options, Segment, SeqNum, WindowField};

const IPV4_HEADER: usize = 20;
/// An IPv4 option for experiments, of four octets (RFC 4727 section 3.3).
const UNKNOWN_OPTION: [u8; 4] = [30, 4, 0, 0];
/// The bits of the traffic class that are not the differentiated services field's.
const ECN: u8 = 3;
const IPV6_HEADER: usize = 40;
const TCP_HEADER: usize = 20;
/// Where the header says how long it is.
const TCP_DATA_OFFSET: usize = 12;

/// Where a segment goes: both addresses are of one family.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Route {
    /// Source address and port.
    pub source: (IpAddr, u16),
    /// Destination address and port.
    pub destination: (IpAddr, u16),
}

impl Route {
    /// The way back.
    pub fn reversed(self) -> Route {
        Route {
            source: self.destination,
            destination: self.source,
        }
    }
}

/// Why octets are no TCP segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum WireError {
    /// Not TCP in plain IPv4 or IPv6 (another protocol, a fragment, an extension header).
    #[error("not a TCP segment")]
    NotTcp,
    /// Shorter than its own headers say.
    #[error("shorter than its headers say")]
    Truncated,
}

/// Writes the datagram that carries `segment` along `route` into `datagram`, which is cleared first.
pub fn encode(segment: &Segment, route: Route, datagram: &mut Vec<u8>) {
    let route = addressed(route, segment.carrier.address);
    datagram.clear();
    match (route.source.0, route.destination.0) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            append_tcp(segment, IPV4_HEADER + option_len(segment), datagram);
            if let Some(mut ip) = MutableIpv4Packet::new(datagram) {
                write_ipv4(&mut ip, source, destination, segment.carrier);
                if let Some(mut tcp) = MutableTcpPacket::new(ip.payload_mut()) {
                    write_tcp(&mut tcp, segment, route);
                    let checksum = ipv4_checksum(&tcp.to_immutable(), &source, &destination);
                    tcp.set_checksum(checksum ^ damage(segment));
                }
            }
        }
        (source, destination) => {
            let (source, destination) = (as_v6(source), as_v6(destination));
            append_tcp(segment, IPV6_HEADER, datagram);
            let tcp_len = datagram.len() - IPV6_HEADER;
            if let Some(mut ip) = MutableIpv6Packet::new(datagram) {
                write_ipv6(&mut ip, (source, destination), tcp_len, segment.carrier);
                if let Some(mut tcp) = MutableTcpPacket::new(ip.payload_mut()) {
                    write_tcp(&mut tcp, segment, route);
                    let checksum = ipv6_checksum(&tcp.to_immutable(), &source, &destination);
                    tcp.set_checksum(checksum ^ damage(segment));
                }
            }
        }
    }
}

/// Writes the datagram that brings `icmp` from the peer of `route` into `datagram`, which is cleared first. `false` if the
/// family has no such message; then nothing is written.
pub fn encode_icmp(icmp: &Icmp, route: Route, datagram: &mut Vec<u8>) -> bool {
    datagram.clear();
    let quoted = Segment {
        seq: icmp.seq,
        flags: Flags::ACK,
        ..Segment::default()
    };
    let mut back = route.reversed();
    back.source.1 ^= u16::from(icmp.foreign);
    let mut quote = Vec::with_capacity(IPV6_HEADER + TCP_HEADER);
    encode(&quoted, back, &mut quote);
    match (route.source.0, route.destination.0) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            let (kind, code) = match icmp.kind {
                IcmpKind::NetworkUnreachable => (3, 0),
                IcmpKind::HostUnreachable => (3, 1),
                IcmpKind::ProtocolUnreachable => (3, 2),
                IcmpKind::PortUnreachable => (3, 3),
                IcmpKind::SourceQuench => (4, 0),
                IcmpKind::TimeExceeded => (11, 0),
                IcmpKind::ParameterProblem => (12, 0),
            };
            datagram.resize(IPV4_HEADER, 0);
            datagram.extend([kind, code, 0, 0, 0, 0, 0, 0]);
            datagram.extend_from_slice(&quote[..IPV4_HEADER + ICMP_QUOTE]);
            let sum = pnet_packet::util::checksum(&datagram[IPV4_HEADER..], 1);
            datagram[IPV4_HEADER + 2..IPV4_HEADER + 4].copy_from_slice(&sum.to_be_bytes());
            if let Some(mut ip) = MutableIpv4Packet::new(datagram) {
                ip.set_next_level_protocol(IpNextHeaderProtocols::Icmp);
                write_ipv4(&mut ip, source, destination, Carrier::default());
            }
        }
        (source, destination) => {
            let (source, destination) = (as_v6(source), as_v6(destination));
            let (kind, code) = match icmp.kind {
                IcmpKind::NetworkUnreachable => (1, 0),
                IcmpKind::HostUnreachable => (1, 3),
                IcmpKind::ProtocolUnreachable => (1, 1),
                IcmpKind::PortUnreachable => (1, 4),
                IcmpKind::SourceQuench => return false,
                IcmpKind::TimeExceeded => (3, 0),
                IcmpKind::ParameterProblem => (4, 0),
            };
            datagram.resize(IPV6_HEADER, 0);
            datagram.extend([kind, code, 0, 0, 0, 0, 0, 0]);
            datagram.extend_from_slice(&quote);
            let sum = pnet_packet::util::ipv6_checksum(
                &datagram[IPV6_HEADER..],
                1,
                &[],
                &source,
                &destination,
                IpNextHeaderProtocols::Icmpv6,
            );
            datagram[IPV6_HEADER + 2..IPV6_HEADER + 4].copy_from_slice(&sum.to_be_bytes());
            let len = datagram.len() - IPV6_HEADER;
            if let Some(mut ip) = MutableIpv6Packet::new(datagram) {
                write_ipv6(&mut ip, (source, destination), len, Carrier::default());
                ip.set_next_header(IpNextHeaderProtocols::Icmpv6);
            }
        }
    }
    true
}

/// Octets of a segment that an ICMP message quotes at least.
const ICMP_QUOTE: usize = 8;

/// Reads a datagram. Where the TCP checksum does not fit, the segment is marked as damaged.
pub fn decode(datagram: &[u8]) -> Result<(Route, Segment), WireError> {
    match datagram.first().map(|octet| octet >> 4) {
        Some(4) => {
            let ip = Ipv4Packet::new(datagram).ok_or(WireError::Truncated)?;
            let fragment = ip.get_fragment_offset() != 0 || ip.get_flags() & 1 != 0;
            if ip.get_next_level_protocol() != IpNextHeaderProtocols::Tcp || fragment {
                return Err(WireError::NotTcp);
            }
            let header = usize::from(ip.get_header_length()) * 4;
            let octets = datagram
                .get(header..usize::from(ip.get_total_length()))
                .ok_or(WireError::Truncated)?;
            let (source, destination) = (ip.get_source(), ip.get_destination());
            let tcp = TcpPacket::new(octets).ok_or(WireError::Truncated)?;
            let computed = ipv4_checksum(&tcp, &source, &destination);
            let carrier = Carrier {
                traffic_class: ip.get_dscp() << 2,
                time_to_live: ip.get_ttl(),
                options: header > IPV4_HEADER,
                address: Address::Right,
            };
            read_tcp(&tcp, octets, (source.into(), destination.into()), computed)
                .map(|(route, segment)| (route, Segment { carrier, ..segment }))
        }
        Some(6) => {
            let ip = Ipv6Packet::new(datagram).ok_or(WireError::Truncated)?;
            if ip.get_next_header() != IpNextHeaderProtocols::Tcp {
                return Err(WireError::NotTcp);
            }
            let end = IPV6_HEADER + usize::from(ip.get_payload_length());
            let octets = datagram.get(IPV6_HEADER..end).ok_or(WireError::Truncated)?;
            let (source, destination) = (ip.get_source(), ip.get_destination());
            let tcp = TcpPacket::new(octets).ok_or(WireError::Truncated)?;
            let computed = ipv6_checksum(&tcp, &source, &destination);
            let carrier = Carrier {
                traffic_class: ip.get_traffic_class() & !ECN,
                time_to_live: ip.get_hop_limit(),
                options: false,
                address: Address::Right,
            };
            read_tcp(&tcp, octets, (source.into(), destination.into()), computed)
                .map(|(route, segment)| (route, Segment { carrier, ..segment }))
        }
        _ => Err(WireError::NotTcp),
    }
}

/// Writes the right TCP checksum into a datagram that has been altered, or has none. No TCP: does nothing.
pub fn complete_checksum(datagram: &mut [u8]) {
    match datagram.first().map(|octet| octet >> 4) {
        Some(4) => {
            let Some(mut ip) = MutableIpv4Packet::new(datagram) else {
                return;
            };
            ip.set_checksum(ipv4::checksum(&ip.to_immutable()));
            if ip.get_next_level_protocol() != IpNextHeaderProtocols::Tcp {
                return;
            }
            let (source, destination) = (ip.get_source(), ip.get_destination());
            if let Some(mut tcp) = MutableTcpPacket::new(ip.payload_mut()) {
                tcp.set_checksum(ipv4_checksum(&tcp.to_immutable(), &source, &destination));
            }
        }
        Some(6) => {
            let Some(mut ip) = MutableIpv6Packet::new(datagram) else {
                return;
            };
            if ip.get_next_header() != IpNextHeaderProtocols::Tcp {
                return;
            }
            let (source, destination) = (ip.get_source(), ip.get_destination());
            if let Some(mut tcp) = MutableTcpPacket::new(ip.payload_mut()) {
                tcp.set_checksum(ipv6_checksum(&tcp.to_immutable(), &source, &destination));
            }
        }
        _ => {}
    }
}

/// The route with one address in it replaced.
pub fn addressed(route: Route, address: Address) -> Route {
    let is_v4 = route.source.0.is_ipv4();
    let group = |broadcast| match (is_v4, broadcast) {
        (true, true) => IpAddr::V4(Ipv4Addr::BROADCAST),
        (true, false) => IpAddr::V4(Ipv4Addr::new(224, 0, 0, 1)),
        (false, _) => IpAddr::V6(Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0, 1)),
    };
    let Route {
        source,
        destination,
    } = route;
    let from = |ip| Route {
        source: (ip, source.1),
        destination,
    };
    let to = |ip| Route {
        source,
        destination: (ip, destination.1),
    };
    match address {
        Address::Right | Address::Other => route,
        Address::FromMulticast => from(group(false)),
        Address::FromBroadcast => from(group(true)),
        Address::ToMulticast => to(group(false)),
        Address::ToBroadcast => to(group(true)),
    }
}

/// Octets of the options in an IPv4 header.
fn option_len(segment: &Segment) -> usize {
    if segment.carrier.options {
        UNKNOWN_OPTION.len()
    } else {
        0
    }
}

fn write_ipv4(
    ip: &mut MutableIpv4Packet<'_>,
    source: Ipv4Addr,
    destination: Ipv4Addr,
    carrier: Carrier,
) {
    ip.set_version(4);
    ip.set_header_length(5);
    if carrier.options {
        ip.set_header_length(6);
        ip.packet_mut()[IPV4_HEADER..][..UNKNOWN_OPTION.len()].copy_from_slice(&UNKNOWN_OPTION);
    }
    ip.set_dscp(carrier.traffic_class >> 2);
    ip.set_total_length(ip.packet().len() as u16);
    ip.set_ttl(carrier.time_to_live);
    if ip.get_next_level_protocol() != IpNextHeaderProtocols::Icmp {
        ip.set_next_level_protocol(IpNextHeaderProtocols::Tcp);
    }
    ip.set_source(source);
    ip.set_destination(destination);
    let checksum = ipv4::checksum(&ip.to_immutable());
    ip.set_checksum(checksum);
}

fn write_ipv6(
    ip: &mut MutableIpv6Packet<'_>,
    (source, destination): (Ipv6Addr, Ipv6Addr),
    tcp_len: usize,
    carrier: Carrier,
) {
    ip.set_version(6);
    ip.set_payload_length(tcp_len as u16);
    ip.set_next_header(IpNextHeaderProtocols::Tcp);
    ip.set_hop_limit(carrier.time_to_live);
    ip.set_traffic_class(carrier.traffic_class);
    ip.set_source(source);
    ip.set_destination(destination);
}

/// Leaves room for the headers and writes what follows them.
fn append_tcp(segment: &Segment, ip_header: usize, datagram: &mut Vec<u8>) {
    datagram.resize(ip_header + TCP_HEADER, 0);
    segment.options.append_to(datagram);
    // Of the header only its length is known here.
    let words = (datagram.len() - ip_header) / 4;
    datagram[ip_header + TCP_DATA_OFFSET] = (words as u8) << 4;
    datagram.extend_from_slice(&segment.payload);
}

fn write_tcp(tcp: &mut MutableTcpPacket<'_>, segment: &Segment, route: Route) {
    let Segment {
        seq,
        ack,
        flags,
        window,
        urgent,
        options: _,
        damaged: _,
        carrier: _,
        payload: _,
    } = segment;
    tcp.set_source(route.source.1);
    tcp.set_destination(route.destination.1);
    tcp.set_sequence(seq.0);
    tcp.set_acknowledgement(ack.0);
    tcp.set_flags(flags.0);
    tcp.set_window(window.0);
    tcp.set_urgent_ptr(*urgent);
}

fn read_tcp(
    tcp: &TcpPacket<'_>,
    octets: &[u8],
    (source, destination): (IpAddr, IpAddr),
    checksum: u16,
) -> Result<(Route, Segment), WireError> {
    let text = usize::from(tcp.get_data_offset()) * 4;
    let options = octets.get(TCP_HEADER..text).ok_or(WireError::Truncated)?;
    let route = Route {
        source: (source, tcp.get_source()),
        destination: (destination, tcp.get_destination()),
    };
    let segment = Segment {
        seq: SeqNum(tcp.get_sequence()),
        ack: SeqNum(tcp.get_acknowledgement()),
        flags: Flags(tcp.get_flags()),
        window: WindowField(tcp.get_window()),
        urgent: tcp.get_urgent_ptr(),
        options: Options::from_bytes(options),
        carrier: Carrier::default(),
        damaged: !same_sum(checksum, tcp.get_checksum()),
        payload: octets[text..].to_vec(),
    };
    Ok((route, segment))
}

/// What makes the checksum of a damaged segment wrong.
fn damage(segment: &Segment) -> u16 {
    if segment.damaged { 0x5555 } else { 0 }
}

/// Whether two checksums are the same number in ones' complement, where zero has two forms (RFC 1071).
fn same_sum(computed: u16, carried: u16) -> bool {
    computed == carried || matches!((computed, carried), (0, 0xffff) | (0xffff, 0))
}

fn as_v6(address: IpAddr) -> Ipv6Addr {
    match address {
        IpAddr::V4(v4) => v4.to_ipv6_mapped(),
        IpAddr::V6(v6) => v6,
    }
}

#[cfg(test)]
mod tests;
