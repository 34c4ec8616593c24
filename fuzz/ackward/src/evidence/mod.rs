//! What is handed over of a finding: scripts, capture, report, transcript and the case itself, in one folder.

use std::fs;
use std::io;
use std::path::Path;

use ackward_oracle::Facts;
use ackward_packetdrill::{Expect, Export, ExportError, Header, Script, Style, export};

use crate::finding::Finding;
use crate::words;

#[cfg(test)]
pub(crate) mod example;
mod notation;
mod pcapng;
mod report;
mod subject;
mod transcript;

pub use pcapng::capture;
pub use report::report;
pub use transcript::{conversation, transcript};

/// What was written of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// Its folder, relative to where it was to be written.
    pub folder: String,
    /// Segments that the script injects beside the scenario's: probe and fence.
    pub probe_segments: u32,
    /// What the fault costs, and under which condition.
    pub impact: String,
    /// What happened, for a terminal.
    pub transcript: String,
}

/// Writes the folder of `finding` into `out`, whole or not at all, in the place of an earlier one.
pub fn write_finding(finding: &Finding, out: &Path) -> io::Result<Written> {
    let partial = out.join(format!(".{}.{}.partial", finding.root, std::process::id()));
    let written = fill(finding, &partial).and_then(|probe_segments| {
        replace(&partial, &out.join(&finding.root))?;
        Ok(Written {
            folder: finding.root.clone(),
            probe_segments,
            impact: finding.impact(),
            transcript: transcript(finding),
        })
    });
    if written.is_err() {
        // The first error is the one to report; there may be nothing to remove.
        let _ = fs::remove_dir_all(&partial);
    }
    written
}

/// The script for `finding`. `assert_echo`: without probe, for a packetdrill that compares TSecr.
pub fn script(finding: &Finding, style: Style, assert_echo: bool) -> Result<Script, ExportError> {
    let divergence = &finding.divergence;
    export(&Export {
        scenario: &finding.scenario,
        trace: &finding.trace,
        diverging: divergence.entry,
        subject: subject::subject(&finding.trace, divergence),
        header: header(finding),
        why: &divergence.why,
        style,
        assert_echo,
        expect: Expect::Right,
    })
}

fn fill(finding: &Finding, folder: &Path) -> io::Result<u32> {
    fs::create_dir_all(folder)?;
    let repro = script(finding, Style::Plain, false);
    let mut files = vec![
        ("case.json", finding.case().to_string().into_bytes()),
        ("trace.pcapng", capture(finding)?),
        ("transcript.txt", transcript(finding).into_bytes()),
    ];
    let page = |names: &[&str]| report(finding, repro.as_ref(), names).into_bytes();
    let mut probe_segments = 0;
    if let Ok(repro) = &repro {
        probe_segments = repro.added_segments;
        files.push(("repro.pkt", repro.to_string().into_bytes()));
    }
    let echo = matches!(finding.divergence.facts, Facts::Echo { .. });
    for (name, style, assert_echo, wanted) in [
        ("repro-kselftest.pkt", Style::Kselftest, false, true),
        ("repro-assert-ecr.pkt", Style::Plain, true, echo),
    ] {
        if let (true, Ok(script)) = (wanted, script(finding, style, assert_echo)) {
            files.push((name, script.to_string().into_bytes()));
        }
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    files.push(("report.md", page(&names)));
    files
        .iter()
        .try_for_each(|(name, bytes)| fs::write(folder.join(name), bytes))?;
    Ok(probe_segments)
}

/// Puts `fresh` in the place of `folder`, which may be there already.
fn replace(fresh: &Path, folder: &Path) -> io::Result<()> {
    let stale = fresh.with_extension("stale");
    match fs::rename(folder, &stale) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return fs::rename(fresh, folder),
        Err(error) => return Err(error),
    }
    if let Err(error) = fs::rename(fresh, folder) {
        // What was there is better than nothing.
        let _ = fs::rename(&stale, folder);
        return Err(error);
    }
    fs::remove_dir_all(&stale)
}

fn header(finding: &Finding) -> Header {
    let divergence = &finding.divergence;
    Header {
        root: finding.root.clone(),
        rule: format!(
            "{} ({}, {})",
            divergence.rule.id,
            words::level(divergence.rule.level),
            finding.class
        ),
        citation: divergence.rule.citation.to_owned(),
        statement: divergence.rule.statement.to_owned(),
        stack: finding.stack.clone(),
        diagnosis: finding.diagnosis().to_owned(),
        allowed: divergence.allowed.clone(),
        observed: divergence.observed.clone(),
        reach: report::reach(finding.reach).to_owned(),
        settings: report::settings(finding.settings).to_owned(),
        impact: finding.impact(),
        versions: format!("seen in {}", finding.stack),
    }
}

#[cfg(test)]
mod tests;
