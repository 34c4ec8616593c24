//! What the trace alone tells of how a stack paces what it sends: what it repeats, and what it has been told to do.
//! RFC 9293 sections 3.7.4, 3.8.1 and 3.8.6.

mod reports;
mod round_trips;

pub use reports::Reports;
pub use round_trips::RoundTrips;

use ackward_model::{Call, Flags, Micros, Segment, SeqNum, SocketOption, Tcb};

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
    /// Text may have been cut to a size that fits no more: to half of a window that was small, or to what SACK blocks left.
    pub cramped: bool,
    /// When a large segment with new text was sent for the last time.
    pub large_at: Option<Micros>,
    /// The window has been less than a segment, so that text may have been cut to it.
    pub narrow: bool,
    /// Something was sent again.
    pub repeated: bool,
    /// The application has switched the Nagle algorithm off.
    pub no_delay: bool,
    /// The application has switched keep-alive on.
    pub keep_alive: bool,
    /// After so long a silence it asks for one, microseconds.
    pub keep_idle: Option<Micros>,
    /// Keep-alives sent since something was heard.
    pub keep_alives: u32,
    /// Nothing has happened since the application read.
    pub reading: bool,
    /// The buffer may have become another one.
    pub resized: bool,
    /// The window of the stack's SYN, octets.
    pub syn_window: u32,
    /// When the peer was heard for the last time.
    pub heard_at: Micros,
    /// After so long without an acknowledgment it wants the connection to be given up, microseconds.
    pub user_timeout: Option<Micros>,
    /// What the application has set of the IP header.
    pub traffic_class: Option<u8>,
    /// It has done so after the connection began.
    pub changed_class: bool,
    /// What the application has set of the time to live.
    pub time_to_live: Option<u8>,
    /// Text past a window that shrank that was sent again.
    pub resent_past: Option<(SeqNum, SeqNum)>,
    /// What can have been measured.
    pub round_trips: RoundTrips,
    /// What both sides have told by SACK blocks.
    pub reports: Reports,
    /// What has arrived, or been called, since acknowledgments went out for it; two at most are remembered.
    unanswered: u8,
    /// What has arrived since the last acknowledgment without text.
    arrivals: u32,
    first_at: Micros,
    /// Since when something has been in flight.
    unheard_since: Option<Micros>,
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

    /// A segment has arrived and made one of `hypotheses` of the connection.
    pub(crate) fn heard(&mut self, hypotheses: &[Tcb], segment: &Segment, at: Micros) {
        self.round_trips.heard(hypotheses, segment, at);
        self.reports.heard(segment);
        self.unanswered = 2.min(self.unanswered + 1);
        self.arrivals += 1;
        self.times = 0;
        self.keep_alives = 0;
        self.reading = false;
        self.disturbed_at = at;
        let counts = |tcb: &Tcb| tcb.due.is_none() && tcb.challenge.is_none() && !tcb.reset_refused;
        let first = hypotheses.first();
        if first.is_none_or(counts) {
            self.heard_at = at;
        }
        for tcb in hypotheses {
            let mss = tcb.offers.peer_mss.map_or(DEFAULT_MSS, u32::from);
            let stands = tcb.state.is_synchronized();
            self.cramped |= stands && tcb.max_snd_wnd < 2 * mss;
            self.narrow |= stands && tcb.largest_snd_wnd() < mss;
        }
        let Some(tcb) = first.filter(|tcb| tcb.state.is_synchronized()) else {
            return;
        };
        if tcb.snd_una == tcb.snd_nxt {
            self.unheard_since = None;
        }
        // It may be shut for longer than the first of them knows.
        let is_shut = |tcb: &Tcb| tcb.snd_wnd.iter().any(|window| window.snd_wnd == 0);
        let shut = hypotheses.iter().any(is_shut);
        self.shut_since = shut.then(|| self.shut_since.unwrap_or(at));
    }

    /// `segment` goes out again, though it lies past the window.
    pub(crate) fn sends_past_the_window(&mut self, segment: &Segment) {
        self.resent_past = Some((segment.seq, segment.text_end()));
    }

    /// Whether all of `segment` has been sent again though it lay past the window.
    pub(crate) fn has_resent_past(&self, segment: &Segment) -> bool {
        self.resent_past.is_some_and(|(start, end)| {
            start.at_or_before(segment.seq) && segment.text_end().at_or_before(end)
        })
    }

    /// Whether everything that happened has had an acknowledgment without text.
    pub(crate) fn has_answered_all(&self) -> bool {
        self.unanswered == 0
    }

    /// Whether one segment at most has arrived since the last acknowledgment without text.
    pub(crate) fn answers_one(&self) -> bool {
        self.arrivals <= 1
    }

    /// Something else has happened.
    pub(crate) fn disturbed(&mut self, at: Micros) {
        self.times = 0;
        self.disturbed_at = at;
    }

    /// The application calls.
    pub(crate) fn called(&mut self, call: &Call, at: Micros) {
        self.unanswered = 2.min(self.unanswered + 1);
        self.disturbed_at = at;
        self.keep_alives = 0;
        self.reading = matches!(call, Call::Read(_));
        self.resized |= matches!(call, Call::Set(_) | Call::Sysctl(_));
        if let Call::Set(option) = call {
            self.changed_class |= matches!(option, SocketOption::TrafficClass(_));
            self.set(option);
        }
    }

    /// `segment` goes out; `new_text` if it holds text that was not sent before, `full` if it is large.
    pub(crate) fn sends(&mut self, segment: &Segment, at: Micros, new_text: bool, full: bool) {
        self.cramped |= !segment.options.sack().is_empty();
        self.reports.sends(segment, self.answers_one());
        if is_bare(segment) {
            self.unanswered = self.unanswered.saturating_sub(1);
            self.arrivals = 0;
        }
        if segment.has(Flags::SYN) {
            self.syn_window = u32::from(segment.window.0);
        }
        if segment.is_empty() {
            return;
        }
        self.round_trips.sends(segment, at);
        self.unheard_since.get_or_insert(at);
        self.repeated |= !new_text && !segment.payload.is_empty();
        let range = (segment.seq, segment.end());
        if self.times > 0 && self.latest == range {
            self.times += 1;
            self.interval = at - self.latest_at;
        } else {
            (self.times, self.interval) = (1, 0);
            self.first_at = at;
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

    /// A keep-alive goes out.
    pub(crate) fn keeps_alive(&mut self) {
        self.keep_alives += 1;
    }

    /// Whether a stack may have given the connection up by now, for something that the application has asked for.
    pub(crate) fn may_have_given_up(&self, at: Micros) -> bool {
        let outlasts = |since, timeout| at.saturating_sub(since) >= timeout;
        let waits = self.unheard_since.zip(self.user_timeout);
        self.keep_alive && self.keep_alives > 1
            || waits.is_some_and(|(since, timeout)| outlasts(since, timeout))
    }

    /// Whether something has been sent for longer than the application lets it, by more than `slack` microseconds.
    pub(crate) fn outlasts_user_timeout(&self, at: Micros, slack: Micros) -> bool {
        let by = |timeout| at.saturating_sub(self.first_at) > timeout + slack;
        self.times > 1 && self.user_timeout.is_some_and(by)
    }

    fn set(&mut self, option: &SocketOption) {
        match *option {
            SocketOption::NoDelay(on) => self.no_delay = on,
            SocketOption::KeepAlive(on) => self.keep_alive = on,
            SocketOption::KeepIdle(seconds) => {
                self.keep_idle = Some(Micros::from(seconds) * 1_000_000);
            }
            SocketOption::UserTimeout(by) => {
                self.user_timeout = (by > 0).then(|| Micros::from(by) * 1_000);
            }
            SocketOption::TrafficClass(class) => self.traffic_class = Some(class),
            SocketOption::TimeToLive(hops) => self.time_to_live = Some(hops),
            _ => {}
        }
    }
}

/// Whether `segment` acknowledges and does nothing else.
pub(crate) fn is_bare(segment: &Segment) -> bool {
    segment.is_empty() && segment.has(Flags::ACK) && !segment.has(Flags::RST)
}
