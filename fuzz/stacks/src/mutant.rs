//! The stack `mutant`: the endpoint of this house behind a sockets interface, in process and on virtual time.
//! RFC 9293 section 3.9.1; which of the ways that the RFCs leave open it goes is drawn for each case.

use ackward_endpoint::{Config, Endpoint, Plant, State};
use ackward_model::{
    Address, Call, Icmp, Micros, OpenMode, Outcome, Sample, Segment, SocketOption, Sysctl, Window,
};
use ackward_scenario::Setup;

use crate::{Clock, Connection, Host, KernelWords, Outbox, StackError, StackInfo};

/// Opens it, with a bug or without.
pub(crate) fn mutant(plant: Option<Plant>) -> Box<dyn Host> {
    Box::new(Mutant {
        info: StackInfo {
            name: "mutant",
            version: plant.map_or("none", |plant| plant.card().name).to_owned(),
            link: None,
            clock: Clock::Virtual,
        },
        plant,
    })
}

struct Mutant {
    info: StackInfo,
    plant: Option<Plant>,
}

impl Host for Mutant {
    fn info(&self) -> &StackInfo {
        &self.info
    }

    fn open(&mut self, setup: &Setup) -> Result<Box<dyn Connection + '_>, StackError> {
        let config = config(setup, self.plant);
        let mut end = Endpoint::new(config);
        for option in &setup.socket_options {
            end.set(*option);
        }
        if setup.open == OpenMode::Passive {
            end.listen();
        }
        Ok(Box::new(MutantConnection {
            end,
            plant: self.plant,
            remote: setup.remote,
            buffer: config.buffer,
            now: 0,
            socket: match setup.open {
                OpenMode::Passive => Socket::Listening,
                OpenMode::Active => Socket::Fresh,
            },
            came_up: false,
            shut: false,
        }))
    }

    /// Nothing outlives a case.
    fn renew(&mut self) -> Result<(), StackError> {
        Ok(())
    }

    fn listen_to_kernel(&mut self, _: bool) -> bool {
        false
    }

    fn kernel_words(&mut self) -> Option<KernelWords> {
        None
    }

    fn notice(&mut self) -> Option<String> {
        None
    }
}

/// What the end is for this case. The seed of what is left open is the one thing of a case that chance has made and that
/// a stored scenario keeps: the peer's initial sequence number.
fn config(setup: &Setup, plant: Option<Plant>) -> Config {
    let mut config = Config::drawn(u64::from(setup.isn));
    config.plant = plant;
    if let Some(plant) = plant {
        plant.suit(&mut config);
    }
    for sysctl in &setup.sysctls {
        match *sysctl {
            Sysctl::WindowScaling(false) => config.offer.window_scale = None,
            Sysctl::Timestamps(on) => config.offer.timestamps = on,
            Sysctl::Sack(on) => config.offer.sack = on,
            Sysctl::ReceiveMemory(_, default, _) => config.buffer = default,
            Sysctl::WindowScaling(true)
            | Sysctl::ModerateReceiveBuffer(_)
            | Sysctl::ShrinkWindow(_) => {}
            Sysctl::SynCookies(always) => config.syn_cookies = always,
        }
    }
    for option in &setup.socket_options {
        config.buffer = buffer(*option).unwrap_or(config.buffer);
    }
    config
}

/// The buffer that `option` asks for.
fn buffer(option: SocketOption) -> Option<u32> {
    match option {
        SocketOption::ReceiveBuffer(octets) | SocketOption::WindowClamp(octets) => Some(octets),
        _ => None,
    }
}

/// What the application holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Socket {
    /// A socket that has yet to connect.
    Fresh,
    /// A listening socket with nothing accepted.
    Listening,
    /// A connection, which may be over.
    Connected,
    /// Nothing any more.
    Closed,
}

struct MutantConnection {
    end: Endpoint,
    plant: Option<Plant>,
    /// What the application connects to.
    remote: Address,
    /// Octets that the buffer holds, as far as was asked for.
    buffer: u32,
    now: Micros,
    socket: Socket,
    /// The handshake was completed.
    came_up: bool,
    /// The application will write no more.
    shut: bool,
}

/// The numbers that Linux has for these errors.
const EAGAIN: Outcome = Outcome::Error(11);
const EPIPE: Outcome = Outcome::Error(32);
const EADDRINUSE: Outcome = Outcome::Error(98);
const ENETUNREACH: Outcome = Outcome::Error(101);
const ECONNRESET: Outcome = Outcome::Error(104);

/// More than this is not written or read at once.
const MOST: u32 = 1 << 17;

impl MutantConnection {
    fn connect(&mut self) -> Option<Outcome> {
        if self.socket != Socket::Fresh {
            return None;
        }
        if self.remote != Address::Right && self.plant != Some(Plant::ConnectsToGroups) {
            return Some(ENETUNREACH);
        }
        self.socket = Socket::Connected;
        self.end.open();
        Some(Outcome::Done(0))
    }

    fn accept(&mut self) -> Option<Outcome> {
        if self.socket != Socket::Listening {
            return None;
        }
        if !self.came_up {
            return Some(EAGAIN);
        }
        self.socket = Socket::Connected;
        Some(Outcome::Done(0))
    }

    fn write(&mut self, octets: u32, write: fn(&mut Endpoint, u32) -> u32) -> Outcome {
        if self.shut || self.end.state() == State::Closed {
            return EPIPE;
        }
        match write(&mut self.end, octets.min(MOST)) {
            0 => EPIPE,
            taken => Outcome::Done(taken),
        }
    }

    fn read(&mut self, octets: u32) -> Outcome {
        // To read nothing returns nothing, which would look like the end of the stream.
        let data = self.end.read(octets.clamp(1, MOST));
        match (data.is_empty(), self.end.is_at_end(), self.end.state()) {
            (false, ..) | (_, true, _) => Outcome::Data(data),
            (_, _, State::Closed) if self.plant == Some(Plant::ResetIsTheEnd) => {
                Outcome::Data(data)
            }
            (_, _, State::Closed) => ECONNRESET,
            _ => EAGAIN,
        }
    }

    fn act(&mut self, call: &Call) -> Outcome {
        match *call {
            Call::Write(octets) => return self.write(octets, Endpoint::write),
            Call::WriteUrgent(octets) => return self.write(octets, Endpoint::write_urgent),
            Call::Urgent => return Outcome::Done(u32::from(self.end.has_urgent_text())),
            Call::Read(octets) => return self.read(octets),
            Call::ShutdownWrite => {
                self.shut = true;
                self.end.shutdown();
            }
            Call::Close => {
                self.socket = Socket::Closed;
                self.end.close();
            }
            Call::Set(option) => {
                self.end.set(option);
                if let Some(octets) = buffer(option) {
                    self.buffer = octets;
                    self.end.set_buffer(octets);
                }
            }
            Call::Connect | Call::Accept | Call::Sysctl(_) | Call::Listen => {}
        }
        Outcome::Done(0)
    }

    fn emit(&mut self, at: Micros, out: Outbox<'_>) {
        self.came_up |= self.end.state().is_synchronized();
        while let Some(segment) = self.end.poll_emit() {
            out(at, segment);
        }
    }
}

impl Connection for MutantConnection {
    fn now(&self) -> Micros {
        self.now
    }

    fn inject(&mut self, segment: &Segment) -> Result<(), StackError> {
        self.end.receive(self.now, segment);
        self.came_up |= self.end.state().is_synchronized();
        Ok(())
    }

    fn tell(&mut self, icmp: &Icmp) -> Result<(), StackError> {
        self.end.tell(self.now, icmp);
        Ok(())
    }

    fn call(&mut self, call: &Call) -> Result<Option<Outcome>, StackError> {
        Ok(match (call, self.socket) {
            (Call::Connect, _) => self.connect(),
            (Call::Accept, _) => self.accept(),
            // What is set for the host to come means nothing to a connection that stands.
            (Call::Sysctl(_), _) => Some(Outcome::Done(0)),
            (Call::Listen, _) if self.end.listen_beside() => Some(Outcome::Done(0)),
            (Call::Listen, _) => Some(EADDRINUSE),
            (_, Socket::Connected) => Some(self.act(call)),
            _ => None,
        })
    }

    fn drain(&mut self, now: Micros, out: Outbox<'_>) -> Result<(), StackError> {
        self.emit(now, out);
        Ok(())
    }

    /// Goes from timer to timer, so that each emission has its own time.
    fn elapse(&mut self, by: Micros, out: Outbox<'_>) -> Result<(), StackError> {
        let end = self.now + by;
        while let Some(timer) = self.end.next_timer().filter(|timer| *timer <= end) {
            self.now = self.now.max(timer);
            self.end.tick(self.now);
            self.emit(self.now, out);
        }
        self.now = end;
        self.end.tick(end);
        Ok(())
    }

    fn inspect(&mut self) -> Option<Sample> {
        if self.socket != Socket::Connected || !self.end.state().is_synchronized() {
            return None;
        }
        let says = |plant, truth| {
            let says = if self.plant == Some(plant) {
                self.buffer
            } else {
                truth
            };
            Some(Window(says))
        };
        Some(Sample {
            rcv_wnd: says(Plant::ReportsBuffer, self.end.rcv_wnd()),
            window_clamp: says(Plant::ReportsClamp, self.end.largest_window()),
            rtt: self.end.round_trip(),
            ..Sample::default()
        })
    }

    fn memory_drops(&mut self) -> u64 {
        0
    }

    fn close(self: Box<Self>) -> Result<(), StackError> {
        Ok(())
    }
}
