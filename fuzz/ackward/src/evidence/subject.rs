//! What a script holds against the stack: the field that is wrong at the diverging event, and its right value.
//!
//! The oracle hands over echoes and window edges as values. Of other fields it says what is right in words and in relative
//! numbers; those that name one right value are read here.

use ackward_model::{Event, Flags, Segment, Trace};
use ackward_oracle::{Divergence, EventKind, Facts};
use ackward_packetdrill::{OptionKind, Subject};

/// The subject of a script about `divergence`, which `trace` shows.
pub(super) fn subject(trace: &Trace, divergence: &Divergence) -> Subject {
    match &divergence.facts {
        Facts::Echo { allowed, observed } => Subject::Echo {
            allowed: allowed.clone(),
            observed: *observed,
        },
        Facts::BeyondWindow { edge, taken } => Subject::BeyondWindow {
            edge: *edge,
            taken: *taken,
        },
        Facts::Other => match divergence.kind {
            EventKind::Emission => field(trace, divergence).unwrap_or_else(|| {
                other("a right stack may do several things here, and no one line says them all")
            }),
            EventKind::Silence => Subject::Silence,
            EventKind::Call => {
                other("several results of the call would be right, and a script names one")
            }
            EventKind::Inspection => {
                other("only what the stack says about itself is wrong, and no packet shows it")
            }
        },
    }
}

/// The field of the diverging segment that is wrong, where one value is right.
fn field(trace: &Trace, divergence: &Divergence) -> Option<Subject> {
    let Event::Out(segment) = &trace.entries.get(divergence.entry)?.event else {
        return None;
    };
    // The oracle counts from the peer's initial number.
    let irs = peer_syn(trace)?.seq;
    match divergence.allowed.as_str() {
        "a timestamps option" => return Some(Subject::MissingTimestamps),
        "no timestamps option" => {
            return Some(unwanted(OptionKind::Timestamps, trace, segment));
        }
        "no window scale option" => {
            return Some(unwanted(OptionKind::WindowScale, trace, segment));
        }
        "no block but one that repeats what is acknowledged" => {
            return Some(Subject::Blocks { held: Vec::new() });
        }
        _ => {}
    }
    let words: Vec<&str> = divergence.allowed.split([' ', ',']).collect();
    match words.as_slice() {
        ["ack", right] => Some(Subject::Acknowledgment {
            right: irs + number(right)?,
        }),
        ["no", "SACK", "option", ..] => Some(Subject::Unwanted(vec![OptionKind::Sack])),
        ["blocks", "within", held @ ..] => {
            let range = |text: &&str| {
                let (left, right) = text.split_once(':')?;
                Some((irs + number(left)?, irs + number(right)?))
            };
            let held = held.iter().map(range).collect::<Option<_>>()?;
            Some(Subject::Blocks { held })
        }
        ["a", "right", "edge", "at", edge, ..] => {
            let granularity = number(words.iter().skip_while(|word| **word != "than").nth(1)?)?;
            let room = (irs + number(edge)?).distance_from(segment.ack);
            let least = u32::try_from(room).ok()? / granularity.max(1);
            Some(Subject::Window {
                least: u16::try_from(least).ok()?,
            })
        }
        _ => None,
    }
}

/// The options that the segment may not carry: `named`, and in a SYN,ACK all that the peer's SYN did not offer.
fn unwanted(named: OptionKind, trace: &Trace, segment: &Segment) -> Subject {
    let mut all = vec![named];
    if let (true, Some(syn)) = (segment.has(Flags::SYN), peer_syn(trace)) {
        if syn.options.window_scale().is_none() {
            all.push(OptionKind::WindowScale);
        }
        if syn.options.timestamps().is_none() {
            all.push(OptionKind::Timestamps);
        }
    }
    Subject::Unwanted(all)
}

fn peer_syn(trace: &Trace) -> Option<&Segment> {
    trace.entries.iter().find_map(|entry| match &entry.event {
        Event::In(segment, _) if segment.has(Flags::SYN) => Some(segment),
        _ => None,
    })
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok()
}

fn other(reason: &str) -> Subject {
    Subject::Other {
        reason: reason.to_owned(),
    }
}
