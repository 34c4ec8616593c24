//! The smallest pieces of a script, and the space between them.
//! Packetdrill's lexer.

use winnow::combinator::{alt, cut_err, delimited, opt, preceded, repeat, terminated};
use winnow::error::{ContextError, ErrMode, FromExternalError, StrContext, StrContextValue};
use winnow::stream::LocatingSlice;
use winnow::token::{any, none_of, take_until, take_while};
use winnow::{ModalResult, Parser};

/// What is left to read.
pub(super) type Input<'a> = LocatingSlice<&'a str>;

/// What a piece of the grammar yields.
pub(super) type Read<T> = ModalResult<T>;

/// What is well-formed and yet cannot be.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Wrong(String);

/// Ends reading with this message.
pub(super) fn wrong<T>(message: impl Into<String>) -> Read<T> {
    let input = LocatingSlice::new("");
    let error = ContextError::from_external_error(&input, Wrong(message.into()));
    Err(ErrMode::Cut(error))
}

/// Ends reading with the message that this belongs here.
pub(super) fn expected<T>(what: &'static str, input: &mut Input<'_>) -> Read<T> {
    cut_err(
        winnow::combinator::fail.context(StrContext::Expected(StrContextValue::Description(what))),
    )
    .parse_next(input)
}

/// Blanks, ends of lines and comments.
pub(super) fn space(input: &mut Input<'_>) -> Read<()> {
    let blanks = take_while(1.., [' ', '\t', '\r', '\n']).void();
    let line = ("//", take_while(0.., |c| c != '\n')).void();
    let block = (
        "/*",
        cut_err((take_until(0.., "*/"), "*/").context(StrContext::Expected(
            StrContextValue::Description("the end of this comment"),
        ))),
    )
        .void();
    repeat(0.., alt((blanks, line, block))).parse_next(input)
}

/// This text, and the space behind it.
pub(super) fn symbol<'a>(
    text: &'static str,
) -> impl Parser<Input<'a>, &'a str, ErrMode<ContextError>> {
    terminated(text, space)
}

/// This word, whole, and the space behind it.
pub(super) fn keyword<'a>(
    text: &'static str,
) -> impl Parser<Input<'a>, &'a str, ErrMode<ContextError>> {
    terminated(word.verify(move |word: &str| word == text), space)
}

/// Letters, digits and underscores; the space behind is left.
pub(super) fn word<'a>(input: &mut Input<'a>) -> Read<&'a str> {
    take_while(1.., |c: char| c.is_ascii_alphanumeric() || c == '_').parse_next(input)
}

/// `12`, `1.5`, `.5`.
pub(super) fn decimal<'a>(input: &mut Input<'a>) -> Read<&'a str> {
    let digits = |least| take_while(least.., |c: char| c.is_ascii_digit());
    alt(((digits(0), '.', digits(1)).take(), digits(1))).parse_next(input)
}

/// An address of either family, or a word, or a number.
pub(super) fn address_or_word<'a>(input: &mut Input<'a>) -> Read<&'a str> {
    take_while(1.., |c: char| {
        c.is_ascii_alphanumeric() || "_.:-/".contains(c)
    })
    .parse_next(input)
}

/// A number of this many bits, and the space behind it.
pub(super) fn number<'a>(
    bits: u32,
    what: &'static str,
) -> impl Parser<Input<'a>, u32, ErrMode<ContextError>> {
    let digits = cut_err(
        (opt('-'), take_while(1.., |c: char| c.is_ascii_digit()))
            .take()
            .context(StrContext::Expected(StrContextValue::Description(what))),
    );
    let fits = move |digits: &str| {
        let most = u32::MAX >> (32 - bits);
        let value: Option<u32> = digits.parse().ok().filter(|value| *value <= most);
        value.ok_or_else(|| Wrong(format!("{what} is a number from 0 to {most}")))
    };
    terminated(cut_err(digits.try_map(fits)), space)
}

/// A number in hexadecimal (`0x28`) of this many bits, and the space behind it.
pub(super) fn hexadecimal<'a>(
    bits: u32,
    what: &'static str,
) -> impl Parser<Input<'a>, u32, ErrMode<ContextError>> {
    let digits = preceded("0x", take_while(1..=8, |c: char| c.is_ascii_hexdigit()))
        .context(StrContext::Expected(StrContextValue::Description(what)));
    let fits = move |digits: &str| {
        let most = u32::MAX >> (32 - bits);
        let value = u32::from_str_radix(digits, 16).ok();
        value
            .filter(|value| *value <= most)
            .ok_or_else(|| Wrong(format!("{what} is a number from 0x0 to {most:#x}")))
    };
    terminated(cut_err(digits.try_map(fits)), space)
}

/// The text between quotes, escapes as they are, and the space behind it.
pub(super) fn quoted<'a>(input: &mut Input<'a>) -> Read<&'a str> {
    terminated(delimited('"', inner('"'), end('"')), space).parse_next(input)
}

/// The same with its quotes, and without the space.
pub(super) fn quoted_whole<'a>(input: &mut Input<'a>) -> Read<&'a str> {
    delimited('"', inner('"'), end('"'))
        .take()
        .parse_next(input)
}

/// The command between backquotes, and the space behind it.
pub(super) fn backquoted<'a>(input: &mut Input<'a>) -> Read<&'a str> {
    terminated(delimited('`', inner('`'), end('`')), space).parse_next(input)
}

/// The same with its backquotes, and without the space.
pub(super) fn backquoted_whole<'a>(input: &mut Input<'a>) -> Read<&'a str> {
    delimited('`', inner('`'), end('`'))
        .take()
        .parse_next(input)
}

fn inner<'a>(quote: char) -> impl Parser<Input<'a>, &'a str, ErrMode<ContextError>> {
    let escaped = ('\\', any).void();
    let plain = none_of(['\\', quote]).void();
    repeat::<_, _, (), _, _>(0.., alt((plain, escaped))).take()
}

fn end<'a>(quote: char) -> impl Parser<Input<'a>, char, ErrMode<ContextError>> {
    cut_err(
        quote.context(StrContext::Expected(StrContextValue::Description(
            "the closing quote",
        ))),
    )
}

/// The code between `%{` and `}%`, without blanks at its ends, and the space behind it.
pub(super) fn code<'a>(input: &mut Input<'a>) -> Read<&'a str> {
    let end = cut_err(
        "}%".context(StrContext::Expected(StrContextValue::Description(
            "the end of the code (`}%`)",
        ))),
    );
    let code = delimited("%{", cut_err(take_until(0.., "}%")), end);
    terminated(code, space)
        .map(|code: &str| code.trim_matches([' ', '\t']))
        .parse_next(input)
}

/// What stands in parentheses for the reader, without them, and the space behind it.
pub(super) fn note(input: &mut Input<'_>) -> Read<String> {
    let words = take_while(0.., |c| !matches!(c, '(' | ')' | '\n'));
    let end = cut_err(
        ')'.context(StrContext::Expected(StrContextValue::Description(
            "the end of this note",
        ))),
    );
    terminated(delimited('(', words, end), space)
        .map(|note: &str| note.split_whitespace().collect::<Vec<_>>().join(" "))
        .parse_next(input)
}
