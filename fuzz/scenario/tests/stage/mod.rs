//! Plays plans against an endpoint that stands in for the stack, and notes what the peer's segments met there.

use ackward_endpoint::{Config, Endpoint, Offer, State, Text};
use ackward_model::{
    Call, Event, Flags, OpenMode, Origin, Outcome, Segment, SeqNum, Sysctl, Trace, TsVal,
};
use ackward_scenario::step::Live;
use ackward_scenario::{Director, Setup, Step};

/// What a segment with text met when it arrived.
pub(crate) struct Arrival {
    pub(crate) segment: Segment,
    /// The stack's variables before.
    pub(crate) rcv_nxt: SeqNum,
    pub(crate) snd_una: SeqNum,
    /// The last TSecr the stack had sent.
    pub(crate) echoed: Option<TsVal>,
    /// The largest edge of a window the stack had advertised.
    pub(crate) edge: SeqNum,
    pub(crate) state: State,
    /// RCV.NXT after it.
    pub(crate) rcv_nxt_after: SeqNum,
}

/// A case that was played.
pub(crate) struct Played {
    pub(crate) trace: Trace,
    pub(crate) steps: Vec<Step>,
    pub(crate) arrivals: Vec<Arrival>,
    pub(crate) stack: Endpoint,
}

struct Stage {
    stack: Endpoint,
    isn: SeqNum,
    iss: SeqNum,
    trace: Trace,
    edge: SeqNum,
    echoed: Option<TsVal>,
}

const ISS: SeqNum = SeqNum(u32::MAX - 30);

/// Plays `director` to its end against an ordinary stack.
pub(crate) fn play(director: &mut dyn Director) -> Played {
    let config = config(director.setup());
    play_against(config, director)
}

/// Plays `director` to its end against a stack of this make.
pub(crate) fn play_against(config: Config, director: &mut dyn Director) -> Played {
    let setup = director.setup().clone();
    let mut stage = Stage {
        stack: Endpoint::new(config),
        isn: SeqNum(setup.isn),
        iss: SeqNum(0),
        trace: Trace::default(),
        edge: SeqNum(setup.isn),
        echoed: None,
    };
    stage.trace.open = setup.open;
    stage.trace.text_origin = Some(stage.isn);
    stage.trace.sysctls.clone_from(&setup.sysctls);
    stage.trace.socket_options.clone_from(&setup.socket_options);
    for option in &setup.socket_options {
        stage.stack.set(*option);
    }
    match setup.open {
        OpenMode::Passive => stage.stack.listen(),
        OpenMode::Active => stage.stack.open(),
    }
    stage.drain();
    let (mut steps, mut arrivals) = (Vec::new(), Vec::new());
    while let Some(step) = director.next(&stage.trace) {
        stage.take(&step, steps.len(), &mut arrivals);
        stage.drain();
        steps.push(step);
    }
    Played {
        trace: stage.trace,
        steps,
        arrivals,
        stack: stage.stack,
    }
}

impl Stage {
    fn take(&mut self, step: &Step, index: usize, arrivals: &mut Vec<Arrival>) {
        match step {
            Step::Segment(spec) => {
                let segment = spec.resolve(self);
                let (rcv_nxt, snd_una) = (self.stack.rcv_nxt(), self.stack.snd_una());
                let state = self.stack.state();
                self.stack.receive(0, &segment);
                arrivals.push(Arrival {
                    rcv_nxt,
                    snd_una,
                    state,
                    echoed: self.echoed,
                    edge: self.edge,
                    rcv_nxt_after: self.stack.rcv_nxt(),
                    segment: segment.clone(),
                });
                self.trace.push(0, Event::In(segment, Origin::Step(index)));
            }
            Step::Call(call) => {
                let outcome = match *call {
                    Call::Write(octets) => Outcome::Done(self.stack.write(octets)),
                    Call::WriteUrgent(octets) => Outcome::Done(self.stack.write_urgent(octets)),
                    Call::Urgent => Outcome::Done(u32::from(self.stack.has_urgent_text())),
                    Call::Read(max) => self.read(max),
                    Call::ShutdownWrite => {
                        self.stack.shutdown();
                        Outcome::Done(0)
                    }
                    Call::Close => {
                        self.stack.close();
                        Outcome::Done(0)
                    }
                    Call::Set(option) => {
                        self.stack.set(option);
                        Outcome::Done(0)
                    }
                    _ => Outcome::Done(0),
                };
                self.trace.push(0, Event::Call(*call));
                self.trace.push(0, Event::Return(outcome));
            }
            Step::Wait(by) => self.trace.push(0, Event::Elapse(*by)),
            Step::Icmp(spec) => {
                let icmp = spec.resolve(self);
                self.stack.tell(0, &icmp);
                self.trace.push(0, Event::Icmp(icmp));
            }
        }
    }

    /// Nothing to read yet is no end of the stream.
    fn read(&mut self, max: u32) -> Outcome {
        const EAGAIN: i32 = 11;
        match self.stack.read(max) {
            octets if octets.is_empty() && !self.stack.is_at_end() => Outcome::Error(EAGAIN),
            octets => Outcome::Data(octets),
        }
    }

    fn drain(&mut self) {
        while let Some(segment) = self.stack.poll_emit() {
            if segment.has(Flags::SYN) {
                self.iss = segment.seq;
            }
            if segment.has(Flags::ACK) && !segment.has(Flags::RST) {
                // No scale: the peers of interest have none.
                let edge = segment.ack + segment.window.unscaled().0;
                self.edge = self.edge.latest(edge);
                self.echoed = segment.options.timestamps().map(|(_, tsecr)| tsecr);
            }
            self.trace.push(0, Event::Out(segment));
        }
    }
}

impl Live for Stage {
    fn isn(&self) -> SeqNum {
        self.isn
    }

    fn iss(&self) -> SeqNum {
        self.iss
    }

    fn tsval_of_emission(&self, k: u32) -> TsVal {
        let stamps = self.trace.emissions().take(k as usize + 1);
        let values = stamps.filter_map(|segment| segment.options.timestamps());
        values.last().map_or(TsVal(0), |(tsval, _)| tsval)
    }
}

/// An ordinary stack with these settings.
pub(crate) fn config(setup: &Setup) -> Config {
    let has = |sysctl| setup.sysctls.contains(&sysctl);
    Config {
        iss: ISS,
        nagle: true,
        offer: Offer {
            mss: Some(1460),
            window_scale: (!has(Sysctl::WindowScaling(false))).then_some(10),
            timestamps: !has(Sysctl::Timestamps(false)),
            sack: !has(Sysctl::Sack(false)),
            ecn: true,
        },
        text: Text::Stack,
        tsval: TsVal(0x7FFF_FFF0),
        ..Config::default()
    }
}
