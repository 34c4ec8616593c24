//! What TCP is: the nouns every other crate speaks, and the reference that says what may happen next.
//! RFC 9293 (the protocol) and RFC 7323 (window scale and timestamps).
//!
//! Pure: no clock, socket, thread, randomness or environment. Same input, same output.
#![forbid(unsafe_code)]

pub mod application;
pub mod arrival;
pub mod call;
pub mod emission;
pub mod held;
pub mod icmp;
pub mod latitude;
pub mod options;
pub mod payload;
pub mod reference;
pub mod segment;
pub mod seq;
pub mod state;
pub mod tcb;
pub mod timestamp;
pub mod trace;
pub mod window;
pub mod wire;

pub use arrival::{Acceptability, Arrival, Reading, Take, TsUpdate, acceptability};
pub use call::{Call, Outcome, SocketOption, Sysctl};
pub use icmp::{Icmp, IcmpKind};
pub use latitude::{Hook, Latitude};
pub use options::{Options, SackBlock, SackBlocks, TcpOption};
pub use reference::Reference;
pub use segment::{Address, Carrier, Flags, Segment};
pub use seq::SeqNum;
pub use state::State;
pub use tcb::{Due, Recent, SendWindow, Tcb};
pub use timestamp::{Age, TsVal};
pub use trace::{Entry, Event, Micros, OpenMode, Origin, Path, Sample, Trace};
pub use window::{Window, WindowField, WindowScale};
