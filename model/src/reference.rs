//! Which TCBs are still possible after a trace so far.
//! RFC 9293 and RFC 7323 as a relation: inputs map every hypothesis to its successors, outputs filter them.

use crate::arrival::{self, Arrival};
use crate::latitude::Latitude;
use crate::state::State;
use crate::tcb::{Due, Recent, SendWindow, Tcb};
use crate::{Call, Icmp, Micros, OpenMode, Outcome, Segment, application, emission};

/// More hypotheses than this make a trace inconclusive; none is ever dropped to stay below.
pub const MOST_HYPOTHESES: usize = 64;

/// So many successors are made of one arrival at most, before those that are the same fall together.
pub(crate) const MOST_FORKS: usize = 16 * MOST_HYPOTHESES;

/// The set of possible TCBs.
#[derive(Clone, Debug)]
pub struct Reference {
    hypotheses: Vec<Tcb>,
    forks: Vec<Tcb>,
}

/// The set grew past [`MOST_HYPOTHESES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyHypotheses;

impl Reference {
    /// Before anything happened.
    pub fn new(open: OpenMode) -> Reference {
        Reference {
            hypotheses: vec![Tcb::new(open)],
            forks: Vec::new(),
        }
    }

    /// The possible TCBs; never empty unless everything was refused.
    pub fn hypotheses(&self) -> &[Tcb] {
        &self.hypotheses
    }

    /// The possible TCBs, to be changed in place.
    pub fn hypotheses_mut(&mut self) -> &mut Vec<Tcb> {
        &mut self.hypotheses
    }

    /// A segment arrives.
    pub fn arrive(
        &mut self,
        segment: &Segment,
        entry: usize,
        at: Micros,
        latitude: &Latitude,
    ) -> Result<(), TooManyHypotheses> {
        let arrival = Arrival {
            segment,
            entry,
            at,
            latitude,
        };
        for tcb in &mut self.hypotheses {
            for hook in &latitude.misread {
                if let Some(other) = hook(tcb, segment) {
                    let segment = &other;
                    let mut fork = tcb.clone();
                    if !segment.is_void() {
                        arrival::arrive(&mut fork, Arrival { segment, ..arrival }, &mut self.forks);
                    }
                    self.forks.push(fork);
                }
            }
            if !segment.is_void() {
                arrival::arrive(tcb, arrival, &mut self.forks);
            }
        }
        if self.forks.is_empty() {
            return Ok(());
        }
        if self.forks.len() > MOST_FORKS {
            // Some may not even have been made.
            self.forks.clear();
            return Err(TooManyHypotheses);
        }
        for fork in self.forks.drain(..) {
            absorb(&mut self.hypotheses, fork);
        }
        if self.hypotheses.len() > MOST_HYPOTHESES {
            return Err(TooManyHypotheses);
        }
        Ok(())
    }

    /// The network tells the stack something. Only of what is in flight it may tell, and only a hard error ends anything.
    pub fn told(&mut self, icmp: &Icmp, latitude: &Latitude) {
        for tcb in self.hypotheses.iter_mut().filter(|tcb| !tcb.unjudged) {
            for hook in &latitude.icmp {
                self.forks.extend(hook(tcb, icmp));
            }
            if tcb.state <= State::Listen {
                // It concerns nobody.
            } else if !tcb.state.is_synchronized() {
                // What an attempt to connect makes of it is past saying: RFC 5461 section 4.
                tcb.unjudged = true;
            } else if icmp.kind.is_hard() && icmp.concerns(tcb) {
                tcb.close();
            }
        }
        for fork in self.forks.drain(..) {
            absorb(&mut self.hypotheses, fork);
        }
    }

    /// The application calls: whatever the latest arrival set off is over.
    pub fn called(&mut self) {
        for tcb in &mut self.hypotheses {
            tcb.rcv_nxt_on_arrival = tcb.rcv_nxt;
            tcb.reset_refused = false;
        }
    }

    /// The stack emitted `segment`: hypotheses that do not fit fall away. `false` if none is left; then nothing changed.
    pub fn emit(
        &mut self,
        segment: &Segment,
        at: Micros,
        latitude: &Latitude,
        fits: impl FnMut(&Tcb) -> bool,
    ) -> bool {
        self.narrow(fits, |tcb| emission::emitted(tcb, segment, at, latitude))
    }

    /// `call` returned `outcome`; as [`Reference::emit`].
    pub fn returned(
        &mut self,
        call: &Call,
        outcome: &Outcome,
        latitude: &Latitude,
        fits: impl FnMut(&Tcb) -> bool,
    ) -> bool {
        if !self.narrow(fits, |tcb| application::returned(tcb, call, outcome)) {
            return false;
        }
        for hook in &latitude.call {
            let branches = self
                .hypotheses
                .iter()
                .filter_map(|tcb| hook(tcb, call, outcome));
            self.forks.extend(branches);
        }
        for fork in self.forks.drain(..) {
            absorb(&mut self.hypotheses, fork);
        }
        true
    }

    /// Keeps the hypotheses that fit and lets `follow` act on them. `false` if none fits; then nothing changed.
    pub fn narrow(
        &mut self,
        mut fits: impl FnMut(&Tcb) -> bool,
        mut follow: impl FnMut(&mut Tcb),
    ) -> bool {
        if let [only] = self.hypotheses.as_mut_slice() {
            if !fits(only) {
                return false;
            }
            follow(only);
            return true;
        }
        if !self.hypotheses.iter().any(&mut fits) {
            return false;
        }
        self.hypotheses.retain(&mut fits);
        self.hypotheses.iter_mut().for_each(follow);
        for index in (1..self.hypotheses.len()).rev() {
            if self.hypotheses[..index].contains(&self.hypotheses[index]) {
                self.hypotheses.swap_remove(index);
            }
        }
        true
    }
}

/// Adds `fork`. If it differs from a known hypothesis in nothing but what is a set within a hypothesis, the send windows
/// and the values of TS.Recent, that one takes its values over.
fn absorb(hypotheses: &mut Vec<Tcb>, mut fork: Tcb) {
    let offered = Sets::take(&mut fork);
    for known in hypotheses.iter_mut() {
        let mut own = Sets::take(known);
        let same = *known == fork;
        if same {
            own.unite(&offered);
        }
        own.give_back(known);
        if same {
            return;
        }
    }
    offered.give_back(&mut fork);
    hypotheses.push(fork);
}

/// What of a hypothesis is a set of possibilities.
struct Sets {
    snd_wnd: Vec<SendWindow>,
    ts_recent: Vec<Recent>,
    max_snd_wnd: u32,
    owed: Option<Due>,
}

impl Sets {
    fn take(tcb: &mut Tcb) -> Sets {
        Sets {
            snd_wnd: std::mem::take(&mut tcb.snd_wnd),
            ts_recent: std::mem::take(&mut tcb.ts_recent),
            max_snd_wnd: std::mem::take(&mut tcb.max_snd_wnd),
            owed: tcb.owed.take(),
        }
    }

    /// MAX.SND.WND decides how old an acknowledgment may be; the smaller value leaves more of them open. So does what has
    /// been owed for the shorter time.
    fn unite(&mut self, other: &Sets) {
        for window in &other.snd_wnd {
            if !self.snd_wnd.contains(window) {
                self.snd_wnd.push(*window);
            }
        }
        for recent in &other.ts_recent {
            if !self
                .ts_recent
                .iter()
                .any(|known| known.value == recent.value)
            {
                self.ts_recent.push(*recent);
            }
        }
        self.max_snd_wnd = self.max_snd_wnd.min(other.max_snd_wnd);
        let owed = self.owed.zip(other.owed);
        self.owed = owed.map(|(one, other)| if one.since >= other.since { one } else { other });
    }

    fn give_back(self, tcb: &mut Tcb) {
        tcb.snd_wnd = self.snd_wnd;
        tcb.ts_recent = self.ts_recent;
        tcb.max_snd_wnd = self.max_snd_wnd;
        tcb.owed = self.owed;
    }
}
