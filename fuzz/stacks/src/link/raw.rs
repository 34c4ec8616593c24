//! The link `raw`: Ethernet frames through AF_PACKET on our end of a veth pair, both ends in one namespace. Needs no
//! device file, so it serves an ordinary user in a user namespace.

use std::io::{self, IoSlice};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use pnet::packet::ethernet::{EtherType, EtherTypes, MutableEthernetPacket};
use pnet::util::MacAddr;

use super::{LARGEST, Link, read_len};
use crate::StackError;
use crate::linux::netlink::{self, Device};
use crate::sys;

/// Our end of a veth pair in the thread's network namespace.
///
/// A plain socket, not `pnet::datalink`: that one calls `poll` before each send and each receive, which doubles the
/// system calls of a case, and hands us every frame that we have sent ourselves.
pub(crate) struct Raw {
    socket: OwnedFd,
    ipv4_header: [u8; HEADER],
    ipv6_header: [u8; HEADER],
    buffer: Vec<u8>,
}

/// Octets of an Ethernet header.
const HEADER: usize = 14;
const OURS: &str = "peer0";
const THEIRS: &str = "ackward0";
const OUR_MAC: MacAddr = MacAddr(2, 0, 0, 0, 0, 1);
const THEIR_MAC: MacAddr = MacAddr(2, 0, 0, 0, 0, 2);
/// Not ours, so that the kernel takes emissions for somebody else's and keeps them out of its own IP input: the packet
/// socket sees them all the same.
const GATEWAY_MAC: MacAddr = MacAddr(2, 0, 0, 0, 0, 3);
/// What the stack sends at most, as on the link `tun`. The devices carry more, or veth would drop what we inject
/// beyond it.
const PATH_MTU: u32 = 1500;
const DEVICE_MTU: u32 = 65535;
const REMEDY: &str = "the kernel needs veth and packet sockets (CONFIG_VETH, CONFIG_PACKET)";

impl Raw {
    /// Makes the pair and leads the peers' addresses to the kernel's end of it.
    pub(crate) fn open() -> Result<Raw, StackError> {
        let error = |what| StackError::setup(what, REMEDY);
        netlink::add_veth_pair((OURS, OUR_MAC), (THEIRS, THEIR_MAC), DEVICE_MTU)
            .map_err(error("make a veth pair"))?;
        for name in [OURS, THEIRS] {
            sys::disable_offloads(name).map_err(error("turn offloads off"))?;
        }
        let our_index = sys::interface_index(OURS).map_err(error("find our end of the pair"))?;
        let index = sys::interface_index(THEIRS).map_err(error("find the stack's end"))?;
        // Ours first: the kernel's end is then ready as soon as it is up.
        netlink::set_up(our_index).map_err(error("set our end of the pair up"))?;
        let socket = sys::packet_socket(our_index).map_err(error("open a packet socket"))?;
        netlink::configure(Device {
            index,
            gateway_mac: Some(GATEWAY_MAC),
            path_mtu: Some(PATH_MTU),
        })
        .map_err(error("configure the veth pair"))?;
        Ok(Raw {
            socket,
            ipv4_header: ethernet_header(EtherTypes::Ipv4),
            ipv6_header: ethernet_header(EtherTypes::Ipv6),
            buffer: vec![0; LARGEST],
        })
    }
}

impl Link for Raw {
    fn send(&mut self, datagram: &[u8]) -> io::Result<()> {
        let header = match datagram.first().map(|octet| octet >> 4) {
            Some(6) => &self.ipv6_header,
            _ => &self.ipv4_header,
        };
        let frame = [IoSlice::new(header), IoSlice::new(datagram)];
        sys::write(self.socket.as_fd(), &frame).map(|_| ())
    }

    fn receive(&mut self) -> io::Result<Option<&[u8]>> {
        let len = read_len(sys::read(self.socket.as_fd(), &mut self.buffer))?;
        Ok(len.map(|len| self.buffer[..len].get(HEADER..).unwrap_or_default()))
    }
}

impl AsFd for Raw {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

fn ethernet_header(kind: EtherType) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    if let Some(mut frame) = MutableEthernetPacket::new(&mut header) {
        frame.set_source(OUR_MAC);
        frame.set_destination(THEIR_MAC);
        frame.set_ethertype(kind);
    }
    header
}
