//! Planted faults of what TCP asks of the IP layer.
//! RFC 9293 sections 3.9.1.9 and 3.9.2.

use ackward_model::{Address, Carrier, Flags, Segment};

use super::Plant;
use crate::Endpoint;

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
}
