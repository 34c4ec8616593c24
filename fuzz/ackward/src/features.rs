//! Which features of the search space have been met, and whether a case met one for the first time.

use ackward_oracle::Coverage;

/// Features met so far. Two features may share a slot: that loses a little guidance and nothing else.
#[derive(Clone, Debug)]
pub struct Features {
    met: Box<[bool; SLOTS]>,
    count: u32,
}

impl Features {
    /// None met yet.
    pub fn new() -> Features {
        Features {
            met: Box::new([false; SLOTS]),
            count: 0,
        }
    }

    /// How many were met. Asked before and after a case, it tells whether the case met something new.
    pub fn count(&self) -> u32 {
        self.count
    }
}

impl Default for Features {
    fn default() -> Features {
        Features::new()
    }
}

impl Coverage for Features {
    fn hit(&mut self, feature: u32) {
        // The upper half is folded in, so that hashes that differ only there do not meet.
        let slot = (feature ^ feature >> 16) as usize % SLOTS;
        self.count += u32::from(!self.met[slot]);
        self.met[slot] = true;
    }
}

const SLOTS: usize = 16_384;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_new_once() {
        let mut features = Features::new();
        features.hit(7);
        features.hit(7);
        assert_eq!(features.count(), 1);
        features.hit(8);
        assert_eq!(features.count(), 2);
    }
}
