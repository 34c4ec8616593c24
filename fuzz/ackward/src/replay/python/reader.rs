//! How far a block has been read, and how deep: nothing is read that would take more than a little of the stack.

use std::iter::Peekable;
use std::vec;

use super::token::Token;

/// The pieces of a block that are not read yet.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    tokens: Peekable<vec::IntoIter<Token<'a>>>,
    depth: usize,
    parts: usize,
}

/// So deep may brackets and signs be nested.
const DEEPEST: usize = 50;

/// Of so many parts may a statement consist. A long sum is a deep tree, too.
const MOST_PARTS: usize = 1_000;

impl<'a> Reader<'a> {
    pub(super) fn new(tokens: Vec<Token<'a>>) -> Reader<'a> {
        Reader {
            tokens: tokens.into_iter().peekable(),
            depth: 0,
            parts: 0,
        }
    }

    /// Begins another statement, if there is one.
    pub(super) fn statement(&mut self) -> bool {
        self.parts = 0;
        while self.newline() {}
        self.peek().is_some()
    }

    pub(super) fn peek(&mut self) -> Option<&Token<'a>> {
        self.tokens.peek()
    }

    pub(super) fn next(&mut self) -> Option<Token<'a>> {
        self.tokens.next()
    }

    /// Whether the next piece is this symbol, which then is read.
    pub(super) fn symbol(&mut self, symbol: &'static str) -> bool {
        self.tokens.next_if_eq(&Token::Symbol(symbol)).is_some()
    }

    /// Whether the next piece is this name, which then is read.
    pub(super) fn name(&mut self, name: &'static str) -> bool {
        self.tokens.next_if_eq(&Token::Name(name)).is_some()
    }

    /// Whether a line ends here; its end then is read.
    pub(super) fn newline(&mut self) -> bool {
        self.tokens.next_if_eq(&Token::Newline).is_some()
    }

    /// What the next piece stands for, if it is one of these symbols, and reads it.
    pub(super) fn one_of<T: Copy>(&mut self, symbols: &[(&'static str, T)]) -> Option<T> {
        let found = symbols.iter().find(|(symbol, _)| self.symbol(symbol));
        found.map(|(_, meaning)| *meaning)
    }

    /// Counts a part of a statement; `None` where it has too many.
    pub(super) fn count(&mut self) -> Option<()> {
        self.parts += 1;
        (self.parts <= MOST_PARTS).then_some(())
    }

    /// Reads something within something; `None` where that is too deep.
    pub(super) fn deeper<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        let read = (self.depth <= DEEPEST).then(|| read(self)).flatten();
        self.depth -= 1;
        read
    }
}
