//! Why a command could not do its work: one message that says what, where, and what to do.

use std::io;
use std::path::{Path, PathBuf};

use ackward_oracle::{KnownError, ProfileError};
use ackward_packetdrill::ParseError;
use ackward_stacks::StackError;
use miette::{Diagnostic, NamedSource, SourceSpan};
use thiserror::Error;

/// Why a command could not do its work.
#[derive(Debug, Error, Diagnostic)]
pub(super) enum Failure {
    /// A folder or file cannot be written.
    #[error("cannot write to {}: {source}", path.display())]
    #[diagnostic(help("name a folder you may write to: --out DIR"))]
    Unwritable { path: PathBuf, source: io::Error },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    #[diagnostic(help("check the path"))]
    Unreadable { path: PathBuf, source: io::Error },
    /// A file is not what it should be, at a place in its text.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Malformed(#[from] Box<Malformed>),
    /// A file is not what it should be.
    #[error("{}: {reason}", path.display())]
    #[diagnostic(help("{help}"))]
    Unfit {
        path: PathBuf,
        reason: String,
        help: &'static str,
    },
    /// The stack cannot be set up or driven.
    #[error(transparent)]
    #[diagnostic(help("`ackward stacks` says what can run here, and why not"))]
    Stack(#[from] StackError),
    /// No such profile.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// No such rule.
    #[error("there is no rule `{0}`")]
    #[diagnostic(help("`ackward rules` lists them all"))]
    NoSuchRule(String),
    /// What was asked for cannot be written in that form.
    #[error("cannot export: {reason}")]
    #[diagnostic(help("{help}"))]
    Export { reason: String, help: &'static str },
    /// Signals cannot be listened to.
    #[error("cannot listen for Ctrl-C: {0}")]
    Signals(#[source] io::Error),
}

/// A file is not what it should be, at a place in its text.
#[derive(Debug, Error, Diagnostic)]
#[error("{what}: {reason} at line {line}, column {column}")]
#[diagnostic(help("{help}"))]
pub(super) struct Malformed {
    what: String,
    line: usize,
    column: usize,
    reason: String,
    help: &'static str,
    #[source_code]
    text: NamedSource<String>,
    #[label("here")]
    at: SourceSpan,
}

impl Failure {
    /// A script that cannot be read.
    pub(super) fn script(path: &Path, text: String, error: &ParseError) -> Failure {
        Failure::Malformed(Box::new(Malformed {
            what: path.display().to_string(),
            line: error.line as usize,
            column: error.column as usize,
            reason: error.message.clone(),
            help: "the dialect is packetdrill's; see its grammar",
            at: (error.offset.min(text.len()), 0).into(),
            text: NamedSource::new(path.display().to_string(), text),
        }))
    }

    /// For `map_err`: `path` cannot be written.
    pub(super) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Failure {
        let path = path.to_owned();
        move |source| Failure::Unwritable { path, source }
    }

    /// For `map_err`: `path` cannot be read.
    pub(super) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Failure {
        let path = path.to_owned();
        move |source| Failure::Unreadable { path, source }
    }

    /// `path` is not a known list.
    pub(super) fn known(path: &Path, error: &KnownError) -> Failure {
        Failure::Unfit {
            path: path.to_owned(),
            reason: error.to_string(),
            help: "a known list is TOML: see oracle/known/linux.toml",
        }
    }

    /// The JSON `text` of `path` went wrong where `error` says.
    pub(super) fn json(path: &Path, text: String, error: &serde_json::Error) -> Failure {
        let (line, column) = (error.line(), error.column());
        let offset = offset_of(&text, line, column);
        let reason = error.to_string();
        let reason = reason
            .split(" at line ")
            .next()
            .unwrap_or(&reason)
            .to_owned();
        Failure::from(Box::new(Malformed {
            what: format!("{} is not a case", path.display()),
            line,
            column,
            reason,
            help: "a case is what `ackward fuzz` writes as case.json; is this one whole?",
            text: NamedSource::new(path.display().to_string(), text),
            at: SourceSpan::new(offset.into(), 0),
        }))
    }
}

/// The octet at `line` and `column`, both counted from 1.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    (before + column.saturating_sub(1)).min(text.len().saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_and_a_column_name_an_octet() {
        assert_eq!(offset_of("ab\ncd\n", 2, 2), 4);
        assert_eq!(offset_of("ab", 9, 9), 1);
        assert_eq!(offset_of("", 1, 1), 0);
    }
}
