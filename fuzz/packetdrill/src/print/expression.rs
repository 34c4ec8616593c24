//! How the arguments of system calls are written.
//! The C notation of packetdrill's grammar.

use std::fmt::{self, Display, Formatter};

use crate::ast::Expression;

impl Display for Expression {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Ellipsis => f.write_str("..."),
            Expression::Integer(value) => write!(f, "{value}"),
            Expression::Hexadecimal(value) => write!(f, "{value:#x}"),
            Expression::Named(value, name) => write!(f, "{value} /* {name} */"),
            Expression::Word(word) => f.write_str(word),
            Expression::Text(pieces) => {
                let quoted: Vec<String> =
                    pieces.iter().map(|piece| format!("\"{piece}\"")).collect();
                f.write_str(&quoted.join(" "))
            }
            Expression::Beginning(text) => write!(f, "\"{text}\"..."),
            Expression::Or(parts) => f.write_str(&joined(parts, "|")),
            Expression::Field(name, value) => write!(f, "{name}={value}"),
            Expression::Apply(name, arguments) => {
                write!(f, "{name}({})", joined(arguments, ", "))
            }
            Expression::Array(parts) => write!(f, "[{}]", joined(parts, ", ")),
            Expression::Structure(parts) => write!(f, "{{{}}}", joined(parts, ", ")),
        }
    }
}

/// `parts` with `between` between them.
pub(super) fn joined(parts: &[Expression], between: &str) -> String {
    let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
    parts.join(between)
}
