//! Which stacks there are, by name, and whether they can run here.

use std::fmt;
use std::str::FromStr;

use ackward_endpoint::Plant;

use crate::linux::{LinuxOptions, linux};
use crate::mutant::mutant;
use crate::{Host, LinkKind, StackError};

/// A stack that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stack {
    /// `linux`: the running kernel.
    Linux(LinuxOptions),
    /// `mutant:none`: the endpoint of this house, in process; `mutant:NAME`: the same with a bug.
    Mutant(Option<Plant>),
}

/// Whether a stack can run here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Availability {
    /// The stack's name.
    pub name: String,
    /// Over which link, where there is a choice.
    pub link: Option<LinkKind>,
    /// Why not, and what to do about it; `None` when it can.
    pub problem: Option<String>,
}

/// Which stacks can run here, found out by trying. The calling thread must not hold a host.
pub fn stacks() -> Vec<Availability> {
    let over = |link| Stack::Linux(LinuxOptions { link: Some(link) });
    [
        over(LinkKind::Tun),
        over(LinkKind::Raw),
        Stack::Mutant(None),
    ]
    .into_iter()
    .map(|stack| Availability {
        name: stack.to_string(),
        link: match stack {
            Stack::Linux(options) => options.link,
            Stack::Mutant(_) => None,
        },
        problem: stack.open().err().map(|error| error.to_string()),
    })
    .collect()
}

impl Stack {
    /// Sets it up. What it needs of the machine belongs to the calling thread.
    pub fn open(&self) -> Result<Box<dyn Host>, StackError> {
        match self {
            Stack::Linux(options) => linux(options),
            Stack::Mutant(plant) => Ok(mutant(*plant)),
        }
    }

    /// Whether it lives on virtual time.
    pub fn waits_are_free(&self) -> bool {
        match self {
            Stack::Linux(_) => false,
            Stack::Mutant(_) => true,
        }
    }

    /// Does what must be done before there are threads that open it.
    pub fn prepare(&self) -> Result<(), StackError> {
        match self {
            Stack::Linux(_) => crate::linux::prepare(),
            Stack::Mutant(_) => Ok(()),
        }
    }
}

impl Default for Stack {
    fn default() -> Stack {
        Stack::Linux(LinuxOptions::default())
    }
}

impl FromStr for Stack {
    type Err = String;

    fn from_str(name: &str) -> Result<Stack, String> {
        let planted = |name| Plant::named(name).map(|plant| Stack::Mutant(Some(plant)));
        match (name, name.strip_prefix(MUTANT)) {
            ("linux", _) => Some(Stack::default()),
            (_, Some("none")) => Some(Stack::Mutant(None)),
            (_, Some(bug)) => planted(bug),
            (_, None) => None,
        }
        .ok_or_else(|| {
            format!(
                "there is no stack `{name}`; there are: linux, mutant:none, and mutant:NAME with a bug of \
                 `ackward selftest`"
            )
        })
    }
}

impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stack::Linux(_) => f.write_str("linux"),
            Stack::Mutant(plant) => {
                let bug = plant.map_or("none", |plant| plant.card().name);
                write!(f, "{MUTANT}{bug}")
            }
        }
    }
}

const MUTANT: &str = "mutant:";
