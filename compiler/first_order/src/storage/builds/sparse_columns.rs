//! Sparse rows by columns: the first rows as usual, all others zeros, then their elements column by column.

use super::{Element, Lowering, Outside, Part, nothing};
use crate::storage::counts::Counts;
use crate::storage::patterns::sparse_columns::{Column, Columns, SparseRows};
use crate::storage::placement::destinations::Destination;
use crate::{Block, End, IntegerOperation, Operand, Order, Statement, Storage, Variable};
use std::collections::HashMap;
use std::slice::from_ref;

/// The integers in which a matrix is made column by column.
#[derive(Clone, Copy)]
struct Counted<'integers> {
    /// The number of rows, of those that are made as usual, and of columns.
    rows: Operand,
    usual: Operand,
    columns: Operand,
    outside: &'integers Outside,
}

impl<'unit> Lowering<'_, 'unit> {
    /// A matrix whose last rows are made column by column, whichever element fails first.
    pub(super) fn sparse_columns(
        &self,
        targets: &'unit [Variable],
        index: Variable,
        body: &'unit Block,
    ) -> Option<SparseRows<'unit>> {
        let rows = SparseRows::of(targets, index, body)?;
        let mut nodes = Vec::new();
        rows.columns.failures(&[], &mut nodes)?;
        let mut nodes = nodes.into_iter().map(|node| self.failure(node));
        let first = nodes.next();
        nodes.all(|node| Some(node) == first).then_some(rows)
    }

    /// The elements of such a matrix, of so many rows with a body.
    pub(super) fn build_by_columns(&mut self, rows: &SparseRows<'unit>, (body, count): (&'unit Block, Operand)) {
        let SparseRows { matrix, index, .. } = *rows;
        let (outside, is_exact) = self.outside(&rows.outside);
        let first = Operand::real(rows.first as f64);
        let has_more = self.code.integer(IntegerOperation::Below, [first, count]);
        let Some(has_more) = self.all([has_more].into_iter().chain(is_exact)) else { return };
        let usual = self.code.integer(IntegerOperation::Choose, [has_more, first, count]);
        let part = Part { targets: from_ref(matrix), index, from: Operand::real(0.0), to: usual };
        self.usual_part(part, Element { shared: &[], block: body, counts: Counts::Each });
        let block = self.copied(|lowering| {
            rows.shared.iter().for_each(|statement| lowering.statement(statement));
            let columns = lowering.code.integer(IntegerOperation::Whole, [rows.length]);
            let counted = Counted { rows: count, usual, columns, outside: &outside };
            lowering.zero_rows(rows, counted);
            // Reads of numbers from outside become reads of reals made of their integers, so that indices are integers.
            let reals: HashMap<Variable, Operand> = outside
                .iter()
                .filter_map(|(operand, integer)| Some((operand.variable()?, *integer)))
                .map(|(variable, integer)| (variable, lowering.code.integer(IntegerOperation::Real, [integer])))
                .collect();
            let mut elements = lowering.nested(|lowering| {
                lowering.each((Operand::real(0.0), columns), Order::Sequential, &[], |lowering, column, _| {
                    let (target, operation, operands) = (rows.column, IntegerOperation::Real, vec![column]);
                    lowering.code.push(Storage::Integer { target, operation, operands }.into());
                    lowering.column(rows, &rows.columns, (column, counted));
                    End::Repeat(Vec::new())
                });
                nothing()
            });
            elements.substitute(&reals);
            lowering.code.bind_block(&[], elements);
            nothing()
        });
        let has_sparse = self.code.integer(IntegerOperation::Below, [usual, count]);
        self.when(has_sparse, block);
    }

    /// Makes the sparse rows of a matrix zeros, in one loop.
    fn zero_rows(&mut self, rows: &SparseRows<'unit>, counted: Counted<'_>) {
        let SparseRows { matrix, index, row, .. } = *rows;
        match self.placement.destination(*row) {
            Some(Destination::Row(result, _)) if !self.placement.is_fast_path() => {
                let counts = [counted.usual, counted.columns];
                self.code.push(Storage::FillRows { matrix: (*matrix).into(), result, counts }.into());
            }
            Some(_) | None => {
                let zeros = self.copied(|lowering| {
                    lowering.each((counted.usual, counted.rows), Order::Sequential, &[], |lowering, number, _| {
                        lowering.code.push(Storage::Turns { count: counted.columns }.into());
                        lowering.at_row(index, [number, counted.rows], |lowering| {
                            lowering.allocate(*row, counted.columns);
                            lowering.fill(*row);
                        });
                        if !lowering.placement.has_no_rows(*matrix) {
                            let (array, value) = ((*matrix).into(), (*row).into());
                            lowering.code.push(Statement::Store { array, index: number, value });
                        }
                        End::Repeat(Vec::new())
                    });
                    nothing()
                });
                self.code.bind_block(&[], zeros);
            }
        }
    }

    /// Writes code for a row with a number, of so many.
    fn at_row(&mut self, index: Variable, row: [Operand; 2], write: impl FnOnce(&mut Self)) {
        self.around.insert(index, row);
        write(self);
        self.around.remove(&index);
    }

    /// The elements of a column that may not be 0. Recursion is bounded by the depth of branches in code.
    fn column(&mut self, rows: &SparseRows<'unit>, columns: &Columns<'unit>, at: (Operand, Counted<'_>)) {
        columns.statements.iter().for_each(|statement| self.statement(statement));
        match &columns.end {
            Column::Zeros => {}
            Column::Branch { test, consequent, alternative } => {
                let [consequent, alternative] = [consequent, alternative].map(|columns| {
                    self.nested(|lowering| {
                        lowering.column(rows, columns, at);
                        nothing()
                    })
                });
                self.choose(&[], *test, consequent, alternative);
            }
            Column::Element { row, element, others } => {
                self.column(rows, others, at);
                let (column, counted) = at;
                let number = self.affine(row, Some(column), counted.outside);
                let is_sparse = self.code.integer(IntegerOperation::NotBelow, [number, counted.usual]);
                let exists = self.code.integer(IntegerOperation::Below, [number, counted.rows]);
                let is_row = self.code.integer(IntegerOperation::Both, [is_sparse, exists]);
                let block = self.copied(|lowering| {
                    let (target, operation, operands) = (rows.index, IntegerOperation::Real, vec![number]);
                    lowering.code.push(Storage::Integer { target, operation, operands }.into());
                    lowering.at_row(rows.index, [number, counted.rows], |lowering| {
                        lowering.row_made(rows, number, counted.columns);
                    });
                    lowering.statements(&element.statements);
                    lowering.set_elements(from_ref(rows.row), (column, None), &element.end, &nothing())
                });
                self.when(is_row, block);
            }
        }
    }

    /// Defines a row that has been made, by its number and length.
    fn row_made(&mut self, rows: &SparseRows<'unit>, number: Operand, length: Operand) {
        let SparseRows { matrix, index, row, .. } = *rows;
        let is_even = self.placement.even_rows.contains_key(&index);
        match self.placement.destination(*row) {
            Some(_) if is_even || self.placement.has_no_rows(*matrix) => self.allocate(*row, length),
            Some(_) | None => {
                let (target, array) = (*row, (*matrix).into());
                self.code.push(Statement::Element { target, array, index: number });
            }
        }
    }
}
