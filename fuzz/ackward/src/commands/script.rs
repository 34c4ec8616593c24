//! `ackward replay` of packetdrill scripts: one line a script as it ends, with both verdicts.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::{Path, PathBuf};
use std::{fs, thread};

use ackward_oracle::{Divergence, Judge, Known, NoCoverage, Profile, Verdict};
use ackward_packetdrill::{Parsed, Script, parse};
use ackward_stacks::{StackError, StageOptions, linux_stage};

use super::Ending;
use super::failure::Failure;
use crate::replay::{self, Conditions, Report, Tolerance};

/// What is asked of all scripts of one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) allow_shell: bool,
    pub(super) profile: &'a Profile,
}

/// A script that was read.
pub(super) struct Read {
    path: PathBuf,
    parsed: Parsed,
}

/// Whether `path` is a script, by its name.
pub(super) fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pkt")
}

/// The scripts under a folder, in the order of their names.
pub(super) fn under(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(Failure::unreadable(folder))? {
        let path = entry.map_err(Failure::unreadable(folder))?.path();
        if path.is_dir() {
            found.extend(under(&path)?);
        } else if is_script(&path) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a script.
pub(super) fn read(path: &Path) -> Result<Read, Failure> {
    let text = fs::read(path).map_err(Failure::unreadable(path))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let parsed = parse(&text).map_err(|error| Failure::script(path, text, &error))?;
    Ok(Read {
        path: path.to_owned(),
        parsed,
    })
}

/// Runs all scripts on the running kernel.
pub(super) fn run(scripts: &[Read], asked: Asked<'_>) -> Result<Ending, Failure> {
    let mut tally = Tally::default();
    for script in scripts {
        // A thread each: what a script does to its surroundings ends with the thread.
        let result = thread::scope(|scope| {
            let one = scope.spawn(|| one(script, asked));
            one.join().expect("a script's thread does not panic")
        });
        let (report, verdict) = result.map_err(Failure::from)?;
        tally.count(script, &report, verdict.as_ref());
    }
    tally.print();
    Ok(match (tally.failed + tally.diverged, tally.skipped) {
        (0, 0) => Ending::Conforms,
        (0, _) => Ending::Inconclusive,
        _ => Ending::Diverges,
    })
}

fn one(script: &Read, asked: Asked<'_>) -> Result<(Report, Option<Verdict>), StackError> {
    let folder = match script.path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let place = place(&script.parsed.script);
    // Scripts leave files there, under names that hold the number of our process.
    let hides = fs::canonicalize(folder).is_ok_and(|folder| folder.starts_with("/tmp"));
    let mut stage = linux_stage(&place, asked.allow_shell && !hides)?;
    let conditions = Conditions {
        folder,
        allow_shell: asked.allow_shell,
        tolerance: tolerance(&script.parsed.script),
    };
    let report = replay::run(&script.parsed, &mut *stage, &place, conditions)?;
    let known = Known::named("linux").unwrap_or_default();
    let verdict = report.trace.as_ref().map(|trace| {
        let mut judge = Judge::new(asked.profile).knowing(&known);
        judge.judge(trace, &mut NoCoverage)
    });
    Ok((report, verdict))
}

/// Where a script takes place by its own options.
fn place(script: &Script) -> StageOptions {
    let ipv6 = script.option("ip_version") == Some("ipv6");
    let (local, remote): (IpAddr, IpAddr) = match ipv6 {
        false => (
            Ipv4Addr::new(192, 168, 0, 1).into(),
            Ipv4Addr::new(192, 0, 2, 1).into(),
        ),
        true => (
            Ipv6Addr::new(0xfd3d, 0xa0b, 0x17d6, 0, 0, 0, 0, 1).into(),
            Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
        ),
    };
    let address = |name, usual: IpAddr| {
        let given = script
            .option(name)
            .and_then(|text| text.parse::<IpAddr>().ok());
        given.filter(|ip| ip.is_ipv6() == ipv6).unwrap_or(usual)
    };
    let number = |name| script.option(name).and_then(|text| text.parse().ok());
    StageOptions {
        local: address("local_ip", local),
        remote: address("remote_ip", remote),
        mtu: number("mtu").unwrap_or(1500),
        segment_size: number("mss"),
    }
}

fn tolerance(script: &Script) -> Tolerance {
    let mut tolerance = Tolerance::default();
    if let Some(usecs) = script
        .option("tolerance_usecs")
        .and_then(|text| text.parse().ok())
    {
        tolerance.usecs = usecs;
    }
    if let Some(percent) = script
        .option("tolerance_percent")
        .and_then(|text| text.parse().ok())
    {
        tolerance.percent = percent;
    }
    tolerance
}

const NOT_JUDGED: &str = "not judged";

/// What came of the scripts so far.
#[derive(Default)]
struct Tally {
    passed: u32,
    failed: u32,
    skipped: u32,
    judged: u32,
    diverged: u32,
    echoes: u32,
    other_echoes: usize,
    windows: u32,
}

impl Tally {
    fn count(&mut self, script: &Read, report: &Report, verdict: Option<&Verdict>) {
        let said = match &report.ending {
            replay::Ending::Passes => {
                self.passed += 1;
                "passes".to_owned()
            }
            replay::Ending::Fails(line, why) => {
                self.failed += 1;
                match line {
                    0 => format!("fails before its first event: {why}"),
                    line => format!("fails at line {line}: {why}"),
                }
            }
            replay::Ending::Skipped(why) => {
                self.skipped += 1;
                format!("skipped: {why}")
            }
        };
        let word = match verdict {
            _ if matches!(report.ending, replay::Ending::Skipped(_)) => NOT_JUDGED.to_owned(),
            None => NOT_JUDGED.to_owned(),
            Some(verdict) => {
                self.judged += 1;
                match verdict {
                    Verdict::Conforms => "fits".to_owned(),
                    Verdict::Inconclusive(why) => format!("inconclusive, {why}"),
                    Verdict::Diverges(divergences) => {
                        self.diverged += 1;
                        let roots: Vec<String> = divergences.iter().map(Divergence::root).collect();
                        format!("diverges with {}", roots.join(", "))
                    }
                }
            }
        };
        println!("{}: {said} | RFC: {word}", script.path.display());
        for echo in &report.echoes.1 {
            println!("  {echo}");
        }
        self.echoes += report.echoes.0;
        self.other_echoes += report.echoes.1.len();
        self.windows += if word == NOT_JUDGED {
            0
        } else {
            report.windows
        };
    }

    fn print(&self) {
        println!(
            "{} pass, {} fail, {} skipped by packetdrill's criteria; {} judged by the RFCs, {} diverge",
            self.passed, self.failed, self.skipped, self.judged, self.diverged
        );
        println!(
            "looked at for the first time: {} echoes ({} are not the script's), {} windows that no script names",
            self.echoes, self.other_echoes, self.windows
        );
    }
}
