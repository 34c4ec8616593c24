//! The physical limit: one fixed case done with hand-made packets and as little else as possible, to measure a driver
//! against.

use std::io;
use std::net::IpAddr;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use ackward_model::wire::Route;
use ackward_scenario::{Family, Setup};

use super::namespace::{Home, Namespace, Place};
use super::{addresses, socket};
use crate::link::Link;
use crate::{LinkKind, StackError, prepare, sys};

/// Segments of text in a case, each of [`BARE_OCTETS`].
pub const BARE_SEGMENTS: u32 = 10;
/// Octets of text in a segment.
pub const BARE_OCTETS: u32 = 100;

/// The bare loop, in a namespace of its own.
///
/// A case: a fresh listener and a fresh pair of addresses and ports, handshake with timestamps, accept, the segments of
/// text with each two swapped, every answer read, the application reads, a closing reset. IPv4.
pub struct BareLoop {
    namespace: Namespace,
    inside: Place,
    /// Cases so far.
    cases: u64,
    delivered: Vec<u8>,
}

impl BareLoop {
    /// Makes the namespace. The calling thread stays where it is.
    pub fn open(link: LinkKind) -> Result<BareLoop, StackError> {
        prepare()?;
        let _outside = Home::note()?;
        Ok(BareLoop {
            namespace: Namespace::enter(link)?,
            inside: Place::here()?,
            cases: 0,
            delivered: vec![0; (BARE_SEGMENTS * BARE_OCTETS) as usize],
        })
    }

    /// Runs `cases` cases and returns the time they took.
    pub fn run(&mut self, cases: u64) -> Result<Duration, StackError> {
        let _outside = Home::note()?;
        self.inside.enter()?;
        let setup = Setup::default();
        let began = Instant::now();
        for _ in 0..cases {
            let route = addresses::route(Family::V4, self.cases);
            self.cases += 1;
            case(
                &mut *self.namespace.link,
                &setup,
                route,
                &mut self.delivered,
            )?;
        }
        Ok(began.elapsed())
    }
}

fn case(
    link: &mut dyn Link,
    setup: &Setup,
    route: Route,
    delivered: &mut [u8],
) -> Result<(), StackError> {
    let failed = StackError::io;
    let listener = socket::bound(setup, route)?;
    sys::listen(listener.as_fd(), 8).map_err(failed("listen"))?;

    let mut packet = Packet::new(route);
    let isn = 1_000_000;
    let syn = packet.write(SYN, isn, 0, &SYN_OPTIONS, 0);
    link.send(syn).map_err(failed("send a SYN"))?;
    let (iss, tsval) = syn_ack(link).map_err(failed("read the SYN,ACK"))?;

    let mut stamp = STAMP;
    stamp[8..].copy_from_slice(&tsval.to_be_bytes());
    let ack = packet.write(ACK, isn + 1, iss.wrapping_add(1), &stamp, 0);
    link.send(ack).map_err(failed("send an ACK"))?;
    let socket = sys::accept(listener.as_fd()).map_err(failed("accept"))?;
    for k in 0..BARE_SEGMENTS {
        let seq = isn + 1 + (k ^ 1) * BARE_OCTETS;
        let text = packet.write(ACK, seq, iss.wrapping_add(1), &stamp, BARE_OCTETS as usize);
        link.send(text).map_err(failed("send text"))?;
        while link.receive().map_err(failed("read an answer"))?.is_some() {}
    }
    let read = sys::receive(socket.as_fd(), delivered).map_err(failed("read the text"))?;
    if read != delivered.len() {
        return Err(StackError::Io {
            what: "read all of the text",
            source: io::ErrorKind::UnexpectedEof.into(),
        });
    }
    sys::reset_on_close(socket.as_fd()).map_err(failed("set SO_LINGER"))?;
    drop(socket);
    while link.receive().map_err(failed("read the reset"))?.is_some() {}
    Ok(())
}

/// Sequence number and TSval of the SYN,ACK.
fn syn_ack(link: &mut dyn Link) -> io::Result<(u32, u32)> {
    while let Some(answer) = link.receive()? {
        // Anything else is the kernel's own chatter about IPv6.
        if answer[0] == 0x45 && answer.len() >= TCP + TCP_HEADER + 12 {
            let word = |at| u32::from_be_bytes(std::array::from_fn(|i| answer[at + i]));
            return Ok((word(TCP + 4), word(TCP + TCP_HEADER + 8)));
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

/// Where TCP begins in an IPv4 datagram without options.
const TCP: usize = 20;
const TCP_HEADER: usize = 20;
const SYN: u8 = 0x02;
const ACK: u8 = 0x10;
/// MSS 1000, SACK permitted, timestamp 900, a no-operation, window scale 7.
const SYN_OPTIONS: [u8; 20] = [
    2, 4, 3, 0xe8, 4, 2, 8, 10, 0, 0, 3, 0x84, 0, 0, 0, 0, 1, 3, 3, 7,
];
/// Two no-operations, timestamp 1000.
const STAMP: [u8; 12] = [1, 1, 8, 10, 0, 0, 3, 0xe8, 0, 0, 0, 0];

/// An IPv4 datagram under the pen.
struct Packet([u8; 256]);

impl Packet {
    fn new(route: Route) -> Packet {
        let mut octets = [b'x'; 256];
        octets[..TCP + TCP_HEADER].fill(0);
        octets[0] = 0x45;
        octets[8] = 64;
        octets[9] = 6;
        for (at, (ip, _)) in [(12, route.source), (16, route.destination)] {
            if let IpAddr::V4(v4) = ip {
                octets[at..at + 4].copy_from_slice(&v4.octets());
            }
        }
        octets[20..22].copy_from_slice(&route.source.1.to_be_bytes());
        octets[22..24].copy_from_slice(&route.destination.1.to_be_bytes());
        Packet(octets)
    }

    fn write(&mut self, flags: u8, seq: u32, ack: u32, options: &[u8], text: usize) -> &[u8] {
        let tcp_len = TCP_HEADER + options.len() + text;
        let ip = &mut self.0[..TCP + tcp_len];
        let len = ip.len() as u16;
        ip[2..4].copy_from_slice(&len.to_be_bytes());
        ip[10..12].fill(0);
        ip[24..28].copy_from_slice(&seq.to_be_bytes());
        ip[28..32].copy_from_slice(&ack.to_be_bytes());
        ip[32] = ((TCP_HEADER + options.len()) as u8 / 4) << 4;
        ip[33] = flags;
        ip[34..36].copy_from_slice(&20_000u16.to_be_bytes());
        ip[36..38].fill(0);
        ip[40..40 + options.len()].copy_from_slice(options);
        let header = checksum(0, &ip[..TCP]);
        ip[10..12].copy_from_slice(&header.to_be_bytes());
        let checksum = checksum(6 + tcp_len as u32, &ip[12..]);
        ip[36..38].copy_from_slice(&checksum.to_be_bytes());
        ip
    }
}

fn checksum(start: u32, octets: &[u8]) -> u16 {
    let words = octets.chunks_exact(2);
    let sum = words.fold(start, |sum, word| {
        sum + u32::from(u16::from_be_bytes([word[0], word[1]]))
    });
    let folded = (sum & 0xffff) + (sum >> 16);
    !((folded & 0xffff) + (folded >> 16)) as u16
}
