//! The two divergences that stand in Linux 6.18.44, as transcripts written by hand.

pub(crate) mod fields;

use ackward_model::payload::stack_text;
use ackward_model::{
    Call, Event, Flags, OpenMode, Options, Origin, Outcome, SackBlock, SackBlocks, Segment, SeqNum,
    TcpOption, Trace, TsVal, WindowField,
};
use ackward_packetdrill::{Expect, Export, Header, Style, Subject};
use ackward_scenario::step::Live;
use ackward_scenario::{Echo, OptionSpec, Scenario, SegmentSpec, Setup, Step};

/// The stack's initial sequence number in these transcripts.
const ISS: u32 = 4_000_000_000;
pub(crate) const P: Flags = Flags(0x18);
pub(crate) const ACK: Flags = Flags::ACK;

pub(crate) struct Case {
    pub(crate) scenario: Scenario,
    pub(crate) trace: Trace,
    tsval: Vec<TsVal>,
}

impl Live for Case {
    fn isn(&self) -> SeqNum {
        SeqNum(self.scenario.setup.isn)
    }
    fn iss(&self) -> SeqNum {
        SeqNum(ISS)
    }
    fn tsval_of_emission(&self, k: u32) -> TsVal {
        let last = self.tsval.len().saturating_sub(1).min(k as usize);
        self.tsval.get(last).copied().unwrap_or_default()
    }
}

impl Case {
    pub(crate) fn new(open: OpenMode) -> Case {
        let setup = Setup {
            open,
            ..Setup::default()
        };
        Case {
            scenario: Scenario {
                setup,
                steps: Vec::new(),
            },
            trace: Trace {
                open,
                ..Trace::default()
            },
            tsval: Vec::new(),
        }
    }

    fn now(&self) -> u64 {
        self.trace.entries.len() as u64 * 10
    }

    /// The peer sends text `range`; without text an empty range.
    pub(crate) fn peer(
        &mut self,
        flags: Flags,
        range: (u32, u32),
        ack: u32,
        options: Vec<OptionSpec>,
    ) {
        let spec = SegmentSpec {
            urgent: 0,
            address: Default::default(),
            ip_option: false,
            damaged: false,
            flags,
            seq: range.0,
            ack,
            window: 20_000,
            len: (range.1 - range.0) as u16,
            copy: 0,
            options,
        };
        let segment = spec.resolve(self);
        let origin = Origin::Step(self.scenario.steps.len());
        self.scenario.steps.push(Step::Segment(spec));
        self.trace.push(self.now(), Event::In(segment, origin));
    }

    /// The stack sends; `seq`, `ack` and `sack` are relative, TSval is the number of the emission.
    pub(crate) fn stack(
        &mut self,
        flags: Flags,
        seq: u32,
        len: u32,
        ack: u32,
        options: Vec<TcpOption>,
    ) {
        let options = Options(options);
        self.tsval
            .push(options.timestamps().map_or(TsVal(0), |(tsval, _)| tsval));
        let segment = Segment {
            carrier: ackward_model::Carrier::default(),
            damaged: false,
            seq: SeqNum(ISS) + seq,
            ack: self.isn() + ack,
            flags,
            window: WindowField(65_000),
            urgent: 0,
            options,
            payload: stack_text(seq, len),
        };
        self.trace.push(self.now(), Event::Out(segment));
    }

    pub(crate) fn call(&mut self, call: Call, outcome: Outcome) {
        self.scenario.steps.push(Step::Call(call));
        self.trace.push(self.now(), Event::Call(call));
        self.trace.push(self.now(), Event::Return(outcome));
    }

    pub(crate) fn export(&self, subject: Subject, style: Style) -> Export<'_> {
        Export {
            scenario: &self.scenario,
            trace: &self.trace,
            diverging: self.trace.entries.len() - 1,
            subject,
            header: Header {
                root: "old_ack_leaves_ts_recent_alone".to_owned(),
                rule: "7323:4.3-a".to_owned(),
                citation: "RFC 7323 section 4.3".to_owned(),
                statement: "TS.Recent takes the TSval of every acceptable segment that is not older and starts at or \
                            before Last.ACK.sent, whatever that segment acknowledges."
                    .to_owned(),
                stack: "Linux 6.18.44".to_owned(),
                diagnosis: "An acceptable segment with an old ACK leaves TS.Recent alone.".to_owned(),
                reach: "network".to_owned(),
                settings: "default".to_owned(),
                ..Header::default()
            },
            why: &[],
            style,
            assert_echo: false,
            expect: Expect::Right,
        }
    }
}

/// What the peer's segments carry: TSval, and the emission that is echoed.
pub(crate) fn ts(tsval: u32, emission: u32) -> Vec<OptionSpec> {
    vec![
        OptionSpec::NoOperation,
        OptionSpec::NoOperation,
        OptionSpec::Timestamps {
            tsval,
            tsecr: Echo::Emission(emission),
        },
    ]
}

fn stamp(tsval: u32, tsecr: u32) -> TcpOption {
    TcpOption::Timestamps {
        tsval: TsVal(tsval),
        tsecr: TsVal(tsecr),
    }
}

/// What the stack's segments carry.
pub(crate) fn stamped(tsval: u32, tsecr: u32) -> Vec<TcpOption> {
    vec![
        TcpOption::NoOperation,
        TcpOption::NoOperation,
        stamp(tsval, tsecr),
    ]
}

pub(crate) fn sack(isn: u32, left: u32, right: u32) -> Vec<TcpOption> {
    let block = SackBlock {
        left: SeqNum(isn) + left,
        right: SeqNum(isn) + right,
    };
    vec![
        TcpOption::NoOperation,
        TcpOption::NoOperation,
        TcpOption::Sack(SackBlocks::new([block])),
    ]
}

/// Divergence A, passive open. The peer's TSvals are `clock` for SYN, ACK, delayed and early segment.
pub(crate) fn echo_after_old_ack(clock: [u32; 4]) -> Case {
    let [syn, ack, delayed, early] = clock;
    let mut case = Case::new(OpenMode::Passive);
    case.peer(
        Flags::SYN,
        (0, 0),
        0,
        vec![
            OptionSpec::MaximumSegmentSize(1000),
            OptionSpec::SackPermitted,
            OptionSpec::Timestamps {
                tsval: syn,
                tsecr: Echo::Value(0),
            },
        ],
    );
    let offer = vec![
        TcpOption::MaximumSegmentSize(1460),
        TcpOption::SackPermitted,
        stamp(7000, syn),
    ];
    case.stack(Flags::SYN | ACK, 0, 0, 1, offer);
    case.peer(ACK, (1, 1), 1, ts(ack, 0));
    old_ack_exchange(&mut case, [ack, delayed, early], 1);
    case
}

/// Divergence A, active open.
pub(crate) fn echo_after_old_ack_active() -> Case {
    let mut case = Case::new(OpenMode::Active);
    let offer = vec![
        TcpOption::MaximumSegmentSize(1460),
        TcpOption::SackPermitted,
        stamp(7000, 0),
        TcpOption::NoOperation,
        TcpOption::WindowScale(10),
    ];
    case.stack(Flags::SYN, 0, 0, 0, offer);
    case.peer(
        Flags::SYN | ACK,
        (0, 0),
        1,
        vec![
            OptionSpec::MaximumSegmentSize(1000),
            OptionSpec::SackPermitted,
            OptionSpec::Timestamps {
                tsval: 1000,
                tsecr: Echo::Emission(0),
            },
        ],
    );
    case.stack(ACK, 1, 0, 1, stamped(7001, 1000));
    old_ack_exchange(&mut case, [1000, 3000, 4000], 2);
    case
}

fn old_ack_exchange(case: &mut Case, clock: [u32; 3], emission: u32) {
    let [recent, delayed, early] = clock;
    case.call(Call::Write(17), Outcome::Done(17));
    case.stack(P, 1, 17, 1, stamped(7002, recent));
    case.peer(P, (18, 35), 18, ts(early, emission));
    let mut options = stamped(7002, recent);
    options.extend(sack(0, 18, 35));
    case.stack(ACK, 18, 0, 1, options);
    case.peer(P, (1, 18), 1, ts(delayed, emission - 1));
    case.stack(ACK, 18, 0, 35, stamped(7003, recent));
}

/// The application has closed and the stack's FIN is acknowledged; Linux takes no TSval from what comes then.
pub(crate) fn echo_after_close() -> Case {
    let mut case = Case::new(OpenMode::Passive);
    let stamp_of_syn = OptionSpec::Timestamps {
        tsval: 1000,
        tsecr: Echo::Value(0),
    };
    let mss = OptionSpec::MaximumSegmentSize(1000);
    case.peer(
        Flags::SYN,
        (0, 0),
        0,
        vec![mss, OptionSpec::SackPermitted, stamp_of_syn],
    );
    let offer = vec![
        TcpOption::MaximumSegmentSize(1460),
        TcpOption::SackPermitted,
        stamp(7000, 1000),
    ];
    case.stack(Flags::SYN | ACK, 0, 0, 1, offer);
    case.peer(ACK, (1, 1), 1, ts(2000, 0));
    case.call(Call::Accept, Outcome::Done(0));
    case.call(Call::Close, Outcome::Done(0));
    case.stack(Flags::FIN | ACK, 1, 0, 1, stamped(7001, 2000));
    case.peer(ACK, (1, 1), 2, ts(2000, 1));
    case.peer(ACK, (1, 1), 2, ts(4000, 1));
    case.peer(ACK, (0, 1), 2, ts(4000, 1));
    case.stack(ACK, 2, 0, 1, stamped(7002, 2000));
    case
}

pub(crate) fn stale_echo(right: u32, wrong: u32) -> Subject {
    Subject::Echo {
        allowed: vec![TsVal(right)],
        observed: TsVal(wrong),
    }
}

/// Divergence B: text wholly past the advertised edge is kept, with or without timestamps.
pub(crate) fn beyond_window(isn: u32, timestamps: bool) -> (Case, Subject) {
    let mut case = Case::new(OpenMode::Passive);
    case.scenario.setup.isn = isn;
    let stamp_in = |tsval: u32| if timestamps { ts(tsval, 0) } else { Vec::new() };
    let stamp_out = |tsecr: u32| {
        if timestamps {
            stamped(7000, tsecr)
        } else {
            Vec::new()
        }
    };
    let mut offer = vec![OptionSpec::MaximumSegmentSize(1460)];
    let mut answer = vec![TcpOption::MaximumSegmentSize(1460)];
    if !timestamps {
        offer.extend([OptionSpec::NoOperation, OptionSpec::NoOperation]);
        answer.extend([TcpOption::NoOperation, TcpOption::NoOperation]);
    }
    offer.push(OptionSpec::SackPermitted);
    answer.push(TcpOption::SackPermitted);
    if timestamps {
        offer.push(OptionSpec::Timestamps {
            tsval: 1000,
            tsecr: Echo::Value(0),
        });
        answer.push(stamp(7000, 1000));
    }
    case.peer(Flags::SYN, (0, 0), 0, offer);
    case.stack(Flags::SYN | ACK, 0, 0, 1, answer);
    case.peer(ACK, (1, 1), 1, stamp_in(2000));
    let full = if timestamps { 1448 } else { 1460 };
    let next = 1 + full;
    case.peer(P, (1, next), 1, stamp_in(3000));
    case.stack(ACK, 1, 0, next, stamp_out(3000));
    let past = next + 65_535;
    case.peer(P, (past, past + 100), 1, stamp_in(4000));
    let mut options = stamp_out(3000);
    options.extend(sack(isn, past, past + 100));
    case.stack(ACK, 1, 0, next, options);
    let base = SeqNum(isn);
    let subject = Subject::BeyondWindow {
        edge: base + past,
        taken: (base + past, base + past + 100),
    };
    (case, subject)
}
