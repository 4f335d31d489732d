//! A small syntax tree of C: all generated C is built as such trees, and [`print()`] is the only place that writes C.
//!
//! It has exactly the constructs that generated code uses. Expressions are shallow by construction - nested expressions
//! of a program have become statements and variables before - so they may be trees, printed and dropped by recursion.
//!
//! The build script includes this module by its path (see [`crate::rules`]), so it uses nothing of its crate.

mod print;

pub use print::{print, print_within};

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
    Structure(&'static str, Vec<Field>),
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
    pub name: &'static str,
    /// The comment after it; none if it is empty.
    pub comment: &'static str,
}

/// The head of a function.
#[derive(Clone, Debug)]
pub struct Head {
    /// The words before the type of the result.
    pub storage: &'static str,
    /// The type of the result.
    pub result: &'static str,
    /// The name.
    pub name: String,
    /// The parameters: type and name.
    pub parameters: Vec<(&'static str, &'static str)>,
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
        ctype: &'static str,
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
    /// Leaves a `switch`.
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
    /// A text that is already C: the formulas of the table of operations.
    Formula(&'static str),
    /// `f(a, b)`.
    Call(String, Vec<Expression>),
    /// The call of a function pointer, such as `m->services->f(a, b)`.
    CallPlace(Box<Expression>, Vec<Expression>),
    /// `e->field`.
    Arrow(Box<Expression>, &'static str),
    /// `e.field`.
    Dot(Box<Expression>, &'static str),
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
    pub fn dot(self, field: &'static str) -> Expression {
        Expression::Dot(Box::new(self), field)
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

impl Item {
    /// A comment of one line.
    pub fn comment(text: &str) -> Item {
        Item::Comment(text.to_owned())
    }
}

impl Statement {
    /// `if` without `else`.
    pub fn when(test: Expression, then: Vec<Statement>) -> Statement {
        Statement::If { test, then, otherwise: Vec::new() }
    }
}
