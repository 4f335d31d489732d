//! A small syntax tree of C: all generated C is built as such trees, and [`print()`] is the only place that writes C.
//!
//! It has exactly the constructs that generated code uses. Expressions are shallow by construction - nested expressions
//! of a program have become statements and variables before - so they may be trees, printed and dropped by recursion.
//!
//! The build script includes this module by its path (see [`crate::rules`]), so it uses nothing of its crate.

mod print;

pub use print::{print, print_within};

use std::borrow::Cow;

/// A word that is a constant of the generator, or made of names of the program.
pub type Word = Cow<'static, str>;

/// An item of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// A comment of one line.
    Comment(String),
    /// `#include "..."`.
    Include(&'static str),
    /// `#include <...>`.
    IncludeOfSystem(&'static str),
    /// `#define NAME value`.
    Define(&'static str, Expression),
    /// Everything between `#ifndef NAME` and its `#endif`, so that it is compiled once.
    Once {
        /// The name of the guard.
        guard: &'static str,
        /// The guarded items.
        items: Vec<Item>,
    },
    /// Declares an enumeration: its name, and its constants with their numbers.
    Enumeration(&'static str, Vec<(String, u64)>),
    /// Declares a structure: its name, and its fields.
    Structure(Word, Vec<Field>),
    /// Declares a function.
    Prototype(Head),
    /// Defines a function.
    Function {
        /// Its head.
        head: Head,
        /// Its body.
        body: Vec<Statement>,
    },
    /// Declares a constant object that another file defines.
    Extern {
        /// The type, including `const`.
        ctype: &'static str,
        /// The name; `name[2]` for an array.
        name: String,
    },
    /// Defines a constant object.
    Object {
        /// The words before the type, such as `static`.
        storage: &'static str,
        /// The type, including `const`.
        ctype: &'static str,
        /// The name; `name[]` for an array.
        name: String,
        /// The elements of its initialiser.
        contents: Vec<Expression>,
    },
}

/// A field of a structure.
#[derive(Clone, Debug)]
pub struct Field {
    /// The type.
    pub ctype: &'static str,
    /// The name.
    pub name: Word,
    /// The comment after it; none if it is empty.
    pub comment: &'static str,
}

/// The head of a function.
#[derive(Clone, Debug)]
pub struct Head {
    /// The words before the type of the result.
    pub storage: &'static str,
    /// The type of the result.
    pub result: Word,
    /// The name.
    pub name: String,
    /// The parameters: type and name.
    pub parameters: Vec<(&'static str, Word)>,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// A comment of one line.
    Comment(String),
    /// Declares local variables of one type.
    Declare {
        /// The type.
        ctype: &'static str,
        /// The names; at least one.
        names: Vec<String>,
    },
    /// Declares and initialises a local variable.
    Define {
        /// The type.
        ctype: Word,
        /// The name; `name[]` for an array.
        name: String,
        /// The value.
        value: Expression,
    },
    /// `place = value;`
    Assign(Expression, Expression),
    /// `place += value;`
    Add(Expression, Expression),
    /// `place -= value;`
    Subtract(Expression, Expression),
    /// Evaluates an expression for its effect.
    Evaluate(Expression),
    /// `if`, with or without `else`.
    If {
        /// The condition.
        test: Expression,
        /// The statements for the case that it holds.
        then: Vec<Statement>,
        /// The statements for the other case; without any, no `else` is printed.
        otherwise: Vec<Statement>,
    },
    /// A block: statements with a scope of their own.
    Scope(Vec<Statement>),
    /// `switch (value)` with cases that are left by a jump.
    Choose {
        /// The number that selects the case.
        value: Expression,
        /// The cases, each with its number.
        cases: Vec<(Expression, Vec<Statement>)>,
        /// The statements for any other number; without any, no `default` is printed.
        otherwise: Vec<Statement>,
    },
    /// Repeats statements until one of them leaves: `for (;;)`.
    Loop(Vec<Statement>),
    /// Repeats statements for each whole number of a range, one after another.
    For {
        /// The line before it, if any.
        header: Option<&'static str>,
        /// The name of the number.
        index: String,
        /// The first number.
        from: Expression,
        /// The number behind the last one.
        to: Expression,
        /// The statements, none of which leaves.
        statements: Vec<Statement>,
    },
    /// Repeats statements for each whole number of a range, in whatever order, several at once.
    Elementwise {
        /// The name of the number.
        index: String,
        /// The first number.
        from: Expression,
        /// The number behind the last one.
        to: Expression,
        /// The name of a real to which each repetition adds, in whatever order.
        sum: Option<String>,
        /// The statements, none of which leaves.
        statements: Vec<Statement>,
    },
    /// Leaves a `switch` or a loop.
    Break,
    /// States that parameters may be unused.
    Unused(&'static [&'static str]),
    /// `goto label;`
    Goto(String),
    /// `label:`
    Label(String),
    /// `return value;`
    Return(Expression),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A name.
    Name(String),
    /// An unsigned number, in decimal.
    Number(u64),
    /// An unsigned number, in decimal, of an unsigned type.
    Unsigned(u64),
    /// An unsigned number, in hexadecimal: bits.
    Bits(u64),
    /// A finite double that is not negative, not even -0.
    Real(f64),
    /// A string.
    Text(String),
    /// A text that is already C: the formulas of the table of operations.
    Formula(Word),
    /// `f(a, b)`.
    Call(String, Vec<Expression>),
    /// The call of a function pointer, such as `m->services->f(a, b)`.
    CallPlace(Box<Expression>, Vec<Expression>),
    /// `e->field`.
    Arrow(Box<Expression>, &'static str),
    /// `e.field`.
    Dot(Box<Expression>, Word),
    /// `e[i]`.
    Index(Box<Expression>, Box<Expression>),
    /// An operator before an expression.
    Prefix(&'static str, Box<Expression>),
    /// An operator between two expressions.
    Infix(Infix, Box<Expression>, Box<Expression>),
    /// `a ? b : c`.
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `{a, b}`: the initialiser of an object or array.
    Braces(Vec<Expression>),
    /// `[a] = b`: an element of the initialiser of an array, with its index.
    Element(String, Box<Expression>),
    /// `(type[2]){a, b}`: an array of elements of that type.
    Literal(&'static str, Vec<Expression>),
}

/// An operator between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // their texts say what they are
pub enum Infix {
    Add,
    Subtract,
    Multiply,
    Divide,
    Less,
    Greater,
    NotGreater,
    NotLess,
    Equal,
    BitAnd,
    And,
    Or,
}

impl Expression {
    /// A name.
    pub fn name(name: impl Into<String>) -> Expression {
        Expression::Name(name.into())
    }

    /// The call of a function by its name.
    pub fn call(function: impl Into<String>, operands: impl Into<Vec<Expression>>) -> Expression {
        Expression::Call(function.into(), operands.into())
    }

    /// A finite double; its sign counts, also that of a zero. None for an infinity or a NaN: no literal has their bits.
    pub fn finite(real: f64) -> Option<Expression> {
        let size = Expression::Real(real.abs());
        real.is_finite().then(|| if real.is_sign_negative() { size.prefix("-") } else { size })
    }

    /// A double; the payload of a NaN is of no account.
    pub fn constant(real: f64) -> Expression {
        Expression::finite(real).unwrap_or_else(|| match real {
            f64::INFINITY => Expression::name("HUGE_VAL"),
            f64::NEG_INFINITY => Expression::name("HUGE_VAL").prefix("-"),
            _ => Expression::name("NAN").prefix("(double)"),
        })
    }

    /// The call of a service of the machine.
    pub fn service(service: &'static str, operands: impl IntoIterator<Item = Expression>) -> Expression {
        let mut all = vec![Expression::name("m")];
        all.extend(operands);
        Expression::CallPlace(Box::new(Expression::name("m").arrow("services").arrow(service)), all)
    }

    /// A field of the machine.
    pub fn machine(field: &'static str) -> Expression {
        Expression::name("m").arrow(field)
    }

    /// `self->field`.
    #[must_use]
    pub fn arrow(self, field: &'static str) -> Expression {
        Expression::Arrow(Box::new(self), field)
    }

    /// `self.field`.
    #[must_use]
    pub fn dot(self, field: impl Into<Word>) -> Expression {
        Expression::Dot(Box::new(self), field.into())
    }

    /// `self[number]`.
    #[must_use]
    pub fn at(self, number: u64) -> Expression {
        Expression::Index(Box::new(self), Box::new(Expression::Number(number)))
    }

    /// An operator between this and another expression.
    #[must_use]
    pub fn infix(self, operator: Infix, other: Expression) -> Expression {
        Expression::Infix(operator, Box::new(self), Box::new(other))
    }

    /// `self ? yes : no`.
    #[must_use]
    pub fn choice(self, yes: Expression, no: Expression) -> Expression {
        Expression::Choice(Box::new(self), Box::new(yes), Box::new(no))
    }

    /// An operator before this expression.
    #[must_use]
    pub fn prefix(self, operator: &'static str) -> Expression {
        Expression::Prefix(operator, Box::new(self))
    }

    /// A condition that rarely holds.
    #[must_use]
    pub fn unlikely(self) -> Expression {
        Expression::call("VLAD_UNLIKELY", [self])
    }

    /// A condition that nearly always holds.
    #[must_use]
    pub fn likely(self) -> Expression {
        Expression::call("VLAD_LIKELY", [self])
    }
}

/// The maximal length of the part of a C name that comes from the program.
const LONGEST_NAME: usize = 24;

/// Returns a name of the program as the end of a C name, after an underscore.
pub fn spelled(name: &str) -> String {
    if name.is_empty() {
        return String::new();
    }
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    format!("_{}", name.chars().take(LONGEST_NAME).map(letter).collect::<String>())
}

/// Parameters, or others of a type and a name, whose names are constants of the generator.
pub fn named(all: impl IntoIterator<Item = (&'static str, &'static str)>) -> Vec<(&'static str, Word)> {
    all.into_iter().map(|(ctype, name)| (ctype, name.into())).collect()
}

impl Item {
    /// A comment of one line.
    pub fn comment(text: &str) -> Item {
        Item::Comment(text.to_owned())
    }
}

impl Statement {
    /// The definition of an unsigned integer of 64 bits.
    pub fn integer(name: impl Into<String>, value: Expression) -> Statement {
        Statement::Define { ctype: "uint64_t".into(), name: name.into(), value }
    }

    /// `if` without `else`.
    pub fn when(test: Expression, then: Vec<Statement>) -> Statement {
        Statement::If { test, then, otherwise: Vec::new() }
    }
}
