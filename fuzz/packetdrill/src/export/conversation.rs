//! The lines of a script up to the diverging exchange, with the right values where the trace has wrong ones.
//! Every line comes from the trace: what was injected, what was emitted, what was called.

use ackward_model::{Call, Event as Seen, Flags, Micros, OpenMode, Origin, Outcome, Segment};
use ackward_scenario::{SegmentSpec, Step};

use super::application::{self, ACCEPTED_SOCKET, FIRST_SOCKET};
use super::clock::PeerClock;
use super::numbers::Numbers;
use super::probe::{self, Consequence};
use super::view::{View, timestamps};
use super::{Expect, Export, ExportError, Style, Subject, machine, prose, right};
use crate::ast::{Action, Event, Item, Packet, Script, Time};

/// Slack for an answer that may come late, beyond twice the delay seen, in microseconds.
const LATE: Micros = 300_000;
/// `errno` of a call that would block.
const EAGAIN: i32 = 11;

/// The script without its header.
pub(super) fn write(export: &Export<'_>) -> Result<Script, ExportError> {
    let mut conversation = Conversation::new(export);
    conversation.open();
    conversation.run()?;
    conversation.finish();
    let mut script = conversation.script;
    let memory = machine::pin_memory(export, &script.init);
    script.init.extend(memory);
    script.init.splice(0..0, machine::init(export));
    script.options = machine::options(export);
    Ok(script)
}

/// A script in the making.
pub(super) struct Conversation<'a> {
    pub(super) export: &'a Export<'a>,
    pub(super) script: Script,
    pub(super) numbers: Numbers,
    pub(super) view: View,
    /// Time the scenario lets pass before the next event.
    wait: Micros,
    /// When the last printed event happened in the trace.
    last: Micros,
    accepted: bool,
    /// Whether the diverging exchange is over.
    finishing: bool,
}

impl<'a> Conversation<'a> {
    fn new(export: &'a Export<'a>) -> Conversation<'a> {
        let peer = peer_clock(export);
        Conversation {
            export,
            script: Script::default(),
            numbers: Numbers::new(export.scenario, export.trace, peer),
            view: View::default(),
            wait: 0,
            last: 0,
            accepted: export.scenario.setup.open == OpenMode::Active,
            finishing: false,
        }
    }

    /// Makes the socket.
    fn open(&mut self) {
        let setup = &self.export.scenario.setup;
        for (index, call) in application::opening(setup).into_iter().enumerate() {
            let time = if index == 0 {
                Time::At(0)
            } else {
                Time::After(0)
            };
            self.event(time, Action::Call(call));
        }
        self.script.items.push(Item::Blank);
    }

    /// Walks the trace to the end of the diverging exchange.
    fn run(&mut self) -> Result<(), ExportError> {
        let Export {
            trace, diverging, ..
        } = *self.export;
        for (index, entry) in trace.entries.iter().enumerate() {
            match &entry.event {
                Seen::Sample(_) | Seen::Return(_) => continue,
                // Nobody waits for what is sent after the line that fails, unless more is to come.
                Seen::Out(_) if index > diverging && !self.goes_on() => break,
                Seen::In(..) | Seen::Call(_) if index == diverging && self.silent() => break,
                Seen::Out(segment) => self.emitted(index, entry.at, segment)?,
                // What follows at once belongs to the exchange; anything else ends it.
                _ if index > diverging => break,
                Seen::Elapse(time) => {
                    self.wait += time;
                    continue;
                }
                Seen::In(segment, origin) => self.injected(index, segment, *origin)?,
                Seen::Icmp(_) => return Err(ExportError::Icmp),
                Seen::Call(call) => self.called(index, *call)?,
            }
            self.last = entry.at;
        }
        let event = &trace.entries[diverging].event;
        if !self.silent() && matches!(event, Seen::In(..) | Seen::Elapse(_) | Seen::Sample(_)) {
            self.reported();
        }
        Ok(())
    }

    /// What the stack says about itself, where that is what is wrong.
    fn reported(&mut self) {
        let Subject::Report { name, most } = self.export.subject else {
            self.comment(prose::unchecked(self.export));
            return;
        };
        if self.export.expect == Expect::Right {
            self.comment(prose::fails_here(self.export));
            self.script.fails_at = Some(self.script.items.len());
            let code = format!("assert {name} <= {most}, {name}");
            self.event(Time::After(0), Action::Code(code));
        }
    }

    /// Whether the script goes on behind the diverging exchange, with a probe and a fence.
    fn goes_on(&self) -> bool {
        matches!(
            self.export.subject,
            Subject::Echo { .. } | Subject::BeyondWindow { .. }
        )
    }

    /// Whether the fault is that no answer came.
    fn silent(&self) -> bool {
        self.export.subject == Subject::Silence
    }

    /// What shows the fault to packetdrill, and the fence.
    fn finish(&mut self) {
        if self.silent() && self.export.expect == Expect::Right {
            probe::missing_answer(self);
        }
        self.finishing = true;
        if !self.goes_on() || !self.view.stands() {
            return;
        }
        match &self.export.subject {
            Subject::Echo { .. } if self.export.assert_echo => {}
            Subject::Echo { .. } => probe::ts_recent(self),
            Subject::BeyondWindow { edge, .. } => {
                let edge = self.numbers.of_peer(*edge);
                probe::edge(self, edge);
            }
            _ => {}
        }
        probe::fence(self);
    }

    fn injected(
        &mut self,
        index: usize,
        segment: &Segment,
        origin: Origin,
    ) -> Result<(), ExportError> {
        let mut spec = self.specification(segment, origin);
        self.explain(index);
        if self.beyond_edge(index, segment) {
            if self.export.style == Style::Kselftest && !self.scaled() {
                let furthest = self.view.rcv_nxt.wrapping_add(u32::from(u16::MAX));
                spec.seq = spec.seq.max(furthest);
            }
            let end = spec.seq.wrapping_add(u32::from(spec.len));
            self.gap();
            self.comment(prose::beyond_edge(
                self.export,
                &self.numbers,
                spec.seq,
                end,
            ));
        }
        let packet = self.numbers.inbound(&spec)?;
        let time = Time::After(std::mem::take(&mut self.wait));
        self.inject(time, packet);
        Ok(())
    }

    /// Says why the event matters for the echo, unless the reasons speak of timestamps that the script has replaced.
    fn explain(&mut self, index: usize) {
        let echo = matches!(self.export.subject, Subject::Echo { .. });
        if self.export.style == Style::Kselftest || self.numbers.peer.is_spaced() || !echo {
            return;
        }
        let reasons = self.export.why.iter().filter(|(event, _)| *event == index);
        for (_, reason) in reasons {
            self.gap();
            self.comment(prose::why(reason));
        }
    }

    /// The step itself, or what the segment off the wire would be as a step.
    fn specification(&self, segment: &Segment, origin: Origin) -> SegmentSpec {
        let Origin::Step(step) = origin else {
            return self.numbers.specify(segment);
        };
        match self.export.scenario.steps.get(step) {
            Some(Step::Segment(spec)) => self.numbers.count_from_syn(spec),
            _ => self.numbers.specify(segment),
        }
    }

    /// Whether this is the last segment before the divergence that carries text past the edge.
    fn beyond_edge(&self, index: usize, segment: &Segment) -> bool {
        let Subject::BeyondWindow { taken, .. } = &self.export.subject else {
            return false;
        };
        let carries = |segment: &Segment| {
            segment.text_start().at_or_before(taken.0) && segment.text_end().after(taken.0)
        };
        let entries = &self.export.trace.entries;
        let later = entries
            .get(index + 1..self.export.diverging)
            .unwrap_or_default();
        carries(segment)
            && !later
                .iter()
                .any(|entry| matches!(&entry.event, Seen::In(later, _) if carries(later)))
    }

    /// Whether a segment up to the divergence carried the octet with this relative number.
    pub(super) fn has_injected(&self, octet: u32) -> bool {
        let entries = &self.export.trace.entries[..self.export.diverging];
        entries.iter().any(|entry| match &entry.event {
            Seen::In(segment, _) => {
                let start = self.numbers.of_peer(segment.text_start());
                octet.wrapping_sub(start) < segment.payload.len() as u32
            }
            _ => false,
        })
    }

    /// Whether windows are scaled: both SYNs announced a shift.
    fn scaled(&self) -> bool {
        let announced = |segment: &Segment| segment.options.window_scale().is_some();
        let syn = |segment: &&Segment| segment.has(Flags::SYN);
        let peer = self.export.trace.entries.iter().any(|entry| {
            matches!(&entry.event, Seen::In(segment, _) if segment.has(Flags::SYN) && announced(segment))
        });
        peer && self
            .export
            .trace
            .emissions()
            .find(syn)
            .is_some_and(announced)
    }

    fn emitted(&mut self, index: usize, at: Micros, segment: &Segment) -> Result<(), ExportError> {
        if index < self.export.diverging && self.join(segment)? {
            return Ok(());
        }
        let continues = self.continuation(segment)?.is_some();
        let tsval = self.numbers.stack.next();
        let mut packet = self.numbers.outbound(segment, tsval)?;
        if segment.has(Flags::SYN) {
            let asserted = index == self.export.diverging;
            if let Some(pinned) = machine::pin(self.export, &mut packet, asserted)
                && !self.script.init.contains(&pinned)
            {
                self.script.init.push(pinned);
            }
        }
        if index >= self.export.diverging && self.export.expect == Expect::Right {
            right::correct(self, &mut packet);
        }
        let stamped = timestamps(&packet).and(segment.options.timestamps());
        self.numbers.stack.emit(stamped.map(|(tsval, _)| tsval));
        if index == self.export.diverging {
            if matches!(self.export.subject, Subject::Other { .. })
                && self.export.expect == Expect::Right
            {
                // Both may come as one packet, which no line about the first part would fit.
                if continues {
                    self.script.items.pop();
                }
                let text = prose::unchecked(self.export);
                self.comment(text);
                return Ok(());
            }
            let text = prose::diverging(self.export, &self.numbers, &packet);
            self.comment(text);
            self.script.fails_at = match self.export.subject {
                Subject::Echo { .. } if !self.export.assert_echo => None,
                _ => Some(self.script.items.len()),
            };
        }
        let time = if self.wait == 0 {
            Time::After(0)
        } else {
            let delay = at.saturating_sub(self.last);
            self.wait = self.wait.saturating_sub(delay);
            Time::Within(0, (2 * delay + LATE).next_multiple_of(100_000))
        };
        self.expect(time, packet);
        Ok(())
    }

    /// Takes text that goes on where the last line ends into that line, since a host may hand over both as one packet.
    /// Packetdrill takes several for one, not one for several.
    fn join(&mut self, segment: &Segment) -> Result<bool, ExportError> {
        let waited = self.wait > 0;
        let Some(packet) = self.continuation(segment)?.filter(|_| !waited) else {
            return Ok(false);
        };
        let Some(Item::Event(Event {
            action: Action::Out(last),
            ..
        })) = self.script.items.last_mut()
        else {
            return Ok(false);
        };
        let Some(len) = last.len.checked_add(packet.len) else {
            return Ok(false);
        };
        if last.urgent.is_some() || packet.urgent.is_some() {
            // One pointer does not fit both.
            return Ok(false);
        }
        last.len = len;
        last.flags = last.flags | packet.flags;
        let tsval = segment.options.timestamps().map(|(tsval, _)| tsval);
        self.numbers.stack.join(tsval);
        self.view.expected(&packet);
        Ok(true)
    }

    /// `segment` as it is in one packet with the last line, if its text goes on where that ends.
    fn continuation(&self, segment: &Segment) -> Result<Option<Packet>, ExportError> {
        let shared = self.last_line().and_then(timestamps);
        let tsval = shared.map_or(0, |(tsval, _)| tsval.0);
        let packet = self.numbers.outbound(segment, tsval)?;
        let mut last = self.last_line().into_iter();
        Ok(last.any(|last| goes_on(last, &packet)).then_some(packet))
    }

    /// The segment expected in the last line, if that is one.
    fn last_line(&self) -> Option<&Packet> {
        match self.script.items.last()? {
            Item::Event(Event {
                action: Action::Out(packet),
                ..
            }) => Some(packet),
            _ => None,
        }
    }

    /// A call with what it returned, which may stand behind the segments that it sent.
    fn called(&mut self, index: usize, call: Call) -> Result<(), ExportError> {
        let after = self.export.trace.entries[index..].iter().enumerate();
        let returned = after
            .filter_map(|(distance, entry)| match &entry.event {
                Seen::Return(outcome) => Some((index + distance, outcome)),
                _ => None,
            })
            .next();
        let Some((returned, outcome)) = returned else {
            return Ok(());
        };
        if call == Call::Accept && matches!(outcome, Outcome::Done(_)) {
            self.accept();
        }
        let socket = match self.export.scenario.setup.open {
            OpenMode::Passive => ACCEPTED_SOCKET,
            OpenMode::Active => FIRST_SOCKET,
        };
        let Some(action) = application::action(call, outcome, socket)? else {
            return Ok(());
        };
        if !matches!(action, Action::Shell(_)) {
            self.accept();
        }
        if would_block(call, outcome) && socket == ACCEPTED_SOCKET {
            let nonblocking = application::nonblocking(socket);
            self.event(Time::After(0), Action::Call(nonblocking));
        }
        self.view.closed |= call == Call::Close;
        let time = Time::After(std::mem::take(&mut self.wait));
        if returned == self.export.diverging {
            self.comment(prose::unchecked(self.export));
        } else {
            self.event(time, action);
        }
        Ok(())
    }

    /// Accepts the connection, once.
    fn accept(&mut self) {
        if !std::mem::replace(&mut self.accepted, true) {
            self.event(Time::After(0), Action::Call(application::accept()));
            self.script.items.push(Item::Blank);
        }
    }

    /// Appends an injected segment.
    pub(super) fn inject(&mut self, time: Time, packet: Packet) {
        self.script.added_segments += u32::from(self.finishing);
        self.view.injected(&packet);
        self.event(time, Action::In(packet));
    }

    /// Appends an expected segment.
    pub(super) fn expect(&mut self, time: Time, packet: Packet) {
        self.view.expected(&packet);
        self.event(time, Action::Out(packet));
    }

    /// Appends a comment; nothing if it is empty.
    pub(super) fn comment(&mut self, text: String) {
        if !text.is_empty() {
            self.script.items.push(Item::Comment(text));
        }
    }

    /// Sets off what follows.
    pub(super) fn gap(&mut self) {
        if self.script.items.last() != Some(&Item::Blank) {
            self.script.items.push(Item::Blank);
        }
    }

    fn event(&mut self, time: Time, action: Action) {
        self.script.items.push(Item::Event(Event { time, action }));
    }
}

/// Whether a call with this outcome would have waited on a blocking socket: it did nothing yet, or not all of it.
fn would_block(call: Call, outcome: &Outcome) -> bool {
    match (call, outcome) {
        (_, Outcome::Error(errno)) => *errno == EAGAIN,
        (Call::Write(octets), Outcome::Done(written)) => *written < octets,
        _ => false,
    }
}

/// Whether `next` has text that begins where that of `last` ends, and could be one packet with it.
fn goes_on(last: &Packet, next: &Packet) -> bool {
    let texts = last.len > 0 && next.len > 0;
    texts
        && next.seq == last.seq.wrapping_add(u32::from(last.len))
        && next.ack == last.ack
        && next.options == last.options
        && !last.flags.contains(Flags::FIN)
}

/// As sent if that leaves room for a probe; else spaced out if that changes nothing else.
fn peer_clock(export: &Export<'_>) -> PeerClock {
    let Subject::Echo { allowed, observed } = &export.subject else {
        return PeerClock::verbatim();
    };
    if Consequence::of(allowed, *observed).is_some() {
        return PeerClock::verbatim();
    }
    let echoes = [allowed.as_slice(), &[*observed]].concat();
    PeerClock::spaced(export.trace, &echoes)
}
