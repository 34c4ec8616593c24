//! Where a stack may depart from the RFC: the decisions of the reference that a named deviation may answer otherwise.
//! The decisions are those of RFC 9293 section 3.10.7 and RFC 7323 sections 4.3 and 5.3.

use crate::arrival::Reading;
use crate::tcb::{SendWindow, Tcb};
use crate::{Call, Icmp, Outcome, Segment, TsVal};

/// Whether a segment older than this value of TS.Recent is taken all the same.
pub type PawsHook = fn(&Tcb, &Segment, TsVal) -> bool;
/// Adds readings of a segment.
pub type ReadingHook = fn(&Tcb, &Segment, &mut Vec<Reading>);
/// Another value of TS.Recent after a segment, given the value before.
pub type TsRecentHook = fn(&Tcb, &Segment, &Reading, TsVal) -> Option<TsVal>;
/// Another send window after an acknowledgment, given one before.
pub type SendWindowHook = fn(&Tcb, &Segment, SendWindow) -> Option<SendWindow>;
/// Whether something about a segment is permitted.
pub type PermitHook = fn(&Tcb, &Segment) -> bool;
/// Makes the TCB after a segment from the one before it, if the branch exists.
pub type ArrivalHook = fn(&Tcb, &Segment) -> Option<Tcb>;

/// The segment that another one is taken for, if the branch exists.
pub type MisreadHook = fn(&Tcb, &Segment) -> Option<Segment>;

/// Makes the TCB after an ICMP message from the one before it, if the branch exists.
pub type IcmpHook = fn(&Tcb, &Icmp) -> Option<Tcb>;
/// Makes another TCB of the one after a call of the application that returned this, if the branch exists.
pub type CallHook = fn(&Tcb, &Call, &Outcome) -> Option<Tcb>;
/// Makes another TCB of one in a connection that is being opened, if the branch exists.
pub type OpeningHook = fn(&Tcb) -> Option<Tcb>;

/// One decision and another answer to it. The RFC's own answers always stay possible: a hook only adds branches.
#[derive(Clone, Copy, Debug)]
pub enum Hook {
    /// Takes a segment that the timestamp test refuses.
    Paws(PawsHook),
    /// Adds ways to read any segment in a synchronized state (what is taken, whether its ACK counts).
    Reading(ReadingHook),
    /// The same for segments that are not plainly acceptable: bears on no other.
    Doubtful(ReadingHook),
    /// Adds a value that TS.Recent may have after an accepted segment; given the value before.
    TsRecent(TsRecentHook),
    /// Adds a send window that may be in force after an accepted acknowledgment; given one in force before.
    SendWindow(SendWindowHook),
    /// While the handshake lasts, another TCB after an arrival: given the RFC's own, in a further branch.
    Opening(OpeningHook),
    /// Adds ways to read a segment that the timestamp test refuses.
    Refused(ReadingHook),
    /// What an emission echoes tells nothing of TS.Recent.
    Echo(PermitHook),
    /// Permits an emission that the named rule forbids.
    Emission(&'static str, PermitHook),
    /// Owes no answer to a segment that is due one.
    Silence(PermitHook),
    /// Sends no challenge where one is due.
    Challenge(PermitHook),
    /// Never acknowledges a segment in order for its own sake.
    Delay(PermitHook),
    /// Treats an arriving segment in a way of its own, in a further branch: given the TCB before it, makes the TCB after it.
    Arrival(ArrivalHook),
    /// Takes a segment for another one, in a further branch.
    Misread(MisreadHook),
    /// Treats an ICMP message in a way of its own, in a further branch.
    Icmp(IcmpHook),
    /// Stops working at a segment, in a further branch: nothing is ever sent again.
    Death(PermitHook),
    /// Permits the stack to stay quiet although the named rule asks for a segment.
    Quiet(&'static str),
    /// Permits what the stack says about itself although the named rule forbids it.
    Inspection(&'static str),
    /// Lets a call of the application change the connection in a way of its own, in a further branch.
    Call(CallHook),
}

/// The deviations in force, sorted by decision.
#[derive(Clone, Default, Debug)]
pub struct Latitude {
    /// Paws hooks.
    pub paws: Vec<PawsHook>,
    /// Reading and Doubtful hooks.
    pub readings: Vec<ReadingHook>,
    /// A Reading hook is among them, so no segment is plain.
    pub bears_on_all: bool,
    /// TsRecent hooks.
    pub ts_recent: Vec<TsRecentHook>,
    /// SendWindow hooks.
    pub send_window: Vec<SendWindowHook>,
    /// Opening hooks.
    pub opening: Vec<OpeningHook>,
    /// Refused hooks.
    pub refused: Vec<ReadingHook>,
    /// Echo hooks.
    pub echo: Vec<PermitHook>,
    /// Emission hooks, by rule.
    pub emission: Vec<(&'static str, PermitHook)>,
    /// Silence hooks.
    pub silence: Vec<PermitHook>,
    /// Challenge hooks.
    pub challenge: Vec<PermitHook>,
    /// Delay hooks.
    pub delay: Vec<PermitHook>,
    /// Arrival hooks: given the TCB before the segment.
    pub arrival: Vec<ArrivalHook>,
    /// Misread hooks.
    pub misread: Vec<MisreadHook>,
    /// ICMP hooks.
    pub icmp: Vec<IcmpHook>,
    /// Death hooks.
    pub death: Vec<PermitHook>,
    /// Quiet hooks, by rule.
    pub quiet: Vec<&'static str>,
    /// Inspection hooks, by rule.
    pub inspection: Vec<&'static str>,
    /// Call hooks.
    pub call: Vec<CallHook>,
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
            Hook::Opening(f) => self.opening.push(f),
            Hook::Refused(f) => self.refused.push(f),
            Hook::Echo(f) => self.echo.push(f),
            Hook::Emission(rule, f) => self.emission.push((rule, f)),
            Hook::Silence(f) => self.silence.push(f),
            Hook::Challenge(f) => self.challenge.push(f),
            Hook::Delay(f) => self.delay.push(f),
            Hook::Arrival(f) => self.arrival.push(f),
            Hook::Misread(f) => self.misread.push(f),
            Hook::Icmp(f) => self.icmp.push(f),
            Hook::Death(f) => self.death.push(f),
            Hook::Quiet(rule) => self.quiet.push(rule),
            Hook::Inspection(rule) => self.inspection.push(rule),
            Hook::Call(f) => self.call.push(f),
        }
    }

    /// Whether a deviation permits this emission although `rule` forbids it.
    pub fn permits_emission(&self, rule: &str, tcb: &Tcb, segment: &Segment) -> bool {
        self.emission
            .iter()
            .any(|(permitted, f)| *permitted == rule && f(tcb, segment))
    }
}
