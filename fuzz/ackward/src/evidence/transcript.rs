//! What happened, for a terminal: the packets with the diverging one marked, and below it what is wrong and why.
//! Laid out as compilers lay out errors.

use ackward_model::{Event, Origin, Trace};
use ackward_oracle::{Diagnosis, Divergence, EventKind};
use ackward_packetdrill::wrapped;
use ackward_stacks::KernelWords;

use super::notation::Notation;
use crate::finding::Finding;

/// Notes are wrapped at this column.
const WIDTH: usize = 96;

/// The transcript of `finding`.
pub fn transcript(finding: &Finding) -> String {
    let (trace, divergence) = (&finding.trace, &finding.divergence);
    let words = finding.words.as_ref();
    let mut page = Page(String::new());
    let rule = divergence.rule.id;
    page.line(&format!(
        "{}: {} (rule {rule})",
        finding.class, finding.root
    ));
    page.line(&format!("  in {} ({})", divergence.state, divergence.kind));
    page.line("");
    page.packets(trace, divergence, words);
    page.line("");
    page.notes(divergence, words);
    page.0
}

/// What happened in `trace`, in which nothing is wrong.
pub fn conversation(trace: &Trace) -> String {
    let notation = Notation::of(trace);
    let mut page = Page(String::new());
    let mut call = String::new();
    for entry in &trace.entries {
        let Some(mut text) = notation.event(&entry.event) else {
            continue;
        };
        match &entry.event {
            Event::Sample(_) => continue,
            Event::Call(_) => {
                call = text;
                continue;
            }
            Event::Return(_) => text = format!("{call} {text}"),
            _ => {}
        }
        page.line(&format!("    {:>9.6} {text}", entry.at as f64 / 1e6));
    }
    page.0
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

struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
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
            let mark = if index == marked { ">>>" } else { "" };
            self.line(&format!("{mark:3} {:>9.6} {text}", entry.at as f64 / 1e6));
            let reasons = divergence.why.iter().filter(|(event, _)| *event == index);
            for (_, reason) in reasons {
                self.line(&format!("{:14}^ why: {reason}", ""));
            }
            if let Event::In(_, origin) = entry.event {
                if origin == Origin::Reveal {
                    let reveal = "no part of the scenario: it makes the stack show its state";
                    self.line(&format!("{:14}^ {reveal}", ""));
                }
                let word = words.and_then(|words| words.segments.get(injected));
                if let Some(word) = word.filter(|word| word.as_str() != "not dropped") {
                    self.line(&format!("{:14}^ the kernel says: {word}", ""));
                }
                injected += 1;
            }
            if index == marked {
                self.line(&format!("{:14}^ right here: {}", "", divergence.allowed));
                self.line(&format!("{:14}^ seen here:  {}", "", divergence.observed));
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
                self.line(&format!("  {mark:1} {line}"));
            }
        }
        if let Some(words) = words {
            if words.segments.iter().all(|word| word == "not dropped") && !words.segments.is_empty()
            {
                self.line("  = the kernel: it dropped none of these segments");
            }
            for line in &words.log {
                self.line(&format!("  = the kernel's log: {line}"));
            }
        }
    }
}
