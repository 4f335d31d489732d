//! The behaviour of a program: what it prints, and how it ends.

use vlad_table::number::format;

/// The limits of an evaluation.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The number of statements that are executed.
    pub statements: u64,
    /// The depth of calls.
    pub depth: u32,
}

/// The limits of evaluations in tests: those of programs that a generator makes.
pub const LIMITS: Limits = Limits { statements: 40_000, depth: 60 };

/// A printed item.
#[derive(Clone, Debug, PartialEq)]
pub enum Printed {
    /// A real.
    Real(f64),
    /// An integer.
    Integer(i64),
    /// A logical value.
    Logical(bool),
    /// A text.
    Text(String),
}

impl Printed {
    /// The item as Farfel prints it.
    pub fn text(&self) -> String {
        match self {
            Printed::Real(real) => format(*real),
            Printed::Integer(integer) => integer.to_string(),
            Printed::Logical(logical) => if *logical { "T" } else { "F" }.to_owned(),
            Printed::Text(text) => text.clone(),
        }
    }
}

/// A printed line.
pub type Line = Vec<Printed>;

/// The end of an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The program has ended, by `STOP` or at its end.
    Finished,
    /// A run-time error: the program must not go on.
    Failed(String),
    /// The evaluator does not know what the program does.
    Unknown(&'static str),
    /// The tree is no program: an error of its generator.
    Broken(String),
}

/// The behaviour of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Behaviour {
    /// The lines that it prints.
    pub lines: Vec<Line>,
    /// The end.
    pub ending: Ending,
    /// True if a variable was assigned under one name while it had another one: Farfel forbids that.
    pub is_aliased: bool,
    /// True if a block of differentiation was executed.
    pub differentiates: bool,
}
