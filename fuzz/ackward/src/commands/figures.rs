//! `ackward figures`: how often a stack acknowledges, with window scaling and without.

use super::Ending;
use super::failure::Failure;
use super::stack::{FamilyName, StackArgs};
use crate::figures;

/// Of which stack.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  ackward figures")]
pub(super) struct Args {
    #[command(flatten)]
    stack: StackArgs,
    /// Address family of socket and wire
    #[arg(long, value_enum, default_value_t)]
    family: FamilyName,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let mut live = args.stack.open()?;
    let figures = figures::figures(live.host(), args.family.into())?;
    print!("{}", figures::table(&figures));
    Ok(Ending::Conforms)
}
