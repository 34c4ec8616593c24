//! What a script tells its reader: the fault, the line that fails, and why each added line is there.
//! The RFC is restated, never quoted.

use ackward_model::TsVal;

use super::numbers::Numbers;
use super::probe::Consequence;
use super::view::{sack, timestamps};
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
        ("The RFC:", header.statement.as_str()),
        ("This stack:", header.diagnosis.as_str()),
        ("Right here:", right(export)),
        ("Seen here:", header.observed.as_str()),
        ("Cost:", header.impact.as_str()),
        ("Rule:", header.rule.as_str()),
        ("Reach:", header.reach.as_str()),
        ("Settings:", header.settings.as_str()),
        ("Versions:", header.versions.as_str()),
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
        let reason = not_a_test(export, script).unwrap_or_default();
        return format!(
            "The script plays the conversation up to the event that is wrong and asserts nothing about it, so it passes \
             on a stack with this fault: {reason}."
        );
    };
    let how = match &export.subject {
        Subject::Echo { .. } if export.assert_echo => {
            "This needs a packetdrill that compares TSecr; others let the wrong echo pass."
        }
        Subject::Echo { .. } => {
            "packetdrill compares no TSecr, so the wrong echo itself passes; the probe turns it into a wrong \
             acknowledgment number."
        }
        Subject::BeyondWindow { .. } => {
            "packetdrill reports the SACK block that should not be there as a wrong packet length, and text \
             acknowledged past the edge as a wrong acknowledgment number."
        }
        Subject::Blocks { .. } | Subject::Unwanted(_) => {
            "packetdrill reports an option that should not be there as a wrong packet length."
        }
        Subject::MissingTimestamps => {
            "packetdrill reports an option that is missing as a wrong packet length."
        }
        Subject::Window { least } if *least < u16::MAX => {
            "A right stack may offer a larger window and then fails there too: packetdrill compares with one value, and \
             this is the smallest."
        }
        Subject::Silence => "The answer expected there never comes.",
        Subject::Report { .. } => "packetdrill evaluates it when the script is over.",
        Subject::Acknowledgment { .. }
        | Subject::Reset { .. }
        | Subject::Window { .. }
        | Subject::Other { .. } => "",
    };
    format!(
        "The values expected below are the right ones. Line {line} fails on a stack with this fault. {how}"
    )
}

/// Why the script is no test, if it is none: nothing in it can fail, or a right stack can.
pub(super) fn not_a_test(export: &Export<'_>, script: &Script) -> Option<String> {
    match &export.subject {
        Subject::Other { reason } => Some(reason.clone()),
        Subject::Window { least } if *least < u16::MAX => Some(
            "a right stack may offer a larger window, and packetdrill compares with one value"
                .to_owned(),
        ),
        Subject::Echo { .. } if script.fails_at.is_none() => {
            Some("packetdrill compares no TSecr, and nothing else follows from this one".to_owned())
        }
        _ => None,
    }
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
                Style::Plain => {
                    format!("The echo must be {right}; a stack with the fault sends {wrong}.")
                }
            }
        }
        Subject::BeyondWindow { .. } if export.style == Style::Kselftest => String::new(),
        Subject::BeyondWindow { .. } => {
            let right = if sack(packet).is_empty() {
                "a bare acknowledgment"
            } else {
                "an acknowledgment that leaves them out"
            };
            format!(
                "FAILS HERE on a stack with the fault, which keeps those octets: {right} is right."
            )
        }
        Subject::Other { .. } => unchecked(export),
        _ => fails_here(export),
    }
}

/// What would be right at the diverging event. The oracle names the field that is wrong, even where the whole segment is.
fn right<'a>(export: &'a Export<'_>) -> &'a str {
    match &export.subject {
        Subject::Reset { .. } => {
            "a RST whose sequence number is what the segment before it acknowledges"
        }
        _ => &export.header.allowed,
    }
}

/// Before a line that names the right value itself.
pub(super) fn fails_here(export: &Export<'_>) -> String {
    let observed = &export.header.observed;
    let right = match &export.subject {
        Subject::Window { least: u16::MAX } => format!("Right: win {}.", u16::MAX),
        Subject::Window { least } => format!("Right: win {least} or more."),
        _ => format!("Right: {}.", right(export).trim_end_matches('.')),
    };
    match export.style {
        Style::Kselftest => right,
        Style::Plain => format!(
            "FAILS HERE on a stack with the fault. {right} Seen: {}.",
            observed.trim_end_matches('.')
        ),
    }
}

/// Before the answer that never came.
pub(super) fn missing_answer(export: &Export<'_>) -> String {
    match export.style {
        Style::Kselftest => "The segment is owed an answer.",
        Style::Plain => {
            "FAILS HERE on a stack with the fault: the segment is owed an answer, and none comes."
        }
    }
    .to_owned()
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
             refuses the segment as old; a stack still at {wrong} takes it."
        ),
        (Style::Plain, Consequence::Taken(TsVal(tsval))) => format!(
            "Probe: TSval {tsval} lies between {right} and {wrong}. TS.Recent is {right} on a right stack, which \
             takes the segment; a stack already at {wrong} refuses it as old."
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
            "Fence: an old octet draws exactly one acknowledgment, so a packet too many before it would show."
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
