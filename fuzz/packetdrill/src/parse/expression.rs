//! How the arguments of system calls are read.
//! The C notation of packetdrill's grammar, nested to a bounded depth.

use winnow::Parser;
use winnow::combinator::{cut_err, delimited, opt, peek, preceded, repeat, separated};
use winnow::error::{StrContext, StrContextValue};
use winnow::stream::Stream;
use winnow::token::any;

use super::token::{self, Input, Read, space, symbol, wrong};
use crate::ast::Expression;

/// Deeper than any structure of a system call.
const DEEPEST: u32 = 16;

/// The only words with arguments of their own; behind all others, parentheses hold a note.
const MACROS: [&str; 5] = ["htons", "inet_addr", "inet6_addr", "msg_name", "msg_iov"];

/// `(a, b)`.
pub(super) fn arguments(input: &mut Input<'_>) -> Read<Vec<Expression>> {
    list(input, "(", ")", 0)
}

/// An expression, and the space behind it.
pub(super) fn expression(input: &mut Input<'_>) -> Read<Expression> {
    nested(input, 0)
}

/// A name, which begins with a letter, and the space behind it.
pub(super) fn name(input: &mut Input<'_>) -> Read<String> {
    let name = token::word.verify(|word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic()));
    let (name, ()) = (name, space).parse_next(input)?;
    Ok(name.to_owned())
}

fn nested(input: &mut Input<'_>, depth: u32) -> Read<Expression> {
    if depth > DEEPEST {
        return wrong("this is nested too deeply");
    }
    let first = primary(input, depth)?;
    let named = matches!(first, Expression::Word(_) | Expression::Apply(..));
    if named && opt(symbol("=")).parse_next(input)?.is_some() {
        let value = cut_err(|input: &mut _| nested(input, depth + 1)).parse_next(input)?;
        return Ok(Expression::Field(Box::new(first), Box::new(value)));
    }
    let more = preceded(symbol("|"), cut_err(|input: &mut _| primary(input, depth)));
    let more: Vec<Expression> = repeat(0.., more).parse_next(input)?;
    Ok(if more.is_empty() {
        first
    } else {
        Expression::Or(std::iter::once(first).chain(more).collect())
    })
}

fn primary(input: &mut Input<'_>, depth: u32) -> Read<Expression> {
    match opt(peek(any)).parse_next(input)? {
        Some('"') => text(input),
        Some('[') => list(input, "[", "]", depth).map(Expression::Array),
        Some('{') => list(input, "{", "}", depth).map(Expression::Structure),
        Some('.') => symbol("...")
            .context(StrContext::Expected(StrContextValue::Description("`...`")))
            .value(Expression::Ellipsis)
            .parse_next(input),
        _ => word(input, depth),
    }
}

fn list(
    input: &mut Input<'_>,
    open: &'static str,
    close: &'static str,
    depth: u32,
) -> Read<Vec<Expression>> {
    let between = match close {
        ")" => "`,` or `)`",
        "]" => "`,` or `]`",
        _ => "`,` or `}`",
    };
    let close =
        cut_err(symbol(close).context(StrContext::Expected(StrContextValue::Description(between))));
    let open = symbol(open).context(StrContext::Expected(StrContextValue::Description(
        "`(` and the arguments of the call",
    )));
    let parts = separated(0.., |input: &mut _| nested(input, depth + 1), symbol(","));
    delimited(open, parts, close).parse_next(input)
}

fn text(input: &mut Input<'_>) -> Read<Expression> {
    let pieces: Vec<String> = repeat(1.., token::quoted.map(str::to_owned)).parse_next(input)?;
    if pieces.len() == 1 && opt(symbol("...")).parse_next(input)?.is_some() {
        return Ok(Expression::Beginning(pieces.concat()));
    }
    Ok(Expression::Text(pieces))
}

/// A number or a name, with the arguments of a macro.
fn word(input: &mut Input<'_>, depth: u32) -> Read<Expression> {
    let start = input.checkpoint();
    let text = (opt('-'), token::word)
        .take()
        .context(StrContext::Expected(StrContextValue::Description(
            "a value",
        )))
        .parse_next(input)?;
    let value = value(text);
    let Some(value) = value else {
        input.reset(&start);
        return wrong("this number needs more than 64 bits");
    };
    space.parse_next(input)?;
    match value {
        Expression::Word(name) if MACROS.contains(&name.as_str()) && input.starts_with('(') => {
            Ok(Expression::Apply(name, list(input, "(", ")", depth)?))
        }
        value => Ok(value),
    }
}

/// What a word is; `None` for a number that is too large.
fn value(text: &str) -> Option<Expression> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok().map(Expression::Integer);
    }
    if let Some(digits) = text.strip_prefix("0x")
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    {
        let value = u64::from_str_radix(digits, 16);
        return value.ok().map(Expression::Hexadecimal);
    }
    Some(Expression::Word(text.to_owned()))
}
