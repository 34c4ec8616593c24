//! Planted answers to the questions about what goes out: how far, with which window, which shift.
//! RFC 9293 section 3.8, RFC 7323 section 2.

use ackward_model::{Flags, Segment, SeqNum, WindowField, WindowScale};

use super::Plant;
use crate::{Endpoint, Outline, State};

impl Endpoint {
    /// The send window after a segment whose acknowledgment counts. `true` if the RFC's own rule is not asked.
    pub(crate) fn planted_window(&mut self, segment: &Segment) -> bool {
        let Some(plant) = self.config.plant else {
            return false;
        };
        let snd = &mut self.snd;
        let offered = segment.window.scaled(snd.scale).0;
        let same = segment.seq == snd.wl1 && segment.ack == snd.wl2;
        let expected = segment.seq == self.rcv.nxt && segment.ack == snd.wl2;
        let newer = !segment.seq.before(snd.wl1);
        self.planted.misread = match plant {
            Plant::SignedWindow => segment.window.0 > i16::MAX as u16 && newer,
            Plant::ShortWindow => offered > u32::from(u16::MAX) && newer,
            _ => false,
        };
        match plant {
            Plant::OlderSets => snd.take_window(segment, snd.scale),
            Plant::LargestWins if segment.seq.before(snd.wl1) && offered > snd.wnd => {
                snd.take_window(segment, snd.scale);
            }
            Plant::OnlyGrows if same && offered != 0 && offered < snd.wnd => {}
            Plant::LessThanAStep
                if expected
                    && offered < snd.wnd
                    && snd.wnd >> snd.scale.bits() == u32::from(segment.window.0) =>
            {
                snd.wl1 = segment.seq;
            }
            Plant::MovesWl1Back if expected && offered == snd.wnd => snd.wl1 = segment.seq,
            Plant::SignedWindow if self.planted.misread => {
                snd.take_window(segment, snd.scale);
                snd.wnd = 0;
            }
            Plant::ShortWindow if self.planted.misread => {
                snd.take_window(segment, snd.scale);
                snd.wnd &= u32::from(u16::MAX);
            }
            Plant::NegativeIsHuge if snd.nxt.offset_from(segment.ack) > offered => {
                snd.wnd = 1 << 30;
            }
            Plant::LateShift => {
                let Some(shift) = segment.options.window_scale() else {
                    return false;
                };
                snd.wnd = segment.window.scaled(WindowScale::announced(shift)).0;
            }
            Plant::HugeShiftUsed if self.planted.huge_shift => {
                snd.wnd = u32::from(segment.window.0) << 15;
                snd.max_wnd = snd.max_wnd.max(snd.wnd);
            }
            _ => return false,
        }
        true
    }

    /// The window field that goes out.
    pub(crate) fn planted_field(&self, field: WindowField) -> WindowField {
        let late = self.state == State::TimeWait || self.deaf && self.state == State::FinWait2;
        match self.config.plant {
            Some(Plant::WindowUnshifted) if self.scaling => {
                WindowField(self.rcv.wnd().min(u32::from(u16::MAX)) as u16)
            }
            Some(Plant::ShutsAtGap) if !self.rcv.text.is_whole() => WindowField(0),
            Some(Plant::TimeWaitTruncates) if late && !self.scaling => {
                WindowField(self.rcv.buffer as u16)
            }
            Some(Plant::EdgeRetracts) => {
                let free = self.rcv.buffer.saturating_sub(2 * self.rcv.text.ready());
                let units = free.div_ceil(self.rcv.scale.granularity());
                WindowField(units.min(u32::from(field.0)) as u16)
            }
            _ => field,
        }
    }

    /// The shift that a SYN announces.
    pub(crate) fn planted_shift(&mut self, shift: Option<u8>, answers: bool) -> Option<u8> {
        let own = self.config.offer.window_scale;
        match self.config.plant {
            Some(Plant::OffersUnasked) if answers && self.listened => own,
            Some(Plant::CrossingKeepsOptions) if answers && !self.listened => own,
            Some(Plant::ShiftChanges) if self.planted.syns > 0 => {
                let less = shift.map(|shift| shift.saturating_sub(1));
                self.config.offer.window_scale = less;
                if let (Some(less), true) = (less, self.scaling) {
                    self.rcv.scale = WindowScale::announced(less);
                }
                less
            }
            _ => shift,
        }
    }

    /// Whether the FIN goes out now although it should not.
    pub(crate) fn planted_fin(&self) -> bool {
        let due = self.snd.nxt.before(self.snd.text_end() + 1);
        match self.config.plant {
            Some(Plant::FinBeforeOwnText) => self.snd.shut && due,
            Some(Plant::FinUnasked) => !self.snd.shut && self.state == State::CloseWait && due,
            _ => false,
        }
    }

    /// What goes out, but for its window and SACK blocks. `again`: it acknowledges nothing new and carries nothing.
    pub(crate) fn planted_outline(&mut self, mut outline: Outline) -> Outline {
        let established = self.state.is_synchronized();
        let bare = outline.len == 0 && outline.flags == Flags::ACK;
        let again = bare && outline.ack == self.ts.last_ack_sent;
        outline.timestamps = self.planted_stamps(outline.timestamps, outline.flags, (bare, again));
        match self.config.plant {
            Some(Plant::UnstampedText) if outline.len > 0 => outline.timestamps = None,
            Some(Plant::AckDecreases) if again && established && self.rcv.scale.bits() > 0 => {
                outline.ack = outline.ack - 1
            }
            Some(Plant::EcnIgnored) => outline.flags = outline.flags.without(Flags::ECE),
            Some(Plant::EcnReflected) if self.ecn && outline.flags.contains(Flags::SYN) => {
                outline.flags = outline.flags | Flags::CWR;
            }
            Some(Plant::EcnUnasked) if outline.flags.contains(Flags::SYN | Flags::ACK) => {
                outline.flags = outline.flags | Flags::ECE;
            }
            Some(Plant::EcnEchoes) if self.ecn && bare && established => {
                outline.flags = outline.flags | Flags::ECE;
            }
            Some(Plant::UrgentPointerStays)
                if outline.urgent > 0 && outline.seq.before(self.planted.furthest) =>
            {
                outline.urgent += outline.seq.offset_from(self.snd.una) as u16;
            }
            Some(Plant::AckPastFin) if self.rcv.is_past_fin() => outline.ack += 1,
            Some(Plant::ResendsTheWrong) if outline.seq.before(self.planted.furthest) => {
                outline.offset += 1
            }
            _ => {}
        }
        if outline.flags.contains(Flags::SYN) {
            self.planted.syns += 1;
            self.planted.furthest = outline.seq + 1;
        }
        let end = outline.seq + u32::from(outline.len);
        self.planted.furthest = self.planted.furthest.latest(end);
        outline
    }

    /// Takes note of what goes out.
    pub(crate) fn planted_note(&mut self, outline: &Outline) {
        self.planted.saturated |= outline.window.0 == u16::MAX;
        self.planted.reported = !outline.sack.as_slice().is_empty();
        let scale = if outline.flags.contains(Flags::SYN) {
            WindowScale::NONE
        } else {
            self.rcv.scale
        };
        self.planted.shown = outline.ack + outline.window.scaled(scale).0;
    }

    /// What is sent where there is no connection, in place of a reset. `true` if the RFC's own rule is not asked.
    pub(crate) fn planted_refuse(&mut self, segment: &Segment) -> bool {
        match self.config.plant {
            Some(Plant::AcksWhenClosed) => {
                let outline = self.outline(segment.ack, Flags::ACK, false);
                self.emissions.push_back(outline);
            }
            Some(Plant::ResetsAtZero) if segment.has(Flags::ACK) => {
                self.emit_reset(SeqNum(0), None);
            }
            Some(Plant::SilentWhenClosed) => {}
            _ => return false,
        }
        true
    }

    /// The initial sequence number of the next attempt.
    pub(crate) fn planted_iss(&self, later: SeqNum) -> SeqNum {
        if self.plants(Plant::IssStands) {
            self.snd.iss
        } else {
            later
        }
    }

    /// Whether a close resets the connection.
    pub(crate) fn planted_harshness(&self) -> Option<bool> {
        match self.config.plant {
            Some(Plant::CloseResets) => Some(true),
            Some(Plant::CloseNeverResets) => Some(false),
            _ => None,
        }
    }

    /// Whether what may go out has to wait for the timer.
    pub(crate) fn planted_patience(&self) -> bool {
        self.plants(Plant::HoldsBack) && self.snd.una == self.snd.nxt
    }

    /// Whether the timer expires in vain.
    pub(crate) fn planted_sloth(&self) -> bool {
        let in_flight = self.snd.una != self.snd.nxt;
        match self.config.plant {
            Some(Plant::NeverSendsAgain) => true,
            Some(Plant::ForgetsSacked) => in_flight && self.is_sacked(),
            Some(Plant::ShrunkForgets) => {
                self.snd.wnd > 0 && self.snd.nxt.after(self.snd.una + self.snd.wnd)
            }
            Some(Plant::NeverProbes) => self.snd.wnd == 0 && !in_flight,
            Some(Plant::SignedWindow | Plant::ShortWindow) => {
                self.planted.misread && self.snd.wnd == 0 && !in_flight
            }
            _ => false,
        }
    }
}
