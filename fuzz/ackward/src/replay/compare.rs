//! Whether a segment is the one that a script expects: as packetdrill compares, and beyond it the echo.
//! RFC 9293 section 3.1; RFC 7323 section 3.2 (TSecr, which packetdrill leaves out).

use ackward_model::{Flags, TcpOption};
use ackward_packetdrill::Packet;
use ackward_packetdrill::ast::{AccurateEcn, Ecn, IpField, Numbering};

use super::calls::Refusal;
use super::connection::Connection;
use super::datagram::Datagram;

/// What packetdrill would find wrong with a segment; `None` if it is as expected. Of several pieces of one segment
/// `live` is the whole, with the control bits of the last piece.
pub(super) fn differs(
    connection: &Connection,
    packet: &Packet,
    live: &Datagram,
) -> Result<Option<String>, Refusal> {
    let absolute = packet.numbering == Numbering::Absolute;
    let (seq, ack) = connection.numbers(live, absolute);
    let field = |name: &str, expected: u32, actual: u32| {
        (expected != actual)
            .then(|| format!("live packet field {name}: expected {expected} vs actual {actual}"))
    };
    let bit = |name: &str, flag: Flags| {
        let (expected, actual) = (packet.flags.contains(flag), live.flags.contains(flag));
        field(name, expected.into(), actual.into())
    };
    let expected_options = connection.expected_options(packet)?;
    let ip = packet.ip.iter().find_map(|said| header(*said, live));
    Ok(ip
        .or_else(|| {
            let len = expected_options.as_ref()?.iter().map(length).sum::<u32>();
            field("tcp_data_offset", 5 + len.div_ceil(4), live.header_len / 4)
        })
        .or_else(|| bit("tcp_fin", Flags::FIN))
        .or_else(|| bit("tcp_syn", Flags::SYN))
        .or_else(|| bit("tcp_rst", Flags::RST))
        .or_else(|| bit("tcp_psh", Flags::PSH))
        .or_else(|| bit("tcp_ack", Flags::ACK))
        .or_else(|| bit("tcp_urg", Flags::URG))
        .or_else(|| match packet.accurate_ecn {
            AccurateEcn::Counter(counter) => {
                field("tcp_ace", counter.into(), live.counter().into())
            }
            other => bit("tcp_ece", Flags::ECE)
                .or_else(|| bit("tcp_cwr", Flags::CWR))
                .or_else(|| {
                    let set = other == AccurateEcn::Set;
                    field("tcp_ae", set.into(), live.accurate_ecn.into())
                }),
        })
        .or_else(|| field("tcp_reserved_bits", 0, live.reserved.into()))
        .or_else(|| match packet.numbering {
            Numbering::Unchecked => None,
            _ => field("tcp_seq", packet.seq, seq),
        })
        .or_else(|| field("tcp_ack_seq", packet.ack.unwrap_or(0), ack))
        .or_else(|| field("tcp_window", packet.window?.into(), live.window.into()))
        .or_else(|| {
            field(
                "tcp_urg_ptr",
                packet.urgent.unwrap_or(0).into(),
                live.urgent.into(),
            )
        })
        .or_else(|| options(&expected_options?, &live.options))
        .or_else(|| {
            let (expected, actual) = (u32::from(packet.len), live.len);
            (expected != actual).then(|| {
                format!("live packet payload: expected {expected} bytes vs actual {actual} bytes")
            })
        }))
}

/// The echo that the script names and the one that was sent, if there are both.
pub(super) fn echoes(packet: &Packet, live: &Datagram) -> Option<(u32, u32)> {
    let ackward_packetdrill::PacketOptions::Exactly(options) = &packet.options else {
        return None;
    };
    let expected = options.iter().find_map(|option| match option {
        ackward_packetdrill::PacketOption::Timestamps { tsecr, .. } => Some(*tsecr),
        _ => None,
    })?;
    let actual = live.options.iter().find_map(|option| match option {
        TcpOption::Timestamps { tsecr, .. } => Some(tsecr.0),
        _ => None,
    })?;
    Some((expected, actual))
}

fn header(said: IpField, live: &Datagram) -> Option<String> {
    let (name, expected, actual) = match said {
        IpField::Ecn(ecn) => {
            let bits = live.traffic_class & 3;
            let right = match ecn {
                Ecn::NotEct => bits == 0,
                Ecn::Ect1 => bits == 1,
                Ecn::Ect0 => bits == 2,
                Ecn::Ce => bits == 3,
                Ecn::Either => bits == 1 || bits == 2,
            };
            return (!right)
                .then(|| format!("live packet field ip_ecn: expected {ecn:?} vs actual {bits}"));
        }
        IpField::TrafficClass { octet, .. } => {
            ("ip_tos", octet.into(), u32::from(live.traffic_class))
        }
        IpField::TimeToLive { hops, .. } => ("ip_ttl", hops.into(), live.hops.into()),
        IpField::FlowLabel(label) => ("flow_label", label, live.flow_label),
    };
    (expected != actual)
        .then(|| format!("live packet field {name}: expected {expected} vs actual {actual}"))
}

fn options(expected: &[TcpOption], actual: &[TcpOption]) -> Option<String> {
    let same = expected.len() == actual.len()
        && expected.iter().zip(actual).all(|pair| match pair {
            (TcpOption::Timestamps { .. }, TcpOption::Timestamps { .. }) => true,
            (expected, actual) => expected == actual,
        });
    (!same).then(|| format!("bad outbound TCP options: expected {expected:?}, actual {actual:?}"))
}

fn length(option: &TcpOption) -> u32 {
    option.wire_len() as u32
}
