//! One case on the running kernel: its segments over the link, its calls on sockets, and an end that leaves nothing.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use ackward_model::wire::{self, Route, WireError};
use ackward_model::{
    Address, Call, Flags, Icmp, Micros, OpenMode, Outcome, Sample, Segment, SeqNum, SocketOption,
    payload,
};
use ackward_scenario::Setup;

use super::beside::Neighbour;
use super::{Linux, socket};
use crate::{Connection, Outbox, StackError, sys};

/// A case under way.
pub(crate) struct LinuxConnection<'a> {
    host: &'a mut Linux,
    pub(super) setup: Opening,
    /// From the peer to the stack, and back.
    pub(super) route: Route,
    route_back: Route,
    began: Instant,
    /// Open until the case ends.
    pub(super) listener: Option<OwnedFd>,
    accepted: bool,
    pub(super) socket: Option<OwnedFd>,
    /// Octets of the application's text written so far.
    written: u32,
    /// The acknowledgment number emitted last.
    last_ack: Option<SeqNum>,
    /// Whether the stack may hold something that no socket of ours leads to.
    lingers: bool,
    ended: bool,
    /// Another peer, who has a connection of its own to ask for.
    pub(super) neighbour: Neighbour,
}

/// What of the set-up matters later.
#[derive(Clone, Copy)]
pub(super) struct Opening {
    pub(super) family: ackward_scenario::Family,
    open: OpenMode,
    remote: Address,
    /// The application wants to hear of urgent text.
    urgent: bool,
}

/// A call moves at most this many octets.
const MOST: u32 = 1 << 20;
/// Microseconds of the machine's own time that a case may ask for at once.
const LONGEST_WAIT: Micros = 600_000_000;
pub(super) const BACKLOG: libc::c_int = 8;

impl<'a> LinuxConnection<'a> {
    /// A listening socket, or one ready to connect.
    pub(crate) fn open(
        host: &'a mut Linux,
        setup: &Setup,
        route: Route,
    ) -> Result<LinuxConnection<'a>, StackError> {
        let bound = socket::bound(setup, route)?;
        let (listener, socket) = match setup.open {
            OpenMode::Passive => {
                sys::listen(bound.as_fd(), BACKLOG).map_err(StackError::io("listen"))?;
                (Some(bound), None)
            }
            OpenMode::Active => (None, Some(bound)),
        };
        let inline = SocketOption::UrgentInline(true);
        let urgent = setup.socket_options.contains(&inline);
        if let Some(socket) = socket.as_ref().filter(|_| urgent) {
            sys::expect_urgent(socket.as_fd()).map_err(StackError::io("ask for SIGURG"))?;
        }
        Ok(LinuxConnection {
            host,
            setup: Opening {
                family: setup.family,
                open: setup.open,
                remote: setup.remote,
                urgent,
            },
            route,
            route_back: route.reversed(),
            began: Instant::now(),
            listener,
            accepted: false,
            socket,
            written: 0,
            last_ack: None,
            lingers: setup.open == OpenMode::Passive,
            ended: false,
            neighbour: Neighbour::beside(route),
        })
    }

    fn accept(&mut self) -> Option<Outcome> {
        let listener = self.listener.as_ref().filter(|_| !self.accepted)?;
        Some(match sys::accept(listener.as_fd()) {
            Ok(socket) => {
                if self.setup.urgent
                    && let Err(error) = sys::expect_urgent(socket.as_fd())
                {
                    return Some(errno(&error));
                }
                self.socket = Some(socket);
                self.accepted = true;
                self.lingers = false;
                Outcome::Done(0)
            }
            Err(error) => errno(&error),
        })
    }

    fn connect(&mut self) -> Option<Outcome> {
        let socket = self
            .socket
            .as_ref()
            .filter(|_| self.setup.open == OpenMode::Active)?;
        let (ip, port) = wire::addressed(self.route_back, self.setup.remote).destination;
        let peer = socket::address(self.setup.family, (ip, port));
        Some(match sys::connect(socket.as_fd(), peer) {
            Ok(()) => Outcome::Done(0),
            Err(error) if error.raw_os_error() == Some(libc::EINPROGRESS) => Outcome::Done(0),
            Err(error) => errno(&error),
        })
    }

    fn write(&mut self, octets: u32, flags: i32) -> Option<Outcome> {
        let socket = self.socket.as_ref()?;
        let text = payload::stack_text(self.written, octets.min(MOST));
        Some(match sys::send(socket.as_fd(), &text, flags) {
            Ok(taken) => {
                self.written = self.written.wrapping_add(taken as u32);
                Outcome::Done(taken as u32)
            }
            Err(error) => errno(&error),
        })
    }

    fn read(&mut self, octets: u32) -> Option<Outcome> {
        let socket = self.socket.as_ref()?;
        // To read nothing returns nothing, which would look like the end of the stream.
        let wanted = octets.clamp(1, MOST) as usize;
        let buffer = &mut self.host.read_buffer;
        if buffer.len() < wanted {
            buffer.resize(wanted, 0);
        }
        Some(match sys::receive(socket.as_fd(), &mut buffer[..wanted]) {
            Ok(len) => Outcome::Data(buffer[..len].to_vec()),
            Err(error) => errno(&error),
        })
    }

    fn announce(&mut self, icmp: &Icmp) -> Result<(), StackError> {
        let Linux {
            namespace,
            datagram,
            ..
        } = &mut *self.host;
        if !wire::encode_icmp(icmp, self.route, datagram) {
            return Ok(());
        }
        namespace
            .link
            .send(datagram)
            .map_err(StackError::io("write to the link"))
    }

    fn send(&mut self, segment: &Segment) -> Result<(), StackError> {
        self.send_along(self.route, segment)
    }

    /// Puts a segment on the link.
    pub(super) fn send_along(&mut self, route: Route, segment: &Segment) -> Result<(), StackError> {
        let Linux {
            namespace,
            datagram,
            ..
        } = &mut *self.host;
        wire::encode(segment, route, datagram);
        if datagram.len() > usize::from(u16::MAX) {
            let len = datagram.len();
            return Err(StackError::Unsupported(format!(
                "a datagram of {len} octets"
            )));
        }
        namespace
            .link
            .send(datagram)
            .map_err(StackError::io("write to the link"))
    }

    /// Hands a datagram of this case over; `Ok(false)` when there is none now.
    fn receive(&mut self, at: Micros, out: Outbox<'_>) -> Result<bool, StackError> {
        let link = &mut self.host.namespace.link;
        let Some(datagram) = link
            .receive()
            .map_err(StackError::io("read from the link"))?
        else {
            return Ok(false);
        };
        match wire::decode(datagram) {
            Ok((route, mut segment)) if self.is_ours(route) => {
                if route.source != self.route_back.source {
                    segment.carrier.address = Address::Other;
                }
                if segment.has(Flags::ACK) {
                    self.last_ack = Some(segment.ack);
                }
                self.lingers |= segment.has(Flags::FIN);
                out(at, segment);
            }
            Ok((route, segment)) if self.neighbour.is_answered(route, &segment) => {}
            // Of a connection whose case is over; or not TCP, the kernel's own chatter about IPv6.
            Ok(_) | Err(WireError::NotTcp) => {}
            Err(error) => {
                return Err(StackError::Io {
                    what: "read an emitted segment",
                    source: io::Error::new(io::ErrorKind::InvalidData, error),
                });
            }
        }
        Ok(true)
    }

    /// Whether a datagram belongs to this case: it goes to the peer from the stack's port, or answers a group address.
    fn is_ours(&self, route: Route) -> bool {
        let (back, (to, _)) = (self.route_back, route.destination);
        let to_group = to.is_multicast() || to == IpAddr::V4(Ipv4Addr::BROADCAST);
        route.source.1 == back.source.1
            && (route.destination == back.destination || to_group && route.source == back.source)
    }

    /// Closes what is open by a reset, and resets what no socket leads to any more.
    fn end(&mut self) -> Result<(), StackError> {
        if std::mem::replace(&mut self.ended, true) {
            return Ok(());
        }
        if let Some(socket) = self.socket.take() {
            sys::reset_on_close(socket.as_fd()).map_err(StackError::io("set SO_LINGER"))?;
        }
        self.listener = None;
        match self.last_ack.filter(|_| self.lingers) {
            // Without timestamps: TIME-WAIT and SYN-RECEIVED would apply PAWS to it.
            Some(rcv_nxt) => self.send(&Segment {
                seq: rcv_nxt,
                flags: Flags::RST,
                ..Segment::default()
            }),
            None => Ok(()),
        }
    }

    fn socket_fd(&self) -> Option<BorrowedFd<'_>> {
        self.socket.as_ref().map(AsFd::as_fd)
    }
}

impl Connection for LinuxConnection<'_> {
    fn now(&self) -> Micros {
        elapsed(self.began)
    }

    fn inject(&mut self, segment: &Segment) -> Result<(), StackError> {
        if let Some(ear) = &mut self.host.ear {
            ear.before_segment();
        }
        self.send(segment)?;
        if let Some(ear) = &mut self.host.ear {
            ear.after_segment();
        }
        Ok(())
    }

    fn tell(&mut self, icmp: &Icmp) -> Result<(), StackError> {
        self.announce(icmp)
    }

    fn call(&mut self, call: &Call) -> Result<Option<Outcome>, StackError> {
        Ok(match *call {
            Call::Connect => self.connect(),
            Call::Accept => self.accept(),
            Call::Write(octets) => self.write(octets, 0),
            Call::WriteUrgent(octets) => self.write(octets, libc::MSG_OOB),
            Call::Urgent => self
                .socket_fd()
                .map(|socket| match sys::has_priority(socket) {
                    Ok(waits) => {
                        Outcome::Done(u32::from(waits) + 2 * u32::from(sys::was_signalled()))
                    }
                    Err(error) => errno(&error),
                }),
            Call::Read(octets) => self.read(octets),
            Call::ShutdownWrite => self
                .socket_fd()
                .map(|socket| outcome(sys::shutdown(socket, libc::SHUT_WR))),
            Call::Close => self.socket.take().map(|socket| {
                drop(socket);
                self.lingers = true;
                Outcome::Done(0)
            }),
            Call::Set(option) => self
                .socket_fd()
                .map(|socket| outcome(socket::set(socket, option))),
            Call::Sysctl(sysctl) => Some(outcome(self.host.namespace.sysctls.change(sysctl))),
            Call::Listen => Some(self.listen_beside()?),
        })
    }

    fn drain(&mut self, now: Micros, out: Outbox<'_>) -> Result<(), StackError> {
        self.neighbour.hand_over(out);
        while self.receive(now, out)? {}
        Ok(())
    }

    fn elapse(&mut self, by: Micros, out: Outbox<'_>) -> Result<(), StackError> {
        if by > LONGEST_WAIT {
            return Err(StackError::Unsupported(format!(
                "a wait of {} s",
                by / 1_000_000
            )));
        }
        let end = Instant::now() + Duration::from_micros(by);
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let link = self.host.namespace.link.as_fd();
            sys::wait_readable(link, left).map_err(StackError::io("wait for the link"))?;
            self.drain(self.now(), out)?;
            if left.is_zero() {
                return Ok(());
            }
        }
    }

    fn inspect(&mut self) -> Option<Sample> {
        socket::sample(self.socket_fd()?)
    }

    fn memory_drops(&mut self) -> u64 {
        self.host.namespace.counters.memory_drops().unwrap_or(0)
    }

    fn close(mut self: Box<Self>) -> Result<(), StackError> {
        self.end()
    }
}

impl Drop for LinuxConnection<'_> {
    fn drop(&mut self) {
        // Of a case that failed; what went wrong is being reported already.
        let _ = self.end();
    }
}

fn elapsed(since: Instant) -> Micros {
    since.elapsed().as_micros() as Micros
}

pub(super) fn errno(error: &io::Error) -> Outcome {
    Outcome::Error(error.raw_os_error().unwrap_or(0))
}

fn outcome(result: io::Result<()>) -> Outcome {
    result.map_or_else(|error| errno(&error), |()| Outcome::Done(0))
}
