//! What the trace alone tells of how a stack paces what it sends: what it repeats, and what it has been told to do.
//! RFC 9293 sections 3.7.4, 3.8.1 and 3.8.6.

use ackward_model::{Call, Micros, Segment, SeqNum, SocketOption, Tcb};

/// No default segment size is larger (RFC 9293 section 3.7.1), octets.
const DEFAULT_MSS: u32 = 1_220;

/// How the stack has paced its segments so far. The same in every hypothesis.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pace {
    /// How often the latest segment with text or FIN was sent, with nothing heard in between.
    pub times: u32,
    /// Between the last two of them, microseconds.
    pub interval: Micros,
    /// Since when the peer's window has been shut, if it is.
    pub shut_since: Option<Micros>,
    /// When something arrived, or the application called, for the last time.
    pub disturbed_at: Micros,
    /// One past the latest text that was sent for the first time in less than a full segment.
    pub short_end: Option<SeqNum>,
    /// The largest window has been less than two segments, so that some may have been cut to its half (and no larger later).
    pub cramped: bool,
    /// When a large segment with new text was sent for the last time.
    pub large_at: Option<Micros>,
    /// Something was sent again.
    pub repeated: bool,
    /// The application has switched the Nagle algorithm off.
    pub no_delay: bool,
    latest: (SeqNum, SeqNum),
    /// When text, or a FIN, was sent for the last time.
    pub latest_at: Micros,
}

impl Pace {
    /// Of a connection that begins, with `options` set.
    pub(crate) fn new(options: &[SocketOption]) -> Pace {
        let mut pace = Pace::default();
        for option in options {
            pace.set(option);
        }
        pace
    }

    /// A segment has arrived and made `tcb` of the connection.
    pub(crate) fn heard(&mut self, tcb: Option<&Tcb>, at: Micros) {
        self.times = 0;
        self.disturbed_at = at;
        let Some(tcb) = tcb.filter(|tcb| tcb.state.is_synchronized()) else {
            return;
        };
        let shut = tcb.largest_snd_wnd() == 0;
        self.shut_since = shut.then(|| self.shut_since.unwrap_or(at));
        let mss = tcb.offers.peer_mss.map_or(DEFAULT_MSS, u32::from);
        self.cramped |= tcb.max_snd_wnd < 2 * mss;
    }

    /// The application calls.
    pub(crate) fn called(&mut self, call: &Call, at: Micros) {
        self.disturbed_at = at;
        if let Call::Set(option) = call {
            self.set(option);
        }
    }

    /// `segment` goes out; `new_text` if it holds text that was not sent before, `full` if it is large.
    pub(crate) fn sends(&mut self, segment: &Segment, at: Micros, new_text: bool, full: bool) {
        if segment.is_empty() {
            return;
        }
        self.repeated |= !new_text && !segment.payload.is_empty();
        let range = (segment.seq, segment.end());
        if self.times > 0 && self.latest == range {
            self.times += 1;
            self.interval = at - self.latest_at;
        } else {
            (self.times, self.interval) = (1, 0);
        }
        (self.latest, self.latest_at) = (range, at);
        match (new_text, full) {
            (true, true) => self.large_at = Some(at),
            (true, false) => self.short_end = Some(segment.text_end()),
            (false, _) => {}
        }
    }

    /// If `segment` is sent for the fourth time in a row or more: the interval before, and the one that ends now,
    /// microseconds.
    pub(crate) fn intervals(&self, segment: &Segment, at: Micros) -> Option<(Micros, Micros)> {
        let again = self.times >= 3 && self.latest == (segment.seq, segment.end());
        (again && !segment.is_empty()).then(|| (self.interval, at - self.latest_at))
    }

    fn set(&mut self, option: &SocketOption) {
        if let SocketOption::NoDelay(no_delay) = option {
            self.no_delay = *no_delay;
        }
    }
}
