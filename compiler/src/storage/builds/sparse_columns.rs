//! Matrices whose last rows are sparse, made column by column: Jacobians by forward mode of functions of many small parts.
//!
//! ```text
//! build m (fun i -> if i = 0 then a else if i = 1 then b else build n (fun j -> if i = 2 + 3 j then c[j] else 0))
//!   ~>  rows 0 and 1 as usual; all other rows 0; then for each j the element j of row 2 + 3 j, if there is such a row
//! ```
//!
//! By rows, an equality is solved for the column in each row ([`super::sparse`]); by columns, it is solved for the row, which takes neither a
//! division nor a test whether it has an element. Of several equalities that hold for one element the first one counts, so it is
//! executed last, and the others may not fail. What is executed once for all rows is what each of them executes first; elements are executed
//! in another order than by rows, so all that may fail have to do so in the same way. If what is known outside is not whole or of no moderate
//! size, all rows are made as usual.

use super::one_hot::is_simple;
use super::sparse::{Places, may_be_left_out};
use super::{Counts, Element, Lowering, Outside, Part, nothing};
use crate::first_order::counted_loops::whole;
use crate::first_order::variables::free_variables;
use crate::first_order::{Block, End, Operand, Statement, Variable};
use crate::storage::affine::{Affine, outside_of};
use crate::storage::destinations::Destination;
use crate::storage::{IntegerOperation, Order, Storage};
use std::collections::{HashMap, HashSet};
use std::slice::from_ref;
use vlad_core::ExpressionId;
use vlad_table::Comparison;

/// A matrix of which all rows from some one on are sparse.
pub(super) struct SparseRows<'unit> {
    matrix: &'unit Variable,
    /// The number of a row.
    index: Variable,
    /// The number of the first of the sparse rows.
    first: u64,
    /// The statements that each of them executes before it is made. They do not read its number.
    shared: Vec<&'unit Statement>,
    row: &'unit Variable,
    /// The length of a row, and the index of its elements.
    length: Operand,
    column: Variable,
    columns: Columns<'unit>,
    /// The operands from outside that have to be whole numbers of moderate size.
    outside: Vec<Operand>,
}

/// The elements of one column that may not be 0.
struct Columns<'unit> {
    statements: Vec<&'unit Statement>,
    end: Column<'unit>,
}

enum Column<'unit> {
    Zeros,
    Branch {
        test: Operand,
        consequent: Box<Columns<'unit>>,
        alternative: Box<Columns<'unit>>,
    },
    /// The element of the row with a number, by a block; all others as they are otherwise.
    Element {
        row: Affine,
        element: &'unit Block,
        others: Box<Columns<'unit>>,
    },
}

impl<'unit> SparseRows<'unit> {
    /// The parts of a matrix built with an index; none if it is no such matrix.
    fn of(targets: &'unit [Variable], index: Variable, body: &'unit Block) -> Option<SparseRows<'unit>> {
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
        let reads_row = |variable: &Variable| *variable == index || tests.contains_key(variable);
        let are_once =
            shared.iter().all(|statement| may_precede(statement) && !read_by(statement).iter().any(reads_row));
        if *yielded != [Operand::Variable(*row)] || !are_once || length.variable().as_ref().is_some_and(reads_row) {
            return None;
        }
        let places = Places::of(elements, *column)?;
        let mut inside = HashSet::from([index]);
        body.each_statement(&mut |statement| inside.extend(statement.targets()));
        let mut search = Search { index, places: &places, inside, solved: HashSet::new() };
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

/// Returns true for a statement that has no effect but to leave the code.
fn may_precede(statement: &Statement) -> bool {
    match statement {
        Statement::Bind { block, .. } => may_be_left_out(block),
        Statement::IsIndex { .. } => true,
        other => is_simple(other),
    }
}

/// The variables that a statement that may precede rows reads.
fn read_by(statement: &Statement) -> Vec<Variable> {
    match statement {
        Statement::Bind { block, .. } => free_variables(block),
        other => other.operands().into_iter().filter_map(Operand::variable).collect(),
    }
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
            if !read_by(statement).iter().any(|variable| *variable == self.index || self.solved.contains(variable)) {
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
                if !may_be_left_out(consequent)
                    || free_variables(consequent).iter().any(|one| self.solved.contains(one))
                {
                    return None;
                }
                let is_inside = |operand: &Operand| operand.variable().is_some_and(|of| self.inside.contains(&of));
                if row.outside.iter().any(|(operand, _)| is_inside(operand)) {
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
    fn failures(&self, before: &[&Affine], found: &mut Vec<ExpressionId>) -> Option<()> {
        match &self.end {
            Column::Zeros => Some(()),
            Column::Branch { consequent, alternative, .. } => {
                consequent.failures(before, found)?;
                alternative.failures(before, found)
            }
            Column::Element { row, element, others } => {
                let mut may_fail = false;
                element.each_block(&mut |block| {
                    if let End::BailOut(node) = &block.end {
                        may_fail = true;
                        found.push(*node);
                    }
                });
                if may_fail && !before.iter().all(|other| row.is_never(other)) {
                    return None;
                }
                let before: Vec<&Affine> = before.iter().copied().chain([row]).collect();
                others.failures(&before, found)
            }
        }
    }
}

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
        let has_more = self.integer(IntegerOperation::Below, [first, count]);
        let Some(has_more) = self.all([has_more].into_iter().chain(is_exact)) else { return };
        let usual = self.integer(IntegerOperation::Choose, [has_more, first, count]);
        let part = Part { targets: from_ref(matrix), index, from: Operand::real(0.0), to: usual };
        self.usual_part(part, Element { shared: &[], block: body, counts: Counts::Each });
        let block = self.copied(|lowering| {
            rows.shared.iter().for_each(|statement| lowering.statement(statement));
            let columns = lowering.integer(IntegerOperation::Whole, [rows.length]);
            let counted = Counted { rows: count, usual, columns, outside: &outside };
            lowering.zero_rows(rows, counted);
            // Where numbers from outside are read, they are made of their integers: so are indices.
            let reals: HashMap<Variable, Operand> = outside
                .iter()
                .filter_map(|(operand, integer)| Some((operand.variable()?, *integer)))
                .map(|(variable, integer)| (variable, lowering.integer(IntegerOperation::Real, [integer])))
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
            lowering.bind(&[], elements);
            nothing()
        });
        let has_sparse = self.integer(IntegerOperation::Below, [usual, count]);
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
                self.bind(&[], zeros);
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
                let is_sparse = self.integer(IntegerOperation::NotBelow, [number, counted.usual]);
                let exists = self.integer(IntegerOperation::Below, [number, counted.rows]);
                let is_row = self.integer(IntegerOperation::Both, [is_sparse, exists]);
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
