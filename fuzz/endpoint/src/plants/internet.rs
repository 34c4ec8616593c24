//! Planted faults of what lies beside the connection: the IP layer, and other users of its port.
//! RFC 9293 sections 3.9.1.1, 3.9.1.9 and 3.9.2.

use ackward_model::{Address, Carrier, Flags, Icmp, IcmpKind, Segment};

use super::Plant;
use crate::{Endpoint, State};

impl Endpoint {
    /// What the IP header of `segment` says.
    pub(crate) fn planted_carrier(&self, carrier: Carrier, segment: &Segment) -> Carrier {
        if segment.has(Flags::RST) {
            return carrier;
        }
        match self.config.plant {
            Some(Plant::ClassIgnored) => Carrier {
                traffic_class: 0,
                ..carrier
            },
            Some(Plant::ClassAltered) => Carrier {
                traffic_class: carrier.traffic_class & 0xe0,
                ..carrier
            },
            Some(Plant::BindIgnored)
                if segment.flags.contains(Flags::SYN) && !segment.has(Flags::ACK) =>
            {
                Carrier {
                    address: Address::Other,
                    ..carrier
                }
            }
            Some(Plant::AddressChanges) if !segment.has(Flags::SYN) => Carrier {
                address: Address::Other,
                ..carrier
            },
            Some(Plant::HopsIgnored) => Carrier {
                time_to_live: 64,
                ..carrier
            },
            _ => carrier,
        }
    }

    /// Whether the user may listen on this end's port for another connection.
    pub(crate) fn planted_neighbour(&mut self) -> bool {
        match self.config.plant {
            Some(Plant::ListenForgets) if self.listened => self.listen_again(),
            Some(Plant::ListenForgets) if self.state != State::Listen => self.become_closed(),
            Some(Plant::ListenRefused) => {
                return !matches!(self.state, State::SynSent | State::SynReceived);
            }
            _ => {}
        }
        true
    }

    /// Whether a message ends the connection, if not as the RFC has it.
    pub(crate) fn planted_obedience(&self, icmp: &Icmp, concerns: bool) -> Option<bool> {
        match self.config.plant? {
            Plant::QuenchEnds if concerns && icmp.kind == IcmpKind::SourceQuench => Some(true),
            Plant::SoftErrorEnds if concerns && icmp.kind.is_soft() => Some(true),
            Plant::HardErrorSurvived if concerns && icmp.kind.is_hard() => Some(false),
            Plant::ForeignErrorEnds if icmp.foreign && icmp.kind.is_hard() => Some(true),
            _ => None,
        }
    }
}
