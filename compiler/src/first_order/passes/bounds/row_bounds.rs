//! Tests of an index in all rows of a matrix, made at once before two loops.
//!
//! ```text
//! for j below m                 for k below the length of A: m is at most the length of A[k]
//!   for k below the length      for j below m
//!   of A: j is an index of        for k below the length of A: ...
//!   A[k]; ...
//! ```
//!
//! Either loop may be a build. If a row has fewer than m elements, the code is left in that row at the latest, in the
//! iteration whose j is their number; there are no effects before, so it is left as well if that is tested first. It takes as
//! many tests as A has rows, in place of m times as many.

use super::counted::{assigned, counted, has_effects, is_constant};
use crate::first_order::{Block, End, Function, Kind, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};
use vlad_core::ExpressionId;
use vlad_table::{Comparison, Operation};

/// The length of each array that has been measured, or built.
pub struct Lengths(HashMap<Operand, Operand>);

impl Lengths {
    /// The lengths of the arrays of a function.
    pub fn of(body: &Block) -> Lengths {
        let mut found = HashMap::new();
        body.each_statement(&mut |statement| match statement {
            Statement::Length { target, array } => {
                found.insert(*array, Operand::Variable(*target));
            }
            Statement::Build { targets, length, .. } => {
                found.extend(targets.iter().map(|target| (Operand::Variable(*target), *length)));
            }
            _ => {}
        });
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

/// Makes such tests before loops, and notes the outcome of those that are left out.
pub fn test_rows(
    function: &mut Function,
    code: &mut Block,
    lengths: &Lengths,
    values: &mut HashMap<Variable, Operand>,
) {
    for mut statement in std::mem::take(&mut code.statements) {
        if let Some(inner) = statement.block_mut() {
            test_rows(function, inner, lengths, values);
        }
        for rows in rows(&mut statement, lengths, values) {
            code.statements.push(test(function, &rows));
        }
        code.statements.push(statement);
    }
    for inner in code.end.blocks_mut().into_iter().flatten() {
        test_rows(function, inner, lengths, values);
    }
}

/// The block of an iteration of a loop that a counter ends, with the counter and its bound.
fn iteration(statement: &mut Statement) -> Option<(Variable, Operand, &mut Block)> {
    match statement {
        Statement::Build { length, index, body, .. } => Some((*index, *length, body)),
        Statement::Loop { state, initial, body, .. } => {
            let (counter, most) = counted(state, initial, body)?;
            match &mut body.end {
                End::Branch { consequent, .. } => Some((counter, most, consequent)),
                End::Yield(_) | End::Repeat(_) | End::BailOut(_) => None,
            }
        }
        _ => None,
    }
}

/// Takes tests out of the loops in a loop.
fn rows(statement: &mut Statement, lengths: &Lengths, values: &mut HashMap<Variable, Operand>) -> Vec<Rows> {
    let inner_variables = statement.inner_variables().to_vec();
    let Some((counter, most, outer)) = iteration(statement) else { return Vec::new() };
    let inside = assigned(outer, &inner_variables);
    if has_effects(outer) || !is_constant(most, &inside) {
        return Vec::new();
    }
    let mut found: Vec<Rows> = Vec::new();
    for inner in &mut outer.statements {
        let Some((row, length, block)) = iteration(inner) else { continue };
        if is_constant(length, &inside) {
            taken(block, (counter, most), (row, length), (&inside, lengths), values, &mut found);
        }
    }
    found
}

/// Takes tests of the outer counter in rows out of the block of an inner iteration.
fn taken(
    inner: &mut Block,
    (counter, most): (Variable, Operand),
    (row, length): (Variable, Operand),
    (inside, lengths): (&HashSet<Variable>, &Lengths),
    values: &mut HashMap<Variable, Operand>,
    found: &mut Vec<Rows>,
) {
    let mut matrices: HashMap<Operand, Operand> = HashMap::new();
    let mut tests: HashMap<Variable, Operand> = HashMap::new();
    inner.statements.retain(|statement| match statement {
        Statement::Element { target, array, index }
            if *index == Operand::Variable(row)
                && is_constant(*array, inside)
                && lengths.0.get(array) == Some(&length) =>
        {
            matrices.insert(Operand::Variable(*target), *array);
            true
        }
        Statement::IsIndex { target, array, index } if *index == Operand::Variable(counter) => {
            if let Some(matrix) = matrices.get(array) {
                tests.insert(*target, *matrix);
            }
            true
        }
        Statement::Bind { targets, block } if targets.is_empty() && block.statements.is_empty() => {
            let End::Branch { test: Operand::Variable(test), consequent, alternative } = &block.end else {
                return true;
            };
            let (End::BailOut(node), Some(matrix)) = (&alternative.end, tests.get(test)) else { return true };
            if !alternative.statements.is_empty() || **consequent != Block::default() {
                return true;
            }
            values.insert(*test, Operand::Boolean(true));
            if found.iter().all(|rows| rows.matrix != *matrix) {
                found.push(Rows { matrix: *matrix, length, most, node: *node });
            }
            false
        }
        _ => true,
    });
    let is_test = |statement: &Statement| match statement {
        Statement::IsIndex { target, .. } => values.contains_key(target),
        _ => false,
    };
    inner.statements.retain(|statement| !is_test(statement));
}

/// The loop that leaves the code unless all rows have as many elements.
fn test(function: &mut Function, Rows { matrix, length, most, node }: &Rows) -> Statement {
    let [counter, elements, next] = [(); 3].map(|()| function.fresh(Kind::Real));
    let row = function.fresh(function.kind(*matrix).element().unwrap_or(Kind::REALS));
    let [is_row, is_beyond] = [(); 2].map(|()| function.fresh(Kind::Boolean));
    let (one, second) = (Operand::real(1.0), Operand::Variable(elements));
    let leaves = End::Branch {
        test: is_beyond.into(),
        consequent: Box::new(Block { statements: Vec::new(), end: End::BailOut(*node) }),
        alternative: Box::default(),
    };
    let statements = vec![
        Statement::Element { target: row, array: *matrix, index: counter.into() },
        Statement::Length { target: elements, array: row.into() },
        Statement::Compare { target: is_beyond, comparison: Comparison::Greater, first: *most, second },
        Statement::Bind { targets: Vec::new(), block: Block { statements: Vec::new(), end: leaves } },
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
    use crate::first_order::build::{Building, Code};
    use crate::first_order::check::check;
    use crate::first_order::passes::bounds::loop_bounds::test_bounds;
    use crate::first_order::passes::shape::tidy::tidy;
    use crate::first_order::print::print;
    use crate::first_order::{Elements, Scalar};

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
