//! What may be sent: the send window, the congestion window, and how much text waits for them.
//! RFC 9293 section 3.8.6, RFC 5681 section 3.1.

use ackward_model::{Micros, Segment, SeqNum, WindowScale};

/// The send variables.
#[derive(Clone, Debug)]
pub(crate) struct Snd {
    pub(crate) iss: SeqNum,
    pub(crate) una: SeqNum,
    pub(crate) nxt: SeqNum,
    pub(crate) wnd: u32,
    pub(crate) wl1: SeqNum,
    pub(crate) wl2: SeqNum,
    pub(crate) max_wnd: u32,
    pub(crate) scale: WindowScale,
    /// The largest segment the other side takes, in octets of text and options.
    pub(crate) mss: u32,
    /// Octets the application has written so far.
    pub(crate) written: u32,
    /// Where the urgent ones of them end.
    pub(crate) up: Option<u32>,
    /// The application will write no more.
    pub(crate) shut: bool,
    /// How often something was retransmitted.
    pub(crate) retransmissions: u32,
    /// When to retransmit, and how often that came to pass since the last new acknowledgment.
    pub(crate) timer: Option<Micros>,
    pub(crate) backoff: u32,
    cwnd: u32,
    ssthresh: u32,
}

/// What RFC 9293 MUST-15 assumes of a SYN without the option.
pub(crate) const DEFAULT_MSS: u32 = 536;

impl Snd {
    pub(crate) fn new(iss: SeqNum) -> Snd {
        Snd {
            iss,
            una: iss,
            nxt: iss,
            wnd: 0,
            wl1: SeqNum(0),
            wl2: SeqNum(0),
            max_wnd: 0,
            scale: WindowScale::NONE,
            mss: DEFAULT_MSS,
            written: 0,
            up: None,
            shut: false,
            retransmissions: 0,
            timer: None,
            backoff: 0,
            cwnd: 0,
            ssthresh: u32::MAX,
        }
    }

    /// The sequence number after the last octet written: where the FIN goes.
    pub(crate) fn text_end(&self) -> SeqNum {
        self.iss + 1 + self.written
    }

    /// Octets written and not yet sent.
    pub(crate) fn unsent(&self) -> u32 {
        self.text_end().distance_from(self.nxt).max(0) as u32
    }

    /// Whether the FIN is all that is left to send.
    pub(crate) fn fin_is_next(&self) -> bool {
        self.shut && self.nxt == self.text_end()
    }

    /// Whether the other side has acknowledged the FIN.
    pub(crate) fn fin_is_acknowledged(&self) -> bool {
        self.shut && self.una == self.text_end() + 1
    }

    /// Sequence numbers that may still be used now.
    pub(crate) fn usable(&self) -> u32 {
        let limit = self.una + self.wnd.min(self.cwnd);
        limit.distance_from(self.nxt).max(0) as u32
    }

    /// How much text to put into the next segment of at most `largest` octets; 0 if it is better to wait
    /// (RFC 9293 3.8.6.2.1); with `nagle`, a small segment waits for what is in flight.
    pub(crate) fn next_text(&self, largest: u32, nagle: bool) -> u32 {
        let len = self.unsent().min(self.usable()).min(largest);
        let waits = nagle && !self.shut && self.una != self.nxt;
        let worth = len == self.unsent() || 2 * len >= self.max_wnd && !self.is_congested();
        if len == largest || worth && !waits {
            len
        } else {
            0
        }
    }

    /// Whether the congestion window is smaller than the other side's.
    pub(crate) fn is_congested(&self) -> bool {
        self.cwnd < self.wnd
    }

    /// Takes the window of a segment, unless an earlier one is newer.
    pub(crate) fn update_window(&mut self, segment: &Segment) {
        let newer = self.wl1.before(segment.seq)
            || self.wl1 == segment.seq && self.wl2.at_or_before(segment.ack);
        if newer {
            self.take_window(segment, self.scale);
        }
    }

    /// Takes the window of a segment under `scale`.
    pub(crate) fn take_window(&mut self, segment: &Segment, scale: WindowScale) {
        self.wnd = segment.window.scaled(scale).0;
        self.max_wnd = self.max_wnd.max(self.wnd);
        self.wl1 = segment.seq;
        self.wl2 = segment.ack;
    }

    /// The handshake is over: the initial window of RFC 6928.
    pub(crate) fn begin_congestion_control(&mut self) {
        self.cwnd = (10 * self.mss).min(14_600.max(2 * self.mss));
    }

    /// New text was acknowledged.
    pub(crate) fn grow(&mut self, octets: u32) {
        let step = if self.cwnd < self.ssthresh {
            octets.min(self.mss)
        } else {
            (self.mss * self.mss / self.cwnd.max(1)).max(1)
        };
        self.cwnd = self.cwnd.saturating_add(step);
    }

    /// The retransmission timer expired.
    pub(crate) fn collapse(&mut self) {
        let flight = self.nxt.offset_from(self.una);
        self.ssthresh = (flight / 2).max(2 * self.mss);
        self.cwnd = self.mss;
    }
}
