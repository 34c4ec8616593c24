//! How much the driver costs beside the bare loop: the same case, interleaved, over each link. Medians.

use std::time::{Duration, Instant};

use ackward_model::{Call, Flags, Trace};
use ackward_scenario::{Echo, OptionSpec, Replay, Scenario, SegmentSpec, Setup, Step};
use ackward_stacks::{
    BARE_OCTETS, BARE_SEGMENTS, BareLoop, DriveOptions, Host, LinkKind, LinuxOptions, StackError,
    drive, linux,
};

const ROUNDS: usize = 11;
const CASES: u64 = 2000;

fn main() -> Result<(), StackError> {
    println!("cases/s, medians of {ROUNDS} interleaved rounds of {CASES} cases");
    for link in [LinkKind::Tun, LinkKind::Raw] {
        let mut host = linux(&LinuxOptions { link: Some(link) })?;
        let mut bare_loop = BareLoop::open(link)?;
        let (mut bare, mut driven, mut revealed) = (Vec::new(), Vec::new(), Vec::new());
        let mut ratios = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            bare.push(rate(bare_loop.run(CASES)?));
            driven.push(rate(driver_loop(&mut *host, false)?));
            revealed.push(rate(driver_loop(&mut *host, true)?));
            let latest = bare.len() - 1;
            ratios.0.push(driven[latest] / bare[latest]);
            ratios.1.push(revealed[latest] / bare[latest]);
        }
        println!(
            "{link}: bare {:.0}, driver {:.0} ({:.1} % of bare), driver with reveal {:.0} ({:.1} %)",
            median(&mut bare),
            median(&mut driven),
            100.0 * median(&mut ratios.0),
            median(&mut revealed),
            100.0 * median(&mut ratios.1),
        );
    }
    Ok(())
}

/// The bare loop's case, by the driver.
fn driver_loop(host: &mut dyn Host, reveal: bool) -> Result<Duration, StackError> {
    let scenario = scenario();
    let options = DriveOptions {
        reveal,
        ..DriveOptions::default()
    };
    let (mut trace, mut taken) = (Trace::default(), Vec::new());
    let began = Instant::now();
    for _ in 0..CASES {
        let mut director = Replay::new(&scenario);
        drive(host, &mut director, &options, &mut trace, &mut taken)?;
    }
    let took = began.elapsed();
    assert_eq!(taken.len(), scenario.steps.len());
    Ok(took)
}

fn scenario() -> Scenario {
    let segment = |flags, seq, ack, len, options| {
        Step::Segment(SegmentSpec {
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

fn rate(took: Duration) -> f64 {
    CASES as f64 / took.as_secs_f64()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
