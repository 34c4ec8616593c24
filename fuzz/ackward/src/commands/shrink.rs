//! `ackward shrink`: makes a stored case as small as it gets.

use std::path::PathBuf;
use std::time::Duration;

use ackward_oracle::EventKind;
use clap::ValueEnum;

use super::Ending;
use super::case;
use super::failure::Failure;
use super::stack::StackArgs;
use crate::shrink::{Effort, Goal, shrink};
use crate::trial::SILENCE;
use crate::words::counted;

/// What to shrink.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  ackward shrink findings/ROOT/case.json --goal shortest --out short.json"
)]
pub(super) struct Args {
    /// A stored case (case.json)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What the result is wanted for
    #[arg(long, value_enum, default_value_t)]
    goal: GoalName,
    /// Where the result goes [default: over FILE]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    stack: StackArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum GoalName {
    /// The scenario that most people can meet
    #[default]
    Reachable,
    /// The one with the fewest injected segments
    Shortest,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let mut case = case::read(&args.file)?;
    let mut live = args.stack.open()?;
    let rerun = case::run(&mut live, &case)?;
    let Some(divergence) = rerun.divergence(&case) else {
        println!(
            "{} does not diverge here: nothing to shrink",
            args.file.display()
        );
        return Ok(Ending::Conforms);
    };
    let root = divergence.root();
    let effort = Effort {
        goal: match args.goal {
            GoalName::Reachable => Goal::MostReachable,
            GoalName::Shortest => Goal::Shortest,
        },
        patience: match divergence.kind {
            EventKind::Silence => SILENCE,
            _ => 0,
        },
        time: Duration::from_secs(60),
    };
    let Some(shrunk) = shrink(&mut live, rerun.scenario(), &root, effort)? else {
        println!("{root} did not appear again");
        return Ok(Ending::Inconclusive);
    };
    println!(
        "{root}: {} in {} after {}; {}",
        counted(shrunk.size.segments, "segment"),
        counted(shrunk.scenario.steps.len() as u64, "step"),
        counted(shrunk.runs, "run"),
        if shrunk.one_minimal {
            "no single move keeps the root and makes it smaller"
        } else {
            "there was no time to try every move"
        }
    );
    case.scenario = shrunk.scenario;
    let out = args.out.as_ref().unwrap_or(&args.file);
    case::write(&case, out)?;
    println!("→ {}", out.display());
    Ok(Ending::Diverges)
}
