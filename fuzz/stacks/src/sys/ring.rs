//! A kernel tracepoint as seen by one thread, through the ring that `perf_event_open` fills. It goes away with its
//! descriptor, so nothing is left in the kernel when the process is killed.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicU64, Ordering};

use super::own;

/// What a tracepoint recorded while the thread that opened this was running, interrupts included.
pub(crate) struct TraceRing {
    _event: OwnedFd,
    memory: NonNull<u8>,
    page: usize,
}

/// `perf_event_attr` of <linux/perf_event.h> in its first size, which every kernel takes.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_kind: u32,
    breakpoint_address: u64,
}

const PERF_TYPE_TRACEPOINT: u32 = 2;
const PERF_SAMPLE_RAW: u64 = 1 << 10;
const PERF_RECORD_SAMPLE: u32 = 9;
/// Places in `perf_event_mmap_page`, the first page of the mapping.
const DATA_HEAD: usize = 1024;
const DATA_TAIL: usize = 1032;
/// Pages of records: a power of two.
const PAGES: usize = 16;

impl TraceRing {
    /// Records the tracepoint `id` on the calling thread.
    pub(crate) fn open(id: u64) -> io::Result<TraceRing> {
        let attributes = Attributes {
            kind: PERF_TYPE_TRACEPOINT,
            size: size_of::<Attributes>() as u32,
            config: id,
            sample_period: 1,
            sample_type: PERF_SAMPLE_RAW,
            ..Attributes::default()
        };
        let (this_thread, any_cpu, no_group, close_on_exec) = (0, -1, -1, 8u64);
        // SAFETY: `attributes` is of the size that it says, and outlives the call.
        let event = own(unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                this_thread,
                any_cpu,
                no_group,
                close_on_exec,
            )
        } as libc::c_int)?;
        // SAFETY: no pointers.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        // SAFETY: a new mapping at a place of the kernel's choice.
        let memory = unsafe {
            libc::mmap(
                ptr::null_mut(),
                (1 + PAGES) * page,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                event.as_raw_fd(),
                0,
            )
        };
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let memory = NonNull::new(memory.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(TraceRing {
            _event: event,
            memory,
            page,
        })
    }

    /// Hands over the raw data of each record since the last call, oldest first.
    pub(crate) fn drain(&mut self, mut record: impl FnMut(&[u8])) {
        // The kernel writes the head after the records, and reads the tail before it writes over them.
        let head = self.control(DATA_HEAD).load(Ordering::Acquire);
        let mut tail = self.control(DATA_TAIL).load(Ordering::Relaxed);
        let mut octets = Vec::new();
        while tail < head {
            // A header: kind (4), misc (2), size of the whole record (2); of a sample then the data's size (4).
            self.copy(tail, 8, &mut octets);
            let kind = u32::from_ne_bytes([octets[0], octets[1], octets[2], octets[3]]);
            let size = usize::from(u16::from_ne_bytes([octets[6], octets[7]]));
            if size < 8 {
                break;
            }
            if kind == PERF_RECORD_SAMPLE {
                self.copy(tail, size, &mut octets);
                record(octets.get(12..).unwrap_or_default());
            }
            tail += size as u64;
        }
        self.control(DATA_TAIL).store(head, Ordering::Release);
    }

    /// Copies octets of the ring, which wraps, from a position that never does.
    fn copy(&self, from: u64, len: usize, to: &mut Vec<u8>) {
        to.clear();
        let size = PAGES * self.page;
        to.extend((from..from + len as u64).map(|position| {
            let place = self.page + position as usize % size;
            // SAFETY: `place` lies in the mapping, and the kernel leaves what lies between tail and head alone.
            unsafe { self.memory.add(place).read_volatile() }
        }));
    }

    fn control(&self, place: usize) -> &AtomicU64 {
        // SAFETY: `place` is the aligned place of a 64-bit number in the mapping, shared with the kernel.
        unsafe { AtomicU64::from_ptr(self.memory.add(place).as_ptr().cast()) }
    }
}

impl Drop for TraceRing {
    fn drop(&mut self) {
        // SAFETY: this is the mapping made in `open`, and no reference into it is left.
        unsafe { libc::munmap(self.memory.as_ptr().cast(), (1 + PAGES) * self.page) };
    }
}
