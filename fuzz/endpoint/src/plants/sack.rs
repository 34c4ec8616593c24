//! Planted answers to the questions about SACK: which blocks go out, and what those of the other side mean.
//! RFC 2018 sections 4 and 5, RFC 2883 section 4.

use ackward_model::{SackBlock, SackBlocks, Segment};

use super::Plant;
use crate::Endpoint;

impl Endpoint {
    /// The SACK blocks that go out.
    pub(crate) fn planted_blocks(&self, blocks: SackBlocks) -> SackBlocks {
        let held = || self.rcv.text.blocks(3);
        match self.config.plant {
            Some(Plant::SackUnasked) if !self.sack => held(),
            Some(Plant::SackTooLong) if self.sack => {
                let longer = |block: &SackBlock| SackBlock {
                    right: block.right + 1,
                    ..*block
                };
                SackBlocks::new(held().as_slice().iter().map(longer))
            }
            Some(Plant::SackPastTheEdge) if self.sack => {
                let longest = |block: &SackBlock| SackBlock {
                    right: self.rcv.edge + 1,
                    ..*block
                };
                SackBlocks::new(held().as_slice().iter().take(1).map(longest))
            }
            Some(Plant::SackBridges) if self.sack => {
                let held = held();
                let blocks = held.as_slice().iter().copied();
                SackBlocks::new(blocks.reduce(|one, other| SackBlock {
                    left: one.left.earliest(other.left),
                    right: one.right.latest(other.right),
                }))
            }
            Some(Plant::SackOldestFirst) if self.sack => {
                let held = held();
                let mut blocks: Vec<_> = held.as_slice().to_vec();
                blocks.reverse();
                SackBlocks::new(blocks)
            }
            Some(Plant::SackInPieces) if self.sack => {
                SackBlocks::new(self.rcv.text.pieces().take(3))
            }
            Some(Plant::SackNowAndThen) if self.planted.reported => SackBlocks::default(),
            Some(Plant::SackOnlyOne) => SackBlocks::new(blocks.as_slice().iter().copied().take(1)),
            Some(Plant::SackForgetsLatest) if self.sack && self.ts.in_use => {
                let all = self.rcv.text.blocks(4);
                let (first, others) = all.as_slice().split_at(all.as_slice().len().min(1));
                let chosen = first.iter().chain(others.iter().rev());
                SackBlocks::new(chosen.copied().take(3))
            }
            Some(Plant::SackStale) if self.sack && self.rcv.is_past_fin() => self.planted.stale,
            _ => blocks,
        }
    }

    /// The report of a duplicate after it has been sent.
    pub(crate) fn planted_duplicate(&self) -> Option<SackBlock> {
        self.duplicate
            .filter(|_| self.plants(Plant::DuplicateForEver))
    }

    /// Takes note of the blocks of a segment that arrives.
    pub(super) fn note_blocks(&mut self, segment: &Segment) {
        let blocks = segment.options.sack();
        let longest = blocks
            .iter()
            .max_by_key(|block| block.right.offset_from(block.left));
        self.planted.sacked = longest.copied().or(self.planted.sacked);
    }

    /// Whether what would be sent again has been reported as held by the other side.
    pub(super) fn is_sacked(&self) -> bool {
        let una = self.snd.una;
        let within = |block: SackBlock| block.left.at_or_before(una) && una.before(block.right);
        self.planted.sacked.is_some_and(within)
    }
}
