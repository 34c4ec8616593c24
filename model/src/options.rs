//! TCP options in wire order, strict when read and able to carry malformed ones byte for byte when written.
//! RFC 9293 section 3.1, RFC 7323 sections 2.2 and 3.2, RFC 2018 section 2.

use serde::{Deserialize, Serialize};

use crate::{SeqNum, TsVal};

/// The options of one segment, in the order they stand on the wire.
#[derive(
    Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, arbitrary::Arbitrary,
)]
#[serde(transparent)]
pub struct Options(pub Vec<TcpOption>);

/// One TCP option.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, arbitrary::Arbitrary)]
pub enum TcpOption {
    /// Kind 0. Everything after it is padding.
    EndOfList,
    /// Kind 1.
    NoOperation,
    /// Kind 2, in octets of payload.
    MaximumSegmentSize(u16),
    /// Kind 3: the announced shift as sent, which may exceed 14.
    WindowScale(u8),
    /// Kind 4.
    SackPermitted,
    /// Kind 5.
    Sack(SackBlocks),
    /// Kind 8: TSval and TSecr. Each belongs to another clock.
    Timestamps {
        /// The sender's own clock.
        tsval: TsVal,
        /// The echo of the receiver's clock.
        tsecr: TsVal,
    },
    /// Anything else, byte for byte, kind and length included (if there is a length at all).
    Raw(Vec<u8>),
}

/// A range of sequence space that the receiver holds: `left` is the first octet, `right` the one after the last.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, arbitrary::Arbitrary,
)]
pub struct SackBlock {
    /// First octet held.
    pub left: SeqNum,
    /// First octet no longer held.
    pub right: SeqNum,
}

/// Up to four SACK blocks, in the order sent.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, arbitrary::Arbitrary,
)]
pub struct SackBlocks {
    blocks: [SackBlock; 4],
    count: u8,
}

impl SackBlocks {
    /// The first four of `blocks`.
    pub fn new(blocks: impl IntoIterator<Item = SackBlock>) -> SackBlocks {
        let mut all = SackBlocks::default();
        for (slot, block) in all.blocks.iter_mut().zip(blocks) {
            *slot = block;
            all.count += 1;
        }
        all
    }

    /// The blocks, first one first.
    pub fn as_slice(&self) -> &[SackBlock] {
        &self.blocks[..usize::from(self.count.min(4))]
    }
}

impl Options {
    /// No options.
    pub fn none() -> Options {
        Options(Vec::new())
    }

    /// The options that count, which are those before an end-of-list.
    pub fn effective(&self) -> impl Iterator<Item = &TcpOption> {
        self.0
            .iter()
            .take_while(|option| !matches!(option, TcpOption::EndOfList))
    }

    /// TSval and TSecr, if the segment carries a timestamps option.
    pub fn timestamps(&self) -> Option<(TsVal, TsVal)> {
        self.effective().find_map(|option| match option {
            TcpOption::Timestamps { tsval, tsecr } => Some((*tsval, *tsecr)),
            _ => None,
        })
    }

    /// Whether one kind of option stands here twice with different values, so that the segment contradicts itself.
    pub fn contradict(&self) -> bool {
        let known =
            |option: &&TcpOption| !matches!(option, TcpOption::NoOperation | TcpOption::Raw(_));
        let twice = |(index, option): (usize, &TcpOption)| {
            let before = self.effective().take(index);
            let kind = std::mem::discriminant(option);
            let mut same = before.filter(|other| std::mem::discriminant(*other) == kind);
            same.any(|other| other != option)
        };
        let counting = self.effective().enumerate();
        counting.filter(|(_, option)| known(option)).any(twice)
    }

    /// Whether the length of one of them cannot be, so that the octets from there on say nothing.
    pub fn have_impossible_length(&self) -> bool {
        self.effective().any(|option| !option.has_its_length())
    }

    /// The options as the other side reads them off the wire, where octets of a raw option may hide those after it.
    #[must_use]
    pub fn as_received(self) -> Options {
        if self
            .0
            .iter()
            .any(|option| matches!(option, TcpOption::Raw(_)))
        {
            return Options::from_bytes(&self.to_bytes());
        }
        self
    }

    /// The announced window shift, as sent.
    pub fn window_scale(&self) -> Option<u8> {
        self.effective().find_map(|option| match option {
            TcpOption::WindowScale(shift) => Some(*shift),
            _ => None,
        })
    }

    /// The announced maximum segment size.
    pub fn maximum_segment_size(&self) -> Option<u16> {
        self.effective().find_map(|option| match option {
            TcpOption::MaximumSegmentSize(mss) => Some(*mss),
            _ => None,
        })
    }

    /// Whether SACK is permitted.
    pub fn sack_permitted(&self) -> bool {
        self.effective()
            .any(|option| matches!(option, TcpOption::SackPermitted))
    }

    /// The SACK blocks, none if there is no such option.
    pub fn sack(&self) -> &[SackBlock] {
        self.effective()
            .find_map(|option| match option {
                TcpOption::Sack(blocks) => Some(blocks.as_slice()),
                _ => None,
            })
            .unwrap_or(&[])
    }

    /// The octets of the option area, padded with end-of-list to a multiple of four. More than 40 octets are cut.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(40);
        self.append_to(&mut bytes);
        bytes
    }

    /// Appends the octets of the option area, as [`to_bytes`](Options::to_bytes) gives them.
    pub fn append_to(&self, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        for option in &self.0 {
            option.write(bytes);
        }
        while !(bytes.len() - start).is_multiple_of(4) {
            bytes.push(0);
        }
        bytes.truncate(start + 40);
    }

    /// Reads an option area. A length that cannot be is kept as [`TcpOption::Raw`] up to the end of the area, so
    /// nothing after it is mistaken for an option. Trailing end-of-list padding is kept as one `EndOfList`.
    pub fn from_bytes(area: &[u8]) -> Options {
        // Room for what an ordinary segment carries: timestamps and SACK, each padded by two.
        let mut options = Vec::with_capacity(if area.is_empty() { 0 } else { 6 });
        let mut rest = area;
        while let Some((&kind, tail)) = rest.split_first() {
            match kind {
                0 => {
                    options.push(TcpOption::EndOfList);
                    if tail.iter().any(|&octet| octet != 0) {
                        options.push(TcpOption::Raw(tail.to_vec()));
                    }
                    break;
                }
                1 => {
                    options.push(TcpOption::NoOperation);
                    rest = tail;
                }
                _ => {
                    let length = usize::from(tail.first().copied().unwrap_or(0));
                    if length < 2 || length > rest.len() {
                        options.push(TcpOption::Raw(rest.to_vec()));
                        break;
                    }
                    let (option, next) = rest.split_at(length);
                    options.push(TcpOption::read(option));
                    rest = next;
                }
            }
        }
        Options(options)
    }
}

impl TcpOption {
    /// Octets on the wire.
    pub fn wire_len(&self) -> usize {
        match self {
            TcpOption::EndOfList | TcpOption::NoOperation => 1,
            TcpOption::MaximumSegmentSize(_) => 4,
            TcpOption::WindowScale(_) => 3,
            TcpOption::SackPermitted => 2,
            TcpOption::Sack(blocks) => 2 + 8 * blocks.as_slice().len(),
            TcpOption::Timestamps { .. } => 10,
            TcpOption::Raw(bytes) => bytes.len(),
        }
    }

    /// Whether its octets are as many as its length says.
    pub fn has_its_length(&self) -> bool {
        match self {
            TcpOption::Raw(octets) => {
                let length = octets.get(1).map(|length| usize::from(*length));
                length.is_some_and(|length| length >= 2 && length == octets.len())
            }
            _ => true,
        }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        match self {
            TcpOption::EndOfList => bytes.push(0),
            TcpOption::NoOperation => bytes.push(1),
            TcpOption::MaximumSegmentSize(mss) => {
                bytes.extend([2, 4]);
                bytes.extend(mss.to_be_bytes());
            }
            TcpOption::WindowScale(shift) => bytes.extend([3, 3, *shift]),
            TcpOption::SackPermitted => bytes.extend([4, 2]),
            TcpOption::Sack(blocks) => {
                bytes.extend([5, self.wire_len() as u8]);
                for block in blocks.as_slice() {
                    bytes.extend(block.left.0.to_be_bytes());
                    bytes.extend(block.right.0.to_be_bytes());
                }
            }
            TcpOption::Timestamps { tsval, tsecr } => {
                bytes.extend([8, 10]);
                bytes.extend(tsval.0.to_be_bytes());
                bytes.extend(tsecr.0.to_be_bytes());
            }
            TcpOption::Raw(raw) => bytes.extend(raw),
        }
    }

    /// Reads one option whose length octet is right; a known kind of a wrong length stays raw.
    fn read(bytes: &[u8]) -> TcpOption {
        match bytes {
            [2, 4, hi, lo] => TcpOption::MaximumSegmentSize(u16::from_be_bytes([*hi, *lo])),
            [3, 3, shift] => TcpOption::WindowScale(*shift),
            [4, 2] => TcpOption::SackPermitted,
            [5, _, blocks @ ..] if matches!(blocks.len(), 8 | 16 | 24 | 32) => {
                TcpOption::Sack(SackBlocks::new(blocks.chunks_exact(8).map(|block| {
                    SackBlock {
                        left: SeqNum(be32(&block[..4])),
                        right: SeqNum(be32(&block[4..])),
                    }
                })))
            }
            [8, 10, values @ ..] => TcpOption::Timestamps {
                tsval: TsVal(be32(&values[..4])),
                tsecr: TsVal(be32(&values[4..])),
            },
            other => TcpOption::Raw(other.to_vec()),
        }
    }
}

fn be32(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .take(4)
        .fold(0, |value, octet| value << 8 | u32::from(*octet))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn reading_any_octets_never_panics_and_keeps_them(area: Vec<u8>) -> bool {
            let area: Vec<u8> = area.into_iter().take(40).collect();
            let bytes = Options::from_bytes(&area).to_bytes();
            // What is written again starts with what was read, up to an end-of-list.
            let meaningful = area.iter().zip(&bytes).take_while(|(a, b)| a == b).count();
            meaningful == area.len() || area[meaningful..].iter().all(|&octet| octet == 0)
        }
    }

    #[test]
    fn a_timestamp_of_length_zero_is_no_timestamp() {
        let options = Options::from_bytes(&[1, 1, 8, 0, 0, 0, 0, 1, 0, 0, 0, 2]);
        assert_eq!(options.timestamps(), None);
        assert!(matches!(options.0[2], TcpOption::Raw(_)));
    }

    #[test]
    fn a_timestamp_after_the_end_of_the_list_is_padding() {
        let mut area = vec![0];
        area.extend([8, 10, 0, 0, 0, 1, 0, 0, 0, 2]);
        assert_eq!(Options::from_bytes(&area).timestamps(), None);
    }

    #[test]
    fn octets_of_a_raw_option_hide_what_they_swallow() {
        let timestamps = TcpOption::Timestamps {
            tsval: TsVal(300),
            tsecr: TsVal(1),
        };
        let swallowed = Options(vec![TcpOption::Raw(vec![9]), timestamps.clone()]).as_received();
        assert_eq!(swallowed.timestamps(), None);
        let whole = Options(vec![TcpOption::Raw(vec![9, 2]), timestamps]).as_received();
        assert_eq!(whole.timestamps(), Some((TsVal(300), TsVal(1))));
    }

    #[test]
    fn two_different_values_of_one_option_contradict_each_other() {
        let timestamps = |tsval| TcpOption::Timestamps {
            tsval: TsVal(tsval),
            tsecr: TsVal(1),
        };
        assert!(Options(vec![timestamps(300), timestamps(310)]).contradict());
        assert!(!Options(vec![timestamps(300), timestamps(300)]).contradict());
        let past_the_end = vec![timestamps(300), TcpOption::EndOfList, timestamps(310)];
        assert!(!Options(past_the_end).contradict());
    }

    #[test]
    fn known_options_survive_the_wire_in_order() {
        let options = Options(vec![
            TcpOption::MaximumSegmentSize(1460),
            TcpOption::SackPermitted,
            TcpOption::Timestamps {
                tsval: TsVal(1),
                tsecr: TsVal(u32::MAX),
            },
            TcpOption::NoOperation,
            TcpOption::WindowScale(15),
        ]);
        assert_eq!(Options::from_bytes(&options.to_bytes()), options);
    }
}
