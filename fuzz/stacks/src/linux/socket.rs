//! The application's side of a case: sockets of the running kernel.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{BorrowedFd, OwnedFd};

use ackward_model::wire::Route;
use ackward_model::{Sample, SocketOption, Window};
use ackward_scenario::{Family, Setup};

use crate::{StackError, sys};

/// A TCP socket of the case's family, bound to the stack's address, with the case's options.
pub(crate) fn bound(setup: &Setup, route: Route) -> Result<OwnedFd, StackError> {
    let socket = of_family(setup.family)?;
    let socket_ref = std::os::fd::AsFd::as_fd(&socket);
    for option in &setup.socket_options {
        set(socket_ref, *option).map_err(|_| StackError::Unsupported(format!("{option:?}")))?;
    }
    sys::bind(socket_ref, address(setup.family, route.destination))
        .map_err(StackError::io("bind a socket to the stack's address"))?;
    Ok(socket)
}

/// A TCP socket.
pub(crate) fn of_family(family: Family) -> Result<OwnedFd, StackError> {
    let error = StackError::io;
    let domain = match family {
        Family::V4 => libc::AF_INET,
        Family::V6 | Family::Mapped => libc::AF_INET6,
    };
    let socket = sys::socket(domain, libc::SOCK_STREAM | libc::SOCK_NONBLOCK, 0)
        .map_err(error("make a socket"))?;
    if family == Family::Mapped {
        let socket = std::os::fd::AsFd::as_fd(&socket);
        sys::set_option(socket, libc::IPPROTO_IPV6, libc::IPV6_V6ONLY, 0)
            .map_err(error("open an IPv6 socket to IPv4"))?;
    }
    Ok(socket)
}

/// An end of a route as sockets of `family` name it.
pub(crate) fn address(family: Family, (ip, port): (IpAddr, u16)) -> SocketAddr {
    match (family, ip) {
        (Family::Mapped, IpAddr::V4(v4)) => SocketAddr::new(v4.to_ipv6_mapped().into(), port),
        _ => SocketAddr::new(ip, port),
    }
}

/// Sets an option.
pub(crate) fn set(socket: BorrowedFd<'_>, option: SocketOption) -> io::Result<()> {
    let (level, name, value) = match option {
        SocketOption::ReceiveBuffer(octets) => (libc::SOL_SOCKET, libc::SO_RCVBUF, octets),
        SocketOption::ReceiveLowWater(octets) => (libc::SOL_SOCKET, libc::SO_RCVLOWAT, octets),
        SocketOption::WindowClamp(octets) => (libc::IPPROTO_TCP, libc::TCP_WINDOW_CLAMP, octets),
        SocketOption::NoDelay(on) => (libc::IPPROTO_TCP, libc::TCP_NODELAY, u32::from(on)),
        SocketOption::QuickAck(on) => (libc::IPPROTO_TCP, libc::TCP_QUICKACK, u32::from(on)),
        SocketOption::KeepAlive(on) => (libc::SOL_SOCKET, libc::SO_KEEPALIVE, u32::from(on)),
        SocketOption::KeepIdle(seconds) => (libc::IPPROTO_TCP, libc::TCP_KEEPIDLE, seconds),
        SocketOption::UserTimeout(by) => (libc::IPPROTO_TCP, libc::TCP_USER_TIMEOUT, by),
        SocketOption::TrafficClass(class) => {
            let names = (libc::IP_TOS, libc::IPV6_TCLASS);
            return set_in_header(socket, names, class);
        }
        SocketOption::UrgentInline(on) => (libc::SOL_SOCKET, libc::SO_OOBINLINE, u32::from(on)),
        SocketOption::TimeToLive(hops) => {
            let names = (libc::IP_TTL, libc::IPV6_UNICAST_HOPS);
            return set_in_header(socket, names, hops);
        }
    };
    let value = i32::try_from(value).unwrap_or(i32::MAX);
    sys::set_option(socket, level, name, value)
}

/// Sets a field of both headers, as far as the socket has them.
fn set_in_header(socket: BorrowedFd<'_>, (v4, v6): (i32, i32), value: u8) -> io::Result<()> {
    let of_v4 = sys::set_option(socket, libc::IPPROTO_IP, v4, i32::from(value));
    let of_v6 = sys::set_option(socket, libc::IPPROTO_IPV6, v6, i32::from(value));
    of_v4.or(of_v6)
}

/// What the kernel says of a socket.
pub(crate) fn sample(socket: BorrowedFd<'_>) -> Option<Sample> {
    let (info, len) = sys::tcp_info(socket).ok()?;
    // A kernel older than a field returns fewer octets.
    macro_rules! given {
        ($field:ident) => {
            (std::mem::offset_of!(libc::tcp_info, $field) + size_of_val(&info.$field) <= len)
                .then_some(info.$field)
        };
    }
    // One octet holds both shifts: what we send is scaled by the low bits, what we receive by the high ones.
    let scales = (len > SCALES_OFFSET).then_some(info.tcpi_snd_rcv_wscale);
    Some(Sample {
        state: given!(tcpi_state),
        snd_wscale: scales.map(|octet| octet & 0xf),
        rcv_wscale: scales.map(|octet| octet >> 4),
        rcv_wnd: given!(tcpi_rcv_wnd).map(Window),
        snd_wnd: given!(tcpi_snd_wnd).map(Window),
        unacked: given!(tcpi_unacked),
        bytes_received: given!(tcpi_bytes_received),
        rcv_ooopack: given!(tcpi_rcv_ooopack),
        window_clamp: sys::option(socket, libc::IPPROTO_TCP, libc::TCP_WINDOW_CLAMP)
            .ok()
            .and_then(|octets| u32::try_from(octets).ok())
            .map(Window),
        rtt: given!(tcpi_rtt).map(u64::from),
    })
}

const SCALES_OFFSET: usize = 6;
