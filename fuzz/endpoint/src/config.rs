//! What an endpoint is made with: sequence numbers, options to offer, buffers, and the choices an RFC leaves open.

use ackward_model::{Micros, SeqNum, TsVal};
use arbitrary::Arbitrary;
use serde::{Deserialize, Serialize};

use crate::{Choices, Plant, TsClock};

/// How an endpoint behaves where the RFCs leave it a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// The initial send sequence number.
    pub iss: SeqNum,
    /// What the SYN offers.
    pub offer: Offer,
    /// Octets the receive buffer holds; the window never promises more, save for rounding to the scale.
    pub buffer: u32,
    /// The TSval of the first emission.
    pub tsval: TsVal,
    /// How TSval rises from there.
    pub clock: TsClock,
    /// When text is acknowledged.
    pub acks: AckPolicy,
    /// Whose text this end writes.
    pub text: Text,
    /// How long to wait for an acknowledgment before retransmitting, in microseconds. `None`: only on request.
    pub retransmission_timeout: Option<Micros>,
    /// Small text waits for what is in flight (RFC 9293 section 3.7.4).
    pub nagle: bool,
    /// What is open and bears on single segments.
    pub choices: Choices,
    /// Nothing is remembered of a SYN: its answer holds a cookie (RFC 4987 section 3.6).
    pub syn_cookies: bool,
    /// The bug it has, if any.
    pub plant: Option<Plant>,
}

/// The options a SYN offers. On a SYN,ACK all but the segment size go out only in answer to an offer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, Arbitrary)]
pub struct Offer {
    /// The maximum segment size this end takes, in octets of text. `None` leaves the option out.
    pub mss: Option<u16>,
    /// The window shift, as announced; more than 14 is announced so, and 14 is used.
    pub window_scale: Option<u8>,
    /// Timestamps.
    pub timestamps: bool,
    /// SACK.
    pub sack: bool,
    /// Explicit congestion notification (RFC 3168).
    #[serde(default)]
    pub ecn: bool,
}

/// When an endpoint acknowledges text that is in order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, Arbitrary)]
#[serde(rename_all = "snake_case")]
pub enum AckPolicy {
    /// Every segment at once.
    #[default]
    Immediate,
    /// Every second segment, or when the timer expires.
    EverySecond,
    /// When the timer expires, or when two full-size segments wait.
    Timer,
}

/// Whose position-coded text an endpoint writes (see [`ackward_model::payload`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text {
    /// The peer's: every retransmission is a copy of its own.
    Peer,
    /// That of the stack's application.
    Stack,
}

impl Default for Offer {
    fn default() -> Offer {
        Offer {
            mss: Some(1460),
            window_scale: Some(7),
            timestamps: true,
            sack: true,
            ecn: false,
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            iss: SeqNum(0),
            offer: Offer::default(),
            buffer: 65535,
            tsval: TsVal(1),
            clock: TsClock::default(),
            acks: AckPolicy::Immediate,
            text: Text::Peer,
            retransmission_timeout: None,
            nagle: false,
            choices: Choices::default(),
            syn_cookies: false,
            plant: None,
        }
    }
}
