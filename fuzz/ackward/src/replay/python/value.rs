//! What Python's operators make of values, as far as it is certain: all else is left to Python.

use std::cmp::Ordering;
use std::fmt;

/// What an expression comes to.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    /// `None`.
    Nothing,
    /// `True` or `False`, which count as 1 and 0.
    Truth(bool),
    /// A whole number.
    Integer(i128),
    /// A floating-point number.
    Real(f64),
    /// A string.
    Text(String),
}

/// Why a block does not go on.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Stop {
    /// Python ends with this exception.
    Raised(String),
    /// Only Python knows what comes now.
    Foreign,
}

/// An operator between two values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Over,
    /// `//`
    FloorOver,
    /// `%`
    Remainder,
    /// `**`
    Power,
    /// `<<`
    Left,
    /// `>>`
    Right,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Differ,
}

/// An operator in front of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    Invert,
}

/// How two values are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// The longest string that is made, so that no script makes one that fills the memory.
pub(super) const LONGEST_TEXT: usize = 1 << 16;

/// Up to here a whole number is a floating-point number too.
const EXACT: u128 = 1 << 53;

impl Value {
    /// Whether it counts as true.
    pub(super) fn truth(&self) -> bool {
        match self {
            Value::Nothing => false,
            Value::Truth(truth) => *truth,
            Value::Integer(integer) => *integer != 0,
            Value::Real(real) => *real != 0.0,
            Value::Text(text) => !text.is_empty(),
        }
    }

    /// The whole number that it is or counts as.
    pub(super) fn integer(&self) -> Option<i128> {
        match self {
            Value::Truth(truth) => Some(i128::from(*truth)),
            Value::Integer(integer) => Some(*integer),
            Value::Nothing | Value::Real(_) | Value::Text(_) => None,
        }
    }

    /// `sign` in front of it.
    pub(super) fn signed(&self, sign: Sign) -> Result<Value, Stop> {
        let value = match (self.integer(), self, sign) {
            (Some(integer), _, Sign::Plus) => Some(Value::Integer(integer)),
            (Some(integer), _, Sign::Minus) => integer.checked_neg().map(Value::Integer),
            // Newer Pythons mind where it is a truth value.
            (_, Value::Integer(integer), Sign::Invert) => Some(Value::Integer(!integer)),
            (_, Value::Real(real), Sign::Plus) => Some(Value::Real(*real)),
            (_, Value::Real(real), Sign::Minus) => Some(Value::Real(-real)),
            _ => None,
        };
        value.ok_or(Stop::Foreign)
    }

    /// It and another one, joined by `operator`. What divides by zero is left to Python, whose words on it change.
    pub(super) fn joined(&self, operator: Operator, other: &Value) -> Result<Value, Stop> {
        let value = match (self, other, operator) {
            (Value::Text(pattern), _, Operator::Remainder) => {
                formatted(pattern, std::slice::from_ref(other))
            }
            (Value::Text(one), Value::Text(two), Operator::Plus) => text(format!("{one}{two}")),
            (Value::Truth(one), Value::Truth(two), Operator::And) => Some(Value::Truth(one & two)),
            (Value::Truth(one), Value::Truth(two), Operator::Or) => Some(Value::Truth(one | two)),
            (Value::Truth(one), Value::Truth(two), Operator::Differ) => {
                Some(Value::Truth(one ^ two))
            }
            _ => match (self.integer(), other.integer()) {
                (Some(one), Some(two)) => integers(one, operator, two),
                _ => self
                    .real()
                    .zip(other.real())
                    .and_then(|(one, two)| reals(one, operator, two))
                    .map(Value::Real),
            },
        };
        value.ok_or(Stop::Foreign)
    }

    /// Whether it compares so to another one.
    pub(super) fn compares(&self, comparison: Comparison, other: &Value) -> Result<bool, Stop> {
        // None where nothing is less, equal or greater, as with what is not a number.
        let order = match (self, other) {
            (Value::Text(one), Value::Text(two)) => Some(one.cmp(two)),
            _ => match (self.integer(), other.integer()) {
                (Some(one), Some(two)) => Some(one.cmp(&two)),
                _ => match (self.exact(), other.exact()) {
                    (Some(one), Some(two)) => one.partial_cmp(&two),
                    _ => return self.equals_only(comparison, other),
                },
            },
        };
        Ok(match comparison {
            Comparison::Equal => order == Some(Ordering::Equal),
            Comparison::Unequal => order != Some(Ordering::Equal),
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::LessOrEqual => order.is_some_and(Ordering::is_le),
            Comparison::Greater => order == Some(Ordering::Greater),
            Comparison::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        })
    }

    /// Compares what has no order.
    fn equals_only(&self, comparison: Comparison, other: &Value) -> Result<bool, Stop> {
        let equal = match (self, other) {
            (Value::Nothing, Value::Nothing) => true,
            (Value::Nothing | Value::Text(_), _) | (_, Value::Nothing | Value::Text(_)) => false,
            _ => return Err(Stop::Foreign),
        };
        match comparison {
            Comparison::Equal => Ok(equal),
            Comparison::Unequal => Ok(!equal),
            _ => Err(Stop::Foreign),
        }
    }

    /// The floating-point number nearest to the number that it is.
    fn real(&self) -> Option<f64> {
        match self {
            Value::Real(real) => Some(*real),
            other => other.integer().map(|integer| integer as f64),
        }
    }

    /// The floating-point number that it is.
    fn exact(&self) -> Option<f64> {
        match self.integer() {
            Some(integer) if integer.unsigned_abs() > EXACT => None,
            _ => self.real(),
        }
    }
}

/// As Python's `str` has it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nothing => f.write_str("None"),
            Value::Truth(true) => f.write_str("True"),
            Value::Truth(false) => f.write_str("False"),
            Value::Integer(integer) => write!(f, "{integer}"),
            Value::Text(text) => f.write_str(text),
            Value::Real(real) if real.is_nan() => f.write_str("nan"),
            Value::Real(real) => {
                // Rust takes to an exponent where Python does, but writes it without a plus and without a second digit.
                let digits = format!("{real:?}");
                match digits.split_once('e') {
                    None => f.write_str(&digits),
                    Some((digits, exponent)) => {
                        let (sign, exponent) = match exponent.strip_prefix('-') {
                            Some(exponent) => ('-', exponent),
                            None => ('+', exponent),
                        };
                        write!(f, "{digits}e{sign}{exponent:0>2}")
                    }
                }
            }
        }
    }
}

/// `pattern % values`; `None` where they do not fit, or for more than plain `%d`, `%x` and `%s`.
pub(super) fn formatted(pattern: &str, values: &[Value]) -> Option<Value> {
    let mut result = String::new();
    let mut values = values.iter();
    let mut parts = pattern.split('%');
    result.push_str(parts.next()?);
    while let Some(part) = parts.next() {
        let mut rest = part.chars();
        match rest.next() {
            // Nothing between two of them: one is meant, and what follows is plain.
            None => {
                result.push('%');
                result.push_str(parts.next()?);
                continue;
            }
            Some('d' | 'i' | 'u') => result.push_str(&values.next()?.integer()?.to_string()),
            Some('x') => match values.next()? {
                Value::Integer(integer) if *integer >= 0 => {
                    result.push_str(&format!("{integer:x}"));
                }
                _ => return None,
            },
            Some('s') => result.push_str(&values.next()?.to_string()),
            Some(_) => return None,
        }
        result.push_str(rest.as_str());
        if result.len() > LONGEST_TEXT {
            return None;
        }
    }
    // All values are used.
    values.next().is_none().then_some(())?;
    text(result)
}

fn text(text: String) -> Option<Value> {
    (text.len() <= LONGEST_TEXT).then_some(Value::Text(text))
}

fn integers(one: i128, operator: Operator, two: i128) -> Option<Value> {
    let integer = match operator {
        Operator::Plus => one.checked_add(two),
        Operator::Minus => one.checked_sub(two),
        Operator::Times => one.checked_mul(two),
        Operator::Over => {
            let exact = one.unsigned_abs().max(two.unsigned_abs()) <= EXACT;
            return (exact && two != 0).then(|| Value::Real(one as f64 / two as f64));
        }
        Operator::FloorOver => floored(one, two).map(|(quotient, _)| quotient),
        Operator::Remainder => floored(one, two).map(|(_, remainder)| remainder),
        Operator::Power => one.checked_pow(two.try_into().ok()?),
        Operator::Left => match u32::try_from(two) {
            Ok(by @ 0..127) => one.checked_mul(1 << by),
            _ => None,
        },
        Operator::Right => (two >= 0).then(|| one >> two.min(127)),
        Operator::And => Some(one & two),
        Operator::Or => Some(one | two),
        Operator::Differ => Some(one ^ two),
    };
    integer.map(Value::Integer)
}

/// The quotient, rounded down, and a remainder that has the divisor's sign.
fn floored(one: i128, two: i128) -> Option<(i128, i128)> {
    let (quotient, remainder) = (one.checked_div(two)?, one.checked_rem(two)?);
    if remainder != 0 && (remainder < 0) != (two < 0) {
        Some((quotient - 1, remainder + two))
    } else {
        Some((quotient, remainder))
    }
}

fn reals(one: f64, operator: Operator, two: f64) -> Option<f64> {
    match operator {
        Operator::Plus => Some(one + two),
        Operator::Minus => Some(one - two),
        Operator::Times => Some(one * two),
        Operator::Over if two != 0.0 => Some(one / two),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down_and_the_remainder_has_the_divisors_sign() {
        assert_eq!(floored(7, 2), Some((3, 1)));
        assert_eq!(floored(-7, 2), Some((-4, 1)));
        assert_eq!(floored(7, -2), Some((-4, -1)));
        assert_eq!(floored(-7, -2), Some((3, -1)));
        assert_eq!(floored(-8, 2), Some((-4, 0)));
        assert_eq!(floored(1, 0), None);
        assert_eq!(floored(i128::MIN, -1), None);
    }

    #[test]
    fn what_overflows_is_left_to_python() {
        let max = Value::Integer(i128::MAX);
        let min = Value::Integer(i128::MIN);
        let one = Value::Integer(1);
        for (value, operator, other) in [
            (&max, Operator::Plus, &one),
            (&min, Operator::Minus, &one),
            (&max, Operator::Times, &max),
            (&max, Operator::Over, &one),
            (&min, Operator::FloorOver, &Value::Integer(-1)),
            (&max, Operator::Power, &Value::Integer(2)),
            (&one, Operator::Power, &Value::Integer(-1)),
            (&one, Operator::Left, &Value::Integer(127)),
            (&one, Operator::Left, &max),
            (&one, Operator::Right, &Value::Integer(-1)),
            (&one, Operator::Over, &Value::Integer(0)),
        ] {
            assert_eq!(
                value.joined(operator, other),
                Err(Stop::Foreign),
                "{operator:?}"
            );
        }
        assert_eq!(min.signed(Sign::Minus), Err(Stop::Foreign));
        assert_eq!(max.joined(Operator::Right, &max), Ok(Value::Integer(0)));
        assert_eq!(
            max.compares(Comparison::Less, &Value::Real(1.0)),
            Err(Stop::Foreign)
        );
    }

    #[test]
    fn no_string_grows_without_end() {
        let long = Value::Text("a".repeat(LONGEST_TEXT / 2 + 1));
        assert_eq!(long.joined(Operator::Plus, &long), Err(Stop::Foreign));
        assert_eq!(formatted("%s%s", &[long.clone(), long]), None);
    }

    #[test]
    fn only_plain_patterns_that_fit_are_filled() {
        let numbers = [Value::Integer(1), Value::Integer(255)];
        let filled = formatted("%d%% of %x", &numbers);
        assert_eq!(filled, Some(Value::Text("1% of ff".to_owned())));
        for pattern in [
            "%d", "%d %d %d", "%5d %d", "%(a)s %s", "%d %f", "%d %d%", "%d %d% ",
        ] {
            assert_eq!(formatted(pattern, &numbers), None, "{pattern}");
        }
        assert_eq!(formatted("%d", &[Value::Real(1.5)]), None);
    }
}
