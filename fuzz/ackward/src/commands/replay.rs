//! `ackward replay`: does a stored case still diverge, and what do packetdrill scripts say of a stack?

use std::path::PathBuf;

use ackward_oracle::Verdict;

use super::Ending;
use super::case;
use super::failure::Failure;
use super::script;
use super::stack::StackArgs;
use crate::evidence::transcript;
use crate::finding::Finding;

/// What to run again.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  ackward replay findings/*/case.json\n  ackward replay findings/*/repro.pkt"
)]
pub(super) struct Args {
    /// Stored cases (case.json), packetdrill scripts (*.pkt), folders with scripts
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Run the shell commands of scripts, with your rights, in the scripts' private network namespace
    #[arg(long)]
    allow_shell: bool,
    #[command(flatten)]
    stack: StackArgs,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    // All files are read before anything runs, so that a bad one does not leave the work half done.
    let (mut cases, mut scripts) = (Vec::new(), Vec::new());
    for path in &args.files {
        if path.is_dir() {
            for path in script::under(path)? {
                scripts.push(script::read(&path)?);
            }
        } else if script::is_script(path) {
            scripts.push(script::read(path)?);
        } else {
            cases.push((path, case::read(path)?));
        }
    }
    let profile = args.stack.profile()?;
    let mut ending = Ending::Conforms;
    if !scripts.is_empty() {
        if args.stack.stack().waits_are_free() {
            return Err(Failure::Unfit {
                path: args.files[0].clone(),
                reason: "a script runs on the running kernel only".to_owned(),
                help: "leave --stack out, or replay the case.json beside it",
            });
        }
        args.stack.stack().prepare()?;
        let asked = script::Asked {
            allow_shell: args.allow_shell,
            profile: &profile,
        };
        ending = script::run(&scripts, asked)?;
    }
    if cases.is_empty() {
        return Ok(ending);
    }
    let mut live = args.stack.open()?;
    for (path, case) in cases {
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
