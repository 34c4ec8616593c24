//! One way to read a segment in a synchronized state: what counts, what is taken, what is owed.
//! RFC 9293 section 3.10.7.4 and RFC 7323 section 4.3.

use crate::SeqNum;

/// One way to read a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Its acknowledgment and window are processed.
    pub acknowledges: bool,
    /// What of its text and FIN is taken.
    pub take: Take,
    /// What it does to TS.Recent.
    pub ts_update: TsUpdate,
    /// It is owed an acknowledgment at once.
    pub due: bool,
    /// What was held out of order before it is lost.
    pub forgets_held: bool,
}

/// What of a segment's text is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Take {
    /// First octet taken.
    pub start: SeqNum,
    /// One past the last octet taken; equal to `start` if there is none.
    pub end: SeqNum,
    /// The FIN at `end` is taken.
    pub fin: bool,
    /// The text lies out of order and may just as well be dropped; it matters only once the gap before it is filled.
    pub maybe: bool,
}

/// What a segment does to TS.Recent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TsUpdate {
    /// Nothing.
    Never,
    /// SEG.TSval ≥ TS.Recent and SEG.SEQ ≤ Last.ACK.sent decide, and the RFCs differ on whether they are asked at all:
    /// RFC 7323 section 4.3 states them without a window test, its section 5.3 after one.
    Either,
    /// SEG.TSval ≥ TS.Recent and SEG.SEQ ≤ Last.ACK.sent decide.
    Must,
}

impl Take {
    /// Nothing taken.
    pub const NOTHING: Take = Take {
        start: SeqNum(0),
        end: SeqNum(0),
        fin: false,
        maybe: false,
    };

    /// Whether nothing is taken.
    pub fn is_nothing(&self) -> bool {
        self.start == self.end && !self.fin
    }
}

impl Reading {
    /// Dropped: nothing of it counts.
    pub fn dropped(ts_update: TsUpdate) -> Reading {
        Reading {
            acknowledges: false,
            take: Take::NOTHING,
            ts_update,
            due: false,
            forgets_held: false,
        }
    }

    /// Accepted, its acknowledgment included.
    pub fn accepted(take: Take) -> Reading {
        Reading {
            acknowledges: true,
            take,
            ts_update: TsUpdate::Must,
            due: false,
            forgets_held: false,
        }
    }

    /// The same, and an acknowledgment is owed if `due`.
    pub fn owed(self, due: bool) -> Reading {
        Reading { due, ..self }
    }

    /// The same, and what was held before is lost.
    pub fn forgetting_held(self) -> Reading {
        Reading {
            forgets_held: true,
            ..self
        }
    }

    /// The same with another effect on TS.Recent.
    pub fn updating(self, ts_update: TsUpdate) -> Reading {
        Reading { ts_update, ..self }
    }
}
