//! How one event of a trace reads: packetdrill's notation, numbers relative to the initial ones.
//! Nothing is left out, malformed options included; such a line need not be one that packetdrill reads.

use std::fmt::Write;

use ackward_model::{
    Address, Call, Event, Flags, Icmp, Outcome, Sample, Segment, SeqNum, SocketOption, Sysctl,
    TcpOption, Trace, TsVal,
};

use crate::words::counted;

/// What the numbers of one trace are relative to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Notation {
    peer: Origins,
    stack: Origins,
}

/// Where one side's numbers start.
#[derive(Clone, Copy, Debug, Default)]
struct Origins {
    /// Its initial sequence number.
    seq: SeqNum,
    /// What its TSvals are counted from: for the stack its first one, for the peer 0.
    tsval: TsVal,
}

impl Notation {
    /// That of `trace`.
    pub(super) fn of(trace: &Trace) -> Notation {
        let injected = trace.entries.iter().filter_map(|entry| match &entry.event {
            Event::In(segment, _) => Some(segment),
            _ => None,
        });
        let syn = |segment: &&Segment| segment.has(Flags::SYN);
        let tsval = |segment: &Segment| segment.options.timestamps().map(|(tsval, _)| tsval);
        Notation {
            peer: Origins {
                seq: injected
                    .clone()
                    .find(syn)
                    .map(|syn| syn.seq)
                    .unwrap_or_default(),
                tsval: TsVal(0),
            },
            stack: Origins {
                seq: trace
                    .emissions()
                    .find(syn)
                    .map(|syn| syn.seq)
                    .unwrap_or_default(),
                tsval: trace.emissions().find_map(tsval).unwrap_or_default(),
            },
        }
    }

    /// One event; `None` for what a reader need not see.
    pub(super) fn event(&self, event: &Event) -> Option<String> {
        match event {
            Event::In(segment, _) => Some(format!(
                "< {}",
                self.segment(segment, &self.peer, &self.stack)
            )),
            Event::Out(segment) => Some(format!(
                "> {}",
                self.segment(segment, &self.stack, &self.peer)
            )),
            Event::Call(call) => Some(call_text(*call)),
            Event::Return(outcome) => Some(format!("= {}", outcome_text(outcome))),
            Event::Elapse(time) => Some(format!("wait {} ms", *time as f64 / 1000.0)),
            Event::Icmp(Icmp { kind, seq, foreign }) => Some(format!(
                "< icmp {kind:?} about {}{}",
                seq.offset_from(self.stack.seq),
                if *foreign {
                    " of another connection"
                } else {
                    ""
                }
            )),
            Event::Sample(sample) => sample_text(sample),
        }
    }

    fn segment(&self, segment: &Segment, own: &Origins, other: &Origins) -> String {
        let seq = segment.seq.offset_from(own.seq);
        let len = segment.payload.len() as u32;
        let mut text = format!("{} {seq}:{}({len})", segment.flags, seq.wrapping_add(len));
        let acknowledges = segment.has(Flags::ACK);
        if acknowledges {
            let ack = segment.ack.offset_from(other.seq);
            // Writing to a string cannot fail.
            let _ = write!(text, " ack {ack}");
        }
        let _ = write!(text, " win {}", segment.window.0);
        if segment.urgent != 0 {
            let _ = write!(text, " urg {}", segment.urgent);
        }
        if !segment.options.0.is_empty() {
            let option = |option: &TcpOption| self.option(option, own, other, acknowledges);
            let options: Vec<String> = segment.options.0.iter().map(option).collect();
            let _ = write!(text, " <{}>", options.join(","));
        }
        if segment.carrier.address != Address::Right {
            let _ = write!(text, " {}", address(segment.carrier.address));
        }
        if segment.carrier.options {
            text.push_str(" unknown IP option");
        }
        if segment.damaged {
            text.push_str(" bad checksum");
        }
        text
    }

    fn option(
        &self,
        option: &TcpOption,
        own: &Origins,
        other: &Origins,
        acknowledges: bool,
    ) -> String {
        match option {
            TcpOption::EndOfList => "eol".to_owned(),
            TcpOption::NoOperation => "nop".to_owned(),
            TcpOption::MaximumSegmentSize(mss) => format!("mss {mss}"),
            TcpOption::WindowScale(shift) => format!("wscale {shift}"),
            TcpOption::SackPermitted => "sackOK".to_owned(),
            TcpOption::Sack(blocks) => {
                let relative = |edge: SeqNum| edge.offset_from(other.seq);
                blocks
                    .as_slice()
                    .iter()
                    .fold("sack".to_owned(), |text, block| {
                        format!("{text} {}:{}", relative(block.left), relative(block.right))
                    })
            }
            TcpOption::Timestamps { tsval, tsecr } => {
                let tsval = tsval.distance_from(own.tsval) as u32;
                let tsecr = if acknowledges {
                    tsecr.distance_from(other.tsval) as u32
                } else {
                    tsecr.0
                };
                format!("TS val {tsval} ecr {tsecr}")
            }
            TcpOption::Raw(octets) => octets.iter().fold("raw".to_owned(), |text, octet| {
                format!("{text} {octet:02x}")
            }),
        }
    }
}

/// What is odd about the addresses of a datagram.
fn address(address: Address) -> &'static str {
    match address {
        Address::Right => "",
        Address::Other => "from another address of the stack",
        Address::FromMulticast => "from a multicast address",
        Address::FromBroadcast => "from a broadcast address",
        Address::ToMulticast => "to a multicast address",
        Address::ToBroadcast => "to a broadcast address",
    }
}

fn call_text(call: Call) -> String {
    match call {
        Call::Connect => "connect()".to_owned(),
        Call::Accept => "accept()".to_owned(),
        Call::Write(octets) => format!("write({octets})"),
        Call::WriteUrgent(octets) => format!("send({octets}, MSG_OOB)"),
        Call::Urgent => "poll(POLLPRI), + 2 for SIGURG".to_owned(),
        Call::Read(octets) => format!("read({octets})"),
        Call::ShutdownWrite => "shutdown(SHUT_WR)".to_owned(),
        Call::Close => "close()".to_owned(),
        Call::Set(option) => format!("setsockopt({})", option_text(option)),
        Call::Sysctl(setting) => sysctl_text(setting),
        Call::Listen => "listen() on a further socket".to_owned(),
    }
}

/// A socket option with its value.
pub(super) fn option_text(option: SocketOption) -> String {
    match option {
        SocketOption::ReceiveBuffer(octets) => format!("SO_RCVBUF, {octets}"),
        SocketOption::ReceiveLowWater(octets) => format!("SO_RCVLOWAT, {octets}"),
        SocketOption::WindowClamp(octets) => format!("TCP_WINDOW_CLAMP, {octets}"),
        SocketOption::NoDelay(on) => format!("TCP_NODELAY, {}", u8::from(on)),
        SocketOption::QuickAck(on) => format!("TCP_QUICKACK, {}", u8::from(on)),
        SocketOption::KeepAlive(on) => format!("SO_KEEPALIVE, {}", u8::from(on)),
        SocketOption::KeepIdle(seconds) => format!("TCP_KEEPIDLE, {seconds}"),
        SocketOption::UserTimeout(by) => format!("TCP_USER_TIMEOUT, {by}"),
        SocketOption::TrafficClass(class) => format!("IP_TOS, {class}"),
        SocketOption::TimeToLive(hops) => format!("IP_TTL, {hops}"),
        SocketOption::UrgentInline(on) => format!("SO_OOBINLINE, {}", u8::from(on)),
    }
}

/// A setting of the host with its value.
pub(super) fn sysctl_text(setting: Sysctl) -> String {
    match setting {
        Sysctl::WindowScaling(on) => format!("tcp_window_scaling={}", u8::from(on)),
        Sysctl::Timestamps(on) => format!("tcp_timestamps={}", u8::from(on)),
        Sysctl::Sack(on) => format!("tcp_sack={}", u8::from(on)),
        Sysctl::ReceiveMemory(least, default, most) => {
            format!("tcp_rmem=\"{least} {default} {most}\"")
        }
        Sysctl::ModerateReceiveBuffer(on) => format!("tcp_moderate_rcvbuf={}", u8::from(on)),
        Sysctl::ShrinkWindow(on) => format!("tcp_shrink_window={}", u8::from(on)),
        Sysctl::SynCookies(always) => format!("tcp_syncookies={}", 2 * u8::from(always)),
    }
}

/// What is judged of a stack's word about itself.
fn sample_text(sample: &Sample) -> Option<String> {
    let windows = [
        ("tcpi_rcv_wnd", sample.rcv_wnd),
        ("TCP_WINDOW_CLAMP", sample.window_clamp),
    ];
    let windows = windows
        .into_iter()
        .filter_map(|(name, window)| Some(format!("{name} {}", window?.0)));
    let round_trip = sample.rtt.map(|rtt| format!("tcpi_rtt {rtt} us"));
    let fields: Vec<String> = windows.chain(round_trip).collect();
    (!fields.is_empty()).then(|| format!("getsockopt: {}", fields.join(", ")))
}

fn outcome_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done(value) => value.to_string(),
        Outcome::Data(octets) => counted(octets.len() as u64, "octet"),
        Outcome::Error(errno) => {
            let name = std::io::Error::from_raw_os_error(*errno);
            format!("-1 ({name})")
        }
    }
}
