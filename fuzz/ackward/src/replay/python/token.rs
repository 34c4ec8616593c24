//! What the pieces of a block of Python are, or that they are of a kind which is not read here.

/// A piece of code.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'a> {
    /// A variable, a function or a key word.
    Name(&'a str),
    /// A whole number.
    Integer(i128),
    /// A number with a point or an exponent.
    Real(f64),
    /// A string.
    Text(String),
    /// An operator, a bracket or a comma.
    Symbol(&'static str),
    /// The end of a logical line.
    Newline,
}

/// All pieces of `code`; `None` where one is of another kind than those above, or where Python might see a mistake.
pub(super) fn tokens(code: &str) -> Option<Vec<Token<'_>>> {
    // For Python a lone carriage return ends a line, and a zero octet is a mistake, even in comments and strings.
    if code.contains('\0') || code.matches('\r').count() != code.matches("\r\n").count() {
        return None;
    }
    let mut tokens = Vec::new();
    let mut brackets = 0_usize;
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let starts_line = brackets == 0 && matches!(tokens.last(), None | Some(Token::Newline));
        let behind = &rest[first.len_utf8()..];
        rest = match first {
            ' ' | '\t' if starts_line => {
                let line = behind.trim_start_matches([' ', '\t']);
                // What is indented belongs to a compound statement, or is a mistake.
                if !line.is_empty() && !line.starts_with(['\r', '\n', '#']) {
                    return None;
                }
                line
            }
            ' ' | '\t' | '\r' => behind,
            '#' => &behind[behind.find('\n').unwrap_or(behind.len())..],
            '\n' => {
                if brackets == 0 {
                    tokens.push(Token::Newline);
                }
                behind
            }
            '\\' if !starts_line => behind
                .strip_prefix('\r')
                .unwrap_or(behind)
                .strip_prefix('\n')?,
            '\'' | '"' => {
                let (text, behind) = text(first, behind)?;
                tokens.push(Token::Text(text));
                behind
            }
            '.' | '0'..='9' => {
                let (number, behind) = number(rest)?;
                tokens.push(number);
                behind
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let (name, behind) = split(rest, |c| c.is_ascii_alphanumeric() || c == '_');
                // A string with a prefix, such as a formatted one.
                if behind.starts_with(['\'', '"']) {
                    return None;
                }
                tokens.push(Token::Name(name));
                behind
            }
            _ => {
                let symbol = *SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol))?;
                match symbol {
                    "(" => brackets += 1,
                    ")" => brackets = brackets.checked_sub(1)?,
                    _ => {}
                }
                tokens.push(Token::Symbol(symbol));
                &rest[symbol.len()..]
            }
        };
    }
    (brackets == 0).then_some(tokens)
}

/// The string that `quote` opened, and what is behind it.
fn text(quote: char, code: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut characters = code.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\n' => return None,
            '\\' => text.push(match characters.next()?.1 {
                'n' => '\n',
                't' => '\t',
                plain @ ('\\' | '\'' | '"') => plain,
                _ => return None,
            }),
            end if end == quote => {
                let behind = &code[at + 1..];
                // Either three quotes open a longer string, or two strings stand side by side and are one.
                return (!behind.starts_with(quote)).then_some((text, behind));
            }
            plain => text.push(plain),
        }
    }
    None
}

/// The number at the start of `code`, and what is behind it.
fn number(code: &str) -> Option<(Token<'static>, &str)> {
    let radix = match code.as_bytes() {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'b' | b'B', ..] => 2,
        _ => 10,
    };
    if radix != 10 {
        let (digits, behind) = split(&code[2..], |c| c.is_ascii_alphanumeric());
        let value = i128::from_str_radix(digits, radix).ok()?;
        return ends(behind).then_some((Token::Integer(value), behind));
    }
    let mut before = ' ';
    let (digits, behind) = split(code, |c| {
        let signed = matches!(before, 'e' | 'E') && matches!(c, '+' | '-');
        before = c;
        signed || c.is_ascii_alphanumeric() || c == '.'
    });
    let number = if digits.contains(['.', 'e', 'E']) {
        Token::Real(digits.parse().ok()?)
    } else if digits.len() > 1 && digits.starts_with('0') {
        return None;
    } else {
        Token::Integer(digits.parse().ok()?)
    };
    ends(behind).then_some((number, behind))
}

/// Whether a number may end in front of `behind`.
fn ends(behind: &str) -> bool {
    !behind.starts_with(['_', '.', '\'', '"'])
}

/// What `belongs` holds for from the start, and the rest.
fn split(code: &str, mut belongs: impl FnMut(char) -> bool) -> (&str, &str) {
    code.split_at(code.find(|c| !belongs(c)).unwrap_or(code.len()))
}

/// Longer ones first.
const SYMBOLS: &[&str] = &[
    "**=", "//=", "<<=", ">>=", "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "(", ")", ",", ";", "=", "<", ">", "+", "-", "*", "/", "%", "&",
    "|", "^", "~",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_on_in_brackets_and_behind_a_backslash() {
        let Some(tokens) = tokens("a = (1 +\n  2) \\\n  + 3 # b\n\n  # c\n\nd") else {
            unreachable!()
        };
        let names: Vec<_> = tokens
            .iter()
            .filter(|token| matches!(token, Token::Name(_)))
            .collect();
        assert_eq!(names, [&Token::Name("a"), &Token::Name("d")]);
        assert_eq!(
            tokens
                .iter()
                .filter(|token| **token == Token::Newline)
                .count(),
            4
        );
    }

    #[test]
    fn numbers_are_read_as_python_reads_them() {
        let read = |code| tokens(code).map(|mut tokens| tokens.remove(0));
        assert_eq!(read("0x7fffffff"), Some(Token::Integer(0x7fff_ffff)));
        assert_eq!(read("0xe+1"), Some(Token::Integer(14)));
        assert_eq!(read("0b101"), Some(Token::Integer(5)));
        assert_eq!(read(".5"), Some(Token::Real(0.5)));
        assert_eq!(read("1."), Some(Token::Real(1.0)));
        assert_eq!(read("1e-3"), Some(Token::Real(0.001)));
        for other in [
            "010", "1_000", "1j", "1if", "0x", "0x+1", "1.2.3", "1..", "1L", "1e",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
        assert_eq!(read(&"9".repeat(40)), None);
    }

    #[test]
    fn what_python_reads_otherwise_is_not_read_at_all() {
        for other in [
            "f'a'", "'''a'''", "'a' 'b", "'\\x41'", "'a\nb'", "a.b", "a[0]", "{}", "a @ b", "é",
            "  a", "a\n  b", "(a", "a)", "a\rb", "# \0", "\\\na", "a \\ b", "a := 1",
        ] {
            assert_eq!(tokens(other), None, "{other:?}");
        }
    }
}
