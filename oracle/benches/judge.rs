//! What the judge costs for an event of a long conversation, at one hypothesis and at eight. On cores that are shared the
//! best round says most.
#![allow(clippy::disallowed_types)] // A bench looks at the clock.

#[path = "../tests/notation/mod.rs"]
mod notation;

use std::hint::black_box;
use std::time::Instant;

use ackward_model::{Call, Event, Latitude, Reference, Trace};
use ackward_oracle::{Judge, NoCoverage, Profile, Verdict};
use notation::long_conversation;

const ROUNDS: usize = 31;
const SEGMENTS: u32 = 1_000;

fn main() {
    println!("nanoseconds an event, best and median of {ROUNDS} rounds");
    for profile in ["rfc", "linux"] {
        let named = Profile::named(profile).expect("a built-in profile");
        let mut judge = Judge::new(&named);
        for (hypotheses, most) in [(1, 500), (8, 2_000)] {
            let trace = long_conversation(SEGMENTS, hypotheses, true);
            assert_eq!(possible_at_end(&trace), hypotheses as usize);
            let (best, median) = nanoseconds(&mut judge, &trace);
            println!(
                "{profile:5}  {hypotheses} hypotheses  {best:5.0}  {median:5.0}  (at most {most})"
            );
        }
    }
}

/// What an event of the trace costs: in the best round, and in the median one.
fn nanoseconds(judge: &mut Judge, trace: &Trace) -> (f64, f64) {
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let began = Instant::now();
            let verdict = judge.judge(black_box(trace), &mut NoCoverage);
            let took = began.elapsed();
            assert!(matches!(verdict, Verdict::Conforms), "{verdict:#?}");
            took.as_secs_f64() * 1e9 / trace.entries.len() as f64
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    (rounds[0], rounds[ROUNDS / 2])
}

/// How many hypotheses of the RFCs are left at the end.
fn possible_at_end(trace: &Trace) -> usize {
    let (mut reference, latitude) = (Reference::new(trace.open), Latitude::default());
    let mut made = Call::Accept;
    for (index, entry) in trace.entries.iter().enumerate() {
        match &entry.event {
            Event::In(segment, _) => reference
                .arrive(segment, index, entry.at, &latitude)
                .expect("few hypotheses"),
            Event::Out(segment) => assert!(reference.emit(segment, entry.at, &latitude, |_| true)),
            Event::Call(call) => made = *call,
            Event::Return(outcome) => {
                assert!(reference.returned(&made, outcome, &latitude, |_| true))
            }
            Event::Elapse(_) | Event::Sample(_) | Event::Icmp(_) => {}
        }
    }
    reference.hypotheses().len()
}
