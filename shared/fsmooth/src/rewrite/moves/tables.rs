//! Tables of terms that two loops compute for the same indices. Of class X.
//!
//! ```text
//! c[build n (fun i -> a[e[i]]), ifold (fun s k -> b[e[k]]) z n]
//!   ~>  let t = build n (fun i -> e[i]) in c[build n (fun i -> a[t[i]]), ifold (fun s k -> b[t[k]]) z n]
//! ```
//!
//! One of the two loops computes its term on each turn, and is evaluated whenever the term around both is. So the table has no element
//! that would not be computed. The terms have to be total, since a loop may fail before it reaches them.

use super::motion;
use super::search::{self, Path, Search};
use crate::rewrite::derivation::Step;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::rules::Class;
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, LocalId, Program};
use rustc_hash::FxHashMap;

/// A term that depends on the index of a loop around it, and on nothing else that is bound in that loop.
struct Turn {
    id: ExpressionId,
    path: Path,
    index: LocalId,
    count: ExpressionId,
    /// The depth of the loop in the path.
    depth: usize,
}

/// Binds the table of one term, if there is one that pays.
pub fn tabulated(program: &mut Program, context: &mut Context, search: &mut Search) -> Option<Step> {
    let mut turns: FxHashMap<u64, Vec<Turn>> = FxHashMap::default();
    search.visit(program, search::MOVABLE_IN_ORDER, |program, path, id| {
        let turn = turn(program, path, id)?;
        let earlier = turns.entry(program.summary(id).shape).or_default();
        for other in earlier.iter() {
            if let Some(found) = bound(program, context, (other, &turn)) {
                return Some(found);
            }
        }
        earlier.push(turn);
        None
    })
}

/// Returns the innermost loop whose index a term needs, if the term needs nothing else that it binds.
fn turn(program: &Program, path: &Path, id: ExpressionId) -> Option<Turn> {
    let free = terms::free_locals(program, id);
    let (depth, index, count) = path.iter().enumerate().rev().find_map(|(depth, (around, _))| {
        let (index, count) = program.as_loop(*around)?;
        free.contains(&index).then_some((depth, index, count))
    })?;
    let mut needed: Vec<LocalId> = free.into_iter().filter(|local| *local != index).collect();
    needed.extend(terms::free_locals(program, count));
    let is_outside = motion::bound_before(program, path, &needed) <= depth;
    is_outside.then(|| Turn { id, path: path.clone(), index, count, depth })
}

/// Binds the table of two terms, if they are equal but for the index.
fn bound(program: &mut Program, context: &mut Context, (one, other): (&Turn, &Turn)) -> Option<Step> {
    let mut renamed = FxHashMap::from_iter([(one.index, other.index)]);
    if one.index == other.index || !terms::matching(program, one.id, other.id, &mut renamed) {
        return None;
    }
    let together = one.path.iter().zip(&other.path).take_while(|(one, other)| one == other).count();
    let depth = together.min(one.depth).min(other.depth);
    let (around, _) = one.path.get(depth).copied()?;
    let mut needed = terms::free_locals(program, one.count);
    needed.extend(terms::free_locals(program, one.id).into_iter().filter(|local| *local != one.index));
    let is_computed = is_always_computed(program, one, depth) || is_always_computed(program, other, depth);
    if !is_computed || motion::bound_before(program, &one.path, &needed) > depth {
        return None;
    }
    if !context.facts.is_equal(program, one.count, other.count) {
        return None;
    }
    let table = terms::tabulated(program, one.id, one.index, one.count);
    let value = program.like(one.id).build(table);
    if !context.is_total(program, value) {
        return None;
    }
    let table = terms::fresh(program, "t", value);
    let body = with_table(program, context, (around, one), table);
    let after = program.like(around).let_in(table, value, body);
    let place = search::place_at(&one.path, depth);
    Some(Step { rule: "tabulation for two loops", class: Class::Exact, place, before: around, after })
}

/// Returns true if a term is computed for all of its indices wherever the expression at a depth of its path is evaluated.
fn is_always_computed(program: &Program, turn: &Turn, depth: usize) -> bool {
    turn.path.iter().enumerate().skip(depth).all(|(place, (id, part))| {
        let expression = program.expression(*id);
        if let Expression::Lambda { .. } = expression {
            // The functions of the loop itself.
            let (inner, around) = (place.saturating_sub(turn.depth), turn.path.get(turn.depth));
            return inner == 1 || inner == 2 && around.is_some_and(|(around, _)| program.as_ifold(*around).is_some());
        }
        !matches!(expression, Expression::If { .. }) || *part == 0
    })
}

/// Puts elements of a table in the place of all terms that are equal to one but for the index of a loop of its count.
fn with_table(
    program: &mut Program,
    context: &mut Context,
    (around, one): (ExpressionId, &Turn),
    table: LocalId,
) -> ExpressionId {
    context.facts.enter_all(program, around);
    let form = std::mem::discriminant(&program.expression(one.id));
    terms::replace(program, around, |program, id| {
        if std::mem::discriminant(&program.expression(id)) != form {
            return None;
        }
        let index = terms::free_locals(program, id).into_iter().find(|local| {
            let Some(range) = context.facts.range(*local) else { return false };
            let mut renamed = FxHashMap::from_iter([(one.index, *local)]);
            context.facts.is_equal(program, range, one.count) && terms::matching(program, one.id, id, &mut renamed)
        })?;
        let (array, index) = (terms::local(program, table, id), terms::local(program, index, id));
        Some(program.like(id).get(array, index))
    })
}
