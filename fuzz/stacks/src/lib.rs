//! What to try it on: stacks, the links to them, and the driver that makes a director's steps real.
//!
//! A stack is a [`Host`]; one case on it is a [`Connection`]; [`drive`] runs a director against it and fills a trace.
//! The only crate with I/O and `unsafe`.

mod drive;
mod error;
mod link;
mod linux;
mod mutant;
mod named;
mod seen;
mod stack;
mod stage;
mod sys;

pub use drive::{DriveOptions, drive};
pub use error::StackError;
pub use linux::{BARE_OCTETS, BARE_SEGMENTS, BareLoop, LinuxOptions, linux, linux_stage, prepare};
pub use named::{Availability, Stack, stacks};
pub use stack::{Clock, Connection, Host, KernelWords, LinkKind, Outbox, StackInfo};
pub use stage::{Operation, Returned, Stage, StageOptions};
