//! How a process learns of urgent text: a signal when the pointer to it comes, and `poll` while it is to be read.

use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;
use std::{io, mem, ptr};

use super::{check, poll};

/// Has `SIGURG` of `socket` sent to this thread, for which it waits until it is asked for; forgets what has come before.
pub(crate) fn expect_urgent(socket: BorrowedFd<'_>) -> io::Result<()> {
    let set = sigurg();
    // SAFETY: the set is initialized, and the old mask is not asked for.
    let blocked = unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &set, ptr::null_mut()) };
    if blocked != 0 {
        return Err(io::Error::from_raw_os_error(blocked));
    }
    was_signalled();
    // SAFETY: takes nothing.
    let thread = unsafe { libc::gettid() };
    let owner = Owner {
        kind: F_OWNER_TID,
        thread,
    };
    // SAFETY: `owner` is what this request reads.
    check(unsafe { libc::fcntl(socket.as_raw_fd(), F_SETOWN_EX, &raw const owner) }).map(|_| ())
}

/// Whether `SIGURG` has come since this was asked last.
pub(crate) fn was_signalled() -> bool {
    let (set, now) = (
        sigurg(),
        libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        },
    );
    // SAFETY: set and time are initialized, and what came with the signal is not asked for.
    unsafe { libc::sigtimedwait(&set, ptr::null_mut(), &now) == libc::SIGURG }
}

/// Whether urgent text waits in `socket`.
pub(crate) fn has_priority(socket: BorrowedFd<'_>) -> io::Result<bool> {
    poll(socket, libc::POLLPRI, 0, Duration::ZERO)
}

/// `struct f_owner_ex`.
#[repr(C)]
struct Owner {
    kind: libc::c_int,
    thread: libc::pid_t,
}

const F_SETOWN_EX: libc::c_int = 15;
const F_OWNER_TID: libc::c_int = 0;

fn sigurg() -> libc::sigset_t {
    // SAFETY: `sigemptyset` initializes the set, to which a signal that exists is added.
    unsafe {
        let mut set = mem::MaybeUninit::uninit();
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGURG);
        set.assume_init()
    }
}
