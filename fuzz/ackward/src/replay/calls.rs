//! What the system calls of a script are to the stage, and whether they return what the script expects.

use std::net::{IpAddr, SocketAddr};

use ackward_packetdrill::{Expression, SystemCall};
use ackward_stacks::{Operation, Returned};

use super::symbols;

/// Why a call cannot be made.
pub(super) enum Refusal {
    /// Replay lacks something.
    Needs(String),
    /// The script is at fault.
    Wrong(String),
}

/// What the calls of a script may refer to.
pub(super) struct Surroundings<'a> {
    /// The descriptor on the stage for one of the script.
    pub(super) descriptor: &'a dyn Fn(i64) -> Option<i32>,
    /// The stack's address and port, as its sockets name them.
    pub(super) local: SocketAddr,
    /// The peer's.
    pub(super) remote: SocketAddr,
    /// Sockets are of IPv6.
    pub(super) ipv6: bool,
    /// Text for a write of so many octets.
    pub(super) text: &'a dyn Fn(u32) -> Vec<u8>,
}

/// The operation that a call comes to.
pub(super) fn operation(call: &SystemCall, here: &Surroundings<'_>) -> Result<Operation, Refusal> {
    let argument = |place: usize| {
        call.arguments
            .get(place)
            .ok_or_else(|| Refusal::Wrong(format!("{} has too few arguments", call.name)))
    };
    let int = |place: usize| argument(place).and_then(number);
    let int32 = |place: usize| int(place).map(|value| value as i32);
    let descriptor = |place: usize| {
        let name = int(place)?;
        (here.descriptor)(name)
            .ok_or_else(|| Refusal::Wrong(format!("unable to find socket with script fd {name}")))
    };
    Ok(match call.name.as_str() {
        "socket" => {
            let domain = match (argument(0)?, here.ipv6) {
                (Expression::Ellipsis, false) => libc::AF_INET,
                (Expression::Ellipsis, true) => libc::AF_INET6,
                (given, _) => number(given)? as i32,
            };
            let (kind, protocol) = (int32(1)?, int32(2)?);
            if protocol != libc::IPPROTO_TCP && kind & 0xf != libc::SOCK_STREAM {
                return Err(Refusal::Needs(
                    "sockets of another protocol than TCP".to_owned(),
                ));
            }
            Operation::Socket(domain, kind, protocol)
        }
        "bind" => Operation::Bind(descriptor(0)?, address(argument(1)?, here.local)?),
        "connect" => Operation::Connect(descriptor(0)?, address(argument(1)?, here.remote)?),
        "listen" => Operation::Listen(descriptor(0)?, int32(1)?),
        "accept" => Operation::Accept(descriptor(0)?),
        "read" | "recv" | "write" | "send"
            if !matches!(argument(1)?, Expression::Ellipsis | Expression::Text(_)) =>
        {
            return Err(Refusal::Needs("a buffer that is a pointer".to_owned()));
        }
        "read" => Operation::Receive(descriptor(0)?, count(int(2)?)?, None),
        "recv" => Operation::Receive(descriptor(0)?, count(int(2)?)?, Some(int32(3)?)),
        "write" => Operation::Send(descriptor(0)?, (here.text)(count(int(2)?)?), None),
        "send" => {
            let flags = int32(3)?;
            if flags & (libc::MSG_FASTOPEN | libc::MSG_ZEROCOPY) != 0 {
                return Err(Refusal::Needs("MSG_FASTOPEN or MSG_ZEROCOPY".to_owned()));
            }
            Operation::Send(descriptor(0)?, (here.text)(count(int(2)?)?), Some(flags))
        }
        "close" => Operation::Close(descriptor(0)?),
        "shutdown" => Operation::Shutdown(descriptor(0)?, int32(1)?),
        "fcntl" => {
            let argument = if call.arguments.len() > 2 {
                int32(2)?
            } else {
                0
            };
            Operation::Control(descriptor(0)?, int32(1)?, argument)
        }
        "getsockopt" => {
            let room = match argument(3)?.first().and_then(|len| number(len).ok()) {
                Some(len) => len as u32,
                None => 4,
            };
            Operation::GetOption(descriptor(0)?, int32(1)?, int32(2)?, room.min(4096))
        }
        "setsockopt" => {
            let value = option_value(argument(3)?, int(4)?)?;
            Operation::SetOption(descriptor(0)?, int32(1)?, int32(2)?, value)
        }
        "poll" => {
            let Expression::Array(entries) = argument(0)? else {
                return Err(Refusal::Wrong("poll takes an array".to_owned()));
            };
            let entries = entries.iter().map(|entry| {
                let field = |name| entry.field(name).map_or(Ok(0), number);
                let name = field("fd")?;
                let fd = (here.descriptor)(name).unwrap_or(name as i32);
                Ok((fd, field("events")? as i16))
            });
            Operation::Poll(entries.collect::<Result<_, Refusal>>()?, int32(2)?)
        }
        other => return Err(Refusal::Needs(format!("the system call {other}"))),
    })
}

/// What is wrong with what a call returned; `None` if it is as the script says.
pub(super) fn differs(
    call: &SystemCall,
    operation: &Operation,
    returned: &Returned,
) -> Option<String> {
    let name = &call.name;
    let expected = match &call.result.value {
        Expression::Ellipsis => return None,
        value => number(value).ok()?,
    };
    let is_descriptor = matches!(operation, Operation::Socket(..) | Operation::Accept(_));
    let right = match is_descriptor && expected >= 0 {
        true => returned.value >= 0,
        false => returned.value == expected,
    };
    if !right {
        let said = match returned.errno {
            0 => String::new(),
            errno => format!(" with errno {}", symbols::error(errno)),
        };
        return Some(format!(
            "Expected result {expected} but got {}{said} from {name}",
            returned.value
        ));
    }
    if let Some(errno) = &call.result.errno
        && symbols::value(errno).is_some_and(|value| value != i64::from(returned.errno))
    {
        let got = symbols::error(returned.errno);
        return Some(format!("Expected errno {errno} but got {got} from {name}"));
    }
    match operation {
        Operation::GetOption(..) if returned.value == 0 => {
            let wanted = call.arguments.get(3)?.first()?;
            let wanted = number(wanted).ok()?;
            let octets = returned.octets.first_chunk::<4>()?;
            let actual = i64::from(i32::from_ne_bytes(*octets));
            (wanted as i32 != actual as i32)
                .then(|| format!("Bad getsockopt optval: expected {wanted} but got {actual}"))
        }
        Operation::Poll(..) => {
            let Some(Expression::Array(entries)) = call.arguments.first() else {
                return None;
            };
            let found = returned.octets.chunks_exact(2);
            entries.iter().zip(found).find_map(|(entry, found)| {
                let wanted = number(entry.field("revents")?).ok()? as i16;
                let actual = i16::from_ne_bytes([found[0], found[1]]);
                (wanted != actual)
                    .then(|| format!("Expected revents {wanted} but got {actual} from poll"))
            })
        }
        _ => None,
    }
}

/// The number that an expression comes to.
pub(super) fn number(expression: &Expression) -> Result<i64, Refusal> {
    match expression {
        Expression::Integer(value) | Expression::Named(value, _) => Ok(*value),
        Expression::Hexadecimal(value) => Ok(*value as i64),
        Expression::Word(name) => {
            symbols::value(name).ok_or_else(|| Refusal::Needs(format!("the name {name}")))
        }
        Expression::Or(parts) => parts
            .iter()
            .try_fold(0, |sum, part| Ok(sum | number(part)?)),
        other => Err(Refusal::Needs(format!("an argument like {other:?}"))),
    }
}

/// Octets of a buffer.
fn count(value: i64) -> Result<u32, Refusal> {
    u32::try_from(value)
        .ok()
        .filter(|octets| *octets <= MOST)
        .ok_or_else(|| Refusal::Needs(format!("a buffer of {value} octets")))
}

const MOST: u32 = 1 << 26;

fn option_value(given: &Expression, len: i64) -> Result<Vec<u8>, Refusal> {
    let resized = |mut octets: Vec<u8>| {
        octets.resize(usize::try_from(len).unwrap_or(0).min(4096), 0);
        octets
    };
    match given {
        Expression::Array(_) => {
            let value = given.first().map_or(Ok(0), number)? as i32;
            Ok(resized(value.to_ne_bytes().to_vec()))
        }
        Expression::Text(parts) => Ok(resized(parts.concat().into_bytes())),
        Expression::Structure(_) => {
            let field = |name| given.field(name).map(number).transpose();
            match (field("onoff")?, field("linger")?) {
                (Some(on), Some(seconds)) => {
                    let parts = [(on as i32).to_ne_bytes(), (seconds as i32).to_ne_bytes()];
                    Ok(resized(parts.concat()))
                }
                _ => Err(Refusal::Needs(
                    "a structure as the value of an option".to_owned(),
                )),
            }
        }
        other => Ok(resized((number(other)? as i32).to_ne_bytes().to_vec())),
    }
}

fn address(given: &Expression, usual: SocketAddr) -> Result<SocketAddr, Refusal> {
    if matches!(given, Expression::Ellipsis) {
        return Ok(usual);
    }
    let applied = |name: &str| match given.field(name) {
        Some(Expression::Apply(_, arguments)) => arguments.first(),
        _ => None,
    };
    let port = applied("sin_port").or_else(|| applied("sin6_port"));
    let text = match applied("sin_addr").or_else(|| applied("sin6_addr")) {
        Some(Expression::Text(parts)) => parts.concat(),
        _ => String::new(),
    };
    let ip = text.parse::<IpAddr>();
    match (port.map(number), ip) {
        (Some(Ok(port)), Ok(ip)) => Ok(SocketAddr::new(ip, port as u16)),
        _ => Err(Refusal::Needs("an address of this form".to_owned())),
    }
}
