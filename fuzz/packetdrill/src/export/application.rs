//! How the application's side reads: opening the socket, the calls, the settings.
//! RFC 9293 section 3.9.1 in terms of packetdrill's system calls.

use ackward_model::{Call, OpenMode, Outcome, SocketOption, Sysctl};
use ackward_scenario::Setup;

use super::ExportError;
use crate::ast::Expression::{self, Ellipsis as Any};
use crate::ast::{Action, SystemCall, SystemResult};

/// The socket that listens or connects.
pub(super) const FIRST_SOCKET: u32 = 3;
/// The socket that `accept` returns.
pub(super) const ACCEPTED_SOCKET: u32 = 4;

/// The calls that open the connection, up to `listen` or `connect`.
pub(super) fn opening(setup: &Setup) -> Vec<SystemCall> {
    let mut calls = vec![call(
        "socket",
        [Any, word("SOCK_STREAM"), word("IPPROTO_TCP")],
        FIRST_SOCKET,
    )];
    match setup.open {
        OpenMode::Passive => calls.push(setsockopt(
            FIRST_SOCKET,
            word("SOL_SOCKET"),
            word("SO_REUSEADDR"),
            1,
        )),
        OpenMode::Active => calls.push(nonblocking(FIRST_SOCKET)),
    }
    calls.extend(
        setup
            .socket_options
            .iter()
            .map(|option| set(FIRST_SOCKET, *option)),
    );
    let address = [FIRST_SOCKET.into(), Any, Any];
    match setup.open {
        OpenMode::Passive => {
            calls.push(call("bind", address, 0));
            calls.push(call("listen", [FIRST_SOCKET.into(), 1.into()], 0));
        }
        OpenMode::Active => calls.push(SystemCall {
            result: SystemResult {
                note: Some("Operation now in progress".to_owned()),
                ..SystemResult::error("EINPROGRESS")
            },
            ..call("connect", address, 0)
        }),
    }
    calls
}

/// `accept`.
pub(super) fn accept() -> SystemCall {
    call("accept", [FIRST_SOCKET.into(), Any, Any], ACCEPTED_SOCKET)
}

/// Makes calls on `socket` return at once.
pub(super) fn nonblocking(socket: u32) -> SystemCall {
    let flags = Expression::Or(vec![word("O_RDWR"), word("O_NONBLOCK")]);
    call("fcntl", [socket.into(), word("F_SETFL"), flags], 0)
}

/// What `made` on `socket` with this outcome reads like; `None` for the calls that open the connection.
pub(super) fn action(
    made: Call,
    outcome: &Outcome,
    socket: u32,
) -> Result<Option<Action>, ExportError> {
    let this = Expression::from(socket);
    let mut system_call = match made {
        Call::Connect | Call::Accept => return Ok(None),
        Call::Sysctl(setting) => return Ok(Some(Action::Shell(sysctl(setting)))),
        Call::Write(octets) => call("write", [this, Any, octets.into()], octets),
        Call::Read(octets) => call("read", [this, Any, octets.into()], octets),
        Call::ShutdownWrite => call("shutdown", [this, word("SHUT_WR")], 0),
        Call::Close => call("close", [this], 0),
        Call::Set(option) => set(socket, option),
        Call::WriteUrgent(octets) => {
            let arguments = [this, Any, octets.into(), word("MSG_OOB")];
            call("send", arguments, octets)
        }
        Call::Urgent => {
            // A signal that has come is not for a script to see.
            let told = match outcome {
                Outcome::Done(told) if told & 1 != 0 => word("POLLPRI"),
                _ => 0.into(),
            };
            let polled = Expression::Structure(vec![
                Expression::member("fd", this),
                Expression::member("events", word("POLLPRI")),
                Expression::member("revents", told),
            ]);
            call("poll", [Expression::one(polled), 1.into(), 0.into()], 0)
        }
        Call::Listen => return Err(ExportError::FurtherListener),
    };
    system_call.result = match outcome {
        Outcome::Done(told) if made == Call::Urgent => SystemResult::value(told & 1),
        Outcome::Done(value) => SystemResult::value(*value),
        Outcome::Data(octets) => SystemResult::value(octets.len() as u32),
        Outcome::Error(errno) => SystemResult::error(errno_name(*errno)?),
    };
    Ok(Some(Action::Call(system_call)))
}

/// The command that makes a setting.
pub(super) fn sysctl(setting: Sysctl) -> String {
    let (name, value) = match setting {
        Sysctl::WindowScaling(on) => ("tcp_window_scaling", u8::from(on).to_string()),
        Sysctl::Timestamps(on) => ("tcp_timestamps", u8::from(on).to_string()),
        Sysctl::Sack(on) => ("tcp_sack", u8::from(on).to_string()),
        Sysctl::ReceiveMemory(least, default, most) => {
            ("tcp_rmem", format!("\"{least} {default} {most}\""))
        }
        Sysctl::ModerateReceiveBuffer(on) => ("tcp_moderate_rcvbuf", u8::from(on).to_string()),
        Sysctl::ShrinkWindow(on) => ("tcp_shrink_window", u8::from(on).to_string()),
        Sysctl::SynCookies(always) => ("tcp_syncookies", (2 * u8::from(always)).to_string()),
    };
    format!("sysctl -q net.ipv4.{name}={value}")
}

fn set(socket: u32, option: SocketOption) -> SystemCall {
    let (level, name, value) = match option {
        SocketOption::ReceiveBuffer(octets) => ("SOL_SOCKET", "SO_RCVBUF", octets),
        SocketOption::ReceiveLowWater(octets) => ("SOL_SOCKET", "SO_RCVLOWAT", octets),
        SocketOption::WindowClamp(octets) => {
            // packetdrill has no word for it.
            let name = Expression::Named(10, "TCP_WINDOW_CLAMP");
            return setsockopt(socket, word("SOL_TCP"), name, octets);
        }
        SocketOption::NoDelay(on) => ("SOL_TCP", "TCP_NODELAY", u32::from(on)),
        SocketOption::QuickAck(on) => ("SOL_TCP", "TCP_QUICKACK", u32::from(on)),
        SocketOption::KeepAlive(on) => ("SOL_SOCKET", "SO_KEEPALIVE", u32::from(on)),
        SocketOption::KeepIdle(seconds) => ("SOL_TCP", "TCP_KEEPIDLE", seconds),
        SocketOption::UserTimeout(by) => ("SOL_TCP", "TCP_USER_TIMEOUT", by),
        SocketOption::TrafficClass(class) => ("IPPROTO_IP", "IP_TOS", u32::from(class)),
        SocketOption::TimeToLive(hops) => ("IPPROTO_IP", "IP_TTL", u32::from(hops)),
        SocketOption::UrgentInline(on) => ("SOL_SOCKET", "SO_OOBINLINE", u32::from(on)),
    };
    setsockopt(socket, word(level), word(name), value)
}

fn setsockopt(socket: u32, level: Expression, name: Expression, value: u32) -> SystemCall {
    let value = Expression::one(value.into());
    call(
        "setsockopt",
        [socket.into(), level, name, value, 4.into()],
        0,
    )
}

fn call<const N: usize>(name: &str, arguments: [Expression; N], result: u32) -> SystemCall {
    SystemCall {
        until: None,
        name: name.to_owned(),
        arguments: arguments.into(),
        result: SystemResult::value(result),
    }
}

fn word(name: &str) -> Expression {
    Expression::word(name)
}

fn errno_name(errno: i32) -> Result<&'static str, ExportError> {
    Ok(match errno {
        4 => "EINTR",
        9 => "EBADF",
        11 => "EAGAIN",
        12 => "ENOMEM",
        22 => "EINVAL",
        32 => "EPIPE",
        95 => "EOPNOTSUPP",
        103 => "ECONNABORTED",
        104 => "ECONNRESET",
        105 => "ENOBUFS",
        106 => "EISCONN",
        107 => "ENOTCONN",
        110 => "ETIMEDOUT",
        111 => "ECONNREFUSED",
        113 => "EHOSTUNREACH",
        114 => "EALREADY",
        115 => "EINPROGRESS",
        other => return Err(ExportError::UnknownErrno(other)),
    })
}
