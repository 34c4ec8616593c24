//! Makes a director's steps real on a stack, and writes down what happened.

use ackward_model::{
    Address, Call, Event, Flags, Micros, OpenMode, Origin, Outcome, Segment, SeqNum, Trace,
};
use ackward_scenario::{Director, Family, IcmpSpec, SegmentSpec, Step};

use crate::seen::Seen;
use crate::{Connection, Host, StackError};

/// How to run a case, beside what the director says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DriveOptions {
    /// How long to wait before the reveal, in microseconds: 0, or 600,000 where a silence is to be judged.
    pub patience: Micros,
    /// Whether to ask the stack about itself at the end.
    pub sample: bool,
    /// Whether to end the case with a reveal.
    pub reveal: bool,
}

impl Default for DriveOptions {
    fn default() -> DriveOptions {
        DriveOptions {
            patience: 0,
            sample: false,
            reveal: true,
        }
    }
}

/// Runs one case. `trace` is cleared first and then holds what happened; `taken`, likewise, the steps that were done,
/// to which [`Origin::Step`] refers. A call for which there is no connection is not done.
pub fn drive(
    host: &mut dyn Host,
    director: &mut dyn Director,
    options: &DriveOptions,
    trace: &mut Trace,
    taken: &mut Vec<Step>,
) -> Result<(), StackError> {
    trace.clear();
    taken.clear();
    let setup = director.setup();
    trace.open = setup.open;
    trace.path.ipv6 = setup.family == Family::V6;
    trace.remote_is_void = setup.remote != Address::Right;
    trace.text_origin = Some(SeqNum(setup.isn));
    trace.sysctls.extend_from_slice(&setup.sysctls);
    trace
        .socket_options
        .extend_from_slice(&setup.socket_options);
    let (seen, open) = (Seen::new(SeqNum(setup.isn)), setup.open);
    let mut case = Case {
        connection: host.open(setup)?,
        trace,
        seen,
        accepting: open == OpenMode::Passive,
        heard: 0,
        emptied: 0,
    };
    let watch_memory = options.sample || options.patience > 0;
    let drops_before = if watch_memory {
        case.connection.memory_drops()
    } else {
        0
    };
    if open == OpenMode::Active {
        case.call(Call::Connect)?;
    }
    while let Some(step) = director.next(case.trace) {
        if case.take(&step, taken.len())? {
            taken.push(step);
        }
    }
    case.finish(options)?;
    if watch_memory {
        case.trace.memory_drops = case.connection.memory_drops() != drops_before;
    }
    case.connection.close()
}

/// A case under way.
struct Case<'a> {
    connection: Box<dyn Connection + 'a>,
    trace: &'a mut Trace,
    seen: Seen,
    /// Whether there is a connection to accept still.
    accepting: bool,
    /// When the machine was last seen to be awake.
    heard: Micros,
    /// When the step began after which the link was last seen to be empty.
    emptied: Micros,
}

/// Longer than this between two steps, in microseconds, and the machine was late.
const STALL: Micros = 20_000;
/// Longer than this since the last step began, in microseconds, and the link is looked at again before the stack is
/// acted on, so that what was emitted before is written down before. A step that draws an answer takes half of it.
const GAP: Micros = 6;

impl Case<'_> {
    /// Does a step. Returns whether there was anything to do.
    fn take(&mut self, step: &Step, index: usize) -> Result<bool, StackError> {
        match step {
            Step::Segment(spec) => self.inject_spec(spec, index).map(|()| true),
            Step::Call(call) => self.call(*call),
            Step::Wait(by) => self.wait(*by).map(|()| true),
            Step::Icmp(spec) => self.tell(spec).map(|()| true),
        }
    }

    fn inject_spec(&mut self, spec: &SegmentSpec, index: usize) -> Result<(), StackError> {
        let at = self.catch_up()?;
        let segment = spec.resolve(&self.seen);
        let may_complete = self.accepting && segment.has(Flags::ACK);
        self.inject(at, segment, Origin::Step(index))?;
        if may_complete && self.accepting {
            self.try_accept()?;
        }
        Ok(())
    }

    fn inject(&mut self, at: Micros, segment: Segment, origin: Origin) -> Result<(), StackError> {
        self.seen.injected(&segment);
        self.connection.inject(&segment)?;
        self.trace.push(at, Event::In(segment, origin));
        self.drain(at)
    }

    fn tell(&mut self, spec: &IcmpSpec) -> Result<(), StackError> {
        let at = self.catch_up()?;
        let icmp = spec.resolve(&self.seen);
        self.connection.tell(&icmp)?;
        self.trace.push(at, Event::Icmp(icmp));
        self.drain(at)
    }

    /// Accepts the connection if it is complete; that it is not yet is no event.
    fn try_accept(&mut self) -> Result<(), StackError> {
        let at = self.connection.now();
        if let Some(outcome @ Outcome::Done(_)) = self.connection.call(&Call::Accept)? {
            self.accepting = false;
            self.trace.push(at, Event::Call(Call::Accept));
            self.trace.push(at, Event::Return(outcome));
        }
        Ok(())
    }

    fn call(&mut self, call: Call) -> Result<bool, StackError> {
        let at = self.catch_up()?;
        let Some(outcome) = self.connection.call(&call)? else {
            return Ok(false);
        };
        if call == Call::Accept && matches!(outcome, Outcome::Done(_)) {
            self.accepting = false;
        }
        self.trace.push(at, Event::Call(call));
        self.trace.push(at, Event::Return(outcome));
        self.drain(at)?;
        Ok(true)
    }

    fn wait(&mut self, by: Micros) -> Result<(), StackError> {
        let at = self.catch_up()?;
        self.trace.push(at, Event::Elapse(by));
        let Case {
            connection,
            trace,
            seen,
            ..
        } = self;
        connection.elapse(by, &mut |at, segment| file(trace, seen, at, segment))?;
        self.heard = at + by;
        self.beat();
        Ok(())
    }

    /// Writes down what has been emitted.
    fn drain(&mut self, now: Micros) -> Result<(), StackError> {
        let Case {
            connection,
            trace,
            seen,
            ..
        } = self;
        self.emptied = now;
        connection.drain(now, &mut |at, segment| file(trace, seen, at, segment))
    }

    /// Writes down what was emitted since the last step, if that is any time ago. Returns the time.
    fn catch_up(&mut self) -> Result<Micros, StackError> {
        let emptied = self.emptied;
        let now = self.beat();
        if now.saturating_sub(emptied) > GAP {
            self.drain(now)?;
        }
        Ok(now)
    }

    /// The time, which shows whether the machine was late.
    fn beat(&mut self) -> Micros {
        let now = self.connection.now();
        let late = now.saturating_sub(self.heard);
        if late > STALL && self.trace.disturbed.is_none() {
            self.trace.disturbed = Some(format!("the machine was late by {} ms", late / 1000));
        }
        self.heard = now;
        now
    }

    /// Makes the stack show its state.
    fn finish(&mut self, options: &DriveOptions) -> Result<(), StackError> {
        if options.patience > 0 {
            self.wait(options.patience)?;
        }
        let at = self.catch_up()?;
        if let Some(segment) = self.seen.reveal().filter(|_| options.reveal) {
            self.inject(at, segment, Origin::Reveal)?;
        }
        if options.sample
            && let Some(sample) = self.connection.inspect()
        {
            let at = self.beat();
            self.trace.push(at, Event::Sample(sample));
        }
        self.beat();
        Ok(())
    }
}

fn file(trace: &mut Trace, seen: &mut Seen, at: Micros, segment: Segment) {
    seen.emitted(&segment);
    trace.push(at, Event::Out(segment));
}
