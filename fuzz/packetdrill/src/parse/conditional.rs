//! Which lines of a script with `#ifdef` count.
//! The FreeBSD scripts have them for what their stack does otherwise than the standard says.

use std::borrow::Cow;

/// The condition that holds.
const HOLDS: &str = "STANDARD";

/// `text` with blanks in the place of lines that do not count, and of the conditions themselves.
pub(super) fn chosen(text: &str) -> Cow<'_, str> {
    let mut conditions: Vec<bool> = Vec::new();
    if !text.lines().any(|line| condition(line).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut chosen = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let counts = match condition(line) {
            Some(Condition::If(name)) => {
                let within = conditions.last().is_none_or(|holds| *holds);
                conditions.push(within && name == HOLDS);
                false
            }
            Some(Condition::End) => {
                conditions.pop();
                false
            }
            None => conditions.last().is_none_or(|holds| *holds),
        };
        if counts {
            chosen.push_str(line);
        } else {
            let blank = line
                .bytes()
                .map(|byte| if byte == b'\n' { '\n' } else { ' ' });
            chosen.extend(blank);
        }
    }
    Cow::Owned(chosen)
}

enum Condition<'a> {
    If(&'a str),
    End,
}

fn condition(line: &str) -> Option<Condition<'_>> {
    let mut words = line.split_whitespace();
    match (line.starts_with('#'), words.next()?, words.next()) {
        (true, "#ifdef", Some(name)) => Some(Condition::If(name)),
        (true, "#endif", None) => Some(Condition::End),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_for_other_stacks_are_blank_and_the_rest_keeps_its_place() {
        let text =
            "0 `a`\n#ifdef STANDARD\n+0 `b`\n#endif\n#ifdef FreeBSD\n+0 `é`\n#endif\n+0 `d`\n";
        let chosen = chosen(text);
        let lines: Vec<&str> = chosen.lines().map(str::trim).collect();
        assert_eq!(lines, ["0 `a`", "", "+0 `b`", "", "", "", "", "+0 `d`"]);
        assert_eq!(chosen.len(), text.len());
    }

    #[test]
    fn a_comment_in_a_command_is_no_condition() {
        assert!(matches!(chosen("`\n# if this\n`"), Cow::Borrowed(_)));
    }
}
