//! What the kernel counts: signs that the namespace is no longer fresh, drops for lack of memory, and how much of the
//! machine's TCP resources is taken.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

/// The counters of one namespace.
pub(crate) struct Counters {
    netstat: File,
    sockstat: File,
    /// Which columns of `netstat` are the [`STALE`] ones, then the [`MEMORY`] ones.
    columns: Vec<(usize, Use)>,
    text: Vec<u8>,
}

/// What a counter is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Stale,
    Memory,
}

/// They move when what earlier cases left changes how the kernel treats new ones.
const STALE: [&str; 3] = ["SyncookiesSent", "ListenOverflows", "TCPTimeWaitOverflow"];
/// They move when the kernel drops a segment, or one it held, for lack of memory.
const MEMORY: [&str; 6] = [
    "RcvPruned",
    "OfoPruned",
    "TCPRcvQDrop",
    "TCPOFODrop",
    "TCPBacklogDrop",
    "PFMemallocDrop",
];

impl Counters {
    /// Those of the calling thread's namespace; they stay those wherever the thread goes.
    pub(crate) fn open() -> io::Result<Counters> {
        let mut counters = Counters {
            netstat: File::open("/proc/thread-self/net/netstat")?,
            sockstat: File::open("/proc/thread-self/net/sockstat")?,
            columns: Vec::new(),
            text: vec![0; 16384],
        };
        let text = read(&counters.netstat, &mut counters.text)?;
        let names = text.lines().next().unwrap_or_default().split(' ');
        let columns = names.enumerate().filter_map(|(column, name)| {
            let stale = STALE.contains(&name).then_some((column, Use::Stale));
            stale.or_else(|| MEMORY.contains(&name).then_some((column, Use::Memory)))
        });
        counters.columns = columns.collect();
        Ok(counters)
    }

    /// A figure that rises when the namespace should be replaced.
    pub(crate) fn stale(&mut self) -> io::Result<u64> {
        self.sum(Use::Stale)
    }

    /// Drops for lack of memory, since the namespace was made.
    pub(crate) fn memory_drops(&mut self) -> io::Result<u64> {
        self.sum(Use::Memory)
    }

    fn sum(&mut self, purpose: Use) -> io::Result<u64> {
        let text = read(&self.netstat, &mut self.text)?;
        let mut values = text
            .lines()
            .nth(1)
            .unwrap_or_default()
            .split(' ')
            .enumerate();
        let wanted = self.columns.iter().filter(|(_, of)| *of == purpose);
        Ok(wanted
            .filter_map(|&(wanted, _)| values.find(|&(column, _)| column == wanted))
            .filter_map(|(_, value)| value.parse::<u64>().ok())
            .sum())
    }

    /// How much of the machine's TCP resources is taken.
    pub(crate) fn usage(&mut self) -> io::Result<Usage> {
        let text = read(&self.sockstat, &mut self.text)?;
        let mut words = text
            .lines()
            .find_map(|line| line.strip_prefix("TCP: "))
            .unwrap_or_default()
            .split(' ');
        let mut usage = Usage::default();
        while let (Some(name), Some(value)) = (words.next(), words.next()) {
            let value = value.parse().unwrap_or(0);
            match name {
                "inuse" => usage.in_use = value,
                "orphan" => usage.orphans = value,
                "tw" => usage.time_waits = value,
                "mem" => usage.pages = value,
                _ => {}
            }
        }
        Ok(usage)
    }
}

/// How much is taken: orphans and memory of the whole machine, the rest of the namespace.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Usage {
    /// Sockets in use.
    pub(crate) in_use: u64,
    /// Sockets that no process holds.
    pub(crate) orphans: u64,
    /// Sockets in TIME-WAIT.
    pub(crate) time_waits: u64,
    /// Memory of TCP buffers, in pages.
    pub(crate) pages: u64,
}

/// What the machine allows in all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    orphans: u64,
    time_waits: u64,
    pages: u64,
}

impl Limits {
    /// The machine's limits; one that cannot be read from here does not limit.
    pub(crate) fn read() -> Limits {
        let last = |name: &str| {
            let text = fs::read_to_string(format!("/proc/sys/net/ipv4/{name}")).ok()?;
            text.split_whitespace().last()?.parse().ok()
        };
        Limits {
            orphans: last("tcp_max_orphans").unwrap_or(u64::MAX),
            time_waits: last("tcp_max_tw_buckets").unwrap_or(u64::MAX),
            pages: last("tcp_mem").unwrap_or(u64::MAX),
        }
    }

    /// Which limit `usage` has come to a tenth of, if any.
    pub(crate) fn strained_by(&self, usage: &Usage) -> Option<String> {
        [
            ("orphaned sockets", usage.orphans, self.orphans),
            ("sockets in TIME-WAIT", usage.time_waits, self.time_waits),
            ("pages of TCP memory", usage.pages, self.pages),
        ]
        .into_iter()
        .find(|(_, taken, limit)| *taken > limit / 10)
        .map(|(what, taken, limit)| format!("{taken} of {limit} {what} are taken"))
    }
}

fn read<'a>(file: &File, text: &'a mut [u8]) -> io::Result<&'a str> {
    let mut filled = 0;
    while filled < text.len() {
        match file.read_at(&mut text[filled..], filled as u64)? {
            0 => break,
            len => filled += len,
        }
    }
    std::str::from_utf8(&text[..filled]).map_err(io::Error::other)
}
