//! Planted faults of the wire form: checksums, and what options are read and written.
//! RFC 9293 sections 3.1, 3.2 and 3.7.1.

use ackward_model::{Address, Flags, Options, Segment, TcpOption};

use super::Plant;
use crate::Endpoint;

impl Endpoint {
    /// The segment that an arriving one is taken for; a damaged one is not looked at.
    pub(crate) fn planted_misreading(&mut self, segment: &Segment) -> Option<Segment> {
        let options = &segment.options.0;
        let raw = |option: &TcpOption| matches!(option, TcpOption::Raw(_));
        let read = match self.config.plant? {
            Plant::TrustsChecksums => options.clone(),
            Plant::ReadsPastTheEnd => {
                let octets = segment.options.to_bytes();
                let end = options
                    .iter()
                    .take_while(|option| **option != TcpOption::EndOfList);
                let end: usize = end.map(TcpOption::wire_len).sum();
                let (before, behind) = octets.split_at(end.min(octets.len()));
                let behind = behind.iter().skip_while(|octet| **octet == 0);
                Options::from_bytes(&before.iter().chain(behind).copied().collect::<Vec<u8>>()).0
            }
            Plant::RefusesOptions => {
                let text = !segment.has(Flags::SYN) && !segment.payload.is_empty();
                let foreign = |option: &TcpOption| match option {
                    TcpOption::MaximumSegmentSize(_)
                    | TcpOption::WindowScale(_)
                    | TcpOption::SackPermitted => true,
                    TcpOption::Raw(_) => option.has_its_length(),
                    _ => false,
                };
                if text && segment.options.effective().any(foreign) {
                    return Some(Segment {
                        damaged: true,
                        ..segment.clone()
                    });
                }
                return None;
            }
            Plant::TakesFromGroups if is_from(segment) => return Some(readdressed(segment)),
            Plant::TakesToGroups if is_to(segment) => return Some(readdressed(segment)),
            Plant::RefusesIpOptions if segment.carrier.options => {
                return Some(Segment {
                    damaged: true,
                    ..segment.clone()
                });
            }
            Plant::StopsAtUnknown => {
                let known = options.iter().take_while(|option| !raw(option));
                known.cloned().collect()
            }
            Plant::ReadsForEver => {
                let endless = |option: &TcpOption| match option {
                    TcpOption::Raw(octets) => octets.get(1).is_none_or(|length| {
                        usize::from(*length) < 2 || usize::from(*length) > octets.len()
                    }),
                    _ => false,
                };
                self.planted.dead |= segment.options.effective().any(endless);
                return None;
            }
            Plant::AlignedOnly if !segment.has(Flags::SYN) => {
                let mut place = 0;
                let aligned = options.iter().filter(|option| {
                    let here = place;
                    place += option.wire_len();
                    here % 4 == 2 || !matches!(option, TcpOption::Timestamps { .. })
                });
                aligned.cloned().collect()
            }
            _ => return None,
        };
        Some(Segment {
            options: Options(read),
            damaged: segment.damaged && !self.plants(Plant::TrustsChecksums),
            ..segment.clone()
        })
    }

    /// What becomes of a segment on its way out.
    pub(crate) fn planted_form(&self, segment: &mut Segment) {
        let syn = segment.has(Flags::SYN);
        let bare = segment.flags == Flags::ACK && segment.payload.is_empty();
        let options = &mut segment.options.0;
        match self.config.plant {
            Some(Plant::SpoilsChecksums) => segment.damaged = bare,
            Some(Plant::SizeEverywhere) if bare => {
                options.push(TcpOption::MaximumSegmentSize(1_460));
            }
            Some(Plant::SackPermitsAlways) if bare => options.push(TcpOption::SackPermitted),
            Some(Plant::SizeOfTheLink) if syn => {
                options.retain(|option| !matches!(option, TcpOption::MaximumSegmentSize(_)));
                options.insert(0, TcpOption::MaximumSegmentSize(1_500));
            }
            Some(Plant::NoSize) if syn => {
                options.retain(|option| !matches!(option, TcpOption::MaximumSegmentSize(_)));
            }
            Some(Plant::OptionWithoutLength) if syn => options.push(TcpOption::Raw(vec![250])),
            Some(Plant::DirtyPadding) if bare => {
                options.extend([TcpOption::EndOfList, TcpOption::Raw(vec![0x5a, 0xa5])]);
            }
            Some(Plant::StampsTwice) if bare => {
                let stamps = options
                    .iter()
                    .find(|option| matches!(option, TcpOption::Timestamps { .. }))
                    .cloned();
                if let (Some(stamps), true) = (stamps, segment.options.sack().is_empty()) {
                    segment.options.0.push(stamps);
                }
            }
            _ => {}
        }
    }
}

fn is_from(segment: &Segment) -> bool {
    let address = segment.carrier.address;
    matches!(address, Address::FromMulticast | Address::FromBroadcast)
}

fn is_to(segment: &Segment) -> bool {
    let address = segment.carrier.address;
    matches!(address, Address::ToMulticast | Address::ToBroadcast)
}

fn readdressed(segment: &Segment) -> Segment {
    let mut segment = segment.clone();
    segment.carrier.address = Address::Right;
    segment
}
