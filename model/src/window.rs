//! Windows as three types: the field on the wire, the shift, and the number of octets.
//! RFC 9293 section 3.8.6 and RFC 7323 section 2.

use serde::{Deserialize, Serialize};

/// The 16-bit window field of a segment, as sent.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, arbitrary::Arbitrary,
)]
#[serde(transparent)]
pub struct WindowField(pub u16);

/// A window scale in force, 0 to 14.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WindowScale(u8);

/// A window in octets: unsigned, as RFC 9293 MUST-1 asks.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Window(pub u32);

impl WindowScale {
    /// No scaling.
    pub const NONE: WindowScale = WindowScale(0);
    /// The largest shift that may be used.
    pub const MAX: WindowScale = WindowScale(14);

    /// The shift in force when `shift` was announced: more than 14 counts as 14 (RFC 7323 2.3).
    pub fn announced(shift: u8) -> WindowScale {
        WindowScale(shift.min(Self::MAX.0))
    }

    /// The number of bits.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// The smallest step, in octets, that a window field of this scale can express.
    pub fn granularity(self) -> u32 {
        1 << self.0
    }

    /// The largest window, in octets, that a window field of this scale can express.
    pub fn largest(self) -> Window {
        Window(u32::from(u16::MAX) << self.0)
    }
}

impl WindowField {
    /// The window in octets under `scale`.
    pub fn scaled(self, scale: WindowScale) -> Window {
        Window(u32::from(self.0) << scale.0)
    }

    /// The window in octets when no scale applies (segments with SYN).
    pub fn unscaled(self) -> Window {
        Window(u32::from(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn a_scaled_field_never_exceeds_the_largest_window(field: u16, shift: u8) -> bool {
            let scale = WindowScale::announced(shift);
            let window = WindowField(field).scaled(scale);
            window <= scale.largest() && window.0.is_multiple_of(scale.granularity()) && window.0 < 1 << 30
        }
    }

    #[test]
    fn fifteen_counts_as_fourteen() {
        assert_eq!(WindowScale::announced(15), WindowScale::MAX);
        assert_eq!(WindowScale::announced(255), WindowScale::MAX);
    }
}
