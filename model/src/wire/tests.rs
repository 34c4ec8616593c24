use super::*;
use crate::{TcpOption, TsVal};

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

fn segment(text: Vec<u8>) -> Segment {
    Segment {
        carrier: Carrier::default(),
        seq: SeqNum(0xFFFF_FFF0),
        ack: SeqNum(7),
        flags: Flags::PSH | Flags::ACK,
        window: WindowField(512),
        urgent: 0,
        damaged: false,
        options: Options(vec![
            TcpOption::NoOperation,
            TcpOption::NoOperation,
            TcpOption::Timestamps {
                tsval: TsVal(3),
                tsecr: TsVal(4),
            },
        ]),
        payload: text,
    }
}

#[test]
fn what_is_written_is_read_back_in_both_families() {
    for route in routes() {
        for len in [0, 1, 2, 17, 1460] {
            let segment = segment(vec![0xA5; len]);
            let mut datagram = Vec::new();
            encode(&segment, route, &mut datagram);
            assert_eq!(decode(&datagram), Ok((route, segment)));
        }
    }
}

#[test]
fn an_independent_parser_reads_the_same_segment() {
    for route in routes() {
        let segment = segment(vec![1, 2, 3]);
        let mut datagram = Vec::new();
        encode(&segment, route, &mut datagram);
        let sliced = etherparse::SlicedPacket::from_ip(&datagram).expect("well-formed");
        let Some(etherparse::TransportSlice::Tcp(tcp)) = sliced.transport else {
            panic!("no TCP header")
        };
        assert_eq!(tcp.sequence_number(), segment.seq.0);
        assert_eq!(tcp.acknowledgment_number(), segment.ack.0);
        assert_eq!(tcp.window_size(), 512);
        assert_eq!(tcp.payload(), &[1, 2, 3]);
        assert!(tcp.psh() && tcp.ack() && !tcp.syn());
        let options: Vec<_> = tcp.options_iterator().flatten().collect();
        assert!(options.contains(&etherparse::TcpOptionElement::Timestamp(3, 4)));
    }
}

#[test]
fn a_flipped_bit_is_noticed() {
    for route in routes() {
        let mut datagram = Vec::new();
        encode(&segment(vec![9; 4]), route, &mut datagram);
        let last = datagram.len() - 1;
        datagram[last] ^= 0x10;
        assert!(decode(&datagram).is_ok_and(|(_, read)| read.damaged));
    }
}

#[test]
fn a_damaged_segment_is_damaged_on_the_wire() {
    for route in routes() {
        let damaged = Segment {
            damaged: true,
            ..segment(vec![9; 4])
        };
        let mut datagram = Vec::new();
        encode(&damaged, route, &mut datagram);
        assert_eq!(decode(&datagram), Ok((route, damaged)));
    }
}

#[test]
fn truncated_and_foreign_datagrams_are_refused() {
    let mut datagram = Vec::new();
    encode(&segment(vec![9; 4]), routes()[0], &mut datagram);
    for len in 0..datagram.len() {
        assert!(decode(&datagram[..len]).is_err(), "{len} octets were taken");
    }
    datagram[9] = 17;
    assert_eq!(decode(&datagram), Err(WireError::NotTcp));
}

#[test]
fn a_checksum_of_zero_is_read_in_both_its_forms() {
    for route in routes() {
        // Of consecutive sequence numbers, one makes the sum come out as zero.
        let datagram = (0..=u16::MAX)
            .map(|low| {
                let mut datagram = Vec::new();
                let seq = SeqNum(u32::from(low));
                encode(
                    &Segment {
                        seq,
                        ..segment(vec![])
                    },
                    route,
                    &mut datagram,
                );
                datagram
            })
            .find(|datagram| checksum_field(datagram) == [0, 0]);
        let mut datagram = datagram.expect("some sum is zero");
        assert!(decode(&datagram).is_ok_and(|(_, read)| !read.damaged));
        let place = checksum_place(&datagram);
        datagram[place..place + 2].fill(0xff);
        assert!(decode(&datagram).is_ok_and(|(_, read)| !read.damaged));
    }
}

fn checksum_place(datagram: &[u8]) -> usize {
    16 + if datagram[0] >> 4 == 4 {
        IPV4_HEADER
    } else {
        IPV6_HEADER
    }
}

fn checksum_field(datagram: &[u8]) -> &[u8] {
    let place = checksum_place(datagram);
    &datagram[place..place + 2]
}
