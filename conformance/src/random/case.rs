//! A case: a program with its input, its limit and its suspension.

use super::suspension::Suspension;
use super::trees::print;
use super::trees::tree::Tree;
use std::borrow::Cow;
use vlad_shared::table::number;

/// The step limit of every case; engines have to agree whether it is reached.
pub const MOST_STEPS: u64 = 200_000;

/// The program of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A tree, to be printed.
    Tree(Tree),
    /// A text of any bytes.
    Text(Vec<u8>),
}

/// A program with its input, its limit and its suspension.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The seed that it was made from.
    pub seed: u64,
    /// The program.
    pub source: Source,
    /// The numbers of its input.
    pub input: Vec<f64>,
    /// Its step limit.
    pub limit: Limit,
    /// The points at which engines other than the first one suspend it; none if it is not suspended.
    pub suspension: Option<Suspension>,
}

/// The step limit of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`MOST_STEPS`] on the first engine. If that did not need so many, later engines run without a limit, which tests
    /// the code that is generated for runs without stop points.
    Open,
    /// [`MOST_STEPS`].
    Whole,
    /// Fewer than it needs: this number / 2^32 of them.
    Within(u32),
}

impl Limit {
    /// Returns true if a program may take all steps that it needs, up to [`MOST_STEPS`].
    pub fn is_ample(self) -> bool {
        match self {
            Limit::Open | Limit::Whole => true,
            Limit::Within(_) => false,
        }
    }

    /// The limit in steps, for a program that takes `needed`.
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
