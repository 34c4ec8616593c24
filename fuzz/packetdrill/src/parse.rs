//! How a script is read: packetdrill's grammar, with what the FreeBSD scripts add.
//! Comments are for the reader and are not kept; nothing else is lost.

mod conditional;
mod expression;
mod packet;
mod token;

use ackward_model::Micros;
use winnow::Parser;
use winnow::combinator::{alt, cut_err, eof, opt, preceded, repeat};
use winnow::error::{ContextError, ErrMode, StrContext, StrContextValue};
use winnow::stream::{LocatingSlice, Location, Stream};

use crate::ast::{Action, Event, Item, Packet, Script, SystemCall, SystemResult, Time};
use token::{Input, Read, expected, space, symbol, wrong};

/// A script that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// What it says.
    pub script: Script,
    /// The line of each event, counted from 1, in the order of [`Script::events`].
    pub lines: Vec<u32>,
}

/// A script that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// Counted from 1.
    pub line: u32,
    /// In characters, counted from 1.
    pub column: u32,
    /// In octets, counted from 0, for who shows the place.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}

/// Reads a script. Takes time and memory in proportion to its length, whatever it holds.
///
/// Of the lines between `#ifdef NAME` and `#endif` only those for `STANDARD` count: what a stack does that follows the
/// RFCs to the letter.
pub fn parse(text: &str) -> Result<Parsed, ParseError> {
    let chosen = conditional::chosen(text);
    let text = &*chosen;
    let mut input = LocatingSlice::new(text);
    let lines = Lines::of(text);
    match script(&mut input) {
        Ok((script, starts)) => Ok(Parsed {
            script,
            lines: starts.iter().map(|start| lines.place(*start).0).collect(),
        }),
        Err(error) => {
            let offset = input.current_token_start();
            let (line, start) = lines.place(offset);
            Err(ParseError {
                line,
                column: text[start..offset].chars().count() as u32 + 1,
                offset,
                message: message(error, &text[offset..]),
            })
        }
    }
}

/// Where the lines of a text begin.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        let behind = text.match_indices('\n').map(|(place, _)| place + 1);
        Lines(std::iter::once(0).chain(behind).collect())
    }

    /// The line that an offset is in, counted from 1, and where it begins.
    fn place(&self, offset: usize) -> (u32, usize) {
        let line = self.0.partition_point(|start| *start <= offset);
        (line as u32, self.0[line - 1])
    }
}

fn message(error: ErrMode<ContextError>, rest: &str) -> String {
    let found = match rest.split_whitespace().next() {
        Some(word) => format!(
            "not `{}`",
            word.chars().take(20).collect::<String>().escape_debug()
        ),
        None => "but the script ends".to_owned(),
    };
    let Ok(error) = error.into_inner() else {
        return format!("something else belongs here, {found}");
    };
    if let Some(cause) = error.cause() {
        return cause.to_string();
    }
    let innermost = error.context().find_map(|context| match context {
        StrContext::Expected(StrContextValue::Description(what)) => Some(*what),
        _ => None,
    });
    let wanted = innermost.unwrap_or("something else");
    format!("{wanted} belongs here, {found}")
}

/// The script, and where its events begin.
fn script(input: &mut Input<'_>) -> Read<(Script, Vec<usize>)> {
    let options = preceded(space, repeat(0.., option)).parse_next(input)?;
    let init: Option<&str> = opt(token::backquoted).parse_next(input)?;
    let mut script = Script {
        options,
        init: init
            .map(|command| command.split('\n').map(str::to_owned).collect())
            .unwrap_or_default(),
        ..Script::default()
    };
    let mut starts = Vec::new();
    loop {
        let start = input.current_token_start();
        let Some(time) = opt(time).parse_next(input)? else {
            break;
        };
        script.items.push(Item::Event(event(input, time)?));
        starts.push(start);
    }
    if starts.is_empty() {
        return expected(
            "a time (`0`, `+.1`, `*`), and behind it the first event,",
            input,
        );
    }
    script.cleanup = opt(token::backquoted.map(str::to_owned)).parse_next(input)?;
    match eof::<_, ContextError>.parse_next(input) {
        Ok(_) => Ok((script, starts)),
        Err(_) if script.cleanup.is_some() => expected("nothing more", input),
        Err(_) => expected("a time (`+0`, `.1`, `*`)", input),
    }
}

/// `--name`, `--name=value`.
fn option(input: &mut Input<'_>) -> Read<String> {
    let name = preceded("--", cut_err(token::word));
    let pair = (token::word, '=', option_text).take();
    let value = alt((pair, token::quoted_whole, token::address_or_word));
    let value = opt(preceded(
        symbol("="),
        cut_err(value.context(described("a value"))),
    ));
    let (name, value) = (name, preceded(space, value)).parse_next(input)?;
    space.parse_next(input)?;
    Ok(match value {
        Some(value) => format!("--{name}={value}"),
        None => format!("--{name}"),
    })
}

fn option_text<'a>(input: &mut Input<'a>) -> Read<&'a str> {
    alt((token::quoted_whole, token::backquoted_whole, token::word)).parse_next(input)
}

fn described(what: &'static str) -> StrContext {
    StrContext::Expected(StrContextValue::Description(what))
}

/// When.
fn time(input: &mut Input<'_>) -> Read<Time> {
    if opt(symbol("*")).parse_next(input)?.is_some() {
        return Ok(Time::Any);
    }
    let relative = opt(symbol("+")).parse_next(input)?.is_some();
    let first = if relative {
        cut_err(seconds).parse_next(input)?
    } else {
        seconds(input)?
    };
    let start = input.checkpoint();
    if opt(symbol("~")).parse_next(input)?.is_none() {
        return Ok(if relative {
            Time::After(first)
        } else {
            Time::At(first)
        });
    }
    if relative {
        cut_err(symbol("+").context(described("`+`, as before the first of two times,")))
            .parse_next(input)?;
    }
    let last = cut_err(seconds).parse_next(input)?;
    if last < first {
        input.reset(&start);
        return wrong("the second of two times is not before the first");
    }
    Ok(if relative {
        Time::Within(first, last)
    } else {
        Time::Between(first, last)
    })
}

/// Seconds with a fraction, as microseconds; finer parts are left out.
fn seconds(input: &mut Input<'_>) -> Read<Micros> {
    let start = input.checkpoint();
    let text = token::decimal
        .context(described("a time in seconds"))
        .parse_next(input)?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let fraction = &fraction[..fraction.len().min(6)];
    let whole: Option<Micros> = match whole {
        "" => Some(0),
        // A life of a script, and then some.
        digits if digits.len() <= 9 => digits.parse().ok(),
        _ => None,
    };
    let Some(whole) = whole else {
        input.reset(&start);
        return wrong("a time is under a billion seconds, and not negative");
    };
    let fraction: Micros = format!("{fraction:0<6}").parse().unwrap_or(0);
    space.parse_next(input)?;
    Ok(whole * 1_000_000 + fraction)
}

/// What happens at `time`.
fn event(input: &mut Input<'_>, time: Time) -> Read<Event> {
    let start = input.checkpoint();
    let until = opt(preceded(symbol("..."), cut_err(seconds))).parse_next(input)?;
    let action = match until {
        Some(until) => Action::Call(
            cut_err(|input: &mut _| call(input, Some(until)))
                .context(described("the name of a system call"))
                .parse_next(input)?,
        ),
        None => cut_err(
            alt((
                packet::injected,
                packet::expected,
                token::backquoted.map(|command| Action::Shell(command.to_owned())),
                token::code.map(|code| Action::Code(code.to_owned())),
                (|input: &mut _| call(input, None)).map(Action::Call),
            ))
            .context(described(
                "a segment (`<`, `>`), a system call, a command (in backquotes) or `%{ code }%`",
            )),
        )
        .parse_next(input)?,
    };
    let awaited = matches!(action, Action::Out(Packet { .. }) | Action::Udp(false, _));
    let exact = matches!(time, Time::At(_) | Time::After(_));
    if !exact && !awaited {
        input.reset(&start);
        return wrong("only a segment that is awaited (`>`) may come at any time or within two");
    }
    Ok(Event { time, action })
}

/// `name(arguments) = value errno (note)`.
fn call(input: &mut Input<'_>, until: Option<Micros>) -> Read<SystemCall> {
    let name = token::word.parse_next(input)?.to_owned();
    space.parse_next(input)?;
    let arguments = cut_err(expression::arguments).parse_next(input)?;
    cut_err(symbol("=").context(described("`=` and what the call returns"))).parse_next(input)?;
    let value = cut_err(expression::expression).parse_next(input)?;
    let errno = opt(expression::name).parse_next(input)?;
    let notes: Vec<String> = repeat(0..=2, token::note).parse_next(input)?;
    Ok(SystemCall {
        until,
        name,
        arguments,
        result: SystemResult {
            value,
            errno,
            note: (!notes.is_empty()).then(|| notes.join(") (")),
        },
    })
}
