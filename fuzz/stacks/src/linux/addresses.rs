//! Which addresses and ports the stack and its peers have: a fresh pair every case, so that nothing the kernel remembers
//! of an old connection meets a new one.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ackward_model::wire::Route;
use ackward_scenario::Family;

/// The addresses of one family.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Network {
    /// The stack's address.
    pub(crate) stack: IpAddr,
    /// Length of the prefix that the stack shares with the gateway, in bits.
    pub(crate) link_bits: u8,
    /// Where the peers are behind.
    pub(crate) gateway: IpAddr,
    /// First address of the peers' prefix; no interface has an address in it.
    pub(crate) peers: IpAddr,
    /// Length of the peers' prefix, in bits.
    pub(crate) peer_bits: u8,
}

/// IPv4: documentation and benchmarking ranges, which are in nobody's use.
pub(crate) const V4: Network = Network {
    stack: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)),
    link_bits: 30,
    gateway: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2)),
    peers: IpAddr::V4(V4_PEERS),
    peer_bits: 15,
};

/// IPv6: likewise.
pub(crate) const V6: Network = Network {
    stack: IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)),
    link_bits: 64,
    gateway: IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 2)),
    peers: IpAddr::V6(V6_PEERS),
    peer_bits: 64,
};

const V4_PEERS: Ipv4Addr = Ipv4Addr::new(198, 18, 0, 0);
const V6_PEERS: Ipv6Addr = Ipv6Addr::new(0x2001, 0xdb8, 0, 1, 0, 0, 0, 0);
/// The peers' addresses in use: all of the IPv4 prefix but its first and last one.
const ADDRESSES: u64 = (1 << 17) - 2;
/// The ports in use, from [`FIRST_PORT`] on.
const PORTS: u64 = 64_000;
const FIRST_PORT: u64 = 1024;

/// The way from the peer of case `n` to the stack. Consecutive cases differ in the stack's port and in the peer's
/// address; a pair comes back after some billions of cases.
pub(crate) fn route(family: Family, n: u64) -> Route {
    let host = 1 + n % ADDRESSES;
    let (network, peer) = match family {
        Family::V4 | Family::Mapped => (V4, nth_v4(host)),
        Family::V6 => (V6, nth_v6(host)),
    };
    Route {
        source: (peer, port(n / ADDRESSES)),
        destination: (network.stack, port(n)),
    }
}

fn port(n: u64) -> u16 {
    (FIRST_PORT + n % PORTS) as u16
}

fn nth_v4(host: u64) -> IpAddr {
    Ipv4Addr::from(u32::from(V4_PEERS) + host as u32).into()
}

fn nth_v6(host: u64) -> IpAddr {
    Ipv6Addr::from(u128::from(V6_PEERS) + u128::from(host)).into()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_pair_comes_back_within_two_minutes_at_twenty_thousand_cases_a_second() {
        let mut met = HashSet::new();
        assert!((0..120 * 20_000).all(|n| {
            let route = route(Family::V4, n);
            met.insert((route.source, route.destination))
        }));
    }

    #[test]
    fn peers_stay_inside_their_prefix() {
        for n in [0, ADDRESSES - 1, ADDRESSES, u64::MAX] {
            let IpAddr::V4(peer) = route(Family::V4, n).source.0 else {
                panic!("IPv4 expected");
            };
            let offset = u32::from(peer) - u32::from(V4_PEERS);
            assert!((1..(1 << 17) - 1).contains(&offset), "{peer}");
        }
    }
}
