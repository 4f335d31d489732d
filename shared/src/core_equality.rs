//! Whether two pieces of core are the same up to bound names: what `equal?` and conformance ask of procedures.
//!
//! Names are resolved, and the locals of an activation are counted from its beginning, so the same code in two places
//! has the same numbers: a comparison of structure is enough. It takes constant host stack.

use crate::core::{Expression, ExpressionId, GroupId, LambdaId, Pattern, PatternId, Program};
use crate::value::Value;
use crate::vector::{Elements, Reals};
use std::collections::HashSet;

/// Two pieces that have to be the same, and are still to be compared.
#[derive(Clone, Copy)]
enum Owed {
    Expressions(ExpressionId, ExpressionId),
    Lambdas(LambdaId, LambdaId),
    Patterns(PatternId, PatternId),
}

/// Whether two procedures have the same code: equal lambdas, or the same members of equal groups.
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
            Owed::Expressions(a, b) => match_expressions(program, a, b, &mut pending, &mut groups_compared),
            Owed::Lambdas(a, b) => match_lambdas(program, a, b, &mut pending),
            Owed::Patterns(a, b) => match_patterns(program, a, b, &mut pending),
        };
        if !same {
            return false;
        }
    }
    true
}

/// Two lambdas as procedures: a member of a group stands for its place in the group.
fn match_procedures(
    program: &Program,
    first: LambdaId,
    second: LambdaId,
    pending: &mut Vec<Owed>,
    groups_compared: &mut HashSet<(GroupId, GroupId)>,
) -> bool {
    match (program.lambda(first).group, program.lambda(second).group) {
        (None, None) => {
            pending.push(Owed::Lambdas(first, second));
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
    pending: &mut Vec<Owed>,
    groups_compared: &mut HashSet<(GroupId, GroupId)>,
) -> bool {
    if first == second || !groups_compared.insert((first, second)) {
        return true;
    }
    let (first, second) = (program.group(first), program.group(second));
    pending.extend(first.members.iter().zip(&second.members).map(|(a, b)| Owed::Lambdas(*a, *b)));
    first.members.len() == second.members.len() && first.captures.len() == second.captures.len()
}

fn match_lambdas(program: &Program, first: LambdaId, second: LambdaId, pending: &mut Vec<Owed>) -> bool {
    let (first, second) = (program.lambda(first), program.lambda(second));
    pending.push(Owed::Patterns(first.pattern, second.pattern));
    pending.push(Owed::Expressions(first.body, second.body));
    first.captures.len() == second.captures.len() && first.depth == second.depth
}

fn match_patterns(program: &Program, first: PatternId, second: PatternId, pending: &mut Vec<Owed>) -> bool {
    match (program.pattern(first), program.pattern(second)) {
        (Pattern::Variable, Pattern::Variable) => true,
        (Pattern::Constant(a), Pattern::Constant(b)) => same_constant(program.constant(a), program.constant(b)),
        (Pattern::Pair(a1, a2), Pattern::Pair(b1, b2)) => {
            pending.push(Owed::Patterns(a1, b1));
            pending.push(Owed::Patterns(a2, b2));
            true
        }
        (Pattern::Variable | Pattern::Constant(_) | Pattern::Pair(..), _) => false,
    }
}

/// Two expressions. Captures of inner procedures need comparing too: they say which variables the slots are.
fn match_expressions(
    program: &Program,
    first: ExpressionId,
    second: ExpressionId,
    pending: &mut Vec<Owed>,
    groups_compared: &mut HashSet<(GroupId, GroupId)>,
) -> bool {
    use Expression as E;
    let mut both = |a, b| pending.push(Owed::Expressions(a, b));
    match (program.expression(first), program.expression(second)) {
        (E::Constant(a), E::Constant(b)) => same_constant(program.constant(a), program.constant(b)),
        (E::Variable(a), E::Variable(b)) => a == b,
        (E::Lambda(a), E::Lambda(b)) => {
            pending.push(Owed::Lambdas(a, b));
            program.lambda(a).captures == program.lambda(b).captures
        }
        (E::Application { operator: a1, operand: a2 }, E::Application { operator: b1, operand: b2 }) => {
            both(a1, b1);
            both(a2, b2);
            true
        }
        (E::Let { lambda: a1, operand: a2, .. }, E::Let { lambda: b1, operand: b2, .. }) => {
            both(a2, b2);
            pending.push(Owed::Lambdas(a1, b1));
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

/// Two constants of code: reals by bits, so that code with NaN in it is the same as itself.
fn same_constant(first: &Value, second: &Value) -> bool {
    let mut pending = vec![(first, second)];
    while let Some((a, b)) = pending.pop() {
        let same = match (a, b) {
            (Value::Pair(a), Value::Pair(b)) => {
                pending.push((&a.second, &b.second));
                pending.push((&a.first, &b.first));
                true
            }
            (Value::Vector(a), Value::Vector(b)) => match (a.elements(), b.elements()) {
                (Elements::Values(of_a), Elements::Values(of_b)) => {
                    pending.extend(of_a.iter().zip(of_b));
                    of_a.len() == of_b.len()
                }
                (Elements::Reals(of_a), Elements::Reals(of_b)) => {
                    let bits = |reals: &Reals, index| reals.base(index).map(f64::to_bits);
                    of_a.len() == of_b.len() && (0..of_a.len()).all(|index| bits(of_a, index) == bits(of_b, index))
                }
                (Elements::Values(_), Elements::Reals(_)) | (Elements::Reals(_), Elements::Values(_)) => false,
            },
            (Value::Real(a), Value::Real(b)) => a.to_bits() == b.to_bits(),
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Nil, Value::Nil) => true,
            _ => false,
        };
        if !same {
            return false;
        }
    }
    true
}
