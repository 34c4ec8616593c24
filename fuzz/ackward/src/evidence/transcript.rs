//! What happened, for a terminal: the packets with the diverging one marked, and below it what is wrong and why.
//! Laid out as compilers lay out errors.

use std::fmt::Write;

use ackward_model::{Event, Origin, Trace};
use ackward_oracle::{Diagnosis, Divergence, EventKind};
use ackward_packetdrill::wrapped;
use ackward_stacks::KernelWords;

use super::notation::Notation;
use crate::finding::Finding;

/// Notes are wrapped at this column.
const WIDTH: usize = 96;

/// Whether a transcript is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// ANSI escapes.
    Ansi,
    /// Plain text.
    Plain,
}

/// The transcript of `finding`, in plain text.
pub fn transcript(finding: &Finding) -> String {
    transcript_in(Colour::Plain, finding)
}

/// The same, in colour if wanted.
pub fn transcript_in(colour: Colour, finding: &Finding) -> String {
    let (trace, divergence) = (&finding.trace, &finding.divergence);
    let words = finding.words.as_ref();
    let mut page = Page {
        colour,
        text: String::new(),
    };
    let rule = divergence.rule.id;
    page.line(
        Ink::Bad,
        &format!("{}: {} (rule {rule})", finding.class, finding.root),
    );
    page.line(
        Ink::Quiet,
        &format!("  in {} ({})", divergence.state, divergence.kind),
    );
    page.line(Ink::Plain, "");
    page.packets(trace, divergence, words);
    page.line(Ink::Plain, "");
    page.notes(divergence, words);
    page.text
}

/// The event that a reader should look at: the diverging one, and for a silence the segment that was left unanswered.
pub(super) fn marked(trace: &Trace, divergence: &Divergence) -> usize {
    let segment = |index: &usize| matches!(trace.entries[*index].event, Event::In(..));
    let reasons = divergence.why.iter().map(|(event, _)| *event);
    let unanswered = (divergence.kind == EventKind::Silence)
        .then(|| reasons.filter(segment).max())
        .flatten();
    unanswered.unwrap_or(divergence.entry)
}

/// How a piece of text is coloured.
#[derive(Clone, Copy)]
enum Ink {
    Plain,
    Quiet,
    Note,
    Bad,
    Good,
}

struct Page {
    colour: Colour,
    text: String,
}

impl Page {
    fn line(&mut self, ink: Ink, text: &str) {
        let code = match ink {
            Ink::Plain => "",
            Ink::Quiet => "2",
            Ink::Note => "36",
            Ink::Bad => "1;31",
            Ink::Good => "32",
        };
        // Writing to a string cannot fail.
        let _ = if self.colour == Colour::Plain || code.is_empty() {
            writeln!(self.text, "{text}")
        } else {
            writeln!(self.text, "\x1b[{code}m{text}\x1b[0m")
        };
    }

    fn packets(&mut self, trace: &Trace, divergence: &Divergence, words: Option<&KernelWords>) {
        let notation = Notation::of(trace);
        let mut injected = 0;
        let mut call = String::new();
        let mut said = String::new();
        let marked = marked(trace, divergence);
        for (index, entry) in trace.entries.iter().enumerate() {
            let Some(mut text) = notation.event(&entry.event) else {
                continue;
            };
            match &entry.event {
                // A call is shown with what it returned.
                Event::Call(_) => {
                    call = text;
                    continue;
                }
                Event::Return(_) => text = format!("{call} {text}"),
                // What the stack says of itself is shown where it counts and when it changes.
                Event::Sample(_) => {
                    let counts = divergence.kind == EventKind::Inspection;
                    if !counts || text == said && index != marked {
                        continue;
                    }
                    said.clone_from(&text);
                }
                _ => {}
            }
            let (mark, ink) = if index == marked {
                (">>>", Ink::Bad)
            } else {
                ("", Ink::Plain)
            };
            self.line(
                ink,
                &format!("{mark:3} {:>9.6} {text}", entry.at as f64 / 1e6),
            );
            let reasons = divergence.why.iter().filter(|(event, _)| *event == index);
            for (_, reason) in reasons {
                self.line(Ink::Note, &format!("{:14}^ why: {reason}", ""));
            }
            if let Event::In(_, origin) = entry.event {
                if origin == Origin::Reveal {
                    let reveal = "no part of the scenario: it makes the stack show its state";
                    self.line(Ink::Quiet, &format!("{:14}^ {reveal}", ""));
                }
                let word = words.and_then(|words| words.segments.get(injected));
                if let Some(word) = word.filter(|word| word.as_str() != "not dropped") {
                    self.line(Ink::Note, &format!("{:14}^ the kernel says: {word}", ""));
                }
                injected += 1;
            }
            if index == marked {
                self.line(
                    Ink::Good,
                    &format!("{:14}^ right here: {}", "", divergence.allowed),
                );
                self.line(
                    Ink::Bad,
                    &format!("{:14}^ seen here:  {}", "", divergence.observed),
                );
            }
        }
    }

    fn notes(&mut self, divergence: &Divergence, words: Option<&KernelWords>) {
        let rule = divergence.rule;
        let (cause, impact) = match divergence.diagnosis {
            Diagnosis::ExplainedBy(deviation) => (deviation.summary, Some(deviation.impact)),
            Diagnosis::Unexplained(_) => ("no single known deviation explains it", None),
        };
        let mut notes = vec![
            (rule.citation.to_owned(), rule.statement),
            ("the stack".to_owned(), cause),
        ];
        notes.extend(impact.map(|impact| ("impact".to_owned(), impact)));
        for (label, text) in &notes {
            for (index, line) in wrapped(WIDTH, &format!("{label}: {text}"))
                .iter()
                .enumerate()
            {
                let mark = if index == 0 { "=" } else { "" };
                self.line(Ink::Plain, &format!("  {mark:1} {line}"));
            }
        }
        if let Some(words) = words {
            if words.segments.iter().all(|word| word == "not dropped") && !words.segments.is_empty()
            {
                self.line(
                    Ink::Plain,
                    "  = the kernel: it dropped none of these segments",
                );
            }
            for line in &words.log {
                self.line(Ink::Bad, &format!("  = the kernel's log: {line}"));
            }
        }
    }
}
