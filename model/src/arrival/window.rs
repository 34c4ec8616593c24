//! Whether a segment is acceptable: the first check of a synchronized state.
//! RFC 9293 section 3.10.7.4, first check.

use crate::{Segment, SeqNum};

/// How a segment stands to the receive window.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Acceptability {
    /// Acceptable, and all of it lies left of the edge.
    Inside,
    /// Acceptable, and some of it lies at or past the edge.
    Straddles,
    /// Not acceptable: it ends at or before RCV.NXT.
    Old,
    /// Not acceptable: it begins at or past the edge.
    Beyond,
    /// Not acceptable by the letter, for neither its first nor its last octet lies in the window: it spans all of it.
    Spans,
}

/// How `segment` stands to the window from `rcv_nxt` to `edge`.
pub fn acceptability(segment: &Segment, rcv_nxt: SeqNum, edge: SeqNum) -> Acceptability {
    let window = i64::from(edge.distance_from(rcv_nxt)).max(0);
    let first = i64::from(segment.seq.distance_from(rcv_nxt));
    let end = first + i64::from(segment.len());
    if segment.is_empty() {
        return match first {
            0 => Acceptability::Inside,
            1.. if first < window => Acceptability::Inside,
            1.. => Acceptability::Beyond,
            _ => Acceptability::Old,
        };
    }
    let holds_first = (0..window).contains(&first);
    let holds_last = (0..window).contains(&(end - 1));
    match (holds_first, holds_last) {
        (_, true) => Acceptability::Inside,
        (true, false) => Acceptability::Straddles,
        _ if end <= 0 => Acceptability::Old,
        _ if first.is_negative() && window > 0 => Acceptability::Spans,
        _ => Acceptability::Beyond,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Flags;

    /// `seq` and `len` relative to RCV.NXT = 1000, window of `wnd` octets.
    fn standing(seq: i32, len: usize, wnd: u32) -> Acceptability {
        let segment = Segment {
            seq: SeqNum(1000u32.wrapping_add(seq as u32)),
            flags: Flags::ACK,
            payload: vec![0; len],
            ..Segment::default()
        };
        acceptability(&segment, SeqNum(1000), SeqNum(1000 + wnd))
    }

    #[test]
    fn the_four_lines_of_the_acceptability_table() {
        use Acceptability::*;
        // len = 0, wnd = 0
        assert_eq!(standing(0, 0, 0), Inside);
        assert_eq!(standing(-1, 0, 0), Old);
        assert_eq!(standing(1, 0, 0), Beyond);
        // len = 0, wnd > 0
        assert_eq!(standing(0, 0, 10), Inside);
        assert_eq!(standing(9, 0, 10), Inside);
        assert_eq!(standing(10, 0, 10), Beyond);
        assert_eq!(standing(-1, 0, 10), Old);
        // len > 0, wnd = 0
        assert_eq!(standing(0, 1, 0), Beyond);
        assert_eq!(standing(-1, 1, 0), Old);
        assert_eq!(standing(-1, 2, 0), Beyond);
        // len > 0, wnd > 0
        assert_eq!(standing(0, 10, 10), Inside);
        assert_eq!(standing(0, 11, 10), Straddles);
        assert_eq!(standing(-5, 5, 10), Old);
        assert_eq!(standing(-5, 6, 10), Inside);
        assert_eq!(standing(10, 1, 10), Beyond);
        assert_eq!(standing(-5, 100, 10), Spans);
    }
}
