//! What the wire has told so far about the stack: its numbers relative to the initial ones, and its largest edge.
//! RFC 9293 section 3.3.1 and RFC 7323 section 2.2, read from outside.

use ackward_model::timestamp::Age;
use ackward_model::{Flags, Segment, SeqNum, TsVal, WindowScale};

use crate::{AckBase, Echo, OptionSpec, SegmentSpec, SeqBase, TsBase};

/// What was seen. All sequence numbers are relative to the ISN of whoever counts them.
#[derive(Clone, Debug)]
pub(crate) struct View {
    isn: SeqNum,
    iss: Option<SeqNum>,
    emissions: Vec<Emission>,
    /// The stack's shift as announced in its SYN.
    announced: Option<u8>,
    /// The peer's SYN, as it reached the stack, offered to scale.
    peer_scales: bool,
    rcv_nxt: SeqNum,
    edge: SeqNum,
    snd_una: SeqNum,
    snd_nxt: SeqNum,
    newest: TsVal,
    recent: TsVal,
}

#[derive(Clone, Copy, Debug)]
struct Emission {
    tsval: Option<TsVal>,
    /// The peer has received it.
    heard: bool,
}

impl View {
    /// Nothing yet; the first TSval is going to be `tsval`.
    pub(crate) fn new(isn: SeqNum, tsval: TsVal) -> View {
        View {
            isn,
            iss: None,
            emissions: Vec::with_capacity(16),
            announced: None,
            peer_scales: false,
            rcv_nxt: isn,
            edge: isn + 1,
            snd_una: SeqNum(0),
            snd_nxt: SeqNum(0),
            newest: tsval,
            recent: tsval,
        }
    }

    /// The stack emitted `segment`.
    pub(crate) fn emitted(&mut self, segment: &Segment) {
        let stamps = segment.options.timestamps();
        self.emissions.push(Emission {
            tsval: stamps.map(|(tsval, _)| tsval),
            heard: false,
        });
        if segment.has(Flags::RST) {
            return;
        }
        if segment.has(Flags::SYN) {
            self.announced = segment.options.window_scale();
        }
        if self.iss.is_none() && segment.has(Flags::SYN) {
            self.iss = Some(segment.seq);
            self.snd_una = segment.seq;
            self.snd_nxt = segment.seq;
        }
        self.snd_nxt = self.snd_nxt.latest(segment.end());
        let acknowledged = if segment.has(Flags::ACK) {
            self.rcv_nxt = self.rcv_nxt.latest(segment.ack);
            self.recent = stamps.map_or(self.recent, |(_, tsecr)| tsecr);
            segment.ack
        } else {
            self.isn + 1
        };
        let window = if segment.has(Flags::SYN) {
            segment.window.unscaled()
        } else {
            segment.window.scaled(self.scale())
        };
        self.edge = self.edge.latest(acknowledged + window.0);
    }

    /// The peer received the stack's `k`-th emission.
    pub(crate) fn heard(&mut self, k: usize) {
        if let Some(emission) = self.emissions.get_mut(k) {
            emission.heard = true;
        }
    }

    /// `segment` goes into the stack.
    pub(crate) fn injected(&mut self, segment: &SegmentSpec) {
        if segment.flags.contains(Flags::SYN) {
            self.peer_scales = segment
                .options
                .iter()
                .any(|option| matches!(option, OptionSpec::WindowScale(_)));
        }
        let ack = self.iss.unwrap_or_default() + segment.ack;
        if segment.flags.contains(Flags::ACK) && ack.at_or_before(self.snd_nxt) {
            self.snd_una = self.snd_una.latest(ack);
        }
        if let Some(tsval) = segment.tsval().map(TsVal)
            && tsval.age_against(self.newest) == Age::Newer
        {
            self.newest = tsval;
        }
    }

    /// The stack's ISS, 0 until it is known.
    pub(crate) fn iss(&self) -> SeqNum {
        self.iss.unwrap_or_default()
    }

    /// The number of the stack's emissions.
    pub(crate) fn emissions(&self) -> usize {
        self.emissions.len()
    }

    /// How to say `tsecr` so that it means the same in another run.
    pub(crate) fn echo(&self, tsecr: TsVal) -> Echo {
        let place = self
            .emissions
            .iter()
            .rposition(|emission| emission.heard && emission.tsval == Some(tsecr));
        match place {
            Some(k) => Echo::Emission(k as u32),
            None => Echo::Value(tsecr.0),
        }
    }

    pub(crate) fn seq(&self, base: SeqBase) -> u32 {
        match base {
            SeqBase::RcvNxt => self.rcv_nxt.offset_from(self.isn),
            SeqBase::Edge => self.edge.offset_from(self.isn),
            SeqBase::Irs => 0,
        }
    }

    pub(crate) fn ack(&self, base: AckBase) -> u32 {
        match base {
            AckBase::SndUna => self.snd_una.offset_from(self.iss()),
            AckBase::SndNxt => self.snd_nxt.offset_from(self.iss()),
        }
    }

    pub(crate) fn tsval(&self, base: TsBase) -> u32 {
        match base {
            TsBase::Newest => self.newest.0,
            TsBase::Recent => self.recent.0,
        }
    }

    fn scale(&self) -> WindowScale {
        match self.announced {
            Some(shift) if self.peer_scales => WindowScale::announced(shift),
            _ => WindowScale::NONE,
        }
    }
}
