//! `ackward replay`: does a stored case still diverge?

use std::path::PathBuf;

use ackward_oracle::Verdict;

use super::Ending;
use super::case;
use super::failure::Failure;
use super::stack::StackArgs;
use crate::evidence::transcript;
use crate::finding::Finding;

/// What to run again.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  ackward replay findings/*/case.json")]
pub(super) struct Args {
    /// Stored cases (case.json)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    stack: StackArgs,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    // All files are read before anything runs, so that a bad one does not leave the work half done.
    let cases = args
        .files
        .iter()
        .map(|path| case::read(path))
        .collect::<Result<Vec<_>, _>>()?;
    let profile = args.stack.profile()?;
    let mut live = args.stack.open()?;
    let mut ending = Ending::Conforms;
    for (path, case) in args.files.iter().zip(cases) {
        let rerun = case::run(&mut live, &case)?;
        let observation = &rerun.observation;
        let word = match &observation.verdict {
            Verdict::Conforms => "conforms".to_owned(),
            Verdict::Inconclusive(why) => format!("inconclusive: {why}"),
            Verdict::Diverges(_) => "diverges".to_owned(),
        };
        println!("{}: {word} (profile {})", path.display(), profile.name);
        if let Some(shown) = rerun.divergence(&case) {
            let info = live.host().info().clone();
            let words = live.words_on(rerun.scenario())?;
            let others = observation.divergences().iter();
            let others =
                others.filter(|other| other.entry != shown.entry || other.root() != shown.root());
            for divergence in std::iter::once(shown).chain(others) {
                let finding = Finding {
                    words: words.clone(),
                    ..rerun.finding(divergence, &info, &profile.name)
                };
                print!("\n{}", transcript(&finding));
            }
        }
        ending = worse(ending, &observation.verdict);
    }
    Ok(ending)
}

/// A divergence outweighs a missing verdict, which outweighs a good one.
fn worse(ending: Ending, verdict: &Verdict) -> Ending {
    match (ending, verdict) {
        (_, Verdict::Diverges(_)) | (Ending::Diverges, _) => Ending::Diverges,
        (_, Verdict::Inconclusive(_)) | (Ending::Inconclusive, _) => Ending::Inconclusive,
        (Ending::Conforms, Verdict::Conforms) => Ending::Conforms,
    }
}
