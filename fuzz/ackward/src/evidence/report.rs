//! One page about a finding, for the maintainer of the stack.

use std::fmt::Write;

use ackward_oracle::{Facts, Reach};
use ackward_packetdrill::{ExportError, Script};
use ackward_scenario::Setup;

use super::notation::{option_text, sysctl_text};
use super::transcript::transcript;
use crate::Settings;
use crate::finding::Finding;
use crate::neighbourhood::{Neighbour, RUNS};
use crate::words::{self, counted};

/// The page, in Markdown. `script` is the smallest script, or why there is none; `files` lie beside the page.
pub fn report(finding: &Finding, script: Result<&Script, &ExportError>, files: &[&str]) -> String {
    let divergence = &finding.divergence;
    let rule = divergence.rule;
    let mut page = format!("# {}: {}\n\n", finding.stack, finding.root);
    let summary = format!(
        "{}\n\nIn {} the right answer is *{}*; the stack shows *{}*.",
        finding.diagnosis(),
        divergence.state,
        divergence.allowed,
        divergence.observed
    );
    section(&mut page, "Summary", &summary);
    let statement = format!(
        "{} ({}), in our own words: {}\n\nRule `{}`, {}.",
        rule.citation,
        words::level(rule.level),
        rule.statement,
        rule.id,
        finding.class
    );
    section(&mut page, "What the RFC says", &statement);
    section(&mut page, "What happened", &fenced(&transcript(finding)));
    section(&mut page, "Who is affected", &affected(finding));
    section(&mut page, "Smallest script", &smallest(finding, script));
    if !finding.neighbourhood.is_empty() {
        section(&mut page, "What must not change", &beside(finding));
    }
    section(
        &mut page,
        "Versions",
        &format!("Seen in {}.", finding.stack),
    );
    section(&mut page, "How to reproduce", &reproduce(files));
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// A reach in plain words.
pub(super) fn reach(reach: Reach) -> &'static str {
    match reach {
        Reach::Network => {
            "network: a peer that keeps the RFCs, behind a network that reorders, repeats, delays or loses"
        }
        Reach::Peer => "peer: only a peer that breaks a rule",
    }
}

/// Settings in plain words.
pub(super) fn settings(settings: Settings) -> &'static str {
    match settings {
        Settings::Defaults => "defaults: no sysctl and no socket option is touched",
        Settings::Ordinary => {
            "ordinary: socket options within default limits, sysctls that distributions or selftests set"
        }
        Settings::Extreme => "extreme: beyond what distributions and tuning guides set",
    }
}

/// What was tried beside the fault on the same stack.
fn beside(finding: &Finding) -> String {
    let tried = finding.neighbourhood.iter().map(|neighbour| {
        let Neighbour { claim, held } = neighbour;
        format!("{claim} Right here in {held} of {RUNS} runs.")
    });
    list(&tried.collect::<Vec<_>>())
}

fn affected(finding: &Finding) -> String {
    let mut lines = vec![
        format!("Reach: {}.", reach(finding.reach)),
        format!("Settings: {}.", settings(finding.settings)),
        format!("Impact: {}", finding.impact()),
    ];
    if let Some(set) = touched(&finding.scenario.setup) {
        lines.push(format!("Set: {set}."));
    }
    list(&lines)
}

/// What the scenario sets before the connection is made.
fn touched(setup: &Setup) -> Option<String> {
    let sysctls = setup.sysctls.iter().map(|setting| sysctl_text(*setting));
    let options = setup
        .socket_options
        .iter()
        .map(|option| option_text(*option));
    let all: Vec<String> = sysctls
        .chain(options)
        .map(|set| format!("`{set}`"))
        .collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn smallest(finding: &Finding, script: Result<&Script, &ExportError>) -> String {
    let injected = counted(finding.scenario.segments().count() as u64, "segment");
    let minimal = if finding.one_minimal {
        "; no single step of it can go"
    } else {
        ""
    };
    let runs = if finding.runs.is_empty() {
        String::new()
    } else {
        format!(" It showed in {} runs.", finding.runs)
    };
    let count =
        format!("The scenario injects {injected}, SYN and handshake included{minimal}.{runs}");
    match script {
        Err(error) => format!(
            "{count}\n\nThere is no packetdrill script: {error}. `case.json` holds the scenario."
        ),
        Ok(script) => {
            let added = match script.added_segments {
                0 => String::new(),
                added => format!(" The script injects {added} more: {}.", added_what(finding)),
            };
            let line = script.failing_line().map_or(String::new(), |line| {
                format!(" Line {line} fails on a stack with this fault.")
            });
            format!("{count}{added}{line}\n\n{}", fenced(&script.to_string()))
        }
    }
}

fn added_what(finding: &Finding) -> &'static str {
    match finding.divergence.facts {
        Facts::Echo { .. } => {
            "a probe that makes a wrong TS.Recent visible, and a fence against packets too many"
        }
        Facts::BeyondWindow { .. } => {
            "an octet that ends at the edge and must be kept, and a fence against packets too many"
        }
        Facts::Other => "a fence against packets too many",
    }
}

fn section(page: &mut String, title: &str, body: &str) {
    // Writing to a string cannot fail.
    let _ = write!(page, "## {title}\n\n{}\n\n", body.trim_end());
}

fn fenced(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_end())
}

fn list(lines: &[String]) -> String {
    lines.iter().map(|line| format!("- {line}\n")).collect()
}

/// How each of `files` is used.
fn reproduce(files: &[&str]) -> String {
    let packetdrill =
        |rest: &str| format!("unshare -n sh -c 'ip link set lo up; exec packetdrill {rest}'");
    let mut commands = vec!["ackward replay case.json".to_owned()];
    if files.contains(&"repro.pkt") {
        commands.push(packetdrill("repro.pkt"));
        commands.push(packetdrill("--ip_version=ipv6 --mtu=1520 repro.pkt"));
    }
    commands.push("tshark -r trace.pcapng".to_owned());
    let mut text = fenced(&commands.join("\n"));
    for (name, use_of_it) in [
        (
            "repro-kselftest.pkt",
            "runs under the kernel's `ksft_runner.sh` in all three address families",
        ),
        (
            "repro-assert-ecr.pkt",
            "needs a packetdrill that compares TSecr",
        ),
    ] {
        if files.contains(&name) {
            text += &format!("\n\n`{name}` {use_of_it}.");
        }
    }
    text
}
