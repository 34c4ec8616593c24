//! Which text beyond RCV.NXT a receiver holds, and where the peer's FIN stands.
//! RFC 9293 section 3.10.7.4, seventh and eighth check.

use crate::SeqNum;

/// Text received out of order: disjoint, not adjacent ranges in sequence order, all beyond RCV.NXT.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Held {
    ranges: Vec<(SeqNum, SeqNum)>,
    /// Ranges that may be held as well, each whole or not at all: what a receiver may keep or drop.
    maybe: Vec<(SeqNum, SeqNum)>,
    fin: Option<SeqNum>,
    uncounted: bool,
}

/// So many blocks fit into one acknowledgment (RFC 2018 section 3).
const FOUR: usize = 4;

impl Held {
    /// Adds `[start, end)`, merging what touches it.
    pub fn insert(&mut self, mut start: SeqNum, mut end: SeqNum) {
        if !start.before(end) {
            return;
        }
        let first = self
            .ranges
            .iter()
            .position(|range| range.1.at_or_after(start))
            .unwrap_or(self.ranges.len());
        let mut last = first;
        while let Some(range) = self.ranges.get(last) {
            if range.0.after(end) {
                break;
            }
            start = start.earliest(range.0);
            end = end.latest(range.1);
            last += 1;
        }
        self.ranges.splice(first..last, [(start, end)]);
        self.count();
    }

    /// Notes that `[start, end)` may be held or not.
    pub fn insert_maybe(&mut self, start: SeqNum, end: SeqNum) {
        if start.before(end) && !self.maybe.contains(&(start, end)) {
            self.maybe.push((start, end));
            self.uncounted = true;
        }
    }

    /// Takes out a range that may be held and now matters, because everything before it has come.
    pub fn decide(&mut self, rcv_nxt: SeqNum) -> Option<(SeqNum, SeqNum)> {
        self.maybe.retain(|range| range.1.after(rcv_nxt));
        self.uncounted &= !self.ranges.is_empty() || !self.maybe.is_empty();
        let reached = self
            .maybe
            .iter()
            .position(|range| range.0.at_or_before(rcv_nxt))?;
        Some(self.maybe.swap_remove(reached))
    }

    /// Notes that the peer's FIN stands at `at`. `false` if it is already known to stand elsewhere.
    pub fn set_fin(&mut self, at: SeqNum) -> bool {
        let first = *self.fin.get_or_insert(at);
        self.count();
        first == at
    }

    /// Notes whether there are more ranges than are remembered everywhere; a FIN may be one of its own.
    fn count(&mut self) {
        self.uncounted |= self.ranges.len() + usize::from(self.fin.is_some()) > FOUR;
    }

    /// Whether text past the peer's FIN may be held, which contradicts it.
    pub fn may_hold_past_fin(&self) -> bool {
        let mut maybe = self.maybe.iter();
        self.fin
            .is_some_and(|fin| maybe.any(|range| range.1.after(fin)))
    }

    /// Where the peer's FIN stands, if it has come.
    pub fn fin(&self) -> Option<SeqNum> {
        self.fin
    }

    /// Moves `rcv_nxt` over everything that is now contiguous and forgets it. `true` if that took the FIN too.
    pub fn advance(&mut self, rcv_nxt: &mut SeqNum) -> bool {
        let covered = self
            .ranges
            .iter()
            .take_while(|range| range.0.at_or_before(*rcv_nxt))
            .count();
        for (_, end) in self.ranges.drain(..covered) {
            *rcv_nxt = rcv_nxt.latest(end);
        }
        self.uncounted &= !self.ranges.is_empty() || !self.maybe.is_empty();
        let fin = self.fin == Some(*rcv_nxt);
        if fin {
            *rcv_nxt += 1;
            self.ranges.clear();
            self.maybe.clear();
        }
        fin
    }

    /// The ranges held, in sequence order. The FIN is not in them.
    pub fn ranges(&self) -> &[(SeqNum, SeqNum)] {
        &self.ranges
    }

    /// Whether the octet at `seq` is held for sure.
    pub fn holds(&self, seq: SeqNum) -> bool {
        let mut ranges = self.ranges.iter();
        ranges.any(|range| range.0.at_or_before(seq) && seq.before(range.1))
    }

    /// Whether anything of `[start, end)` may be held.
    pub fn touches(&self, start: SeqNum, end: SeqNum) -> bool {
        let mut all = self.ranges.iter().chain(&self.maybe);
        all.any(|range| range.0.before(end) && start.before(range.1))
    }

    /// Whether all of `[left, right)` is held; a FIN at its end counts as held.
    pub fn covers(&self, left: SeqNum, right: SeqNum) -> bool {
        let within = |range: &(SeqNum, SeqNum)| {
            range.0.at_or_before(left)
                && (right.at_or_before(range.1)
                    || (self.fin == Some(range.1) && right == range.1 + 1))
        };
        self.ranges.iter().any(within)
            || self.covers_maybe(left, right)
            || self.fin == Some(left) && right == left + 1
    }

    /// Whether ranges that are or may be held cover all of `[left, right)`.
    fn covers_maybe(&self, left: SeqNum, right: SeqNum) -> bool {
        if self.maybe.is_empty() {
            return false;
        }
        let mut all = Held {
            ranges: self.ranges.clone(),
            fin: self.fin,
            ..Held::default()
        };
        for (start, end) in &self.maybe {
            all.insert(*start, *end);
        }
        all.covers(left, right)
    }

    /// Whether the ranges held are all known, and there have been no more of them at once, since something is held, than fit
    /// into one acknowledgment.
    pub fn has_few(&self) -> bool {
        !self.uncounted
    }

    /// Nothing held.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty() && self.maybe.is_empty() && self.fin.is_none()
    }

    /// Whether some range that is or may be held, or the FIN, ends at `seq`.
    pub fn ends_at(&self, seq: SeqNum) -> bool {
        let mut ranges = self.ranges.iter().chain(&self.maybe);
        ranges.any(|range| range.1 == seq) || self.fin.is_some_and(|fin| fin + 1 == seq)
    }

    /// The end of the last range that is or may be held, or of the FIN.
    pub fn end(&self) -> Option<SeqNum> {
        let ranges = self.ranges.last().into_iter().chain(&self.maybe);
        let text = ranges.map(|range| range.1).reduce(SeqNum::latest);
        match (text, self.fin.map(|at| at + 1)) {
            (Some(text), Some(fin)) => Some(text.latest(fin)),
            (text, fin) => text.or(fin),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn held(ranges: &[(u32, u32)]) -> Held {
        let mut held = Held::default();
        for (start, end) in ranges {
            held.insert(SeqNum(*start), SeqNum(*end));
        }
        held
    }

    quickcheck! {
        fn ranges_stay_disjoint_and_hold_what_was_put_in(parts: Vec<(u8, u8)>) -> bool {
            let mut held = Held::default();
            let mut octets = std::collections::BTreeSet::new();
            for (start, len) in parts {
                let (start, end) = (u32::from(start), u32::from(start) + u32::from(len % 16));
                held.insert(SeqNum(start), SeqNum(end));
                octets.extend(start..end);
            }
            let apart = held.ranges().windows(2).all(|pair| pair[0].1.before(pair[1].0));
            let same: Vec<u32> = held.ranges().iter().flat_map(|range| range.0.0..range.1.0).collect();
            apart && same == octets.into_iter().collect::<Vec<_>>()
        }
    }

    #[test]
    fn filling_the_gap_moves_over_everything_behind_it() {
        let mut held = held(&[(20, 30), (30, 40), (50, 60)]);
        let mut rcv_nxt = SeqNum(20);
        assert!(!held.advance(&mut rcv_nxt));
        assert_eq!(rcv_nxt, SeqNum(40));
        assert_eq!(held.ranges(), &[(SeqNum(50), SeqNum(60))]);
    }

    #[test]
    fn a_fin_behind_a_gap_waits_for_the_text() {
        let mut held = held(&[(20, 30)]);
        assert!(held.set_fin(SeqNum(30)));
        let mut rcv_nxt = SeqNum(10);
        assert!(!held.advance(&mut rcv_nxt));
        held.insert(SeqNum(10), SeqNum(20));
        assert!(held.advance(&mut rcv_nxt));
        assert_eq!(rcv_nxt, SeqNum(31));
    }

    #[test]
    fn two_fins_in_different_places_contradict() {
        let mut held = Held::default();
        assert!(held.set_fin(SeqNum(9)));
        assert!(!held.set_fin(SeqNum(10)));
    }
}
