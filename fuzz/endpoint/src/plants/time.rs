//! Planted impatience: how long and how often something is tried, and what a timeout leads to.
//! RFC 9293 sections 3.8.1 to 3.8.3 and 3.8.6.

use ackward_model::{Flags, Micros, SeqNum};

use super::Plant;
use crate::{Endpoint, Outline, State};

impl Endpoint {
    /// The retransmission timer has expired. `true` if that is not the RFC's to answer.
    pub(crate) fn planted_timeout(&mut self) -> bool {
        let (in_flight, shut) = (self.snd.una != self.snd.nxt, self.snd.wnd == 0);
        let past = in_flight && self.snd.nxt.after(self.snd.una + self.snd.wnd);
        let syn_sent = self.state == State::SynSent;
        let sends = self.state.sends();
        let resets = match self.config.plant {
            Some(Plant::StopsResending) => return in_flight && self.snd.backoff > 1,
            Some(Plant::SynOnce) => return syn_sent,
            Some(Plant::SynGivesUp) if syn_sent && self.snd.backoff > 1 => {
                self.become_closed();
                return true;
            }
            Some(Plant::GivesUpEarly) => in_flight && !shut && self.snd.backoff > 1,
            Some(Plant::GivesUpProbing) => shut && self.snd.backoff > 2,
            Some(Plant::ShrinkResets) => past && !shut,
            _ => false,
        };
        if resets && sends {
            self.emit_abort();
            self.become_closed();
        }
        resets && sends
    }

    /// From where on text past the edge of a window that shrank goes again.
    pub(crate) fn planted_past(&self) -> Option<SeqNum> {
        let step = 1 << self.snd.scale.bits();
        let past = self.snd.una + self.snd.wnd + step;
        let first = self.snd.una + self.largest_text();
        let sent = self.snd.nxt.earliest(self.snd.text_end());
        let from = past.latest(first);
        match self.config.plant {
            Some(Plant::ResendsPastTheEdge) if from.before(sent) => Some(from),
            Some(Plant::UrgentPointerStays) if first.before(sent) => {
                self.urgent_pointer(first).map(|_| first)
            }
            _ => None,
        }
    }

    /// After how long a silence a keep-alive is sent, if at all.
    pub(crate) fn planted_idle(&self) -> Option<Micros> {
        match self.config.plant {
            Some(Plant::KeepAliveUnasked) => Some(self.patience.idle.min(60_000_000)),
            Some(Plant::KeepAliveSoon) if self.patience.keep_alive => {
                Some(self.patience.idle.min(60_000_000))
            }
            _ => self.patience.keep_alive.then_some(self.patience.idle),
        }
    }

    /// How many keep-alives without an answer end the connection.
    pub(crate) fn planted_persistence(&self) -> Option<u32> {
        self.plants(Plant::KeepAliveOnce).then_some(1)
    }

    /// A keep-alive on its way out.
    pub(crate) fn planted_keep_alive(&self, outline: Outline) -> Outline {
        if !self.plants(Plant::KeepAliveText) || self.snd.written == 0 || self.snd.shut {
            return outline;
        }
        Outline {
            len: 1,
            flags: outline.flags | Flags::PSH,
            offset: self.snd.written - 1,
            ..outline
        }
    }

    /// How often the timeout has doubled.
    pub(crate) fn planted_backoff(&self) -> u32 {
        let shut = self.snd.wnd == 0;
        match self.config.plant {
            Some(Plant::SteadyTimeouts) if !shut && self.state.sends() => 0,
            Some(Plant::SteadyProbes) if shut && self.state.sends() => 0,
            _ => self.snd.backoff,
        }
    }

    /// Whether an octet probes the window now; it has been counted as sent then.
    pub(crate) fn planted_probe(&mut self) -> bool {
        let alone = self.snd.una == self.snd.nxt && self.snd.wnd == 0;
        let probes = self.plants(Plant::ProbesAtOnce) && alone && self.snd.unsent() > 0;
        self.snd.nxt += u32::from(probes);
        probes
    }
}
