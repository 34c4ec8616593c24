//! The circumstances of a generated plan: three of four leave the stack at its defaults.

use ackward_endpoint::{AckPolicy, Offer, TsClock};
use ackward_model::{Address, OpenMode, SocketOption, Sysctl};

use super::Dice;
use crate::{Family, PeerConfig, Setup};

pub(super) fn setup(dice: &mut Dice, family: Family) -> Setup {
    let mut setup = Setup {
        family,
        open: if dice.one_in(3) {
            OpenMode::Active
        } else {
            OpenMode::Passive
        },
        isn: dice.near_a_boundary(3_000),
        ..Setup::default()
    };
    if dice.one_in(4) {
        for _ in 0..=dice.below(2) {
            if dice.one_in(2) {
                setup.sysctls.push(sysctl(dice));
            } else {
                setup.socket_options.push(socket_option(dice));
            }
        }
    }
    if setup.open == OpenMode::Active && dice.one_in(100) {
        setup.remote = dice.pick(&[Address::ToMulticast, Address::ToBroadcast]);
    }
    match dice.below(24) {
        0 => {
            setup.socket_options.push(SocketOption::KeepAlive(true));
            if !dice.one_in(3) {
                let seconds = dice.pick(&[10, 60, 1_000]);
                setup.socket_options.push(SocketOption::KeepIdle(seconds));
            }
        }
        1 => {
            let by = dice.pick(&[5_000, 20_000]);
            setup.socket_options.push(SocketOption::UserTimeout(by));
        }
        2 => {
            let option = in_header(dice);
            setup.socket_options.push(option);
        }
        3 => {
            let always = !dice.one_in(8);
            setup.sysctls.push(Sysctl::SynCookies(always));
        }
        4 => setup.socket_options.push(SocketOption::UrgentInline(true)),
        _ => {}
    }
    setup
}

pub(super) fn peer(dice: &mut Dice, open: OpenMode, falsifies: bool) -> PeerConfig {
    let offer = Offer {
        mss: match dice.below(8) {
            0 => None,
            1 if falsifies => Some(200),
            1 => Some(536),
            2 => Some(1_000),
            _ => Some(1_460),
        },
        window_scale: match dice.below(8) {
            0..=2 => None,
            3 if falsifies => None,
            3 => Some(0),
            4 => Some(14),
            5 if falsifies => Some(15),
            _ => Some(7),
        },
        timestamps: !dice.one_in(if falsifies { 3 } else { 8 }),
        sack: !dice.one_in(4),
        ecn: dice.one_in(16),
    };
    PeerConfig {
        offer,
        buffer: match dice.below(8) {
            // As much as is often written at once: full, with nothing left over.
            0 if dice.one_in(2) => u32::from(offer.mss.unwrap_or(536)),
            0 => 1 + dice.below(4_000),
            1 => 1 << 20,
            _ => 65_535,
        },
        tsval: dice.near_a_boundary(300),
        clock: if dice.one_in(4) {
            TsClock::Coarse {
                share: 1 + dice.below(8) as u8,
            }
        } else {
            TsClock::PerSegment {
                step: dice.pick(&[3, 10, 100, 5_000]),
            }
        },
        acks: dice.pick(&[
            AckPolicy::Immediate,
            AckPolicy::Immediate,
            AckPolicy::EverySecond,
            AckPolicy::Timer,
        ]),
        opens_too: open == OpenMode::Active && dice.one_in(8),
    }
}

/// A setting that distributions, or the kernel's own tests, change.
fn sysctl(dice: &mut Dice) -> Sysctl {
    match dice.below(6) {
        0 => Sysctl::WindowScaling(false),
        1 => Sysctl::Timestamps(false),
        2 => Sysctl::Sack(false),
        _ => sysctl_midway(dice),
    }
}

/// A setting that means something to a connection that stands. Whoever forbids an option means the connections to come:
/// what becomes of those that agreed on it is a question nobody's traffic asks.
pub(super) fn sysctl_midway(dice: &mut Dice) -> Sysctl {
    match dice.below(3) {
        0 => dice.pick(&[
            Sysctl::ReceiveMemory(4_096, 8_192, 16_384),
            Sysctl::ReceiveMemory(4_096, 65_536, 65_536),
            Sysctl::ReceiveMemory(4_096, 131_072, 33_554_432),
            Sysctl::ReceiveMemory(4_096, 1_000_000, 6_291_456),
        ]),
        1 => Sysctl::ModerateReceiveBuffer(false),
        _ => Sysctl::ShrinkWindow(true),
    }
}

/// An option that shows in the IP header.
pub(super) fn in_header(dice: &mut Dice) -> SocketOption {
    if dice.one_in(2) {
        SocketOption::TimeToLive(dice.pick(&[1, 40, 128, 255]))
    } else {
        SocketOption::TrafficClass(dice.pick(&[0x10, 0x28, 0xb8, 0xc0]))
    }
}

/// An option that applications set.
pub(super) fn socket_option(dice: &mut Dice) -> SocketOption {
    match dice.below(4) {
        0 => SocketOption::ReceiveBuffer(dice.pick(&[2_304, 8_192, 32_768, 100_000, 212_992])),
        1 => SocketOption::ReceiveLowWater(dice.pick(&[2, 100, 1_460, 10_000, 200_000])),
        2 => SocketOption::WindowClamp(dice.pick(&[600, 1_460, 4_000, 65_535, 1_000_000])),
        _ => SocketOption::NoDelay(true),
    }
}
