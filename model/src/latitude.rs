//! Where a stack may depart from the RFC: the decisions of the reference that a named deviation may answer otherwise.
//! The decisions are those of RFC 9293 section 3.10.7 and RFC 7323 sections 4.3 and 5.3.

use crate::arrival::Reading;
use crate::tcb::{SendWindow, Tcb};
use crate::{Segment, TsVal};

/// One decision and another answer to it. The RFC's own answers always stay possible: a hook only adds branches.
#[derive(Clone, Copy, Debug)]
pub enum Hook {
    /// Takes a segment that the timestamp test refuses.
    Paws(fn(&Tcb, &Segment, TsVal) -> bool),
    /// Adds ways to read any segment in a synchronized state (what is taken, whether its ACK counts).
    Reading(fn(&Tcb, &Segment, &mut Vec<Reading>)),
    /// The same for segments that are not plainly acceptable: bears on no other.
    Doubtful(fn(&Tcb, &Segment, &mut Vec<Reading>)),
    /// Adds a value that TS.Recent may have after an accepted segment; given the value before.
    TsRecent(fn(&Tcb, &Segment, &Reading, TsVal) -> Option<TsVal>),
    /// Adds a send window that may be in force after an accepted acknowledgment; given one in force before.
    SendWindow(fn(&Tcb, &Segment, SendWindow) -> Option<SendWindow>),
    /// Permits an emission that the named rule forbids.
    Emission(&'static str, fn(&Tcb, &Segment) -> bool),
    /// Owes no answer to a segment that is due one.
    Silence(fn(&Tcb, &Segment) -> bool),
    /// Treats an arriving segment in a way of its own, in a further branch: given the TCB before it, makes the TCB after it.
    Arrival(fn(&mut Tcb, &Segment) -> bool),
    /// Permits what the stack says about itself although the named rule forbids it.
    Inspection(&'static str),
}

/// The deviations in force, sorted by decision.
#[derive(Clone, Default, Debug)]
pub struct Latitude {
    /// Paws hooks.
    pub paws: Vec<fn(&Tcb, &Segment, TsVal) -> bool>,
    /// Reading and Doubtful hooks.
    pub readings: Vec<fn(&Tcb, &Segment, &mut Vec<Reading>)>,
    /// A Reading hook is among them, so no segment is plain.
    pub bears_on_all: bool,
    /// TsRecent hooks.
    pub ts_recent: Vec<fn(&Tcb, &Segment, &Reading, TsVal) -> Option<TsVal>>,
    /// SendWindow hooks.
    pub send_window: Vec<fn(&Tcb, &Segment, SendWindow) -> Option<SendWindow>>,
    /// Emission hooks, by rule.
    pub emission: Vec<(&'static str, fn(&Tcb, &Segment) -> bool)>,
    /// Silence hooks.
    pub silence: Vec<fn(&Tcb, &Segment) -> bool>,
    /// Arrival hooks: given the TCB before the segment; `true` if the branch exists.
    pub arrival: Vec<fn(&mut Tcb, &Segment) -> bool>,
    /// Inspection hooks, by rule.
    pub inspection: Vec<&'static str>,
}

impl Latitude {
    /// Puts one more deviation in force.
    pub fn allow(&mut self, hook: Hook) {
        match hook {
            Hook::Paws(f) => self.paws.push(f),
            Hook::Reading(f) => {
                self.bears_on_all = true;
                self.readings.push(f);
            }
            Hook::Doubtful(f) => self.readings.push(f),
            Hook::TsRecent(f) => self.ts_recent.push(f),
            Hook::SendWindow(f) => self.send_window.push(f),
            Hook::Emission(rule, f) => self.emission.push((rule, f)),
            Hook::Silence(f) => self.silence.push(f),
            Hook::Arrival(f) => self.arrival.push(f),
            Hook::Inspection(rule) => self.inspection.push(rule),
        }
    }

    /// Whether a deviation permits this emission although `rule` forbids it.
    pub fn permits_emission(&self, rule: &str, tcb: &Tcb, segment: &Segment) -> bool {
        self.emission
            .iter()
            .any(|(permitted, f)| *permitted == rule && f(tcb, segment))
    }
}
