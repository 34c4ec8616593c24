//! What to try: a scenario says what to do, a plan says it in terms of what will be seen, and generators make plans.
//! Pure: no clock, socket, thread or environment; randomness comes in as a seed.
#![forbid(unsafe_code)]

pub mod conversation;
pub mod director;
pub mod edit;
pub mod encode;
pub mod generate;
pub mod mutate;
mod network;
pub mod normalize;
pub mod plan;
pub mod setup;
pub mod step;
#[cfg(test)]
mod strategies;
pub mod systematic;
mod view;

pub use conversation::Conversation;
pub use director::{Director, Replay};
pub use edit::{Edit, Place};
pub use generate::{Generator, Mode};
pub use plan::{AckBase, Craft, Move, PeerConfig, Plan, SeqBase, TsBase};
pub use setup::{Family, Setup};
pub use step::{Echo, IcmpSpec, OptionSpec, Scenario, SegmentSpec, Step};

/// What a peer is made of, from the endpoint that plays it.
pub use ackward_endpoint::{AckPolicy, Offer, TsClock};
