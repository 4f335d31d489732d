//! Loop-invariant code motion, tabulation and common subexpressions. All of class X.
//!
//! ```text
//! build n (fun i -> c[e])                      ~>  let t = e in build n (fun i -> c[t])           e without i
//! build n (fun i -> build m (fun k -> c[e]))   ~>  let t = build m (fun k -> e) in
//!                                                  build n (fun i -> build m (fun k -> c[t[k]]))   e without i, m too
//! c[e, e]                                      ~>  let t = e in c[t, t]
//! ```
//!
//! The same holds of `ifold`. The second line is *tabulation*: a term that depends on an inner index alone is computed once for each value
//! of the index. A term that leaves a loop is total, since the loop may be empty. A term that is shared is evaluated at its first use,
//! with no branch and no loop on the way. Terms with much work and long arithmetic ([`work::is_movable`]) are moved and shared; other
//! numbers leave loops only.

use super::search::{self, Looks, Path, Search, place_at};
use crate::builtins::Builtin;
use crate::rewrite::cost::work;
use crate::rewrite::derivation::Step;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::rules::Class;
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Head, LocalId, Program, Types};
use rustc_hash::FxHashMap;

/// Moves one term out of loops, if there is one to be moved.
pub fn moved(program: &mut Program, context: &mut Context, search: &mut Search) -> Option<Step> {
    search.visit(program, search::MOVABLE, |program, path, id| out_of_loops(program, context, path, id))
}

/// Moves one number that takes a few operations out of loops, if there is one to be moved. It cannot fail, so nothing is assumed for it.
pub fn scalars_moved(program: &mut Program, context: &mut Context, search: &mut Search) -> Option<Step> {
    search.visit(program, (is_scalar, Looks::AtEach), |program, path, id| {
        let outside = outermost(program, path, bound_before(program, path, &terms::free_locals(program, id)))?;
        hoisted(program, context, (path, id), outside, None)
    })
}

/// Returns true for an operation whose operands are variables, numbers and such operations.
fn is_scalar(program: &Program, id: ExpressionId) -> bool {
    let is_operation = matches!(program.expression(id), Expression::Unary(..) | Expression::Binary(..));
    let is_other = |head| {
        let is_atom = matches!(head, Head::Number(_) | Head::Boolean(_) | Head::Local(_) | Head::Global(_));
        !is_atom && !matches!(head, Head::Widen | Head::Call(Builtin::Operation(_)))
    };
    let is_short = is_operation && program.type_of(id) == Types::DOUBLE && !work::is_movable(program, id);
    is_short && !program.any(id, is_other)
}

/// The name of the rule that moves a term out of loops.
pub const HOISTING: &str = "motion out of a loop";

/// The name of the rule that makes a table of what depends on an inner index alone.
const TABULATION: &str = "tabulation";

/// Returns the depth in a path after which all of some locals are bound.
pub fn bound_before(program: &Program, path: &Path, locals: &[LocalId]) -> usize {
    let binds = |id: ExpressionId| program.apart(id).0.bound().is_some_and(|local| locals.contains(&local));
    path.iter().rposition(|(id, _)| binds(*id)).map_or(0, |depth| depth + 1)
}

/// Returns true if the part of a loop that a path goes through is its function.
fn is_repeated(program: &Program, (id, part): (ExpressionId, usize)) -> bool {
    program.apart(id).0.repeated() == Some(part)
}

/// Returns the depth of the outermost loop, from some depth of a path on, that evaluates what the path leads to again and again.
fn outermost(program: &Program, path: &Path, first: usize) -> Option<usize> {
    (first..path.len()).find(|depth| path.get(*depth).is_some_and(|step| is_repeated(program, *step)))
}

fn out_of_loops(program: &mut Program, context: &mut Context, path: &Path, id: ExpressionId) -> Option<Step> {
    let free = terms::free_locals(program, id);
    let first = bound_before(program, path, &free);
    let target = (path, id);
    if let Some(outside) = outermost(program, path, first) {
        return hoisted(program, context, target, outside, None);
    }
    // The innermost loop whose index occurs in the term, and the loops around it that do not matter to the term.
    for index in &free {
        let inner = path.iter().position(|(id, _)| program.as_loop(*id).is_some_and(|(found, _)| found == *index));
        let Some(inner) = inner else { continue };
        let others: Vec<LocalId> = free.iter().copied().filter(|local| local != index).collect();
        let count = context.facts.range(*index).or_else(|| {
            let (id, _) = path.get(inner)?;
            program.as_loop(*id).map(|(_, count)| count)
        })?;
        let mut needed = terms::free_locals(program, count);
        needed.extend(others);
        let first = bound_before(program, path, &needed);
        if let Some(outside) = outermost(program, path, first).filter(|outside| *outside < inner) {
            return hoisted(program, context, target, outside, Some((*index, count)));
        }
    }
    None
}

/// Binds a term, or the table of its values for an index, around a loop of its path.
fn hoisted(
    program: &mut Program,
    context: &mut Context,
    (path, id): (&Path, ExpressionId),
    depth: usize,
    index: Option<(LocalId, ExpressionId)>,
) -> Option<Step> {
    let (before, _) = path.get(depth).copied()?;
    let after = bound_around(program, context, (before, id), index)?;
    let rule = if index.is_some() { TABULATION } else { HOISTING };
    Some(Step { rule, class: Class::Exact, place: place_at(path, depth), before, after })
}

/// Binds a term, or the table of its values for an index, around an expression that contains it.
fn bound_around(
    program: &mut Program,
    context: &mut Context,
    (around, id): (ExpressionId, ExpressionId),
    index: Option<(LocalId, ExpressionId)>,
) -> Option<ExpressionId> {
    let value = match index {
        None => program.copy(id),
        Some((index, count)) => {
            let table = terms::tabulated(program, id, index, count);
            program.like(id).build(table)
        }
    };
    if !context.is_total_outside(program, value) {
        return None;
    }
    let table = terms::fresh(program, "t", value);
    let body = terms::replace_equal(program, around, id, |program, other| {
        let array = terms::local(program, table, other);
        let Some((index, _)) = index else { return array };
        let index = terms::local(program, index, other);
        program.like(other).get(array, index)
    });
    Some(program.like(around).let_in(table, value, body))
}

/// Binds a term that occurs twice, the first time without a condition.
pub fn shared(program: &mut Program, search: &mut Search) -> Option<Step> {
    let mut places: FxHashMap<u64, Vec<(Vec<u32>, ExpressionId)>> = FxHashMap::default();
    let root = search.root();
    search.visit(program, search::MOVABLE_IN_ORDER, |program, path, id| {
        let place: Vec<u32> = path.iter().map(|(_, part)| *part as u32).collect();
        let earlier = places.entry(program.summary(id).shape).or_default();
        for (other, twin) in earlier.iter() {
            if terms::same(program, *twin, id)
                && let Some(found) = bound_above(program, root, other, &place, *twin)
            {
                return Some(found);
            }
        }
        earlier.push((place, id));
        None
    })
}

/// Binds two equal terms at the innermost expression around both.
fn bound_above(
    program: &mut Program,
    root: ExpressionId,
    first: &[u32],
    second: &[u32],
    term: ExpressionId,
) -> Option<Step> {
    let common = first.iter().zip(second).take_while(|(one, other)| one == other).count();
    let (mut around, mut id) = (root, root);
    for (depth, number) in first.iter().enumerate() {
        if depth == common {
            around = id;
        }
        // On the way to the first use there is no branch, and no function.
        if depth >= common {
            let expression = program.expression(id);
            let is_branch = matches!(expression, Expression::If { .. }) && *number > 0;
            if is_branch || matches!(expression, Expression::Lambda { .. }) {
                return None;
            }
        }
        id = *program.parts(id).get(*number as usize)?;
    }
    let value = program.copy(term);
    let local = terms::fresh(program, "t", value);
    let body = terms::replace_equal(program, around, term, |program, other| terms::local(program, local, other));
    let after = program.like(around).let_in(local, value, body);
    let place = first.get(..common)?.to_vec();
    Some(Step { rule: "sharing", class: Class::Exact, place, before: around, after })
}
