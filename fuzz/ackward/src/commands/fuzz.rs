//! `ackward fuzz`: a campaign.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ackward_oracle::Known;
use ackward_scenario::{Mode, systematic};
use clap::ValueEnum;

use super::Ending;
use super::failure::Failure;
use super::progress::Progress;
use super::stack::{FamilyName, StackArgs};
use crate::campaign::{self, CampaignError, Corpus, Limit, News, Options, Outcome};
use crate::files::make_writable;
use crate::interrupt::Interrupt;

/// How to search.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    stack: StackArgs,
    /// Address family of socket and wire
    #[arg(long, value_enum, default_value_t)]
    family: FamilyName,
    /// What to try: what an honest peer behind a bad network does, what a rule-breaking peer does, or both
    #[arg(long, value_enum, default_value_t)]
    mode: ModeName,
    /// Try every kind of segment at every edge in every state, once, instead of what chance brings
    #[arg(long, conflicts_with_all = ["mode", "seed", "time", "cases", "corpus"])]
    systematic: bool,
    /// Where the generator starts [default: taken from the clock, and printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How long to search: 500ms, 60s, 10m, 8h; to confirm what was found may take a little longer [default: 60s]
    #[arg(long, value_parser = parse_duration, conflicts_with = "cases")]
    time: Option<Duration>,
    /// How many cases to run, instead of a time
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// How many namespaces to search in at a time, each on a thread of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// A list of roots that are known already: they are reported, and do not count for the exit code
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Where to keep cases that met something new, from run to run; `none`: the seed alone decides what is tried
    /// [default: kept in memory]
    #[arg(long, value_name = "DIR|none")]
    corpus: Option<PathBuf>,
    /// Where findings and campaign.json go
    #[arg(long, value_name = "DIR", default_value = OUT)]
    out: PathBuf,
}

const OUT: &str = "findings";

const EXAMPLES: &str = "\
Examples:
  ackward fuzz --time 10m --jobs 2
  ackward fuzz --seed 7 --cases 100000 --corpus none     the same scenarios each time
  ackward fuzz --mode network --family mapped --link raw
  ackward fuzz --systematic --jobs 2                     every segment at every edge in every state
  ackward fuzz --known oracle/known/linux.toml           exit code 1 only for roots not in the list";

impl Default for Args {
    fn default() -> Args {
        Args {
            stack: StackArgs::default(),
            family: FamilyName::default(),
            mode: ModeName::default(),
            systematic: false,
            seed: None,
            time: None,
            cases: None,
            jobs: 1,
            known: None,
            corpus: None,
            out: PathBuf::from(OUT),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum ModeName {
    /// An honest peer; the network delays, repeats, reorders and drops
    Network,
    /// A peer that breaks rules
    Peer,
    /// One and the other in turn
    #[default]
    Both,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    // Whatever can be wrong with the arguments is found before the hunt, not after it.
    make_writable(&args.out).map_err(Failure::unwritable(&args.out))?;
    let known = args
        .known
        .as_deref()
        .map(read_known)
        .transpose()?
        .unwrap_or_default();
    let options = Options {
        stack: args.stack.stack(),
        profile: args.stack.profile()?,
        family: args.family.into(),
        mode: match args.mode {
            _ if args.systematic => Mode::Systematic,
            ModeName::Network => Mode::Network,
            ModeName::Peer => Mode::Peer,
            ModeName::Both => Mode::Both,
        },
        seed: args.seed.unwrap_or_else(seed_from_clock),
        limit: match args.cases {
            _ if args.systematic => Limit::Cases(systematic::count()),
            Some(cases) => Limit::Cases(cases),
            None => Limit::Time(args.time.unwrap_or(Duration::from_secs(60))),
        },
        jobs: args.jobs,
        known,
        corpus: match &args.corpus {
            _ if args.systematic => Corpus::None,
            None => Corpus::Memory,
            Some(none) if none.as_os_str() == "none" => Corpus::None,
            Some(folder) => Corpus::Folder(folder.clone()),
        },
        out: args.out.clone(),
    };
    let interrupt = Interrupt::listen().map_err(Failure::Signals)?;
    let mut progress = Progress::new();
    let outcome = campaign::run(&options, &interrupt, &mut |news| match news {
        News::Begun { stack, link } => progress.say(&format!(
            "{stack}, link {link}, family {}, seed {}; findings go to {}",
            options.family,
            options.seed,
            options.out.display()
        )),
        News::Notice(notice) => progress.say(&notice),
        News::Found(line) => progress.say(&line),
        News::Standings(standings) => progress.stand(&standings),
    });
    progress.end();
    let outcome = outcome.map_err(|error| failure(&options, error))?;
    print(&outcome, &options.out);
    Ok(ending(&outcome))
}

fn read_known(path: &Path) -> Result<Known, Failure> {
    let text = fs::read_to_string(path).map_err(Failure::unreadable(path))?;
    Known::parse(&text).map_err(|error| Failure::known(path, &error))
}

fn failure(options: &Options, error: CampaignError) -> Failure {
    match error {
        CampaignError::Stack(error) => Failure::Stack(error),
        CampaignError::Evidence(source) => Failure::Unwritable {
            path: options.out.clone(),
            source,
        },
        CampaignError::Seed { path, reason } => Failure::Unfit {
            path,
            reason,
            help: "remove the file, or name another folder: --corpus DIR",
        },
    }
}

/// Each finding's transcript and folder, the summary last.
fn print(outcome: &Outcome, out: &Path) {
    for finding in &outcome.findings {
        println!("{}", finding.transcript);
        println!("→ {}\n", out.join(&finding.entry.path).display());
    }
    let report = &outcome.report;
    println!(
        "{} {} over {}: {} cases in {:.1} s ({:.0} cases/s, {} segments), {} inconclusive, {} not confirmed, \
         {} never alone",
        report.stack,
        report.stack_version,
        report.link,
        report.cases,
        report.seconds,
        report.cases_per_second,
        report.segments,
        report.inconclusive,
        outcome.dropped,
        report.never_alone.len()
    );
    println!("seed {}, scenarios {}", report.seed, report.scenarios_hash);
    for entry in &report.findings {
        println!(
            "  {}{}: {} ({}), reach {}, settings {}, segments {}, runs {}, first after {:.2} s",
            entry.root,
            if entry.known { " (known)" } else { "" },
            entry.rule,
            entry.class,
            entry.reach,
            entry.settings,
            entry.injected_segments,
            entry.runs,
            entry.first_seen_seconds
        );
    }
    match report.findings.len() {
        0 => println!("no divergence found"),
        count => println!(
            "found: {count}; the record is {}",
            out.join("campaign.json").display()
        ),
    }
}

fn ending(outcome: &Outcome) -> Ending {
    if outcome.red() {
        Ending::Diverges
    } else if outcome.report.cases == outcome.report.inconclusive {
        Ending::Inconclusive
    } else {
        Ending::Conforms
    }
}

fn seed_from_clock() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(1, |since| since.as_millis() as u64 % 1_000_000_000)
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 = digits
        .parse()
        .map_err(|_| format!("`{text}` is no time: try 60s or 10m"))?;
    let unit = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        other => return Err(format!("`{other}` is no unit of time: ms, s, m or h")),
    };
    Duration::try_from_secs_f64(number * unit).map_err(|_| format!("`{text}` is no time"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_unit() {
        assert_eq!(parse_duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(parse_duration("soon").is_err());
        assert!(parse_duration("-3s").is_err());
        assert!(parse_duration("3 days").is_err());
    }
}
