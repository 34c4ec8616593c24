//! One TCP segment, and how much sequence space it takes.
//! RFC 9293 section 3.1 and 3.4.

use std::fmt;
use std::ops::BitOr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Options, SeqNum, WindowField};

/// A TCP segment as it stands on the wire: the window field is unscaled.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Segment {
    /// SEG.SEQ.
    pub seq: SeqNum,
    /// SEG.ACK; without meaning unless the ACK flag is set.
    pub ack: SeqNum,
    /// The control bits.
    pub flags: Flags,
    /// SEG.WND as sent, before any scaling.
    pub window: WindowField,
    /// SEG.UP.
    pub urgent: u16,
    /// The options, in wire order.
    pub options: Options,
    /// The checksum does not fit the rest.
    #[serde(default)]
    pub damaged: bool,
    /// What the header of the datagram says beside addresses.
    #[serde(default)]
    pub carrier: Carrier,
    /// The text.
    pub payload: Vec<u8>,
}

/// What the IP header of a segment says that is TCP's to set (RFC 9293 section 3.9.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Carrier {
    /// The octet of the differentiated services field, without its two lowest bits.
    pub traffic_class: u8,
    /// How many hops the datagram may still make.
    pub time_to_live: u8,
    /// There is an IP option of unknown kind (in IPv4).
    pub options: bool,
    /// Which addresses it has.
    #[serde(default)]
    pub address: Address,
}

impl Default for Carrier {
    fn default() -> Carrier {
        Carrier {
            traffic_class: 0,
            time_to_live: 64,
            options: false,
            address: Address::Right,
        }
    }
}

/// Whose addresses a datagram has.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize, arbitrary::Arbitrary,
)]
#[serde(rename_all = "snake_case")]
pub enum Address {
    /// Those of the connection.
    #[default]
    Right,
    /// Its source is another address of the stack.
    Other,
    /// Its source is a multicast address.
    FromMulticast,
    /// Its source is the broadcast address (in IPv6 a multicast address).
    FromBroadcast,
    /// Its destination is a multicast address.
    ToMulticast,
    /// Its destination is the broadcast address (in IPv6 a multicast address).
    ToBroadcast,
}

impl Segment {
    /// Whether it means nothing to anybody: its checksum does not fit, or its addresses belong to no host (RFC 9293
    /// sections 3.1 and 3.9.2.3).
    pub fn is_void(&self) -> bool {
        self.damaged || self.carrier.address != Address::Right
    }

    /// SEG.LEN: octets of text, plus one each for SYN and FIN.
    pub fn len(&self) -> u32 {
        self.payload.len() as u32
            + u32::from(self.flags.contains(Flags::SYN))
            + u32::from(self.flags.contains(Flags::FIN))
    }

    /// Whether the segment takes no sequence space.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sequence number after the last one this segment takes.
    pub fn end(&self) -> SeqNum {
        self.seq + self.len()
    }

    /// The sequence number of the first octet of text.
    pub fn text_start(&self) -> SeqNum {
        self.seq + u32::from(self.flags.contains(Flags::SYN))
    }

    /// The sequence number after the last octet of text.
    pub fn text_end(&self) -> SeqNum {
        self.text_start() + self.payload.len() as u32
    }

    /// Whether all of `flags` are set.
    pub fn has(&self, flags: Flags) -> bool {
        self.flags.contains(flags)
    }
}

/// The control bits of a segment. In a text format they are letters, elsewhere an octet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, arbitrary::Arbitrary)]
pub struct Flags(pub u8);

impl Flags {
    /// No bit set.
    pub const NONE: Flags = Flags(0);
    /// FIN.
    pub const FIN: Flags = Flags(0x01);
    /// SYN.
    pub const SYN: Flags = Flags(0x02);
    /// RST.
    pub const RST: Flags = Flags(0x04);
    /// PSH.
    pub const PSH: Flags = Flags(0x08);
    /// ACK.
    pub const ACK: Flags = Flags(0x10);
    /// URG.
    pub const URG: Flags = Flags(0x20);
    /// ECE.
    pub const ECE: Flags = Flags(0x40);
    /// CWR.
    pub const CWR: Flags = Flags(0x80);

    /// Whether all bits of `other` are set here.
    pub fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Reads what [`Display`](fmt::Display) writes; the letters may stand in any order.
    pub fn from_letters(letters: &str) -> Option<Flags> {
        if letters == "-" {
            return Some(Flags::NONE);
        }
        letters.chars().try_fold(Flags::NONE, |flags, letter| {
            let (bit, _) = LETTERS.iter().find(|(_, known)| *known == letter)?;
            Some(flags | Flags(*bit))
        })
    }

    /// Whether a SYN with these bits asks for explicit congestion notification (RFC 3168 section 6.1.1).
    pub fn ask_for_ecn(self) -> bool {
        self.contains(Flags::SYN | Flags::ECE | Flags::CWR) && !self.contains(Flags::ACK)
    }

    /// These bits without those of `other`.
    pub fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }
}

const LETTERS: [(u8, char); 8] = [
    (0x01, 'F'),
    (0x02, 'S'),
    (0x04, 'R'),
    (0x08, 'P'),
    (0x40, 'E'),
    (0x80, 'W'),
    (0x20, 'U'),
    (0x10, '.'),
];

impl BitOr for Flags {
    type Output = Flags;
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// In packetdrill's letters: `S.` is SYN with ACK, `-` is none.
impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return write!(f, "-");
        }
        for (bit, letter) in LETTERS {
            if self.0 & bit != 0 {
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl Serialize for Flags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_u8(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Flags {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Flags, D::Error> {
        if !deserializer.is_human_readable() {
            return u8::deserialize(deserializer).map(Flags);
        }
        let letters = String::deserialize(deserializer)?;
        Flags::from_letters(&letters)
            .ok_or_else(|| D::Error::custom(format!("`{letters}` is no set of flags")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syn_and_fin_each_take_one_sequence_number() {
        let segment = Segment {
            seq: SeqNum(u32::MAX),
            flags: Flags::SYN | Flags::FIN,
            payload: vec![0; 3],
            ..Segment::default()
        };
        assert_eq!((segment.len(), segment.end()), (5, SeqNum(4)));
        assert_eq!(segment.text_start(), SeqNum(0));
    }

    #[test]
    fn flags_print_as_packetdrill_does() {
        assert_eq!((Flags::SYN | Flags::ACK).to_string(), "S.");
        assert_eq!((Flags::PSH | Flags::ACK).to_string(), "P.");
        assert_eq!(Flags::NONE.to_string(), "-");
    }

    #[test]
    fn printed_flags_are_read_again() {
        assert!(
            (0..=255)
                .all(|bits| { Flags::from_letters(&Flags(bits).to_string()) == Some(Flags(bits)) })
        );
        assert_eq!(Flags::from_letters("Sx"), None);
    }
}
