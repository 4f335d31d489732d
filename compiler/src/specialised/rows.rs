//! Matrices of the fast path that are made in the memory of the caller, with rows of one length.
//!
//! Where the length of the rows is known before the first one is made, whether the matrix fits is tested once, and if all
//! rows are mostly zeros ([`super::hot`], [`super::places`]), all of it is filled at once.

use super::destinations::Destination;
use super::function::{Body, name};
use super::hot::Hot;
use super::known_length::{EvenRows, KnownLength, Lengths};
use super::on_arrays::{count_name, turns};
use super::places::Places;
use super::wholes::integer_name;
use crate::c::{Expression as C, Infix, Statement as S};
use crate::first_order::{Block, Statement, Variable};
use std::collections::HashMap;

impl<'unit> Body<'unit> {
    /// Notes the matrices of a fast path with rows of one length.
    pub(super) fn note_even_rows(&mut self) {
        let Some(in_place) = self.scope.in_place else { return };
        let mut found = HashMap::new();
        self.function.body.each_statement(&mut |statement| {
            if let Statement::Build { targets, index, body, .. } = statement
                && let [matrix] = targets.as_slice()
                && in_place.contains(matrix)
            {
                found.extend(self.rows_of(*index, body).map(|rows| (*index, rows)));
            }
        });
        self.even_rows = found;
    }

    /// The rows of a matrix that is built with an index.
    fn rows_of(&self, index: Variable, body: &'unit Block) -> Option<EvenRows> {
        let known = Lengths::of(body, &[index]);
        let is_row = |target: &Variable| {
            let place = self.scope.destinations.of(self.id, *target);
            place.is_some_and(|place| place.is_row_with(index))
        };
        let (mut lengths, mut are_zero) = (Vec::new(), true);
        body.each_statement(&mut |statement| {
            if !statement.targets().iter().any(is_row) {
                return;
            }
            match statement {
                Statement::Build { length, index, body, .. } => {
                    lengths.push(known.known(*length));
                    are_zero &= Hot::of(body, *index).is_some_and(|hot| hot.is_zero_elsewhere())
                        || Places::of(body, *index).is_some();
                }
                Statement::Array { elements, .. } => {
                    lengths.push(Some(KnownLength::Elements(elements.len())));
                    are_zero = false;
                }
                _ => {}
            }
        });
        let length = (*lengths.first()?)?;
        lengths.iter().all(|other| *other == Some(length)).then_some(EvenRows { length, are_zero })
    }

    /// Tests before the first row is made whether the matrix fits, and fills it.
    pub(super) fn begin_rows(&self, matrix: Variable, index: Variable, count: C, out: &mut Vec<S>) {
        let (Some(rows), Some(Destination::Result(result))) =
            (self.even_rows.get(&index), self.scope.destinations.of(self.id, matrix))
        else {
            return;
        };
        // If it is not a length, it is too great, or the first row is not made.
        let width = self.known_length(rows.length);
        let result = C::Number(result as u64);
        out.push(S::integer(width_name(index), width));
        let operands = [C::name("m"), result.clone(), count.clone(), C::Name(width_name(index))];
        self.require(C::call("vlad_fits_as_rows", operands), out);
        let first = C::call("vlad_first_row", [C::name("m"), result, C::Name(width_name(index))]);
        out.push(S::Define { ctype: "double *".into(), name: rows_name(index), value: first });
        if rows.are_zero {
            let operands = [C::Name(rows_name(index)), count, C::Name(width_name(index))];
            out.push(S::Evaluate(C::call("vlad_set_rows_zero", operands)));
        }
    }

    /// A row of a matrix whose rows have one length.
    pub(super) fn even_row(&self, row: Variable, out: &mut Vec<S>, target: Variable) {
        let operands = [C::Name(rows_name(row)), C::Name(integer_name(row)), C::Name(width_name(row))];
        self.define(target, C::call("vlad_row", operands), out);
    }

    /// Defines a row of a matrix that has been made, by its number and length.
    pub(super) fn row_made(&self, row: Variable, (matrix, index): (Variable, Variable), length: C, out: &mut Vec<S>) {
        let number = C::Name(integer_name(index));
        match self.scope.destinations.of(self.id, row) {
            _ if self.even_rows.contains_key(&index) => self.even_row(index, out, row),
            Some(Destination::Row(result, _)) if self.is_in_place(matrix) => {
                let operands = [C::name("m"), C::Number(result as u64), number, length];
                self.define(row, C::call("vlad_placed_row", operands), out);
            }
            Some(_) | None => self.define(row, C::call("vlad_array_at", [name(matrix), number]), out),
        }
    }

    /// Makes the rows of a matrix zeros, in one loop, from one on to the last. The matrix is built with an index; the C of the
    /// length of a row is a name.
    pub(super) fn zero_rows(
        &self,
        (matrix, index, from): (Variable, Variable, C),
        (row, length): (Variable, &str),
        out: &mut Vec<S>,
    ) {
        match self.scope.destinations.of(self.id, row) {
            Some(Destination::Row(result, _)) if !self.scope.is_fast_path() => {
                let operands = [C::name("m"), C::Number(result as u64), name(matrix), from, C::name(length)];
                out.push(S::Evaluate(C::call("vlad_zero_rows", operands)));
            }
            Some(_) | None => {
                let mut zeros = vec![turns(length)];
                self.allocate(row, C::name(length), &mut zeros);
                self.set_zeros(row, &mut zeros);
                self.set_elements(&[matrix], index, vec![name(row)], &mut zeros);
                out.push(each((integer_name(index), from), C::Name(count_name(index)), zeros));
            }
        }
    }

    /// Sets all elements of a new array to +0; those of a row with those of the rows behind it.
    pub(super) fn set_zeros(&self, target: Variable, out: &mut Vec<S>) {
        let zeros = match self.scope.destinations.of(self.id, target) {
            Some(Destination::Row(_, row)) if self.even_rows.contains_key(&row) => {
                match self.even_rows.get(&row).is_some_and(|rows| rows.are_zero) {
                    true => return,
                    false => C::call("vlad_set_zeros", [name(target)]),
                }
            }
            Some(Destination::Row(result, row)) => {
                let (row, rows) = (C::Name(integer_name(row)), C::Name(count_name(row)));
                C::call("vlad_set_zeros_from", [C::name("m"), C::Number(result as u64), row, rows, name(target)])
            }
            Some(Destination::Result(_)) | None => C::call("vlad_set_zeros", [name(target)]),
        };
        out.push(S::Evaluate(zeros));
    }
}

/// Statements for each index from one on up to another one.
pub(super) fn each((index, from): (String, C), to: C, mut statements: Vec<S>) -> S {
    statements.insert(0, S::when(C::name(&index).infix(Infix::Equal, to), vec![S::Break]));
    statements.push(S::Add(C::name(&index), C::Number(1)));
    S::Scope(vec![S::integer(index, from), S::Loop(statements)])
}

fn width_name(row: Variable) -> String {
    format!("width{}", row.0)
}

fn rows_name(row: Variable) -> String {
    format!("rows{}", row.0)
}
