//! What a line about a segment, or about an ICMP message, says.
//! RFC 9293 section 3.1 in packetdrill's notation, in script numbers.

use ackward_model::Flags;

/// A segment in script numbers.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Packet {
    /// What is said of the header of the datagram. Unchecked, on an expected segment, as far as nothing is said.
    pub ip: Vec<IpField>,
    /// Source and destination port, where others than the connection's.
    pub ports: Option<(u16, u16)>,
    /// Control bits.
    pub flags: Flags,
    /// The ninth control bit and the counter of which it can be part (RFC 9768).
    pub accurate_ecn: AccurateEcn,
    /// SEG.SEQ.
    pub seq: u32,
    /// How `seq` is to be read.
    pub numbering: Numbering,
    /// Octets of text.
    pub len: u16,
    /// SEG.ACK, if it is given.
    pub ack: Option<u32>,
    /// The raw window field. Always there on an injected segment; unchecked when absent from an expected one.
    pub window: Option<u16>,
    /// SEG.UP, unless it is 0.
    pub urgent: Option<u16>,
    /// The options.
    pub options: PacketOptions,
    /// The segment travels in UDP, as FreeBSD can send it.
    pub udp: Option<UdpPorts>,
}

/// How a sequence number is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Numbering {
    /// As an offset from the initial one.
    #[default]
    Relative,
    /// As it is on the wire (`1:1(0)!`).
    Absolute,
    /// Not at all (`...(0)`).
    Unchecked,
}

/// What the control bits say of RFC 9768.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum AccurateEcn {
    /// AE is not set.
    #[default]
    Clear,
    /// AE is set (`A`).
    Set,
    /// AE, CWR and ECE are a counter with this value (`5`).
    Counter(u8),
}

/// UDP ports, source first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UdpPorts(pub u16, pub u16);

/// Something said of the header of a datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IpField {
    /// The two bits of congestion notification.
    Ecn(Ecn),
    /// The whole octet that they are in (`tos`, and `class` in IPv6).
    TrafficClass {
        /// The octet.
        octet: u8,
        /// It is written as IPv6 calls it.
        ipv6: bool,
    },
    /// Hops left (`ttl`, and `hlim` in IPv6).
    TimeToLive {
        /// How many.
        hops: u8,
        /// It is written as IPv6 calls it.
        ipv6: bool,
    },
    /// The flow label (IPv6).
    FlowLabel(u32),
}

/// RFC 3168 section 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ecn {
    /// `noecn`.
    NotEct,
    /// `ect0`.
    Ect0,
    /// `ect1`.
    Ect1,
    /// `ce`.
    Ce,
    /// `ect01`: either, on expected segments.
    Either,
}

/// The options of a segment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PacketOptions {
    /// These, in this order. They fill a multiple of four octets.
    Exactly(Vec<PacketOption>),
    /// Whatever the stack sends (`<...>`); only on expected segments.
    Unchecked,
}

/// One option in script numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PacketOption {
    /// `eol`.
    EndOfList,
    /// `nop`.
    NoOperation,
    /// `mss`, in octets.
    MaximumSegmentSize(u16),
    /// `wscale`, any shift.
    WindowScale(u8),
    /// `sackOK`.
    SackPermitted,
    /// `sack`: first octet held and first octet no longer held, in the order sent.
    Sack(Vec<(u32, u32)>),
    /// `TS`.
    Timestamps {
        /// TSval, in ticks.
        tsval: u32,
        /// TSecr, in ticks.
        tsecr: u32,
    },
    /// `md5`: a digest in hexadecimal, or `valid`.
    Md5(String),
    /// `FO`: a cookie in hexadecimal, or the name of one; `FOEXP` in the experimental form.
    FastOpen {
        /// The cookie; empty in a request.
        cookie: String,
        /// With the experiment's kind and number.
        experimental: bool,
    },
    /// `ECN`: the counters of RFC 9768, in the order sent.
    AccurateEcn(Vec<(EcnCounter, u32)>),
}

/// A counter of RFC 9768.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EcnCounter {
    /// `e0b`.
    Ect0,
    /// `ceb`.
    Ce,
    /// `e1b`.
    Ect1,
}

/// An ICMP message that quotes a segment of the stack's.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Icmp {
    /// What is said of the header of the datagram.
    pub ip: Vec<IpField>,
    /// The type, by name.
    pub kind: String,
    /// The code, by name.
    pub code: Option<String>,
    /// The MTU of the next hop.
    pub mtu: Option<u32>,
    /// SEG.SEQ and octets of text of the segment that is quoted.
    pub quoted: Option<(u32, u16)>,
    /// The UDP that this segment travelled in.
    pub udp: Option<UdpPorts>,
}

impl PacketOption {
    /// Octets on the wire; those of a cookie that is a name are not known, and count as none.
    pub fn wire_len(&self) -> usize {
        let digits = |text: &str| match text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            true => text.len().div_ceil(2),
            false => 0,
        };
        match self {
            PacketOption::EndOfList | PacketOption::NoOperation => 1,
            PacketOption::MaximumSegmentSize(_) => 4,
            PacketOption::WindowScale(_) => 3,
            PacketOption::SackPermitted => 2,
            PacketOption::Sack(blocks) => 2 + 8 * blocks.len(),
            PacketOption::Timestamps { .. } => 10,
            PacketOption::Md5(_) => 18,
            PacketOption::FastOpen {
                cookie,
                experimental,
            } => digits(cookie) + if *experimental { 4 } else { 2 },
            PacketOption::AccurateEcn(counters) => 2 + 3 * counters.len(),
        }
    }

    /// Whether it holds the name of octets instead of octets.
    pub fn is_named(&self) -> bool {
        let named = |text: &str| !text.bytes().all(|byte| byte.is_ascii_hexdigit());
        matches!(self, PacketOption::FastOpen { cookie, .. } if named(cookie))
    }
}

impl PacketOptions {
    /// No options at all.
    pub fn none() -> PacketOptions {
        PacketOptions::default()
    }
}

impl Default for PacketOptions {
    fn default() -> PacketOptions {
        PacketOptions::Exactly(Vec::new())
    }
}
