//! A further passive open of the connection's port, and whether another peer finds it.
//! RFC 9293 section 3.9.1.1.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use ackward_model::wire::Route;
use ackward_model::{Flags, Micros, Outcome, Segment, SeqNum, WindowField};

use super::connection::{BACKLOG, LinuxConnection, errno};
use super::socket;
use crate::{Connection, Outbox, StackError, sys};

/// A peer at the same address, on another port.
pub(super) struct Neighbour {
    route: Route,
    answered: bool,
    /// What the connection itself emitted while the neighbour was heard.
    meanwhile: Vec<(Micros, Segment)>,
}

/// What the neighbour's SYN says: SEG.SEQ.
const ISN: SeqNum = SeqNum(1_000);
/// That nobody answered.
const NO_ANSWER: Outcome = Outcome::Error(libc::ETIMEDOUT);

impl Neighbour {
    /// The neighbour of the peer at the start of `route`.
    pub(super) fn beside(route: Route) -> Neighbour {
        let (address, port) = route.source;
        Neighbour {
            route: Route {
                source: (address, port + 1),
                ..route
            },
            answered: false,
            meanwhile: Vec::new(),
        }
    }

    /// Whether `segment`, which goes along `route`, is the answer to the neighbour's SYN; takes note if so.
    pub(super) fn is_answered(&mut self, route: Route, segment: &Segment) -> bool {
        let answers = route == self.route.reversed()
            && segment.has(Flags::SYN)
            && segment.has(Flags::ACK)
            && segment.ack == ISN + 1;
        self.answered |= answers;
        answers
    }

    /// Hands over what the connection emitted meanwhile.
    pub(super) fn hand_over(&mut self, out: Outbox<'_>) {
        for (at, segment) in self.meanwhile.drain(..) {
            out(at, segment);
        }
    }
}

impl LinuxConnection<'_> {
    /// Listens on the port with a socket that is closed again, and lets the neighbour look for it.
    pub(super) fn listen_beside(&mut self) -> Result<Outcome, StackError> {
        let listener = socket::of_family(self.setup.family)?;
        if let Err(error) = self.share_port_with(&listener) {
            return Ok(errno(&error));
        }
        self.neighbour.answered = false;
        let route = self.neighbour.route;
        self.send_along(
            route,
            &Segment {
                seq: ISN,
                flags: Flags::SYN,
                window: WindowField(u16::MAX),
                ..Segment::default()
            },
        )?;
        let mut meanwhile = std::mem::take(&mut self.neighbour.meanwhile);
        let now = self.now();
        self.drain(now, &mut |at, segment| meanwhile.push((at, segment)))?;
        self.neighbour.meanwhile = meanwhile;
        // Whichever of the listeners has it forgets it.
        self.send_along(
            route,
            &Segment {
                seq: ISN + 1,
                flags: Flags::RST,
                ..Segment::default()
            },
        )?;
        Ok(if self.neighbour.answered {
            Outcome::Done(0)
        } else {
            NO_ANSWER
        })
    }

    /// Makes `listener` listen on the connection's port, beside whatever else is bound to it.
    fn share_port_with(&self, listener: &OwnedFd) -> io::Result<()> {
        let sockets = [Some(listener), self.listener.as_ref(), self.socket.as_ref()];
        for socket in sockets.into_iter().flatten() {
            sys::set_option(socket.as_fd(), libc::SOL_SOCKET, libc::SO_REUSEPORT, 1)?;
        }
        let address = socket::address(self.setup.family, self.route.destination);
        sys::bind(listener.as_fd(), address)?;
        sys::listen(listener.as_fd(), BACKLOG)
    }
}
