//! Random programs, good and bad: compared on all engines, shrunk when the engines disagree.
//!
//! ```text
//! seed --program, bad--> tree or text, input, limit --print--> text --compare--> what each engine does
//!                                                             --tally--> counts --shrink, report--> small cases
//! ```
//!
//! Invariant: a case is a function of its seed, its sort and the dials alone, the same on every machine. Good programs keep
//! to simple types and recur only by counting down, so all of them end; a share runs under a limit of steps, since engines
//! have to agree on limits as well. Bad ones are good ones made wrong, or never were programs. [`coverage`] says what the
//! good ones surely reach, [`names`] and [`shapes`] what is written in them, [`campaign`] runs many.

pub mod bad;
pub mod campaign;
pub mod capsules;
pub mod compare;
pub mod coverage;
pub mod data;
mod edits;
pub mod general;
pub mod generate;
pub mod gradients;
pub mod library;
pub mod long;
pub mod marked;
pub mod names;
pub mod operators;
pub mod print;
pub mod procedures;
pub mod program;
pub mod reals;
pub mod report;
pub mod saved;
pub mod shapes;
pub mod shrink;
pub mod shrink_text;
pub mod smooth;
pub mod spoil;
pub mod suspension;
pub mod tally;
pub mod tree;
pub mod types;
pub mod vectors;

use crate::numbers::Numbers;
use shapes::Shape;
use std::borrow::Cow;
use suspension::Suspension;
use tree::Tree;
use vlad_shared::number;

/// The most steps that a case takes; engines have to agree that it is reached.
pub const MOST_STEPS: u64 = 200_000;

/// The size and the depth of programs, and the ways in which they are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dials {
    /// The size to aim at, in hundredths of the usual one.
    pub size: usize,
    /// The most operators of differentiation that are written inside one another.
    pub depth: usize,
    /// The number of programs in a hundred that have something in one of the [`shapes`] that others are too small for.
    pub shape: usize,
    /// The number of cases in a hundred that are interrupted: run under a limit that they do not keep, or suspended and gone on with.
    pub interruption: usize,
}

impl Default for Dials {
    fn default() -> Dials {
        Dials { size: 100, depth: 3, shape: 10, interruption: 50 }
    }
}

/// The places, in the sequence of a case's seed, of choices that change nothing else of the case.
enum Place {
    Shape = 1,
    Interruption = 2,
}

impl Dials {
    /// The shape of something in the program of a seed, if it has one.
    pub fn shape_of(self, seed: u64) -> Option<Shape> {
        let mut numbers = Numbers::new(Numbers::at(seed, Place::Shape as u64));
        let has_shape = numbers.below(100) < self.shape;
        has_shape.then(|| Shape::any(&mut numbers))
    }

    /// The limit under which the case of a seed is run, and how it is suspended, if it is.
    pub fn course_of(self, seed: u64) -> (Limit, Option<Suspension>) {
        let mut numbers = Numbers::new(Numbers::at(seed, Place::Interruption as u64));
        let ample = if numbers.below(2) == 0 { Limit::Open } else { Limit::Whole };
        let is_interrupted = numbers.below(100) < self.interruption;
        let within = Limit::Within(numbers.bits() as u32);
        let suspension = Suspension::new(numbers.bits());
        match numbers.below(5) {
            _ if !is_interrupted => (ample, None),
            0 | 1 => (within, None),
            2 | 3 => (ample, Some(suspension)),
            _ => (within, Some(suspension)),
        }
    }
}

/// Which cases are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Programs that are well-typed by construction, one in eight of them spoilt in one place.
    Good,
    /// Programs that are ill-typed or malformed, and texts that are none.
    Bad,
    /// Procedures with a point, which mostly have derivatives there.
    Smooth,
}

/// The case of a sort, a seed and dials.
pub fn generate(sort: Sort, seed: u64, dials: Dials) -> Case {
    match sort {
        Sort::Good => program::generate(seed, dials),
        Sort::Bad => bad::generate(seed, dials),
        Sort::Smooth => smooth::generate(seed, dials),
    }
}

/// What a case runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A tree, to be printed.
    Tree(Tree),
    /// A text that may be anything.
    Text(Vec<u8>),
}

/// A program with its surroundings.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What it was made from.
    pub seed: u64,
    /// The program.
    pub source: Source,
    /// The numbers of its input.
    pub input: Vec<f64>,
    /// How many steps it may take.
    pub limit: Limit,
    /// The places at which it is suspended on the engines that are compared with the first, if it is.
    pub suspension: Option<Suspension>,
}

/// How many steps a case may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`MOST_STEPS`], and none on engines that come after one that did not need so many: code is made in another way
    /// for a run that cannot be stopped.
    Open,
    /// [`MOST_STEPS`].
    Whole,
    /// Fewer than it needs: this many parts of 2^32 of them.
    Within(u32),
}

impl Limit {
    /// Whether a program may take all steps that it needs, up to [`MOST_STEPS`].
    pub fn is_ample(self) -> bool {
        match self {
            Limit::Open | Limit::Whole => true,
            Limit::Within(_) => false,
        }
    }

    /// The number of steps, of a program that takes `needed`.
    pub fn steps(self, needed: u64) -> u64 {
        match self {
            Limit::Open | Limit::Whole => MOST_STEPS,
            Limit::Within(parts) => (needed * u64::from(parts)) >> 32,
        }
    }
}

impl Case {
    /// The text of the program, which need not be UTF-8.
    pub fn bytes(&self) -> Vec<u8> {
        match &self.source {
            Source::Tree(tree) => print::text(tree).into_bytes(),
            Source::Text(bytes) => bytes.clone(),
        }
    }

    /// The text of the program as far as it is UTF-8.
    pub fn text(&self) -> String {
        match &self.source {
            Source::Tree(tree) => print::text(tree),
            Source::Text(bytes) => match String::from_utf8_lossy(bytes) {
                Cow::Borrowed(text) => text.to_owned(),
                Cow::Owned(text) => text,
            },
        }
    }

    /// The tree of the program, if it has one.
    pub fn tree(&self) -> Option<&Tree> {
        match &self.source {
            Source::Tree(tree) => Some(tree),
            Source::Text(_) => None,
        }
    }

    /// The text of its input.
    pub fn input_text(&self) -> String {
        self.input.iter().map(|real| number::format(*real)).collect::<Vec<_>>().join(" ")
    }
}
