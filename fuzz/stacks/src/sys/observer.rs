//! A packet socket that sees what an interface sends, with the kernel's own time of it.

use std::io;
use std::mem::{self, MaybeUninit};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use super::{check, set_option, socket};

/// Sees every datagram that an interface sends.
pub(crate) struct Observer {
    socket: OwnedFd,
    buffer: Vec<u8>,
}

/// A datagram that was sent.
pub(crate) struct Sighting {
    /// When, in microseconds of the machine's calendar clock.
    pub(crate) at: u64,
    /// Whole datagrams of IP; segments that the interface would have cut are still in one piece.
    pub(crate) datagram: Vec<u8>,
    /// The transport's checksum was left to the interface.
    pub(crate) lacks_checksum: bool,
}

/// Room for all that a script sends while nobody looks.
const ROOM: i32 = 8 << 20;
const LARGEST: usize = 1 << 17;

impl Observer {
    /// Begins to look.
    pub(crate) fn of(interface: u32) -> io::Result<Observer> {
        // Protocol 0 until it is bound: nothing of other interfaces gets in.
        let socket = socket(libc::AF_PACKET, libc::SOCK_DGRAM | libc::SOCK_NONBLOCK, 0)?;
        let descriptor = socket.as_fd();
        set_option(descriptor, libc::SOL_SOCKET, libc::SO_RCVBUFFORCE, ROOM)
            .or_else(|_| set_option(descriptor, libc::SOL_SOCKET, libc::SO_RCVBUF, ROOM))?;
        set_option(descriptor, libc::SOL_SOCKET, libc::SO_TIMESTAMPNS, 1)?;
        set_option(descriptor, libc::SOL_PACKET, libc::PACKET_AUXDATA, 1)?;
        // SAFETY: all zeroes is a valid `sockaddr_ll`.
        let mut address: libc::sockaddr_ll = unsafe { mem::zeroed() };
        address.sll_family = libc::AF_PACKET as u16;
        address.sll_protocol = u16::to_be(libc::ETH_P_ALL as u16);
        address.sll_ifindex = interface as libc::c_int;
        let len = mem::size_of_val(&address) as libc::socklen_t;
        // SAFETY: `address` is a `sockaddr_ll` of `len` octets.
        check(unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), len) })?;
        Ok(Observer {
            socket,
            buffer: vec![0; LARGEST],
        })
    }

    /// The next datagram, `None` when there is none now.
    pub(crate) fn next(&mut self) -> io::Result<Option<Sighting>> {
        loop {
            match self.receive() {
                Ok(Some(sighting)) => return Ok(Some(sighting)),
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads one frame; `None` if it was going the other way.
    fn receive(&mut self) -> io::Result<Option<Sighting>> {
        let mut part = libc::iovec {
            iov_base: self.buffer.as_mut_ptr().cast(),
            iov_len: self.buffer.len(),
        };
        let mut control = MaybeUninit::<[u64; 32]>::zeroed();
        // SAFETY: all zeroes is a valid value of both.
        let (mut address, mut message): (libc::sockaddr_ll, libc::msghdr) =
            unsafe { (mem::zeroed(), mem::zeroed()) };
        message.msg_name = (&raw mut address).cast();
        message.msg_namelen = mem::size_of_val(&address) as libc::socklen_t;
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = mem::size_of_val(&control);
        // SAFETY: `message` describes memory that outlives the call.
        let len = unsafe { libc::recvmsg(self.socket.as_raw_fd(), &raw mut message, 0) };
        let len = usize::try_from(len).map_err(|_| io::Error::last_os_error())?;
        if address.sll_pkttype != libc::PACKET_OUTGOING {
            return Ok(None);
        }
        let mut sighting = Sighting {
            at: 0,
            datagram: self.buffer[..len].to_vec(),
            lacks_checksum: false,
        };
        // SAFETY: the kernel has filled the control buffer; the macros walk it by its own lengths, and what is read is
        // plain old data of the kind that its header names.
        unsafe {
            let mut header = libc::CMSG_FIRSTHDR(&raw const message);
            while !header.is_null() {
                let data = libc::CMSG_DATA(header);
                match ((*header).cmsg_level, (*header).cmsg_type) {
                    (libc::SOL_SOCKET, libc::SCM_TIMESTAMPNS) => {
                        let time = data.cast::<libc::timespec>().read_unaligned();
                        sighting.at = time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1_000;
                    }
                    (libc::SOL_PACKET, libc::PACKET_AUXDATA) => {
                        let about = data.cast::<libc::tpacket_auxdata>().read_unaligned();
                        sighting.lacks_checksum =
                            about.tp_status & libc::TP_STATUS_CSUMNOTREADY != 0;
                    }
                    _ => {}
                }
                header = libc::CMSG_NXTHDR(&raw const message, header);
            }
        }
        Ok(Some(sighting))
    }
}

impl AsFd for Observer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// The machine's calendar clock, in microseconds.
pub(crate) fn calendar() -> u64 {
    time_of(libc::CLOCK_REALTIME)
}

/// A clock that moves once a tick of the kernel, in microseconds.
pub(crate) fn ticks() -> u64 {
    time_of(libc::CLOCK_MONOTONIC_COARSE)
}

fn time_of(clock: libc::clockid_t) -> u64 {
    // SAFETY: all zeroes is a valid `timespec`, which the call fills.
    let time = unsafe {
        let mut time: libc::timespec = mem::zeroed();
        libc::clock_gettime(clock, &raw mut time);
        time
    };
    time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1_000
}
