//! Decides whether a stack was silent where it had to say something: at once, before long, or by itself.
//! RFC 9293 sections 3.8 and 3.10.7.

use ackward_model::{Due, Event, Flags, Latitude, Micros, SendWindow, State, Tcb, Trace};

use super::PATIENCE;
use super::run::{Broken, Run, broken};
use crate::pace::Pace;
use crate::rule::{Misfit, Rule};
use crate::rules;
use crate::verdict::EventKind;

impl Run {
    /// An answer that is due and did not come before the case went on: missing if there was time enough for it, else
    /// no more than suspected.
    pub(super) fn settle_silence(&mut self, entry: usize, now: Micros) -> Result<(), Broken> {
        let hypotheses = self.reference.hypotheses_mut();
        if hypotheses.iter().all(|tcb| tcb.due.is_none()) {
            return Ok(());
        }
        let everyone = hypotheses
            .iter()
            .all(|tcb| tcb.due.is_some() && !tcb.unjudged);
        let oldest = hypotheses
            .iter()
            .filter_map(|tcb| tcb.due)
            .min_by_key(|due| due.since);
        if let (true, Some(due)) = (everyone, oldest) {
            if now.saturating_sub(due.since) >= PATIENCE && !self.disturbed {
                let Some(tcb) = hypotheses.first() else {
                    return Ok(());
                };
                let (id, allowed, why) = if tcb.state < State::SynReceived {
                    (
                        "9293:RST-owed",
                        "a RST",
                        "this segment belongs to no connection",
                    )
                } else {
                    (
                        "9293:ACK-oow",
                        "an acknowledgment",
                        "this segment is not acceptable",
                    )
                };
                if let Some(rule) = rules::rule(id) {
                    let mut misfit = Misfit::new(allowed, "no answer within 600 ms");
                    misfit.why = vec![(due.entry, why.to_owned())];
                    return Err(broken((entry, 0), rule, EventKind::Silence, tcb, misfit));
                }
            } else if self.suspicion.is_none() {
                self.suspicion = Some(due.entry);
            }
        }
        hypotheses.iter_mut().for_each(|tcb| tcb.due = None);
        Ok(())
    }

    /// An acknowledgment that may be delayed, but not for so long.
    pub(super) fn settle_owed(
        &self,
        trace: &Trace,
        entry: usize,
        now: Micros,
    ) -> Result<(), Broken> {
        let hypotheses = self.reference.hypotheses();
        let late = |tcb: &Tcb| {
            let owed = tcb.owed.filter(|_| !tcb.unjudged);
            owed.is_some_and(|owed| now.saturating_sub(owed.since) >= PATIENCE)
        };
        if self.disturbed || !hypotheses.iter().all(late) {
            return Ok(());
        }
        let owed = hypotheses.first().and_then(|tcb| Some((tcb, tcb.owed?)));
        let Some((tcb, owed)) = owed else {
            return Ok(());
        };
        let (id, why) = match &trace.entries[owed.entry].event {
            Event::In(segment, _) if segment.has(Flags::SYN) => {
                ("9293:SYN-ack", "this SYN opens the connection")
            }
            Event::In(segment, _) if segment.seq.after(tcb.rcv_nxt) => {
                ("5681:4.2-c", "this segment is out of order")
            }
            _ => ("9293:MUST-40", "this segment is in order"),
        };
        let Some(rule) = rules::rule(id) else {
            return Ok(());
        };
        let mut misfit = Misfit::new("an acknowledgment", "no answer within 600 ms");
        misfit.why = vec![(owed.entry, why.to_owned())];
        Err(broken((entry, 0), rule, EventKind::Silence, tcb, misfit))
    }

    /// A challenge that is due and did not come. Whoever obeys a reset where RFC 5961 challenges it owes none, so that it
    /// may show only later that one was missing.
    pub(super) fn settle_challenge(
        &mut self,
        trace: &Trace,
        entry: usize,
        now: Micros,
    ) -> Result<(), Broken> {
        let hypotheses = self.reference.hypotheses_mut();
        let mut standing = hypotheses.iter().filter(|tcb| tcb.state.is_synchronized());
        if self.suspicion.is_none() && standing.all(|tcb| tcb.challenge.is_some()) {
            self.suspicion = hypotheses
                .iter()
                .find_map(|tcb| tcb.challenge.map(|due| due.entry));
        }
        for tcb in hypotheses.iter_mut() {
            let late = |due: &Due| now.saturating_sub(due.since) >= PATIENCE;
            let missed = tcb.challenge.take().filter(late);
            tcb.unchallenged = tcb.unchallenged.or(missed);
        }
        let missed = |tcb: &Tcb| tcb.unchallenged.is_some() && !tcb.unjudged;
        if self.disturbed || !hypotheses.iter().all(missed) {
            return Ok(());
        }
        let missed = hypotheses
            .first()
            .and_then(|tcb| Some((tcb, tcb.unchallenged?)));
        let Some((tcb, due)) = missed else {
            return Ok(());
        };
        let flags = match &trace.entries[due.entry].event {
            Event::In(segment, _) => segment.flags,
            _ => Flags::NONE,
        };
        let (id, why) = if flags.contains(Flags::RST) {
            (
                "5961:3.2-b",
                "this RST is in the window, and not at RCV.NXT",
            )
        } else if flags.contains(Flags::SYN) {
            ("5961:4.2", "this SYN comes on a connection that stands")
        } else {
            ("5961:5.2", "this acknowledges what was never sent")
        };
        let Some(rule) = rules::rule(id) else {
            return Ok(());
        };
        let mut misfit = Misfit::new("an acknowledgment", "no answer within 600 ms");
        misfit.why = vec![(due.entry, why.to_owned())];
        Err(broken((entry, 0), rule, EventKind::Silence, tcb, misfit))
    }

    /// What is to be sent is sent in time. Nothing happened between the entry before `entry` and `now`.
    pub(super) fn settle_quiet(
        &self,
        trace: &Trace,
        entry: usize,
        now: Micros,
        latitude: &Latitude,
    ) -> Result<(), Broken> {
        let hypotheses = self.reference.hypotheses();
        let Some(tcb) = hypotheses.first() else {
            return Ok(());
        };
        let mut events = trace.entries[..entry].iter().rev();
        let quiet_since = events.find(|entry| match &entry.event {
            Event::Elapse(_) => false,
            // An acknowledgment at SND.NXT asks for no answer.
            Event::Out(segment) => !segment.is_empty() || segment.seq != tcb.snd_nxt,
            _ => true,
        });
        let (Some(since), Some(first)) = (quiet_since, trace.entries.first()) else {
            return Ok(());
        };
        let age = since.at - first.at;
        let quiet = now.saturating_sub(since.at);
        for expected in &EXPECTED {
            let late = quiet >= (expected.within)(&self.pace) && age <= expected.up_to;
            let owing = |tcb: &Tcb| !tcb.unjudged && (expected.of)(tcb, &self.pace);
            let permitted = latitude.quiet.contains(&expected.rule);
            if !late || permitted || self.disturbed || !hypotheses.iter().all(owing) {
                continue;
            }
            if let Some(rule) = rules::rule(expected.rule) {
                let misfit = Misfit::new("a segment", format!("nothing for {} ms", quiet / 1_000));
                let entry = entry.min(trace.entries.len() - 1);
                return Err(broken((entry, 0), rule, EventKind::Silence, tcb, misfit));
            }
        }
        Ok(())
    }
}

/// Something that must be sent though nothing arrives.
struct Expected {
    rule: &'static str,
    of: fn(&Tcb, &Pace) -> bool,
    /// By then at the latest, microseconds after the last event.
    within: fn(&Pace) -> Micros,
    /// A connection that has lived longer, microseconds, may wait longer.
    up_to: Micros,
}

/// What is expected of a stack that is left alone.
static EXPECTED: [Expected; 9] = [
    Expected {
        rule: "9293:SND-again",
        of: |tcb, pace| sends_again(tcb, pace) && !pace.reports.hold(tcb.snd_una),
        within: |_| LONGEST_TIMEOUT,
        up_to: YOUNG,
    },
    Expected {
        rule: "2018:5",
        of: |tcb, pace| sends_again(tcb, pace) && pace.reports.hold(tcb.snd_una),
        within: |_| LONGEST_TIMEOUT,
        up_to: YOUNG,
    },
    Expected {
        rule: "9293:MUST-23",
        of: repeats_syn,
        within: |_| SYN_TIMEOUT,
        up_to: THREE_MINUTES - SYN_TIMEOUT,
    },
    Expected {
        rule: "9293:MUST-36",
        of: |tcb, pace| tcb.must_probe() && pace.user_timeout.is_none(),
        within: |_| LONGEST_TIMEOUT,
        up_to: YOUNG,
    },
    Expected {
        rule: "9293:SND-prompt",
        of: |tcb, _| tcb.may_send_all(),
        within: |_| OVERRIDE,
        up_to: Micros::MAX,
    },
    Expected {
        rule: "9293:MUST-17",
        of: may_follow,
        within: |_| PROMPT,
        up_to: Micros::MAX,
    },
    Expected {
        rule: "9293:MUST-24",
        of: awaits_keep_alive,
        within: |pace| pace.keep_idle.unwrap_or_default().max(TWO_HOURS) + HALF_A_MINUTE,
        up_to: Micros::MAX,
    },
    Expected {
        rule: "9293:MUST-27",
        of: awaits_keep_alive,
        within: |pace| pace.keep_idle.unwrap_or_default() + HALF_A_MINUTE,
        up_to: Micros::MAX,
    },
    Expected {
        rule: "9293:OPEN",
        of: |tcb, _| tcb.must_open(),
        within: |_| OVERRIDE,
        up_to: Micros::MAX,
    },
];

/// Whether `rule` asks for something to be sent though nothing arrives.
pub(super) fn is_of_sending(rule: &Rule) -> bool {
    EXPECTED
        .iter()
        .any(|expected| expected.rule == rule.card.id)
}

/// Whether small text may go although other text is in flight: the window takes it, and no loss has shut the congestion
/// window.
fn may_follow(tcb: &Tcb, pace: &Pace) -> bool {
    let waiting = tcb.iss + 1 + tcb.written;
    let few = |window: &SendWindow| waiting.at_or_before(tcb.snd_una + window.snd_wnd.min(1_000));
    tcb.state.is_synchronized()
        && pace.no_delay
        && !pace.repeated
        && tcb.snd_una.before(tcb.snd_nxt)
        && tcb.snd_nxt.before(waiting)
        && tcb.snd_wnd.iter().all(few)
}

/// Whether something is to be sent before long by whom nothing else bids to wait.
fn sends_again(tcb: &Tcb, pace: &Pace) -> bool {
    tcb.must_send() && !repeats_syn(tcb, pace) && pace.user_timeout.is_none()
}

/// Whether a SYN that nobody answers has been sent more than once.
fn repeats_syn(tcb: &Tcb, pace: &Pace) -> bool {
    tcb.state == State::SynSent && pace.times > 1 && pace.user_timeout.is_none()
}

/// Whether the application has said after how long a keep-alive is to be sent, and nothing else is to be.
fn awaits_keep_alive(tcb: &Tcb, pace: &Pace) -> bool {
    let asked = pace.keep_alive && pace.keep_idle.is_some() && pace.keep_alives == 0;
    let quiet = tcb.snd_una == tcb.snd_nxt && tcb.send_end() == tcb.snd_nxt;
    asked && quiet && matches!(tcb.state, State::Established | State::CloseWait)
}

/// A connection that is no older has measured no long round trip and backed off at most twice, in microseconds.
const YOUNG: Micros = 2_000_000;
/// No timeout of a young connection is longer (RFC 6298 starts at a second and doubles), in microseconds.
const LONGEST_TIMEOUT: Micros = 60_000_000;
/// No interval between two SYNs is longer, in microseconds: it doubles from a second to a minute at most.
const SYN_TIMEOUT: Micros = 65_000_000;
/// A SYN is sent again for so long, in microseconds (RFC 9293 section 3.8.3).
const THREE_MINUTES: Micros = 180_000_000;
/// What the interval of keep-alive is at least by default, in microseconds.
const TWO_HOURS: Micros = 7_200_000_000;
/// A timer of hours is late by no more, in microseconds.
const HALF_A_MINUTE: Micros = 30_000_000;
/// No text is held back longer to make larger segments (RFC 9293 section 3.8.6.2.1: a second), in microseconds.
const OVERRIDE: Micros = 1_100_000;
/// What nothing holds back is sent by then, in microseconds.
const PROMPT: Micros = 150_000;
