//! The names of the helpers that transformed code uses.

use crate::transformation::modes::{Mode, Order};
use crate::transformation::source::{ReachableCode, access};
use crate::transformation::spelling::Spelling;
use vlad_table::ArgumentUse;

/// The names of the helpers that transformed code uses.
pub struct Preamble {
    pub(super) mode: Mode,
    pub(super) order: Order,
    /// Makes a pair of two transformed values.
    pub cons: String,
    /// Splits a pair: returns a pair of transformed values.
    pub split: String,
    /// Returns the value that `if` tests.
    pub test: String,
    /// Returns the zero sensitivity of a transformed value.
    pub zero: String,
    /// Adds two sensitivities.
    pub plus: String,
    /// Returns the sensitivity of a procedure made in the code, or its zero.
    pub or_zero: String,
    /// Returns a vector as one of transformed elements.
    pub elements: String,
    /// Returns a list as one of transformed elements.
    pub listed: String,
    /// Tags a vector of transformed elements as a whole, if the elements have tags.
    pub whole: String,
    /// The use of vectors in the transformed code.
    pub(super) vectors: Vectors,
    /// The name of a procedure's argument, if its parameter is a pattern.
    pub argument: String,
    part: String,
    bound: String,
}

/// The use of vectors in the transformed code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Vectors {
    Used,
    Unused,
}

impl Preamble {
    /// Chooses the names.
    pub fn new(mode: Mode, order: Order, reached: &ReachableCode, spelling: &mut Spelling) -> Preamble {
        let (value, sensitivity) = (spelling.value.clone(), spelling.sensitivity.clone());
        // No variable has the name of a keyword.
        let cons = format!("cons{value}");
        let split = spelling.fresh("parts") + &value;
        let argument = spelling.fresh("arg") + &value;
        let (part, bound) = (spelling.fresh("rest"), spelling.fresh("whole"));
        let test = match (order, mode) {
            (Order::First, Mode::Forward) => "primal".to_owned(),
            (Order::First, Mode::Reverse) => "*j-inverse".to_owned(),
            (Order::Higher, _) => spelling.fresh("truth") + &value,
        };
        let zero = spelling.fresh("zero") + &sensitivity;
        let plus = match order {
            Order::First => "plus".to_owned(),
            Order::Higher => spelling.fresh("plus") + &sensitivity,
        };
        let or_zero = spelling.fresh("or-zero") + &sensitivity;
        let [elements, listed, whole] =
            ["elements", "listed", "whole-vector"].map(|helper| spelling.fresh(helper) + &value);
        let uses_vectors = reached.primitives.iter().any(|primitive| access(*primitive) == ArgumentUse::Elements);
        let vectors = if uses_vectors { Vectors::Used } else { Vectors::Unused };
        Preamble {
            mode,
            order,
            cons,
            split,
            test,
            zero,
            plus,
            or_zero,
            elements,
            listed,
            whole,
            vectors,
            argument,
            part,
            bound,
        }
    }

    /// Returns the name of a part of an argument that is split further.
    pub fn part(&self, number: usize, mark: &str) -> String {
        numbered(&self.part, number, mark)
    }

    /// Returns the name of an operand that is bound to be split.
    pub fn bound(&self, number: usize, mark: &str) -> String {
        numbered(&self.bound, number, mark)
    }
}

fn numbered(base: &str, number: usize, mark: &str) -> String {
    match number {
        1 => format!("{base}{mark}"),
        _ => format!("{base}.{number}{mark}"),
    }
}
