//! What happened while a script ran, in the oracle's words, and whether it has words for all of it.

use ackward_model::trace::Path;
use ackward_model::{
    Call, Entry, Event, Flags, Micros, OpenMode, Origin, Outcome, Segment, SeqNum, SocketOption,
    Sysctl, TcpOption, Trace, wire,
};
use ackward_stacks::{Operation, Returned, Stage, StageOptions};

/// The kinds of the option for Fast Open: its own and the experiments'.
const FAST_OPEN: [u8; 2] = [34, 254];

/// What happened so far on the one connection of a script.
#[derive(Default)]
pub(super) struct Record {
    entries: Vec<Entry>,
    sysctls: Vec<Sysctl>,
    socket_options: Vec<SocketOption>,
    /// Octets that the application wrote.
    pub(super) written: u32,
    /// Something happened that the oracle has no words for.
    pub(super) is_beyond_words: bool,
    /// Whether the host uses ECN is not as usual, which matters once somebody asks for it.
    ecn_is_changed: bool,
}

impl Record {
    /// Whether anything has happened.
    pub(super) fn has_begun(&self) -> bool {
        !self.entries.is_empty()
    }

    /// A segment is about to arrive at the stack.
    pub(super) fn injected(&mut self, at: Micros, segment: Segment) {
        self.is_beyond_words |= self.ecn_is_changed && segment.flags.ask_for_ecn();
        // Fast Open: text of a SYN is delivered before the handshake is over (RFC 7413).
        let has_cookie = |option: &TcpOption| matches!(option, TcpOption::Raw(octets) if octets.first().is_some_and(|kind| FAST_OPEN.contains(kind)));
        self.is_beyond_words |= segment.has(Flags::SYN) && segment.options.0.iter().any(has_cookie);
        let step = self.entries.len();
        self.push(at, Event::In(segment, Origin::Step(step)));
    }

    /// The stack has sent a datagram. One that the link would have cut into several is nothing that a peer sees.
    pub(super) fn emitted(&mut self, at: Micros, datagram: &[u8], mtu: u16) {
        self.is_beyond_words |= datagram.len() > usize::from(mtu);
        if let Ok((_, segment)) = wire::decode(datagram) {
            self.is_beyond_words |= self.ecn_is_changed && segment.flags.ask_for_ecn();
            self.push(at, Event::Out(segment));
        }
    }

    /// Takes down what the application did, for the oracle.
    pub(super) fn called(&mut self, operation: &Operation, returned: &Returned, at: Micros) {
        let outcome = |done| match returned.value {
            -1 => Outcome::Error(returned.errno),
            _ => done,
        };
        let (call, outcome) = match operation {
            Operation::Accept(_) => (Call::Accept, outcome(Outcome::Done(0))),
            Operation::Connect(..) => match returned.errno {
                0 | libc::EINPROGRESS => (Call::Connect, Outcome::Done(0)),
                errno => (Call::Connect, Outcome::Error(errno)),
            },
            Operation::Send(_, octets, flags) => {
                self.is_beyond_words |= flags.is_some_and(|flags| flags & libc::MSG_OOB != 0);
                self.written += u32::try_from(returned.value).unwrap_or(0);
                (
                    Call::Write(octets.len() as u32),
                    outcome(Outcome::Done(returned.value as u32)),
                )
            }
            Operation::Receive(_, room, flags) => {
                self.is_beyond_words |= flags.is_some_and(|flags| flags & !libc::MSG_DONTWAIT != 0);
                (
                    Call::Read(*room),
                    outcome(Outcome::Data(returned.octets.clone())),
                )
            }
            Operation::Shutdown(_, libc::SHUT_WR) => {
                (Call::ShutdownWrite, outcome(Outcome::Done(0)))
            }
            Operation::Close(_) => (Call::Close, outcome(Outcome::Done(0))),
            Operation::Shutdown(..) => {
                self.is_beyond_words = true;
                return;
            }
            Operation::SetOption(_, level, name, value) => {
                if returned.value == -1 {
                    return;
                }
                let Some(option) = option(*level, *name, value) else {
                    let harmless = [libc::SO_REUSEADDR, libc::SO_SNDBUF];
                    self.is_beyond_words |= *level != libc::SOL_SOCKET || !harmless.contains(name);
                    return;
                };
                if self.entries.is_empty() {
                    self.socket_options.push(option);
                    return;
                }
                (Call::Set(option), Outcome::Done(0))
            }
            _ => return,
        };
        self.push(at, Event::Call(call));
        self.push(at, Event::Return(outcome));
    }

    /// What is in force once all commands before the first event have run.
    pub(super) fn read_settings(&mut self, stage: &dyn Stage, mtu: u16) {
        const NAMES: [(&str, &str); 5] = [
            ("net.ipv4.tcp_window_scaling", "1"),
            ("net.ipv4.tcp_timestamps", "1"),
            ("net.ipv4.tcp_sack", "1"),
            ("net.ipv4.tcp_moderate_rcvbuf", "1"),
            ("net.ipv4.tcp_shrink_window", "0"),
        ];
        self.sysctls.clear();
        for (name, usual) in NAMES {
            if let Some(value) = stage.setting(name).filter(|value| value != usual) {
                self.setting(name, &value);
            }
        }
        if let Some(value) = stage.setting("net.ipv4.tcp_rmem") {
            self.setting("net.ipv4.tcp_rmem", &value);
        }
        // The oracle has no words for these, so that it must not judge what they change.
        const ASSUMED: [(&str, &str); 2] =
            [("net.ipv4.tcp_dsack", "1"), ("net.ipv4.tcp_rfc1337", "0")];
        let size = stage.setting("net.ipv6.conf.tun0.mtu");
        self.is_beyond_words |= size.is_some_and(|size| size != mtu.to_string());
        let ecn = stage.setting("net.ipv4.tcp_ecn");
        self.ecn_is_changed = ecn.is_some_and(|value| value != "2");
        self.is_beyond_words |= ASSUMED
            .iter()
            .any(|(name, usual)| stage.setting(name).is_some_and(|value| value != *usual));
    }

    /// A setting of the host is made.
    pub(super) fn setting(&mut self, name: &str, value: &str) {
        let on = value.trim() != "0";
        let numbers: Vec<u32> = value
            .split_whitespace()
            .filter_map(|word| word.parse().ok())
            .collect();
        self.sysctls.push(match (name, numbers.as_slice()) {
            ("net.ipv4.tcp_window_scaling", _) => Sysctl::WindowScaling(on),
            ("net.ipv4.tcp_timestamps", _) => Sysctl::Timestamps(on),
            ("net.ipv4.tcp_sack", _) => Sysctl::Sack(on),
            ("net.ipv4.tcp_moderate_rcvbuf", _) => Sysctl::ModerateReceiveBuffer(on),
            ("net.ipv4.tcp_shrink_window", _) => Sysctl::ShrinkWindow(on),
            ("net.ipv4.tcp_rmem", [min, default, max]) => {
                Sysctl::ReceiveMemory(*min, *default, *max)
            }
            _ => return,
        });
    }

    /// All of it, oldest first; `None` where it cannot be judged. `isn` is the peer's initial sequence number.
    pub(super) fn trace(mut self, place: &StageOptions, isn: Option<u32>) -> Option<Trace> {
        let isn = isn.filter(|_| !self.is_beyond_words)?;
        let is_active = |entry: &Entry| entry.event == Event::Call(Call::Connect);
        let open = match self.entries.iter().any(is_active) {
            true => OpenMode::Active,
            false => OpenMode::Passive,
        };
        self.entries.sort_by_key(|entry| entry.at);
        Some(Trace {
            open,
            text_origin: Some(SeqNum(isn)),
            path: Path {
                ipv6: place.local.is_ipv6(),
                mtu: place.mtu,
            },
            sysctls: self.sysctls,
            socket_options: self.socket_options,
            entries: self.entries,
            disturbed: Some("a script keeps its own time".to_owned()),
            ..Trace::default()
        })
    }

    fn push(&mut self, at: Micros, event: Event) {
        self.entries.push(Entry { at, event });
    }
}

/// The option that a call sets, if the oracle has a word for it.
fn option(level: i32, name: i32, value: &[u8]) -> Option<SocketOption> {
    let value = i32::from_ne_bytes(*value.first_chunk()?) as u32;
    let on = value != 0;
    Some(match (level, name) {
        (libc::SOL_SOCKET, libc::SO_RCVBUF) => SocketOption::ReceiveBuffer(value),
        (libc::SOL_SOCKET, libc::SO_RCVLOWAT) => SocketOption::ReceiveLowWater(value),
        (libc::SOL_TCP, libc::TCP_WINDOW_CLAMP) => SocketOption::WindowClamp(value),
        (libc::SOL_TCP, libc::TCP_NODELAY) => SocketOption::NoDelay(on),
        (libc::SOL_TCP, libc::TCP_QUICKACK) => SocketOption::QuickAck(on),
        (libc::SOL_SOCKET, libc::SO_KEEPALIVE) => SocketOption::KeepAlive(on),
        (libc::SOL_TCP, libc::TCP_KEEPIDLE) => SocketOption::KeepIdle(value),
        (libc::SOL_TCP, libc::TCP_USER_TIMEOUT) => SocketOption::UserTimeout(value),
        _ => return None,
    })
}
