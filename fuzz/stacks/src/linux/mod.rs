//! The stack `linux`: the running kernel, in a private network namespace of the calling thread.

mod addresses;
mod bare;
mod beside;
mod connection;
mod counters;
mod namespace;
pub(crate) mod netlink;
mod socket;
mod stage;
mod sysctl;
mod words;

use std::time::{Duration, Instant};
use std::{mem, thread};

use ackward_scenario::Setup;

use crate::{Clock, Connection, Host, KernelWords, LinkKind, StackError, StackInfo, sys};
use connection::LinuxConnection;
use counters::Limits;
use namespace::{Home, Namespace};
use words::KernelEar;

pub use bare::{BARE_OCTETS, BARE_SEGMENTS, BareLoop};
pub use namespace::prepare;
pub use stage::linux_stage;

/// How to reach the running kernel.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LinuxOptions {
    /// The link; `None` takes `tun` where it opens, else `raw`.
    pub link: Option<LinkKind>,
}

/// The running kernel as a stack. The calling thread moves into a private network namespace until the host is dropped.
pub fn linux(options: &LinuxOptions) -> Result<Box<dyn Host>, StackError> {
    prepare()?;
    // Before the thread leaves home: the machine's limits cannot be seen from elsewhere.
    let limits = Limits::read();
    let home = Home::note()?;
    let (kind, namespace) = match options.link {
        Some(kind) => (kind, Namespace::enter(kind)?),
        None => match Namespace::enter(LinkKind::Tun) {
            Ok(namespace) => (LinkKind::Tun, namespace),
            Err(_) => (LinkKind::Raw, Namespace::enter(LinkKind::Raw)?),
        },
    };
    Ok(Box::new(Linux {
        info: StackInfo {
            name: "linux",
            version: sys::kernel_release(),
            link: Some(kind),
            clock: Clock::Real,
        },
        kind,
        namespace,
        limits,
        cases: 0,
        cases_here: 0,
        stale: 0,
        usage_read: Instant::now(),
        datagram: Vec::with_capacity(2048),
        read_buffer: Vec::new(),
        ear: None,
        notice: None,
        _home: home,
    }))
}

/// The running kernel.
pub(crate) struct Linux {
    info: StackInfo,
    kind: LinkKind,
    namespace: Namespace,
    limits: Limits,
    /// Cases so far, which number the pairs of addresses and ports.
    cases: u64,
    /// Cases so far in this namespace.
    cases_here: u64,
    /// What [`Counters::stale`](counters::Counters::stale) was when read last.
    stale: u64,
    usage_read: Instant,
    datagram: Vec<u8>,
    read_buffer: Vec<u8>,
    ear: Option<KernelEar>,
    notice: Option<String>,
    /// Dropped last, which takes the thread back.
    _home: Home,
}

/// A namespace serves this many cases.
const CASES_A_NAMESPACE: u64 = 16_384;
/// So often, in cases, the namespace's counters are looked at.
const CASES_A_LOOK: u64 = 256;
/// So often the machine's resources are looked at.
const USAGE_PERIOD: Duration = Duration::from_secs(1);
/// So long the machine's resources are waited for.
const USAGE_PATIENCE: Duration = Duration::from_secs(120);

impl Host for Linux {
    fn info(&self) -> &StackInfo {
        &self.info
    }

    fn open(&mut self, setup: &Setup) -> Result<Box<dyn Connection + '_>, StackError> {
        self.tidy_up()?;
        let route = addresses::route(setup.family, self.cases);
        self.cases += 1;
        self.cases_here += 1;
        self.namespace.sysctls.put_in_force(&setup.sysctls)?;
        if let Some(ear) = &mut self.ear {
            ear.begin();
        }
        let connection = LinuxConnection::open(self, setup, route)?;
        Ok(Box::new(connection))
    }

    fn renew(&mut self) -> Result<(), StackError> {
        let old = mem::replace(&mut self.namespace, Namespace::enter(self.kind)?);
        // To close a link takes some ten milliseconds of waiting for the kernel; nobody needs to wait with it.
        thread::spawn(|| drop(old));
        self.cases_here = 0;
        self.stale = 0;
        Ok(())
    }

    fn listen_to_kernel(&mut self, on: bool) -> bool {
        self.ear = on.then(KernelEar::open).and_then(Result::ok);
        self.ear.is_some()
    }

    fn kernel_words(&mut self) -> Option<KernelWords> {
        self.ear.as_mut().map(KernelEar::words)
    }

    fn notice(&mut self) -> Option<String> {
        self.notice.take()
    }
}

impl Linux {
    /// Between two cases: a fresh namespace when this one has aged, and no more than a tenth of the machine's resources.
    fn tidy_up(&mut self) -> Result<(), StackError> {
        if self.cases_here >= CASES_A_NAMESPACE {
            self.renew()?;
        } else if self.cases_here % CASES_A_LOOK == CASES_A_LOOK - 1 {
            let stale = self.namespace.counters.stale().map_err(COUNTERS)?;
            if stale != self.stale {
                self.renew()?;
            }
        }
        if self.usage_read.elapsed() >= USAGE_PERIOD {
            self.await_resources()?;
            self.usage_read = Instant::now();
        }
        Ok(())
    }

    /// Holds back until less than a tenth of the machine's TCP resources is taken.
    fn await_resources(&mut self) -> Result<(), StackError> {
        let began = Instant::now();
        loop {
            let usage = self.namespace.counters.usage().map_err(COUNTERS)?;
            let Some(strain) = self.limits.strained_by(&usage) else {
                return Ok(());
            };
            if began.elapsed() > USAGE_PATIENCE {
                return Err(StackError::Setup {
                    what: format!("go on: {strain}"),
                    remedy: "end what holds them, or try later",
                    source: std::io::ErrorKind::ResourceBusy.into(),
                });
            }
            // The kernel announces no change of these figures, so they are read again after a while.
            thread::sleep(Duration::from_millis(100));
            self.notice = Some(format!("held back for {:?}: {strain}", began.elapsed()));
        }
    }
}

const COUNTERS: fn(std::io::Error) -> StackError = |source| StackError::Io {
    what: "read the namespace's counters",
    source,
};
