//! How IP datagrams get to the running kernel and back.
//!
//! The tester is the far end of the link and sits in the same kernel: a send runs the kernel's TCP input before it
//! returns, so immediate answers can be received at once.

mod raw;
mod tun;

use std::io;
use std::os::fd::AsFd;

pub(crate) use raw::Raw;
pub(crate) use tun::Tun;

/// The far end of a link.
pub(crate) trait Link: AsFd + Send {
    /// Sends one IP datagram to the kernel.
    fn send(&mut self, datagram: &[u8]) -> io::Result<()>;

    /// The next IP datagram from the kernel, `None` when there is none now.
    fn receive(&mut self) -> io::Result<Option<&[u8]>>;
}

/// Octets of the largest datagram or frame, with some room.
const LARGEST: usize = 1 << 16 | 64;

/// What a non-blocking read returned.
fn read_len(result: io::Result<usize>) -> io::Result<Option<usize>> {
    match result {
        Ok(len) => Ok(Some(len)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(error),
    }
}
