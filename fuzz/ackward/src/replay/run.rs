//! A script from its first event to its last, as packetdrill runs one, with a record for the oracle.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use ackward_model::trace::Path as Way;
use ackward_model::{
    Call, Entry, Event as Seen, Flags, Micros, OpenMode, Origin, Outcome, SeqNum, SocketOption,
    Sysctl, Trace, payload, wire,
};
use ackward_packetdrill::{Action, Event, Packet, Parsed, SystemCall, Time};
use ackward_stacks::{Operation, Returned, StackError, Stage, StageOptions};

use super::calls::{self, Refusal, Surroundings};
use super::clock::{Tolerance, When};
use super::compare;
use super::connection::{Connection, Stand};
use super::datagram::Datagram;

/// Under which conditions a script runs.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// Where its shell commands find themselves.
    pub folder: &'a Path,
    /// Shell commands are run; else only those that are settings have an effect.
    pub allow_shell: bool,
    /// Deviations in time that are forgiven.
    pub tolerance: Tolerance,
}

/// What came of a script.
#[derive(Debug)]
pub struct Report {
    /// What packetdrill would say.
    pub ending: Ending,
    /// What happened, for the oracle; `None` where it has no words for it, or nothing happened.
    pub trace: Option<Trace>,
    /// Echoes that the script names and that were seen: how many, and the line of each that is another.
    pub echoes: (u32, Vec<String>),
    /// Windows of segments that the script says nothing of.
    pub windows: u32,
}

/// How a script ended by packetdrill's criteria.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Everything came as expected.
    Passes,
    /// This line did not.
    Fails(u32, String),
    /// It could not be run here.
    Skipped(String),
}

/// Runs `parsed` on a stage that stands ready. Errors are those of the stage.
pub fn run(
    parsed: &Parsed,
    stage: &mut dyn Stage,
    place: &StageOptions,
    conditions: Conditions<'_>,
) -> Result<Report, StackError> {
    let mut run = Run {
        stage,
        place: *place,
        conditions,
        connections: Vec::new(),
        descriptors: BTreeMap::new(),
        pending: None,
        before: None,
        inbound: None,
        written: 0,
        entries: Vec::new(),
        sysctls: Vec::new(),
        socket_options: Vec::new(),
        unspeakable: false,
        next_port: FIRST_PORT,
        echoes: (0, Vec::new()),
        windows: 0,
        line: 0,
    };
    let ending = match run.whole(parsed) {
        Ok(()) => Ending::Passes,
        Err(Stop::Fails(why)) => Ending::Fails(run.line, why),
        Err(Stop::Needs(what)) => Ending::Skipped(format!("needs {what}")),
        Err(Stop::Broken(error)) => return Err(error),
    };
    let trace = run.trace();
    Ok(Report {
        ending,
        trace,
        echoes: run.echoes,
        windows: run.windows,
    })
}

struct Run<'a> {
    stage: &'a mut dyn Stage,
    place: StageOptions,
    conditions: Conditions<'a>,
    /// The last one is under test.
    connections: Vec<Connection>,
    /// The stage's descriptor for each of the script.
    descriptors: BTreeMap<i64, i32>,
    /// The call that blocks: when it is to return, since when, what it was.
    pending: Option<(When, Micros, SystemCall, Operation)>,
    /// When the event before was due.
    before: Option<Micros>,
    /// The same, if it was an injected segment.
    inbound: Option<Micros>,
    /// Octets written.
    written: u32,
    entries: Vec<Entry>,
    sysctls: Vec<Sysctl>,
    socket_options: Vec<SocketOption>,
    /// Something happened that the oracle has no words for.
    unspeakable: bool,
    next_port: u16,
    echoes: (u32, Vec<String>),
    windows: u32,
    line: u32,
}

enum Stop {
    Fails(String),
    Needs(String),
    Broken(StackError),
}

impl From<StackError> for Stop {
    fn from(error: StackError) -> Stop {
        Stop::Broken(error)
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        match refusal {
            Refusal::Needs(what) => Stop::Needs(what),
            Refusal::Wrong(why) => Stop::Fails(why),
        }
    }
}

/// The port that sockets of the stack are bound to, and to which they connect.
const PORT: u16 = 8080;
const FIRST_PORT: u16 = 40_000;
/// So long packetdrill waits for a segment beyond the time at which it is due.
const PATIENCE: Micros = 2_000_000;
/// So long a call that blocks may go on once nothing is left to do.
const AT_THE_END: Micros = 1_000_000;

impl Run<'_> {
    fn whole(&mut self, parsed: &Parsed) -> Result<(), Stop> {
        // Together, so that only the last one's failure counts.
        let init = parsed.script.init.join("\n");
        if !init.is_empty() {
            self.shell(&init)?;
            self.read_settings();
        }
        self.stage.start()?;
        for (event, line) in parsed.script.events().zip(&parsed.lines) {
            self.line = *line;
            self.event(event)?;
        }
        if self.pending.is_some() {
            let end = self.stage.now() + AT_THE_END;
            self.settle(end, "a call that blocks had not returned at the end")?;
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> Result<(), Stop> {
        let arrives = matches!(event.action, Action::In(_) | Action::Icmp(_));
        let anchor = match event.time {
            Time::At(_) | Time::Between(..) => 0,
            _ => match self.inbound.filter(|_| arrives) {
                Some(at) => at,
                None => self.stage.now(),
            },
        };
        let when = When::of(event.time, anchor);
        if !matches!(event.action, Action::Out(_)) {
            self.stage.wait_until(when.from)?;
            let now = self.stage.now();
            let tolerance = self.conditions.tolerance;
            if self.before.is_some()
                && let Some(why) = when.misses(now, self.before, tolerance, "event")
            {
                return Err(Stop::Fails(why));
            }
        }
        match &event.action {
            Action::In(packet) => self.inject(packet)?,
            Action::Out(packet) => self.expect(packet, when)?,
            Action::Call(call) => self.call(call, event.time, when, anchor)?,
            Action::Shell(command) => self.shell(command)?,
            Action::Code(_) => return Err(Stop::Needs("python".to_owned())),
            Action::Icmp(_) => return Err(Stop::Needs("ICMP".to_owned())),
            Action::Udp(..) => return Err(Stop::Needs("UDP".to_owned())),
        }
        self.before = Some(when.from);
        self.inbound = arrives.then_some(when.from);
        Ok(())
    }

    fn inject(&mut self, packet: &Packet) -> Result<(), Stop> {
        if packet.udp.is_some() {
            return Err(Stop::Needs("TCP in UDP".to_owned()));
        }
        let begins = self
            .connections
            .last()
            .is_none_or(|under_test| under_test.stand == Stand::Listening);
        if begins {
            let remote = (self.place.remote, self.next_port);
            self.next_port += 1;
            let mut child = Connection::new(None, (self.place.local, PORT), remote);
            child.stand = Stand::Received;
            child.isn = Some(packet.seq);
            self.unspeakable |= self.connections.iter().any(|other| other.isn.is_some());
            self.connections.push(child);
        }
        self.unspeakable |= packet.ports.is_some();
        let Some(connection) = self.connections.last_mut() else {
            return Err(Stop::Fails(
                "no matching socket for script packet".to_owned(),
            ));
        };
        connection.arriving(packet);
        let (segment, octets) =
            connection
                .to_wire(packet)
                .map_err(|why| match why.starts_with("an option") {
                    true => Stop::Needs(why),
                    false => Stop::Fails(why),
                })?;
        let at = self.stage.now();
        let step = self.entries.len();
        self.entries.push(Entry {
            at,
            event: Seen::In(segment, Origin::Step(step)),
        });
        Ok(self.stage.inject(&octets)?)
    }

    fn expect(&mut self, packet: &Packet, when: When) -> Result<(), Stop> {
        let Some(connection) = self.connections.last_mut() else {
            return Err(Stop::Fails(
                "no matching socket for script packet".to_owned(),
            ));
        };
        connection.expecting(packet);
        let deadline = match when.any {
            true => self.stage.now() + 60 * PATIENCE,
            false => when.to.max(self.stage.now()) + PATIENCE,
        };
        let (at, first) = self.next_segment(deadline)?;
        let mut live = first;
        while live.len < u32::from(packet.len) {
            let (_, more) = self.next_segment(deadline)?;
            live.flags.0 |= more.flags.0;
            live.len += more.len;
        }
        let connection = self.connections.last_mut().expect("there was one above");
        connection.sent(packet, &live);
        if let Some(why) = compare::differs(connection, packet, &live) {
            return Err(Stop::Fails(why));
        }
        if let Some((expected, actual)) = compare::echoes(packet, &live) {
            self.echoes.0 += 1;
            if expected != actual {
                let line = self.line;
                self.echoes.1.push(format!(
                    "line {line}: TSecr {actual}, the script has {expected}"
                ));
            }
        }
        self.windows += u32::from(packet.window.is_none());
        let tolerance = self.conditions.tolerance;
        match when.misses(at, self.before, tolerance, "outbound packet") {
            Some(why) => Err(Stop::Fails(why)),
            None => Ok(()),
        }
    }

    /// The next segment of the connection under test.
    fn next_segment(&mut self, deadline: Micros) -> Result<(Micros, Datagram), Stop> {
        loop {
            let Some((at, octets)) = self.stage.outbound(deadline)? else {
                return Err(Stop::Fails("Timed out waiting for packet".to_owned()));
            };
            let Some(live) = Datagram::read(&octets) else {
                continue;
            };
            if let Ok((_, segment)) = wire::decode(&octets) {
                self.entries.push(Entry {
                    at,
                    event: Seen::Out(segment),
                });
            }
            let route = self
                .connections
                .last()
                .map(|connection| (connection.stand, connection.route));
            let fits = route.is_some_and(|(stand, route)| {
                let connecting = stand == Stand::Connecting && live.flags.contains(Flags::SYN);
                live.ports.1 == route.source.1
                    && (connecting || live.ports.0 == route.destination.1)
            });
            if fits {
                return Ok((at, live));
            }
        }
    }

    fn call(
        &mut self,
        call: &SystemCall,
        time: Time,
        when: When,
        anchor: Micros,
    ) -> Result<(), Stop> {
        if self.pending.is_some() {
            let patience = if call.until.is_some() { AT_THE_END } else { 0 };
            let deadline = self.stage.now() + patience;
            self.settle(deadline, "").or_else(|stop| match stop {
                Stop::Fails(why) if why.is_empty() && call.until.is_none() => Ok(()),
                Stop::Fails(why) if why.is_empty() => {
                    Err(Stop::Fails("a second call that blocks".to_owned()))
                }
                stop => Err(stop),
            })?;
        }
        let ipv6 = self.place.local.is_ipv6();
        let (descriptors, written) = (&self.descriptors, self.written);
        let operation = calls::operation(
            call,
            &Surroundings {
                descriptor: &|name| descriptors.get(&name).copied(),
                local: SocketAddr::new(self.place.local, PORT),
                remote: SocketAddr::new(self.place.remote, PORT),
                ipv6,
                text: &|len| payload::stack_text(written, len),
            },
        )?;
        self.about_to(call, &operation)?;
        let at = self.stage.now();
        if let Some(until) = call.until {
            let end = match time {
                Time::At(_) | Time::Between(..) => until,
                _ => anchor + until,
            };
            let due = When::of(Time::At(end), 0);
            self.stage.begin(operation.clone())?;
            self.pending = Some((due, when.from, call.clone(), operation));
            return Ok(());
        }
        let returned = self.stage.call(operation.clone())?;
        self.returned(call, &operation, &returned, at)
    }

    /// Waits for the call that blocks.
    fn settle(&mut self, deadline: Micros, otherwise: &str) -> Result<(), Stop> {
        let Some((at, returned)) = self.stage.finish(deadline)? else {
            return Err(Stop::Fails(otherwise.to_owned()));
        };
        let Some((due, since, call, operation)) = self.pending.take() else {
            return Ok(());
        };
        self.returned(&call, &operation, &returned, at)?;
        let tolerance = self.conditions.tolerance;
        match due.misses(at, Some(since), tolerance, "system call return") {
            Some(why) => Err(Stop::Fails(why)),
            None => Ok(()),
        }
    }

    fn about_to(&mut self, call: &SystemCall, operation: &Operation) -> Result<(), Stop> {
        let name = call
            .arguments
            .first()
            .and_then(|name| calls::number(name).ok());
        let Some(connection) = self
            .connections
            .iter_mut()
            .rev()
            .find(|one| name.is_some() && one.name == name)
        else {
            return Ok(());
        };
        match operation {
            Operation::Listen(..) => connection.stand = Stand::Listening,
            Operation::Connect(..) if connection.stand == Stand::New => {
                connection.stand = Stand::Connecting;
            }
            _ => {}
        }
        Ok(())
    }

    fn returned(
        &mut self,
        call: &SystemCall,
        operation: &Operation,
        returned: &Returned,
        at: Micros,
    ) -> Result<(), Stop> {
        self.take_note(operation, returned, at);
        if let Some(why) = calls::differs(call, operation, returned) {
            return Err(Stop::Fails(why));
        }
        let name = calls::number(&call.result.value).ok();
        match (operation, name) {
            (Operation::Socket(..), Some(name)) if name >= 0 => {
                self.descriptors.insert(name, returned.value as i32);
                let remote = (self.place.remote, PORT);
                self.connections.push(Connection::new(
                    Some(name),
                    (self.place.local, PORT),
                    remote,
                ));
            }
            (Operation::Accept(_), Some(name)) if name >= 0 => {
                self.descriptors.insert(name, returned.value as i32);
                let child = self.connections.iter_mut().find(|one| {
                    one.name.is_none() && matches!(one.stand, Stand::SynAckSent | Stand::Up)
                });
                match child {
                    Some(child) => child.name = Some(name),
                    None => {
                        let why = "unable to find socket matching accept() call";
                        return Err(Stop::Fails(why.to_owned()));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes down what the application did, for the oracle.
    fn take_note(&mut self, operation: &Operation, returned: &Returned, at: Micros) {
        let outcome = |done| match returned.value {
            -1 => Outcome::Error(returned.errno),
            _ => done,
        };
        let listening = |run: &Self, descriptor: i32| {
            run.connections.iter().any(|one| {
                one.stand == Stand::Listening
                    && one.name.and_then(|name| run.descriptors.get(&name)) == Some(&descriptor)
            })
        };
        let (call, outcome) = match operation {
            Operation::Accept(_) => (Call::Accept, outcome(Outcome::Done(0))),
            Operation::Connect(..) => match returned.errno {
                0 | libc::EINPROGRESS => (Call::Connect, Outcome::Done(0)),
                errno => (Call::Connect, Outcome::Error(errno)),
            },
            Operation::Send(_, octets, flags) => {
                self.unspeakable |= flags.is_some_and(|flags| flags & libc::MSG_OOB != 0);
                self.written += u32::try_from(returned.value).unwrap_or(0);
                (
                    Call::Write(octets.len() as u32),
                    outcome(Outcome::Done(returned.value as u32)),
                )
            }
            Operation::Receive(_, room, flags) => {
                self.unspeakable |= flags.is_some_and(|flags| flags & !libc::MSG_DONTWAIT != 0);
                (
                    Call::Read(*room),
                    outcome(Outcome::Data(returned.octets.clone())),
                )
            }
            Operation::Shutdown(_, libc::SHUT_WR) => {
                (Call::ShutdownWrite, outcome(Outcome::Done(0)))
            }
            Operation::Close(descriptor) if !listening(self, *descriptor) => {
                (Call::Close, outcome(Outcome::Done(0)))
            }
            Operation::Shutdown(..) => {
                self.unspeakable = true;
                return;
            }
            Operation::SetOption(_, level, name, value) => {
                if returned.value == -1 {
                    return;
                }
                let Some(option) = option(*level, *name, value) else {
                    let harmless = [libc::SO_REUSEADDR, libc::SO_SNDBUF];
                    self.unspeakable |= *level != libc::SOL_SOCKET || !harmless.contains(name);
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
        self.entries.push(Entry {
            at,
            event: Seen::Call(call),
        });
        self.entries.push(Entry {
            at,
            event: Seen::Return(outcome),
        });
    }

    /// Runs a command, or does what it would do where it is a setting.
    fn shell(&mut self, command: &str) -> Result<(), Stop> {
        let settings = settings(command);
        if let Some(settings) = &settings {
            for (name, value) in settings {
                self.note_setting(name, value);
            }
        }
        if self.conditions.allow_shell && self.stage.is_kernel() {
            // What a command does in the midst of a conversation is not seen from here.
            self.unspeakable |= settings.is_none() && !self.entries.is_empty();
            let status = Command::new("sh")
                .args(["-c", command])
                .current_dir(self.conditions.folder)
                .env("PACKETDRILL_PID", std::process::id().to_string())
                .status();
            return match status {
                Ok(status) if status.success() => Ok(()),
                Ok(status) => Err(Stop::Fails(format!(
                    "error executing command `{command}`: {status}"
                ))),
                Err(error) => Err(Stop::Fails(format!(
                    "error executing command `{command}`: {error}"
                ))),
            };
        }
        let Some(settings) = settings else {
            return Err(Stop::Needs("--allow-shell".to_owned()));
        };
        for (name, value) in settings {
            if self.stage.set(&name, &value)?.is_none() {
                return Err(Stop::Needs(format!("the setting {name}")));
            }
        }
        Ok(())
    }

    /// What is in force once all commands before the first event have run.
    fn read_settings(&mut self) {
        const NAMES: [(&str, &str); 5] = [
            ("net.ipv4.tcp_window_scaling", "1"),
            ("net.ipv4.tcp_timestamps", "1"),
            ("net.ipv4.tcp_sack", "1"),
            ("net.ipv4.tcp_moderate_rcvbuf", "1"),
            ("net.ipv4.tcp_shrink_window", "0"),
        ];
        self.sysctls.clear();
        for (name, usual) in NAMES {
            if let Some(value) = self.stage.setting(name).filter(|value| value != usual) {
                self.note_setting(name, &value);
            }
        }
        if let Some(value) = self.stage.setting("net.ipv4.tcp_rmem") {
            self.note_setting("net.ipv4.tcp_rmem", &value);
        }
    }

    fn note_setting(&mut self, name: &str, value: &str) {
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

    /// What happened, oldest first.
    fn trace(&mut self) -> Option<Trace> {
        let connection = self
            .connections
            .iter()
            .rev()
            .find(|one| one.isn.is_some())?;
        if self.unspeakable {
            return None;
        }
        let passive = !self
            .entries
            .iter()
            .any(|entry| entry.event == Seen::Call(Call::Connect));
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_by_key(|entry| entry.at);
        Some(Trace {
            open: if passive {
                OpenMode::Passive
            } else {
                OpenMode::Active
            },
            text_origin: connection.isn.map(SeqNum),
            path: Way {
                ipv6: self.place.local.is_ipv6(),
                mtu: self.place.mtu,
            },
            sysctls: self.sysctls.clone(),
            socket_options: self.socket_options.clone(),
            entries,
            disturbed: Some("a script keeps its own time".to_owned()),
            ..Trace::default()
        })
    }
}

/// The settings that a command makes, if that is all it does: `sysctl -q name=value`, several with `;` or `&&`.
fn settings(command: &str) -> Option<Vec<(String, String)>> {
    let parts = command.split(['\n', ';']).flat_map(|part| part.split("&&"));
    let parts = parts.map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let words = part.strip_prefix("sysctl")?.trim_start();
            let words = words
                .trim_start_matches("-q")
                .trim_start_matches("-w")
                .trim_start();
            let words = words.trim_start_matches("-w").trim_start();
            let (name, value) = words.split_once('=')?;
            let value = value.trim().trim_matches(['"', '\'']);
            let plain = !value.contains(['$', '`', '|', '>', '&']);
            plain.then(|| (name.trim().to_owned(), value.to_owned()))
        })
        .collect()
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
