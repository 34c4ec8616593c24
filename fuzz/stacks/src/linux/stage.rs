//! The running kernel as a stage for scripts: a private network namespace, in real time.
//!
//! What it sends is seen by a packet socket, with the kernel's own time of it and before the device cuts it.

use std::collections::{BTreeSet, VecDeque};
use std::fs::{self, File, OpenOptions};
use std::io::{self, IoSlice};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use ackward_model::{Micros, wire};

use super::addresses::Network;
use super::namespace::{Home, prepare};
use super::netlink;
use crate::stage::{Operation, Returned, Stage, StageOptions};
use crate::sys::{self, Observer};
use crate::{StackError, sys::Sighting};

/// Moves the calling thread into a private network namespace that holds what a script needs, until the stage is dropped.
/// With `own_temporary_folder`, processes started by the thread have a `/tmp` of their own.
pub fn linux_stage(
    options: &StageOptions,
    own_temporary_folder: bool,
) -> Result<Box<dyn Stage>, StackError> {
    prepare()?;
    let home = Home::note()?;
    sys::unshare(libc::CLONE_NEWNET)
        .map_err(StackError::setup("make a network namespace", REMEDY))?;
    if own_temporary_folder {
        sys::own_temporary_folder()
            .map_err(StackError::setup("make a temporary folder", REMEDY))?;
    }
    let device = OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(libc::O_NONBLOCK)
        .open("/dev/net/tun")
        .map_err(StackError::setup("open /dev/net/tun", TUN_REMEDY))?;
    let made = |what| StackError::setup(what, TUN_REMEDY);
    sys::attach_segmenting_tun(device.as_fd(), DEVICE).map_err(made("make a TUN device"))?;
    let index = sys::interface_index(DEVICE).map_err(made("find the TUN device just made"))?;
    netlink::configure_for_script(index, network(options), options.mtu)
        .map_err(made("configure the TUN device"))?;
    let (calls, requests) = mpsc::channel();
    let (answers, results) = mpsc::channel();
    let (numbers, number) = mpsc::channel();
    thread::spawn(move || make_calls(&numbers, &requests, &answers));
    Ok(Box::new(LinuxStage {
        options: *options,
        device,
        observer: Observer::of(index).map_err(StackError::io("watch the TUN device"))?,
        seen: VecDeque::new(),
        start: sys::calendar(),
        open: BTreeSet::new(),
        calls,
        results,
        caller: number.recv().unwrap_or(0),
        early: None,
        _home: home,
    }))
}

/// The running kernel, while a script runs on it.
struct LinuxStage {
    options: StageOptions,
    device: File,
    observer: Observer,
    /// What has been seen and not been asked for.
    seen: VecDeque<Sighting>,
    /// In microseconds of the calendar clock, whose times the observer has.
    start: u64,
    /// The descriptors handed out.
    open: BTreeSet<i32>,
    /// To the thread that makes the calls that may block, and back.
    calls: Sender<Operation>,
    results: Receiver<(u64, Operation, Returned)>,
    /// That thread, as the kernel numbers it.
    caller: i32,
    /// A result that came while it was looked whether its call blocks.
    early: Option<(u64, Operation, Returned)>,
    /// Dropped last, which takes the thread back.
    _home: Home,
}

const DEVICE: &str = "tun0";
const REMEDY: &str = "run as root, or let ordinary users make user namespaces (sysctl user.max_user_namespaces, \
                      kernel.apparmor_restrict_unprivileged_userns)";
const TUN_REMEDY: &str = "make /dev/net/tun readable and writable";
/// The last stretch of a wait is not slept, so that it ends in time.
const SPIN: Micros = 60;
/// Scripts begin so long after a tick of the kernel's clock.
const AFTER_TICK: Micros = 250;
/// So long a call gets to end or to block.
const TO_BLOCK: Duration = Duration::from_secs(1);

impl Stage for LinuxStage {
    /// Just after a tick, so that timers counted in ticks are late by about the same each time.
    fn start(&mut self) -> Result<(), StackError> {
        let tick = sys::ticks();
        let patience = Instant::now();
        while sys::ticks() == tick && patience.elapsed() < Duration::from_millis(20) {
            std::hint::spin_loop();
        }
        self.start = sys::calendar();
        self.wait_until(AFTER_TICK)?;
        self.start = sys::calendar();
        Ok(())
    }

    fn now(&mut self) -> Micros {
        self.since_start(sys::calendar())
    }

    fn wait_until(&mut self, at: Micros) -> Result<(), StackError> {
        loop {
            let left = at.saturating_sub(self.now());
            match left {
                0 => return Ok(()),
                1..=SPIN => std::hint::spin_loop(),
                _ => thread::sleep(Duration::from_micros(left - SPIN)),
            }
        }
    }

    fn inject(&mut self, datagram: &[u8]) -> Result<(), StackError> {
        let header = self.segmentation(datagram);
        let parts = [IoSlice::new(&header), IoSlice::new(datagram)];
        sys::write(self.device.as_fd(), &parts)
            .map(|_| ())
            .map_err(StackError::io("write to the TUN device"))
    }

    fn outbound(&mut self, deadline: Micros) -> Result<Option<(Micros, Vec<u8>)>, StackError> {
        loop {
            self.look()
                .map_err(StackError::io("watch the TUN device"))?;
            if let Some(sighting) = self.seen.pop_front() {
                let at = self.since_start(sighting.at);
                return Ok(Some((at, sighting.datagram)));
            }
            let left = deadline.saturating_sub(self.now());
            if left == 0 {
                return Ok(None);
            }
            sys::wait_readable(self.observer.as_fd(), Duration::from_micros(left))
                .map_err(StackError::io("wait for the TUN device"))?;
        }
    }

    fn call(&mut self, operation: Operation) -> Result<Returned, StackError> {
        let returned = sys::perform(&operation);
        self.account(&operation, &returned);
        Ok(returned)
    }

    fn begin(&mut self, operation: Operation) -> Result<(), StackError> {
        // The thread lives as long as the stage.
        let _ = self.calls.send(operation);
        let patience = Instant::now();
        while patience.elapsed() < TO_BLOCK {
            if let Ok(result) = self.results.try_recv() {
                self.early = Some(result);
                break;
            }
            if is_asleep(self.caller) && patience.elapsed() > Duration::from_micros(50) {
                break;
            }
            thread::yield_now();
        }
        Ok(())
    }

    fn finish(&mut self, deadline: Micros) -> Result<Option<(Micros, Returned)>, StackError> {
        let left = Duration::from_micros(deadline.saturating_sub(self.now()));
        let result = match self.early.take() {
            Some(result) => result,
            None => match self.results.recv_timeout(left) {
                Ok(result) => result,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(None),
            },
        };
        let (at, operation, returned) = result;
        self.account(&operation, &returned);
        Ok(Some((self.since_start(at), returned)))
    }

    fn is_kernel(&self) -> bool {
        true
    }

    fn set(&mut self, name: &str, value: &str) -> Result<Option<()>, StackError> {
        let place = Path::new("/proc/sys").join(name.replace('.', "/"));
        match fs::write(&place, value) {
            Ok(()) => Ok(Some(())),
            Err(_) => Ok(None),
        }
    }

    fn setting(&self, name: &str) -> Option<String> {
        let place = Path::new("/proc/sys").join(name.replace('.', "/"));
        let value = fs::read_to_string(place).ok()?;
        Some(value.trim().to_owned())
    }
}

impl LinuxStage {
    fn since_start(&self, at: u64) -> Micros {
        at.saturating_sub(self.start)
    }

    /// Takes in what has been sent to the peer since the last look.
    fn look(&mut self) -> io::Result<()> {
        let mut cut = [0; 1 << 16];
        while sys::read(self.device.as_fd(), &mut cut).is_ok() {}
        while let Some(mut sighting) = self.observer.next()? {
            if destination(&sighting.datagram) != Some(self.options.remote) {
                continue;
            }
            if sighting.lacks_checksum {
                wire::complete_checksum(&mut sighting.datagram);
            }
            self.seen.push_back(sighting);
        }
        Ok(())
    }

    /// What the device is to know of a datagram: where it may be cut into segments.
    fn segmentation(&self, datagram: &[u8]) -> [u8; 10] {
        let mut header = [0; 10];
        let (ip, kind) = match datagram.first().map(|octet| octet >> 4) {
            Some(4) => (20_u16, GSO_TCP_IPV4),
            _ => (40, GSO_TCP_IPV6),
        };
        let Some(size) = self.options.segment_size else {
            return header;
        };
        let offset = datagram.get(usize::from(ip) + 12).copied().unwrap_or(0);
        let tcp = u16::from(offset >> 4) * 4;
        if datagram.len() <= usize::from(ip + tcp + size) {
            return header;
        }
        header[0] = NEEDS_CHECKSUM;
        header[1] = kind;
        for (place, value) in [(2, ip + tcp), (4, size), (6, ip), (8, TCP_CHECKSUM)] {
            header[place..place + 2].copy_from_slice(&value.to_ne_bytes());
        }
        header
    }

    fn account(&mut self, operation: &Operation, returned: &Returned) {
        match *operation {
            Operation::Socket(..) | Operation::Accept(_) if returned.value >= 0 => {
                self.open.insert(returned.value as i32);
            }
            Operation::Close(descriptor) => {
                self.open.remove(&descriptor);
            }
            _ => {}
        }
    }
}

impl Drop for LinuxStage {
    /// A call that still blocks returns when its socket is shut down; then its thread ends.
    fn drop(&mut self) {
        for descriptor in &self.open {
            sys::perform(&Operation::Shutdown(*descriptor, libc::SHUT_RDWR));
        }
        for descriptor in &self.open {
            drop(sys::adopt(*descriptor));
        }
    }
}

/// Of <linux/virtio_net.h>, which libc lacks.
const NEEDS_CHECKSUM: u8 = 1;
const GSO_TCP_IPV4: u8 = 1;
const GSO_TCP_IPV6: u8 = 4;
/// Where the checksum is in a TCP header.
const TCP_CHECKSUM: u16 = 16;

/// The thread that makes calls which may block.
fn make_calls(
    number: &Sender<i32>,
    requests: &Receiver<Operation>,
    answers: &Sender<(u64, Operation, Returned)>,
) {
    let _ = number.send(sys::thread_number());
    for operation in requests {
        let returned = sys::perform(&operation);
        if answers
            .send((sys::calendar(), operation, returned))
            .is_err()
        {
            return;
        }
    }
}

/// Whether a thread of this process waits for something.
fn is_asleep(thread: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/self/task/{thread}/stat")).unwrap_or_default();
    // The name before the state can hold anything but ends with the last parenthesis.
    let state = status.rsplit_once(')').map(|(_, rest)| rest.trim_start());
    state.is_some_and(|rest| rest.starts_with('S'))
}

fn destination(datagram: &[u8]) -> Option<IpAddr> {
    match datagram.first()? >> 4 {
        4 => {
            let octets: [u8; 4] = datagram.get(16..20)?.try_into().ok()?;
            Some(Ipv4Addr::from(octets).into())
        }
        6 => {
            let octets: [u8; 16] = datagram.get(24..40)?.try_into().ok()?;
            Some(Ipv6Addr::from(octets).into())
        }
        _ => None,
    }
}

/// The link of a script. The gateway only has to be another address than the stack's.
fn network(options: &StageOptions) -> Network {
    let (gateway, link_bits, peer_bits) = match options.local {
        IpAddr::V4(local) => (Ipv4Addr::from(u32::from(local) ^ 0x4000).into(), 16, 32),
        IpAddr::V6(local) => (Ipv6Addr::from(u128::from(local) ^ 0x4000).into(), 32, 128),
    };
    Network {
        stack: options.local,
        link_bits,
        gateway,
        peers: options.remote,
        peer_bits,
    }
}
