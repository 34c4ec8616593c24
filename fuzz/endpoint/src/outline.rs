//! A segment without its octets: enough to make it, cheap enough to be copied while it waits in a network.
//! RFC 9293 section 3.1, RFC 7323 sections 2.2 and 3.2, RFC 2018 section 2.

use ackward_model::payload::{self, Copy as TextCopy};
use ackward_model::{
    Carrier, Flags, Options, SackBlocks, Segment, SeqNum, TcpOption, TsVal, WindowField,
};

use crate::{Offer, Text};

/// What an endpoint sends, with its text named instead of held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outline {
    /// SEG.SEQ.
    pub seq: SeqNum,
    /// SEG.ACK.
    pub ack: SeqNum,
    /// Control bits.
    pub flags: Flags,
    /// SEG.WND as on the wire.
    pub window: WindowField,
    /// SEG.UP.
    pub urgent: u16,
    /// What a SYN offers; its timestamps are in `timestamps`.
    pub offer: Option<Offer>,
    /// TSval and TSecr.
    pub timestamps: Option<(TsVal, TsVal)>,
    /// SACK blocks; none, no option.
    pub sack: SackBlocks,
    /// Octets of text.
    pub len: u16,
    /// Where in the stream the text begins.
    pub offset: u32,
    /// Which copy of the text it is.
    pub copy: TextCopy,
    /// Whose text it is.
    pub text: Text,
}

impl Outline {
    /// The segment itself.
    pub fn segment(&self) -> Segment {
        let mut options = Options::none();
        self.each_option(|option| options.0.push(option));
        Segment {
            seq: self.seq,
            ack: self.ack,
            flags: self.flags,
            window: self.window,
            urgent: self.urgent,
            options,
            damaged: false,
            carrier: Carrier::default(),
            payload: match self.text {
                Text::Peer => payload::peer_text(self.offset, u32::from(self.len), self.copy),
                Text::Stack => payload::stack_text(self.offset, u32::from(self.len)),
            },
        }
    }

    /// The options in wire order, aligned to four octets by no-operations in front.
    pub fn each_option(&self, mut put: impl FnMut(TcpOption)) {
        let sack_permitted = self.offer.is_some_and(|offer| offer.sack);
        if let Some(mss) = self.offer.and_then(|offer| offer.mss) {
            put(TcpOption::MaximumSegmentSize(mss));
        }
        if sack_permitted {
            if self.timestamps.is_none() {
                pad(2, &mut put);
            }
            put(TcpOption::SackPermitted);
        }
        if let Some((tsval, tsecr)) = self.timestamps {
            if !sack_permitted {
                pad(2, &mut put);
            }
            put(TcpOption::Timestamps { tsval, tsecr });
        }
        if let Some(shift) = self.offer.and_then(|offer| offer.window_scale) {
            pad(1, &mut put);
            put(TcpOption::WindowScale(shift));
        }
        if !self.sack.as_slice().is_empty() {
            pad(2, &mut put);
            put(TcpOption::Sack(self.sack));
        }
    }
}

fn pad(octets: usize, put: &mut impl FnMut(TcpOption)) {
    for _ in 0..octets {
        put(TcpOption::NoOperation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ackward_model::SackBlock;

    #[test]
    fn every_mix_of_options_is_aligned() {
        for mix in 0..64_u8 {
            let bit = |n: u8| mix & 1 << n != 0;
            let outline = Outline {
                seq: SeqNum(1),
                ack: SeqNum(2),
                flags: Flags::ACK,
                window: WindowField(3),
                urgent: 0,
                offer: bit(0).then_some(Offer {
                    mss: bit(1).then_some(1460),
                    window_scale: bit(2).then_some(7),
                    timestamps: bit(4),
                    sack: bit(3),
                    ecn: false,
                }),
                timestamps: bit(4).then_some((TsVal(1), TsVal(2))),
                sack: SackBlocks::new(bit(5).then(SackBlock::default)),
                len: 0,
                offset: 0,
                copy: 0,
                text: Text::Peer,
            };
            let options = outline.segment().options;
            let len: usize = options.0.iter().map(TcpOption::wire_len).sum();
            assert_eq!(len % 4, 0, "{options:?}");
        }
    }
}
