//! How much the driver costs beside the bare loop: the same case, interleaved, over each link. Medians.

use std::time::Instant;

use ackward_model::{Call, Flags, Trace};
use ackward_scenario::{Echo, OptionSpec, Replay, Scenario, SegmentSpec, Setup, Step};
use ackward_stacks::{
    BARE_OCTETS, BARE_SEGMENTS, BareLoop, DriveOptions, Host, LinkKind, LinuxOptions, StackError,
    drive, linux,
};

const ROUNDS: usize = 11;
const CASES: u64 = 2000;

fn main() -> Result<(), StackError> {
    println!(
        "medians of {ROUNDS} interleaved rounds of {CASES} cases: cases/s, and share of the bare loop's"
    );
    println!(
        "rate by wall clock, and by this thread's processor time (which another load disturbs less)"
    );
    for link in [LinkKind::Tun, LinkKind::Raw] {
        let mut host = linux(&LinuxOptions { link: Some(link) })?;
        let mut bare_loop = BareLoop::open(link)?;
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            rounds.push([
                cost(|| bare_loop.run(CASES).map(|_| ()))?,
                cost(|| driver_loop(&mut *host, false))?,
                cost(|| driver_loop(&mut *host, true))?,
            ]);
        }
        for (column, name) in ["bare loop", "driver", "driver and reveal"]
            .iter()
            .enumerate()
        {
            let figure = |of: fn(&Cost, &Cost) -> f64| {
                median(rounds.iter().map(|round| of(&round[column], &round[0])))
            };
            println!(
                "{link}: {name:17} {:6.0} cases/s, {:5.1} % by clock, {:5.1} % by processor",
                figure(|cost, _| CASES as f64 / cost.clock),
                100.0 * figure(|cost, bare| bare.clock / cost.clock),
                100.0 * figure(|cost, bare| bare.processor / cost.processor),
            );
        }
    }
    Ok(())
}

/// What a run took, in seconds.
struct Cost {
    clock: f64,
    processor: f64,
}

fn cost(run: impl FnOnce() -> Result<(), StackError>) -> Result<Cost, StackError> {
    let (clock, processor) = (Instant::now(), processor_time());
    run()?;
    Ok(Cost {
        clock: clock.elapsed().as_secs_f64(),
        processor: processor_time() - processor,
    })
}

/// The thread's own, in seconds.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text
        .split(' ')
        .next()
        .and_then(|nanoseconds| nanoseconds.parse::<f64>().ok());
    first.unwrap_or(f64::NAN) / 1e9
}

/// The bare loop's case, by the driver.
fn driver_loop(host: &mut dyn Host, reveal: bool) -> Result<(), StackError> {
    let scenario = scenario();
    let options = DriveOptions {
        reveal,
        ..DriveOptions::default()
    };
    let (mut trace, mut taken) = (Trace::default(), Vec::new());
    for _ in 0..CASES {
        let mut director = Replay::new(&scenario);
        drive(host, &mut director, &options, &mut trace, &mut taken)?;
    }
    assert_eq!(taken.len(), scenario.steps.len());
    Ok(())
}

fn scenario() -> Scenario {
    let segment = |flags, seq, ack, len, options| {
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
    };
    let stamp = || {
        vec![
            OptionSpec::NoOperation,
            OptionSpec::NoOperation,
            OptionSpec::Timestamps {
                tsval: 1000,
                tsecr: Echo::Emission(0),
            },
        ]
    };
    let syn_options = vec![
        OptionSpec::MaximumSegmentSize(1000),
        OptionSpec::SackPermitted,
        OptionSpec::Timestamps {
            tsval: 900,
            tsecr: Echo::Value(0),
        },
        OptionSpec::NoOperation,
        OptionSpec::WindowScale(7),
    ];
    let mut steps = vec![
        segment(Flags::SYN, 0, 0, 0, syn_options),
        segment(Flags::ACK, 1, 1, 0, stamp()),
    ];
    steps.extend((0..BARE_SEGMENTS).map(|k| {
        let seq = 1 + (k ^ 1) * BARE_OCTETS;
        segment(Flags::ACK, seq, 1, BARE_OCTETS as u16, stamp())
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

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
