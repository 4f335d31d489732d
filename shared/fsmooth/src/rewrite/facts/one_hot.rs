//! Tests of an index for one value, as forward mode makes them of one-hot tangents: `build n (fun k -> if k = i then a else 0)`.
//!
//! An array whose elements test their index is *sparse* if all else in it is 0. Moves look for the tests, cost models count the turns of
//! a loop that pass one, and compiled code fills a sparse array and writes to the places that its tests name.

use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, LocalId, Program, Types};
use vlad_table::primitives::Comparison;

/// The deepest nest of branches and `let`s in a sparse array.
const DEEPEST: usize = 24;

/// Returns the sides of an equality of indices.
pub fn equality(program: &Program, condition: ExpressionId) -> Option<[ExpressionId; 2]> {
    let Expression::Compare(Comparison::Equal, first, second) = program.expression(condition) else { return None };
    (program.type_of(first) == Types::INDEX).then_some([first, second])
}

/// Returns the other side of an equality of an index and something that does not depend on it.
pub fn tested(program: &Program, index: LocalId, condition: ExpressionId) -> Option<ExpressionId> {
    let [first, second] = equality(program, condition)?;
    let (side, other) = if program.is_local(first, index) { (first, second) } else { (second, first) };
    (program.is_local(side, index) && !terms::mentions(program, other, &[index])).then_some(other)
}

/// Returns true for an equality that depends on some locals.
pub fn is_test_of(program: &Program, locals: &[LocalId], condition: ExpressionId) -> bool {
    equality(program, condition).is_some() && terms::mentions(program, condition, locals)
}

/// Returns true if the elements of an array are 0 but where the index fulfils an equality.
pub fn is_sparse(program: &Program, index: LocalId, element: ExpressionId) -> bool {
    let (mut tests, mut made, mut pending) = (0, vec![index], vec![(element, DEEPEST)]);
    while let Some((id, depth)) = pending.pop() {
        let (expression, Some(depth)) = (program.expression(id), depth.checked_sub(1)) else { return false };
        if let Expression::If { condition, consequent, alternative } = expression {
            pending.push((alternative, depth));
            if is_test_of(program, &made, condition) {
                tests += 1;
            } else {
                pending.push((consequent, depth));
            }
        } else if let Expression::Let { local, value, body } = expression
            && program.type_of(value) == Types::INDEX
        {
            made.extend(terms::mentions(program, value, &made).then_some(local));
            pending.push((body, depth));
        } else if !matches!(expression, Expression::Number(number) if number.to_bits() == 0) {
            return false;
        }
    }
    tests > 0
}
