//! Sequence numbers, and what "before" means when they wrap.
//! RFC 9293 section 3.4.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

/// A sequence number: a place in a 32-bit circle.
///
/// It has no `Ord`, because "before" on a circle is not transitive; ask [`SeqNum::before`] of two that are known
/// to lie within half the circle of each other.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, arbitrary::Arbitrary,
)]
#[serde(transparent)]
pub struct SeqNum(pub u32);

impl SeqNum {
    /// Strictly earlier in sequence space. At a distance of exactly 2^31 both directions hold.
    pub fn before(self, other: SeqNum) -> bool {
        other.distance_from(self) > 0 || other.0.wrapping_sub(self.0) == 1 << 31
    }

    /// Earlier or the same.
    pub fn at_or_before(self, other: SeqNum) -> bool {
        self == other || self.before(other)
    }

    /// Strictly later in sequence space.
    pub fn after(self, other: SeqNum) -> bool {
        other.before(self)
    }

    /// Later or the same.
    pub fn at_or_after(self, other: SeqNum) -> bool {
        other.at_or_before(self)
    }

    /// Signed distance from `base`, in octets of sequence space: positive when `self` is later.
    pub fn distance_from(self, base: SeqNum) -> i32 {
        self.0.wrapping_sub(base.0) as i32
    }

    /// The offset from `base`, in octets, always counted forwards.
    pub fn offset_from(self, base: SeqNum) -> u32 {
        self.0.wrapping_sub(base.0)
    }

    /// The later of two.
    pub fn latest(self, other: SeqNum) -> SeqNum {
        if self.before(other) { other } else { self }
    }

    /// The earlier of two.
    pub fn earliest(self, other: SeqNum) -> SeqNum {
        if other.before(self) { other } else { self }
    }
}

impl Add<u32> for SeqNum {
    type Output = SeqNum;
    fn add(self, octets: u32) -> SeqNum {
        SeqNum(self.0.wrapping_add(octets))
    }
}

impl AddAssign<u32> for SeqNum {
    fn add_assign(&mut self, octets: u32) {
        *self = *self + octets;
    }
}

impl Sub<u32> for SeqNum {
    type Output = SeqNum;
    fn sub(self, octets: u32) -> SeqNum {
        SeqNum(self.0.wrapping_sub(octets))
    }
}

impl fmt::Debug for SeqNum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn before_and_after_exclude_each_other(base: u32, step: u32) -> bool {
            let (a, step) = (SeqNum(base), step % ((1 << 31) - 1) + 1);
            let b = a + step;
            a.before(b) && b.after(a) && !b.before(a) && !a.at_or_after(b)
        }

        fn distance_undoes_addition(base: u32, step: i32) -> bool {
            let a = SeqNum(base);
            (a + step as u32).distance_from(a) == step
        }

        fn latest_and_earliest_are_the_pair(base: u32, step: u16) -> bool {
            let (a, b) = (SeqNum(base), SeqNum(base) + u32::from(step));
            a.latest(b) == b && b.latest(a) == b && a.earliest(b) == a && b.earliest(a) == a
        }
    }

    #[test]
    fn half_a_circle_away_is_before_in_both_orders() {
        let (a, b) = (SeqNum(5), SeqNum(5) + (1 << 31));
        assert!(a.before(b) && b.before(a));
    }
}
