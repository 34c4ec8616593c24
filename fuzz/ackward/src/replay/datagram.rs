//! What a datagram says in the terms of a script: every bit of its headers, where the model keeps only what TCP acts on.
//! RFC 9293 section 3.1, RFC 3168 section 23, RFC 9768 section 3.1.1.

use ackward_model::{Flags, Options, TcpOption};

/// The header fields of a TCP segment in IP.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Datagram {
    /// The octet with the congestion bits.
    pub(super) traffic_class: u8,
    /// Hops left.
    pub(super) hops: u8,
    /// The flow label, 0 in IPv4.
    pub(super) flow_label: u32,
    /// Source and destination.
    pub(super) ports: (u16, u16),
    pub(super) seq: u32,
    pub(super) ack: u32,
    /// Octets of the TCP header.
    pub(super) header_len: u32,
    pub(super) flags: Flags,
    /// The bit before the flags.
    pub(super) accurate_ecn: bool,
    /// The bits that must be zero.
    pub(super) reserved: u8,
    pub(super) window: u16,
    pub(super) urgent: u16,
    pub(super) options: Vec<TcpOption>,
    /// Octets of text.
    pub(super) len: u32,
}

impl Datagram {
    /// Reads one; `None` if it is no TCP segment.
    pub(super) fn read(octets: &[u8]) -> Option<Datagram> {
        let (traffic_class, hops, flow_label, tcp) = match octets.first()? >> 4 {
            4 => {
                let header = usize::from(octets[0] & 15) * 4;
                if *octets.get(9)? != TCP {
                    return None;
                }
                (octets[1], octets[8], 0, octets.get(header..)?)
            }
            6 => {
                let first = u32::from_be_bytes(octets.get(..4)?.try_into().ok()?);
                if *octets.get(6)? != TCP {
                    return None;
                }
                let class = (first >> 20) as u8;
                (class, octets[7], first & 0xf_ffff, octets.get(40..)?)
            }
            _ => return None,
        };
        let two = |place: usize| {
            Some(u16::from_be_bytes(
                tcp.get(place..place + 2)?.try_into().ok()?,
            ))
        };
        let four = |place: usize| {
            Some(u32::from_be_bytes(
                tcp.get(place..place + 4)?.try_into().ok()?,
            ))
        };
        let header_len = usize::from(tcp.get(12)? >> 4) * 4;
        let area = tcp.get(20..header_len)?;
        Some(Datagram {
            traffic_class,
            hops,
            flow_label,
            ports: (two(0)?, two(2)?),
            seq: four(4)?,
            ack: four(8)?,
            header_len: header_len as u32,
            flags: Flags(tcp[13]),
            accurate_ecn: tcp[12] & 1 != 0,
            reserved: tcp[12] >> 1 & 7,
            window: two(14)?,
            urgent: two(18)?,
            options: Options::from_bytes(area).0,
            len: (tcp.len() - header_len) as u32,
        })
    }

    /// AE, CWR and ECE as a counter.
    pub(super) fn counter(&self) -> u8 {
        let bit = |flag, value| if self.flags.contains(flag) { value } else { 0 };
        u8::from(self.accurate_ecn) * 4 + bit(Flags::CWR, 2) + bit(Flags::ECE, 1)
    }
}

/// Puts into an encoded datagram what the model has no word for. The checksums are to be completed afterwards.
pub(super) fn mark(octets: &mut [u8], congestion: u8, accurate_ecn: bool, flow_label: u32) {
    let header = match octets.first().map(|octet| octet >> 4) {
        Some(4) => {
            octets[1] |= congestion;
            20
        }
        _ => {
            let first = u32::from_be_bytes([octets[0], octets[1], octets[2], octets[3]]);
            let first = first | u32::from(congestion) << 20 | flow_label;
            octets[..4].copy_from_slice(&first.to_be_bytes());
            40
        }
    };
    octets[header + 12] |= u8::from(accurate_ecn);
}

const TCP: u8 = 6;
