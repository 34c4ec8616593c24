//! What a script has made known of its connection, line by line, for the lines that are added at its end.
//! RFC 9293 section 3.3.1 in script numbers; RFC 2018 section 4 and RFC 2883 for the blocks.

use ackward_model::{Flags, TsVal};

use crate::ast::{Packet, PacketOption, PacketOptions};

/// The connection after the last line so far.
#[derive(Debug, Default)]
pub(super) struct View {
    /// RCV.NXT as the stack showed it last, relative.
    pub(super) rcv_nxt: u32,
    /// What the stack holds beyond it, newest first.
    pub(super) held: Vec<(u32, u32)>,
    /// SND.NXT, relative.
    pub(super) snd_nxt: u32,
    /// SND.UNA, relative.
    pub(super) snd_una: u32,
    /// The peer's last window field.
    pub(super) window: u16,
    /// The TSecr that the stack showed last, as the script expects it.
    pub(super) echoed: Option<TsVal>,
    /// The oldest TSval of the peer.
    pub(super) oldest: Option<TsVal>,
    /// Somebody sent a RST.
    pub(super) reset: bool,
    /// The application closed.
    pub(super) closed: bool,
    peer: Offer,
    stack: Offer,
    fin: Option<u32>,
}

/// What a SYN offered.
#[derive(Clone, Copy, Debug, Default)]
struct Offer {
    syn: bool,
    sack: bool,
    timestamps: bool,
}

impl View {
    /// Takes note of an injected segment.
    pub(super) fn injected(&mut self, packet: &Packet) {
        let syn = packet.flags.contains(Flags::SYN);
        if syn && !self.peer.syn {
            self.peer = Offer::of(packet);
        }
        if !syn || self.window == 0 {
            self.window = packet.window.unwrap_or(0);
        }
        if packet.flags.contains(Flags::FIN) {
            // On a segment with SYN the number is verbatim; the text begins behind the SYN.
            let start = if syn { 1 } else { packet.seq };
            self.fin = Some(start.wrapping_add(u32::from(packet.len)));
        }
        self.reset |= packet.flags.contains(Flags::RST);
        if let Some(ack) = packet.ack
            && ack <= self.snd_nxt
        {
            self.snd_una = self.snd_una.max(ack);
        }
        if let Some((tsval, _)) = timestamps(packet) {
            let newer = |oldest: &TsVal| tsval.distance_from(*oldest) >= 0;
            self.oldest = self.oldest.filter(newer).or(Some(tsval));
        }
    }

    /// Takes note of an expected segment.
    pub(super) fn expected(&mut self, packet: &Packet) {
        let syn = packet.flags.contains(Flags::SYN);
        if syn {
            self.stack = Offer::of(packet);
        }
        self.reset |= packet.flags.contains(Flags::RST);
        let controls = u32::from(syn) + u32::from(packet.flags.contains(Flags::FIN));
        let end = packet.seq.wrapping_add(u32::from(packet.len) + controls);
        self.snd_nxt = self.snd_nxt.max(end);
        if let Some(ack) = packet.ack {
            // On a segment with SYN the number is verbatim; it acknowledges the peer's SYN.
            self.rcv_nxt = if syn { 1 } else { ack };
            self.echoed = timestamps(packet).map(|(_, tsecr)| tsecr);
            self.held = standing(sack(packet), self.rcv_nxt);
        }
    }

    /// Both sides offered timestamps.
    pub(super) fn timestamps(&self) -> bool {
        self.peer.timestamps && self.stack.timestamps
    }

    /// Both sides offered SACK.
    pub(super) fn sack(&self) -> bool {
        self.peer.sack && self.stack.sack
    }

    /// The connection is past its handshake and has not been reset.
    pub(super) fn stands(&self) -> bool {
        self.peer.syn && self.stack.syn && self.snd_una >= 1 && !self.reset
    }

    /// The stack has taken the peer's FIN.
    pub(super) fn peer_finished(&self) -> bool {
        self.fin.is_some_and(|fin| self.rcv_nxt > fin)
    }

    /// Takes in-order text up to `end`, and with it what it joins.
    pub(super) fn advance(&mut self, end: u32) {
        self.rcv_nxt = end;
        while let Some(joined) = self.held.iter().position(|block| block.0 <= self.rcv_nxt) {
            self.rcv_nxt = self.rcv_nxt.max(self.held.remove(joined).1);
        }
    }

    /// Holds out-of-order text, newest first, merged with what it touches.
    pub(super) fn hold(&mut self, mut block: (u32, u32)) {
        self.held.retain(|held| {
            let apart = held.1 < block.0 || held.0 > block.1;
            if !apart {
                block = (block.0.min(held.0), block.1.max(held.1));
            }
            apart
        });
        self.held.insert(0, block);
    }
}

impl Offer {
    fn of(packet: &Packet) -> Offer {
        let PacketOptions::Exactly(options) = &packet.options else {
            // Only segments without timestamps are left unchecked; a stack that is offered SACK takes it.
            return Offer {
                syn: true,
                sack: true,
                timestamps: false,
            };
        };
        Offer {
            syn: true,
            sack: options.contains(&PacketOption::SackPermitted),
            timestamps: timestamps(packet).is_some(),
        }
    }
}

/// TSval and TSecr.
pub(super) fn timestamps(packet: &Packet) -> Option<(TsVal, TsVal)> {
    options(packet).iter().find_map(|option| match option {
        PacketOption::Timestamps { tsval, tsecr } => Some((TsVal(*tsval), TsVal(*tsecr))),
        _ => None,
    })
}

/// The SACK blocks.
pub(super) fn sack(packet: &Packet) -> &[(u32, u32)] {
    options(packet)
        .iter()
        .find_map(|option| match option {
            PacketOption::Sack(blocks) => Some(blocks.as_slice()),
            _ => None,
        })
        .unwrap_or(&[])
}

fn options(packet: &Packet) -> &[PacketOption] {
    match &packet.options {
        PacketOptions::Exactly(options) => options,
        PacketOptions::Unchecked => &[],
    }
}

/// The blocks that stay: without a leading report of a duplicate (RFC 2883).
fn standing(blocks: &[(u32, u32)], rcv_nxt: u32) -> Vec<(u32, u32)> {
    let Some((first, rest)) = blocks.split_first() else {
        return Vec::new();
    };
    let duplicate = first.1 <= rcv_nxt
        || rest
            .iter()
            .any(|block| block.0 <= first.0 && first.1 <= block.1);
    if duplicate { rest } else { blocks }.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_of_a_duplicate_is_no_block_that_stays() {
        assert_eq!(standing(&[(5, 6), (20, 30)], 10), [(20, 30)]);
        assert_eq!(standing(&[(22, 24), (20, 30)], 10), [(20, 30)]);
        assert_eq!(standing(&[(20, 30)], 10), [(20, 30)]);
    }

    #[test]
    fn in_order_text_joins_what_is_held() {
        let mut view = View {
            rcv_nxt: 10,
            held: vec![(11, 20), (30, 40)],
            ..View::default()
        };
        view.advance(11);
        assert_eq!((view.rcv_nxt, view.held.as_slice()), (20, &[(30, 40)][..]));
        view.hold((25, 30));
        assert_eq!(view.held, [(25, 40)]);
    }
}
