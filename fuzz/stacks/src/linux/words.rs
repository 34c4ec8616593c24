//! The kernel's own word: why it dropped a segment, and whether it reported a fault of its own meanwhile. It goes beside
//! a finding and is never needed for a verdict.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::thread;

use crate::KernelWords;
use crate::sys::{self, TraceRing};

/// Listens to what the kernel says of the calling thread's segments.
pub(crate) struct KernelEar {
    drops: TraceRing,
    format: Format,
    /// The kernel log from now on, where it may be read.
    log: Option<File>,
    words: KernelWords,
}

impl KernelEar {
    /// Begins to listen.
    pub(crate) fn open() -> io::Result<KernelEar> {
        let format = Format::read()?;
        Ok(KernelEar {
            drops: TraceRing::open(format.id)?,
            format,
            log: open_log().ok(),
            words: KernelWords::default(),
        })
    }

    /// A case begins: what was said before belongs to none.
    pub(crate) fn begin(&mut self) {
        self.words = KernelWords::default();
        self.faults();
    }

    /// A segment is about to be injected.
    pub(crate) fn before_segment(&mut self) {
        self.drops.drain(|_| {});
    }

    /// A segment has been injected, and with that been dropped or not.
    pub(crate) fn after_segment(&mut self) {
        let mut word = None;
        let format = &self.format;
        self.drops.drain(|record| {
            word = word.take().or_else(|| format.reason(record));
        });
        self.words.segments.push(word.map_or_else(
            || "not dropped".to_owned(),
            |reason| format!("dropped: {reason}"),
        ));
    }

    /// What was said since the case began.
    pub(crate) fn words(&mut self) -> KernelWords {
        let mut words = std::mem::take(&mut self.words);
        words.log = self.faults();
        words
    }

    /// New lines of the kernel log that report a fault.
    fn faults(&mut self) -> Vec<String> {
        let mut faults = Vec::new();
        let mut record = [0; 8192];
        while let Some(log) = &mut self.log {
            match log.read(&mut record) {
                Ok(len) => faults.extend(fault(&String::from_utf8_lossy(&record[..len]))),
                // Lines were lost; the next read goes on behind them.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                Err(_) => break,
            }
        }
        faults
    }
}

/// Where the tracepoint keeps the reason, and what its numbers mean.
#[derive(Debug)]
struct Format {
    id: u64,
    offset: usize,
    /// Numbers and names.
    reasons: Vec<(u32, String)>,
}

const MOUNTED: &str = "/sys/kernel/tracing/events/skb/kfree_skb/format";

/// Why the kernel drops an answer after we have got it over the link `raw`: it is not for the kernel.
const EMISSION: &str = "OTHERHOST";

impl Format {
    /// Reads it where tracefs is mounted, else mounts it for a moment where nobody else sees it.
    fn read() -> io::Result<Format> {
        let text = match fs::read_to_string(MOUNTED) {
            Ok(text) => text,
            Err(_) => thread::spawn(|| {
                sys::mount_tracefs(c"/sys/kernel/tracing")?;
                fs::read_to_string(MOUNTED)
            })
            .join()
            .map_err(|_| io::Error::other("reading the tracepoint's format failed"))??,
        };
        Format::parse(&text).ok_or_else(|| ErrorKind::InvalidData.into())
    }

    fn parse(text: &str) -> Option<Format> {
        let id = text.lines().find_map(|line| line.strip_prefix("ID: "))?;
        let field = text.lines().find(|line| line.contains(" reason;"))?;
        let offset = field.split_once("offset:")?.1.split_once(';')?.0;
        let names = text.split_once("__print_symbolic(REC->reason,")?.1;
        let reasons = names.split('{').filter_map(|pair| {
            let (number, name) = pair.split_once('}')?.0.split_once(',')?;
            let name = name.trim().trim_matches('"').to_owned();
            Some((number.trim().parse().ok()?, name))
        });
        Some(Format {
            id: id.trim().parse().ok()?,
            offset: offset.parse().ok()?,
            reasons: reasons.collect(),
        })
    }

    fn reason(&self, record: &[u8]) -> Option<String> {
        let octets = record.get(self.offset..self.offset + 4)?;
        let number = u32::from_ne_bytes(octets.try_into().ok()?);
        let known = self.reasons.iter().find(|(known, _)| *known == number);
        let name = known.map_or_else(|| number.to_string(), |(_, name)| name.clone());
        (name != EMISSION).then_some(name)
    }
}

fn open_log() -> io::Result<File> {
    let mut log = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open("/dev/kmsg")?;
    log.seek(SeekFrom::End(0))?;
    Ok(log)
}

/// The message of a log record, if it reports a fault in the kernel.
fn fault(record: &str) -> Option<String> {
    const FAULTS: [&str; 5] = ["WARNING", "BUG", "KASAN", "lockdep", "Oops"];
    let message = record.split_once(';')?.1.lines().next()?;
    FAULTS
        .iter()
        .any(|fault| message.contains(fault))
        .then(|| message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_read_from_where_the_format_says() {
        let format = Format::parse(
            "name: kfree_skb\nID: 2310\nformat:\n\
             \tfield:unsigned short protocol;\toffset:32;\tsize:2;\tsigned:0;\n\
             \tfield:enum skb_drop_reason reason;\toffset:36;\tsize:4;\tsigned:0;\n\n\
             print fmt: \"reason: %s\", __print_symbolic(REC->reason, { 2, \"NOT_SPECIFIED\" }, { 45, \"TCP_OVERWINDOW\" })",
        )
        .expect("a format");
        let mut record = [0; 44];
        record[36] = 45;
        assert_eq!(format.id, 2310);
        assert_eq!(format.reason(&record).as_deref(), Some("TCP_OVERWINDOW"));
        record[36] = 46;
        assert_eq!(format.reason(&record).as_deref(), Some("46"));
        assert_eq!(format.reason(&record[..20]), None);
    }

    #[test]
    fn only_faults_of_the_kernel_are_kept_from_its_log() {
        assert_eq!(
            fault("4,1,2,-;WARNING: CPU: 0 PID: 1 at net/ipv4/tcp.c\n SUBSYSTEM=x").as_deref(),
            Some("WARNING: CPU: 0 PID: 1 at net/ipv4/tcp.c")
        );
        assert_eq!(fault("6,1,2,-;peer0: renamed"), None);
    }
}
