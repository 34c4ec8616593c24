//! How a case begins: family, open mode, and settings that are not at their default.

use std::fmt;

use ackward_model::{Address, OpenMode, SocketOption, Sysctl};
use serde::{Deserialize, Serialize};

/// The circumstances of a case.
#[derive(
    Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, arbitrary::Arbitrary,
)]
pub struct Setup {
    /// Address family of socket and wire.
    pub family: Family,
    /// Who opens.
    pub open: OpenMode,
    /// The peer's initial sequence number, verbatim on the wire.
    pub isn: u32,
    /// Settings of the host that leave their default before the socket is made.
    pub sysctls: Vec<Sysctl>,
    /// Options set on the socket before it listens or connects.
    pub socket_options: Vec<SocketOption>,
    /// What it connects to: the peer, or an address that is no host's (`ToMulticast`, `ToBroadcast`).
    #[serde(default)]
    pub remote: Address,
}

/// Address family of the socket and of the wire.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, arbitrary::Arbitrary,
)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// IPv4 socket, IPv4 wire.
    #[default]
    V4,
    /// IPv6 socket, IPv6 wire.
    V6,
    /// IPv6 socket, IPv4 wire (IPv4-mapped addresses).
    Mapped,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::V4 => "4",
            Family::V6 => "6",
            Family::Mapped => "mapped",
        })
    }
}
