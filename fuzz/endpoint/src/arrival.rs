//! What a segment does once both sides know each other, step by step in the order of the RFC.
//! RFC 9293 section 3.10.7.4, RFC 7323 section 5.3, RFC 5961 sections 3 to 5.

use ackward_model::{Flags, Micros, SackBlock, Segment, SeqNum};

use crate::reassembly::Taken;
use crate::{Endpoint, Plant, State};

/// Twice a maximum segment lifetime of 30 seconds.
const TIME_WAIT: Micros = 60_000_000;

/// Whether the next step is taken or the segment is done with.
type Continue = Option<()>;

impl Endpoint {
    pub(crate) fn arrive(&mut self, segment: &Segment) {
        if self.planted_deafness(segment) {
            return;
        }
        if self.state == State::SynReceived && self.arrive_with_a_cookie(segment) {
            return;
        }
        match self.state {
            State::Closed => self.refuse(segment),
            State::Listen => self.arrive_in_listen(segment),
            State::SynSent => self.arrive_in_syn_sent(segment),
            _ => {
                let _ = self.arrive_in_order(segment);
            }
        }
    }

    fn arrive_in_order(&mut self, segment: &Segment) -> Continue {
        self.check_timestamp(segment)?;
        if self.planted_refusal(segment) {
            self.acks.owe_now();
            return None;
        }
        if self.config.choices.notes_timestamps_first {
            self.note_timestamp(segment);
        }
        self.check_sequence(segment)?;
        if self.planted_abort(segment) {
            self.emit_abort();
            self.become_closed();
            return None;
        }
        self.note_timestamp(segment);
        self.check_reset(segment)?;
        self.check_syn(segment)?;
        self.check_ack(segment)?;
        self.take_text(segment)?;
        self.take_fin();
        Some(())
    }

    /// PAWS, and the option that must be there. A reset is not subject to either.
    fn check_timestamp(&mut self, segment: &Segment) -> Continue {
        if !self.ts.in_use || segment.has(Flags::RST) {
            return Some(());
        }
        let Some((tsval, _)) = segment.options.timestamps() else {
            // What lacks the option is dropped without a word (RFC 7323 section 3.2).
            return self.planted_tolerance().then_some(());
        };
        let old = self
            .planted_old(segment, tsval)
            .unwrap_or_else(|| self.ts.is_old(tsval, self.now));
        if old {
            self.refused(segment);
            if self.planted_sparing(segment) {
                self.check_ack(segment)?;
            }
            return None;
        }
        Some(())
    }

    fn check_sequence(&mut self, segment: &Segment) -> Continue {
        if self.rcv.accepts(segment, self.planted_edge(segment)) {
            return Some(());
        }
        if segment.has(Flags::RST) && self.planted_reset(segment) == Some(true) {
            return self.check_reset(segment);
        }
        let again =
            segment.has(Flags::SYN) && !segment.has(Flags::ACK) && segment.seq == self.rcv.irs;
        if self.state == State::SynReceived && again && self.config.choices.repeats_syn_ack {
            self.stop_timing();
            self.emit_syn();
        } else {
            self.refused(segment);
        }
        self.planted_copy(segment);
        self.came_again(segment.text_start(), segment.text_end());
        if self.state == State::TimeWait && segment.has(Flags::FIN) {
            self.enter_time_wait();
        }
        // A shut window must not hide acknowledgments and resets at the place where a probe goes.
        let probes = self.rcv.wnd() == 0 && segment.seq == self.rcv.nxt;
        if probes && self.plants(Plant::DeafToAcksAtZero) {
            return None;
        }
        if probes && !segment.has(Flags::SYN) {
            self.check_reset(segment)?;
            self.check_ack(segment)?;
        } else if self.planted_counting(segment) {
            self.check_ack(segment)?;
        }
        None
    }

    /// What is refused is answered, unless it is a reset.
    fn refused(&mut self, segment: &Segment) {
        self.planted_refused(segment);
        let reset = segment.has(Flags::RST) && self.planted_reticence();
        if !reset && !self.planted_silence(segment) {
            self.acks.owe_now();
        }
    }

    fn note_timestamp(&mut self, segment: &Segment) {
        let stamped = segment.options.timestamps().filter(|_| self.ts.in_use);
        if let Some((tsval, _)) = stamped
            && !segment.has(Flags::RST)
        {
            let follows = self
                .planted_recent(segment, tsval)
                .unwrap_or_else(|| self.ts.follows(segment.seq, tsval, self.now));
            if follows {
                self.ts.remember(tsval, self.now);
            }
        }
    }

    fn check_reset(&mut self, segment: &Segment) -> Continue {
        if !segment.has(Flags::RST) {
            return Some(());
        }
        let obeys = self
            .planted_reset(segment)
            .unwrap_or(segment.seq == self.rcv.nxt);
        if !obeys {
            self.planted_refused(segment);
            self.challenge(segment);
        } else if self.state == State::SynReceived
            && self.listened
            && !self.plants(Plant::StopsListening)
        {
            self.listen_again();
        } else {
            self.become_closed();
        }
        None
    }

    /// A SYN here is old, blind or from another life: a challenge lets the other side prove itself.
    fn check_syn(&mut self, segment: &Segment) -> Continue {
        if segment.has(Flags::SYN) {
            self.planted_refused(segment);
            self.challenge(segment);
            return None;
        }
        Some(())
    }

    /// Owes an acknowledgment that only the other side itself can make use of.
    fn challenge(&mut self, segment: &Segment) {
        if self.planted_shyness(segment) {
            return;
        }
        self.challenges += 1;
        if !self.config.choices.limits_challenges || self.challenges % 2 == 1 {
            self.acks.owe_now();
        }
    }

    /// Takes note of text that came again, if it had come before.
    fn came_again(&mut self, left: SeqNum, right: SeqNum) {
        let place = |seq: SeqNum| seq.offset_from(self.rcv.irs + 1);
        let known = place(left) < place(right) && place(right) <= place(self.rcv.nxt);
        if self.config.choices.reports_duplicates && known {
            self.duplicate = Some(SackBlock { left, right });
        }
    }

    fn check_ack(&mut self, segment: &Segment) -> Continue {
        if !segment.has(Flags::ACK) {
            return None;
        }
        if self.planted_blindness(segment) {
            return Some(());
        }
        let ack = segment.ack;
        if self.state == State::SynReceived {
            let of_syn = ack.after(self.snd.una) && ack.at_or_before(self.snd.nxt);
            if !of_syn && !self.planted_completion(ack) {
                self.emit_reset(ack, None);
                return None;
            }
            self.snd.take_window(segment, self.snd.scale);
            self.establish();
        }
        let oldest = self.snd.una - self.snd.max_wnd;
        let ancient = ack.before(oldest) && !self.config.choices.bears_ancient_acks;
        if ack.after(self.snd.nxt) || ancient {
            self.challenge(segment);
            return None;
        }
        self.planted_timing(segment);
        if ack.after(self.snd.una) {
            self.timed(ack);
            self.snd.grow(ack.offset_from(self.snd.una));
            self.snd.una = ack;
            self.snd.backoff = 0;
            self.note_flight(true);
            self.start_timer();
        }
        let open = self.snd.wnd > 0;
        if ack.at_or_after(self.snd.una) && !self.planted_window(segment) {
            self.snd.update_window(segment);
        }
        if open && self.snd.wnd == 0 && self.snd.una == self.snd.nxt {
            // The first probe comes when the window has been shut for a timeout (RFC 9293 section 3.8.6.1).
            self.start_timer();
        }
        if self.snd.fin_is_acknowledged() {
            match self.state {
                State::FinWait1 => self.state = State::FinWait2,
                State::Closing => self.enter_time_wait(),
                State::LastAck => {
                    self.become_closed();
                    return None;
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Takes the text that lies in the window, and notes where a FIN is.
    fn take_text(&mut self, segment: &Segment) -> Continue {
        if self.planted_taking(segment) {
            self.acks.owe_now();
            return Some(());
        }
        if !self.state.takes_text() {
            return Some(());
        }
        self.note_urgent(segment);
        let (nxt, edge) = (self.rcv.nxt, self.planted_edge(segment));
        if segment.end().after(edge) && self.config.choices.drops_straddlers {
            self.acks.owe_now();
            return Some(());
        }
        let end = segment.text_end().earliest(edge);
        let fin = segment.has(Flags::FIN) && !self.planted_oversight(segment);
        if fin && segment.text_end().before(edge) {
            self.rcv.fin = Some(segment.text_end());
        }
        let start = segment.text_start().latest(nxt);
        if !start.before(end) {
            if segment.has(Flags::FIN) || !segment.payload.is_empty() {
                self.acks.owe_now();
            }
            return Some(());
        }
        if self.deaf {
            self.emit_reset(self.snd.nxt, None);
            self.become_closed();
            return None;
        }
        self.came_again(segment.text_start(), start);
        let within = |seq: SeqNum| seq.offset_from(segment.text_start()) as usize;
        let octets = &segment.payload[within(start)..within(end)];
        let taken = self.rcv.text.take(&mut self.rcv.nxt, start, octets);
        let whole = start == segment.text_start() && end == segment.text_end();
        let in_turn = match taken {
            Taken::InOrder => true,
            Taken::Held => self.config.choices.patient_out_of_order,
            Taken::FilledHole => false,
        };
        if self.planted_quiet(taken) {
            return Some(());
        }
        if in_turn && whole {
            let len = octets.len() as u32;
            self.acks.owe(self.config.acks, len, self.rcv.mss, self.now);
        } else {
            self.acks.owe_now();
        }
        Some(())
    }

    /// Passes the other side's FIN once everything before it is there.
    fn take_fin(&mut self) {
        if self.rcv.fin != Some(self.rcv.nxt) {
            return;
        }
        self.rcv.nxt += 1;
        self.acks.owe_now();
        match self.state {
            State::Established => self.state = State::CloseWait,
            State::FinWait1 => self.state = State::Closing,
            State::FinWait2 => self.enter_time_wait(),
            _ => {}
        }
    }

    fn enter_time_wait(&mut self) {
        self.state = State::TimeWait;
        self.snd.timer = None;
        let lasts = if self.plants(Plant::ForgetsTimeWait) {
            1_000_000
        } else {
            TIME_WAIT
        };
        self.time_wait = Some(self.now + lasts);
    }
}
