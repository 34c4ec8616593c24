//! What a listener does that remembers nothing of a SYN, and reads what was in it from the cookie that comes back.
//! RFC 4987 section 3.6.

use ackward_model::{Flags, Segment};

use crate::round_trip::RoundTrip;
use crate::{Endpoint, State};

/// The segment sizes that a cookie has room for, octets.
const SIZES: [u32; 4] = [536, 1_300, 1_440, 1_460];

impl Endpoint {
    /// Whether the connection that is being opened is no more than a cookie.
    pub(crate) fn forgets_syns(&self) -> bool {
        self.config.syn_cookies && self.listened
    }

    /// A segment in SYN-RECEIVED. `true` if it brings no cookie, and is done with; else it goes the way of others.
    pub(crate) fn arrive_with_a_cookie(&mut self, segment: &Segment) -> bool {
        if !self.forgets_syns() {
            return false;
        }
        let has = |flag| segment.has(flag);
        let valid = segment.seq == self.rcv.nxt && segment.ack == self.snd.nxt;
        match (has(Flags::RST), has(Flags::SYN), has(Flags::ACK)) {
            (true, ..) | (_, false, false) => {}
            (_, true, false) => {
                self.state = State::Listen;
                self.arrive_in_listen(segment);
            }
            (_, false, true) if valid => {
                self.recall(segment);
                return false;
            }
            (_, _, true) => self.emit_reset(segment.ack, None),
        }
        true
    }

    /// Takes from the acknowledgment what the SYN said, as far as a cookie holds it.
    fn recall(&mut self, segment: &Segment) {
        let fits = |size: &&u32| **size <= self.snd.mss;
        let size = SIZES.iter().rev().find(fits).copied();
        self.snd.mss = size.unwrap_or(self.snd.mss);
        if let (true, Some((tsval, _))) = (self.ts.in_use, segment.options.timestamps()) {
            self.ts.begin(tsval, self.now);
        }
        // When its answer was sent is not among it.
        self.round_trip = RoundTrip::default();
        self.planted_recollection(SIZES[0]);
    }
}
