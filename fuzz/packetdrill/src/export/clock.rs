//! Which timestamp values a script carries: the stack's by emission, the peer's as sent or spaced out.
//! RFC 7323 section 5.2: only the order of timestamp values counts.

use std::collections::BTreeMap;

use ackward_model::{Event, Flags, Trace, TsVal, timestamp::Age};

/// Distance between two neighbouring TSvals once they are spaced out, in ticks.
const SPACING: u32 = 1000;

/// New values for the TSvals of one clock, in the same order and with room between neighbours, or `None` when they
/// have no order (two of them lie half the circle or more apart). Equal values stay equal.
fn respace(values: &[TsVal]) -> Option<BTreeMap<u32, TsVal>> {
    let base = *values.first()?;
    let mut ordered: Vec<(i32, TsVal)> = values
        .iter()
        .map(|value| (value.distance_from(base), *value))
        .collect();
    ordered.sort_unstable_by_key(|(distance, _)| *distance);
    ordered.dedup();
    let (oldest, newest) = (ordered.first()?.1, ordered.last()?.1);
    let apart = i64::from(newest.distance_from(base)) - i64::from(oldest.distance_from(base));
    if apart >= 1 << 31 {
        return None;
    }
    let spaced = (1..).map(|rank| TsVal(rank * SPACING));
    Some(ordered.into_iter().map(|(_, v)| v.0).zip(spaced).collect())
}

/// Whether the stack may have taken a segment for another reason than the order of its TSval: stacks take what is older
/// than TS.Recent by a single tick, and anything after a zero, which stands for a TS.Recent that was never set.
fn distance_may_count(trace: &Trace) -> bool {
    let mut recents: Vec<TsVal> = Vec::new();
    let mut last_ack_sent = None;
    for entry in &trace.entries {
        match &entry.event {
            Event::Out(segment) if segment.has(Flags::ACK) => last_ack_sent = Some(segment.ack),
            Event::In(segment, _) => {
                let Some((tsval, _)) = segment.options.timestamps() else {
                    continue;
                };
                let mut recents_before = recents.iter();
                if recents_before.any(|recent| {
                    let older = tsval.age_against(*recent) == Age::Older;
                    older && (recent.0 == 0 || tsval + 1 == *recent)
                }) {
                    return true;
                }
                if last_ack_sent.is_none_or(|ack| segment.seq.at_or_before(ack)) {
                    recents.push(tsval);
                }
            }
            _ => {}
        }
    }
    false
}

/// The peer's clock in script values.
#[derive(Debug, Default)]
pub(super) struct PeerClock {
    spaced: BTreeMap<u32, TsVal>,
}

impl PeerClock {
    /// The values as sent.
    pub(super) fn verbatim() -> PeerClock {
        PeerClock::default()
    }

    /// What the peer sent in `trace` and what the stack echoed or should have, spaced out. As sent when the values have
    /// no order, or when more than their order may count.
    pub(super) fn spaced(trace: &Trace, echoes: &[TsVal]) -> PeerClock {
        if distance_may_count(trace) {
            return PeerClock::verbatim();
        }
        let sent = trace.entries.iter().filter_map(|entry| match &entry.event {
            Event::In(segment, _) => segment.options.timestamps().map(|(tsval, _)| tsval),
            _ => None,
        });
        let values: Vec<TsVal> = sent.chain(echoes.iter().copied()).collect();
        PeerClock {
            spaced: respace(&values).unwrap_or_default(),
        }
    }

    /// Whether the values are not those that were sent.
    pub(super) fn is_spaced(&self) -> bool {
        !self.spaced.is_empty()
    }

    /// The script's value for `value`; one that the peer never sent stays as it is.
    pub(super) fn script(&self, value: TsVal) -> TsVal {
        self.spaced.get(&value.0).copied().unwrap_or(value)
    }
}

/// The stack's clock in script values: one value an emission, so that an echo names what it echoes.
#[derive(Debug, Default)]
pub(super) struct StackClock {
    /// TSval of each emission so far, if it had one, and the script's for it.
    emissions: Vec<(Option<TsVal>, u32)>,
}

impl StackClock {
    /// The script TSval of the next emission.
    pub(super) fn next(&self) -> u32 {
        100 * (self.emissions.len() as u32 + 1)
    }

    /// Takes note of an emission; `live` is the TSval that it carried.
    pub(super) fn emit(&mut self, live: Option<TsVal>) {
        self.emissions.push((live, self.next()));
    }

    /// Takes note of an emission that shares a line with the one before it.
    pub(super) fn join(&mut self, live: Option<TsVal>) {
        let shared = self.emissions.last().map_or(0, |(_, script)| *script);
        self.emissions.push((live, shared));
    }

    /// The script TSval of emission `k`, or of the last one before it that had a timestamp.
    pub(super) fn of_emission(&self, k: usize) -> Option<u32> {
        self.stamped()
            .filter(|(index, _)| *index <= k)
            .last()
            .map(|(index, _)| self.emissions[index].1)
    }

    /// The script TSval of the last emission whose live one was `value`.
    pub(super) fn of_live(&self, value: TsVal) -> Option<u32> {
        self.stamped()
            .filter(|(_, live)| live.age_against(value) == Age::Same)
            .last()
            .map(|(index, _)| self.emissions[index].1)
    }

    /// The script TSval of the last emission that had a timestamp.
    pub(super) fn latest(&self) -> Option<u32> {
        self.of_emission(usize::MAX)
    }

    fn stamped(&self) -> impl Iterator<Item = (usize, TsVal)> {
        self.emissions
            .iter()
            .enumerate()
            .filter_map(|(index, (live, _))| live.map(|live| (index, live)))
    }
}

#[cfg(test)]
mod tests {
    use ackward_model::{Options, Origin, Segment, SeqNum, TcpOption};

    use super::*;

    #[test]
    fn spaced_values_keep_their_order_across_the_wrap() {
        let sent = [TsVal(u32::MAX), TsVal(1), TsVal(0), TsVal(1)];
        let spaced = respace(&sent).expect("they have an order");
        assert_eq!(spaced[&u32::MAX], TsVal(1000));
        assert_eq!(spaced[&0], TsVal(2000));
        assert_eq!(spaced[&1], TsVal(3000));
    }

    #[test]
    fn values_half_a_circle_apart_are_left_alone() {
        let sent = [TsVal(0), TsVal(1 << 30), TsVal(1 << 31)];
        assert_eq!(respace(&sent), None);
    }

    /// In-order text whose TSvals are these, nothing between.
    fn in_order(tsvals: &[u32]) -> Trace {
        let mut trace = Trace::default();
        for (seq, tsval) in (0..).zip(tsvals) {
            let timestamps = TcpOption::Timestamps {
                tsval: TsVal(*tsval),
                tsecr: TsVal(0),
            };
            let mut segment = Segment {
                seq: SeqNum(seq),
                options: Options(vec![timestamps]),
                ..Segment::default()
            };
            trace.push(0, Event::In(segment.clone(), Origin::Step(0)));
            (segment.flags, segment.ack) = (Flags::ACK, segment.seq + 1);
            trace.push(0, Event::Out(segment));
        }
        trace
    }

    #[test]
    fn a_step_back_that_a_stack_may_take_for_its_distance_is_left_alone() {
        let moved = |sent: &[u32]| PeerClock::spaced(&in_order(sent), &[]).is_spaced();
        assert!(!moved(&[0, u32::MAX - 100, u32::MAX]));
        assert!(!moved(&[8, 7, 9]));
        assert!(moved(&[9, 7, 10]));
        assert!(moved(&[u32::MAX, 0, 1]));
    }

    #[test]
    fn an_echo_names_the_last_emission_that_had_a_timestamp() {
        let mut clock = StackClock::default();
        assert_eq!((clock.latest(), clock.next()), (None, 100));
        clock.emit(Some(TsVal(7)));
        clock.emit(None);
        assert_eq!((clock.of_emission(1), clock.next()), (Some(100), 300));
        clock.emit(Some(TsVal(7)));
        assert_eq!(clock.of_live(TsVal(7)), Some(300));
        assert_eq!(clock.of_live(TsVal(8)), None);
    }
}
