//! What an application sets of an endpoint while it lives.
//! RFC 9293 sections 3.7.4, 3.8.3, 3.8.4, 3.9.1.9 and 3.9.2.

use ackward_model::{Micros, SocketOption};

use crate::{Endpoint, Plant, State};

impl Endpoint {
    /// Sets an option, if it bears on an endpoint. That of buffers has a function of its own, [`Endpoint::set_buffer`].
    pub fn set(&mut self, option: SocketOption) {
        match option {
            SocketOption::NoDelay(on) => {
                self.config.nagle = !on || self.plants(Plant::NoDelayIgnored);
                self.flush();
            }
            SocketOption::KeepAlive(on) => {
                self.patience.keep_alive = on && !self.plants(Plant::KeepAliveNever);
            }
            SocketOption::KeepIdle(seconds) if !self.plants(Plant::KeepIdleIgnored) => {
                self.patience.idle = Micros::from(seconds) * 1_000_000;
            }
            SocketOption::UserTimeout(by) if !self.plants(Plant::UserTimeoutIgnored) => {
                self.patience.user_timeout = (by > 0).then(|| Micros::from(by) * 1_000);
            }
            SocketOption::TrafficClass(class) if !self.keeps_its_class() => {
                self.carrier.traffic_class = class;
            }
            SocketOption::TimeToLive(hops) => self.carrier.time_to_live = hops,
            _ => {}
        }
    }

    fn keeps_its_class(&self) -> bool {
        let young = matches!(self.state, State::Closed | State::Listen);
        self.plants(Plant::ClassFixed) && !young
    }
}
