//! What a packetdrill script says of a stack once it has run there: what packetdrill would say, and what the RFCs say.

mod calls;
mod clock;
mod compare;
mod connection;
mod datagram;
pub mod python;
mod record;
mod run;
mod symbols;

pub use clock::Tolerance;
pub use run::{Conditions, Ending, Report, run};
