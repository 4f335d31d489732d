//! Matrices whose last rows are sparse, made column by column: Jacobians by forward mode of functions of many small parts.
//!
//! ```text
//! build m (fun i -> if i = 0 then a else if i = 1 then b else build n (fun j -> if i = 2 + 3 j then c[j] else 0))
//!   ~>  rows 0 and 1 as usual; all other rows 0; then for each j the element j of row 2 + 3 j, if there is such a row
//! ```
//!
//! By rows, an equality is solved for the column in each row ([`super::sparse`]). By columns, it is solved for the row, without a division
//! and without a test whether a row has an element. Of several equalities that hold for one element the first one counts, so it is
//! executed last, and the others may not fail. The code that each row executes first is executed once for all. Elements are made in
//! another order than by rows, so all code that may fail has to do so in the same way. If the numbers from outside are not whole, or not
//! of moderate size, all rows are made as usual.

use super::sparse::Places;
use crate::counted_loops::whole;
use crate::storage::affine::{Affine, outside_of};
use crate::variables::{assigned, is_constant};
use crate::{Block, End, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};
use vlad_core::ExpressionId;
use vlad_table::Comparison;

/// A matrix of which all rows from some one on are sparse.
pub struct SparseRows<'unit> {
    /// The matrix.
    pub matrix: &'unit Variable,
    /// The number of a row.
    pub index: Variable,
    /// The number of the first of the sparse rows.
    pub first: u64,
    /// The statements that each of them executes before it is made. They do not read its number.
    pub shared: Vec<&'unit Statement>,
    /// A row.
    pub row: &'unit Variable,
    /// The length of a row.
    pub length: Operand,
    /// The index of its elements.
    pub column: Variable,
    /// The elements.
    pub columns: Columns<'unit>,
    /// The operands from outside that have to be whole numbers of moderate size.
    pub outside: Vec<Operand>,
}

/// The elements of one column that may not be 0.
pub struct Columns<'unit> {
    /// The statements of each column, which do not read the number of the row.
    pub statements: Vec<&'unit Statement>,
    /// The elements.
    pub end: Column<'unit>,
}

/// The elements of one column behind some statements.
pub enum Column<'unit> {
    /// All are 0.
    Zeros,
    /// The elements of one of two blocks.
    Branch {
        /// The condition.
        test: Operand,
        /// The elements if it holds.
        consequent: Box<Columns<'unit>>,
        /// The elements if it does not hold.
        alternative: Box<Columns<'unit>>,
    },
    /// The element of the row with a number, by a block; all others as they are otherwise.
    Element {
        /// The number of the row.
        row: Affine,
        /// The block.
        element: &'unit Block,
        /// The other elements.
        others: Box<Columns<'unit>>,
    },
}

impl<'unit> SparseRows<'unit> {
    /// The parts of a matrix built with an index; none if it is no such matrix.
    pub fn of(targets: &'unit [Variable], index: Variable, body: &'unit Block) -> Option<SparseRows<'unit>> {
        let [matrix] = targets else { return None };
        let (mut first, mut shared, mut tests) = (0, Vec::new(), HashMap::new());
        let mut block = body;
        let yielded = loop {
            for statement in &block.statements {
                match row_test(statement, index) {
                    Some((test, row)) => {
                        tests.insert(test, row);
                    }
                    None => shared.push(statement),
                }
            }
            match &block.end {
                End::Branch { test, alternative, .. } => {
                    first = first.max(tests.get(&test.variable()?)? + 1);
                    block = alternative;
                }
                End::Yield(values) => break values,
                End::Repeat(_) | End::BailOut(_) => return None,
            }
        };
        let Some(Statement::Build { targets: row, length, index: column, body: elements }) = shared.pop() else {
            return None;
        };
        let [row] = row.as_slice() else { return None };
        let reads_row = |variable: Variable| variable == index || tests.contains_key(&variable);
        let are_once =
            shared.iter().all(|statement| statement.computes_values() && !statement.variables_read().any(reads_row));
        if *yielded != [Operand::Variable(*row)] || !are_once || length.variable().is_some_and(reads_row) {
            return None;
        }
        let places = Places::of(elements, *column)?;
        let mut search = Search { index, places: &places, inside: assigned(body, &[index]), solved: HashSet::new() };
        let columns = search.columns(elements)?;
        let mut numbers = Vec::new();
        columns.rows(&mut numbers);
        let outside = outside_of(numbers);
        Some(SparseRows { matrix, index, first, shared, row, length: *length, column: *column, columns, outside })
    }
}

/// The target of a test whether the number of a row is a constant, with that constant.
fn row_test(statement: &Statement, index: Variable) -> Option<(Variable, u64)> {
    let Statement::Compare { target, comparison: Comparison::Equal, first, second } = statement else { return None };
    let constant = match (first, second) {
        (Operand::Variable(variable), Operand::Real(bits)) | (Operand::Real(bits), Operand::Variable(variable))
            if *variable == index =>
        {
            whole(bits.real())
        }
        _ => None,
    };
    constant.map(|constant| (*target, constant))
}

/// The search for the elements of a column.
struct Search<'body> {
    /// The number of the row.
    index: Variable,
    places: &'body Places,
    /// The variables that the body of the matrix defines.
    inside: HashSet<Variable>,
    /// The equalities that are solved, and what is computed for them: statements that are not executed.
    solved: HashSet<Variable>,
}

impl Search<'_> {
    /// The elements of a block of a row; none if they are not as they have to be. Recursion is bounded by the depth of branches in code.
    fn columns<'unit>(&mut self, block: &'unit Block) -> Option<Columns<'unit>> {
        let mut statements = Vec::new();
        for statement in &block.statements {
            if !statement.variables_read().any(|variable| variable == self.index || self.solved.contains(&variable)) {
                statements.push(statement);
                continue;
            }
            let target = *statement.targets().first()?;
            if !self.places.is_affine(target) && self.row(target).is_none() {
                return None;
            }
            self.solved.insert(target);
        }
        let end = match &block.end {
            End::Yield(values) if values.iter().all(|value| *value == Operand::real(0.0)) => Column::Zeros,
            End::Branch { test: Operand::Variable(test), consequent, alternative } if self.solved.contains(test) => {
                let row = self.row(*test)?;
                if !consequent.computes_values()
                    || consequent.all_operands().filter_map(Operand::variable).any(|one| self.solved.contains(&one))
                {
                    return None;
                }
                if !row.outside.iter().all(|(operand, _)| is_constant(*operand, &self.inside)) {
                    return None;
                }
                Column::Element { row, element: consequent, others: Box::new(self.columns(alternative)?) }
            }
            End::Branch { test, consequent, alternative } => Column::Branch {
                test: *test,
                consequent: Box::new(self.columns(consequent)?),
                alternative: Box::new(self.columns(alternative)?),
            },
            End::Yield(_) | End::Repeat(_) | End::BailOut(_) => return None,
        };
        Some(Columns { statements, end })
    }

    /// The number of the row for which a test holds, if that is an equality of which it is a part with the factor 1 or -1.
    fn row(&self, test: Variable) -> Option<Affine> {
        let equality = self.places.equality(test)?;
        let (of_row, others): (Vec<_>, Vec<_>) =
            equality.outside.iter().copied().partition(|(operand, _)| *operand == self.index.into());
        let sign: i64 = of_row.iter().map(|(_, factor)| factor).sum();
        let outside = others.into_iter().map(|(operand, factor)| (operand, -sign * factor)).collect();
        (sign.abs() == 1).then_some(Affine {
            factor: sign * equality.factor,
            constant: -sign * equality.constant,
            outside,
        })
    }
}

impl Columns<'_> {
    /// Adds the numbers of the rows that have elements. Recursion is bounded by the depth of branches in code.
    fn rows<'columns>(&'columns self, found: &mut Vec<&'columns Affine>) {
        match &self.end {
            Column::Zeros => {}
            Column::Branch { consequent, alternative, .. } => {
                consequent.rows(found);
                alternative.rows(found);
            }
            Column::Element { row, others, .. } => {
                found.push(row);
                others.rows(found);
            }
        }
    }

    /// Adds the nodes because of which elements give code up, given the rows of the equalities before; none if one may do so that is
    /// not wanted, since an earlier equality holds as well. Recursion is bounded by the depth of branches in code.
    pub fn failures(&self, before: &[&Affine], found: &mut Vec<ExpressionId>) -> Option<()> {
        match &self.end {
            Column::Zeros => Some(()),
            Column::Branch { consequent, alternative, .. } => {
                consequent.failures(before, found)?;
                alternative.failures(before, found)
            }
            Column::Element { row, element, others } => {
                found.extend(element.bail_outs());
                if element.may_bail_out() && !before.iter().all(|other| row.is_never(other)) {
                    return None;
                }
                let before: Vec<&Affine> = before.iter().copied().chain([row]).collect();
                others.failures(&before, found)
            }
        }
    }
}
