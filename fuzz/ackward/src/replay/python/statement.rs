//! What a statement of Python is, and what it does.

use super::expression::{Expression, State};
use super::reader::Reader;
use super::token::tokens;
use super::value::{Operator, Stop};

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Statement {
    /// `assert condition, message`
    Assert(Expression, Option<Expression>),
    /// `name = value`
    Assign(String, Expression),
    /// An expression, for what it does.
    Evaluate(Expression),
    /// `pass`
    Pass,
}

/// All statements of a block; `None` where one is of another kind than those above.
pub(super) fn statements(code: &str) -> Option<Vec<Statement>> {
    let mut reader = Reader::new(tokens(code)?);
    let mut statements = Vec::new();
    while reader.statement() {
        statements.push(Statement::read(&mut reader)?);
        let more = reader.symbol(";");
        // What follows is either on this line, behind a semicolon, or on another one.
        if !more && reader.peek().is_some() && !reader.newline() {
            return None;
        }
    }
    Some(statements)
}

impl Statement {
    fn read(reader: &mut Reader<'_>) -> Option<Statement> {
        if reader.name("pass") {
            return Some(Statement::Pass);
        }
        if reader.name("assert") {
            let condition = Expression::read(reader)?;
            let message = if reader.symbol(",") {
                Some(Expression::read(reader)?)
            } else {
                None
            };
            return Some(Statement::Assert(condition, message));
        }
        // A name stands in front of an equals sign, perhaps in brackets, and it is an expression as well.
        let left = Expression::read(reader)?;
        let operator = if reader.symbol("=") {
            None
        } else if let Some(operator) = reader.one_of(AUGMENTED) {
            Some(operator)
        } else {
            return Some(Statement::Evaluate(left));
        };
        let value = Expression::read(reader)?;
        match (left, operator) {
            (Expression::Name(name), None) => Some(Statement::Assign(name, value)),
            (Expression::Name(name), Some(operator)) => {
                let old = Box::new(Expression::Name(name.clone()));
                let value = Expression::Joined(old, operator, Box::new(value));
                Some(Statement::Assign(name, value))
            }
            _ => None,
        }
    }

    /// Does it.
    pub(super) fn run(&self, state: &mut State) -> Result<(), Stop> {
        match self {
            Statement::Assert(condition, message) => {
                if condition.evaluate(state)?.truth() {
                    return Ok(());
                }
                let text = match message {
                    Some(message) => message.evaluate(state)?.to_string(),
                    None => String::new(),
                };
                Err(Stop::Raised(match text.as_str() {
                    "" => "AssertionError".to_owned(),
                    text => format!("AssertionError: {text}"),
                }))
            }
            Statement::Assign(name, value) => {
                let value = value.evaluate(state)?;
                state.variables.insert(name.clone(), value);
                Ok(())
            }
            Statement::Evaluate(value) => value.evaluate(state).map(drop),
            Statement::Pass => Ok(()),
        }
    }
}

const AUGMENTED: &[(&str, Operator)] = &[
    ("+=", Operator::Plus),
    ("-=", Operator::Minus),
    ("*=", Operator::Times),
    ("/=", Operator::Over),
    ("//=", Operator::FloorOver),
    ("%=", Operator::Remainder),
    ("**=", Operator::Power),
    ("<<=", Operator::Left),
    (">>=", Operator::Right),
    ("&=", Operator::And),
    ("|=", Operator::Or),
    ("^=", Operator::Differ),
];
