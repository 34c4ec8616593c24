//! What the tests on the running kernel share.

use ackward_model::{Flags, OpenMode, Trace};
use ackward_scenario::{Echo, Family, OptionSpec, Replay, Scenario, SegmentSpec, Setup, Step};
use ackward_stacks::{DriveOptions, Host, LinkKind, LinuxOptions, drive, linux};

pub(crate) fn host(link: LinkKind) -> Box<dyn Host> {
    linux(&LinuxOptions { link: Some(link) }).expect("these tests need root, TUN and veth")
}

pub(crate) fn run(
    host: &mut dyn Host,
    scenario: &Scenario,
    options: &DriveOptions,
) -> (Trace, Vec<Step>) {
    let (mut trace, mut taken) = (Trace::default(), Vec::new());
    let mut director = Replay::new(scenario);
    drive(host, &mut director, options, &mut trace, &mut taken).expect("a case");
    (trace, taken)
}

pub(crate) fn segment(
    flags: Flags,
    seq: u32,
    ack: u32,
    len: u16,
    options: Vec<OptionSpec>,
) -> Step {
    Step::Segment(SegmentSpec {
        urgent: 0,
        address: Default::default(),
        ip_option: false,
        damaged: false,
        flags,
        seq,
        ack,
        window: 20_000,
        len,
        copy: 0,
        options,
    })
}

pub(crate) fn stamped(tsval: u32, echo: Echo) -> Vec<OptionSpec> {
    vec![
        OptionSpec::NoOperation,
        OptionSpec::NoOperation,
        OptionSpec::Timestamps { tsval, tsecr: echo },
    ]
}

pub(crate) fn syn_options(tsval: u32, echo: Echo) -> Vec<OptionSpec> {
    vec![
        OptionSpec::MaximumSegmentSize(1000),
        OptionSpec::SackPermitted,
        OptionSpec::Timestamps { tsval, tsecr: echo },
        OptionSpec::NoOperation,
        OptionSpec::WindowScale(7),
    ]
}

/// The peer's handshake; sequence numbers wrap soon after it.
pub(crate) fn passive(family: Family) -> Scenario {
    Scenario {
        setup: Setup {
            family,
            isn: 0xffff_ff80,
            ..Setup::default()
        },
        steps: vec![
            segment(Flags::SYN, 0, 0, 0, syn_options(900, Echo::Value(0))),
            segment(Flags::ACK, 1, 1, 0, stamped(1000, Echo::Emission(0))),
        ],
    }
}

/// The peer's answer to the stack's SYN.
pub(crate) fn active(family: Family) -> Scenario {
    let mut scenario = passive(family);
    scenario.setup.open = OpenMode::Active;
    scenario.steps = vec![segment(
        Flags::SYN | Flags::ACK,
        0,
        1,
        0,
        syn_options(1000, Echo::Emission(0)),
    )];
    scenario
}
