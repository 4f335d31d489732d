//! Random programs that mean something: variables have values before they are read, loops end, numbers stay moderate, most
//! indices are within bounds, and no variable has two names.
//!
//! - [`scope`]: names with their uses; `units`: subprograms; `calls`: calls, without aliases;
//! - `expressions`, `statements`, `jumps`, `lists`, `blocks`: the parts of bodies.
//!
//! A program prints its variables at the end. The same seed gives the same program.

mod blocks;
mod calls;
mod expressions;
mod jumps;
mod lists;
pub mod scope;
mod statements;
mod units;

use crate::tree::{Bound, Expression, Intrinsic, Operator, Place, Program};
use fastrand::Rng;
use scope::{Procedure, Unit};

/// The choice of what occurs in programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Blocks of differentiation.
    pub blocks: bool,
    /// The greatest depth of nested subprograms.
    pub nesting: u32,
    /// Only programs that an ordinary compiler for Fortran takes, with subprograms nested once.
    pub is_ordinary: bool,
    /// The number of statements of a body, about.
    pub size: u32,
}

impl Options {
    /// Everything.
    pub const ALL: Options = Options { blocks: true, nesting: 3, is_ordinary: false, size: 7 };
    /// All but blocks of differentiation.
    pub const PLAIN: Options = Options { blocks: false, ..Options::ALL };
    /// Programs for an ordinary compiler.
    pub const ORDINARY: Options = Options { blocks: false, nesting: 1, is_ordinary: true, size: 8 };
}

/// A generator under way.
pub struct Generator {
    rng: Rng,
    options: Options,
    /// The subprograms beside the main program.
    global: Vec<Procedure>,
    /// The units around the place that is generated, outermost first.
    stack: Vec<Unit>,
    /// The numbers of names and labels that were made.
    names: u32,
    labels: u32,
    units: u32,
    input: Vec<f64>,
}

/// The program of a seed.
pub fn program(seed: u64, options: Options) -> Program {
    let mut generator = Generator {
        rng: Rng::with_seed(seed),
        options,
        global: Vec::new(),
        stack: Vec::new(),
        names: 0,
        labels: 0,
        units: 0,
        input: Vec::new(),
    };
    let count = generator.below(4);
    let mut units: Vec<_> = (0..count).map(|_| generator.global_unit()).collect();
    let main = generator.main_unit();
    let place = if generator.chance(50) { units.len() } else { generator.below(units.len() + 1) };
    units.insert(place, main);
    Program { units, input: generator.input }
}

impl Generator {
    fn below(&mut self, bound: usize) -> usize {
        self.rng.usize(0..bound.max(1))
    }

    fn chance(&mut self, percentage: u8) -> bool {
        self.rng.u8(0..100) < percentage
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        let place = self.below(all.len());
        all.get(place).cloned()
    }

    /// A new name that begins with some letters.
    fn name(&mut self, letters: &str) -> String {
        self.names += 1;
        format!("{letters}{}", self.names)
    }

    fn label(&mut self) -> u32 {
        self.labels += 10;
        self.labels
    }
}

fn name(name: &str) -> Expression {
    Expression::Name(name.to_owned())
}

fn integer(integer: i64) -> Expression {
    if integer < 0 { Expression::Minus(Box::new(Expression::Integer(-integer))) } else { Expression::Integer(integer) }
}

fn binary(operator: Operator, first: Expression, second: Expression) -> Expression {
    Expression::Binary(operator, Box::new(first), Box::new(second))
}

fn intrinsic(intrinsic: Intrinsic, operands: impl IntoIterator<Item = Expression>) -> Expression {
    Expression::Intrinsic(intrinsic, operands.into_iter().collect())
}

fn scalar(name: &str) -> Place {
    Place { name: name.to_owned(), indices: Vec::new() }
}

fn bounds(all: &[(i64, i64)]) -> Vec<Bound> {
    let bound = |(lower, upper): &(i64, i64)| Bound {
        lower: (*lower != 1).then(|| integer(*lower)),
        upper: Some(integer(*upper)),
    };
    all.iter().map(bound).collect()
}
