//! Timestamp values, and which of two is older.
//! RFC 7323 sections 3.2 and 5.2.

use std::fmt;
use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

/// A timestamp value in ticks of its sender's clock, on a 32-bit circle. No `Ord`, for the reason of
/// [`SeqNum`](crate::SeqNum).
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, arbitrary::Arbitrary,
)]
#[serde(transparent)]
pub struct TsVal(pub u32);

/// How one timestamp value stands to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Age {
    /// Strictly older.
    Older,
    /// The same value.
    Same,
    /// Strictly newer.
    Newer,
    /// Exactly 2^31 apart: RFC 7323 gives no order.
    Undefined,
}

impl TsVal {
    /// The age of `self` as seen from `other`.
    pub fn age_against(self, other: TsVal) -> Age {
        match self.0.wrapping_sub(other.0) {
            0 => Age::Same,
            0x8000_0000 => Age::Undefined,
            0x8000_0001.. => Age::Older,
            _ => Age::Newer,
        }
    }

    /// Signed distance from `base`, in ticks: positive when `self` is newer.
    pub fn distance_from(self, base: TsVal) -> i32 {
        self.0.wrapping_sub(base.0) as i32
    }
}

impl Add<u32> for TsVal {
    type Output = TsVal;
    fn add(self, ticks: u32) -> TsVal {
        TsVal(self.0.wrapping_add(ticks))
    }
}

impl Sub<u32> for TsVal {
    type Output = TsVal;
    fn sub(self, ticks: u32) -> TsVal {
        TsVal(self.0.wrapping_sub(ticks))
    }
}

impl fmt::Debug for TsVal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn ages_are_antisymmetric(base: u32, step: u32) -> bool {
            let (a, b) = (TsVal(base), TsVal(base) + step);
            matches!(
                (a.age_against(b), b.age_against(a)),
                (Age::Same, Age::Same) | (Age::Older, Age::Newer) | (Age::Newer, Age::Older)
                    | (Age::Undefined, Age::Undefined)
            )
        }
    }

    #[test]
    fn half_a_circle_away_has_no_order() {
        assert_eq!(TsVal(7).age_against(TsVal(7) + (1 << 31)), Age::Undefined);
        assert_eq!(TsVal(0).age_against(TsVal(u32::MAX)), Age::Newer);
    }
}
