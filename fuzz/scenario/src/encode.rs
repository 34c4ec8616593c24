//! Plans as octets: how a corpus stores them, how a fuzzer's octets become one, and a hash over a stream of them.

use arbitrary::{Arbitrary, Unstructured};
use postcard::ser_flavors::Flavor;

use crate::Plan;

/// The first octet of an encoded plan. It rises with every change of a type a plan holds.
pub const VERSION: u8 = 9;

/// The octets of a plan: the version, then its postcard form.
pub fn encode(plan: &Plan) -> Vec<u8> {
    let octets = Vec::with_capacity(16 + 8 * plan.moves.len());
    let start = std::iter::once(VERSION).chain(octets).collect();
    postcard::to_extend(plan, start).expect("a plan has a postcard form")
}

/// The plan that `octets` stand for, normalized. Octets that are no encoded plan are the seed of one.
pub fn decode(octets: &[u8]) -> Plan {
    let encoded = match octets {
        [VERSION, rest @ ..] => postcard::from_bytes(rest).ok(),
        _ => None,
    };
    let mut plan = encoded.unwrap_or_else(|| {
        Plan::arbitrary_take_rest(Unstructured::new(octets)).unwrap_or_default()
    });
    plan.normalize();
    plan
}

/// A hash over a stream of plans: FNV-1a, 64 bits, of their postcard forms. The same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamHash(u64);

impl StreamHash {
    /// The hash of no plan.
    pub fn new() -> StreamHash {
        StreamHash(0xCBF2_9CE4_8422_2325)
    }

    /// Takes the next plan into the hash.
    pub fn add(&mut self, plan: &Plan) {
        *self = postcard::serialize_with_flavor(plan, *self).expect("a plan has a postcard form");
    }

    /// The hash so far.
    pub fn value(self) -> u64 {
        self.0
    }
}

impl Default for StreamHash {
    fn default() -> StreamHash {
        StreamHash::new()
    }
}

impl Flavor for StreamHash {
    type Output = StreamHash;

    fn try_push(&mut self, octet: u8) -> postcard::Result<()> {
        self.0 = (self.0 ^ u64::from(octet)).wrapping_mul(0x0000_0100_0000_01B3);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<StreamHash> {
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Family, Generator, Mode};
    use quickcheck::quickcheck;

    quickcheck! {
        fn any_octets_are_a_plan(octets: Vec<u8>, tagged: bool) -> bool {
            let octets = if tagged { [vec![VERSION], octets].concat() } else { octets };
            let plan = decode(&octets);
            decode(&encode(&plan)) == plan
        }

        fn a_torn_plan_is_still_one(seed: u64, keep: usize, flip: usize) -> bool {
            let mut octets = encode(&Generator::new(seed, Mode::Both, Family::V4).plan(0));
            let place = flip % octets.len();
            octets[place] ^= 1 << (flip % 8);
            octets.truncate(keep % octets.len());
            let plan = decode(&octets);
            decode(&encode(&plan)) == plan
        }
    }

    #[test]
    fn a_length_that_lies_costs_no_memory() {
        let mut octets = encode(&Plan::default());
        octets.pop();
        octets.extend([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]);
        assert!(decode(&octets).moves.len() <= crate::conversation::MAX_MOVES);
    }

    #[test]
    fn the_hash_tells_order() {
        let generator = Generator::new(1, Mode::Both, Family::V4);
        let hash = |indices: [u64; 2]| {
            let mut hash = StreamHash::new();
            indices
                .iter()
                .for_each(|index| hash.add(&generator.plan(*index)));
            hash.value()
        };
        assert_ne!(hash([0, 1]), hash([1, 0]));
        assert_eq!(hash([0, 1]), hash([0, 1]));
    }
}
