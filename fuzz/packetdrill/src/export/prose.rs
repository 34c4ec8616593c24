//! What a script tells its reader: the fault, the line that fails, and why each added line is there.
//! The RFC is restated, never quoted.

use ackward_model::TsVal;

use super::numbers::Numbers;
use super::probe::Consequence;
use super::view::timestamps;
use super::{Expect, Export, Style, Subject};
use crate::ast::{Packet, Script};
use crate::print::wrapped;

/// Column where a labelled paragraph of the header starts.
const INDENT: usize = 14;
/// Columns of a header line without its slashes.
const WIDTH: usize = 97;

/// The comment at the top.
pub(super) fn header(export: &Export<'_>, script: &Script) -> Vec<String> {
    // The number of lines does not depend on the number of the failing one.
    let mut draft = script.clone();
    draft.header = lines(export, script, script.fails_at);
    lines(export, script, draft.failing_line())
}

fn lines(export: &Export<'_>, script: &Script, failing: Option<usize>) -> Vec<String> {
    match export.style {
        Style::Plain => plain(export, script, failing),
        Style::Kselftest => kselftest(export),
    }
}

fn plain(export: &Export<'_>, script: &Script, failing: Option<usize>) -> Vec<String> {
    let header = &export.header;
    let mut lines = wrapped(
        WIDTH,
        &format!(
            "{}: {} departs from {}",
            header.root, header.stack, header.citation
        ),
    );
    lines.push(String::new());
    for (label, text) in [
        ("The RFC:", &header.statement),
        ("This stack:", &header.diagnosis),
        ("Right here:", &header.allowed),
        ("Seen here:", &header.observed),
        ("Cost:", &header.impact),
        ("Rule:", &header.rule),
        ("Reach:", &header.reach),
        ("Settings:", &header.settings),
        ("Versions:", &header.versions),
    ] {
        lines.extend(labelled(label, text));
    }
    lines.push(String::new());
    lines.extend(wrapped(WIDTH, &verdict(export, script, failing)));
    lines.push(String::new());
    if script.init.len() > export.scenario.setup.sysctls.len() {
        lines.extend(labelled(
            "Pinned:",
            "tcp_rmem, because the stack derives its window scale from it.",
        ));
    }
    lines.extend(labelled(
        "Run it:",
        "unshare -n sh -c 'ip link set lo up; exec packetdrill SCRIPT'",
    ));
    lines.extend(labelled(
        "",
        "IPv6: --ip_version=ipv6 --mtu=1520; mapped: --ip_version=ipv4-mapped-ipv6",
    ));
    lines
}

fn kselftest(export: &Export<'_>) -> Vec<String> {
    let header = &export.header;
    let mut lines = vec!["SPDX-License-Identifier: GPL-2.0".to_owned()];
    lines.extend(wrapped(
        WIDTH,
        &format!(
            "{} ({})",
            header.statement.trim_end_matches('.'),
            header.citation
        ),
    ));
    lines
}

/// Which line fails, and how packetdrill says it.
fn verdict(export: &Export<'_>, script: &Script, failing: Option<usize>) -> String {
    if export.expect == Expect::Observed {
        return "The values expected below are those of the stack with the fault: the script passes there and fails \
                on a right stack."
            .to_owned();
    }
    let Some(line) = failing else {
        return match (&export.subject, script.fails_at) {
            (Subject::Echo { .. }, _) => {
                "The values expected below are the right ones. Only the echo is wrong, and packetdrill compares no \
                 TSecr: the script passes on a stack with this fault, unless packetdrill compares them."
            }
            _ => "The script plays the conversation; packetdrill cannot check the event that is wrong.",
        }
        .to_owned();
    };
    let how = match &export.subject {
        Subject::Echo { .. } if export.assert_echo => {
            "This needs a packetdrill that compares TSecr; others let the wrong echo pass."
        }
        Subject::Echo { .. } => {
            "packetdrill compares no TSecr, so the wrong echo itself passes; the probe turns it into a wrong \
             acknowledgement number."
        }
        _ => {
            "packetdrill reports the SACK block that should not be there as a wrong packet length, and text \
             acknowledged past the edge as a wrong acknowledgement number."
        }
    };
    format!(
        "The values expected below are the right ones. Line {line} fails on a stack with this fault. {how}"
    )
}

/// Before an earlier event that counts.
pub(super) fn why(reason: &str) -> String {
    format!("On a right stack {}.", reason.trim_end_matches('.'))
}

/// Before text past the edge.
pub(super) fn beyond_edge(export: &Export<'_>, numbers: &Numbers, seq: u32, end: u32) -> String {
    let Subject::BeyondWindow { edge, .. } = &export.subject else {
        return String::new();
    };
    let edge = numbers.of_peer(*edge);
    format!(
        "Octets {seq}:{end} lie past the right edge: no window advertised so far reaches past {edge}."
    )
}

/// Before the line that shows the fault.
pub(super) fn diverging(export: &Export<'_>, numbers: &Numbers, packet: &Packet) -> String {
    if export.expect == Expect::Observed {
        return "The stack with the fault answers so.".to_owned();
    }
    match &export.subject {
        Subject::Echo { observed, .. } => {
            let right = timestamps(packet).map_or(TsVal(0), |(_, tsecr)| tsecr).0;
            let wrong = numbers.peer.script(*observed).0;
            match export.style {
                Style::Kselftest => format!("TS.Recent must be {right} now."),
                Style::Plain if export.assert_echo => format!(
                    "FAILS HERE on a stack with the fault, where TSecr is compared: it echoes {wrong}, not {right}."
                ),
                Style::Plain => format!("The echo must be {right}; a stack with the fault sends {wrong}."),
            }
        }
        Subject::BeyondWindow { .. } if export.style == Style::Kselftest => String::new(),
        Subject::BeyondWindow { .. } => {
            "FAILS HERE on a stack with the fault, which keeps those octets: a bare acknowledgement is right."
                .to_owned()
        }
        Subject::Other => unchecked(export),
    }
}

/// In the place of an event that a script cannot check.
pub(super) fn unchecked(export: &Export<'_>) -> String {
    let Export { header, expect, .. } = export;
    match expect {
        Expect::Observed => String::new(),
        Expect::Right => format!(
            "Here the stack goes wrong. Right: {}. Seen: {}.",
            header.allowed.trim_end_matches('.'),
            header.observed.trim_end_matches('.')
        ),
    }
}

/// Before the probe of TS.Recent.
pub(super) fn probe(
    export: &Export<'_>,
    consequence: Consequence,
    right: TsVal,
    wrong: TsVal,
) -> String {
    let (right, wrong) = (right.0, wrong.0);
    match (export.style, consequence) {
        (Style::Kselftest, Consequence::Refused(TsVal(tsval))) => {
            format!("PAWS must refuse TSval {tsval}: TS.Recent is {right}.")
        }
        (Style::Kselftest, Consequence::Taken(TsVal(tsval))) => {
            format!("PAWS must not refuse TSval {tsval}: TS.Recent is {right}.")
        }
        (Style::Plain, Consequence::Refused(TsVal(tsval))) => format!(
            "Probe: TSval {tsval} lies between {wrong} and {right}. TS.Recent is {right} on a right stack, which \
             refuses the octet as old; a stack still at {wrong} takes it."
        ),
        (Style::Plain, Consequence::Taken(TsVal(tsval))) => format!(
            "Probe: TSval {tsval} lies between {right} and {wrong}. TS.Recent is {right} on a right stack, which \
             takes the octet; a stack already at {wrong} refuses it as old."
        ),
    }
}

/// Before the answer to the probe.
pub(super) fn probe_answer(export: &Export<'_>, taken: bool, seq: u32) -> String {
    let (right, wrong) = if taken {
        (seq + 1, seq)
    } else {
        (seq, seq + 1)
    };
    match (export.style, export.expect) {
        (Style::Kselftest, _) => String::new(),
        (Style::Plain, Expect::Observed) => format!("Right would be ack {right}."),
        (Style::Plain, Expect::Right) => {
            format!("FAILS HERE on a stack with the fault: it sends ack {wrong}.")
        }
    }
}

/// In the place of a probe that cannot be.
pub(super) fn no_probe() -> String {
    "No probe follows: no later segment would be treated differently because of this echo."
        .to_owned()
}

/// Before the octet that ends at the edge.
pub(super) fn edge(edge: u32) -> String {
    format!("The octet that ends at the edge, {edge}, is inside the window and must be kept.")
}

/// Before the fence.
pub(super) fn fence(export: &Export<'_>) -> String {
    match export.style {
        Style::Kselftest => "An old octet draws exactly one ACK.",
        Style::Plain => {
            "Fence: an old octet draws exactly one acknowledgement, so a packet too many before it would show."
        }
    }
    .to_owned()
}

/// A paragraph with its label to the left; nothing if there is no text.
fn labelled(label: &str, text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    wrapped(WIDTH - INDENT, text)
        .into_iter()
        .enumerate()
        .map(|(index, line)| {
            let label = if index == 0 { label } else { "" };
            format!("{label:INDENT$}{line}")
        })
        .collect()
}
