//! Matrices of the fast path that are made in the memory of the caller, with rows of one length.
//!
//! Where the length of the rows is known before the first one is made, whether the matrix fits is tested once, and if all
//! rows are mostly zeros ([`super::hot`], [`super::places`]), all of it is filled at once.

use super::destinations::Destination;
use super::function::{Body, name, operand};
use super::hot::Hot;
use super::on_arrays::count_name;
use super::places::Places;
use super::wholes::integer_name;
use crate::c::{Expression as C, Infix, Statement as S};
use crate::first_order::{Block, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};

/// The rows of a matrix, if they have one length.
pub struct EvenRows {
    length: Length,
    /// True if all of them are filled with zeros before the first one is made.
    pub are_zero: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Length {
    /// A number that is known before the loop over the rows.
    Of(Operand),
    /// The length of an array that is known there.
    OfArray(Operand),
    /// The number of elements.
    Known(usize),
}

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
        let mut inside: HashSet<Variable> = HashSet::from([index]);
        let mut arrays: Vec<(Variable, Operand)> = Vec::new();
        body.each_statement(&mut |statement| {
            inside.extend(statement.targets().iter().chain(statement.inner_variables()));
            if let Statement::Length { target, array } = statement {
                arrays.push((*target, *array));
            }
        });
        let is_outside = |operand: &Operand| !matches!(operand, Operand::Variable(of) if inside.contains(of));
        let length_of = |length: Operand| match length {
            length if is_outside(&length) => Some(Length::Of(length)),
            Operand::Variable(length) => {
                let (_, array) = arrays.iter().find(|(target, array)| *target == length && is_outside(array))?;
                Some(Length::OfArray(*array))
            }
            Operand::Real(_) | Operand::Boolean(_) => None,
        };
        let is_row = |target: &Variable| matches!(self.scope.destinations.of(self.id, *target), Some(Destination::Row(_, of)) if of == index);
        let (mut lengths, mut are_zero) = (Vec::new(), true);
        body.each_statement(&mut |statement| {
            if !statement.targets().iter().any(is_row) {
                return;
            }
            match statement {
                Statement::Build { length, index, body, .. } => {
                    lengths.push(length_of(*length));
                    are_zero &= Hot::of(body, *index).is_some_and(|hot| hot.is_zero_elsewhere())
                        || Places::of(body, *index).is_some();
                }
                Statement::Array { elements, .. } => {
                    lengths.push(Some(Length::Known(elements.len())));
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
        let width = match rows.length {
            Length::Of(length) => self.integer(length),
            Length::OfArray(array) => operand(array).dot("length"),
            Length::Known(length) => C::Number(length as u64),
        };
        let result = C::Number(result as u64);
        out.push(S::Define { ctype: "uint64_t".into(), name: width_name(index), value: width });
        let operands = [C::name("m"), result.clone(), count.clone(), C::Name(width_name(index))];
        self.require(C::call("vlad_fits_as_rows", operands), out);
        let first = C::call("vlad_first_row", [C::name("m"), result, C::Name(width_name(index))]);
        out.push(S::Define { ctype: "double *".into(), name: rows_name(index), value: first });
        if rows.are_zero {
            let all = C::call(
                "vlad_row",
                [C::Name(rows_name(index)), C::Number(0), count.infix(Infix::Multiply, C::Name(width_name(index)))],
            );
            out.push(S::Evaluate(C::call("vlad_set_zeros", [all])));
        }
    }

    /// A row of a matrix whose rows have one length.
    pub(super) fn even_row(&self, row: Variable, out: &mut Vec<S>, target: Variable) {
        let operands = [C::Name(rows_name(row)), C::Name(integer_name(row)), C::Name(width_name(row))];
        self.define(target, C::call("vlad_row", operands), out);
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

fn width_name(row: Variable) -> String {
    format!("width{}", row.0)
}

fn rows_name(row: Variable) -> String {
    format!("rows{}", row.0)
}
