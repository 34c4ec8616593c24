//! The codec against etherparse, which shares no code with it: what either writes the other reads, in both families.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ackward_model::wire::{Route, decode, encode};
use ackward_model::{
    Flags, Options, SackBlock, SackBlocks, Segment, SeqNum, TcpOption, TsVal, WindowField,
};
use etherparse::{PacketBuilder, SlicedPacket, TcpHeader, TcpOptionElement, TransportSlice};
use quickcheck::{Arbitrary, Gen, quickcheck};

quickcheck! {
    fn etherparse_reads_what_is_written(drawn: Drawn) -> bool {
        routes().into_iter().all(|route| {
            let mut datagram = Vec::new();
            encode(&drawn.0, route, &mut datagram);
            let sliced = SlicedPacket::from_ip(&datagram).expect("well-formed");
            let Some(TransportSlice::Tcp(tcp)) = sliced.transport else {
                return false;
            };
            // The header with the right checksum, which etherparse worked out itself.
            tcp.to_header() == written_by_etherparse(&drawn.0, route).0
                && tcp.payload() == drawn.0.payload
                && tcp.options_iterator().map(Result::ok).eq(elements(&drawn.0).map(Some))
        })
    }

    fn what_etherparse_writes_is_read(drawn: Drawn) -> bool {
        routes().into_iter().all(|route| {
            let (_, datagram) = written_by_etherparse(&drawn.0, route);
            let Ok((way, mut read)) = decode(&datagram) else {
                return false;
            };
            read.options = Options(read.options.effective().cloned().collect());
            way == route && read == drawn.0
        })
    }
}

/// A segment of any fields, with well-formed options that fit.
#[derive(Clone, Debug)]
struct Drawn(Segment);

impl Arbitrary for Drawn {
    fn arbitrary(g: &mut Gen) -> Drawn {
        let mut options = Vec::new();
        let mut room = 40;
        while let Some(option) = arbitrary_option(g).filter(|option| option.wire_len() <= room) {
            room -= option.wire_len();
            options.push(option);
        }
        Drawn(Segment {
            carrier: ackward_model::Carrier::default(),
            damaged: false,
            seq: SeqNum(u32::arbitrary(g)),
            ack: SeqNum(u32::arbitrary(g)),
            flags: Flags(u8::arbitrary(g)),
            window: WindowField(u16::arbitrary(g)),
            urgent: u16::arbitrary(g),
            options: Options(options),
            payload: Vec::arbitrary(g),
        })
    }
}

fn arbitrary_option(g: &mut Gen) -> Option<TcpOption> {
    let block = |g: &mut Gen| SackBlock {
        left: SeqNum(u32::arbitrary(g)),
        right: SeqNum(u32::arbitrary(g)),
    };
    Some(match u8::arbitrary(g) % 7 {
        0 => TcpOption::NoOperation,
        1 => TcpOption::MaximumSegmentSize(u16::arbitrary(g)),
        2 => TcpOption::WindowScale(u8::arbitrary(g)),
        3 => TcpOption::SackPermitted,
        4 => {
            let blocks: Vec<_> = (0..=u8::arbitrary(g) % 4).map(|_| block(g)).collect();
            TcpOption::Sack(SackBlocks::new(blocks))
        }
        5 => TcpOption::Timestamps {
            tsval: TsVal(u32::arbitrary(g)),
            tsecr: TsVal(u32::arbitrary(g)),
        },
        _ => return None,
    })
}

/// The options as etherparse names them.
fn elements(segment: &Segment) -> impl Iterator<Item = TcpOptionElement> {
    segment.options.0.iter().map(|option| match option {
        TcpOption::NoOperation => TcpOptionElement::Noop,
        TcpOption::MaximumSegmentSize(mss) => TcpOptionElement::MaximumSegmentSize(*mss),
        TcpOption::WindowScale(shift) => TcpOptionElement::WindowScale(*shift),
        TcpOption::SackPermitted => TcpOptionElement::SelectiveAcknowledgementPermitted,
        TcpOption::Sack(blocks) => {
            let mut ends = (blocks.as_slice().iter()).map(|block| (block.left.0, block.right.0));
            let first = ends.next().expect("a block");
            let rest = std::array::from_fn(|_| ends.next());
            TcpOptionElement::SelectiveAcknowledgement(first, rest)
        }
        TcpOption::Timestamps { tsval, tsecr } => TcpOptionElement::Timestamp(tsval.0, tsecr.0),
        TcpOption::EndOfList | TcpOption::Raw(_) => unreachable!("never drawn"),
    })
}

/// The header and the datagram that etherparse makes of the segment.
fn written_by_etherparse(segment: &Segment, route: Route) -> (TcpHeader, Vec<u8>) {
    let mut header = TcpHeader::new(
        route.source.1,
        route.destination.1,
        segment.seq.0,
        segment.window.0,
    );
    header.acknowledgment_number = segment.ack.0;
    header.urgent_pointer = segment.urgent;
    let bit = |bit| segment.has(Flags(bit));
    (header.fin, header.syn, header.rst, header.psh) = (bit(1), bit(2), bit(4), bit(8));
    (header.ack, header.urg, header.ece, header.cwr) = (bit(16), bit(32), bit(64), bit(128));
    let options: Vec<_> = elements(segment).collect();
    header.set_options(&options).expect("they fit");
    let (builder, checksum) = match (route.source.0, route.destination.0) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            let (source, destination) = (source.octets(), destination.octets());
            (
                PacketBuilder::ipv4(source, destination, 64),
                header.calc_checksum_ipv4_raw(source, destination, &segment.payload),
            )
        }
        (IpAddr::V6(source), IpAddr::V6(destination)) => {
            let (source, destination) = (source.octets(), destination.octets());
            (
                PacketBuilder::ipv6(source, destination, 64),
                header.calc_checksum_ipv6_raw(source, destination, &segment.payload),
            )
        }
        _ => unreachable!("both of one family"),
    };
    header.checksum = checksum.expect("short enough");
    let mut datagram = Vec::new();
    let builder = builder.tcp_header(header.clone());
    builder
        .write(&mut datagram, &segment.payload)
        .expect("memory takes it");
    (header, datagram)
}

fn routes() -> [Route; 2] {
    let v4 = |last| IpAddr::V4(Ipv4Addr::new(192, 0, 2, last));
    let v6 = |last| IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, last));
    [
        Route {
            source: (v4(1), 40_000),
            destination: (v4(2), 8080),
        },
        Route {
            source: (v6(1), 40_000),
            destination: (v6(2), 8080),
        },
    ]
}
