//! How numbers and key words read in a sentence.

use ackward_oracle::Level;

/// `count` with its noun, which takes an `s` for all but one.
pub(crate) fn counted(count: impl Into<u64>, noun: &str) -> String {
    match count.into() {
        1 => format!("1 {noun}"),
        many => format!("{many} {noun}s"),
    }
}

/// How binding a rule is.
pub(crate) fn level(level: Level) -> String {
    match level {
        Level::Text => "no key word".to_owned(),
        Level::Must | Level::Should | Level::May => level.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(counted(1_u32, "octet"), "1 octet");
        assert_eq!(counted(0_u32, "octet"), "0 octets");
    }
}
