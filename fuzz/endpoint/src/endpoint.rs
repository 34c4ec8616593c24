//! The endpoint and what can be asked of it: the calls of its user, the passing of time, and what it sends.
//! RFC 9293 section 3.10.

use std::collections::VecDeque;

use ackward_model::{Carrier, Icmp, Micros, SackBlock, Segment, SeqNum};

use crate::acks::Acks;
use crate::clock::Clock;
use crate::patience::Patience;
use crate::plants::{Memory, Plant};
use crate::rcv::Rcv;
use crate::round_trip::RoundTrip;
use crate::snd::{DEFAULT_MSS, Snd};
use crate::timestamps::Timestamps;
use crate::{Config, Outline, State};

/// One end of one connection.
#[derive(Clone, Debug)]
pub struct Endpoint {
    pub(crate) config: Config,
    pub(crate) state: State,
    pub(crate) now: Micros,
    pub(crate) clock: Clock,
    pub(crate) snd: Snd,
    pub(crate) rcv: Rcv,
    pub(crate) ts: Timestamps,
    pub(crate) acks: Acks,
    /// Both SYNs permitted SACK.
    pub(crate) sack: bool,
    /// The other side's SYN asked for explicit congestion notification, and this side has it.
    pub(crate) ecn: bool,
    /// Both SYNs offered to scale.
    pub(crate) scaling: bool,
    /// The SYN-RECEIVED state came from LISTEN.
    pub(crate) listened: bool,
    /// The user has closed and reads no more.
    pub(crate) deaf: bool,
    /// Text that came again, to be reported with the next acknowledgment.
    pub(crate) duplicate: Option<SackBlock>,
    /// Challenges so far, sent or held back.
    pub(crate) challenges: u32,
    /// When TIME-WAIT ends.
    pub(crate) time_wait: Option<Micros>,
    pub(crate) emissions: VecDeque<Outline>,
    pub(crate) patience: Patience,
    /// What the IP header of what is sent says.
    pub(crate) carrier: Carrier,
    pub(crate) round_trip: RoundTrip,
    pub(crate) planted: Memory,
}

/// RFC 6298: the timer doubles up to a minute.
const LONGEST_TIMEOUT: Micros = 60_000_000;

impl Endpoint {
    /// A closed endpoint at time 0.
    pub fn new(config: Config) -> Endpoint {
        let mss = config.offer.mss.map_or(DEFAULT_MSS, u32::from);
        Endpoint {
            state: State::Closed,
            now: 0,
            clock: Clock::new(config.clock, config.tsval),
            snd: Snd::new(config.iss),
            rcv: Rcv::new(config.buffer, mss, config.choices),
            ts: Timestamps::unused(),
            acks: Acks::default(),
            sack: false,
            ecn: false,
            scaling: false,
            listened: false,
            deaf: false,
            duplicate: None,
            challenges: 0,
            time_wait: None,
            emissions: VecDeque::new(),
            patience: Patience::default(),
            carrier: Carrier::default(),
            round_trip: RoundTrip::default(),
            planted: Memory::default(),
            config,
        }
    }

    /// Waits for the other side's SYN.
    pub fn listen(&mut self) {
        self.rcv.opens_gradually = self.plants(Plant::OpensInCrumbs);
        if self.state == State::Closed {
            self.state = State::Listen;
        }
    }

    /// The user listens on the port for yet another connection, which is no concern of this one. Returns whether it may.
    pub fn listen_beside(&mut self) -> bool {
        self.planted_neighbour()
    }

    /// Sends a SYN.
    pub fn open(&mut self) {
        self.rcv.opens_gradually = self.plants(Plant::OpensInCrumbs);
        if matches!(self.state, State::Closed | State::Listen) {
            self.state = State::SynSent;
            self.snd.nxt = self.snd.iss + 1;
            if self.plants(Plant::NeverOpens) {
                return;
            }
            self.time(self.snd.nxt);
            self.emit_syn();
            self.start_timer();
        }
    }

    /// A segment arrives.
    pub fn receive(&mut self, now: Micros, segment: &Segment) {
        self.tick(now);
        let misread = self.planted_misreading(segment);
        let segment = misread.as_ref().unwrap_or(segment);
        if segment.is_void() || self.planted.dead {
            return;
        }
        self.hear();
        self.arrive(segment);
        self.flush();
    }

    /// The network says something of a segment that this end has sent.
    pub fn tell(&mut self, now: Micros, icmp: &Icmp) {
        self.tick(now);
        if !self.state.is_synchronized() {
            return;
        }
        let in_flight = icmp.seq.at_or_after(self.snd.una) && icmp.seq.before(self.snd.nxt);
        let concerns = in_flight && !icmp.foreign;
        let ends = concerns && icmp.kind.is_hard();
        if self.planted_obedience(icmp, concerns).unwrap_or(ends) {
            self.become_closed();
        }
    }

    /// The user writes `octets` more octets of the position-coded text; returns how many were taken.
    pub fn write(&mut self, octets: u32) -> u32 {
        let open = matches!(
            self.state,
            State::SynSent | State::SynReceived | State::Established | State::CloseWait
        );
        let done = self.plants(Plant::WritesOnce) && self.snd.written > 0;
        if !open || self.snd.shut || done {
            return 0;
        }
        self.snd.written += octets;
        self.flush();
        octets
    }

    /// The user reads at most `max` octets. None are left at the end of the stream, see [`Endpoint::is_at_end`].
    pub fn read(&mut self, max: u32) -> Vec<u8> {
        let octets = self.rcv.text.read(max).collect();
        self.reopen();
        octets
    }

    /// As [`Endpoint::read`], for a user who only counts.
    pub fn discard(&mut self, max: u32) -> u32 {
        let octets = self.rcv.text.read(max).len();
        self.reopen();
        octets as u32
    }

    /// The buffer holds so many octets from now on; what was promised stays promised.
    pub fn set_buffer(&mut self, octets: u32) {
        self.rcv.buffer = octets;
    }

    /// RCV.WND.
    pub fn rcv_wnd(&self) -> u32 {
        self.rcv.wnd()
    }

    /// The largest window that the window field can say on this connection.
    pub fn largest_window(&self) -> u32 {
        self.rcv.scale.largest().0
    }

    /// Whether everything the other side sent up to its FIN was read.
    pub fn is_at_end(&self) -> bool {
        self.rcv.is_at_end() || self.planted_end()
    }

    /// The user will write no more: a FIN follows the text.
    pub fn shutdown(&mut self) {
        self.snd.shut = true;
        self.state = match self.state {
            State::Closed | State::Listen | State::SynSent => State::Closed,
            State::Established => State::FinWait1,
            State::CloseWait => State::LastAck,
            other => other,
        };
        self.flush();
    }

    /// The user goes away: as [`Endpoint::shutdown`], but text that nobody will read is answered with a reset.
    pub fn close(&mut self) {
        self.deaf = true;
        let unread = self.rcv.text.ready() > 0;
        if self.planted_harshness().unwrap_or(unread) {
            self.abort();
        } else {
            self.shutdown();
        }
    }

    /// The user gives up the connection: a reset tells the other side.
    pub fn abort(&mut self) {
        if self.state == State::SynReceived
            || self.state.is_synchronized() && self.state != State::TimeWait
        {
            self.emit_abort();
        }
        self.become_closed();
    }

    /// Time passes: timers that expire until `now` do so, each at its own time.
    pub fn tick(&mut self, now: Micros) {
        while let Some(deadline) = self.next_timer().filter(|deadline| *deadline <= now) {
            self.now = self.now.max(deadline);
            if self.time_wait.is_some_and(|at| at <= self.now) {
                self.become_closed();
            }
            if self.snd.timer.is_some_and(|at| at <= self.now) {
                self.snd.timer = None;
                self.snd.backoff += 1;
                if self.is_out_of_patience() {
                    self.become_closed();
                } else if !self.planted_timeout() {
                    self.retransmit();
                    self.start_timer();
                }
            }
            self.keep_alive();
            self.flush();
        }
        self.now = self.now.max(now);
    }

    /// When the next timer expires.
    pub fn next_timer(&self) -> Option<Micros> {
        let keep_alive = self.keep_alive_at();
        [
            self.acks.deadline(),
            self.snd.timer,
            self.time_wait,
            keep_alive,
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// The next segment to send, without its octets.
    pub fn poll_outline(&mut self) -> Option<Outline> {
        self.emissions.pop_front()
    }

    /// The next segment to send.
    pub fn poll_emit(&mut self) -> Option<Segment> {
        let outline = self.poll_outline()?;
        let mut segment = outline.segment();
        segment.carrier = self.planted_carrier(self.carrier, &segment);
        self.planted_form(&mut segment);
        Some(segment)
    }

    /// The state of the connection.
    pub fn state(&self) -> State {
        self.state
    }

    /// SND.UNA.
    pub fn snd_una(&self) -> SeqNum {
        self.snd.una
    }

    /// SND.NXT.
    pub fn snd_nxt(&self) -> SeqNum {
        self.snd.nxt
    }

    /// RCV.NXT.
    pub fn rcv_nxt(&self) -> SeqNum {
        self.rcv.nxt
    }

    /// Octets ready to be read.
    pub fn readable(&self) -> u32 {
        self.rcv.text.ready()
    }

    /// Sends what may go, and an acknowledgment if one is still due after that.
    pub(crate) fn flush(&mut self) {
        self.transmit();
        if self.acks.is_due(self.now) {
            self.emit_ack();
            if self.plants(Plant::AcksTwice) {
                self.emit_ack();
            }
        }
    }

    /// (Re)starts the retransmission timer if anything is outstanding or waits for a window.
    pub(crate) fn start_timer(&mut self) {
        let waiting = self.snd.una != self.snd.nxt || self.has_more_to_send();
        self.snd.timer = match self.config.retransmission_timeout {
            Some(timeout) if waiting && !matches!(self.state, State::Closed | State::Listen) => {
                let doubled = timeout << self.planted_backoff().min(16);
                Some(self.now + doubled.min(LONGEST_TIMEOUT))
            }
            _ => None,
        };
    }

    /// No connection is left, only what waits to be sent.
    pub(crate) fn become_closed(&mut self) {
        self.state = State::Closed;
        self.snd.timer = None;
        self.time_wait = None;
        self.acks.paid();
    }

    /// Waits for another SYN; nothing of the last attempt is left.
    pub(crate) fn listen_again(&mut self) {
        let config = Config {
            iss: self.planted_iss(self.snd.nxt + 64_000),
            ..self.config
        };
        *self = Endpoint {
            state: State::Listen,
            now: self.now,
            clock: self.clock.clone(),
            emissions: std::mem::take(&mut self.emissions),
            carrier: self.carrier,
            patience: self.patience.anew(),
            ..Endpoint::new(config)
        };
    }

    fn reopen(&mut self) {
        if self.state.takes_text() && self.rcv.should_update() {
            self.emit_ack();
        }
    }
}
