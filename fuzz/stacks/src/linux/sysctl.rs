//! Which settings of the namespace are in force, and what must be written to change them.
//! Only what a case asks for is ever written, and the next case that does not ask gets the namespace's own value back.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;

use ackward_model::Sysctl;

use crate::StackError;

/// The settings of one namespace.
#[derive(Default)]
pub(crate) struct Sysctls {
    /// By [`place`].
    settings: [Setting; PLACES],
    /// How many are not at the namespace's own value.
    changed: usize,
}

/// One setting.
#[derive(Default)]
struct Setting {
    /// The file, open once it has been written, and what it held before.
    file: Option<(File, Vec<u8>)>,
    /// What is in force, `None` for the namespace's own value.
    current: Option<Sysctl>,
}

impl Sysctls {
    /// Puts exactly `wanted` in force. Of two values for one setting the last counts.
    pub(crate) fn put_in_force(&mut self, wanted: &[Sysctl]) -> Result<(), StackError> {
        if wanted.is_empty() && self.changed == 0 {
            return Ok(());
        }
        for position in 0..PLACES {
            let value = wanted.iter().rev().find(|sysctl| place(sysctl) == position);
            self.put(position, value.copied()).map_err(|source| {
                let name = value.map_or("", name);
                match source.kind() {
                    io::ErrorKind::InvalidInput => StackError::Unsupported(format!("{value:?}")),
                    _ => StackError::setup(format!("write net.ipv4.{name}"), REMEDY)(source),
                }
            })?;
        }
        Ok(())
    }

    /// Changes one setting, until [`put_in_force`](Sysctls::put_in_force) is next called.
    pub(crate) fn change(&mut self, sysctl: Sysctl) -> io::Result<()> {
        self.put(place(&sysctl), Some(sysctl))
    }

    fn put(&mut self, position: usize, value: Option<Sysctl>) -> io::Result<()> {
        let setting = &mut self.settings[position];
        if setting.current == value {
            return Ok(());
        }
        setting.write(value)?;
        self.changed -= usize::from(setting.current.is_some());
        self.changed += usize::from(value.is_some());
        setting.current = value;
        Ok(())
    }
}

impl Setting {
    fn write(&mut self, value: Option<Sysctl>) -> io::Result<()> {
        match value {
            Some(sysctl) => {
                let (file, _) = match &mut self.file {
                    Some(open) => open,
                    none => none.insert(open(name(&sysctl))?),
                };
                file.write_at(text(&sysctl).as_bytes(), 0)?;
            }
            None => {
                if let Some((file, original)) = &self.file {
                    file.write_at(original, 0)?;
                }
            }
        }
        Ok(())
    }
}

const PLACES: usize = 7;
const REMEDY: &str = "/proc must be mounted and writable";

fn place(sysctl: &Sysctl) -> usize {
    match sysctl {
        Sysctl::WindowScaling(_) => 0,
        Sysctl::Timestamps(_) => 1,
        Sysctl::Sack(_) => 2,
        Sysctl::ReceiveMemory(..) => 3,
        Sysctl::ModerateReceiveBuffer(_) => 4,
        Sysctl::ShrinkWindow(_) => 5,
        Sysctl::SynCookies(_) => 6,
    }
}

fn name(sysctl: &Sysctl) -> &'static str {
    match sysctl {
        Sysctl::WindowScaling(_) => "tcp_window_scaling",
        Sysctl::Timestamps(_) => "tcp_timestamps",
        Sysctl::Sack(_) => "tcp_sack",
        Sysctl::ReceiveMemory(..) => "tcp_rmem",
        Sysctl::ModerateReceiveBuffer(_) => "tcp_moderate_rcvbuf",
        Sysctl::ShrinkWindow(_) => "tcp_shrink_window",
        Sysctl::SynCookies(_) => "tcp_syncookies",
    }
}

fn text(sysctl: &Sysctl) -> String {
    match *sysctl {
        Sysctl::WindowScaling(on)
        | Sysctl::Timestamps(on)
        | Sysctl::Sack(on)
        | Sysctl::ModerateReceiveBuffer(on)
        | Sysctl::ShrinkWindow(on) => u8::from(on).to_string(),
        Sysctl::SynCookies(always) => (2 * u8::from(always)).to_string(),
        Sysctl::ReceiveMemory(min, default, max) => format!("{min} {default} {max}"),
    }
}

/// Which namespace a file under `/proc/sys/net` belongs to is decided when it is opened: the calling thread's.
fn open(name: &str) -> io::Result<(File, Vec<u8>)> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(format!("/proc/sys/net/ipv4/{name}"))?;
    let mut original = vec![0; 256];
    let len = file.read_at(&mut original, 0)?;
    original.truncate(len);
    Ok((file, original))
}
