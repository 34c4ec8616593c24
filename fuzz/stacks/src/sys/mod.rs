//! The system calls that the standard library lacks, each behind a safe function. All `unsafe` of Ackward is here.

mod observer;
mod operation;
mod ring;
mod urgent;

use std::ffi::{CStr, CString};
use std::io::{self, IoSlice};
use std::mem::{self, MaybeUninit};
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;
use std::time::Duration;

pub(crate) use observer::{Observer, Sighting, calendar, ticks};
pub(crate) use operation::{adopt, perform, thread_number};
pub(crate) use ring::TraceRing;
pub(crate) use urgent::{expect_urgent, has_priority, was_signalled};

/// The result of a system call that returns −1 for an error.
pub(crate) fn check(result: libc::c_int) -> io::Result<libc::c_int> {
    if result == -1 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

fn own(descriptor: libc::c_int) -> io::Result<OwnedFd> {
    // SAFETY: the kernel has just handed the descriptor to us alone.
    check(descriptor).map(|descriptor| unsafe { OwnedFd::from_raw_fd(descriptor) })
}

/// `unshare`: moves the calling thread (with `CLONE_NEWUSER`: the process) into new namespaces.
pub(crate) fn unshare(namespaces: libc::c_int) -> io::Result<()> {
    // SAFETY: no pointers.
    check(unsafe { libc::unshare(namespaces) }).map(|_| ())
}

/// `setns` to a network namespace.
pub(crate) fn enter_network(namespace: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: no pointers.
    check(unsafe { libc::setns(namespace.as_raw_fd(), libc::CLONE_NEWNET) }).map(|_| ())
}

/// Mounts tracefs at `place` in a mount namespace of the calling thread alone, which ends with the thread.
pub(crate) fn mount_tracefs(place: &CStr) -> io::Result<()> {
    unshare(libc::CLONE_NEWNS)?;
    let (root, kind) = (c"/".as_ptr(), c"tracefs".as_ptr());
    // SAFETY: C strings, and null where nothing is needed.
    unsafe {
        let private = libc::MS_REC | libc::MS_PRIVATE;
        check(libc::mount(
            ptr::null(),
            root,
            ptr::null(),
            private,
            ptr::null(),
        ))?;
        check(libc::mount(kind, place.as_ptr(), kind, 0, ptr::null())).map(|_| ())
    }
}

/// Real user and group.
pub(crate) fn user_and_group() -> (u32, u32) {
    // SAFETY: cannot fail, no pointers.
    unsafe { (libc::getuid(), libc::getgid()) }
}

/// The kernel's release, as `uname` gives it.
pub(crate) fn kernel_release() -> String {
    let mut names = MaybeUninit::<libc::utsname>::zeroed();
    // SAFETY: `names` is large enough; all zeroes is a valid value of it, so it is one even on failure.
    let names = unsafe {
        libc::uname(names.as_mut_ptr());
        names.assume_init()
    };
    let octets: Vec<u8> = names
        .release
        .iter()
        .map(|&octet| octet as u8)
        .take_while(|&octet| octet != 0)
        .collect();
    String::from_utf8_lossy(&octets).into_owned()
}

/// Makes `device`, an open `/dev/net/tun`, a TUN device called `name`.
pub(crate) fn attach_tun(device: BorrowedFd<'_>, name: &str) -> io::Result<()> {
    let mut request = interface_request(name);
    request.ifr_ifru.ifru_flags = (libc::IFF_TUN | libc::IFF_NO_PI) as libc::c_short;
    // SAFETY: TUNSETIFF reads and writes one `ifreq`.
    check(unsafe { libc::ioctl(device.as_raw_fd(), libc::TUNSETIFF as _, &mut request) })
        .map(|_| ())
}

/// The same, with a header before each datagram that says how it may be cut; segments larger than the device's MTU come and
/// go in one piece.
pub(crate) fn attach_segmenting_tun(device: BorrowedFd<'_>, name: &str) -> io::Result<()> {
    // Of <linux/if_tun.h>, which libc lacks.
    const TUN_F_CSUM: libc::c_ulong = 0x01;
    const TUN_F_TSO4: libc::c_ulong = 0x02;
    const TUN_F_TSO6: libc::c_ulong = 0x04;
    const TUN_F_TSO_ECN: libc::c_ulong = 0x08;
    let mut request = interface_request(name);
    let flags = libc::IFF_TUN | libc::IFF_NO_PI | libc::IFF_VNET_HDR;
    request.ifr_ifru.ifru_flags = flags as libc::c_short;
    let offloads = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;
    // SAFETY: TUNSETIFF reads and writes one `ifreq`; TUNSETOFFLOAD takes a number.
    unsafe {
        check(libc::ioctl(
            device.as_raw_fd(),
            libc::TUNSETIFF as _,
            &mut request,
        ))?;
        check(libc::ioctl(
            device.as_raw_fd(),
            libc::TUNSETOFFLOAD as _,
            offloads,
        ))
        .map(|_| ())
    }
}

/// Gives the calling thread a `/tmp` of its own, which ends with the thread.
pub(crate) fn own_temporary_folder() -> io::Result<()> {
    unshare(libc::CLONE_NEWNS)?;
    let private = libc::MS_REC | libc::MS_PRIVATE;
    let (none, kind, place) = (ptr::null(), c"tmpfs".as_ptr(), c"/tmp".as_ptr());
    // SAFETY: C strings, and null where nothing is needed.
    unsafe {
        check(libc::mount(
            ptr::null(),
            c"/".as_ptr(),
            none,
            private,
            ptr::null(),
        ))?;
        check(libc::mount(kind, place, kind, 0, ptr::null())).map(|_| ())
    }
}

/// The index of a network interface.
pub(crate) fn interface_index(name: &str) -> io::Result<u32> {
    let name = CString::new(name)?;
    // SAFETY: `name` is a C string.
    match unsafe { libc::if_nametoindex(name.as_ptr()) } {
        0 => Err(io::Error::last_os_error()),
        index => Ok(index),
    }
}

/// Turns checksum and segmentation offloads of an interface off, so that what we read is what would be on the wire.
pub(crate) fn disable_offloads(name: &str) -> io::Result<()> {
    #[repr(C)]
    struct EthtoolValue {
        command: u32,
        data: u32,
    }
    // ETHTOOL_STXCSUM, _STSO, _SGSO, _SGRO of <linux/ethtool.h>, which libc lacks.
    const OFFLOADS: [u32; 4] = [0x17, 0x1f, 0x24, 0x2c];
    let control = socket(libc::AF_INET, libc::SOCK_DGRAM, 0)?;
    for command in OFFLOADS {
        let mut value = EthtoolValue { command, data: 0 };
        let mut request = interface_request(name);
        request.ifr_ifru.ifru_data = (&raw mut value).cast();
        // SAFETY: SIOCETHTOOL with these commands reads one `ethtool_value`, which outlives the call.
        check(unsafe { libc::ioctl(control.as_raw_fd(), libc::SIOCETHTOOL as _, &mut request) })?;
    }
    Ok(())
}

fn interface_request(name: &str) -> libc::ifreq {
    // SAFETY: all zeroes is a valid `ifreq`.
    let mut request: libc::ifreq = unsafe { mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(name.bytes()) {
        *to = from as libc::c_char;
    }
    request
}

/// `socket`, closed on exec.
pub(crate) fn socket(
    family: libc::c_int,
    kind: libc::c_int,
    protocol: libc::c_int,
) -> io::Result<OwnedFd> {
    // SAFETY: no pointers.
    own(unsafe { libc::socket(family, kind | libc::SOCK_CLOEXEC, protocol) })
}

/// A non-blocking packet socket that sees every frame arriving at an interface, and none that it sends.
pub(crate) fn packet_socket(interface: u32) -> io::Result<OwnedFd> {
    let every = u16::to_be(libc::ETH_P_ALL as u16);
    // Protocol 0 until it is bound: nothing of other interfaces gets in.
    let socket = socket(libc::AF_PACKET, libc::SOCK_RAW | libc::SOCK_NONBLOCK, 0)?;
    set_option(
        socket.as_fd(),
        libc::SOL_PACKET,
        libc::PACKET_IGNORE_OUTGOING,
        1,
    )?;
    // Past the queueing discipline, which is not in place until a moment after our end is up.
    set_option(
        socket.as_fd(),
        libc::SOL_PACKET,
        libc::PACKET_QDISC_BYPASS,
        1,
    )?;
    // SAFETY: all zeroes is a valid `sockaddr_ll`.
    let mut address: libc::sockaddr_ll = unsafe { mem::zeroed() };
    address.sll_family = libc::AF_PACKET as u16;
    address.sll_protocol = every;
    address.sll_ifindex = interface as libc::c_int;
    let len = mem::size_of_val(&address) as libc::socklen_t;
    // SAFETY: `address` is a `sockaddr_ll` of `len` octets.
    check(unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), len) })?;
    Ok(socket)
}

/// An address in the form of the kernel; IPv4 in an IPv6 socket is IPv4-mapped beforehand.
fn with_sockaddr(
    address: SocketAddr,
    call: impl FnOnce(*const libc::sockaddr, libc::socklen_t) -> libc::c_int,
) -> io::Result<()> {
    let result = match address.ip() {
        IpAddr::V4(ip) => {
            let v4 = libc::sockaddr_in {
                sin_family: libc::AF_INET as u16,
                sin_port: address.port().to_be(),
                sin_addr: libc::in_addr {
                    s_addr: u32::from(ip).to_be(),
                },
                sin_zero: [0; 8],
            };
            call((&raw const v4).cast(), mem::size_of_val(&v4) as u32)
        }
        IpAddr::V6(ip) => {
            let v6 = libc::sockaddr_in6 {
                sin6_family: libc::AF_INET6 as u16,
                sin6_port: address.port().to_be(),
                sin6_flowinfo: 0,
                sin6_addr: libc::in6_addr {
                    s6_addr: ip.octets(),
                },
                sin6_scope_id: 0,
            };
            call((&raw const v6).cast(), mem::size_of_val(&v6) as u32)
        }
    };
    check(result).map(|_| ())
}

/// `bind`.
pub(crate) fn bind(socket: BorrowedFd<'_>, address: SocketAddr) -> io::Result<()> {
    // SAFETY: pointer and length describe one socket address.
    with_sockaddr(address, |pointer, len| unsafe {
        libc::bind(socket.as_raw_fd(), pointer, len)
    })
}

/// `connect`.
pub(crate) fn connect(socket: BorrowedFd<'_>, address: SocketAddr) -> io::Result<()> {
    // SAFETY: pointer and length describe one socket address.
    with_sockaddr(address, |pointer, len| unsafe {
        libc::connect(socket.as_raw_fd(), pointer, len)
    })
}

/// `listen`.
pub(crate) fn listen(socket: BorrowedFd<'_>, backlog: libc::c_int) -> io::Result<()> {
    // SAFETY: no pointers.
    check(unsafe { libc::listen(socket.as_raw_fd(), backlog) }).map(|_| ())
}

/// `accept4`, non-blocking.
pub(crate) fn accept(listener: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    // SAFETY: null pointers mean that the address is not wanted.
    own(unsafe {
        libc::accept4(
            listener.as_raw_fd(),
            ptr::null_mut(),
            ptr::null_mut(),
            libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC,
        )
    })
}

/// `shutdown`.
pub(crate) fn shutdown(socket: BorrowedFd<'_>, how: libc::c_int) -> io::Result<()> {
    // SAFETY: no pointers.
    check(unsafe { libc::shutdown(socket.as_raw_fd(), how) }).map(|_| ())
}

/// `send`, without a signal when the connection is gone.
pub(crate) fn send(socket: BorrowedFd<'_>, octets: &[u8], flags: libc::c_int) -> io::Result<usize> {
    // SAFETY: pointer and length are those of `octets`.
    let result = unsafe {
        libc::send(
            socket.as_raw_fd(),
            octets.as_ptr().cast(),
            octets.len(),
            libc::MSG_NOSIGNAL | flags,
        )
    };
    usize::try_from(result).map_err(|_| io::Error::last_os_error())
}

/// `recv`.
pub(crate) fn receive(socket: BorrowedFd<'_>, buffer: &mut [u8]) -> io::Result<usize> {
    // SAFETY: pointer and length are those of `buffer`.
    let result = unsafe {
        libc::recv(
            socket.as_raw_fd(),
            buffer.as_mut_ptr().cast(),
            buffer.len(),
            0,
        )
    };
    usize::try_from(result).map_err(|_| io::Error::last_os_error())
}

/// `setsockopt` of an integer.
pub(crate) fn set_option(
    socket: BorrowedFd<'_>,
    level: libc::c_int,
    name: libc::c_int,
    value: libc::c_int,
) -> io::Result<()> {
    set_option_value(socket, level, name, &value)
}

/// Makes `close` reset the connection.
pub(crate) fn reset_on_close(socket: BorrowedFd<'_>) -> io::Result<()> {
    let at_once = libc::linger {
        l_onoff: 1,
        l_linger: 0,
    };
    set_option_value(socket, libc::SOL_SOCKET, libc::SO_LINGER, &at_once)
}

fn set_option_value<T>(
    socket: BorrowedFd<'_>,
    level: libc::c_int,
    name: libc::c_int,
    value: &T,
) -> io::Result<()> {
    let len = mem::size_of::<T>() as libc::socklen_t;
    // SAFETY: pointer and length are those of `value`.
    check(unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            level,
            name,
            (&raw const *value).cast(),
            len,
        )
    })
    .map(|_| ())
}

/// `getsockopt` of an integer.
pub(crate) fn option(
    socket: BorrowedFd<'_>,
    level: libc::c_int,
    name: libc::c_int,
) -> io::Result<libc::c_int> {
    let mut value: libc::c_int = 0;
    let mut len = mem::size_of_val(&value) as libc::socklen_t;
    // SAFETY: pointer and length are those of `value`.
    check(unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            level,
            name,
            (&raw mut value).cast(),
            &mut len,
        )
    })?;
    Ok(value)
}

/// `getsockopt(TCP_INFO)`: what the kernel gave, and how many octets of it. Older kernels give fewer.
pub(crate) fn tcp_info(socket: BorrowedFd<'_>) -> io::Result<(libc::tcp_info, usize)> {
    // SAFETY: all zeroes is a valid `tcp_info`.
    let mut info: libc::tcp_info = unsafe { mem::zeroed() };
    let mut len = mem::size_of_val(&info) as libc::socklen_t;
    // SAFETY: pointer and length are those of `info`.
    check(unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            (&raw mut info).cast(),
            &mut len,
        )
    })?;
    Ok((info, len as usize))
}

/// `read`. Not by way of the C library, whose guard against thread cancellation costs as much as it can.
pub(crate) fn read(descriptor: BorrowedFd<'_>, buffer: &mut [u8]) -> io::Result<usize> {
    // SAFETY: pointer and length are those of `buffer`.
    let result = unsafe {
        libc::syscall(
            libc::SYS_read,
            descriptor.as_raw_fd(),
            buffer.as_mut_ptr(),
            buffer.len(),
        )
    };
    usize::try_from(result).map_err(|_| io::Error::last_os_error())
}

/// `write` of all parts as one, likewise.
pub(crate) fn write(descriptor: BorrowedFd<'_>, parts: &[IoSlice<'_>]) -> io::Result<usize> {
    // SAFETY: an `IoSlice` has the layout of an `iovec`.
    let result = unsafe {
        libc::syscall(
            libc::SYS_writev,
            descriptor.as_raw_fd(),
            parts.as_ptr(),
            parts.len(),
        )
    };
    usize::try_from(result).map_err(|_| io::Error::last_os_error())
}

/// Waits until `descriptor` can be read, at most `timeout`. Returns whether it can.
pub(crate) fn wait_readable(descriptor: BorrowedFd<'_>, timeout: Duration) -> io::Result<bool> {
    poll(
        descriptor,
        libc::POLLIN,
        libc::POLLERR | libc::POLLHUP,
        timeout,
    )
}

/// Waits for one of `events`, at most `timeout`. Returns whether it came, or what may come `also`.
fn poll(
    descriptor: BorrowedFd<'_>,
    events: libc::c_short,
    also: libc::c_short,
    timeout: Duration,
) -> io::Result<bool> {
    let mut poll = libc::pollfd {
        fd: descriptor.as_raw_fd(),
        events,
        revents: 0,
    };
    let timeout = libc::timespec {
        tv_sec: timeout.as_secs() as libc::time_t,
        tv_nsec: timeout.subsec_nanos().into(),
    };
    // SAFETY: one `pollfd`, one `timespec`, no signal mask.
    match check(unsafe { libc::ppoll(&mut poll, 1, &timeout, ptr::null()) }) {
        Ok(_) => Ok(poll.revents & (events | also) != 0),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(false),
        Err(error) => Err(error),
    }
}
