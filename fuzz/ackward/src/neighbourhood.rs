//! What lies beside a known fault and must not change when it is mended: cases that a right stack and this one do alike.
//! RFC 7323 sections 4.3 and 5.3, RFC 9293 section 3.10.7.4.

use ackward_model::{Flags, Segment, SocketOption, Trace};
use ackward_oracle::Verdict;
use ackward_scenario::{Echo, Family, OptionSpec, Scenario, SegmentSpec, Setup, Step};

use crate::trial::{Conditions, Trial};

/// One behaviour beside a fault, and in how many runs it showed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neighbour {
    /// The behaviour.
    pub claim: &'static str,
    /// Runs in which it showed, of [`RUNS`].
    pub held: u32,
}

/// So often is each tried.
pub const RUNS: u32 = 10;

struct Control {
    claim: &'static str,
    setup: fn(&mut Setup),
    /// With timestamps and window scaling.
    options: bool,
    /// Where the peer's text begins and how long it is, and its TSval; what it acknowledges is the stack's SYN.
    arrivals: &'static [(u32, u16, u32)],
    /// What the stack's last answer must be.
    shows: fn(&Segment) -> bool,
}

/// Beside the wrong echo after an old acknowledgment.
const ECHO: &[Control] = &[
    Control {
        claim: "Text that leaves a gap does not move TS.Recent.",
        setup: |_| {},
        options: true,
        arrivals: &[(11, 10, 120)],
        shows: |answer| echo(answer) == Some(110) && !answer.options.sack().is_empty(),
    },
    Control {
        claim: "Text that fills the gap moves it, where its acknowledgment is not old.",
        setup: |_| {},
        options: true,
        arrivals: &[(11, 10, 120), (1, 10, 130)],
        shows: |answer| echo(answer) == Some(130),
    },
    Control {
        claim: "Text in order with a TSval that is older than TS.Recent is refused.",
        setup: |_| {},
        options: true,
        arrivals: &[(1, 10, 130), (11, 10, 90)],
        shows: |answer| echo(answer) == Some(130) && answer.options.sack().is_empty(),
    },
];

/// Beside text that is taken past the edge where nothing is scaled.
const WINDOW: &[Control] = &[
    Control {
        claim: "Text inside the window is taken.",
        setup: |_| {},
        options: false,
        arrivals: &[(11, 10, 0)],
        shows: takes_something,
    },
    Control {
        claim: "Where windows are scaled, text past the edge is refused.",
        setup: |_| {},
        options: true,
        arrivals: &[(70_000, 10, 120)],
        shows: takes_nothing,
    },
    Control {
        claim: "Where the buffer is smaller than a window field can say, text past the edge is refused.",
        setup: |setup| {
            setup
                .socket_options
                .push(SocketOption::ReceiveBuffer(8_192))
        },
        options: false,
        arrivals: &[(60_000, 10, 0)],
        shows: takes_nothing,
    },
];

/// What was tried beside `root`, on the stack behind `trial`; nothing where nobody has said what must not change.
pub fn examine<T: Trial>(
    trial: &mut T,
    root: &str,
    family: Family,
) -> Result<Vec<Neighbour>, T::Error> {
    let controls = match root {
        "old_ack_leaves_ts_recent_alone" => ECHO,
        "private_window_exceeds_the_wire" => WINDOW,
        _ => &[],
    };
    let each = controls.iter().map(|control| {
        let scenario = control.scenario(family);
        let mut held = 0;
        for _ in 0..RUNS {
            let run = trial.run(&scenario, Conditions::default())?;
            let right = matches!(run.verdict, Verdict::Conforms);
            let shows = answer(&run.trace).is_some_and(control.shows);
            held += u32::from(right && shows);
        }
        Ok(Neighbour {
            claim: control.claim,
            held,
        })
    });
    each.collect()
}

impl Control {
    /// A handshake in which the peer's clock stands at 100 and 110, then the arrivals.
    fn scenario(&self, family: Family) -> Scenario {
        let mut setup = Setup {
            family,
            isn: 1_000,
            ..Setup::default()
        };
        (self.setup)(&mut setup);
        let stamp = |tsval, tsecr| {
            let stamps = OptionSpec::Timestamps { tsval, tsecr };
            self.options
                .then_some([OptionSpec::NoOperation, OptionSpec::NoOperation, stamps])
        };
        let mut offer = vec![OptionSpec::MaximumSegmentSize(1_000)];
        if self.options {
            offer.extend([OptionSpec::NoOperation, OptionSpec::WindowScale(7)]);
        }
        offer.extend([
            OptionSpec::NoOperation,
            OptionSpec::NoOperation,
            OptionSpec::SackPermitted,
        ]);
        offer.extend(stamp(100, Echo::Value(0)).into_iter().flatten());
        let segment = |flags, seq, len, options| {
            Step::Segment(SegmentSpec {
                flags,
                seq,
                ack: u32::from(flags != Flags::SYN),
                window: 60_000,
                len,
                options,
                ..SegmentSpec::default()
            })
        };
        let echoing = |tsval| {
            let options = stamp(tsval, Echo::Emission(0));
            options.into_iter().flatten().collect()
        };
        let mut steps = vec![
            segment(Flags::SYN, 0, 0, offer),
            segment(Flags::ACK, 1, 0, echoing(110)),
        ];
        for (seq, len, tsval) in self.arrivals {
            steps.push(segment(Flags::ACK, *seq, *len, echoing(*tsval)));
        }
        Scenario { setup, steps }
    }
}

/// The last acknowledgment that the scenario itself drew: the case ends with a question of the tester's own.
fn answer(trace: &Trace) -> Option<&Segment> {
    trace.before_reveal().last()
}

fn echo(answer: &Segment) -> Option<u32> {
    answer.options.timestamps().map(|(_, tsecr)| tsecr.0)
}

fn takes_something(answer: &Segment) -> bool {
    !answer.options.sack().is_empty()
}

fn takes_nothing(answer: &Segment) -> bool {
    answer.options.sack().is_empty()
}
