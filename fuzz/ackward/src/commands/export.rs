//! `ackward export`: a stored case in another form.

use std::io::{self, Write};
use std::path::PathBuf;

use ackward_oracle::Verdict;
use clap::ValueEnum;

use super::Ending;
use super::case;
use super::failure::Failure;
use super::stack::StackArgs;
use crate::evidence;

/// What to export, and how.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A stored case (case.json)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The form; all but `json` run the case once, to see what the stack answers
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// For whom a script is written
    #[arg(long, value_enum, default_value_t)]
    style: Style,
    /// What a script asserts: `ecr` for a packetdrill that compares TSecr, so that no probe is needed
    #[arg(long, value_enum, default_value_t)]
    assert: Assert,
    #[command(flatten)]
    stack: StackArgs,
}

const EXAMPLES: &str = "\
Examples:
  ackward export findings/ROOT/case.json > root.pkt
  ackward export findings/ROOT/case.json --style kselftest > root.pkt
  ackward export findings/ROOT/case.json --format pcapng > root.pcapng";

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Format {
    /// A packetdrill script
    #[default]
    Pkt,
    /// A packet capture, with a comment on the diverging packet
    Pcapng,
    /// The case itself, without what was found
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Style {
    /// A person with a packetdrill binary
    #[default]
    Plain,
    /// The kernel's own selftests
    Kselftest,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Assert {
    /// What follows from a wrong value, by a probe
    #[default]
    Consequence,
    /// The echo itself
    Ecr,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let mut case = case::read(&args.file)?;
    if args.format == Format::Json {
        case.finding = None;
        return put(case.to_string().as_bytes());
    }
    let profile = args.stack.profile()?;
    let mut live = args.stack.open()?;
    let rerun = case::run(&mut live, &case)?;
    if let Verdict::Inconclusive(why) = rerun.observation.verdict {
        eprintln!("{}: inconclusive: {why}", args.file.display());
        return Ok(Ending::Inconclusive);
    }
    let Some(divergence) = rerun.divergence(&case) else {
        return Err(Failure::Export {
            reason: format!("{} does not diverge here", args.file.display()),
            help: "a script shows a divergence: run it on a stack that has it",
        });
    };
    let info = live.host().info().clone();
    let finding = rerun.finding(divergence, &info, &profile.name);
    if args.format == Format::Pcapng {
        return put(&evidence::capture(&finding).map_err(cannot)?);
    }
    let style = match args.style {
        Style::Plain => ackward_packetdrill::Style::Plain,
        Style::Kselftest => ackward_packetdrill::Style::Kselftest,
    };
    let script = evidence::script(&finding, style, args.assert == Assert::Ecr).map_err(cannot)?;
    put(script.to_string().as_bytes())
}

fn cannot(error: impl ToString) -> Failure {
    Failure::Export {
        reason: error.to_string(),
        help: "packetdrill's dialect cannot say everything; --format pcapng and json always can",
    }
}

fn put(bytes: &[u8]) -> Result<Ending, Failure> {
    match io::stdout().lock().write_all(bytes) {
        // Whoever reads has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::unwritable("standard output".as_ref())(error))
        }
        _ => Ok(Ending::Conforms),
    }
}
