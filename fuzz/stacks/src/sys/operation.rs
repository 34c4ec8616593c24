//! The system calls of scripts, as the C library makes them.

use std::net::SocketAddr;
use std::os::fd::{FromRawFd, OwnedFd};

use super::with_sockaddr;
use crate::stage::{Operation, Returned};

/// Makes the call, which may block.
pub(crate) fn perform(operation: &Operation) -> Returned {
    match *operation {
        // SAFETY: no pointers.
        Operation::Socket(domain, kind, protocol) => {
            plain(unsafe { libc::socket(domain, kind | libc::SOCK_CLOEXEC, protocol) })
        }
        Operation::Bind(descriptor, address) => addressed(descriptor, address, libc::bind),
        Operation::Connect(descriptor, address) => addressed(descriptor, address, libc::connect),
        // SAFETY: no pointers.
        Operation::Listen(descriptor, backlog) => {
            plain(unsafe { libc::listen(descriptor, backlog) })
        }
        Operation::Accept(descriptor) => {
            let (address, len) = (std::ptr::null_mut(), std::ptr::null_mut());
            // SAFETY: null pointers mean that the address is not wanted.
            plain(unsafe { libc::accept4(descriptor, address, len, libc::SOCK_CLOEXEC) })
        }
        Operation::Receive(descriptor, len, flags) => {
            let mut buffer = vec![0_u8; len as usize];
            let (to, room) = (buffer.as_mut_ptr().cast(), buffer.len());
            // SAFETY: pointer and length are those of `buffer`.
            let value = unsafe {
                match flags {
                    Some(flags) => libc::recv(descriptor, to, room, flags),
                    None => libc::read(descriptor, to, room),
                }
            };
            buffer.truncate(usize::try_from(value).unwrap_or(0));
            with(value as i64, buffer)
        }
        Operation::Send(descriptor, ref octets, flags) => {
            let (from, len) = (octets.as_ptr().cast(), octets.len());
            // SAFETY: pointer and length are those of `octets`. Rust programs ignore SIGPIPE.
            let value = unsafe {
                match flags {
                    Some(flags) => libc::send(descriptor, from, len, flags),
                    None => libc::write(descriptor, from, len),
                }
            };
            with(value as i64, Vec::new())
        }
        // SAFETY: the descriptor is one that the stage has handed out, so nobody else owns it.
        Operation::Close(descriptor) => plain(unsafe { libc::close(descriptor) }),
        // SAFETY: no pointers.
        Operation::Shutdown(descriptor, how) => plain(unsafe { libc::shutdown(descriptor, how) }),
        Operation::Control(descriptor, command, argument) => {
            // SAFETY: the commands of scripts take an integer.
            plain(unsafe { libc::fcntl(descriptor, command, argument) })
        }
        Operation::GetOption(descriptor, level, name, room) => {
            let mut value = vec![0_u8; room as usize];
            let mut len = room;
            // SAFETY: pointer and length are those of `value`.
            let result = unsafe {
                libc::getsockopt(descriptor, level, name, value.as_mut_ptr().cast(), &mut len)
            };
            value.truncate(len as usize);
            with(i64::from(result), value)
        }
        Operation::SetOption(descriptor, level, name, ref value) => {
            let (from, len) = (value.as_ptr().cast(), value.len() as u32);
            // SAFETY: pointer and length are those of `value`.
            plain(unsafe { libc::setsockopt(descriptor, level, name, from, len) })
        }
        Operation::Poll(ref wanted, timeout) => {
            let mut entries: Vec<libc::pollfd> = wanted
                .iter()
                .map(|&(fd, events)| libc::pollfd {
                    fd,
                    events,
                    revents: 0,
                })
                .collect();
            // SAFETY: pointer and length are those of `entries`.
            let value = unsafe { libc::poll(entries.as_mut_ptr(), entries.len() as u64, timeout) };
            let found = entries.iter().flat_map(|entry| entry.revents.to_ne_bytes());
            with(i64::from(value), found.collect())
        }
    }
}

/// The thread that calls, as the kernel numbers it.
pub(crate) fn thread_number() -> i32 {
    // SAFETY: no pointers.
    unsafe { libc::gettid() }
}

/// Takes a descriptor into possession, so that it is closed.
pub(crate) fn adopt(descriptor: i32) -> OwnedFd {
    // SAFETY: `perform` has opened it, and the stage, which alone knows it, gives it up.
    unsafe { OwnedFd::from_raw_fd(descriptor) }
}

fn plain(value: libc::c_int) -> Returned {
    with(i64::from(value), Vec::new())
}

fn with(value: i64, octets: Vec<u8>) -> Returned {
    let errno = match value {
        -1 => std::io::Error::last_os_error().raw_os_error().unwrap_or(0),
        _ => 0,
    };
    Returned {
        value,
        errno,
        octets,
    }
}

fn addressed(
    descriptor: i32,
    address: SocketAddr,
    call: unsafe extern "C" fn(i32, *const libc::sockaddr, libc::socklen_t) -> i32,
) -> Returned {
    // SAFETY: pointer and length describe one socket address.
    let result = with_sockaddr(address, |pointer, len| unsafe {
        call(descriptor, pointer, len)
    });
    match result {
        Ok(()) => Returned::default(),
        Err(error) => Returned {
            value: -1,
            errno: error.raw_os_error().unwrap_or(0),
            octets: Vec::new(),
        },
    }
}
