//! Chance, from a seed.

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// A source of chance.
#[derive(Clone, Debug)]
pub(crate) struct Dice(SmallRng);

impl Dice {
    /// The `index`-th source of `seed`. Neighbours have nothing in common.
    pub(crate) fn new(seed: u64, index: u64) -> Dice {
        let mixed = (seed ^ index.wrapping_mul(0xD6E8_FEB8_6659_FD93)).rotate_left(32);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        Dice(SmallRng::seed_from_u64(mixed ^ mixed >> 32))
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.0.random_range(0..bound)
    }

    /// True once in `n` times.
    pub(crate) fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// One of `choices`.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u32) as usize]
    }

    /// 64 coins.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.random()
    }

    /// A number near a boundary of a 32-bit space, or anywhere.
    pub(crate) fn near_a_boundary(&mut self, reach: u32) -> u32 {
        let distance = self.below(reach);
        match self.below(4) {
            0 => distance,
            1 => (1_u32 << 31).wrapping_sub(distance),
            2 => 0_u32.wrapping_sub(distance),
            _ => self.0.random(),
        }
    }
}
