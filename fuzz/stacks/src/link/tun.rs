//! The link `tun`: IP datagrams through a TUN device.

use std::fs::{File, OpenOptions};
use std::io::{self, IoSlice};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;

use super::{LARGEST, Link, read_len};
use crate::StackError;
use crate::linux::netlink::{self, Device};
use crate::sys;

/// A TUN device in the thread's network namespace.
pub(crate) struct Tun {
    device: File,
    buffer: Vec<u8>,
}

const NAME: &str = "ackward0";
const REMEDY: &str = "use --link raw, or make /dev/net/tun readable and writable";

impl Tun {
    /// Makes the device and leads the peers' addresses to it.
    pub(crate) fn open() -> Result<Tun, StackError> {
        let device = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(libc::O_NONBLOCK)
            .open("/dev/net/tun")
            .map_err(StackError::setup("open /dev/net/tun", REMEDY))?;
        sys::attach_tun(device.as_fd(), NAME)
            .map_err(StackError::setup("make a TUN device", REMEDY))?;
        let index = sys::interface_index(NAME)
            .map_err(StackError::setup("find the TUN device just made", REMEDY))?;
        netlink::configure(Device {
            index,
            gateway_mac: None,
            path_mtu: None,
        })
        .map_err(StackError::setup("configure the TUN device", REMEDY))?;
        Ok(Tun {
            device,
            buffer: vec![0; LARGEST],
        })
    }
}

impl Link for Tun {
    fn send(&mut self, datagram: &[u8]) -> io::Result<()> {
        sys::write(self.device.as_fd(), &[IoSlice::new(datagram)]).map(|_| ())
    }

    fn receive(&mut self) -> io::Result<Option<&[u8]>> {
        let len = read_len(sys::read(self.device.as_fd(), &mut self.buffer))?;
        Ok(len.map(|len| &self.buffer[..len]))
    }
}

impl AsFd for Tun {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}
