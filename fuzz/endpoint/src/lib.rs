//! One executable TCP on virtual time: what an RFC-abiding end does next.
//! RFC 9293 section 3.10 and RFC 7323, with RFC 2018 and RFC 5961; it shares only the nouns of `ackward-model`, not its
//! reference, so that judge and witness do not share a mistake.
//!
//! Sans-IO. An [`Endpoint`] is told what happens (`open`, `listen`, `receive`, `write`, `discard`, `shutdown`, `tick`)
//! and asked what it sends (`poll_emit`). Time is an argument and never goes backwards. Same input, same output.
#![forbid(unsafe_code)]

mod acks;
mod arrival;
mod choices;
mod clock;
mod config;
mod cookies;
mod endpoint;
mod opening;
mod options;
mod outline;
mod patience;
mod plants;
mod rcv;
mod reassembly;
mod round_trip;
mod snd;
mod state;
mod timestamps;
mod transmit;
mod urgent;

pub use choices::Choices;
pub use clock::TsClock;
pub use config::{AckPolicy, Config, Offer, Text};
pub use endpoint::Endpoint;
pub use outline::Outline;
pub use plants::{PLANTS, Plant, PlantCard};
pub use state::State;
