//! The command line: one file a subcommand. Each ends in an [`Ending`], or in a [`Failure`] that says what, where, and
//! what to do about it.

mod case;
mod explain;
mod export;
mod failure;
mod figures;
mod fuzz;
mod progress;
mod replay;
mod rules;
mod script;
mod selftest;
mod shrink;
mod stack;
mod stacks;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Runs the command that the process was started with.
pub fn run() -> ExitCode {
    // Paths in messages stay whole. A hook that is set already is as good.
    let _ = miette::set_hook(Box::new(|_| {
        Box::new(
            miette::MietteHandlerOpts::new()
                .without_cause_chain()
                .wrap_lines(false)
                .build(),
        )
    }));
    let command = Cli::parse().command.unwrap_or_default();
    let ending = match command {
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Shrink(args) => shrink::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Rules => rules::run(),
        Command::Stacks => stacks::run(),
        Command::Figures(args) => figures::run(&args),
        Command::Selftest(args) => selftest::run(&args),
    };
    match ending {
        Ok(ending) => ending.into(),
        Err(failure) => {
            eprintln!("{:?}", miette::Report::new(failure));
            ExitCode::from(USAGE_OR_SETUP)
        }
    }
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    /// Nothing is wrong with the stack, or nothing was asked about it.
    Conforms,
    /// The stack diverges.
    Diverges,
    /// No verdict could be given.
    Inconclusive,
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> ExitCode {
        ExitCode::from(match ending {
            Ending::Conforms => 0,
            Ending::Diverges => 1,
            Ending::Inconclusive => 3,
        })
    }
}

const USAGE_OR_SETUP: u8 = 2;

/// Finds where a TCP stack departs from RFC 9293 and RFC 7323, and hands over the shortest packet script that shows it.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES, after_long_help = LONG_EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search for divergences (what `ackward` does when given no command: one minute, the running kernel)
    Fuzz(fuzz::Args),
    /// Run stored cases again and judge them
    Replay(replay::Args),
    /// Make a stored case as small as it gets
    Shrink(shrink::Args),
    /// Write a stored case in another form: packetdrill script, packet capture, JSON
    Export(export::Args),
    /// Say what a rule asks, how it is provoked, and how stacks depart from it
    Explain(explain::Args),
    /// List every rule
    Rules,
    /// List the stacks and say what can run here, and why not
    Stacks,
    /// Count how often a stack acknowledges, with window scaling and without
    Figures(figures::Args),
    /// Plant bugs in a TCP and see whether they are found and called by their name
    Selftest(selftest::Args),
}

impl Default for Command {
    fn default() -> Command {
        Command::Fuzz(fuzz::Args::default())
    }
}

const EXAMPLES: &str = "\
Examples:
  ackward                                   one minute against the running kernel
  ackward fuzz --time 10m --jobs 2          longer, on two cores
  ackward replay findings/ROOT/case.json    does it still stand?
  ackward explain 7323:4.3-a                what a rule asks, and where that is written

Exit code: 0 conforms, 1 diverges, 2 usage or set-up, 3 inconclusive.
`ackward help COMMAND` says more.";

const LONG_EXAMPLES: &str = "\
What happens: the stack under test is the kernel this runs on, in a network namespace of its own; no packet leaves it.
Generated conversations go in (reordered, repeated, delayed, lost; old ACKs; odd timestamps and windows). A reference
of the RFCs judges every answer. A divergence is diagnosed, shrunk, confirmed in ten fresh namespaces, and written down:
a report, a packetdrill script that expects the right values, a packet capture, and the case itself.

Examples:
  ackward
      One minute against the running kernel; findings go to ./findings.
  ackward fuzz --seed 7 --cases 100000 --corpus none
      The same 100,000 scenarios each time.
  ackward fuzz --mode network --link raw --family 6
      Only what an honest peer behind a bad network can do, over AF_PACKET, in IPv6.
  ackward fuzz --known oracle/known/linux.toml
      For a nightly job: exit code 1 only for roots that the list does not have.
  ackward replay findings/ROOT/case.json
      Runs a stored case again: exit code 1 if it still diverges.
  ackward export findings/ROOT/case.json --format pkt --style kselftest > root.pkt
      A script for the kernel's own selftests.

Exit code: 0 conforms, 1 diverges, 2 usage or set-up, 3 inconclusive.";

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_arguments_mean_one_minute_on_the_running_kernel() {
        let cli = Cli::try_parse_from(["ackward"]);
        assert!(cli.is_ok_and(|cli| cli.command.is_none()));
        let given = Cli::try_parse_from(["ackward", "fuzz"])
            .ok()
            .and_then(|cli| cli.command);
        let (Some(Command::Fuzz(given)), Command::Fuzz(default)) = (given, Command::default())
        else {
            panic!("the default command is not fuzz");
        };
        assert_eq!(format!("{given:?}"), format!("{default:?}"));
    }
}
