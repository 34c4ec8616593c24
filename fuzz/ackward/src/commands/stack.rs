//! The options that choose a stack, shared by all commands that run something.

use ackward_oracle::Profile;
use ackward_stacks::{LinkKind, LinuxOptions, linux};
use clap::ValueEnum;

use super::failure::Failure;
use crate::live::Live;

/// Which stack, how to reach it, and what it is permitted.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct StackArgs {
    /// The stack under test
    #[arg(long, value_enum, default_value_t)]
    pub(super) stack: StackName,
    /// How packets get to it [default: tun where it opens, else raw]
    #[arg(long, value_enum)]
    pub(super) link: Option<Link>,
    /// Which deviations it is permitted: `rfc` for none [default: the profile named like the stack]
    #[arg(long, value_name = "NAME")]
    pub(super) profile: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum StackName {
    /// The running kernel, in a network namespace of its own
    #[default]
    Linux,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Link {
    /// A TUN device
    Tun,
    /// AF_PACKET on a veth pair; needs no device file
    Raw,
}

impl StackArgs {
    /// The link asked for.
    pub(super) fn linux_options(&self) -> LinuxOptions {
        LinuxOptions {
            link: self.link.map(|link| match link {
                Link::Tun => LinkKind::Tun,
                Link::Raw => LinkKind::Raw,
            }),
        }
    }

    /// The profile asked for.
    pub(super) fn profile(&self) -> Result<Profile, Failure> {
        let StackName::Linux = self.stack;
        Ok(Profile::named(self.profile.as_deref().unwrap_or("linux"))?)
    }

    /// The stack with its judge.
    pub(super) fn open(&self) -> Result<Live, Failure> {
        let profile = self.profile()?;
        Ok(Live::new(linux(&self.linux_options())?, &profile))
    }
}
