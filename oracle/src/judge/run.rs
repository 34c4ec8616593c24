//! One pass over a trace under one latitude: inputs move the reference, outputs filter it.

use ackward_model::{
    Call, Event, Flags, Hook, Latitude, Micros, Origin, Outcome, Path, Reference, Sample, Segment,
    SocketOption, Sysctl, Tcb, Trace,
};

use super::{feature, silence};
use crate::Coverage;
use crate::pace::Pace;
use crate::rule::{
    Check, Deviation, Emission, EmissionFits, InspectionFits, Misfit, ReturnFits, Rule, RuleCard,
};
use crate::rules;
use crate::verdict::{Diagnosis, Divergence, EventKind, Facts};

/// The working memory of a pass.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) reference: Reference,
    emission_checks: Vec<(&'static str, EmissionFits, &'static Rule)>,
    return_checks: Vec<(ReturnFits, &'static Rule)>,
    inspection_checks: Vec<(&'static str, InspectionFits, &'static Rule)>,
    may_shrink_window: bool,
    path: Path,
    pub(super) pace: Pace,
    pub(super) suspicion: Option<usize>,
    contradicted_at: Option<usize>,
    /// The machine was late in this trace, so that nothing can be called missing.
    pub(super) disturbed: bool,
}

/// Where a trace left the reference.
#[derive(Debug)]
pub(super) enum Broken {
    /// An event that no hypothesis allows.
    At {
        entry: usize,
        /// How many of the event's checks the best hypothesis passed.
        passed: usize,
        rule: &'static Rule,
        kind: EventKind,
        state: &'static str,
        misfit: Box<Misfit>,
    },
    /// Too many hypotheses from this event on.
    Overflow { entry: usize },
}

impl Default for Run {
    fn default() -> Run {
        let mut run = Run {
            reference: Reference::new(Default::default()),
            emission_checks: Vec::new(),
            return_checks: Vec::new(),
            inspection_checks: Vec::new(),
            may_shrink_window: false,
            path: Path::default(),
            pace: Pace::default(),
            suspicion: None,
            contradicted_at: None,
            disturbed: false,
        };
        for rule in rules::rules() {
            match &rule.check {
                Some(Check::Emission { fits, .. }) => {
                    run.emission_checks.push((rule.card.id, *fits, rule));
                }
                Some(Check::Return { fits, .. }) => run.return_checks.push((*fits, rule)),
                Some(Check::Inspection { fits, .. }) => {
                    run.inspection_checks.push((rule.card.id, *fits, rule));
                }
                Some(Check::Silence) | None => {}
            }
        }
        run
    }
}

impl Run {
    /// Passes over `trace`.
    pub(super) fn over(
        &mut self,
        trace: &Trace,
        latitude: &Latitude,
        coverage: &mut dyn Coverage,
    ) -> Result<(), Broken> {
        let hypotheses = self.reference.hypotheses_mut();
        hypotheses.clear();
        let mut tcb = Tcb::new(trace.open);
        tcb.text_origin = trace.text_origin;
        tcb.remote_is_void = trace.remote_is_void;
        self.suspicion = None;
        self.contradicted_at = None;
        self.disturbed = trace.disturbed.is_some();
        self.path = trace.path;
        tcb.syn_cookies = trace.sysctls.contains(&Sysctl::SynCookies(true));
        self.pace = Pace::new(&trace.socket_options);
        // Only a few segment sizes fit into a cookie.
        (self.pace.cramped, self.pace.narrow) = (tcb.syn_cookies, tcb.syn_cookies);
        self.may_shrink_window = trace.sysctls.contains(&Sysctl::ShrinkWindow(true));
        tcb.may_shrink_window = self.may_shrink_window;
        hypotheses.push(tcb);
        let inline = trace
            .socket_options
            .contains(&SocketOption::UrgentInline(true));
        let mut call: Option<Call> = None;
        for (index, entry) in trace.entries.iter().enumerate() {
            if matches!(entry.event, Event::In(..) | Event::Call(_)) {
                self.settle_end(entry.at);
                self.settle_silence(index, entry.at)?;
                self.settle_owed(trace, index, entry.at)?;
                self.settle_challenge(trace, index, entry.at)?;
            }
            if matches!(entry.event, Event::In(..) | Event::Call(_) | Event::Out(_)) {
                self.settle_quiet(trace, index, entry.at, latitude)?;
            }
            match &entry.event {
                Event::In(segment, origin) => {
                    if let (Some(tcb), Origin::Step(_)) =
                        (self.reference.hypotheses().first(), origin)
                    {
                        coverage.hit(feature::arrival(tcb, segment));
                    }
                    self.reference
                        .arrive(segment, index, entry.at, latitude)
                        .map_err(|_| Broken::Overflow { entry: index })?;
                    if segment.has(Flags::URG) && !inline {
                        // What the sockets interface takes out of the stream, and when, the RFCs do not know.
                        for tcb in self.reference.hypotheses_mut() {
                            (tcb.reads_unknown, tcb.urgent_unknown) = (true, true);
                        }
                    }
                    if !segment.is_void() {
                        self.pace
                            .heard(self.reference.hypotheses(), segment, entry.at);
                    }
                }
                Event::Out(segment) => {
                    self.emission((index, entry.at), segment, latitude, coverage)?;
                }
                Event::Call(made) => {
                    call = Some(*made);
                    self.reference.called();
                    self.pace.called(made, entry.at);
                    if *made == Call::Sysctl(Sysctl::ShrinkWindow(true)) {
                        self.may_shrink_window = true;
                        for tcb in self.reference.hypotheses_mut() {
                            tcb.may_shrink_window = true;
                        }
                    }
                }
                Event::Return(outcome) => {
                    if let Some(call) = call.take() {
                        self.returned(index, &call, outcome, latitude)?;
                    }
                }
                Event::Elapse(_) => {}
                Event::Icmp(icmp) => {
                    self.pace.disturbed(entry.at);
                    self.reference.told(icmp, latitude);
                }
                Event::Sample(sample) => self.inspection(index, sample, latitude)?,
            }
            let mut hypotheses = self.reference.hypotheses().iter();
            if self.contradicted_at.is_none() && hypotheses.all(|tcb| tcb.contradicted) {
                self.contradicted_at = Some(index);
            }
        }
        if let Some(last) = trace.entries.last() {
            let waited = match last.event {
                Event::Elapse(by) => by,
                _ => 0,
            };
            let index = trace.entries.len() - 1;
            self.settle_silence(index, last.at + waited)?;
            self.settle_owed(trace, index, last.at + waited)?;
            self.settle_challenge(trace, index, last.at + waited)?;
            self.settle_quiet(trace, index + 1, last.at + waited, latitude)?;
        }
        Ok(())
    }

    /// The event at which the peer had contradicted itself in every hypothesis, so that nothing more was judged.
    pub(super) fn contradicted_at(&self) -> Option<usize> {
        self.contradicted_at
    }

    /// The entry of a segment that was owed an answer when the case went on.
    pub(super) fn suspicion(&self) -> Option<usize> {
        self.suspicion
    }

    fn emission(
        &mut self,
        (entry, at): (usize, Micros),
        segment: &Segment,
        latitude: &Latitude,
        coverage: &mut dyn Coverage,
    ) -> Result<(), Broken> {
        let (may_shrink_window, path, pace) = (self.may_shrink_window, self.path, self.pace);
        self.note_pace(segment, at);
        let checks = &self.emission_checks;
        if let Some(tcb) = self.reference.hypotheses().first() {
            coverage.hit(feature::emission(tcb, segment));
        }
        let failing = |tcb: &Tcb| {
            let emission = Emission {
                tcb,
                segment,
                at,
                may_shrink_window,
                path,
                pace: &pace,
            };
            checks.iter().position(|(id, fits, _)| {
                !fits(&emission) && !latitude.permits_emission(id, tcb, segment)
            })
        };
        if self.reference.emit(segment, at, latitude, |tcb| {
            !tcb.dead && (tcb.unjudged || failing(tcb).is_none())
        }) {
            return Ok(());
        }
        // The hypothesis that got furthest says best what is wrong.
        let hypotheses = self.reference.hypotheses().iter();
        let best = hypotheses
            .filter_map(|tcb| failing(tcb).map(|check| (check, tcb)))
            .max_by_key(|(check, _)| *check);
        let Some((check, tcb)) = best else {
            return Ok(());
        };
        let rule = checks[check].2;
        let emission = Emission {
            tcb,
            segment,
            at,
            may_shrink_window,
            path,
            pace: &pace,
        };
        let misfit = match &rule.check {
            Some(Check::Emission { explain, .. }) => explain(&emission),
            _ => Misfit::new("", ""),
        };
        Err(broken(
            (entry, check),
            rule,
            EventKind::Emission,
            tcb,
            misfit,
        ))
    }

    /// Where the connection may have been given up because the application wants it so, nothing more can be said.
    fn settle_end(&mut self, at: Micros) {
        if self.pace.may_have_given_up(at) {
            for tcb in self.reference.hypotheses_mut() {
                tcb.unjudged = true;
            }
        }
    }

    fn note_pace(&mut self, segment: &Segment, at: Micros) {
        let Some(tcb) = self.reference.hypotheses().first() else {
            return;
        };
        let new_text = !segment.payload.is_empty() && segment.text_end().after(tcb.snd_nxt);
        let full = !new_text
            || rules::is_large(&Emission {
                tcb,
                segment,
                at,
                may_shrink_window: self.may_shrink_window,
                path: self.path,
                pace: &self.pace,
            });
        let mut hypotheses = self.reference.hypotheses().iter();
        if hypotheses.all(|tcb| rules::is_past_the_window(tcb, segment)) {
            self.pace.sends_past_the_window(segment);
        }
        self.pace.sends(segment, at, new_text, full);
        let mut hypotheses = self.reference.hypotheses().iter();
        if hypotheses.any(|tcb| rules::is_keep_alive(tcb, segment)) {
            self.pace.keeps_alive();
        }
    }

    fn returned(
        &mut self,
        entry: usize,
        call: &Call,
        outcome: &Outcome,
        latitude: &Latitude,
    ) -> Result<(), Broken> {
        let checks = &self.return_checks;
        let failing = |tcb: &Tcb| {
            checks
                .iter()
                .find(|(fits, _)| !fits(tcb, call, outcome))
                .map(|check| check.1)
        };
        if self.reference.returned(call, outcome, latitude, |tcb| {
            tcb.unjudged || failing(tcb).is_none()
        }) {
            return Ok(());
        }
        let hypotheses = self.reference.hypotheses().iter();
        match hypotheses
            .rev()
            .find_map(|tcb| failing(tcb).map(|rule| (rule, tcb)))
        {
            Some((rule, tcb)) => {
                let misfit = match &rule.check {
                    Some(Check::Return { explain, .. }) => explain(tcb, call, outcome),
                    _ => Misfit::new("", ""),
                };
                Err(broken((entry, 0), rule, EventKind::Call, tcb, misfit))
            }
            None => Ok(()),
        }
    }

    /// What a stack says of itself may be wrong, but it never narrows the reference.
    fn inspection(
        &mut self,
        entry: usize,
        sample: &Sample,
        latitude: &Latitude,
    ) -> Result<(), Broken> {
        for (check, (id, fits, rule)) in self.inspection_checks.iter().enumerate() {
            let mut hypotheses = self.reference.hypotheses().iter();
            if latitude.inspection.contains(id)
                || hypotheses.any(|tcb| tcb.unjudged || fits(tcb, sample, &self.pace))
            {
                continue;
            }
            if let (Some(tcb), Some(Check::Inspection { explain, .. })) =
                (self.reference.hypotheses().first(), &rule.check)
            {
                let misfit = explain(tcb, sample, &self.pace);
                return Err(broken(
                    (entry, check),
                    rule,
                    EventKind::Inspection,
                    tcb,
                    misfit,
                ));
            }
        }
        Ok(())
    }
}

impl Broken {
    /// The rule that names it when no deviation does.
    pub(super) fn card(&self) -> &'static RuleCard {
        match self {
            Broken::At { rule, .. } => &rule.card,
            Broken::Overflow { .. } => &rules::rules().next().expect("there are rules").card,
        }
    }

    /// How far the trace was possible: which event broke it, and which of its checks.
    pub(super) fn progress(&self) -> (usize, usize) {
        match self {
            Broken::At { entry, passed, .. } => (*entry, *passed),
            Broken::Overflow { entry } => (*entry, 0),
        }
    }

    /// Whether `deviation` can be the cause at all: of a silence or of a wrong inspection only one that is about such;
    /// who takes the peer's window for a smaller one, or does not hear an acknowledgment, sends less.
    pub(super) fn may_be_caused_by(&self, deviation: &Deviation) -> bool {
        let Broken::At { kind, rule, .. } = self else {
            return false;
        };
        let mut hooks = deviation.hooks.iter();
        let sends_less = silence::is_of_sending(rule);
        match kind {
            EventKind::Emission | EventKind::Call => true,
            EventKind::Silence => hooks.any(|hook| match hook {
                Hook::Silence(_)
                | Hook::Challenge(_)
                | Hook::Delay(_)
                | Hook::Death(_)
                | Hook::Icmp(_)
                | Hook::Call(_)
                | Hook::Quiet(_)
                | Hook::SendWindow(_) => true,
                Hook::Doubtful(_) => sends_less,
                _ => false,
            }),
            EventKind::Inspection => hooks.any(|hook| matches!(hook, Hook::Inspection(_))),
        }
    }

    /// The divergence with its cause. The rule is the one the cause departs from.
    pub(super) fn divergence(&self, diagnosis: Diagnosis) -> Divergence {
        let Broken::At {
            entry,
            passed: _,
            rule,
            kind,
            state,
            misfit,
        } = self
        else {
            unreachable!("an overflow has no cause")
        };
        let rule = match diagnosis {
            Diagnosis::ExplainedBy(deviation) => {
                rules::rule(deviation.rule).map_or(&rule.card, |rule| &rule.card)
            }
            Diagnosis::Unexplained(card) => card,
        };
        let Misfit {
            allowed,
            observed,
            why,
            facts,
        } = (**misfit).clone();
        debug_assert!(!matches!(facts, Facts::Echo { ref allowed, .. } if allowed.is_empty()));
        Divergence {
            rule,
            entry: *entry,
            state,
            kind: *kind,
            allowed,
            observed,
            why,
            diagnosis,
            facts,
        }
    }
}

pub(super) fn broken(
    (entry, passed): (usize, usize),
    rule: &'static Rule,
    kind: EventKind,
    tcb: &Tcb,
    misfit: Misfit,
) -> Broken {
    Broken::At {
        entry,
        passed,
        rule,
        kind,
        state: tcb.state.name(),
        misfit: Box::new(misfit),
    }
}
