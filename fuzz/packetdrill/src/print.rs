//! How a script is written: exactly the dialect, times aligned, one event a line.
//! Column of times as in packetdrill's own scripts.

use std::fmt::{self, Display, Formatter};

use ackward_model::Micros;

use crate::ast::{
    Action, Event, Item, Packet, PacketOption, PacketOptions, Script, SystemCall, SystemResult,
    Time,
};

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
            .try_for_each(|item| f.write_str(&item_text(item)))
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
        write!(f, "{:>5} {}", self.time.to_string(), self.action)
    }
}

impl Display for Time {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Time::Start => f.write_str("0"),
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
            Action::Call(call) => write!(f, "{call}"),
            Action::Shell(command) => write!(f, "`{command}`"),
            Action::Code(code) => write!(f, "%{{ {code} }}%"),
        }
    }
}

impl Display for Packet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Packet {
            flags,
            seq,
            len,
            ack,
            window,
            urgent,
            options,
        } = self;
        let end = seq.wrapping_add(u32::from(*len));
        write!(f, "{flags} {seq}:{end}({len})")?;
        for (name, value) in [
            ("ack", *ack),
            ("win", window.map(u32::from)),
            ("urg", urgent.map(u32::from)),
        ] {
            if let Some(value) = value {
                write!(f, " {name} {value}")?;
            }
        }
        write!(f, "{options}")
    }
}

/// With a space before it, since there may be nothing to write.
impl Display for PacketOptions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PacketOptions::Unchecked => f.write_str(" <...>"),
            PacketOptions::Exactly(options) if options.is_empty() => Ok(()),
            PacketOptions::Exactly(options) => {
                let options: Vec<String> = options.iter().map(ToString::to_string).collect();
                write!(f, " <{}>", options.join(","))
            }
        }
    }
}

impl Display for PacketOption {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PacketOption::EndOfList => f.write_str("eol"),
            PacketOption::NoOperation => f.write_str("nop"),
            PacketOption::MaximumSegmentSize(mss) => write!(f, "mss {mss}"),
            PacketOption::WindowScale(shift) => write!(f, "wscale {shift}"),
            PacketOption::SackPermitted => f.write_str("sackOK"),
            PacketOption::Sack(blocks) => {
                f.write_str("sack")?;
                blocks
                    .iter()
                    .try_for_each(|(left, right)| write!(f, " {left}:{right}"))
            }
            PacketOption::Timestamps { tsval, tsecr } => write!(f, "TS val {tsval} ecr {tsecr}"),
        }
    }
}

impl Display for SystemCall {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}) = ", self.name, self.arguments)?;
        match self.result {
            SystemResult::Value(value) => write!(f, "{value}"),
            SystemResult::Error(errno) => write!(f, "-1 {errno}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ackward_model::Flags;

    #[test]
    fn times_are_short_and_aligned() {
        let printed = |time: Time| {
            Event {
                time,
                action: Action::Shell("true".to_owned()),
            }
            .to_string()
        };
        assert_eq!(printed(Time::Start), "    0 `true`");
        assert_eq!(printed(Time::After(0)), "   +0 `true`");
        assert_eq!(printed(Time::After(40_000)), " +.04 `true`");
        assert_eq!(printed(Time::Within(0, 1_500_000)), "+0~+1.5 `true`");
    }

    #[test]
    fn a_segment_prints_as_packetdrill_reads_it() {
        let packet = Packet {
            flags: Flags::PSH | Flags::ACK,
            seq: 1,
            len: 17,
            ack: Some(1),
            window: Some(20_000),
            urgent: None,
            options: PacketOptions::Exactly(vec![
                PacketOption::NoOperation,
                PacketOption::NoOperation,
                PacketOption::Timestamps {
                    tsval: 3000,
                    tsecr: 100,
                },
            ]),
        };
        assert_eq!(
            packet.to_string(),
            "P. 1:18(17) ack 1 win 20000 <nop,nop,TS val 3000 ecr 100>"
        );
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
            added_segments: 0,
        };
        let line = script.failing_line().expect("a line was named");
        let printed = script.to_string();
        assert_eq!(printed.lines().nth(line - 1), Some("   +0 `false`"));
    }
}
