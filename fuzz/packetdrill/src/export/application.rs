//! How the application's side reads: opening the socket, the calls, the settings.
//! RFC 9293 section 3.9.1 in terms of packetdrill's system calls.

use ackward_model::{Call, OpenMode, Outcome, SocketOption, Sysctl};
use ackward_scenario::Setup;

use super::ExportError;
use crate::ast::{Action, SystemCall, SystemResult};

/// The socket that listens or connects.
pub(super) const FIRST_SOCKET: u32 = 3;
/// The socket that `accept` returns.
pub(super) const ACCEPTED_SOCKET: u32 = 4;

/// The calls that open the connection, up to `listen` or `connect`.
pub(super) fn opening(setup: &Setup) -> Vec<SystemCall> {
    let first = |rest: &str| format!("{FIRST_SOCKET}, {rest}");
    let mut calls = vec![call(
        "socket",
        "..., SOCK_STREAM, IPPROTO_TCP".to_owned(),
        FIRST_SOCKET,
    )];
    match setup.open {
        OpenMode::Passive => calls.push(call(
            "setsockopt",
            first("SOL_SOCKET, SO_REUSEADDR, [1], 4"),
            0,
        )),
        OpenMode::Active => calls.push(nonblocking(FIRST_SOCKET)),
    }
    calls.extend(
        setup
            .socket_options
            .iter()
            .map(|option| set(FIRST_SOCKET, *option)),
    );
    match setup.open {
        OpenMode::Passive => {
            calls.push(call("bind", first("..., ..."), 0));
            calls.push(call("listen", first("1"), 0));
        }
        OpenMode::Active => calls.push(SystemCall {
            name: "connect",
            arguments: first("..., ..."),
            result: SystemResult::Error("EINPROGRESS (Operation now in progress)"),
        }),
    }
    calls
}

/// `accept`.
pub(super) fn accept() -> SystemCall {
    call(
        "accept",
        format!("{FIRST_SOCKET}, ..., ..."),
        ACCEPTED_SOCKET,
    )
}

/// Makes calls on `socket` return at once.
pub(super) fn nonblocking(socket: u32) -> SystemCall {
    call("fcntl", format!("{socket}, F_SETFL, O_RDWR|O_NONBLOCK"), 0)
}

/// What `made` on `socket` with this outcome reads like; `None` for the calls that open the connection.
pub(super) fn action(
    made: Call,
    outcome: &Outcome,
    socket: u32,
) -> Result<Option<Action>, ExportError> {
    let mut system_call = match made {
        Call::Connect | Call::Accept => return Ok(None),
        Call::Sysctl(setting) => return Ok(Some(Action::Shell(sysctl(setting)))),
        Call::Write(octets) => call("write", format!("{socket}, ..., {octets}"), octets),
        Call::Read(octets) => call("read", format!("{socket}, ..., {octets}"), octets),
        Call::ShutdownWrite => call("shutdown", format!("{socket}, SHUT_WR"), 0),
        Call::Close => call("close", socket.to_string(), 0),
        Call::Set(option) => set(socket, option),
        Call::WriteUrgent(octets) => {
            call("send", format!("{socket}, ..., {octets}, MSG_OOB"), octets)
        }
        Call::Urgent => {
            // A signal that has come is not for a script to see.
            let told = match outcome {
                Outcome::Done(told) if told & 1 != 0 => "POLLPRI",
                _ => "0",
            };
            let arguments = format!("[{{fd={socket}, events=POLLPRI, revents={told}}}], 1, 0");
            call("poll", arguments, 0)
        }
        Call::Listen => return Err(ExportError::FurtherListener),
    };
    system_call.result = match outcome {
        Outcome::Done(told) if made == Call::Urgent => SystemResult::Value(told & 1),
        Outcome::Done(value) => SystemResult::Value(*value),
        Outcome::Data(octets) => SystemResult::Value(octets.len() as u32),
        Outcome::Error(errno) => SystemResult::Error(errno_name(*errno)?),
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
    let (place, value) = match option {
        SocketOption::ReceiveBuffer(octets) => ("SOL_SOCKET, SO_RCVBUF", octets),
        SocketOption::ReceiveLowWater(octets) => ("SOL_SOCKET, SO_RCVLOWAT", octets),
        // packetdrill has no word for it.
        SocketOption::WindowClamp(octets) => ("SOL_TCP, 10 /* TCP_WINDOW_CLAMP */", octets),
        SocketOption::NoDelay(on) => ("SOL_TCP, TCP_NODELAY", u32::from(on)),
        SocketOption::QuickAck(on) => ("SOL_TCP, TCP_QUICKACK", u32::from(on)),
        SocketOption::KeepAlive(on) => ("SOL_SOCKET, SO_KEEPALIVE", u32::from(on)),
        SocketOption::KeepIdle(seconds) => ("SOL_TCP, TCP_KEEPIDLE", seconds),
        SocketOption::UserTimeout(by) => ("SOL_TCP, TCP_USER_TIMEOUT", by),
        SocketOption::TrafficClass(class) => ("IPPROTO_IP, IP_TOS", u32::from(class)),
        SocketOption::TimeToLive(hops) => ("IPPROTO_IP, IP_TTL", u32::from(hops)),
        SocketOption::UrgentInline(on) => ("SOL_SOCKET, SO_OOBINLINE", u32::from(on)),
    };
    call("setsockopt", format!("{socket}, {place}, [{value}], 4"), 0)
}

fn call(name: &'static str, arguments: String, result: u32) -> SystemCall {
    SystemCall {
        name,
        arguments,
        result: SystemResult::Value(result),
    }
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
