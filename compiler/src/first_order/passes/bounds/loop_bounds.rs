//! Tests of the indices of a loop or a build, made at once before it.
//!
//! For code without levels. A counter goes from 0, by 1, as long as it is less than a bound, and nothing else ends the
//! loop. A test in each iteration that it is an index of an array, which does not change in the loop and without which the
//! code is left, passes in all of them if the bound is not greater than the array's length. If it is greater, the code
//! is left in the loop: the iteration whose number is the length is executed, unless the code has been left before, or
//! does not end. So the code is left before the loop in its place; there are no effects in the loop that would have come
//! before. What is left to run has no test, and no bit of it changes. Indices of all rows of a matrix are tested before two
//! loops ([`super::row_bounds`]).

use super::counted::{assigned, counted, has_effects, is_constant};
use super::row_bounds::{Lengths, test_rows};
use crate::first_order::{Block, End, Function, Kind, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};
use vlad_core::ExpressionId;
use vlad_table::Comparison;

/// Makes such tests before loops, in every function.
pub fn test_bounds(unit: &mut Unit) {
    for function in &mut unit.functions {
        let mut body = std::mem::take(&mut function.body);
        let mut values = HashMap::new();
        block(function, &mut body, &mut values);
        body.substitute(&values);
        let lengths = Lengths::of(&body);
        values.clear();
        test_rows(function, &mut body, &lengths, &mut values);
        body.substitute(&values);
        function.body = body;
    }
}

/// A test that an array has as many elements as a counter's bound says.
struct Bound {
    array: Operand,
    most: Operand,
    node: ExpressionId,
}

fn block(function: &mut Function, code: &mut Block, values: &mut HashMap<Variable, Operand>) {
    for mut statement in std::mem::take(&mut code.statements) {
        if let Some(inner) = statement.block_mut() {
            block(function, inner, values);
        }
        for bound in bounds(&mut statement, values) {
            test(function, bound, &mut code.statements);
        }
        code.statements.push(statement);
    }
    for inner in code.end.blocks_mut().into_iter().flatten() {
        block(function, inner, values);
    }
}

/// Leaves the code unless a bound is at most the length of an array.
fn test(function: &mut Function, Bound { array, most, node }: Bound, code: &mut Vec<Statement>) {
    let (length, is_beyond) = (function.fresh(Kind::Real), function.fresh(Kind::Boolean));
    code.push(Statement::Length { target: length, array });
    let (comparison, second) = (Comparison::Greater, Operand::Variable(length));
    code.push(Statement::Compare { target: is_beyond, comparison, first: most, second });
    let end = End::Branch {
        test: Operand::Variable(is_beyond),
        consequent: Box::new(Block { statements: Vec::new(), end: End::BailOut(node) }),
        alternative: Box::default(),
    };
    code.push(Statement::Bind { targets: Vec::new(), block: Block { statements: Vec::new(), end } });
}

/// Takes tests out of a loop or a build, and notes their outcome.
fn bounds(statement: &mut Statement, values: &mut HashMap<Variable, Operand>) -> Vec<Bound> {
    match statement {
        Statement::Build { length, index, body, .. } => {
            let (most, index) = (*length, *index);
            match has_effects(body) {
                true => Vec::new(),
                false => taken(body, (index, most), &assigned(body, &[index]), values),
            }
        }
        Statement::Loop { state, initial, body, .. } => {
            let inside = assigned(body, state);
            match counted(state, initial, body) {
                Some((counter, most)) if is_constant(most, &inside) && !has_effects(body) => match &mut body.end {
                    End::Branch { consequent, .. } => taken(consequent, (counter, most), &inside, values),
                    End::Yield(_) | End::Repeat(_) | End::BailOut(_) => Vec::new(),
                },
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Takes the tests of a counter out of the block of an iteration.
fn taken(
    iteration: &mut Block,
    (counter, most): (Variable, Operand),
    inside: &HashSet<Variable>,
    values: &mut HashMap<Variable, Operand>,
) -> Vec<Bound> {
    let mut tests: HashMap<Variable, Operand> = HashMap::new();
    let mut passed: HashSet<Variable> = HashSet::new();
    let mut found: Vec<Bound> = Vec::new();
    iteration.statements.retain(|statement| match statement {
        Statement::IsIndex { target, array, index }
            if *index == Operand::Variable(counter) && is_constant(*array, inside) =>
        {
            tests.insert(*target, *array);
            true
        }
        Statement::Bind { targets, block } if targets.is_empty() && block.statements.is_empty() => {
            let End::Branch { test: Operand::Variable(test), consequent, alternative } = &block.end else {
                return true;
            };
            let (End::BailOut(node), Some(array)) = (&alternative.end, tests.get(test)) else { return true };
            if !alternative.statements.is_empty() || **consequent != Block::default() {
                return true;
            }
            passed.insert(*test);
            if found.iter().all(|bound| bound.array != *array) {
                found.push(Bound { array: *array, most, node: *node });
            }
            false
        }
        _ => true,
    });
    iteration.statements.retain(|statement| match statement {
        Statement::IsIndex { target, .. } => !passed.contains(target),
        _ => true,
    });
    values.extend(passed.into_iter().map(|test| (test, Operand::Boolean(true))));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_order::passes::shape::tidy::tidy;
    use crate::first_order::print::print;
    use crate::first_order::random::{Dials, compare};

    /// There is one node at which these units bail out.
    #[test]
    fn testing_bounds_keeps_the_bits_of_random_units() {
        let dials = Dials {
            index_tests: 60,
            bail_outs: 0,
            effects: 0,
            recursion: 0,
            forward: 0,
            reverse: 0,
            ..Dials::with_arrays()
        };
        let mut changed = 0;
        compare(dials, 0..1000, |unit| {
            let before = print(unit, None);
            test_bounds(unit);
            changed += usize::from(print(unit, None) != before);
            tidy(unit);
            true
        });
        assert!(changed > 100, "{changed}");
    }
}
