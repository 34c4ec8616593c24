//! `ackward shrink`: makes a stored case as small as it gets.

use std::path::PathBuf;
use std::time::Duration;

use ackward_oracle::{EventKind, Verdict};
use ackward_stacks::StackInfo;
use clap::ValueEnum;

use super::Ending;
use super::case;
use super::failure::Failure;
use super::stack::StackArgs;
use crate::finding::{Case, Finding};
use crate::shrink::{Effort, Goal, Shrunk, shrink};
use crate::trial::{SILENCE, Trial};
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
    let case = case::read(&args.file)?;
    let profile = args.stack.profile()?;
    let mut live = args.stack.open()?;
    let goal = match args.goal {
        GoalName::Reachable => Goal::MostReachable,
        GoalName::Shortest => Goal::Shortest,
    };
    let (root, shrunk) = match shrunk(&mut live, &case, goal)? {
        Outcome::Shrunk(root, shrunk) => (root, *shrunk),
        Outcome::Left(why, ending) => {
            println!("{}: {why}", args.file.display());
            return Ok(ending);
        }
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
    let info = live.host().info();
    let smaller = stored(&root, &shrunk, info, &profile.name);
    let out = args.out.as_ref().unwrap_or(&args.file);
    case::write(&smaller, out)?;
    println!("→ {}", out.display());
    Ok(Ending::Diverges)
}

/// What becomes of a case.
enum Outcome {
    /// The root it was stored for has this smallest scenario.
    Shrunk(String, Box<Shrunk>),
    /// It stays as it is: why, and how the command ends.
    Left(String, Ending),
}

/// Shrinks `case` for the root it was stored for.
fn shrunk<T: Trial>(trial: &mut T, case: &Case, goal: Goal) -> Result<Outcome, T::Error> {
    let rerun = case::run(trial, case)?;
    match rerun.observation.verdict {
        Verdict::Diverges(_) => {}
        Verdict::Conforms => {
            let why = "does not diverge here: nothing to shrink".to_owned();
            return Ok(Outcome::Left(why, Ending::Conforms));
        }
        Verdict::Inconclusive(why) => {
            let why = format!("inconclusive: {why}");
            return Ok(Outcome::Left(why, Ending::Inconclusive));
        }
    }
    let Some(divergence) = case::target(&rerun.observation, case) else {
        let why = "diverges, but not by the root it was stored for: nothing is written".to_owned();
        return Ok(Outcome::Left(why, Ending::Inconclusive));
    };
    let root = divergence.root();
    let effort = Effort {
        goal,
        patience: match divergence.kind {
            EventKind::Silence => SILENCE,
            _ => 0,
        },
        time: Duration::from_secs(60),
    };
    Ok(match shrink(trial, rerun.scenario(), &root, effort)? {
        Some(shrunk) => Outcome::Shrunk(root, Box::new(shrunk)),
        None => Outcome::Left(format!("{root} did not appear again"), Ending::Inconclusive),
    })
}

/// The case to store: what the last run of the smallest scenario showed, which nobody has confirmed.
fn stored(root: &str, shrunk: &Shrunk, info: &StackInfo, profile: &str) -> Case {
    let Shrunk {
        scenario,
        observation,
        ..
    } = shrunk;
    let divergence = observation
        .divergence(root)
        .expect("a shrunk scenario comes with a run that shows its root");
    Finding::of_run(scenario, observation, divergence, info, profile).case()
}

#[cfg(test)]
mod tests {
    use ackward_scenario::{Scenario, SegmentSpec, Step};
    use ackward_stacks::Clock;

    use super::*;
    use crate::evidence::example;
    use crate::fake::{FakeTrial, ROOT};

    fn case(segments: usize, root: &str) -> Case {
        let mut case = example::echo().case();
        case.scenario = Scenario {
            steps: vec![Step::Segment(SegmentSpec::default()); segments],
            ..Scenario::default()
        };
        if let Some(finding) = &mut case.finding {
            finding.root = root.to_owned();
        }
        case
    }

    #[test]
    fn a_case_is_never_overwritten_with_the_scenario_of_another_root() {
        let mut trial = FakeTrial::new(|_: &Scenario| true);
        let result = shrunk(&mut trial, &case(3, "another"), Goal::Shortest);
        assert!(matches!(result, Ok(Outcome::Left(_, Ending::Inconclusive))));
    }

    #[test]
    fn a_case_that_conforms_is_left_alone() {
        let mut trial = FakeTrial::new(|_: &Scenario| false);
        let result = shrunk(&mut trial, &case(3, ROOT), Goal::Shortest);
        assert!(matches!(result, Ok(Outcome::Left(_, Ending::Conforms))));
    }

    #[test]
    fn what_is_stored_of_a_shrunk_case_is_what_its_last_run_showed() {
        let mut trial = FakeTrial::new(|scenario: &Scenario| scenario.steps.len() >= 2);
        let before = case(3, ROOT);
        let result = shrunk(&mut trial, &before, Goal::MostReachable);
        let Ok(Outcome::Shrunk(root, shrunk)) = result else {
            panic!("the root shows");
        };
        let info = StackInfo {
            name: "fake",
            version: "1".to_owned(),
            link: None,
            clock: Clock::Virtual,
        };
        let after = stored(&root, &shrunk, &info, "rfc");
        assert_eq!(after.scenario.steps.len(), 2);
        let (before, after) = (before.finding.unwrap(), after.finding.unwrap());
        assert_eq!((before.runs.as_str(), after.runs.as_str()), ("10/10", ""));
        assert_eq!(
            (after.stack.as_str(), after.profile.as_str()),
            ("fake 1", "rfc")
        );
        assert_eq!(after.observed, shrunk.observation.divergences()[0].observed);
    }
}
