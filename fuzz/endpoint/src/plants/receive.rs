//! Planted answers to the questions about what arrives: is it refused, how far may it reach, what of it is taken.
//! RFC 9293 section 3.10.7.4.

use ackward_model::timestamp::Age;
use ackward_model::{Flags, Segment, SeqNum, TsVal, WindowScale};

use super::Plant;
use crate::reassembly::{Reassembly, Taken};
use crate::snd::DEFAULT_MSS;
use crate::{Endpoint, State};

impl Endpoint {
    /// A segment arrives. `true` if it is not looked at.
    pub(crate) fn planted_deafness(&mut self, segment: &Segment) -> bool {
        if self.config.plant.is_none() {
            return false;
        }
        self.planted.stale = self.rcv.text.blocks(3);
        self.note_blocks(segment);
        self.planted.latest = segment.options.timestamps().map(|(tsval, _)| tsval);
        let opening = matches!(self.state, State::SynSent | State::SynReceived);
        let answers = !segment.has(Flags::SYN) || segment.has(Flags::ACK);
        let echo = segment.options.timestamps().map(|(_, tsecr)| tsecr);
        let waits = matches!(self.state, State::Listen | State::SynSent);
        if self.plants(Plant::RefusesSynEcho) && waits && !answers {
            return echo.is_some_and(|tsecr| tsecr != TsVal(0));
        }
        let checks = self.plants(Plant::ChecksHandshakeEcho) && opening && answers;
        checks && self.is_foreign_echo(segment)
    }

    /// What the SYNs agree on.
    pub(crate) fn planted_negotiation(&mut self, syn: &Segment) {
        let shift = syn.options.window_scale();
        match self.config.plant {
            Some(Plant::SizeUnheeded) => self.snd.mss = self.snd.mss.max(DEFAULT_MSS),
            Some(Plant::EthernetAssumed) if syn.options.maximum_segment_size().is_none() => {
                self.snd.mss = 1_460;
            }
            _ => {}
        }
        self.planted.huge_shift = self.scaling && shift.is_some_and(|shift| shift > 14);
        if let (Some(shift), true) = (shift, self.plants(Plant::ShiftsUnasked)) {
            self.snd.scale = WindowScale::announced(shift);
        }
    }

    /// A cookie has come back; none has room for a segment size below `smallest`.
    pub(crate) fn planted_recollection(&mut self, smallest: u32) {
        match self.config.plant {
            Some(Plant::CookieRoundsUp) => self.snd.mss = self.snd.mss.max(smallest),
            Some(Plant::CookieForgetsWindow) if self.rcv.wnd() > self.rcv.mss => {
                self.rcv.edge = self.rcv.edge - self.rcv.mss / 2;
            }
            _ => {}
        }
    }

    /// Whether a segment that is still fit is refused.
    pub(crate) fn planted_refusal(&self, segment: &Segment) -> bool {
        let (nxt, edge) = (self.rcv.nxt, self.rcv.edge);
        let text = segment.payload.len();
        let synchronized = self.state.is_synchronized() && !segment.has(Flags::RST);
        synchronized
            && match self.config.plant {
                Some(Plant::RefusesUnaskedStamps) => {
                    !self.ts.in_use && segment.options.timestamps().is_some()
                }
                Some(Plant::PartlyOldRefused) => {
                    segment.seq.before(nxt) && segment.end().after(nxt)
                }
                Some(Plant::OldAckRefused) => segment.ack.before(self.snd.una),
                Some(Plant::SwallowsThrees) => {
                    segment.seq == nxt && text > 0 && text.is_multiple_of(3)
                }
                Some(Plant::SwallowsTheLast) => {
                    segment.seq == nxt && text > 0 && segment.end() == edge
                }
                _ => false,
            }
    }

    /// The edge up to which a segment is taken.
    pub(crate) fn planted_edge(&self, segment: &Segment) -> SeqNum {
        let (nxt, edge) = (self.rcv.nxt, self.rcv.edge);
        let (seq, end) = (segment.seq, segment.end());
        let open = edge.after(nxt);
        let straddles = open && seq.before(edge) && end.after(edge);
        let text = !segment.payload.is_empty();
        match self.config.plant {
            Some(Plant::StraddlersWhole) if straddles => end,
            Some(Plant::OneOctetPast) if straddles && text && end == edge + 1 => end,
            Some(Plant::StraddlersHeld) if straddles && seq.after(nxt) => end,
            Some(Plant::PrivateWindow) => edge.latest(nxt + self.rcv.buffer),
            Some(Plant::PastTheEdge) if open && text && seq.offset_from(edge) < 10_000 => end,
            Some(Plant::FinPastTheEdge) if open && segment.has(Flags::FIN) && end == edge + 1 => {
                end
            }
            Some(Plant::ZeroWindowTakes) if !open && text && end.after(nxt) => end,
            Some(Plant::ZeroWindowFin)
                if !open && !text && end == nxt + 1 && segment.has(Flags::FIN) =>
            {
                end
            }
            Some(Plant::LatestWindowOnly) => self.planted.shown,
            _ => edge,
        }
    }

    /// Whether the acknowledgment of a segment that is not acceptable counts.
    pub(crate) fn planted_counting(&self, segment: &Segment) -> bool {
        let (nxt, edge) = (self.rcv.nxt, self.rcv.edge);
        let plain = !segment.has(Flags::SYN) && !segment.has(Flags::RST);
        plain
            && match self.config.plant {
                Some(Plant::OldTextCounts) => {
                    let end = segment.end();
                    segment.seq.before(nxt)
                        && end.at_or_before(nxt)
                        && end.at_or_after(self.ts.last_ack_sent)
                }
                Some(Plant::EdgeInclusive) => edge.after(nxt) && segment.seq == edge,
                Some(Plant::BeyondCounts) => self.planted.saturated && segment.seq.after(edge),
                _ => false,
            }
    }

    /// Whether the acknowledgment of a segment counts that is too old.
    pub(crate) fn planted_sparing(&self, segment: &Segment) -> bool {
        let spares = self.plants(Plant::PawsSparesAck) && self.state.is_synchronized();
        spares && !segment.has(Flags::SYN)
    }

    /// Whether a segment that is refused draws no answer.
    pub(crate) fn planted_silence(&self, segment: &Segment) -> bool {
        let open = self.rcv.edge.after(self.rcv.nxt);
        let tsval = segment.options.timestamps().map(|(tsval, _)| tsval);
        match self.config.plant {
            Some(Plant::ProbeUnanswered) => !open,
            Some(Plant::DuplicateUnanswered) => open && segment.end().at_or_before(self.rcv.nxt),
            Some(Plant::BeyondUnanswered) => open && segment.seq.at_or_after(self.rcv.edge),
            Some(Plant::NeverChallengesSyns) => segment.has(Flags::SYN),
            Some(Plant::OldUnanswered) => {
                let old = |tsval: TsVal| tsval.age_against(self.ts.ts_recent) == Age::Older;
                open && self.ts.in_use && tsval.is_some_and(old)
            }
            _ => false,
        }
    }

    /// Whether a RST that is refused draws no answer.
    pub(crate) fn planted_reticence(&self) -> bool {
        match self.config.plant {
            Some(Plant::AnswersResets) => false,
            Some(Plant::OrphanAnswersResets) => !(self.deaf && self.state == State::FinWait2),
            _ => true,
        }
    }

    /// Whether what may be forged is dropped without a challenge.
    pub(crate) fn planted_shyness(&self, segment: &Segment) -> bool {
        let (reset, syn) = (segment.has(Flags::RST), segment.has(Flags::SYN));
        match self.config.plant {
            Some(Plant::NeverChallengesResets) => reset,
            Some(Plant::NeverChallengesSyns) => syn,
            Some(Plant::NeverChallengesAcks) => !reset && !syn,
            _ => false,
        }
    }

    /// Whether a SYN draws no answer.
    pub(crate) fn planted_overlooked_syn(&self, syn: &Segment) -> bool {
        self.plants(Plant::IgnoresPlainSyn) && syn.options.maximum_segment_size().is_none()
    }

    /// What becomes of a RST: `Some(true)` if it ends the connection, `Some(false)` if it is ignored.
    pub(crate) fn planted_reset(&self, segment: &Segment) -> Option<bool> {
        let late = self.state == State::TimeWait || self.deaf && self.state == State::FinWait2;
        let synchronized = self.state.is_synchronized();
        let tsval = segment.options.timestamps().map(|(tsval, _)| tsval);
        let old = self.ts.in_use
            && tsval.is_some_and(|tsval| tsval.age_against(self.ts.ts_recent) == Age::Older);
        match self.config.plant? {
            Plant::PawsOnReset if old && synchronized && !late => Some(false),
            Plant::PawsOnLateReset if old && late => Some(false),
            Plant::ResetAnywhere => Some(true),
            Plant::IgnoresReset if synchronized => Some(false),
            Plant::DeafAtZero if synchronized && self.rcv.wnd() == 0 => Some(false),
            Plant::NoTextInResets if synchronized && !segment.payload.is_empty() => Some(false),
            Plant::ResetAtSackEdge if self.rcv.text.ends_at(segment.seq) => Some(true),
            Plant::ResetAtFin if self.has_peer_fin() && segment.seq + 1 == self.rcv.nxt => {
                Some(true)
            }
            Plant::ResetAtEdge
                if self.state == State::SynReceived && segment.seq == self.rcv.edge =>
            {
                Some(true)
            }
            _ => None,
        }
    }

    /// Whether a segment resets the connection that it belongs to.
    pub(crate) fn planted_abort(&self, segment: &Segment) -> bool {
        match self.config.plant {
            Some(Plant::BareTextResets) => {
                self.state == State::Established
                    && !segment.has(Flags::ACK)
                    && !segment.has(Flags::RST)
            }
            Some(Plant::ForeignEchoResets) => {
                self.ts.in_use && self.state == State::Established && self.is_foreign_echo(segment)
            }
            Some(Plant::UnstampedResets) => {
                let lacks = self.ts.in_use && segment.options.timestamps().is_none();
                let plain = !segment.has(Flags::RST) && !segment.has(Flags::SYN);
                lacks && plain && self.state == State::Established
            }
            Some(Plant::PastFinResets) => {
                let past = segment.end().after(self.rcv.nxt) && !segment.has(Flags::RST);
                self.has_peer_fin() && past && !segment.has(Flags::SYN)
            }
            _ => false,
        }
    }

    /// Whether the acknowledgment field is not looked at.
    pub(crate) fn planted_blindness(&self, segment: &Segment) -> bool {
        let unsent = segment.ack.after(self.snd.nxt);
        match self.config.plant {
            Some(Plant::UnsentAckTaken) => unsent && self.state.is_synchronized(),
            Some(Plant::OrphanTakesAnyFin) => {
                let bare_fin = segment.has(Flags::FIN) && segment.payload.is_empty();
                let waits = self.deaf && self.state == State::FinWait2;
                unsent && waits && bare_fin && segment.seq == self.rcv.nxt
            }
            _ => false,
        }
    }

    /// Whether an acknowledgment that is none of the SYN completes the handshake.
    pub(crate) fn planted_completion(&self, ack: SeqNum) -> bool {
        self.plants(Plant::CompletedByNothing) && !self.listened && ack == self.snd.iss
    }

    /// What is taken before the RFC's own way of taking it. `true` if the segment is done with.
    pub(crate) fn planted_taking(&mut self, segment: &Segment) -> bool {
        let nxt = self.rcv.nxt;
        let (seq, text_end) = (segment.text_start(), segment.text_end());
        let beyond = seq.after(nxt) && !segment.payload.is_empty();
        let fills = seq.at_or_before(nxt) && text_end.after(nxt) && !self.rcv.text.is_whole();
        let established = self.state == State::Established;
        match self.config.plant {
            Some(Plant::ThroughTheHole) if established && beyond => {
                self.rcv.nxt = text_end;
                true
            }
            Some(Plant::FinTooEarly)
                if established && segment.has(Flags::FIN) && text_end.after(nxt) =>
            {
                self.rcv.nxt = segment.end();
                self.state = State::CloseWait;
                true
            }
            Some(Plant::TextPastFin)
                if self.has_peer_fin()
                    && !segment.has(Flags::FIN)
                    && seq.at_or_before(nxt)
                    && text_end.after(nxt) =>
            {
                self.rcv.nxt = text_end;
                true
            }
            Some(Plant::PieceByPiece) if fills && text_end.before(self.rcv.edge) => {
                self.rcv.nxt = text_end;
                self.emit_ack();
                self.rcv.nxt = nxt;
                false
            }
            Some(Plant::ForgetsHeld) if fills && text_end.at_or_before(self.rcv.edge) => {
                self.rcv.text.forget_held();
                self.rcv.fin = None;
                false
            }
            Some(Plant::LosesAnOctet) if fills => {
                self.rcv.text.lose_the_last();
                false
            }
            Some(Plant::DeliversTwice) if fills && seq == nxt => {
                self.rcv.text.deliver(&segment.payload);
                false
            }
            _ => false,
        }
    }

    /// Whether text that was taken is not acknowledged.
    pub(crate) fn planted_quiet(&self, taken: Taken) -> bool {
        match self.config.plant {
            Some(Plant::NeverAcksAlone) => taken != Taken::Held,
            Some(Plant::OutOfOrderUnanswered) => taken == Taken::Held,
            _ => false,
        }
    }

    /// Whether the FIN of a segment is overlooked.
    pub(crate) fn planted_oversight(&self, segment: &Segment) -> bool {
        self.plants(Plant::FinOverlooked) && segment.seq.before(self.rcv.nxt)
    }

    /// Text that came again, up to RCV.NXT.
    pub(crate) fn planted_copy(&mut self, segment: &Segment) {
        if self.plants(Plant::WrongCopy) && segment.text_end().at_or_before(self.rcv.nxt) {
            let back = self.rcv.nxt.offset_from(segment.text_start());
            self.rcv.text.replace(back, &segment.payload);
        }
    }

    /// Whether the user is told that the stream is at its end.
    pub(crate) fn planted_end(&self) -> bool {
        self.plants(Plant::EndTooEarly) && self.rcv.fin.is_some() && self.rcv.text.ready() == 0
    }

    /// Whether the other side's FIN and all before it were received.
    fn has_peer_fin(&self) -> bool {
        matches!(
            self.state,
            State::CloseWait | State::Closing | State::LastAck | State::TimeWait
        )
    }
}

impl Reassembly {
    /// Forgets what waits behind a hole.
    pub(super) fn forget_held(&mut self) {
        self.held.clear();
    }

    /// Loses the last octet that is ready.
    fn lose_the_last(&mut self) {
        self.ready.pop_back();
    }

    /// Makes octets ready once more than they came.
    fn deliver(&mut self, octets: &[u8]) {
        self.ready.extend(octets);
    }

    /// Replaces what is ready, from `back` octets before its end on.
    fn replace(&mut self, back: u32, octets: &[u8]) {
        let Some(start) = self.ready.len().checked_sub(back as usize) else {
            return;
        };
        for (ready, octet) in self.ready.range_mut(start..).zip(octets) {
            *ready = *octet;
        }
    }

    /// Whether something held ends there.
    fn ends_at(&self, seq: SeqNum) -> bool {
        let mut held = self.held.iter();
        held.any(|held| held.seq + held.octets.len() as u32 == seq)
    }
}
