//! What an expression of Python is, and what it comes to.

use std::collections::BTreeMap;
use std::iter;

use super::reader::Reader;
use super::token::Token;
use super::value::{Comparison, LONGEST_TEXT, Operator, Sign, Stop, Value, formatted};

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expression {
    /// What was written down.
    Constant(Value),
    /// A variable.
    Name(String),
    /// `sign` in front of a value.
    Signed(Sign, Box<Expression>),
    /// `operator` between two values.
    Joined(Box<Expression>, Operator, Box<Expression>),
    /// Values that each compare to the one before.
    Compared(Box<Expression>, Vec<(Comparison, Expression)>),
    /// `not`
    Not(Box<Expression>),
    /// `and`
    Both(Box<Expression>, Box<Expression>),
    /// `or`
    Either(Box<Expression>, Box<Expression>),
    /// A call of a function.
    Call(Function, Vec<Expression>),
    /// Values in brackets, which are of use behind a pattern's `%` alone.
    Tuple(Vec<Expression>),
}

/// A function that can be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    /// `abs`
    Abs,
    /// `int`
    Int,
    /// `max`
    Max,
    /// `min`
    Min,
    /// `print`
    Print,
}

/// What blocks leave behind for those after them.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct State {
    /// The variables.
    pub(super) variables: BTreeMap<String, Value>,
    /// What was printed.
    pub(super) printed: String,
}

impl Expression {
    /// Reads one.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Expression> {
        let mut left = conjunction(reader)?;
        while reader.name("or") {
            reader.count()?;
            left = Expression::Either(Box::new(left), Box::new(conjunction(reader)?));
        }
        Some(left)
    }

    /// What it comes to.
    pub(super) fn evaluate(&self, state: &mut State) -> Result<Value, Stop> {
        match self {
            Expression::Constant(value) => Ok(value.clone()),
            Expression::Name(name) => match state.variables.get(name) {
                Some(value) => Ok(value.clone()),
                None if may_be_pythons(name) => Err(Stop::Foreign),
                None => Err(Stop::Raised(format!(
                    "NameError: name '{name}' is not defined"
                ))),
            },
            Expression::Signed(sign, value) => value.evaluate(state)?.signed(*sign),
            Expression::Joined(left, operator, right) => {
                let left = left.evaluate(state)?;
                match (&left, operator, &**right) {
                    (Value::Text(pattern), Operator::Remainder, Expression::Tuple(values)) => {
                        let values = evaluate_all(values, state)?;
                        formatted(pattern, &values).ok_or(Stop::Foreign)
                    }
                    _ => left.joined(*operator, &right.evaluate(state)?),
                }
            }
            Expression::Compared(first, others) => {
                let mut left = first.evaluate(state)?;
                for (comparison, right) in others {
                    let right = right.evaluate(state)?;
                    if !left.compares(*comparison, &right)? {
                        return Ok(Value::Truth(false));
                    }
                    left = right;
                }
                Ok(Value::Truth(true))
            }
            Expression::Not(value) => Ok(Value::Truth(!value.evaluate(state)?.truth())),
            Expression::Both(left, right) => match left.evaluate(state)? {
                left if left.truth() => right.evaluate(state),
                left => Ok(left),
            },
            Expression::Either(left, right) => match left.evaluate(state)? {
                left if left.truth() => Ok(left),
                _ => right.evaluate(state),
            },
            Expression::Call(function, values) => {
                let values = evaluate_all(values, state)?;
                function.call(&values, state)
            }
            Expression::Tuple(_) => Err(Stop::Foreign),
        }
    }
}

impl Function {
    fn named(name: &str) -> Option<Function> {
        match name {
            "abs" => Some(Function::Abs),
            "int" => Some(Function::Int),
            "max" => Some(Function::Max),
            "min" => Some(Function::Min),
            "print" => Some(Function::Print),
            _ => None,
        }
    }

    fn call(self, values: &[Value], state: &mut State) -> Result<Value, Stop> {
        match (self, values) {
            (Function::Print, _) => {
                let words: Vec<_> = values.iter().map(Value::to_string).collect();
                let line = words.join(" ");
                if state.printed.len() + line.len() >= LONGEST_TEXT {
                    return Err(Stop::Foreign);
                }
                state.printed.extend([line.as_str(), "\n"]);
                Ok(Value::Nothing)
            }
            (Function::Abs, [Value::Real(real)]) => Ok(Value::Real(real.abs())),
            (Function::Abs, [value]) => {
                let integer = value.integer().and_then(i128::checked_abs);
                integer.map(Value::Integer).ok_or(Stop::Foreign)
            }
            // What is nearer to the end of the integers is left to Python, which knows no end.
            (Function::Int, [Value::Real(real)]) if real.abs() < 1e38 => {
                Ok(Value::Integer(*real as i128))
            }
            (Function::Int, [value]) => value.integer().map(Value::Integer).ok_or(Stop::Foreign),
            (Function::Max, [first, others @ ..]) if !others.is_empty() => {
                best(first, others, Comparison::Greater)
            }
            (Function::Min, [first, others @ ..]) if !others.is_empty() => {
                best(first, others, Comparison::Less)
            }
            _ => Err(Stop::Foreign),
        }
    }
}

/// The first of the values than which none is better.
fn best(first: &Value, others: &[Value], better: Comparison) -> Result<Value, Stop> {
    let best = others.iter().try_fold(first, |best, other| {
        Ok(if other.compares(better, best)? {
            other
        } else {
            best
        })
    })?;
    Ok(best.clone())
}

fn evaluate_all(values: &[Expression], state: &mut State) -> Result<Vec<Value>, Stop> {
    values.iter().map(|value| value.evaluate(state)).collect()
}

/// Whether Python may know `name`, or keep it for itself, though no block has set it.
/// Of what Python knows from the start, only what begins with an underscore has one within, and exceptions begin with a
/// capital.
fn may_be_pythons(name: &str) -> bool {
    name.starts_with('_')
        || !name.contains('_') && name.starts_with(|c: char| c.is_ascii_uppercase())
        || PYTHONS.contains(&name)
}

fn conjunction(reader: &mut Reader<'_>) -> Option<Expression> {
    let mut left = negation(reader)?;
    while reader.name("and") {
        reader.count()?;
        left = Expression::Both(Box::new(left), Box::new(negation(reader)?));
    }
    Some(left)
}

fn negation(reader: &mut Reader<'_>) -> Option<Expression> {
    if reader.name("not") {
        let value = reader.deeper(negation)?;
        return Some(Expression::Not(Box::new(value)));
    }
    let first = joined(reader, 0)?;
    let mut others = Vec::new();
    while let Some(comparison) = reader.one_of(COMPARISONS) {
        reader.count()?;
        others.push((comparison, joined(reader, 0)?));
    }
    if others.is_empty() {
        return Some(first);
    }
    Some(Expression::Compared(Box::new(first), others))
}

/// Values and operators that bind at least as closely as those at `level`.
fn joined(reader: &mut Reader<'_>, level: usize) -> Option<Expression> {
    let Some(operators) = LEVELS.get(level) else {
        return signed(reader);
    };
    let mut left = joined(reader, level + 1)?;
    while let Some(operator) = reader.one_of(operators) {
        reader.count()?;
        let right = joined(reader, level + 1)?;
        left = Expression::Joined(Box::new(left), operator, Box::new(right));
    }
    Some(left)
}

fn signed(reader: &mut Reader<'_>) -> Option<Expression> {
    if let Some(sign) = reader.one_of(SIGNS) {
        let value = reader.deeper(signed)?;
        return Some(Expression::Signed(sign, Box::new(value)));
    }
    let base = plain(reader)?;
    if !reader.symbol("**") {
        return Some(base);
    }
    // A power binds closer than the sign in front of it, and less close than the one behind.
    let exponent = reader.deeper(signed)?;
    Some(Expression::Joined(
        Box::new(base),
        Operator::Power,
        Box::new(exponent),
    ))
}

fn plain(reader: &mut Reader<'_>) -> Option<Expression> {
    reader.count()?;
    let value = match reader.next()? {
        Token::Integer(integer) => Value::Integer(integer),
        Token::Real(real) => Value::Real(real),
        Token::Text(text) => Value::Text(text),
        Token::Name("None") => Value::Nothing,
        Token::Name("True") => Value::Truth(true),
        Token::Name("False") => Value::Truth(false),
        Token::Name(name) if reader.symbol("(") => {
            let function = Function::named(name)?;
            let (values, _) = reader.deeper(values)?;
            return Some(Expression::Call(function, values));
        }
        Token::Name(name) if !name.starts_with("__") && !PYTHONS.contains(&name) => {
            return Some(Expression::Name(name.to_owned()));
        }
        Token::Symbol("(") => {
            let (mut values, comma) = reader.deeper(values)?;
            return match values.len() {
                1 if !comma => values.pop(),
                _ => Some(Expression::Tuple(values)),
            };
        }
        Token::Name(_) | Token::Symbol(_) | Token::Newline => return None,
    };
    Some(Expression::Constant(value))
}

/// What stands in brackets, up to the closing one, and whether a comma is behind the last of it.
fn values(reader: &mut Reader<'_>) -> Option<(Vec<Expression>, bool)> {
    let mut comma = false;
    let values = iter::from_fn(|| {
        if reader.symbol(")") {
            return None;
        }
        let value = Expression::read(reader);
        comma = reader.symbol(",");
        // Reading ends with the first that is none, or that neither a comma nor the bracket follows.
        Some(value.filter(|_| comma || reader.peek() == Some(&Token::Symbol(")"))))
    });
    values
        .collect::<Option<Vec<_>>>()
        .map(|values| (values, comma))
}

const COMPARISONS: &[(&str, Comparison)] = &[
    ("==", Comparison::Equal),
    ("!=", Comparison::Unequal),
    ("<", Comparison::Less),
    ("<=", Comparison::LessOrEqual),
    (">", Comparison::Greater),
    (">=", Comparison::GreaterOrEqual),
];

/// The operators between two values; those further down bind closer.
const LEVELS: &[&[(&str, Operator)]] = &[
    &[("|", Operator::Or)],
    &[("^", Operator::Differ)],
    &[("&", Operator::And)],
    &[("<<", Operator::Left), (">>", Operator::Right)],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[
        ("*", Operator::Times),
        ("/", Operator::Over),
        ("//", Operator::FloorOver),
        ("%", Operator::Remainder),
    ],
];

const SIGNS: &[(&str, Sign)] = &[("+", Sign::Plus), ("-", Sign::Minus), ("~", Sign::Invert)];

/// Key words, functions and modules: no names for variables here.
const PYTHONS: &[&str] = &[
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "abs",
    "aiter",
    "all",
    "anext",
    "any",
    "ascii",
    "bin",
    "bool",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "classmethod",
    "compile",
    "complex",
    "copyright",
    "credits",
    "delattr",
    "dict",
    "dir",
    "divmod",
    "enumerate",
    "eval",
    "exec",
    "exit",
    "filter",
    "float",
    "format",
    "frozendict",
    "frozenset",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "license",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "property",
    "quit",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "sys",
    "traceback",
    "tuple",
    "type",
    "vars",
    "zip",
];
