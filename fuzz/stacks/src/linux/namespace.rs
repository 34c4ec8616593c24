//! Where the tests run: a private network namespace of the calling thread, without a name, a mount or a process of its
//! own, so that nothing is left when the process is killed.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;

use super::counters::Counters;
use super::sysctl::Sysctls;
use crate::link::{Link, Raw, Tun};
use crate::{LinkKind, StackError, sys};

/// A private network namespace with a link to it.
pub(crate) struct Namespace {
    pub(crate) link: Box<dyn Link>,
    pub(crate) sysctls: Sysctls,
    pub(crate) counters: Counters,
}

impl Namespace {
    /// Moves the thread into a new namespace with a link of this kind.
    pub(crate) fn enter(kind: LinkKind) -> Result<Namespace, StackError> {
        sys::unshare(libc::CLONE_NEWNET)
            .map_err(StackError::setup("make a network namespace", REMEDY))?;
        let link: Box<dyn Link> = match kind {
            LinkKind::Tun => Box::new(Tun::open()?),
            LinkKind::Raw => Box::new(Raw::open()?),
        };
        Ok(Namespace {
            link,
            sysctls: Sysctls::default(),
            counters: Counters::open()
                .map_err(StackError::setup("read the namespace's counters", PROC))?,
        })
    }
}

/// A network namespace that a thread was in.
pub(crate) struct Place(File);

impl Place {
    /// Where the thread is.
    pub(crate) fn here() -> Result<Place, StackError> {
        File::open("/proc/thread-self/ns/net")
            .map(Place)
            .map_err(StackError::setup(
                "open the thread's network namespace",
                PROC,
            ))
    }

    /// Moves the thread there.
    pub(crate) fn enter(&self) -> Result<(), StackError> {
        sys::enter_network(self.0.as_fd())
            .map_err(StackError::setup("return to a network namespace", REMEDY))
    }
}

/// The place that the thread was in, to which it returns when this is dropped.
pub(crate) struct Home(Place);

impl Home {
    /// Takes note of where the thread is.
    pub(crate) fn note() -> Result<Home, StackError> {
        Place::here().map(Home)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // Refused only where the process has since lost its rights; the thread then stays in an empty namespace.
        let _ = self.0.enter();
    }
}

/// Gives an ordinary user's process the right to make network namespaces, by a user namespace of its own. Does nothing
/// where the right is there already.
///
/// The kernel allows this only before the first thread is started, so call it at the start of `main`.
pub fn prepare() -> Result<(), StackError> {
    if may_administer().map_err(StackError::setup("read /proc/self/status", PROC))? {
        return Ok(());
    }
    let (user, group) = sys::user_and_group();
    // With a network namespace, so that the one to which threads return is ours as well.
    sys::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNET)
        .map_err(StackError::setup("make a user namespace", REMEDY))?;
    let map = |file, line: String| {
        fs::write(file, line).map_err(StackError::setup(format!("write {file}"), PROC))
    };
    map("/proc/self/setgroups", "deny".to_owned())?;
    map("/proc/self/uid_map", format!("{user} {user} 1"))?;
    map("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Whether the process has CAP_SYS_ADMIN.
fn may_administer() -> io::Result<bool> {
    const CAP_SYS_ADMIN: u64 = 1 << 21;
    let status = fs::read_to_string("/proc/self/status")?;
    let effective = status
        .lines()
        .find_map(|line| line.strip_prefix("CapEff:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    Ok(effective.is_some_and(|mask| mask & CAP_SYS_ADMIN != 0))
}

const REMEDY: &str = "run as root, or let ordinary users make user namespaces (sysctl user.max_user_namespaces, \
                      kernel.apparmor_restrict_unprivileged_userns)";
const PROC: &str = "/proc must be mounted and readable";
