//! Tests of the indices of a loop or a build, made once before it.
//!
//! The loop is counted ([`crate::counted_loops`]). Each iteration leaves the code unless the counter is an index of an
//! array from outside. These tests pass in all iterations if the bound is at most the array's length, so one comparison before the
//! loop takes their place. If the bound is greater, the loop would leave the code in the iteration whose number is the length, unless
//! it had left before, or did not end. The loop has no effects that would have come first, so the code is left before it.
//!
//! No bit changes: the remaining code computes the same values. Tests in all rows of a matrix are moved in front of two loops
//! ([`super::row_bounds`]).

use super::index_tests::{leave_if, take_guards};
use super::row_bounds::{Lengths, tests_of_rows};
use crate::counted_loops::CountedIteration;
use crate::variables::{assigned, is_constant};
use crate::{Function, Kind, Operand, Statement, Unit, Variable};
use std::collections::HashMap;
use vlad_core::ExpressionId;
use vlad_table::Comparison;

/// Makes such tests before loops, in every function.
pub fn test_bounds(unit: &mut Unit) {
    for function in &mut unit.functions {
        let mut body = std::mem::take(&mut function.body);
        let mut values = HashMap::new();
        body.rewrite(&mut |mut statement, code| {
            for bound in bounds(&mut statement, &mut values) {
                test(function, bound, code);
            }
            code.push(statement);
        });
        body.substitute(&values);
        let lengths = Lengths::of(&body);
        values.clear();
        body.rewrite(&mut |mut statement, code| {
            code.extend(tests_of_rows(function, &mut statement, &lengths, &mut values));
            code.push(statement);
        });
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

/// Leaves the code unless a bound is at most the length of an array.
fn test(function: &mut Function, Bound { array, most, node }: Bound, code: &mut Vec<Statement>) {
    let (length, is_beyond) = (function.fresh(Kind::Real), function.fresh(Kind::Boolean));
    code.push(Statement::Length { target: length, array });
    let (comparison, second) = (Comparison::Greater, Operand::Variable(length));
    code.push(Statement::Compare { target: is_beyond, comparison, first: most, second });
    code.push(leave_if(is_beyond.into(), node));
}

/// Takes tests out of a loop or a build, and notes their outcome.
fn bounds(statement: &mut Statement, values: &mut HashMap<Variable, Operand>) -> Vec<Bound> {
    let inner_variables = statement.inner_variables().to_vec();
    let Some(body) = statement.block().filter(|body| !body.may_read_or_write()) else { return Vec::new() };
    let inside = assigned(body, &inner_variables);
    let Some(CountedIteration { counter, bound: most, block }) = statement.iteration_mut() else { return Vec::new() };
    if !is_constant(most, &inside) {
        return Vec::new();
    }
    let array_of = |statement: &Statement| match statement {
        Statement::IsIndex { array, index, .. } if *index == counter.into() && is_constant(*array, &inside) => {
            Some(*array)
        }
        _ => None,
    };
    let found = take_guards(block, array_of, values).into_iter();
    found.map(|(array, node)| Bound { array, most, node }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::shape::tidy::tidy;
    use crate::random::{Dials, compare};
    use crate::text::print::print;

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
