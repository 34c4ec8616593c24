//! Whether the code in a script holds: blocks of Python about what the stack said of itself when their time came.
//!
//! Like stock packetdrill, all blocks of a script are run once it is over, in order and with the same variables. Nearly
//! all that public scripts hold is plain assertions, which need no Python. A script with any other block goes to a real
//! one as a whole.

mod expression;
mod interpreter;
mod reader;
mod snapshot;
mod statement;
mod token;
mod value;

use std::path::Path;
use std::time::Duration;

use expression::State;
use statement::{Statement, statements};
use value::{Stop, Value};

pub use snapshot::Snapshot;

/// A block of code, `%{ … }%` in a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What stands between the braces.
    pub code: String,
    /// The line of the script where its event begins.
    pub line: u32,
    /// What the stack said at that time.
    pub snapshot: Snapshot,
}

/// What became of the blocks of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// All have run to their end.
    Held {
        /// What they printed.
        printed: String,
    },
    /// One has not.
    Failed {
        /// The line of the script where that one begins.
        line: u32,
        /// Why, as Python's last line has it: `AssertionError: 10`.
        message: String,
        /// What they printed until then.
        printed: String,
    },
    /// There is no Python, and it takes one.
    NeedsPython {
        /// The line of the script where the first block begins that does.
        line: u32,
    },
}

/// So long may a real Python take for a script.
const LIMIT: Duration = Duration::from_secs(10);

/// Runs all blocks of a script, with `interpreter`, a Python 3, where they ask for more than is known here.
///
/// An interpreter is a program that does what the script's author wants. It is told nothing but the blocks.
pub fn run(blocks: &[Block], interpreter: Option<&Path>) -> Outcome {
    let foreign = match natively(blocks) {
        Ok(outcome) => return outcome,
        Err(Foreign(line)) => line,
    };
    let outcome = interpreter.and_then(|path| interpreter::run(path, blocks, LIMIT).ok());
    outcome.unwrap_or(Outcome::NeedsPython { line: foreign })
}

impl Block {
    /// The code without the blanks that set it apart from its braces, for indented code is a mistake.
    fn trimmed(&self) -> &str {
        self.code.trim_matches([' ', '\t'])
    }
}

/// The line of a block that takes a real Python.
struct Foreign(u32);

/// Runs the blocks here.
fn natively(blocks: &[Block]) -> Result<Outcome, Foreign> {
    // All are read before any is run: Python, too, takes offence at the last block before it runs the first.
    let programs = blocks
        .iter()
        .map(|block| statements(block.trimmed()).ok_or(Foreign(block.line)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut state = State::default();
    for (block, program) in blocks.iter().zip(&programs) {
        match run_block(block, program, &mut state) {
            Ok(()) => {}
            Err(Stop::Foreign) => return Err(Foreign(block.line)),
            Err(Stop::Raised(message)) => {
                return Ok(Outcome::Failed {
                    line: block.line,
                    message,
                    printed: state.printed,
                });
            }
        }
    }
    Ok(Outcome::Held {
        printed: state.printed,
    })
}

fn run_block(block: &Block, program: &[Statement], state: &mut State) -> Result<(), Stop> {
    for (name, value) in block.snapshot.iter() {
        state
            .variables
            .insert(name.to_owned(), Value::Integer(value));
    }
    program
        .iter()
        .try_for_each(|statement| statement.run(state))
}

#[cfg(test)]
mod tests;
