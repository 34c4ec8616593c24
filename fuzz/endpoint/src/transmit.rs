//! What goes out: new text, the FIN, retransmissions, probes, acknowledgments and resets.
//! RFC 9293 sections 3.8 and 3.10.8, RFC 7323 section 3.2, RFC 2018 section 4.

use ackward_model::{Flags, SackBlocks, SeqNum, TsVal, WindowField};

use crate::{Endpoint, Offer, Outline, Plant, State, Text};

const TIMESTAMPS_LEN: u32 = 12;

impl Endpoint {
    /// Sends again the oldest segment that is not acknowledged. If there is none, sends what it was better to hold
    /// back until now, or probes a shut window with the next octet.
    pub fn retransmit(&mut self) {
        if self.planted_sloth() {
            return;
        }
        self.stop_timing();
        match self.state {
            State::SynSent | State::SynReceived => self.emit_syn(),
            state if state.sends() && self.snd.una != self.snd.nxt => {
                self.snd.retransmissions += 1;
                self.snd.collapse();
                let outstanding = self.snd.nxt.offset_from(self.snd.una);
                self.emit_text(self.snd.una, outstanding.min(self.largest_text()));
                if let Some(past) = self.planted_past() {
                    self.emit_text(
                        past,
                        self.snd.nxt.offset_from(past).min(self.largest_text()),
                    );
                }
            }
            state if state.sends() && self.has_more_to_send() => {
                let seq = self.snd.nxt;
                let len = self.snd.usable().clamp(1, self.largest_text());
                let text = len.min(self.snd.unsent());
                let fin = self.snd.shut && seq + text == self.snd.text_end() && text < len;
                self.snd.nxt += text + u32::from(fin);
                self.emit_text(seq, text);
            }
            _ => {}
        }
    }

    /// Sends all the text and the FIN that may go now.
    pub(crate) fn transmit(&mut self) {
        if !self.state.sends() {
            return;
        }
        while !self.planted_patience() {
            let len = self
                .planted_text()
                .unwrap_or_else(|| self.snd.next_text(self.largest_text(), self.config.nagle));
            let fin = self.snd.shut
                && self.snd.nxt + len == self.snd.text_end()
                && (self.snd.usable() > len || self.plants(Plant::FinFillsWindow))
                && (len == 0 || !self.config.choices.lone_fin);
            if len == 0 && !fin {
                break;
            }
            let seq = self.snd.nxt;
            self.snd.nxt += len + u32::from(fin);
            self.time(self.snd.nxt);
            self.emit_text(seq, len);
        }
        if self.planted_probe() {
            self.emit_text(self.snd.nxt - 1, 1);
        }
        if self.planted_fin() {
            let outline = self.outline(self.snd.nxt, Flags::FIN | Flags::ACK, self.ts.in_use);
            self.snd.nxt = self.snd.text_end() + 1;
            self.emit(outline);
        }
        if self.snd.timer.is_none() {
            self.start_timer();
        }
    }

    /// Whether text or the FIN waits for the window.
    pub(crate) fn has_more_to_send(&self) -> bool {
        self.snd.unsent() > 0 || self.snd.fin_is_next()
    }

    /// Sends the SYN, or the SYN,ACK.
    pub(crate) fn emit_syn(&mut self) {
        let answers = self.state == State::SynReceived;
        let Offer {
            mss,
            window_scale,
            timestamps,
            sack,
            ecn,
        } = self.config.offer;
        let offer = Offer {
            mss,
            window_scale: self
                .planted_shift(window_scale.filter(|_| !answers || self.scaling), answers),
            timestamps: if answers { self.ts.in_use } else { timestamps },
            sack: if answers { self.sack } else { sack },
            ecn,
        };
        let flags = match (answers, self.ecn) {
            (true, true) => Flags::SYN | Flags::ACK | Flags::ECE,
            (true, false) => Flags::SYN | Flags::ACK,
            (false, _) if ecn => Flags::SYN | Flags::ECE | Flags::CWR,
            (false, _) => Flags::SYN,
        };
        let outline = self.outline(self.snd.iss, flags, offer.timestamps);
        self.emit(Outline {
            offer: Some(offer),
            window: if answers {
                // What the first one promised, whatever became of the buffer since.
                WindowField(self.rcv.wnd().min(u32::from(u16::MAX)) as u16)
            } else {
                self.rcv.syn_window()
            },
            ..outline
        });
    }

    /// Sends an acknowledgment without text.
    pub(crate) fn emit_ack(&mut self) {
        let outline = self.outline(self.snd.nxt, Flags::ACK, self.ts.in_use);
        self.emit(outline);
    }

    /// Sends a reset for a segment that belongs to no connection, or acknowledges nonsense.
    pub(crate) fn emit_reset(&mut self, seq: SeqNum, ack: Option<SeqNum>) {
        let flags = ack.map_or(Flags::RST, |_| Flags::RST | Flags::ACK);
        let stands = self.state.is_synchronized() && !self.plants(Plant::BareAnswers);
        let outline = self.outline(seq, flags, stands && self.ts.in_use);
        self.emissions.push_back(Outline {
            ack: ack.unwrap_or_default(),
            ..outline
        });
    }

    /// Sends the reset that ends this connection from our side.
    pub(crate) fn emit_abort(&mut self) {
        let stamped = self.ts.in_use && !self.plants(Plant::BareAborts);
        let outline = self.outline(self.snd.nxt, Flags::RST | Flags::ACK, stamped);
        self.emissions.push_back(outline);
    }

    /// Sends `len` octets from `seq` on, and the FIN if it follows them and has its turn.
    fn emit_text(&mut self, seq: SeqNum, len: u32) {
        let text_end = self.snd.text_end();
        let len = len.min(text_end.offset_from(seq));
        let reaches_end = seq + len == text_end;
        let fin = self.snd.shut && reaches_end && self.snd.nxt == text_end + 1;
        let mut flags = Flags::ACK;
        if len > 0 && reaches_end && !self.plants(Plant::NeverPushes) {
            flags = flags | Flags::PSH;
        }
        if fin {
            flags = flags | Flags::FIN;
        }
        let urgent = self
            .urgent_pointer(seq)
            .filter(|ahead| u32::from(*ahead) <= len || !self.plants(Plant::UrgentAtItsEnd));
        if urgent.is_some() {
            flags = flags | Flags::URG;
        }
        let outline = self.outline(seq, flags, self.ts.in_use);
        self.emit(Outline {
            urgent: urgent.unwrap_or(0),
            len: len as u16,
            offset: seq.offset_from(self.snd.iss + 1),
            copy: match self.config.text {
                Text::Peer => self.snd.retransmissions as u8,
                Text::Stack => 0,
            },
            ..outline
        });
    }

    /// Text that fits beside the options of a segment.
    pub(crate) fn largest_text(&self) -> u32 {
        if self.plants(Plant::ForgetsOptions) {
            return self.snd.mss;
        }
        let timestamps = if self.ts.in_use { TIMESTAMPS_LEN } else { 0 };
        let sack = match self.sack_blocks().as_slice().len() as u32 {
            0 => 0,
            blocks => 4 + 8 * blocks,
        };
        let largest = self.snd.mss.saturating_sub(timestamps + sack);
        self.planted_size(largest).max(1)
    }

    fn sack_blocks(&self) -> SackBlocks {
        if !self.sack {
            return self.planted_blocks(SackBlocks::default());
        }
        let most = if self.ts.in_use { 3 } else { 4 };
        let held = self.rcv.text.blocks(most);
        let blocks = self.duplicate.iter().chain(held.as_slice());
        self.planted_blocks(SackBlocks::new(blocks.copied().take(most)))
    }

    /// A segment without text, window and acknowledgment still to be filled in by `emit`.
    pub(crate) fn outline(&mut self, seq: SeqNum, flags: Flags, stamped: bool) -> Outline {
        let acknowledges = flags.contains(Flags::ACK);
        let tsecr = if acknowledges {
            self.ts.ts_recent
        } else {
            TsVal(0)
        };
        Outline {
            seq,
            ack: if acknowledges {
                self.rcv.nxt
            } else {
                SeqNum(0)
            },
            flags,
            window: WindowField(0),
            urgent: 0,
            offer: None,
            timestamps: stamped.then(|| (self.clock.stamp(self.now), tsecr)),
            sack: SackBlocks::default(),
            len: 0,
            offset: 0,
            copy: 0,
            text: self.config.text,
        }
    }

    /// Sends `outline` with the window and the SACK blocks of this moment; what it acknowledges is no longer owed.
    pub(crate) fn emit(&mut self, mut outline: Outline) {
        outline = self.planted_outline(outline);
        if outline.flags.contains(Flags::ACK) {
            self.ts.last_ack_sent = outline.ack;
            self.acks.paid();
        }
        if !outline.flags.contains(Flags::SYN) {
            // A SYN,ACK may have to go out again, and can not say more than its first.
            let may_open = self.state != State::SynReceived;
            let field = self.rcv.advertise(may_open);
            outline.window = self.planted_field(field);
            outline.sack = self.sack_blocks();
            self.duplicate = self.planted_duplicate();
        }
        self.planted_note(&outline);
        self.note_flight(false);
        self.emissions.push_back(outline);
    }
}
