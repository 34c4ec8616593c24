//! How far a set-up is from a stack that nobody configured.
//! The limits are Linux's defaults, and what distributions, tuning guides and the kernel's own selftests set.

use std::fmt;

use ackward_model::{Call, SocketOption, Sysctl};
use ackward_scenario::{Scenario, Step};
use serde::{Deserialize, Serialize};

/// The grade of a set-up. The more ordinary one is the smaller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Settings {
    /// No setting of the host and no socket option is touched.
    Defaults,
    /// Socket options within default limits; settings that distributions or the kernel's selftests use.
    Ordinary,
    /// Anything else.
    Extreme,
}

impl Settings {
    /// The grade of `scenario`: that of the least ordinary thing it sets, before or during the connection.
    pub fn of(scenario: &Scenario) -> Settings {
        let during = scenario.steps.iter().filter_map(|step| match step {
            Step::Call(Call::Set(option)) => Some(grade_option(*option)),
            Step::Call(Call::Sysctl(sysctl)) => Some(grade_sysctl(*sysctl)),
            _ => None,
        });
        let options = scenario.setup.socket_options.iter().copied();
        let sysctls = scenario.setup.sysctls.iter().copied();
        options
            .map(grade_option)
            .chain(sysctls.map(grade_sysctl))
            .chain(during)
            .max()
            .unwrap_or(Settings::Defaults)
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Settings::Defaults => "defaults",
            Settings::Ordinary => "ordinary",
            Settings::Extreme => "extreme",
        })
    }
}

/// How many settings `scenario` touches before the connection is made.
pub(crate) fn touched(scenario: &Scenario) -> u32 {
    (scenario.setup.sysctls.len() + scenario.setup.socket_options.len()) as u32
}

fn grade_option(option: SocketOption) -> Settings {
    let within = match option {
        SocketOption::ReceiveBuffer(octets) => octets <= RMEM_MAX,
        SocketOption::ReceiveLowWater(octets) => octets <= RMEM_MAX / 2,
        SocketOption::WindowClamp(octets) => octets >= SMALLEST_CLAMP,
        SocketOption::KeepIdle(seconds) => seconds >= SHORTEST_IDLE,
        SocketOption::UserTimeout(by) => by == 0 || by >= SHORTEST_TIMEOUT,
        SocketOption::TimeToLive(hops) => hops >= FEWEST_HOPS,
        SocketOption::NoDelay(_)
        | SocketOption::QuickAck(_)
        | SocketOption::KeepAlive(_)
        | SocketOption::UrgentInline(_)
        | SocketOption::TrafficClass(_) => true,
    };
    ordinary_if(within)
}

fn grade_sysctl(sysctl: Sysctl) -> Settings {
    let within = match sysctl {
        Sysctl::ReceiveMemory(least, default, most) => {
            (4_096..=default).contains(&least) && (default..=LARGEST_TUNED_RMEM).contains(&most)
        }
        Sysctl::WindowScaling(_)
        | Sysctl::Timestamps(_)
        | Sysctl::Sack(_)
        | Sysctl::ModerateReceiveBuffer(_)
        | Sysctl::ShrinkWindow(_)
        | Sysctl::SynCookies(_) => true,
    };
    ordinary_if(within)
}

fn ordinary_if(within: bool) -> Settings {
    if within {
        Settings::Ordinary
    } else {
        Settings::Extreme
    }
}

/// Default `rmem_max`, octets: what `SO_RCVBUF` may ask for.
const RMEM_MAX: u32 = 212_992;
/// Smaller clamps are raised by Linux, octets.
const SMALLEST_CLAMP: u32 = 1_152;
/// Keep-alive sooner than that loads the network, in seconds.
const SHORTEST_IDLE: u32 = 10;
/// A connection that is given up sooner does not survive a lost segment or two, in milliseconds.
const SHORTEST_TIMEOUT: u32 = 5_000;
/// A datagram of fewer hops does not cross the internet.
const FEWEST_HOPS: u8 = 32;
/// The largest `tcp_rmem` maximum that tuning guides name, octets.
const LARGEST_TUNED_RMEM: u32 = 128 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_touched_is_defaults() {
        assert_eq!(Settings::of(&Scenario::default()), Settings::Defaults);
    }

    #[test]
    fn the_least_ordinary_setting_gives_the_grade() {
        let mut scenario = Scenario::default();
        scenario.setup.sysctls = vec![Sysctl::Timestamps(false)];
        assert_eq!(Settings::of(&scenario), Settings::Ordinary);
        scenario.setup.socket_options = vec![SocketOption::ReceiveBuffer(1 << 20)];
        assert_eq!(Settings::of(&scenario), Settings::Extreme);
    }

    #[test]
    fn a_setting_changed_during_the_connection_counts() {
        let mut scenario = Scenario::default();
        let memory = Sysctl::ReceiveMemory(1, 2, 3);
        scenario.steps = vec![Step::Call(Call::Sysctl(memory))];
        assert_eq!(Settings::of(&scenario), Settings::Extreme);
    }
}
