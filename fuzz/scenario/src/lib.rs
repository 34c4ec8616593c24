//! What to try: a scenario says what to do, a plan says it in terms of what will be seen, and generators make plans.
//! Pure: no clock, socket, thread or environment; randomness comes in as a seed.
#![forbid(unsafe_code)]

pub mod director;
pub mod setup;
pub mod step;

pub use director::{Director, Replay};
pub use setup::{Family, Setup};
pub use step::{Echo, OptionSpec, Scenario, SegmentSpec, Step};
