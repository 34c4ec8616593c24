//! What a case has shown so far, as far as the driver needs it: to resolve relative numbers, and to make the reveal.
//! RFC 7323 section 5.3 (why the reveal is answered), RFC 9293 section 3.10.7.4.

use ackward_model::{Flags, Options, Segment, SeqNum, TcpOption, TsVal, WindowField, payload};
use ackward_scenario::step::Live;

/// The live values of one connection.
#[derive(Debug)]
pub(crate) struct Seen {
    isn: SeqNum,
    iss: Option<SeqNum>,
    /// TSval of each emission, or of the last one before it that had one.
    tsvals: Vec<TsVal>,
    /// The last acknowledgment number emitted.
    last_ack: Option<SeqNum>,
    /// The last TSecr emitted.
    last_echo: TsVal,
    /// The end of the sequence space that the stack has used.
    snd_nxt: SeqNum,
    /// The window field injected last.
    window: WindowField,
    /// Whether the peer's SYN, and whether the stack's, carried timestamps.
    timestamps: (bool, bool),
    reset: bool,
}

impl Seen {
    /// Nothing yet but the peer's ISN.
    pub(crate) fn new(isn: SeqNum) -> Seen {
        Seen {
            isn,
            iss: None,
            tsvals: Vec::with_capacity(64),
            last_ack: None,
            last_echo: TsVal(0),
            snd_nxt: SeqNum(0),
            window: WindowField(0),
            timestamps: (false, false),
            reset: false,
        }
    }

    /// Takes note of an injected segment.
    pub(crate) fn injected(&mut self, segment: &Segment) {
        self.window = segment.window;
        if segment.has(Flags::SYN) && segment.seq == self.isn {
            self.timestamps.0 = segment.options.timestamps().is_some();
        }
    }

    /// Takes note of an emission.
    pub(crate) fn emitted(&mut self, segment: &Segment) {
        let stamps = segment.options.timestamps();
        let tsval = stamps.map(|(tsval, _)| tsval);
        let before = self.tsvals.last().copied().unwrap_or_default();
        self.tsvals.push(tsval.unwrap_or(before));
        if segment.has(Flags::RST) {
            self.reset = true;
            return;
        }
        if segment.has(Flags::SYN) {
            self.iss = Some(segment.seq);
            self.snd_nxt = segment.end();
            self.timestamps.1 = stamps.is_some();
        }
        self.snd_nxt = self.snd_nxt.latest(segment.end());
        if segment.has(Flags::ACK) {
            self.last_ack = Some(segment.ack);
            self.last_echo = stamps.map_or(self.last_echo, |(_, tsecr)| tsecr);
        }
    }

    /// An octet just before what the stack expects, too old by its timestamp where there are any. It draws an
    /// immediate ACK that is never rate-limited and shows RCV.NXT, TS.Recent, SACK and window. `None` when the stack
    /// has not taken the peer's SYN, or has reset the connection.
    pub(crate) fn reveal(&self) -> Option<Segment> {
        let expected = self.last_ack.filter(|_| !self.reset)?;
        let seq = expected - 1;
        let options = match self.timestamps {
            (true, true) => vec![
                TcpOption::NoOperation,
                TcpOption::NoOperation,
                TcpOption::Timestamps {
                    tsval: self.last_echo - PAWS_OLD,
                    tsecr: self.tsvals.last().copied().unwrap_or_default(),
                },
            ],
            _ => Vec::new(),
        };
        Some(Segment {
            carrier: ackward_model::Carrier::default(),
            damaged: false,
            seq,
            ack: self.snd_nxt,
            flags: Flags::ACK,
            window: self.window,
            urgent: 0,
            options: Options(options),
            payload: payload::peer_text(seq.offset_from(self.isn).wrapping_sub(1), 1, 0),
        })
    }
}

/// How much older than TS.Recent the reveal is, in ticks.
const PAWS_OLD: u32 = 0x2000_0000;

impl Live for Seen {
    fn isn(&self) -> SeqNum {
        self.isn
    }

    fn iss(&self) -> SeqNum {
        self.iss.unwrap_or_default()
    }

    fn tsval_of_emission(&self, k: u32) -> TsVal {
        let place = self.tsvals.get(k as usize).or(self.tsvals.last());
        place.copied().unwrap_or_default()
    }
}
