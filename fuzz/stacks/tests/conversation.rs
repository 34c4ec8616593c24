//! Conversations with the running kernel, over both links, in every family, opened by either side.

use ackward_model::{Call, Event, Flags, OpenMode, Outcome, Trace, payload};
use ackward_scenario::{Echo, Family, OptionSpec, Replay, Scenario, SegmentSpec, Setup, Step};
use ackward_stacks::{DriveOptions, Host, LinkKind, LinuxOptions, drive, linux};

const LINKS: [LinkKind; 2] = [LinkKind::Tun, LinkKind::Raw];
const FAMILIES: [Family; 3] = [Family::V4, Family::V6, Family::Mapped];

fn host(link: LinkKind) -> Box<dyn Host> {
    linux(&LinuxOptions { link: Some(link) }).expect("these tests need root, TUN and veth")
}

fn run(host: &mut dyn Host, scenario: &Scenario, options: &DriveOptions) -> (Trace, Vec<Step>) {
    let (mut trace, mut taken) = (Trace::default(), Vec::new());
    drive(
        host,
        &mut Replay::new(scenario),
        options,
        &mut trace,
        &mut taken,
    )
    .expect("a case");
    (trace, taken)
}

fn stamped(tsval: u32, echo: Echo) -> Vec<OptionSpec> {
    vec![
        OptionSpec::NoOperation,
        OptionSpec::NoOperation,
        OptionSpec::Timestamps { tsval, tsecr: echo },
    ]
}

fn syn_options(tsval: u32, echo: Echo) -> Vec<OptionSpec> {
    vec![
        OptionSpec::MaximumSegmentSize(1000),
        OptionSpec::SackPermitted,
        OptionSpec::Timestamps { tsval, tsecr: echo },
        OptionSpec::NoOperation,
        OptionSpec::WindowScale(7),
    ]
}

fn segment(flags: Flags, seq: u32, ack: u32, len: u16, options: Vec<OptionSpec>) -> Step {
    Step::Segment(SegmentSpec {
        flags,
        seq,
        ack,
        window: 20000,
        len,
        copy: 0,
        options,
    })
}

/// The handshake, as the peer sees it, and text 1:101 and 101:201 in the wrong order.
fn text_in_the_wrong_order(family: Family, open: OpenMode) -> Scenario {
    let ack = Flags::ACK;
    let mut steps = match open {
        OpenMode::Passive => vec![
            segment(Flags::SYN, 0, 0, 0, syn_options(900, Echo::Value(0))),
            segment(ack, 1, 1, 0, stamped(1000, Echo::Emission(0))),
        ],
        OpenMode::Active => vec![segment(
            Flags::SYN | ack,
            0,
            1,
            0,
            syn_options(1000, Echo::Emission(0)),
        )],
    };
    steps.extend([
        segment(ack, 101, 1, 100, stamped(1100, Echo::Emission(1))),
        segment(ack, 1, 1, 100, stamped(1050, Echo::Emission(1))),
        Step::Call(Call::Read(1000)),
    ]);
    Scenario {
        setup: Setup {
            family,
            open,
            isn: 0xffff_ff80,
            ..Setup::default()
        },
        steps,
    }
}

#[test]
fn text_in_the_wrong_order_is_read_in_the_right_one() {
    for link in LINKS {
        let mut host = host(link);
        for family in FAMILIES {
            for open in [OpenMode::Passive, OpenMode::Active] {
                let scenario = text_in_the_wrong_order(family, open);
                let (trace, taken) = run(&mut *host, &scenario, &DriveOptions::default());
                assert_eq!(taken, scenario.steps, "{link} {family} {open:?}");
                let read = trace.entries.iter().find_map(|entry| match &entry.event {
                    Event::Return(Outcome::Data(octets)) => Some(octets.clone()),
                    _ => None,
                });
                assert_eq!(
                    read,
                    Some(payload::peer_text(0, 200, 0)),
                    "{link} {family} {open:?}: {trace:#?}"
                );
            }
        }
    }
}
