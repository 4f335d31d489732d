//! Equality of code up to bound names, used by `equal?` and conformance to compare procedures.
//!
//! Names are resolved, and the locals of an activation are numbered from its beginning, so the same code in two places
//! has the same numbers: comparing structure is enough. The comparison takes constant host stack.

mod classes;

pub use classes::code_classes;

use crate::{Expression, ExpressionId, GroupId, LambdaId, Pattern, PatternId, Program};
use std::collections::HashSet;

/// A pair of parts that are still to be compared and must be equal.
#[derive(Clone, Copy)]
enum PendingComparison {
    Expressions(ExpressionId, ExpressionId),
    Lambdas(LambdaId, LambdaId),
    Patterns(PatternId, PatternId),
}

/// Returns true if two procedures have the same code: equal lambdas, or the same members of equal groups.
pub fn same_code(program: &Program, first: LambdaId, second: LambdaId) -> bool {
    if first == second {
        return true;
    }
    let mut groups_compared = HashSet::new();
    let mut pending = Vec::new();
    if !match_procedures(program, first, second, &mut pending, &mut groups_compared) {
        return false;
    }
    while let Some(next) = pending.pop() {
        let same = match next {
            PendingComparison::Expressions(a, b) => {
                match_expressions(program, a, b, &mut pending, &mut groups_compared)
            }
            PendingComparison::Lambdas(a, b) => match_lambdas(program, a, b, &mut pending),
            PendingComparison::Patterns(a, b) => match_patterns(program, a, b, &mut pending),
        };
        if !same {
            return false;
        }
    }
    true
}

/// Compares two lambdas as procedures; a member of a group is identified by its position in the group.
fn match_procedures(
    program: &Program,
    first: LambdaId,
    second: LambdaId,
    pending: &mut Vec<PendingComparison>,
    groups_compared: &mut HashSet<(GroupId, GroupId)>,
) -> bool {
    match (program.lambda(first).group, program.lambda(second).group) {
        (None, None) => {
            pending.push(PendingComparison::Lambdas(first, second));
            true
        }
        (Some((first_group, first_place)), Some((second_group, second_place))) => {
            first_place == second_place && match_groups(program, first_group, second_group, pending, groups_compared)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

fn match_groups(
    program: &Program,
    first: GroupId,
    second: GroupId,
    pending: &mut Vec<PendingComparison>,
    groups_compared: &mut HashSet<(GroupId, GroupId)>,
) -> bool {
    if first == second || !groups_compared.insert((first, second)) {
        return true;
    }
    let (first, second) = (program.group(first), program.group(second));
    pending.extend(first.members.iter().zip(&second.members).map(|(a, b)| PendingComparison::Lambdas(*a, *b)));
    first.members.len() == second.members.len() && first.captures.len() == second.captures.len()
}

fn match_lambdas(program: &Program, first: LambdaId, second: LambdaId, pending: &mut Vec<PendingComparison>) -> bool {
    let (first, second) = (program.lambda(first), program.lambda(second));
    pending.push(PendingComparison::Patterns(first.pattern, second.pattern));
    pending.push(PendingComparison::Expressions(first.body, second.body));
    first.captures.len() == second.captures.len() && first.depth == second.depth
}

fn match_patterns(
    program: &Program,
    first: PatternId,
    second: PatternId,
    pending: &mut Vec<PendingComparison>,
) -> bool {
    match (program.pattern(first), program.pattern(second)) {
        (Pattern::Variable, Pattern::Variable) => true,
        (Pattern::Constant(a), Pattern::Constant(b)) => program.constants.same(a, b),
        (Pattern::Pair(a1, a2), Pattern::Pair(b1, b2)) => {
            pending.push(PendingComparison::Patterns(a1, b1));
            pending.push(PendingComparison::Patterns(a2, b2));
            true
        }
        (Pattern::Variable | Pattern::Constant(_) | Pattern::Pair(..), _) => false,
    }
}

/// Compares two expressions. Captures of inner procedures are compared too, since they determine the meaning of the
/// slots.
fn match_expressions(
    program: &Program,
    first: ExpressionId,
    second: ExpressionId,
    pending: &mut Vec<PendingComparison>,
    groups_compared: &mut HashSet<(GroupId, GroupId)>,
) -> bool {
    use Expression as E;
    let mut both = |a, b| pending.push(PendingComparison::Expressions(a, b));
    match (program.expression(first), program.expression(second)) {
        (E::Constant(a), E::Constant(b)) => program.constants.same(a, b),
        (E::Variable(a), E::Variable(b)) => a == b,
        (E::Lambda(a), E::Lambda(b)) => {
            pending.push(PendingComparison::Lambdas(a, b));
            program.lambda(a).captures == program.lambda(b).captures
        }
        (E::Application { operator: a1, operand: a2 }, E::Application { operator: b1, operand: b2 }) => {
            both(a1, b1);
            both(a2, b2);
            true
        }
        (E::Let { lambda: a1, operand: a2, .. }, E::Let { lambda: b1, operand: b2, .. }) => {
            both(a2, b2);
            pending.push(PendingComparison::Lambdas(a1, b1));
            true
        }
        (E::Cons { first: a1, second: a2 }, E::Cons { first: b1, second: b2 }) => {
            both(a1, b1);
            both(a2, b2);
            true
        }
        (E::If { test: a1, consequent: a2, alternative: a3 }, E::If { test: b1, consequent: b2, alternative: b3 }) => {
            both(a1, b1);
            both(a2, b2);
            both(a3, b3);
            true
        }
        (E::Letrec { group: a1, body: a2 }, E::Letrec { group: b1, body: b2 }) => {
            both(a2, b2);
            program.group(a1).captures == program.group(b1).captures
                && match_groups(program, a1, b1, pending, groups_compared)
        }
        (
            E::Constant(_)
            | E::Variable(_)
            | E::Lambda(_)
            | E::Application { .. }
            | E::Let { .. }
            | E::Cons { .. }
            | E::If { .. }
            | E::Letrec { .. },
            _,
        ) => false,
    }
}
