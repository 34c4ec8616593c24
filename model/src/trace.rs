//! What happened, in order and timed: the only thing a judge looks at.
//! Segments in it are as on the wire; no number is made relative.

use serde::{Deserialize, Serialize};

use crate::{Call, Icmp, Outcome, Segment, SeqNum, SocketOption, Sysctl, Window};

/// Microseconds since the case began.
pub type Micros = u64;

/// Which side opened the connection.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Debug,
    Serialize,
    Deserialize,
    arbitrary::Arbitrary,
)]
#[serde(rename_all = "snake_case")]
pub enum OpenMode {
    /// The stack listens, the peer sends the SYN.
    #[default]
    Passive,
    /// The stack connects.
    Active,
}

/// What lies between the stack and its peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path {
    /// It is IPv6.
    pub ipv6: bool,
    /// The largest datagram it takes, octets.
    pub mtu: u16,
}

impl Path {
    /// The most octets of text and options that a segment of one datagram holds.
    pub fn most(self) -> u16 {
        self.mtu.saturating_sub(if self.ipv6 { 60 } else { 40 })
    }

    /// The segment size of a peer that announces none (RFC 9293 section 3.7.1).
    pub fn default_mss(self) -> u16 {
        if self.ipv6 { 1_220 } else { 536 }
    }
}

impl Default for Path {
    fn default() -> Path {
        Path {
            ipv6: false,
            mtu: 1_500,
        }
    }
}

/// One case as it happened.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Trace {
    /// Who opened.
    pub open: OpenMode,
    /// The number from which the peer's text is coded: the ISN that the scenario set, if it set one.
    pub text_origin: Option<SeqNum>,
    /// The path between the stack and its peer.
    pub path: Path,
    /// What the application connects to is an address that is no host's.
    pub remote_is_void: bool,
    /// Settings of the host that are not at their default, in force from the start.
    pub sysctls: Vec<Sysctl>,
    /// Socket options set before listening or connecting.
    pub socket_options: Vec<SocketOption>,
    /// The events, oldest first.
    pub entries: Vec<Entry>,
    /// Something that forbids a verdict on absences: the machine was late, memory was short.
    pub disturbed: Option<String>,
    /// The stack itself said that it dropped segments for lack of memory.
    pub memory_drops: bool,
}

/// One event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// When, since the case began. On a real link: when it was read or written.
    pub at: Micros,
    /// The event.
    pub event: Event,
}

/// What can happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A segment was injected into the stack.
    In(Segment, Origin),
    /// The stack emitted a segment.
    Out(Segment),
    /// The application called.
    Call(Call),
    /// The last call returned.
    Return(Outcome),
    /// Time was let pass on purpose, in microseconds; late emissions of that time follow.
    Elapse(Micros),
    /// The stack was asked about itself.
    Sample(Sample),
    /// The network told the stack something.
    Icmp(Icmp),
}

/// Why a segment was injected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It is this step of the scenario.
    Step(usize),
    /// It ends the case and makes the stack show its state.
    Reveal,
}

/// What the stack says of itself (`TCP_INFO` and the like). A field that the stack does not report is `None`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Sample {
    /// `tcpi_state`.
    pub state: Option<u8>,
    /// `tcpi_snd_wscale`.
    pub snd_wscale: Option<u8>,
    /// `tcpi_rcv_wscale`.
    pub rcv_wscale: Option<u8>,
    /// `tcpi_rcv_wnd`.
    pub rcv_wnd: Option<Window>,
    /// `tcpi_snd_wnd`.
    pub snd_wnd: Option<Window>,
    /// `tcpi_unacked`, segments.
    pub unacked: Option<u32>,
    /// `tcpi_bytes_received`.
    pub bytes_received: Option<u64>,
    /// `tcpi_rcv_ooopack`.
    pub rcv_ooopack: Option<u32>,
    /// `getsockopt(TCP_WINDOW_CLAMP)`.
    pub window_clamp: Option<Window>,
    /// `tcpi_rtt`, microseconds.
    pub rtt: Option<Micros>,
}

impl Trace {
    /// Forgets the case and keeps the memory.
    pub fn clear(&mut self) {
        self.sysctls.clear();
        self.remote_is_void = false;
        self.socket_options.clear();
        self.entries.clear();
        self.disturbed = None;
        self.memory_drops = false;
    }

    /// Appends an event.
    pub fn push(&mut self, at: Micros, event: Event) {
        self.entries.push(Entry { at, event });
    }

    /// The segments that the stack emitted before it was made to show its state, oldest first.
    pub fn before_reveal(&self) -> impl Iterator<Item = &Segment> {
        let reveal = |entry: &&Entry| matches!(entry.event, Event::In(_, Origin::Reveal));
        let before = self.entries.iter().take_while(move |entry| !reveal(entry));
        before.filter_map(|entry| match &entry.event {
            Event::Out(segment) => Some(segment),
            _ => None,
        })
    }

    /// The segments that the stack emitted, oldest first.
    pub fn emissions(&self) -> impl Iterator<Item = &Segment> {
        self.entries.iter().filter_map(|entry| match &entry.event {
            Event::Out(segment) => Some(segment),
            _ => None,
        })
    }
}
