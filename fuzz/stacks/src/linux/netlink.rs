//! Links, addresses, routes and neighbours of the thread's network namespace, by rtnetlink: no other program is
//! needed, and no setting under `/proc/sys` is touched.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::IpAddr;

use pnet::util::MacAddr;

use super::addresses::{self, Network};
use crate::sys;

/// The device through which the kernel reaches the peers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Device {
    /// Its index.
    pub(crate) index: u32,
    /// The hardware address behind which all peers are, on a link that has such.
    pub(crate) gateway_mac: Option<MacAddr>,
    /// What the kernel may send at most, in octets, where that is not the device's own limit.
    pub(crate) path_mtu: Option<u32>,
}

/// Gives the device the stack's addresses and leads the peers' addresses to it.
///
/// All peers are behind one gateway, so that a fresh peer address a case makes no new neighbour.
pub(crate) fn configure(device: Device) -> io::Result<()> {
    let mut batch = Batch::default();
    batch.set_up(LOOPBACK);
    batch.set_up(device.index);
    batch.send_without_queue(device.index);
    for network in [addresses::V4, addresses::V6] {
        batch.add_address(device, network);
        if let Some(mac) = device.gateway_mac {
            batch.add_neighbour(device, network, mac);
        }
        batch.add_local_route(device, network);
        batch.add_route(device, network);
    }
    batch.run()
}

/// Gives the device of a script the stack's address and leads the peer's to it. Its queueing discipline stays.
pub(crate) fn configure_for_script(index: u32, network: Network, mtu: u16) -> io::Result<()> {
    let device = Device {
        index,
        gateway_mac: None,
        path_mtu: None,
    };
    let mut batch = Batch::default();
    batch.set_up(LOOPBACK);
    batch.message(libc::RTM_NEWLINK, 0, |message| {
        message.link_header(index, libc::IFF_UP as u32);
        message.attribute(libc::IFLA_MTU, &u32::from(mtu).to_ne_bytes());
    });
    batch.add_address(device, network);
    batch.add_local_route(device, network);
    batch.add_route(device, network);
    batch.run()
}

/// Sets an interface up.
pub(crate) fn set_up(index: u32) -> io::Result<()> {
    let mut batch = Batch::default();
    batch.set_up(index);
    batch.run()
}

/// Makes a veth pair, both ends in this namespace.
pub(crate) fn add_veth_pair(
    one: (&str, MacAddr),
    other: (&str, MacAddr),
    mtu: u32,
) -> io::Result<()> {
    let mut batch = Batch::default();
    batch.message(libc::RTM_NEWLINK, CREATE, |message| {
        message.link_header(0, 0);
        message.link_identity(one, mtu);
        message.nest(libc::IFLA_LINKINFO, |message| {
            message.attribute(libc::IFLA_INFO_KIND, b"veth");
            message.nest(libc::IFLA_INFO_DATA, |message| {
                message.nest(VETH_INFO_PEER, |message| {
                    message.link_header(0, 0);
                    message.link_identity(other, mtu);
                });
            });
        });
    });
    batch.run()
}

/// The first interface of every namespace.
const LOOPBACK: u32 = 1;
/// Of <linux/veth.h>, <linux/rtnetlink.h> and <linux/pkt_sched.h>, which libc lacks.
const VETH_INFO_PEER: u16 = 1;
const RTNH_F_ONLINK: u32 = 4;
const RTAX_MTU: u16 = 2;
const TCA_KIND: u16 = 1;
const TC_H_ROOT: u32 = u32::MAX;
/// Of our local routes; the kernel's own have other ones.
const OWN_METRIC: u32 = 1;
const CREATE: u16 = (libc::NLM_F_CREATE | libc::NLM_F_EXCL) as u16;
const HEADER: usize = 16;

/// Requests that go to the kernel together.
#[derive(Default)]
struct Batch {
    messages: Vec<u8>,
    count: u32,
}

impl Batch {
    fn set_up(&mut self, index: u32) {
        self.message(libc::RTM_NEWLINK, 0, |message| {
            message.link_header(index, libc::IFF_UP as u32);
        });
    }

    /// Replaces the queueing discipline by none: where there is one, a packet that another processor is about to send may
    /// hold ours back until after the system call.
    fn send_without_queue(&mut self, index: u32) {
        let replace = (libc::NLM_F_CREATE | libc::NLM_F_REPLACE) as u16;
        self.message(libc::RTM_NEWQDISC, replace, |message| {
            message.octets(&[0; 4]);
            message.octets(&index.to_ne_bytes());
            message.octets(&[0; 4]);
            message.octets(&TC_H_ROOT.to_ne_bytes());
            message.octets(&[0; 4]);
            message.attribute(TCA_KIND, b"noqueue\0");
        });
    }

    fn add_address(&mut self, device: Device, network: Network) {
        self.message(libc::RTM_NEWADDR, CREATE, |message| {
            // No duplicate address detection: nobody else is there, and it would take a second.
            let flags = libc::IFA_F_NODAD as u8;
            message.octets(&[family(network.stack), network.link_bits, flags, 0]);
            message.octets(&device.index.to_ne_bytes());
            message.address(libc::IFA_LOCAL, network.stack);
            message.address(libc::IFA_ADDRESS, network.stack);
        });
    }

    fn add_neighbour(&mut self, device: Device, network: Network, mac: MacAddr) {
        self.message(libc::RTM_NEWNEIGH, CREATE, |message| {
            message.octets(&[family(network.gateway), 0, 0, 0]);
            message.octets(&device.index.to_ne_bytes());
            message.octets(&libc::NUD_PERMANENT.to_ne_bytes());
            message.octets(&[0, 0]);
            message.address(libc::NDA_DST, network.gateway);
            message.attribute(libc::NDA_LLADDR, &mac.octets());
        });
    }

    /// Delivers the stack's own address. The kernel adds such a route itself, but for IPv6 not before a worker has looked
    /// at the address, and what arrives until then is lost.
    fn add_local_route(&mut self, device: Device, network: Network) {
        let address = network.stack;
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let kind = (libc::RT_TABLE_LOCAL, libc::RT_SCOPE_HOST, libc::RTN_LOCAL);
        self.message(libc::RTM_NEWROUTE, CREATE, |message| {
            message.route_header(address, bits, kind);
            message.address(libc::RTA_DST, address);
            message.attribute(libc::RTA_OIF, &device.index.to_ne_bytes());
            message.attribute(libc::RTA_PRIORITY, &OWN_METRIC.to_ne_bytes());
        });
    }

    fn add_route(&mut self, device: Device, network: Network) {
        let kind = (
            libc::RT_TABLE_MAIN,
            libc::RT_SCOPE_UNIVERSE,
            libc::RTN_UNICAST,
        );
        self.message(libc::RTM_NEWROUTE, CREATE, |message| {
            message.route_header(network.peers, network.peer_bits, kind);
            message.address(libc::RTA_DST, network.peers);
            message.address(libc::RTA_GATEWAY, network.gateway);
            message.attribute(libc::RTA_OIF, &device.index.to_ne_bytes());
            if let Some(mtu) = device.path_mtu {
                message.nest(libc::RTA_METRICS, |message| {
                    message.attribute(RTAX_MTU, &mtu.to_ne_bytes());
                });
            }
        });
    }

    fn route_header(&mut self, to: IpAddr, bits: u8, (table, scope, kind): (u8, u8, u8)) {
        self.octets(&[
            family(to),
            bits,
            0,
            0,
            table,
            libc::RTPROT_BOOT,
            scope,
            kind,
        ]);
        // The gateway need not be in a network that the device has.
        let flags = if scope == libc::RT_SCOPE_HOST {
            0
        } else {
            RTNH_F_ONLINK
        };
        self.octets(&flags.to_ne_bytes());
    }

    fn message(&mut self, kind: u16, flags: u16, body: impl FnOnce(&mut Self)) {
        let start = self.messages.len();
        self.count += 1;
        let flags = flags | (libc::NLM_F_REQUEST | libc::NLM_F_ACK) as u16;
        self.octets(&[0; 4]);
        self.octets(&kind.to_ne_bytes());
        self.octets(&flags.to_ne_bytes());
        self.octets(&self.count.to_ne_bytes());
        self.octets(&[0; 4]);
        body(self);
        let len = (self.messages.len() - start) as u32;
        self.messages[start..start + 4].copy_from_slice(&len.to_ne_bytes());
    }

    fn link_header(&mut self, index: u32, flags: u32) {
        self.octets(&[0; 4]);
        self.octets(&index.to_ne_bytes());
        self.octets(&flags.to_ne_bytes());
        self.octets(&flags.to_ne_bytes());
    }

    fn link_identity(&mut self, (name, mac): (&str, MacAddr), mtu: u32) {
        self.attribute(libc::IFLA_IFNAME, &[name.as_bytes(), &[0]].concat());
        self.attribute(libc::IFLA_ADDRESS, &mac.octets());
        self.attribute(libc::IFLA_MTU, &mtu.to_ne_bytes());
    }

    fn address(&mut self, kind: u16, address: IpAddr) {
        match address {
            IpAddr::V4(v4) => self.attribute(kind, &v4.octets()),
            IpAddr::V6(v6) => self.attribute(kind, &v6.octets()),
        }
    }

    fn attribute(&mut self, kind: u16, value: &[u8]) {
        self.nest(kind, |message| message.messages.extend(value));
    }

    fn nest(&mut self, kind: u16, body: impl FnOnce(&mut Self)) {
        let start = self.messages.len();
        self.octets(&[0; 2]);
        self.octets(&kind.to_ne_bytes());
        body(self);
        let len = (self.messages.len() - start) as u16;
        self.messages[start..start + 2].copy_from_slice(&len.to_ne_bytes());
        self.messages
            .resize(self.messages.len().next_multiple_of(4), 0);
    }

    fn octets(&mut self, octets: &[u8]) {
        self.messages.extend(octets);
    }

    /// Sends the requests and reads an answer for each.
    fn run(self) -> io::Result<()> {
        let socket = sys::socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_ROUTE)?;
        let mut socket = File::from(socket);
        socket.write_all(&self.messages)?;
        let mut answered = 0;
        let mut buffer = [0; 8192];
        while answered < self.count {
            let len = socket.read(&mut buffer)?;
            let mut rest = &buffer[..len];
            while let Some(error) = rest.get(HEADER..HEADER + 4) {
                match i32::from_ne_bytes(error.try_into().expect("four octets")) {
                    0 => answered += 1,
                    code => return Err(io::Error::from_raw_os_error(-code)),
                }
                let len = u32::from_ne_bytes(rest[..4].try_into().expect("four octets")) as usize;
                rest = rest.get(len.next_multiple_of(4)..).unwrap_or_default();
            }
        }
        Ok(())
    }
}

fn family(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => libc::AF_INET as u8,
        IpAddr::V6(_) => libc::AF_INET6 as u8,
    }
}
