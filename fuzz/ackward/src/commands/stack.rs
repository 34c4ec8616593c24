//! The options that choose a stack, shared by all commands that run something.

use ackward_oracle::Profile;
use ackward_scenario::Family;
use ackward_stacks::{LinkKind, LinuxOptions, Stack};
use clap::ValueEnum;

use super::failure::Failure;
use crate::live::Live;

/// Which stack, how to reach it, and what it is permitted.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct StackArgs {
    /// The stack under test: `linux`, the running kernel; or `mutant:none`, this program's own TCP on virtual time
    #[arg(long, value_name = "STACK", default_value_t)]
    pub(super) stack: Stack,
    /// How packets get to it [default: tun where it opens, else raw]
    #[arg(long, value_enum)]
    pub(super) link: Option<Link>,
    /// Which deviations it is permitted: `rfc` for none [default: `linux` for that stack, else `rfc`]
    #[arg(long, value_name = "NAME")]
    pub(super) profile: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Link {
    /// A TUN device
    Tun,
    /// AF_PACKET on a veth pair; needs no device file
    Raw,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum FamilyName {
    /// IPv4
    #[default]
    #[value(name = "4")]
    V4,
    /// IPv6
    #[value(name = "6")]
    V6,
    /// An IPv6 socket with IPv4 on the wire
    Mapped,
}

impl From<FamilyName> for Family {
    fn from(name: FamilyName) -> Family {
        match name {
            FamilyName::V4 => Family::V4,
            FamilyName::V6 => Family::V6,
            FamilyName::Mapped => Family::Mapped,
        }
    }
}

impl StackArgs {
    /// The stack asked for, over the link asked for.
    pub(super) fn stack(&self) -> Stack {
        match self.stack {
            Stack::Linux(_) => Stack::Linux(LinuxOptions {
                link: self.link.map(|link| match link {
                    Link::Tun => LinkKind::Tun,
                    Link::Raw => LinkKind::Raw,
                }),
            }),
            mutant => mutant,
        }
    }

    /// The profile asked for.
    pub(super) fn profile(&self) -> Result<Profile, Failure> {
        let usual = match self.stack {
            Stack::Linux(_) => "linux",
            Stack::Mutant(_) => "rfc",
        };
        Ok(Profile::named(self.profile.as_deref().unwrap_or(usual))?)
    }

    /// The stack with its judge.
    pub(super) fn open(&self) -> Result<Live, Failure> {
        let profile = self.profile()?;
        Ok(Live::new(self.stack().open()?, &profile))
    }
}
