//! Which TSval the next segment carries.
//! RFC 7323 section 5.4.

use ackward_model::{Micros, TsVal};
use arbitrary::Arbitrary;
use serde::{Deserialize, Serialize};

/// How TSval rises: one tick a millisecond of virtual time in either case, and with each emission as said here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum TsClock {
    /// By `step` ticks with every emission, so that an echo names the segment it came from.
    PerSegment {
        /// Ticks.
        step: u32,
    },
    /// By one tick after so many emissions: neighbours share a value. Never, if 0.
    Coarse {
        /// Emissions that share a tick.
        share: u8,
    },
}

impl Default for TsClock {
    fn default() -> TsClock {
        TsClock::PerSegment { step: 10 }
    }
}

/// A running timestamp clock.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    kind: TsClock,
    start: TsVal,
    emitted: u32,
    last: TsVal,
}

const TICK: Micros = 1_000;

impl Clock {
    pub(crate) fn new(kind: TsClock, start: TsVal) -> Clock {
        Clock {
            kind,
            start,
            emitted: 0,
            last: start,
        }
    }

    /// The value for a segment emitted at `now`.
    pub(crate) fn stamp(&mut self, now: Micros) -> TsVal {
        let risen = match self.kind {
            TsClock::PerSegment { step } => self.emitted.wrapping_mul(step),
            TsClock::Coarse { share: 0 } => 0,
            TsClock::Coarse { share } => self.emitted / u32::from(share),
        };
        self.emitted += 1;
        self.last = self.start + risen + (now / TICK) as u32;
        self.last
    }

    /// The last value given.
    pub(crate) fn last(&self) -> TsVal {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fine_clock_gives_each_segment_its_own_value_across_the_wrap() {
        let mut clock = Clock::new(TsClock::PerSegment { step: 3 }, TsVal(u32::MAX - 3));
        let values: Vec<_> = (0..3).map(|_| clock.stamp(0)).collect();
        assert_eq!(values, [TsVal(u32::MAX - 3), TsVal(u32::MAX), TsVal(2)]);
        assert_eq!(clock.stamp(7_000), TsVal(12));
    }

    #[test]
    fn a_coarse_clock_lets_neighbours_share_a_value() {
        let mut clock = Clock::new(TsClock::Coarse { share: 2 }, TsVal(5));
        let values: Vec<_> = (0..4).map(|_| clock.stamp(0)).collect();
        assert_eq!(values, [TsVal(5), TsVal(5), TsVal(6), TsVal(6)]);
    }
}
