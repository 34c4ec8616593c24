//! A finding written by hand, for the tests: divergence A of Linux 6.18.44.

use ackward_model::{
    Event, Flags, Options, Origin, Outcome, Segment, SeqNum, TcpOption, Trace, TsVal, WindowField,
};
use ackward_oracle::{Class, Diagnosis, Divergence, EventKind, Facts, Reach, rules};
use ackward_scenario::{Echo, OptionSpec, Scenario, SegmentSpec, Step};
use ackward_stacks::KernelWords;

use crate::Settings;
use crate::finding::Finding;
use crate::neighbourhood::Neighbour;

const ISS: SeqNum = SeqNum(1_000_000);
const P: Flags = Flags(0x18);

/// The echo after an old ACK, passive open.
pub(crate) fn echo() -> Finding {
    let mut run = Run::default();
    run.peer(Flags::SYN, (0, 0), 0, 1000);
    run.stack(Flags::SYN | Flags::ACK, (0, 0), 1, 1000);
    run.peer(Flags::ACK, (1, 1), 1, 2000);
    run.call(ackward_model::Call::Write(17), 17);
    run.stack(P, (1, 18), 1, 2000);
    run.peer(P, (18, 35), 18, 4000);
    run.stack(Flags::ACK, (18, 18), 1, 2000);
    run.peer(P, (1, 18), 1, 3000);
    let filler = run.trace.entries.len() - 1;
    run.stack(Flags::ACK, (18, 18), 35, 2000);
    let deviation = rules::deviation("old_ack_leaves_ts_recent_alone").expect("the oracle has it");
    Finding {
        root: deviation.name.to_owned(),
        divergence: Divergence {
            rule: &rules::rule(deviation.rule).expect("the oracle has it").card,
            entry: filler + 1,
            state: "ESTABLISHED",
            kind: EventKind::Emission,
            allowed: "ecr 3000".to_owned(),
            observed: "ecr 2000".to_owned(),
            why: vec![(filler, "this segment moved TS.Recent to 3000".to_owned())],
            diagnosis: Diagnosis::ExplainedBy(deviation),
            facts: Facts::Echo {
                allowed: vec![TsVal(3000)],
                observed: TsVal(2000),
            },
        },
        scenario: run.scenario,
        trace: run.trace,
        shortest: None,
        class: Class::Violation,
        reach: Reach::Network,
        settings: Settings::Defaults,
        runs: "10/10".to_owned(),
        one_minimal: true,
        words: Some(KernelWords {
            segments: vec!["not dropped".to_owned(); 4],
            log: Vec::new(),
        }),
        neighbourhood: vec![Neighbour {
            claim: "Text that leaves a gap does not move TS.Recent.",
            held: 10,
        }],
        stack: "linux 6.18.44".to_owned(),
        profile: "linux".to_owned(),
    }
}

#[derive(Default)]
struct Run {
    scenario: Scenario,
    trace: Trace,
}

impl Run {
    fn push(&mut self, event: Event) {
        let at = 25 * self.trace.entries.len() as u64;
        self.trace.push(at, event);
    }

    fn peer(&mut self, flags: Flags, range: (u32, u32), ack: u32, tsval: u32) {
        let emissions = self.trace.emissions().count() as u32;
        let spec = SegmentSpec {
            address: Default::default(),
            ip_option: false,
            damaged: false,
            urgent: 0,
            flags,
            seq: range.0,
            ack,
            window: 20_000,
            len: (range.1 - range.0) as u16,
            copy: 0,
            options: vec![
                OptionSpec::SackPermitted,
                OptionSpec::Timestamps {
                    tsval,
                    tsecr: Echo::Emission(emissions.saturating_sub(1)),
                },
            ],
        };
        let segment = segment(
            flags,
            (SeqNum(range.0), range.1 - range.0),
            ISS + ack,
            (tsval, 7000),
        );
        let origin = Origin::Step(self.scenario.steps.len());
        self.scenario.steps.push(Step::Segment(spec));
        self.push(Event::In(segment, origin));
    }

    fn stack(&mut self, flags: Flags, range: (u32, u32), ack: u32, tsecr: u32) {
        let text = (ISS + range.0, range.1 - range.0);
        self.push(Event::Out(segment(flags, text, SeqNum(ack), (7000, tsecr))));
    }

    fn call(&mut self, call: ackward_model::Call, result: u32) {
        self.scenario.steps.push(Step::Call(call));
        self.push(Event::Call(call));
        self.push(Event::Return(Outcome::Done(result)));
    }
}

fn segment(flags: Flags, text: (SeqNum, u32), ack: SeqNum, stamp: (u32, u32)) -> Segment {
    Segment {
        carrier: ackward_model::Carrier::default(),
        damaged: false,
        seq: text.0,
        ack,
        flags,
        window: WindowField(20_000),
        urgent: 0,
        options: Options(vec![
            TcpOption::SackPermitted,
            TcpOption::Timestamps {
                tsval: TsVal(stamp.0),
                tsecr: TsVal(stamp.1),
            },
        ]),
        payload: vec![0; text.1 as usize],
    }
}
