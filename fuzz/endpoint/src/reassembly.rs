//! Which octets have arrived: those ready to be read, and those held behind a hole.
//! RFC 9293 section 3.10.7.4 (eighth step, "segment text"), RFC 2018 section 4.

use std::collections::VecDeque;

use ackward_model::{SackBlock, SackBlocks, SeqNum};

/// Arrived text.
#[derive(Clone, Default, Debug)]
pub(crate) struct Reassembly {
    pub(crate) ready: VecDeque<u8>,
    /// By sequence number; they may overlap, and the one that begins first provides the octet.
    pub(crate) held: Vec<Held>,
    arrivals: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) seq: SeqNum,
    pub(crate) octets: Vec<u8>,
    arrival: u32,
}

/// What became of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Taken {
    /// It was next and there was no hole.
    InOrder,
    /// It filled a hole, or the first part of one.
    FilledHole,
    /// It waits behind a hole.
    Held,
}

impl Reassembly {
    /// Takes text that lies in the window and begins at or after `rcv_nxt`, which moves.
    pub(crate) fn take(&mut self, rcv_nxt: &mut SeqNum, seq: SeqNum, octets: &[u8]) -> Taken {
        if seq != *rcv_nxt {
            self.hold(*rcv_nxt, seq, octets);
            return Taken::Held;
        }
        self.ready.extend(octets);
        *rcv_nxt += octets.len() as u32;
        if self.held.is_empty() {
            return Taken::InOrder;
        }
        self.release(rcv_nxt);
        Taken::FilledHole
    }

    /// Whether nothing waits behind a hole.
    pub(crate) fn is_whole(&self) -> bool {
        self.held.is_empty()
    }

    /// Octets that wait to be read.
    pub(crate) fn ready(&self) -> u32 {
        self.ready.len() as u32
    }

    /// Removes at most `max` octets that are ready.
    pub(crate) fn read(&mut self, max: u32) -> std::collections::vec_deque::Drain<'_, u8> {
        let count = self.ready.len().min(max as usize);
        self.ready.drain(..count)
    }

    /// What is held, as at most `max` blocks: the one with the latest arrival first, then by how recent they are.
    pub(crate) fn blocks(&self, max: usize) -> SackBlocks {
        if self.held.is_empty() {
            return SackBlocks::default();
        }
        let mut blocks: Vec<(u32, SackBlock)> = Vec::with_capacity(self.held.len());
        for held in &self.held {
            let right = held.seq + held.octets.len() as u32;
            match blocks.last_mut() {
                Some((arrival, block)) if held.seq.at_or_before(block.right) => {
                    block.right = block.right.latest(right);
                    *arrival = held.arrival.max(*arrival);
                }
                _ => blocks.push((
                    held.arrival,
                    SackBlock {
                        left: held.seq,
                        right,
                    },
                )),
            }
        }
        blocks.sort_by_key(|(arrival, _)| std::cmp::Reverse(*arrival));
        SackBlocks::new(blocks.into_iter().take(max).map(|(_, block)| block))
    }

    /// What is held, piece by piece as it came, the latest first.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = SackBlock> {
        let mut held: Vec<&Held> = self.held.iter().collect();
        held.sort_by_key(|held| std::cmp::Reverse(held.arrival));
        held.into_iter().map(|held| SackBlock {
            left: held.seq,
            right: held.seq + held.octets.len() as u32,
        })
    }

    fn hold(&mut self, rcv_nxt: SeqNum, seq: SeqNum, octets: &[u8]) {
        self.arrivals += 1;
        let offset = seq.offset_from(rcv_nxt);
        let position = self
            .held
            .partition_point(|held| held.seq.offset_from(rcv_nxt) <= offset);
        self.held.insert(
            position,
            Held {
                seq,
                octets: octets.to_vec(),
                arrival: self.arrivals,
            },
        );
    }

    fn release(&mut self, rcv_nxt: &mut SeqNum) {
        let mut released = 0;
        for held in &self.held {
            if held.seq.after(*rcv_nxt) {
                break;
            }
            let known = rcv_nxt.offset_from(held.seq) as usize;
            let fresh = held.octets.get(known..).unwrap_or(&[]);
            self.ready.extend(fresh);
            *rcv_nxt += fresh.len() as u32;
            released += 1;
        }
        self.held.drain(..released);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn block(left: u32, right: u32) -> SackBlock {
        SackBlock {
            left: SeqNum(left),
            right: SeqNum(right),
        }
    }

    #[test]
    fn the_latest_arrival_is_in_the_first_block() {
        let (mut text, mut nxt) = (Reassembly::default(), SeqNum(10));
        assert_eq!(text.take(&mut nxt, SeqNum(12), &[2]), Taken::Held);
        assert_eq!(text.take(&mut nxt, SeqNum(20), &[10, 11]), Taken::Held);
        assert_eq!(text.take(&mut nxt, SeqNum(13), &[3]), Taken::Held);
        assert_eq!(text.blocks(4).as_slice(), [block(12, 14), block(20, 22)]);
        assert_eq!(text.take(&mut nxt, SeqNum(10), &[0, 1]), Taken::FilledHole);
        assert_eq!((nxt, text.ready()), (SeqNum(14), 4));
        assert_eq!(text.blocks(4).as_slice(), [block(20, 22)]);
    }

    quickcheck! {
        fn pieces_in_any_order_make_the_stream(start: u32, order: Vec<(u8, u8)>) -> bool {
            let (mut text, mut nxt) = (Reassembly::default(), SeqNum(start));
            let stream: Vec<u8> = (0..=255).collect();
            for (from, len) in order.into_iter().chain([(0, 255), (255, 1)]) {
                let first = usize::from(from).max(nxt.offset_from(SeqNum(start)) as usize);
                let last = (usize::from(from) + usize::from(len)).min(256);
                if first < last {
                    text.take(&mut nxt, SeqNum(start) + first as u32, &stream[first..last]);
                }
            }
            text.read(u32::MAX).eq(stream) && text.blocks(4).as_slice().is_empty()
        }
    }
}
