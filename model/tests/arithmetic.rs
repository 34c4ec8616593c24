//! Arithmetic on circles of 2^32 and of windows, against what it means octet by octet.
//! RFC 9293 sections 3.4 and 3.10.7.4, RFC 7323 sections 2.2, 2.3 and 5.2.

use ackward_model::timestamp::Age;
use ackward_model::{
    Acceptability, Flags, Segment, SeqNum, TsVal, WindowField, WindowScale, acceptability,
};
use quickcheck::{Arbitrary, Gen, quickcheck};

/// Half of the circle, where no direction is the shorter one.
const HALF: u32 = 1 << 31;

/// A distance on the circle; near its special places more often than chance would have it.
#[derive(Clone, Copy, Debug)]
struct Distance(u32);

impl Arbitrary for Distance {
    fn arbitrary(g: &mut Gen) -> Distance {
        let near = u32::from(u8::arbitrary(g) % 5).wrapping_sub(2);
        let place = [0, HALF, u32::arbitrary(g)][usize::from(u8::arbitrary(g) % 3)];
        Distance(place.wrapping_add(near))
    }
}

quickcheck! {
    fn distances_are_antisymmetric_but_for_half_the_circle(base: u32, step: Distance) -> bool {
        let (a, b) = (SeqNum(base), SeqNum(base) + step.0);
        let (there, back) = (b.distance_from(a), a.distance_from(b));
        if step.0 == HALF { (there, back) == (i32::MIN, i32::MIN) } else { there == -back }
    }

    fn times_have_the_same_distances_as_sequence_numbers(base: u32, step: Distance) -> bool {
        let there = (TsVal(base) + step.0).distance_from(TsVal(base));
        there == (SeqNum(base) + step.0).distance_from(SeqNum(base))
            && TsVal(base) + step.0 - step.0 == TsVal(base)
    }

    fn offsets_count_forward_over_the_wrap(base: u32, step: Distance) -> bool {
        let (a, b) = (SeqNum(base), SeqNum(base) + step.0);
        b.offset_from(a) == step.0 && a + b.offset_from(a) == b && b - step.0 == a
    }

    fn nothing_changes_where_the_circle_is_turned(base: u32, step: Distance, turn: u32) -> bool {
        let (a, b) = (SeqNum(base), SeqNum(base) + step.0);
        let (s, t) = (TsVal(base), TsVal(base) + step.0);
        a.before(b) == (a + turn).before(b + turn)
            && a.at_or_after(b) == (a + turn).at_or_after(b + turn)
            && s.age_against(t) == (s + turn).age_against(t + turn)
    }

    fn before_is_the_shorter_way_round(base: u32, step: Distance) -> bool {
        let (a, b) = (SeqNum(base), SeqNum(base) + step.0);
        a.before(b) == (1..=HALF).contains(&step.0)
            && a.at_or_before(b) == (0..=HALF).contains(&step.0)
            && b.after(a) == a.before(b)
            && b.at_or_after(a) == a.at_or_before(b)
    }

    fn before_is_transitive_within_half_the_circle(base: u32, steps: (u32, u32)) -> bool {
        let a = SeqNum(base);
        let b = a + (steps.0 % (HALF / 2) + 1);
        let c = b + steps.1 % (HALF / 2);
        a.before(b) && b.at_or_before(c) && a.before(c) && a.latest(b).latest(c) == c
    }

    fn ages_are_undefined_exactly_half_a_circle_apart(base: u32, step: Distance) -> bool {
        let age = (TsVal(base) + step.0).age_against(TsVal(base));
        let right = match step.0 {
            0 => Age::Same,
            HALF => Age::Undefined,
            1..HALF => Age::Newer,
            _ => Age::Older,
        };
        age == right
    }

    fn ages_follow_the_sign_of_the_distance(base: u32, step: Distance) -> bool {
        let (t, base) = (TsVal(base) + step.0, TsVal(base));
        match t.age_against(base) {
            Age::Older => t.distance_from(base) < 0,
            Age::Same => t.distance_from(base) == 0,
            Age::Newer => t.distance_from(base) > 0,
            Age::Undefined => t.distance_from(base) == i32::MIN,
        }
    }

    fn a_scaled_window_is_its_field_doubled_as_often_as_announced(field: u16, shift: u8) -> bool {
        let scale = WindowScale::announced(shift);
        let doubled = (0..shift.min(14)).fold(u64::from(field), |window, _| 2 * window);
        u64::from(WindowField(field).scaled(scale).0) == doubled
            && WindowField(field).scaled(WindowScale::NONE) == WindowField(field).unscaled()
    }

    fn neighbouring_fields_are_one_step_apart(field: u16, shift: u8) -> bool {
        let (field, scale) = (field.max(1), WindowScale::announced(shift));
        let [window, below] = [field, field - 1].map(|field| WindowField(field).scaled(scale).0);
        window - below == scale.granularity()
    }

    fn acceptability_is_what_the_octets_say(rcv_nxt: u32, window: u8, seq: i8, len: u8, fin: bool) -> bool {
        // All sizes small, so that every way to overlap comes up.
        let (window, seq, len) = (u32::from(window % 12), i64::from(seq % 16), len % 20);
        let segment = Segment {
            seq: SeqNum(rcv_nxt) + seq as u32,
            flags: if fin { Flags::ACK | Flags::FIN } else { Flags::ACK },
            payload: vec![0; usize::from(len)],
            ..Segment::default()
        };
        let standing = acceptability(&segment, SeqNum(rcv_nxt), SeqNum(rcv_nxt) + window);
        standing == by_octets(seq, i64::from(segment.len()), i64::from(window))
    }

    fn a_window_that_was_taken_back_counts_as_shut(rcv_nxt: u32, by: u16, seq: i8, len: u8) -> bool {
        let (nxt, segment) = (SeqNum(rcv_nxt), Segment {
            seq: SeqNum(rcv_nxt) + i32::from(seq) as u32,
            payload: vec![0; usize::from(len)],
            ..Segment::default()
        });
        acceptability(&segment, nxt, nxt - u32::from(by)) == acceptability(&segment, nxt, nxt)
    }
}

/// The table of RFC 9293 section 3.10.7.4 and what lies between its lines, in numbers relative to RCV.NXT: each octet of
/// sequence space is looked at.
fn by_octets(seq: i64, len: i64, window: i64) -> Acceptability {
    let in_window: Vec<bool> = (seq..seq + len)
        .map(|octet| (0..window).contains(&octet))
        .collect();
    match (in_window.first(), in_window.last()) {
        // A segment without octets stands for the place where its first one would be; RCV.NXT itself is always right.
        (None, _) if seq == 0 || (0..window).contains(&seq) => Acceptability::Inside,
        (None, _) if seq < 0 => Acceptability::Old,
        (None, _) => Acceptability::Beyond,
        (_, Some(true)) => Acceptability::Inside,
        (Some(true), _) => Acceptability::Straddles,
        _ if in_window.contains(&true) => Acceptability::Spans,
        _ if seq + len <= 0 => Acceptability::Old,
        _ => Acceptability::Beyond,
    }
}
