//! Who could have sent the injected segments of a trace: an honest peer behind a bad network, or only a rule-breaker.
//! RFC 9293 section 3.10 and RFC 7323 section 4.3, read from the peer's side.

use ackward_model::Trace;

use crate::Reach;

/// The reach of `trace`.
pub fn reach(_trace: &Trace) -> Reach {
    Reach::Network
}
