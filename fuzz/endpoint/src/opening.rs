//! What a segment does before the connection is there: in CLOSED, LISTEN and SYN-SENT.
//! RFC 9293 sections 3.10.7.1 to 3.10.7.3, RFC 7323 sections 2.2 and 3.2.

use ackward_model::{Flags, Segment, WindowScale};

use crate::snd::DEFAULT_MSS;
use crate::timestamps::Timestamps;
use crate::{Endpoint, Plant, State};

impl Endpoint {
    /// CLOSED: everything but a reset is answered with a reset.
    pub(crate) fn refuse(&mut self, segment: &Segment) {
        if segment.has(Flags::RST) && !self.plants(Plant::AnswersResetsByResets) {
            return;
        }
        if self.planted_refuse(segment) {
            return;
        }
        if segment.has(Flags::ACK) {
            self.emit_reset(segment.ack, None);
        } else {
            self.emit_reset(Default::default(), Some(segment.end()));
        }
    }

    /// LISTEN.
    pub(crate) fn arrive_in_listen(&mut self, segment: &Segment) {
        if segment.has(Flags::RST) {
            return;
        }
        if segment.has(Flags::ACK) {
            self.emit_reset(segment.ack, None);
        } else if segment.has(Flags::SYN) && !self.planted_overlooked_syn(segment) {
            self.listened = true;
            self.snd.nxt = self.snd.iss + 1;
            self.negotiate(segment);
            self.enter_syn_received(segment);
        }
    }

    /// SYN-SENT.
    pub(crate) fn arrive_in_syn_sent(&mut self, segment: &Segment) {
        let acknowledges = segment.has(Flags::ACK);
        if acknowledges && segment.ack != self.snd.nxt {
            if !segment.has(Flags::RST) {
                self.emit_reset(segment.ack, None);
            }
            return;
        }
        if segment.has(Flags::RST) {
            if acknowledges {
                self.become_closed();
            }
            return;
        }
        if !segment.has(Flags::SYN) {
            return;
        }
        if !acknowledges && self.plants(Plant::IgnoresCrossingSyn) {
            return;
        }
        self.negotiate(segment);
        if acknowledges {
            self.snd.una = segment.ack;
            self.timed(segment.ack);
            self.snd.take_window(segment, self.scale_of_syn());
            self.establish();
            self.acks.owe_now();
        } else {
            self.enter_syn_received(segment);
        }
    }

    /// The handshake is complete.
    pub(crate) fn establish(&mut self) {
        self.state = if self.snd.shut {
            State::FinWait1
        } else {
            State::Established
        };
        self.snd.begin_congestion_control();
        self.snd.backoff = 0;
        self.start_timer();
    }

    /// Takes from the other side's SYN what both sides want.
    fn negotiate(&mut self, syn: &Segment) {
        let offer = self.config.offer;
        self.rcv.begin(syn.seq);
        self.snd.mss = u32::from(syn.options.maximum_segment_size().unwrap_or(0));
        if self.snd.mss == 0 {
            self.snd.mss = DEFAULT_MSS;
        }
        self.ecn = offer.ecn && syn.flags.ask_for_ecn();
        self.sack = offer.sack && syn.options.sack_permitted();
        // An earlier attempt may have come to other terms.
        let shifts = offer.window_scale.zip(syn.options.window_scale());
        self.scaling = shifts.is_some();
        (self.rcv.scale, self.snd.scale) = shifts
            .map_or((WindowScale::NONE, WindowScale::NONE), |(ours, theirs)| {
                (WindowScale::announced(ours), WindowScale::announced(theirs))
            });
        self.ts = Timestamps::unused();
        self.planted_negotiation(syn);
        if let (true, Some((tsval, _))) = (offer.timestamps, syn.options.timestamps()) {
            self.ts.begin(tsval, self.now);
        }
    }

    /// The window of a SYN is not scaled.
    fn scale_of_syn(&self) -> WindowScale {
        if self.plants(Plant::ShiftsSynWindow) {
            return self.snd.scale;
        }
        WindowScale::NONE
    }

    fn enter_syn_received(&mut self, syn: &Segment) {
        self.state = State::SynReceived;
        self.snd.take_window(syn, WindowScale::NONE);
        self.rcv.promise_syn_window();
        if self.listened {
            self.time(self.snd.nxt);
        } else {
            self.stop_timing();
        }
        self.emit_syn();
        if !self.forgets_syns() {
            self.start_timer();
        }
    }
}
