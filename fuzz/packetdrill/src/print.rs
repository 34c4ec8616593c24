//! How a script is written: exactly the dialect, times aligned, one event a line.
//! Column of times as in packetdrill's own scripts.

mod expression;
mod packet;

use std::fmt::{self, Display, Formatter};

use ackward_model::Micros;

use crate::ast::{Action, Event, Item, Script, SystemCall, SystemResult, Time};

/// Comments are wrapped at this column.
const WIDTH: usize = 100;

impl Script {
    /// The line, counted from 1, that fails on a stack with the fault.
    pub fn failing_line(&self) -> Option<usize> {
        let place = self.fails_at?;
        let before: String = self.items[..place].iter().map(item_text).collect();
        Some(self.preamble().lines().count() + before.lines().count() + 1)
    }

    /// Everything before the first item.
    fn preamble(&self) -> String {
        let mut text = String::new();
        for line in &self.header {
            text.push_str(format!("// {line}").trim_end());
            text.push('\n');
        }
        if !self.options.is_empty() && !self.header.is_empty() {
            text.push('\n');
        }
        for option in &self.options {
            text.push_str(option);
            text.push('\n');
        }
        if !self.init.is_empty() {
            text.push_str(&format!("\n`{}`\n", self.init.join("\n")));
        }
        text.push('\n');
        text
    }
}

impl Display for Script {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.preamble())?;
        self.items
            .iter()
            .try_for_each(|item| f.write_str(&item_text(item)))?;
        match &self.cleanup {
            Some(command) => writeln!(f, "\n`{command}`"),
            None => Ok(()),
        }
    }
}

fn item_text(item: &Item) -> String {
    match item {
        Item::Blank => "\n".to_owned(),
        Item::Comment(text) => wrapped(WIDTH - "// ".len(), text)
            .into_iter()
            .map(|line| format!("// {line}\n"))
            .collect(),
        Item::Event(event) => format!("{event}\n"),
    }
}

/// `text` as lines of at most `width` columns, broken between words.
pub fn wrapped(width: usize, text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a last line");
        if !line.is_empty() && line.len() + 1 + word.len() > width {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

impl Display for Event {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut time = self.time.to_string();
        if let Action::Call(call) = &self.action
            && let Some(until) = call.until
        {
            time.push_str(&format!("...{}", seconds(until)));
        }
        write!(f, "{time:>5} {}", self.action)
    }
}

impl Display for Time {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Time::At(time) => f.write_str(&seconds(*time)),
            Time::Between(first, last) => write!(f, "{}~{}", seconds(*first), seconds(*last)),
            Time::Any => f.write_str("*"),
            Time::After(delay) => write!(f, "+{}", seconds(*delay)),
            Time::Within(first, last) => write!(f, "+{}~+{}", seconds(*first), seconds(*last)),
        }
    }
}

/// Seconds without needless zeros: `0`, `.04`, `1.5`.
fn seconds(time: Micros) -> String {
    let (whole, fraction) = (time / 1_000_000, time % 1_000_000);
    if fraction == 0 {
        return whole.to_string();
    }
    let fraction = format!("{fraction:06}");
    let whole = if whole == 0 {
        String::new()
    } else {
        whole.to_string()
    };
    format!("{whole}.{}", fraction.trim_end_matches('0'))
}

impl Display for Action {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Action::In(packet) => write!(f, "< {packet}"),
            Action::Out(packet) => write!(f, "> {packet}"),
            Action::Icmp(message) => write!(f, "< {message}"),
            Action::Udp(injected, octets) => {
                write!(f, "{} udp ({octets})", if *injected { '<' } else { '>' })
            }
            Action::Call(call) => write!(f, "{call}"),
            Action::Shell(command) => write!(f, "`{command}`"),
            Action::Code(code) => write!(f, "%{{ {code} }}%"),
        }
    }
}

impl Display for SystemCall {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let arguments = expression::joined(&self.arguments, ", ");
        write!(f, "{}({arguments}) = {}", self.name, self.result)
    }
}

impl Display for SystemResult {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.value)?;
        if let Some(errno) = &self.errno {
            write!(f, " {errno}")?;
        }
        match &self.note {
            Some(note) => write!(f, " ({note})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short_and_aligned() {
        let printed = |time: Time| {
            Event {
                time,
                action: Action::Shell("true".to_owned()),
            }
            .to_string()
        };
        assert_eq!(printed(Time::At(0)), "    0 `true`");
        assert_eq!(printed(Time::After(0)), "   +0 `true`");
        assert_eq!(printed(Time::After(40_000)), " +.04 `true`");
        assert_eq!(printed(Time::Within(0, 1_500_000)), "+0~+1.5 `true`");
        assert_eq!(printed(Time::Between(0, 1_500_000)), "0~1.5 `true`");
        assert_eq!(printed(Time::Any), "    * `true`");
    }

    #[test]
    fn the_failing_line_is_counted_in_what_is_printed() {
        let event = |command: &str| {
            Item::Event(Event {
                time: Time::After(0),
                action: Action::Shell(command.to_owned()),
            })
        };
        let script = Script {
            header: vec!["one".to_owned(), String::new()],
            options: vec!["--mtu=1520".to_owned()],
            init: vec!["first".to_owned(), "second".to_owned()],
            items: vec![
                event("true"),
                Item::Blank,
                Item::Comment("word ".repeat(40)),
                event("false"),
            ],
            fails_at: Some(3),
            ..Script::default()
        };
        let line = script.failing_line().expect("a line was named");
        let printed = script.to_string();
        assert_eq!(printed.lines().nth(line - 1), Some("   +0 `false`"));
    }
}
