//! What an application may ask for beside sending: signs of life from a quiet peer, and an end when there are none.
//! RFC 9293 sections 3.8.3 and 3.8.4.

use ackward_model::{Flags, Micros};

use crate::{Endpoint, Plant, State};

/// How long an endpoint waits for the other side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Keep-alive is on.
    pub(crate) keep_alive: bool,
    /// It comes after so long a silence.
    pub(crate) idle: Micros,
    /// The other side was heard.
    pub(crate) heard: Micros,
    /// Keep-alives sent since then.
    pub(crate) sent: u32,
    /// After so long without an acknowledgment the connection is given up.
    pub(crate) user_timeout: Option<Micros>,
    /// Since when something has been in flight.
    waiting_since: Option<Micros>,
}

const TWO_HOURS: Micros = 7_200_000_000;
/// Between two keep-alives without an answer.
const INTERVAL: Micros = 75_000_000;
/// So many without an answer end the connection.
const MOST: u32 = 9;

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            keep_alive: false,
            idle: TWO_HOURS,
            heard: 0,
            sent: 0,
            user_timeout: None,
            waiting_since: None,
        }
    }
}

impl Patience {
    /// The same for a connection to come.
    pub(crate) fn anew(self) -> Patience {
        Patience {
            sent: 0,
            waiting_since: None,
            ..self
        }
    }
}

impl Endpoint {
    /// Something has arrived.
    pub(crate) fn hear(&mut self) {
        if !self.plants(Plant::KeepAliveByTheClock) {
            self.patience.heard = self.now;
        }
        self.patience.sent = 0;
    }

    /// When the next keep-alive is due.
    pub(crate) fn keep_alive_at(&self) -> Option<Micros> {
        let Patience { heard, sent, .. } = self.patience;
        let stands = matches!(self.state, State::Established | State::CloseWait);
        let quiet = self.snd.una == self.snd.nxt && !self.has_more_to_send();
        let idle = self.planted_idle();
        idle.filter(|_| stands && quiet)
            .map(|idle| heard + idle + INTERVAL * Micros::from(sent))
    }

    /// Sends the keep-alive that is due, or gives up.
    pub(crate) fn keep_alive(&mut self) {
        if self.keep_alive_at().is_none_or(|at| at > self.now) {
            return;
        }
        if self.patience.sent == self.planted_persistence().unwrap_or(MOST) {
            self.emit_abort();
            self.become_closed();
            return;
        }
        self.patience.sent += 1;
        if self.plants(Plant::KeepAliveByTheClock) {
            (self.patience.heard, self.patience.sent) = (self.now, 0);
        }
        let outline = self.outline(self.snd.nxt - 1, Flags::ACK, self.ts.in_use);
        let outline = self.planted_keep_alive(outline);
        self.emit(outline);
    }

    /// Takes note of what is in flight.
    pub(crate) fn note_flight(&mut self, progress: bool) {
        let in_flight = self.snd.una != self.snd.nxt;
        let since = self.patience.waiting_since.filter(|_| !progress);
        self.patience.waiting_since = in_flight.then(|| since.unwrap_or(self.now));
    }

    /// Whether the user no longer waits for an acknowledgment.
    pub(crate) fn is_out_of_patience(&self) -> bool {
        let waits = self.patience.waiting_since.zip(self.patience.user_timeout);
        self.snd.una != self.snd.nxt
            && waits.is_some_and(|(since, timeout)| self.now - since >= timeout)
    }
}
