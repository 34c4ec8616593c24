//! What driver and oracle cost beside the bare loop: the same case of ten data segments, interleaved, over each link.
//! Ratios are medians over the rounds of one run, never of one run against a stored figure.

use std::time::Instant;

use ackward::features::Features;
use ackward::live::Live;
use ackward_model::{Call, Flags, Trace};
use ackward_oracle::{Profile, ProfileError, Verdict};
use ackward_scenario::{Echo, OptionSpec, Replay, Scenario, SegmentSpec, Setup, Step};
use ackward_stacks::{
    BARE_OCTETS, BARE_SEGMENTS, BareLoop, DriveOptions, Host, LinkKind, LinuxOptions, StackError,
    drive, linux,
};

const ROUNDS: usize = 11;
const CASES: u64 = 2_000;

fn main() -> Result<(), Failure> {
    let scenario = scenario();
    println!("medians of {ROUNDS} interleaved rounds of {CASES} cases");
    for link in [LinkKind::Tun, LinkKind::Raw] {
        let options = LinuxOptions { link: Some(link) };
        let mut bare = BareLoop::open(link)?;
        // One host for both: a thread is in one namespace at a time.
        let mut live = Live::new(linux(&options)?, &Profile::named("linux")?);
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            rounds.push([
                seconds(|| bare.run(CASES).map(|_| ()))?,
                seconds(|| driver(live.host(), &scenario))?,
                seconds(|| driver_and_oracle(&mut live, &scenario))?,
            ]);
        }
        let rate = |column: usize| median(rounds.iter().map(|r| CASES as f64 / r[column]));
        let ratio = |a: usize, b: usize| 100.0 * median(rounds.iter().map(|r| r[b] / r[a]));
        println!("{link}: bare loop           {:6.0} cases/s", rate(0));
        println!(
            "{link}: driver              {:6.0} cases/s, {:5.1} % of the bare loop",
            rate(1),
            ratio(1, 0)
        );
        println!(
            "{link}: driver and oracle   {:6.0} cases/s, {:5.1} % of the driver, {:5.1} % of the bare loop",
            rate(2),
            ratio(2, 1),
            ratio(2, 0)
        );
    }
    Ok(())
}

fn driver(host: &mut dyn Host, scenario: &Scenario) -> Result<(), StackError> {
    let (mut trace, mut taken) = (Trace::default(), Vec::new());
    for _ in 0..CASES {
        let mut director = Replay::new(scenario);
        drive(
            host,
            &mut director,
            &DriveOptions::default(),
            &mut trace,
            &mut taken,
        )?;
    }
    assert_eq!(taken.len(), scenario.steps.len());
    Ok(())
}

fn driver_and_oracle(live: &mut Live, scenario: &Scenario) -> Result<(), StackError> {
    let mut features = Features::new();
    for _ in 0..CASES {
        let verdict = live.hunt(&mut Replay::new(scenario), &mut features)?;
        assert!(matches!(verdict, Verdict::Conforms), "{verdict:#?}");
    }
    Ok(())
}

/// The bare loop's case: pairs of segments in the wrong order.
fn scenario() -> Scenario {
    let segment = |flags, seq, len, options| {
        Step::Segment(SegmentSpec {
            urgent: 0,
            address: Default::default(),
            ip_option: false,
            damaged: false,
            flags,
            seq,
            ack: 1,
            window: 20_000,
            len,
            copy: 0,
            options,
        })
    };
    let stamp = |tsval, tsecr| OptionSpec::Timestamps { tsval, tsecr };
    let stamped = || {
        vec![
            OptionSpec::NoOperation,
            OptionSpec::NoOperation,
            stamp(1_000, Echo::Emission(0)),
        ]
    };
    let syn_options = vec![
        OptionSpec::MaximumSegmentSize(1_000),
        OptionSpec::SackPermitted,
        stamp(900, Echo::Value(0)),
        OptionSpec::NoOperation,
        OptionSpec::WindowScale(7),
    ];
    let mut steps = vec![
        segment(Flags::SYN, 0, 0, syn_options),
        segment(Flags::ACK, 1, 0, stamped()),
    ];
    steps.extend((0..BARE_SEGMENTS).map(|number| {
        let seq = 1 + (number ^ 1) * BARE_OCTETS;
        segment(Flags::ACK, seq, BARE_OCTETS as u16, stamped())
    }));
    steps.push(Step::Call(Call::Read(BARE_SEGMENTS * BARE_OCTETS)));
    Scenario {
        setup: Setup {
            isn: 1_000_000,
            ..Setup::default()
        },
        steps,
    }
}

fn seconds(run: impl FnOnce() -> Result<(), StackError>) -> Result<f64, StackError> {
    let began = Instant::now();
    run()?;
    Ok(began.elapsed().as_secs_f64())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Why there is nothing to measure.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Stack(#[from] StackError),
    #[error(transparent)]
    Profile(#[from] ProfileError),
}
