//! Tests of an index in all rows of a matrix, made once before two loops.
//!
//! ```text
//! for j below m                 for k below the length of A: m is at most the length of A[k]
//!   for k below the length      for j below m
//!   of A: j is an index of        for k below the length of A: ...
//!   A[k]; ...
//! ```
//!
//! Either loop may be a build. If a row has fewer than m elements, the loops leave the code in that row at the latest, in the
//! iteration whose j is their number. The loops have no effects, so the code may be left before them. There are as many tests as A
//! has rows, in place of m times as many.

use super::index_tests::{leave_if, take_guards};
use crate::counted_loops::CountedIteration;
use crate::variables::{assigned, is_constant};
use crate::{Block, End, Function, Kind, Operand, Statement, Variable};
use std::collections::HashMap;
use vlad_core::ExpressionId;
use vlad_table::{Comparison, Operation};

/// The length of each array that has been measured, or built.
pub struct Lengths(HashMap<Operand, Operand>);

impl Lengths {
    /// The lengths of the arrays of a function.
    pub fn of(body: &Block) -> Lengths {
        let mut found = HashMap::new();
        for statement in body.all_statements() {
            if let Statement::Length { target, array } = statement {
                found.insert(*array, Operand::Variable(*target));
            }
            if let Statement::Build { targets, length, .. } = statement {
                found.extend(targets.iter().map(|target| (Operand::Variable(*target), *length)));
            }
        }
        Lengths(found)
    }
}

/// A test that all rows of a matrix have as many elements as a counter's bound says.
struct Rows {
    matrix: Operand,
    length: Operand,
    most: Operand,
    node: ExpressionId,
}

/// The tests that are made before a loop. Notes the outcome of those that are left out of it.
pub fn tests_of_rows(
    function: &mut Function,
    statement: &mut Statement,
    lengths: &Lengths,
    values: &mut HashMap<Variable, Operand>,
) -> Vec<Statement> {
    rows(statement, lengths, values).iter().map(|rows| test(function, rows)).collect()
}

/// Takes tests out of the loops in a loop.
fn rows(statement: &mut Statement, lengths: &Lengths, values: &mut HashMap<Variable, Operand>) -> Vec<Rows> {
    let inner_variables = statement.inner_variables().to_vec();
    let Some(CountedIteration { counter, bound: most, block: outer }) = statement.iteration_mut() else {
        return Vec::new();
    };
    let inside = assigned(outer, &inner_variables);
    if outer.may_read_or_write() || !is_constant(most, &inside) {
        return Vec::new();
    }
    let mut found: Vec<Rows> = Vec::new();
    for inner in &mut outer.statements {
        let Some(CountedIteration { counter: row, bound: length, block }) = inner.iteration_mut() else { continue };
        if !is_constant(length, &inside) {
            continue;
        }
        let mut matrices: HashMap<Operand, Operand> = HashMap::new();
        let matrix_of = |statement: &Statement| match statement {
            Statement::Element { target, array, index } => {
                let is_row = *index == row.into() && is_constant(*array, &inside);
                if is_row && lengths.0.get(array) == Some(&length) {
                    matrices.insert((*target).into(), *array);
                }
                None
            }
            Statement::IsIndex { array, index, .. } if *index == counter.into() => matrices.get(array).copied(),
            _ => None,
        };
        for (matrix, node) in take_guards(block, matrix_of, values) {
            if found.iter().all(|rows| rows.matrix != matrix) {
                found.push(Rows { matrix, length, most, node });
            }
        }
    }
    found
}

/// The loop that leaves the code unless all rows have as many elements.
fn test(function: &mut Function, Rows { matrix, length, most, node }: &Rows) -> Statement {
    let [counter, elements, next] = [(); 3].map(|()| function.fresh(Kind::Real));
    let row = function.fresh(function.kind(*matrix).element().unwrap_or(Kind::REALS));
    let [is_row, is_beyond] = [(); 2].map(|()| function.fresh(Kind::Boolean));
    let (one, second) = (Operand::real(1.0), Operand::Variable(elements));
    let statements = vec![
        Statement::Element { target: row, array: *matrix, index: counter.into() },
        Statement::Length { target: elements, array: row.into() },
        Statement::Compare { target: is_beyond, comparison: Comparison::Greater, first: *most, second },
        leave_if(is_beyond.into(), *node),
        Statement::Operation { target: next, operation: Operation::Add, first: counter.into(), second: Some(one) },
    ];
    let iteration = Block { statements, end: End::Repeat(vec![next.into()]) };
    let body = Block {
        statements: vec![Statement::Compare {
            target: is_row,
            comparison: Comparison::Less,
            first: counter.into(),
            second: *length,
        }],
        end: End::Branch { test: is_row.into(), consequent: Box::new(iteration), alternative: Box::default() },
    };
    Statement::Loop { targets: Vec::new(), state: vec![counter], initial: vec![Operand::real(0.0)], body }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::{Building, Code};
    use crate::check::check;
    use crate::passes::bounds::loop_bounds::test_bounds;
    use crate::passes::shape::tidy::tidy;
    use crate::text::print::print;
    use crate::{Elements, Scalar};

    /// Leaves the code unless a real is an index, and returns the element there.
    fn tested(code: &mut Code<'_>, array: Operand, index: Operand) -> Operand {
        let test = code.fresh(Kind::Boolean);
        code.push(Statement::IsIndex { target: test, array, index });
        code.bind(&[], |code| code.branch(test.into(), |_| End::Yield(vec![]), |_| End::BailOut(ExpressionId(7))));
        code.element(array, index)
    }

    /// The sums of the columns of a matrix: of as many columns as another array has elements.
    #[test]
    fn rows_are_tested_before_two_loops() {
        let matrix = Kind::Array(Elements { scalar: Scalar::Real, rank: 2 });
        let mut building = Building::default();
        let columns = building.declare("columns", &[matrix, Kind::REALS], &[Kind::REALS]);
        building.define(columns, |code, p| {
            let (rows, zero) = (code.length(p[0]), Operand::real(0.0));
            let most = code.length(p[1]);
            let sums = code.build(&[Kind::REALS], most, |code, column| {
                let sum = code.run_loop(&[Kind::Real], &[zero, zero], |code, state| {
                    let is_row = code.compare(Comparison::Less, state[0], rows);
                    code.branch(
                        is_row,
                        |code| {
                            let row = code.element(p[0], state[0]);
                            let element = tested(code, row, column);
                            let sum = code.binary(Operation::Add, state[1], element);
                            let next = code.binary(Operation::Add, state[0], Operand::real(1.0));
                            End::Repeat(vec![next, sum])
                        },
                        |_| End::Yield(vec![state[1]]),
                    )
                });
                End::Yield(sum)
            });
            End::Yield(sums)
        });
        let mut unit = building.finish();
        test_bounds(&mut unit);
        tidy(&mut unit);
        check(&unit).unwrap();
        let text = print(&unit, None);
        let (before, after) = text.split_once("build").unwrap();
        assert!(before.contains("  loop ") && before.contains("bail out at 7"), "{text}");
        assert!(!after.contains("is-index") && !after.contains("bail out"), "{text}");
    }
}
