//! How long a round trip an acknowledgment can have shown so far.
//! RFC 6298 section 3 (Karn's algorithm), RFC 7323 section 4.1.

use ackward_model::{Flags, Micros, Segment, SeqNum, Tcb};

/// What can have been measured.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RoundTrips {
    /// The longest round trip, microseconds.
    pub longest: Micros,
    /// Sequence space that was sent more than once.
    resent: Option<(SeqNum, SeqNum)>,
    /// One past all that was sent.
    sent_end: Option<SeqNum>,
    /// SND.UNA, where all hypotheses agree on it.
    una: Option<SeqNum>,
    /// When the first segment was sent.
    began_at: Option<Micros>,
}

impl RoundTrips {
    /// What round trip `segment`, which has made one of `hypotheses` of the connection, may have shown: where it moves
    /// SND.UNA over anything that was sent once, or timestamps tell which one it is for, or it reports text out of order.
    pub(super) fn heard(&mut self, hypotheses: &[Tcb], segment: &Segment, at: Micros) {
        let moved = |tcb: &Tcb| self.una != Some(tcb.snd_una);
        let once = |tcb: &Tcb| {
            let all = self.una.zip(self.resent);
            !all.is_some_and(|(una, (start, end))| {
                start.at_or_before(una) && tcb.snd_una.at_or_before(end)
            })
        };
        let counts = |tcb: &Tcb| moved(tcb) && (once(tcb) || tcb.timestamps);
        let reports = !segment.options.sack().is_empty();
        if let Some(began) = self.began_at
            && (reports || hypotheses.iter().any(counts))
        {
            let echo = segment.options.timestamps().map(|(_, tsecr)| tsecr);
            let ticks = |tcb: &Tcb| {
                let (latest, echo) = tcb.last_tsval.zip(echo)?;
                u64::try_from(latest.distance_from(echo)).ok()
            };
            let echoed = hypotheses.iter().filter_map(ticks).max().unwrap_or(0) * 1_000;
            self.longest = self.longest.max(at - began).max(echoed);
        }
        let first = hypotheses.first().map(|tcb| tcb.snd_una);
        self.una = first.filter(|una| hypotheses.iter().all(|tcb| tcb.snd_una == *una));
    }

    /// `segment`, which is not empty, goes out.
    pub(super) fn sends(&mut self, segment: &Segment, at: Micros) {
        self.began_at.get_or_insert(at);
        let begins = |end: SeqNum| segment.has(Flags::SYN) && end.offset_from(segment.seq) != 1;
        if self.sent_end.is_none_or(begins) {
            (self.sent_end, self.resent, self.una) = (Some(segment.end()), None, Some(segment.seq));
            return;
        }
        let Some(sent) = self.sent_end.filter(|sent| segment.seq.before(*sent)) else {
            self.sent_end = Some(segment.end());
            return;
        };
        let again = (segment.seq, segment.end().earliest(sent));
        let touches = |(start, end): &(SeqNum, SeqNum)| {
            again.0.at_or_before(*end) && start.at_or_before(again.1)
        };
        self.resent = Some(match self.resent.filter(touches) {
            Some((start, end)) => (start.earliest(again.0), end.latest(again.1)),
            None => again,
        });
        self.sent_end = Some(sent.latest(segment.end()));
    }
}
