//! Why a stack cannot be used, named by cause, with what to do about it.

use std::io;

use thiserror::Error;

/// Why a stack cannot be set up or driven.
#[derive(Debug, Error)]
pub enum StackError {
    /// The process may not do this.
    #[error("not permitted to {what}: {source}; {remedy}")]
    Privilege {
        /// What was tried.
        what: String,
        /// What to do about it.
        remedy: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The surroundings of the stack cannot be made, or are unfit for a test.
    #[error("cannot {what}: {source}; {remedy}")]
    Setup {
        /// What was tried.
        what: String,
        /// What to do about it.
        remedy: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The link or a socket failed during a case.
    #[error("cannot {what}: {source}")]
    Io {
        /// What was tried.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The stack does not take this setting: the case cannot be run on it.
    #[error("the stack does not take {0}")]
    Unsupported(String),
}

impl StackError {
    /// An [`Io`](StackError::Io) error of trying to `what`, for `map_err`.
    pub(crate) fn io(what: &'static str) -> impl FnOnce(io::Error) -> StackError {
        move |source| StackError::Io { what, source }
    }

    /// A [`Privilege`](StackError::Privilege) error when `source` says so, else a [`Setup`](StackError::Setup) error.
    pub(crate) fn setup(
        what: impl Into<String>,
        remedy: &'static str,
    ) -> impl FnOnce(io::Error) -> StackError {
        let what = what.into();
        move |source| match source.kind() {
            io::ErrorKind::PermissionDenied => StackError::Privilege {
                what,
                remedy,
                source,
            },
            _ => StackError::Setup {
                what,
                remedy,
                source,
            },
        }
    }
}
