//! `ackward selftest`: plants bugs in a TCP, and says which of them were found and called by their name.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ackward_endpoint::{PLANTS, Plant, PlantCard};
use ackward_oracle::Profile;

use super::Ending;
use super::failure::Failure;
use crate::selftest::{Examined, examine};

/// Which bugs, and how.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  ackward selftest --only old-ack-skips")]
pub(super) struct Args {
    /// Only this bug
    #[arg(long, value_name = "NAME", value_parser = bug)]
    only: Option<Plant>,
    /// Where the generator starts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many bugs to examine at a time [default: one a core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<u16>>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<Ending, Failure> {
    let chosen: Vec<&PlantCard> = PLANTS
        .iter()
        .filter(|card| args.only.is_none_or(|only| only == card.plant))
        .collect();
    let profile = Profile::named("rfc")?;
    let jobs = args.jobs.or_else(|| {
        let cores = thread::available_parallelism().ok()?;
        NonZero::new(u16::try_from(cores.get()).unwrap_or(u16::MAX))
    });
    let examined = examine_all(&chosen, args.seed, jobs.map_or(1, NonZero::get), &profile)?;
    if args.json {
        let json = serde_json::to_string_pretty(&examined);
        println!("{}", json.expect("names and numbers make JSON"));
    } else {
        print(&examined);
    }
    Ok(if examined.iter().all(Examined::is_right) {
        Ending::Conforms
    } else {
        Ending::Diverges
    })
}

fn bug(name: &str) -> Result<Plant, String> {
    Plant::named(name)
        .ok_or_else(|| format!("there is no bug `{name}`; without --only they are all listed"))
}

/// The results in the order of the table, whoever was first.
fn examine_all(
    chosen: &[&PlantCard],
    seed: u64,
    jobs: u16,
    profile: &Profile,
) -> Result<Vec<Examined>, Failure> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(card) = chosen.get(place) else {
                        return;
                    };
                    let result = examine(card.plant, seed, profile);
                    let mut results = results.lock().expect("no thread panics with the lock");
                    results.push((place, result));
                }
            });
        }
    });
    let mut results = results
        .into_inner()
        .expect("no thread panics with the lock");
    results.sort_by_key(|(place, _)| *place);
    let examined: Result<Vec<_>, _> = results.into_iter().map(|(_, result)| result).collect();
    Ok(examined?)
}

fn print(examined: &[Examined]) {
    println!(
        "{:<24} {:<53} {:>7} {:>7} {:>7} {:>8}",
        "bug", "expected diagnosis", "first", "named", "seconds", "segments"
    );
    for one in examined {
        let segments = one
            .segments
            .map_or("-".to_owned(), |count| count.to_string());
        println!(
            "{:<24} {:<53} {:>7} {:>7} {:>7.2} {:>8}",
            one.plant, one.expected, one.first, one.cases, one.seconds, segments
        );
        match &one.named {
            None => println!("    MISSED: {}", one.does),
            Some(named) if !one.is_right() => println!("    CALLED {named}: {}", one.does),
            Some(_) => {}
        }
    }
    let right: Vec<&Examined> = examined.iter().filter(|one| one.is_right()).collect();
    let small = right
        .iter()
        .filter(|one| one.segments.is_some_and(|count| count <= 6));
    println!(
        "{} of {} found and called by their name; cases to the first that diverged: {}; to the name: {}; {} shrunk to \
         6 segments or fewer",
        right.len(),
        examined.len(),
        spread(right.iter().map(|one| one.first)),
        spread(right.iter().map(|one| one.cases)),
        small.count()
    );
}

/// The median and the largest.
fn spread(numbers: impl Iterator<Item = u64>) -> String {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    let median = numbers.get(numbers.len() / 2).copied().unwrap_or(0);
    format!(
        "median {median}, most {}",
        numbers.last().copied().unwrap_or(0)
    )
}
