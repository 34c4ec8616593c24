//! Decides who could have sent the injected segments of a trace: an honest peer behind a network that reorders,
//! repeats, delays and loses, or only a peer that breaks a rule.
//! RFC 9293 section 3.10 and RFC 7323 section 4.3, read from the peer's side.

use ackward_model::{
    Event, Flags, OpenMode, Origin, Segment, SeqNum, TcpOption, Trace, TsVal, WindowScale,
};

use crate::Reach;

/// The reach of `trace`: [`Reach::Network`] if there is an order of sending in which every injected segment was right
/// when it was sent, as far as the stack's emissions before its arrival show. The network explains the rest.
pub fn reach(trace: &Trace) -> Reach {
    let mut sent = injected(trace);
    if sent.is_empty() {
        return Reach::Network;
    }
    let Some(opening) = sent.iter().find(|sent| sent.segment.has(Flags::SYN)) else {
        return Reach::Peer;
    };
    let opening = *opening;
    if !delivered_in_a_lifetime(&sent) {
        return Reach::Peer;
    }
    sent.sort_by_key(|sent| (!sent.segment.has(Flags::SYN), sent.sending_key(&opening)));
    let honest = Peer::opened_by(trace, sent[0].segment).is_some_and(|mut peer| {
        let mut sent = sent.iter();
        sent.all(|sent| sent.clock_reads(&opening) >= 0 && peer.could_send(sent))
    });
    if honest { Reach::Network } else { Reach::Peer }
}

/// A segment of the scenario with its place in the trace.
#[derive(Clone, Copy)]
struct Sent<'a> {
    segment: &'a Segment,
    arrival: usize,
}

impl Sent<'_> {
    /// Sorts segments as an honest peer must have sent them: by its clock, then by what it had received, then by what
    /// it had sent; without timestamps by the last two.
    fn sending_key(&self, opening: &Sent<'_>) -> (i32, i32, i32, i32) {
        let ack = self.segment.ack.distance_from(opening.segment.ack);
        let end = self.segment.end().distance_from(opening.segment.seq);
        let seq = self.segment.seq.distance_from(opening.segment.seq);
        (self.clock_reads(opening), ack, end, seq)
    }

    /// The ticks of the peer's clock since it sent its SYN, 0 without timestamps; below 0 is no honest clock.
    fn clock_reads(&self, opening: &Sent<'_>) -> i32 {
        let clock = |segment: &Segment| segment.options.timestamps().map(|(tsval, _)| tsval);
        match (clock(self.segment), clock(opening.segment)) {
            (Some(tsval), Some(first)) => tsval.distance_from(first),
            _ => 0,
        }
    }
}

/// The most ticks of a peer's clock that a segment may have spent in the network: two minutes (MSL, RFC 9293 section
/// 3.4.1) of the fastest clock that RFC 7323 section 5.4 allows, a tick a millisecond.
const LIFETIME: i32 = 120_000;

/// Whether each of `sent`, in order of arrival, arrives before the network may hold it no longer: no much younger one has
/// arrived before it.
fn delivered_in_a_lifetime(sent: &[Sent<'_>]) -> bool {
    let mut newest: Option<TsVal> = None;
    sent.iter().all(|sent| {
        let Some((tsval, _)) = sent.segment.options.timestamps() else {
            return true;
        };
        let ahead = newest.map_or(0, |newest| newest.distance_from(tsval));
        if ahead <= 0 {
            newest = Some(tsval);
        }
        ahead <= LIFETIME
    })
}

fn injected(trace: &Trace) -> Vec<Sent<'_>> {
    let entries = trace.entries.iter().enumerate();
    entries
        .filter_map(|(arrival, entry)| match &entry.event {
            Event::In(segment, Origin::Step(_)) => Some(Sent { segment, arrival }),
            _ => None,
        })
        .collect()
}

/// The peer as it must have been, followed in the order of its sending.
struct Peer<'a> {
    trace: &'a Trace,
    syn: &'a Segment,
    stack_syn: &'a Segment,
    timestamps: bool,
    sack: bool,
    /// The shift of the windows it sends.
    shift: WindowScale,
    /// The shift of the windows it receives.
    stack_shift: WindowScale,
    last_ack: SeqNum,
    last_echo: TsVal,
    end: SeqNum,
    edge: Option<SeqNum>,
    fin: Option<SeqNum>,
    /// The segments with text sent so far.
    texts: Vec<&'a Segment>,
    /// Where urgent text has ended so far.
    ups: Vec<SeqNum>,
    gone: bool,
}

impl<'a> Peer<'a> {
    fn opened_by(trace: &'a Trace, syn: &'a Segment) -> Option<Peer<'a>> {
        let stack_syn = trace.emissions().find(|segment| segment.has(Flags::SYN))?;
        let shifts = syn
            .options
            .window_scale()
            .zip(stack_syn.options.window_scale());
        let (shift, stack_shift) = shifts
            .map_or((WindowScale::NONE, WindowScale::NONE), |(peer, stack)| {
                (WindowScale::announced(peer), WindowScale::announced(stack))
            });
        let timestamps = syn.options.timestamps().zip(stack_syn.options.timestamps());
        Some(Peer {
            trace,
            syn,
            stack_syn,
            timestamps: timestamps.is_some(),
            sack: syn.options.sack_permitted() && stack_syn.options.sack_permitted(),
            shift,
            stack_shift,
            last_ack: stack_syn.seq + 1,
            last_echo: stack_syn
                .options
                .timestamps()
                .map_or(TsVal(0), |(tsval, _)| tsval),
            end: syn.seq + 1,
            edge: None,
            fin: None,
            texts: Vec::new(),
            ups: Vec::new(),
            gone: false,
        })
    }

    /// Whether the peer may send this next; follows it if so.
    fn could_send(&mut self, sent: &Sent<'a>) -> bool {
        if sent.segment.has(Flags::SYN) {
            return self.could_open(sent);
        }
        let ok = !self.gone
            && !sent.segment.damaged
            && self.flags_fit(sent.segment)
            && self.urgency_fits(sent.segment)
            && self.options_fit(sent)
            && self.acknowledgment_fits(sent)
            && self.text_fits(sent)
            && self.says_the_same(sent.segment)
            && self.window_fits(sent.segment);
        self.gone |= sent.segment.has(Flags::RST);
        ok
    }

    /// The SYN, or a repetition of it, as an honest peer sends it.
    fn could_open(&self, sent: &Sent<'_>) -> bool {
        let segment = sent.segment;
        let plain =
            segment.payload.is_empty() && !segment.has(Flags::FIN) && !segment.has(Flags::RST);
        let right_flags = match self.trace.open {
            OpenMode::Passive => !segment.has(Flags::ACK),
            // Without ACK the SYNs crossed, which is as honest.
            OpenMode::Active => !segment.has(Flags::ACK) || segment.ack == self.stack_syn.seq + 1,
        };
        let echo_fits = match (self.trace.open, segment.options.timestamps()) {
            (_, None) => true,
            (_, Some((_, tsecr))) if !segment.has(Flags::ACK) => tsecr.0 == 0,
            (_, Some((_, tsecr))) => {
                // Timestamps in a SYN,ACK answer those of the SYN.
                self.stack_syn
                    .options
                    .timestamps()
                    .is_some_and(|(tsval, _)| tsval == tsecr)
            }
        };
        let answered = !segment.has(Flags::ACK)
            || (segment.options.window_scale().is_none()
                || self.stack_syn.options.window_scale().is_some())
                && (!segment.options.sack_permitted() || self.stack_syn.options.sack_permitted());
        plain
            && right_flags
            && echo_fits
            && answered
            && segment.seq == self.syn.seq
            && segment.options == self.syn.options
            && segment
                .options
                .window_scale()
                .is_none_or(|shift| shift <= 14)
            && segment
                .options
                .maximum_segment_size()
                .is_none_or(|mss| mss >= 64)
            && !segment
                .options
                .0
                .iter()
                .any(|option| matches!(option, TcpOption::Raw(_)))
    }

    fn flags_fit(&self, segment: &Segment) -> bool {
        let known = Flags::ACK | Flags::PSH | Flags::FIN | Flags::RST | Flags::URG;
        segment.has(Flags::ACK)
            && segment.flags.without(known) == Flags::NONE
            && !(segment.has(Flags::RST)
                && (segment.has(Flags::FIN)
                    || segment.has(Flags::URG)
                    || !segment.payload.is_empty()))
    }

    /// Urgent text ends behind all that was sent before it was written, and what holds the end of it says so.
    fn urgency_fits(&mut self, segment: &Segment) -> bool {
        if !segment.has(Flags::URG) {
            let ends_in =
                |up: &SeqNum| up.after(segment.seq) && up.at_or_before(segment.text_end());
            return !self.ups.iter().any(ends_in);
        }
        let up = segment.seq + u32::from(segment.urgent);
        if segment.urgent == 0 {
            return false;
        }
        let known = self.ups.contains(&up);
        let new = up.after(self.end);
        if new && !known {
            self.ups.push(up);
        }
        known || new
    }

    fn options_fit(&self, sent: &Sent<'_>) -> bool {
        let mut timestamps = 0;
        let all = sent.segment.options.0.iter().all(|option| match option {
            TcpOption::NoOperation | TcpOption::EndOfList => true,
            TcpOption::Timestamps { .. } => {
                timestamps += 1;
                true
            }
            TcpOption::Sack(blocks) => {
                let sent_so_far = self.stack_end_before(sent.arrival);
                self.sack
                    && blocks.as_slice().iter().all(|block| {
                        block.left.before(block.right)
                            && block.right.at_or_before(sent_so_far)
                            && block.left.after(self.stack_syn.seq)
                    })
            }
            _ => false,
        });
        let wanted = usize::from(self.timestamps);
        all && (timestamps == wanted || sent.segment.has(Flags::RST) && timestamps == 0)
    }

    /// The acknowledgment never decreases, covers whole emissions that had been sent, and the echo is one of theirs.
    fn acknowledgment_fits(&mut self, sent: &Sent<'_>) -> bool {
        let segment = sent.segment;
        let boundary = segment.ack == self.stack_syn.seq + 1
            || self
                .emissions_before(sent.arrival)
                .any(|emission| emission.end() == segment.ack);
        if segment.ack.before(self.last_ack) || !boundary {
            return false;
        }
        if let (true, Some((_, tsecr))) = (self.timestamps, segment.options.timestamps()) {
            let echoes_one = self.emissions_before(sent.arrival).any(|emission| {
                let tsval = emission.options.timestamps().map(|(tsval, _)| tsval);
                tsval == Some(tsecr) && emission.seq.at_or_before(segment.ack)
            });
            if !echoes_one || tsecr.distance_from(self.last_echo) < 0 {
                return false;
            }
            // What it acknowledges for the first time moves its TS.Recent to the first segment of that run.
            let first_of_run = self.emissions_before(sent.arrival).find(|emission| {
                emission.seq.at_or_before(self.last_ack) && emission.end().after(self.last_ack)
            });
            let owed = first_of_run.and_then(|emission| emission.options.timestamps());
            if let (true, Some((tsval, _))) = (segment.ack.after(self.last_ack), owed)
                && tsecr.distance_from(tsval) < 0
            {
                return false;
            }
            self.last_echo = tsecr;
        }
        self.last_ack = segment.ack;
        true
    }

    /// Text lies in a window that was offered and within the segment size; what carries none stands at the end of what
    /// was sent. Text that is missing before it was lost.
    fn text_fits(&mut self, sent: &Sent<'_>) -> bool {
        let segment = sent.segment;
        if segment.seq.at_or_before(self.syn.seq) {
            return false;
        }
        if segment.is_empty() && segment.seq.before(self.end) {
            return false;
        }
        if let Some(fin) = self.fin {
            let past = segment.text_end().after(fin);
            let fin_elsewhere = segment.has(Flags::FIN) && segment.text_end() != fin;
            let pure = segment.is_empty() && segment.seq == fin + 1;
            if (past || fin_elsewhere) && !pure {
                return false;
            }
        }
        if segment.has(Flags::FIN) {
            if segment.text_end().before(self.end) && self.fin.is_none() {
                return false;
            }
            self.fin = Some(segment.text_end());
        }
        let mss = self.stack_syn.options.maximum_segment_size().unwrap_or(536);
        let options = segment.options.to_bytes().len();
        let offered = self.offered_edge_before(sent.arrival);
        // One octet may probe a window that was shut.
        let shut = self
            .emissions_before(sent.arrival)
            .any(|emission| emission.window.0 == 0);
        let probe = u32::from(shut && segment.payload.len() == 1);
        self.end = self.end.latest(segment.end());
        segment.payload.len() + options <= usize::from(mss)
            && segment.end().at_or_before(offered + probe)
    }

    /// Octets sent again are those sent before.
    fn says_the_same(&mut self, segment: &'a Segment) -> bool {
        if segment.payload.is_empty() {
            return true;
        }
        let same = self.texts.iter().all(|before| {
            let apart = segment.text_start().distance_from(before.text_start());
            let (early, late) = if apart >= 0 {
                (*before, segment)
            } else {
                (segment, *before)
            };
            let skipped = apart.unsigned_abs() as usize;
            let rest = early.payload.get(skipped..).unwrap_or_default();
            rest.iter()
                .zip(&late.payload)
                .all(|(one, other)| one == other)
        });
        self.texts.push(segment);
        same
    }

    /// The right edge of its own window does not move left by a step of the field or more.
    fn window_fits(&mut self, segment: &Segment) -> bool {
        if segment.has(Flags::RST) {
            return true;
        }
        let edge = segment.ack + segment.window.scaled(self.shift).0;
        let before = self
            .edge
            .unwrap_or(self.stack_syn.seq + 1 + self.syn.window.unscaled().0);
        let lost = before.distance_from(edge);
        self.edge = Some(before.latest(edge));
        lost <= 0 || lost.unsigned_abs() < self.shift.granularity()
    }

    fn emissions_before(&self, arrival: usize) -> impl Iterator<Item = &'a Segment> {
        let entries = self.trace.entries[..arrival].iter();
        entries.filter_map(|entry| match &entry.event {
            Event::Out(segment) if !segment.has(Flags::RST) => Some(segment),
            _ => None,
        })
    }

    fn stack_end_before(&self, arrival: usize) -> SeqNum {
        let ends = self.emissions_before(arrival).map(Segment::end);
        ends.fold(self.stack_syn.seq + 1, SeqNum::latest)
    }

    fn offered_edge_before(&self, arrival: usize) -> SeqNum {
        let first = self.syn.seq + 1;
        self.emissions_before(arrival)
            .filter(|emission| emission.has(Flags::ACK))
            .map(|emission| {
                let window = if emission.has(Flags::SYN) {
                    emission.window.unscaled()
                } else {
                    emission.window.scaled(self.stack_shift)
                };
                emission.ack + window.0
            })
            .fold(first, SeqNum::latest)
    }
}
