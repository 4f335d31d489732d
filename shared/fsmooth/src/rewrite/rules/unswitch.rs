//! Loop unswitching: an iteration whose steps test one invariant condition becomes a choice of two iterations. Of class X.
//!
//! ```text
//! ifold (fun s i -> ... if j = k then a else b ...) z n  ~>  if j = k then ifold (fun s i -> ... a ...) z n
//!                                                            else ifold (fun s i -> ... b ...) z n
//! ```
//!
//! The condition is a total equality of indices. It is the last rule that is tried, since the code becomes twice as long.

use super::Named;
use crate::rewrite::facts::one_hot;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Program};

/// The largest step of an iteration that is made twice.
const LARGEST: usize = 150;

/// Returns the name of the rule and the term that replaces an iteration, if it applies.
pub fn rewritten(program: &mut Program, context: &mut Context, id: ExpressionId) -> Option<Named> {
    let Expression::Ifold { function, .. } = program.expression(id) else { return None };
    if terms::size(program, function, LARGEST) >= LARGEST {
        return None;
    }
    let condition = invariant(program, function)?;
    if !context.is_total(program, condition) {
        return None;
    }
    let other = program.copy(id);
    let consequent = decided(program, id, condition, true);
    let alternative = decided(program, other, condition, false);
    let condition = program.copy(condition);
    Some(("choice out of a loop", program.like(id).choice(condition, consequent, alternative)))
}

/// Returns the condition of a choice in a function that depends on nothing that the function binds.
fn invariant(program: &Program, function: ExpressionId) -> Option<ExpressionId> {
    let (mut bound, mut conditions) = (vec![], vec![]);
    program.walk(function, |id, head| {
        bound.extend(head.bound());
        if let Expression::If { condition, .. } = program.expression(id) {
            conditions.extend(one_hot::equality(program, condition).map(|_| condition));
        }
        true
    });
    conditions.into_iter().find(|condition| !terms::mentions(program, *condition, &bound))
}

/// Puts the outcome of a condition in its place.
fn decided(program: &mut Program, root: ExpressionId, condition: ExpressionId, outcome: bool) -> ExpressionId {
    terms::replace_equal(program, root, condition, |program, id| program.like(id).boolean(outcome))
}
