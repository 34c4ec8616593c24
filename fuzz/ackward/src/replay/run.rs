//! A script from its first event to its last, as packetdrill runs one, with a record for the oracle.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use ackward_model::{Flags, Micros, Trace, payload};
use ackward_packetdrill::{Action, Event, Packet, Parsed, Script, SystemCall, Time};
use ackward_stacks::{Operation, Returned, StackError, Stage, StageOptions};

use super::calls::{self, Refusal, Surroundings};
use super::clock::{Tolerance, When};
use super::compare;
use super::connection::{Connection, Stand};
use super::datagram::Datagram;
use super::python::{self, Block, Snapshot};
use super::record::Record;

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
        record: Record::default(),
        blocks: Vec::new(),
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
    let isn = run.connections.iter().rev().find_map(|one| one.isn);
    Ok(Report {
        ending,
        trace: run.record.trace(place, isn),
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
    /// The call that blocks.
    pending: Option<Pending>,
    /// When the event before was due.
    before: Option<Micros>,
    /// The same, if it was an injected segment.
    inbound: Option<Micros>,
    record: Record,
    /// Looks at what the stack said of itself, for the end.
    blocks: Vec<Block>,
    next_port: u16,
    echoes: (u32, Vec<String>),
    windows: u32,
    line: u32,
}

/// A call that blocks.
struct Pending {
    line: u32,
    /// When it is to return.
    due: When,
    /// When it was to begin.
    since: Micros,
    call: SystemCall,
    operation: Operation,
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
/// And so long where any time is right, for which it would wait forever.
const PATIENCE_AT_ANY_TIME: Micros = 120_000_000;
/// So long a call that blocks may go on once nothing is left to do.
const AT_THE_END: Micros = 1_000_000;

impl Run<'_> {
    fn whole(&mut self, parsed: &Parsed) -> Result<(), Stop> {
        if let Some(unknown) = unknown_option(&parsed.script) {
            return Err(Stop::Needs(unknown));
        }
        // Together, so that only the last one's failure counts.
        let init = parsed.script.init.join("\n");
        if !init.is_empty() {
            self.shell(&init)?;
            self.record.read_settings(&*self.stage, self.place.mtu);
        }
        self.stage.start()?;
        for (event, line) in parsed.script.events().zip(&parsed.lines) {
            self.line = *line;
            self.event(event)?;
        }
        let end = self.stage.now() + AT_THE_END;
        if !self.settle(end)? {
            return Err(Stop::Fails(
                "a call that blocks had not returned at the end".to_owned(),
            ));
        }
        self.look_at_the_rest()?;
        self.python()
    }

    /// What the stack has sent beyond what the script expects concerns the oracle alone.
    fn look_at_the_rest(&mut self) -> Result<(), Stop> {
        let now = self.stage.now();
        while let Some((at, octets)) = self.stage.outbound(now)? {
            self.record.emitted(at, &octets, self.place.mtu);
        }
        Ok(())
    }

    /// Runs the blocks of code, as packetdrill does: after everything else. What is not simple takes a Python, which may do
    /// anything, like the shell.
    fn python(&mut self) -> Result<(), Stop> {
        let interpreter = self.conditions.allow_shell.then(|| Path::new("python3"));
        match python::run(&self.blocks, interpreter) {
            python::Outcome::Held { .. } => Ok(()),
            python::Outcome::Failed { line, message, .. } => {
                self.line = line;
                Err(Stop::Fails(format!("error in Python code: {message}")))
            }
            python::Outcome::NeedsPython { line } => Err(Stop::Needs(format!(
                "python3 and --allow-shell (line {line})"
            ))),
        }
    }

    /// Takes down what the stack says of the socket under test.
    fn code(&mut self, code: &str) -> Result<(), Stop> {
        let name = self.connections.last().and_then(|one| one.name);
        let Some(descriptor) = name.and_then(|name| self.descriptors.get(&name)) else {
            return Err(Stop::Fails("no socket to ask for TCP_INFO".to_owned()));
        };
        let ask = Operation::GetOption(*descriptor, libc::SOL_TCP, libc::TCP_INFO, 512);
        let mut snapshot = Snapshot::of_tcp_info(&self.stage.call(ask)?.octets);
        let ask = Operation::GetOption(*descriptor, libc::SOL_SOCKET, libc::SO_MEMINFO, 64);
        snapshot.insert_meminfo(&self.stage.call(ask)?.octets);
        self.blocks.push(Block {
            code: code.to_owned(),
            line: self.line,
            snapshot,
        });
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
        // A call that has returned meanwhile has its effect.
        let now = self.stage.now();
        self.settle(now)?;
        match &event.action {
            Action::In(packet) => self.inject(packet)?,
            Action::Out(packet) => self.expect(packet, when)?,
            Action::Call(call) => self.call(call, event.time, when, anchor)?,
            Action::Shell(command) => self.shell(command)?,
            Action::Code(code) => self.code(code)?,
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
            self.record.is_beyond_words |= self.has_had_a_connection();
            self.connections.push(child);
        }
        self.record.is_beyond_words |= packet.ports.is_some();
        let Some(connection) = self.connections.last_mut() else {
            return Err(Stop::Fails(
                "no matching socket for script packet".to_owned(),
            ));
        };
        connection.arriving(packet);
        let (segment, octets) = connection.to_wire(packet)?;
        self.record.injected(self.stage.now(), segment);
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
            true => self.stage.now() + PATIENCE_AT_ANY_TIME,
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
        if let Some(why) = compare::differs(connection, packet, &live)? {
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
            self.record.emitted(at, &octets, self.place.mtu);
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
        let patience = if call.until.is_some() { AT_THE_END } else { 0 };
        let deadline = self.stage.now() + patience;
        if !self.settle(deadline)? && call.until.is_some() {
            return Err(Stop::Fails("a second call that blocks".to_owned()));
        }
        let ipv6 = self.place.local.is_ipv6();
        let (descriptors, written) = (&self.descriptors, self.record.written);
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
            self.pending = Some(Pending {
                line: self.line,
                due,
                since: when.from,
                call: call.clone(),
                operation,
            });
            return Ok(());
        }
        let returned = self.stage.call(operation.clone())?;
        self.returned(call, &operation, &returned, at)
    }

    /// Waits for the call that blocks, if there is one. Returns whether it is over.
    fn settle(&mut self, deadline: Micros) -> Result<bool, Stop> {
        if self.pending.is_none() {
            return Ok(true);
        }
        let Some((at, returned)) = self.stage.finish(deadline)? else {
            return Ok(false);
        };
        let Some(pending) = self.pending.take() else {
            return Ok(true);
        };
        let line = std::mem::replace(&mut self.line, pending.line);
        self.returned(&pending.call, &pending.operation, &returned, at)?;
        let (due, tolerance) = (pending.due, self.conditions.tolerance);
        if let Some(why) = due.misses(at, Some(pending.since), tolerance, "system call return") {
            return Err(Stop::Fails(why));
        }
        self.line = line;
        Ok(true)
    }

    /// Whether an earlier connection is in the record, which holds one.
    fn has_had_a_connection(&self) -> bool {
        let known = |one: &Connection| one.isn.is_some() || one.live_iss.is_some();
        self.connections.iter().any(known)
    }

    fn about_to(&mut self, call: &SystemCall, operation: &Operation) -> Result<(), Stop> {
        if matches!(operation, Operation::Connect(..)) {
            self.record.is_beyond_words |= self.has_had_a_connection();
        }
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
        if let Operation::Close(closed) = operation
            && self.is_listening(*closed)
        {
            // The application's side of the connection does not change.
        } else {
            self.record.called(operation, returned, at);
        }
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

    fn is_listening(&self, descriptor: i32) -> bool {
        self.connections.iter().any(|one| {
            one.stand == Stand::Listening
                && one.name.and_then(|name| self.descriptors.get(&name)) == Some(&descriptor)
        })
    }

    /// Runs a command, or does what it would do where it is a setting.
    fn shell(&mut self, command: &str) -> Result<(), Stop> {
        let settings = settings(command);
        if let Some(settings) = &settings {
            for (name, value) in settings {
                self.record.setting(name, value);
            }
        }
        if self.conditions.allow_shell && self.stage.is_kernel() {
            // What a command does in the midst of a conversation is not seen from here.
            self.record.is_beyond_words |= settings.is_none() && self.record.has_begun();
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

/// An option of the script that would change what packetdrill says and that is not known here.
fn unknown_option(script: &Script) -> Option<String> {
    const KNOWN: [&str; 8] = [
        "local_ip",
        "remote_ip",
        "mtu",
        "mss",
        "tolerance_usecs",
        "tolerance_percent",
        "send_omit_free",
        "debug",
    ];
    script.options.iter().find_map(|option| {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        let known = match name.trim_start_matches('-') {
            "ip_version" => ["ipv4", "ipv6"].contains(&value.trim_matches('"')),
            name => KNOWN.contains(&name),
        };
        (!known).then(|| format!("the option {option}"))
    })
}
