//! One hypothesis about a stack: everything that RFC 9293 keeps in a transmission control block, as far as it shows.
//! RFC 9293 section 3.3.1, RFC 7323 sections 2.3 and 4.3.

use crate::held::Held;
use crate::payload::{self, Copy};
use crate::state::State;
use crate::{Micros, OpenMode, Segment, SeqNum, TsVal, WindowScale};

/// A possible TCB of the stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tcb {
    /// Who opened.
    pub open: OpenMode,
    /// The connection's state.
    pub state: State,
    /// The application has closed the socket: nobody reads any more.
    pub orphan: bool,
    /// The application has accepted a connection.
    pub in_use: bool,
    /// A handshake with this listener has been completed, or it has been closed.
    pub served: bool,
    /// The host is set to let windows shrink, which it may have done without having said so yet.
    pub may_shrink_window: bool,
    /// The host answers SYNs with cookies: it remembers nothing of a SYN (RFC 4987 section 3.6).
    pub syn_cookies: bool,
    /// It can only connect to an address that is no host's.
    pub remote_is_void: bool,
    /// The application has asked to connect.
    pub connecting: bool,
    /// A segment has arrived since the application closed.
    pub heard_since_close: bool,
    /// The application closed while there was text for it to read.
    pub closed_unread: bool,
    /// The application's socket belongs to an earlier connection on the same addresses and ports.
    pub application_elsewhere: bool,
    /// What the application reads can no longer be said.
    pub reads_unknown: bool,
    /// The ISN behind which the peer's text is coded by its place; behind another one it names no copy.
    pub text_origin: Option<SeqNum>,
    /// The peer has reset the connection before its FIN, and the application has not been told.
    pub aborted: bool,
    /// Nothing more can be said.
    pub unjudged: bool,
    /// In this branch the stack has stopped working: it emits nothing any more.
    pub dead: bool,
    /// Nothing more can be said because the peer contradicted itself in a way the RFCs do not describe.
    pub contradicted: bool,

    /// ISS; meaningless before the stack's SYN.
    pub iss: SeqNum,
    /// ISS of the first connection on these addresses and ports, if this is a later one.
    pub earlier_iss: Option<SeqNum>,
    /// SND.UNA.
    pub snd_una: SeqNum,
    /// SND.NXT: one past the highest sequence number sent.
    pub snd_nxt: SeqNum,
    /// The send windows that may be in force.
    pub snd_wnd: Vec<SendWindow>,
    /// MAX.SND.WND in octets, from the segment on that completed the handshake.
    pub max_snd_wnd: u32,
    /// Snd.Wind.Shift.
    pub snd_wind_shift: WindowScale,
    /// Octets the application has written.
    pub written: u32,
    /// The application has closed its direction: a FIN follows the text.
    pub fin_queued: bool,
    /// SND.UP as an offset into the stream: where the text ends that the application has written as urgent.
    pub snd_up: Option<u32>,

    /// IRS; meaningless before the peer's SYN.
    pub irs: SeqNum,
    /// RCV.NXT.
    pub rcv_nxt: SeqNum,
    /// RCV.NXT before the latest segment arrived: what its ACK made the stack retransmit is sent before its text counts.
    pub rcv_nxt_on_arrival: SeqNum,
    /// Text beyond RCV.NXT.
    pub held: Held,
    /// One past the furthest text the peer has sent, taken or not.
    pub furthest_text: SeqNum,
    /// The sequence space of the latest arrival.
    pub arrived: (SeqNum, SeqNum),
    /// The latest arrival was a RST outside the window, and the application has not called since.
    pub reset_refused: bool,
    /// The latest arrival brought text of which nothing was held or received before.
    pub arrived_fresh: bool,
    /// The latest arrival was a RST.
    pub arrived_reset: bool,
    /// An option of the latest arrival had an impossible length, at which a stack may reset.
    pub arrived_impossible: bool,
    /// What the latest arrival acknowledged, if it had ACK.
    pub arrived_ack: Option<SeqNum>,
    /// TSval of the latest arrival, if it had one.
    pub arrived_tsval: Option<TsVal>,
    /// From the first to the last octet of the text that arrived since the stack last sent an acknowledgment.
    pub arrived_since_ack: (SeqNum, SeqNum),
    /// The stack has sent an acknowledgment without text since text last arrived.
    pub acknowledged: bool,
    /// The latest arrival's index into the trace.
    pub arriving: usize,
    /// The first TSval the stack sent, and when.
    pub first_tsval: Option<(TsVal, Micros)>,
    /// Last.ACK.sent.
    pub last_ack_sent: SeqNum,
    /// The right edge of the latest window advertised.
    pub edge: SeqNum,
    /// The furthest right edge ever advertised.
    pub max_edge: SeqNum,
    /// Some window advertised was the largest the field can say, so that a larger one may stand behind it.
    pub window_saturated: bool,
    /// Rcv.Wind.Shift.
    pub rcv_wind_shift: WindowScale,
    /// Text accepted, by stream offset, with the copy it came from.
    pub accepted: Vec<Accepted>,
    /// Octets the application has read.
    pub read: u32,
    /// RCV.UP as an offset into the stream: where the urgent text ends, which may be still to come.
    pub rcv_up: Option<u32>,
    /// RCV.UP has moved on since the application asked last, while it could be told.
    pub urgent_news: bool,
    /// A segment with URG came of which it is not sure what it made urgent.
    pub urgent_unknown: bool,

    /// Timestamps are in use.
    pub timestamps: bool,
    /// SACK may be sent by the stack.
    pub sack: bool,
    /// The values TS.Recent may have.
    pub ts_recent: Vec<Recent>,
    /// The latest TSval the stack sent.
    pub last_tsval: Option<TsVal>,
    /// What the SYNs offered.
    pub offers: Offers,
    /// A segment that is owed an answer at once: an acknowledgment, or a reset where there is no connection.
    pub due: Option<Due>,
    /// The first of the segments taken (SYN, text, FIN), in order or not, that no acknowledgment has followed yet; it may be
    /// delayed.
    pub owed: Option<Due>,
    /// A segment that is owed a challenge by whoever does not obey it.
    pub challenge: Option<Due>,
    /// A segment that was owed a challenge and has not had one in all the time there was.
    pub unchallenged: Option<Due>,
    /// An acknowledgment may have been a challenge, so that further ones may be held back.
    pub has_repeated: bool,
    /// When TIME-WAIT began, microseconds.
    pub time_wait_since: Option<Micros>,
}

/// A send window with the segment it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SendWindow {
    /// SND.WND, octets from SND.UNA.
    pub snd_wnd: u32,
    /// SND.WL1.
    pub snd_wl1: SeqNum,
    /// SND.WL2.
    pub snd_wl2: SeqNum,
}

/// A value of TS.Recent with the trace entry that brought it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recent {
    /// The value.
    pub value: TsVal,
    /// Index into the trace.
    pub entry: usize,
}

/// Text accepted in one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// First stream offset (0 follows the SYN).
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// Which copy.
    pub copy: Copy,
}

/// What each SYN offered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Offers {
    /// The peer's SYN carried timestamps.
    pub peer_timestamps: bool,
    /// The peer's SYN permitted SACK.
    pub peer_sack: bool,
    /// The peer's SYN asked for explicit congestion notification.
    pub peer_ecn: bool,
    /// The largest segment that the peer's SYN says it takes, octets.
    pub peer_mss: Option<u16>,
    /// The peer's SYN announced this shift.
    pub peer_scale: Option<u8>,
    /// The stack's SYN carried timestamps.
    pub stack_timestamps: bool,
    /// The stack's SYN announced this shift.
    pub stack_scale: Option<u8>,
}

/// An acknowledgment that is due, at once or before long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Due {
    /// The trace entry of the segment that is owed it.
    pub entry: usize,
    /// When that segment came, microseconds.
    pub since: Micros,
}

impl Accepted {
    /// How many of `octets`, which stand from stream `offset` on, are of this text.
    fn run_of(&self, offset: u32, octets: &[u8]) -> usize {
        if !(self.start..self.end).contains(&offset) {
            return 0;
        }
        let within = octets.len().min((self.end - offset) as usize);
        let same =
            |(offset, octet): &(u32, &u8)| payload::peer_octet(*offset, self.copy) == **octet;
        (offset..).zip(&octets[..within]).take_while(same).count()
    }
}

impl Tcb {
    /// The TCB before anything happened.
    pub fn new(open: OpenMode) -> Tcb {
        Tcb {
            open,
            state: match open {
                OpenMode::Passive => State::Listen,
                OpenMode::Active => State::Closed,
            },
            orphan: false,
            in_use: false,
            served: false,
            may_shrink_window: false,
            syn_cookies: false,
            remote_is_void: false,
            connecting: false,
            heard_since_close: false,
            closed_unread: false,
            application_elsewhere: false,
            reads_unknown: false,
            text_origin: None,
            aborted: false,
            unjudged: false,
            dead: false,
            contradicted: false,
            iss: SeqNum(0),
            earlier_iss: None,
            snd_una: SeqNum(0),
            snd_nxt: SeqNum(0),
            snd_wnd: Vec::new(),
            max_snd_wnd: 0,
            snd_wind_shift: WindowScale::NONE,
            written: 0,
            fin_queued: false,
            snd_up: None,
            irs: SeqNum(0),
            rcv_nxt: SeqNum(0),
            rcv_nxt_on_arrival: SeqNum(0),
            held: Held::default(),
            furthest_text: SeqNum(0),
            arrived: (SeqNum(0), SeqNum(0)),
            reset_refused: false,
            arrived_fresh: false,
            arrived_reset: false,
            arrived_impossible: false,
            arrived_ack: None,
            arrived_tsval: None,
            arrived_since_ack: (SeqNum(0), SeqNum(0)),
            acknowledged: true,
            arriving: 0,
            first_tsval: None,
            last_ack_sent: SeqNum(0),
            edge: SeqNum(0),
            max_edge: SeqNum(0),
            window_saturated: false,
            rcv_wind_shift: WindowScale::NONE,
            accepted: Vec::new(),
            read: 0,
            rcv_up: None,
            urgent_news: false,
            urgent_unknown: false,
            timestamps: false,
            sack: false,
            ts_recent: Vec::new(),
            last_tsval: None,
            offers: Offers::default(),
            due: None,
            owed: None,
            challenge: None,
            unchallenged: None,
            has_repeated: false,
            time_wait_since: None,
        }
    }

    /// Whether `segment` may have been sent while the latest arrival was being processed: text that its acknowledgment
    /// made the stack send, before its own text counted.
    pub fn sent_amid_arrival(&self, segment: &Segment) -> bool {
        !segment.is_empty() && segment.ack == self.rcv_nxt_on_arrival
    }

    /// RCV.WND as far as the wire says: octets from RCV.NXT to the latest advertised edge.
    pub fn rcv_wnd(&self) -> u32 {
        u32::try_from(self.edge.distance_from(self.rcv_nxt)).unwrap_or(0)
    }

    /// The largest SND.WND that may be in force, in octets from SND.UNA.
    pub fn largest_snd_wnd(&self) -> u32 {
        self.snd_wnd
            .iter()
            .map(|window| window.snd_wnd)
            .max()
            .unwrap_or(0)
    }

    /// The sequence number after everything the application has asked to send.
    pub fn send_end(&self) -> SeqNum {
        self.iss + 1 + self.written + u32::from(self.fin_queued)
    }

    /// Whether something is to be sent before long: it is not acknowledged and goes again, or it waits to be sent for the
    /// first time with nothing in flight, and the peer's window takes a part of it.
    pub fn must_send(&self) -> bool {
        let in_flight = self.snd_una != self.snd_nxt;
        let open = self.snd_wnd.iter().all(|window| window.snd_wnd > 0);
        self.state > State::Listen
            && !self.is_forgotten()
            && (in_flight || self.waits_alone() && open && !self.may_send_all())
    }

    /// Whether the peer's window is to be probed before long: it is shut, and there is something to send.
    pub fn must_probe(&self) -> bool {
        let shut = self.snd_wnd.iter().all(|window| window.snd_wnd == 0);
        self.waits_alone() && shut
    }

    /// Whether all that waits may go at once: nothing is in flight, and the peer's window takes it.
    pub fn may_send_all(&self) -> bool {
        let waiting = self.send_end().offset_from(self.snd_nxt);
        let fits = |window: &SendWindow| window.snd_wnd >= waiting;
        self.waits_alone() && self.snd_wnd.iter().all(fits)
    }

    /// Whether the SYN of an active open is to be sent.
    pub fn must_open(&self) -> bool {
        self.connecting && self.state == State::Closed
    }

    /// Whether it is no more than a cookie in the peer's hands.
    pub fn is_forgotten(&self) -> bool {
        self.syn_cookies && self.state == State::SynReceived && self.open == OpenMode::Passive
    }

    /// Whether the stack has yet to send its SYN.
    pub fn is_mute(&self) -> bool {
        self.snd_nxt == self.iss
    }

    /// Something waits to be sent for the first time, and nothing is in flight whose acknowledgment it could wait for.
    fn waits_alone(&self) -> bool {
        self.state.is_synchronized()
            && self.snd_una == self.snd_nxt
            && self.send_end().after(self.snd_nxt)
    }

    /// SND.UP, if the application has written anything urgent.
    pub fn urgent_end(&self) -> Option<SeqNum> {
        self.snd_up.map(|offset| self.iss + 1 + offset)
    }

    /// Whether urgent text is in flight or waits to be sent.
    pub fn has_urgent_text(&self) -> bool {
        self.urgent_end().is_some_and(|end| end.after(self.snd_una))
    }

    /// The stack's FIN was sent and is acknowledged by `ack`.
    pub fn fin_acknowledged_by(&self, ack: SeqNum) -> bool {
        self.fin_queued && self.snd_nxt == self.send_end() && ack == self.send_end()
    }

    /// Octets of text received in order so far.
    pub fn text_received(&self) -> u32 {
        let fin = u32::from(self.state.has_peer_fin());
        self.rcv_nxt.offset_from(self.irs + 1) - fin
    }

    /// The stream offset of the first octet of `octets`, delivered from `start` on, that no accepted copy holds.
    pub fn first_foreign_octet(&self, start: u32, octets: &[u8]) -> Option<u32> {
        let mut delivered = 0;
        while delivered < octets.len() {
            let offset = start + delivered as u32;
            let run = |text: &Accepted| text.run_of(offset, &octets[delivered..]);
            match self.accepted.iter().map(run).max() {
                Some(run) if run > 0 => delivered += run,
                _ => return Some(offset),
            }
        }
        None
    }

    /// A copy that `change` was made to.
    #[must_use]
    pub fn with(&self, change: impl FnOnce(&mut Tcb)) -> Tcb {
        let mut changed = self.clone();
        change(&mut changed);
        changed
    }

    /// Gives TS.Recent this value, whatever it was.
    pub fn set_ts_recent(&mut self, value: TsVal) {
        for recent in &mut self.ts_recent {
            recent.value = value;
        }
    }

    /// Adds the TSval of the segment that is arriving to the values that TS.Recent may have.
    pub fn may_have_recent_of(&mut self, segment: &Segment) {
        if let Some((value, _)) = segment.options.timestamps() {
            self.may_have_recent(value, self.arriving);
        }
    }

    /// Adds a value that TS.Recent may have, which trace entry `entry` brought.
    pub fn may_have_recent(&mut self, value: TsVal, entry: usize) {
        if !self.ts_recent.iter().any(|recent| recent.value == value) {
            self.ts_recent.push(Recent { value, entry });
        }
    }

    /// The peer has reset the connection, of which the application is to be told.
    pub fn reset(&mut self) {
        let before_fin = self.state.is_synchronized() && !self.state.has_peer_fin();
        self.close();
        self.aborted = before_fin;
    }

    /// The connection is gone; whoever listened still listens.
    pub fn close(&mut self) {
        let (open, orphan, iss) = (self.open, self.orphan, self.iss);
        let (accepted, read, irs) = (std::mem::take(&mut self.accepted), self.read, self.irs);
        let (in_use, elsewhere) = (self.in_use, self.application_elsewhere);
        let (served, may_shrink_window) = (self.served, self.may_shrink_window);
        let (origin, unknown) = (self.text_origin, self.reads_unknown);
        let arrived = (self.arrived, self.arrived_reset, self.arrived_ack);
        let (earlier_iss, syn_cookies) = (self.earlier_iss, self.syn_cookies);
        *self = Tcb::new(open);
        (self.earlier_iss, self.syn_cookies) = (earlier_iss, syn_cookies);
        (self.arrived, self.arrived_reset, self.arrived_ack) = arrived;
        (self.orphan, self.iss) = (orphan, iss);
        (self.in_use, self.application_elsewhere) = (in_use, elsewhere);
        (self.served, self.may_shrink_window) = (served, may_shrink_window);
        (self.text_origin, self.reads_unknown) = (origin, unknown);
        (self.accepted, self.read, self.irs) = (accepted, read, irs);
        if open == OpenMode::Active {
            self.state = State::Closed;
        }
    }
}
