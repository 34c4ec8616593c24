//! What an argument of a system call, or its result, is.
//! The C notation of packetdrill's grammar, with `...` for what does not matter.

/// An argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// `...`: anything.
    Ellipsis,
    /// A number.
    Integer(i64),
    /// A number written in hexadecimal.
    Hexadecimal(u64),
    /// A number, with its name for the reader, where packetdrill has no word for it.
    Named(i64, &'static str),
    /// A word, usually the name of a number.
    Word(String),
    /// Text in quotes, as written, escapes and all. Several pieces are one text.
    Text(Vec<String>),
    /// The beginning of a text (`"abc"...`).
    Beginning(String),
    /// Several joined by `|`.
    Or(Vec<Expression>),
    /// `name=value`, or `name(arguments)=value` in a structure.
    Field(Box<Expression>, Box<Expression>),
    /// `htons(8080)`.
    Apply(String, Vec<Expression>),
    /// `[...]`.
    Array(Vec<Expression>),
    /// `{...}`.
    Structure(Vec<Expression>),
}

impl Expression {
    /// A word.
    pub fn word(name: &str) -> Expression {
        Expression::Word(name.to_owned())
    }

    /// `[value]`, as socket options are given.
    pub fn one(value: Expression) -> Expression {
        Expression::Array(vec![value])
    }

    /// `name=value`.
    pub fn member(name: &str, value: Expression) -> Expression {
        Expression::Field(Box::new(Expression::word(name)), Box::new(value))
    }

    /// The first value in brackets.
    pub fn first(&self) -> Option<&Expression> {
        match self {
            Expression::Array(values) => values.first(),
            _ => None,
        }
    }

    /// The field of this name, if it is a structure that has one.
    pub fn field(&self, wanted: &str) -> Option<&Expression> {
        let Expression::Structure(fields) = self else {
            return None;
        };
        fields.iter().find_map(|field| match field {
            Expression::Field(name, value) => match &**name {
                Expression::Word(name) | Expression::Apply(name, _) if name == wanted => {
                    Some(&**value)
                }
                _ => None,
            },
            _ => None,
        })
    }
}

impl From<u32> for Expression {
    fn from(value: u32) -> Expression {
        Expression::Integer(i64::from(value))
    }
}
