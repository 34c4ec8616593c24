//! What SACK blocks have told so far, in both directions.
//! RFC 2018 sections 4 and 5.

use ackward_model::{SackBlock, Segment, SeqNum};

/// The blocks of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reports {
    /// The stack has sent a block.
    pub any: bool,
    /// The block that the stack reported first the last time, unless it reported a duplicate or may have been for a segment
    /// before the latest.
    pub first: Option<SackBlock>,
    /// The longest block of the latest segment of the peer that had any.
    heard: Option<SackBlock>,
}

impl Reports {
    /// Whether the peer has reported that it holds what stands at `seq`.
    pub(crate) fn hold(&self, seq: SeqNum) -> bool {
        self.heard
            .is_some_and(|block| block.left.at_or_before(seq) && seq.before(block.right))
    }

    /// The peer sends `segment`.
    pub(super) fn heard(&mut self, segment: &Segment) {
        let blocks = segment.options.sack();
        let longest = blocks
            .iter()
            .max_by_key(|block| block.right.offset_from(block.left));
        self.heard = longest.copied().or(self.heard);
    }

    /// The stack sends `segment`; `latest` if it can only be for the latest arrival.
    pub(super) fn sends(&mut self, segment: &Segment, latest: bool) {
        let blocks = segment.options.sack();
        let Some(first) = blocks.first() else { return };
        let again = |other: &SackBlock| {
            other.left.at_or_before(first.left) && first.right.at_or_before(other.right)
        };
        self.any = true;
        self.first = Some(*first).filter(|_| latest && !blocks.get(1).is_some_and(again));
    }
}
