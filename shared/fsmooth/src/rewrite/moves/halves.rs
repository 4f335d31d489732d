//! One loop for both halves of an array whose elements share work. Of class X.
//!
//! ```text
//! build (2 * h) (fun k -> if k < h then let x = a[k] in b[x] else let y = a[k - h] in c[y])
//!   ~>  let t = build h (fun j -> let x = a[j] in (b[x], c[x])) in
//!       build (2 * h) (fun k -> if k < h then fst t[k] else snd t[k - h])
//! ```
//!
//! Vectors of the coordinates of many points have this form: first all abscissas, then all ordinates. Equal `let`s of both halves stand
//! once in the new loop. Both halves are evaluated before the array is made, so they have to be total.

use super::search::{self, Search};
use crate::rewrite::derivation::Step;
use crate::rewrite::facts::linear::Linear;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::rules::Class;
use crate::rewrite::terms;
use crate::typed::{Build, Expression, ExpressionId, LocalId, Program, Types};
use rustc_hash::FxHashMap;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

/// The largest element of an array whose halves are made together.
const LARGEST: usize = 4_000;

/// The least number of `let`s that the halves share.
const LEAST_SHARED: usize = 2;

/// Makes both halves of an array in one loop, if there is an array whose halves share work.
pub fn merged(program: &mut Program, context: &mut Context, search: &mut Search) -> Option<Step> {
    search.visit(program, search::BUILDS, |program, path, before| {
        let after = merge(program, context, before)?;
        Some(Step::at(path, ("halves in one loop", Class::Exact), before, after))
    })
}

/// The elements of an array that are made otherwise from half of its length on.
struct Halves {
    index: LocalId,
    half: ExpressionId,
    /// The element with an index below the half, and the one with another index.
    lower: ExpressionId,
    upper: ExpressionId,
}

impl Halves {
    fn of(program: &Program, context: &Context, array: ExpressionId) -> Option<Halves> {
        let Build { size, index, element } = program.as_build(array)?;
        let Expression::If { condition, consequent, alternative } = program.expression(element) else { return None };
        let Expression::Compare(comparison, first, second) = program.expression(condition) else { return None };
        let is_index = |id| program.is_local(id, index);
        let is_below = match comparison {
            Comparison::Less | Comparison::NotLess if is_index(first) => comparison == Comparison::Less,
            Comparison::Greater | Comparison::NotGreater if is_index(second) => comparison == Comparison::Greater,
            _ => return None,
        };
        let half = if is_index(first) { second } else { first };
        let (lower, upper) = if is_below { (consequent, alternative) } else { (alternative, consequent) };
        let is_number = program.type_of(lower) == Types::DOUBLE && program.type_of(half) == Types::INDEX;
        if !is_number || terms::mentions(program, half, &[index]) || terms::size(program, element, LARGEST) >= LARGEST {
            return None;
        }
        let (whole, half_of) = (Linear::of(program, &context.facts, size)?, Linear::of(program, &context.facts, half)?);
        let difference = whole.plus(program, &half_of, -2)?;
        let are_halves = difference.constant == 0 && difference.terms.is_empty();
        are_halves.then_some(Halves { index, half, lower, upper })
    }
}

fn merge(program: &mut Program, context: &mut Context, before: ExpressionId) -> Option<ExpressionId> {
    let Halves { index, half, lower, upper } = Halves::of(program, context, before)?;
    let own = program.add_local_like(index);
    let used = terms::local(program, own, lower);
    let lower = program.copy_replacing(lower, index, used);
    // In the upper half the index occurs only as its distance from the half.
    let upper = program.copy(upper);
    let upper = terms::replace(program, upper, |program, id| {
        let Expression::Binary(Operation::Subtract, first, second) = program.expression(id) else { return None };
        let is_distance = program.is_local(first, index) && terms::same(program, second, half);
        is_distance.then(|| terms::local(program, own, id))
    });
    if terms::mentions(program, upper, &[index]) {
        return None;
    }
    let element = shared(program, lower, upper)?;
    let size = program.copy(half);
    let table = program.like(before).build(Build { size, index: own, element });
    if !context.is_total(program, table) {
        return None;
    }
    program.keep_together(own);
    let local = terms::fresh(program, "t", table);
    let made = read(program, before, local, half)?;
    Some(program.like(before).let_in(local, table, made))
}

/// The pair of two elements behind the `let`s of both, each of which stands once; none if they share too few.
fn shared(program: &mut Program, lower: ExpressionId, upper: ExpressionId) -> Option<ExpressionId> {
    let (mut lets, first) = program.lets(lower);
    let (of_upper, second) = program.lets(upper);
    let (of_lower, mut known, mut shared) = (lets.len(), FxHashMap::default(), 0);
    for (local, value) in of_upper {
        let value = program.copy_with(value, &known);
        let same = lets.iter().copied().enumerate().find(|(_, (_, other))| terms::same(program, *other, value));
        match same {
            Some((place, (other, _))) => {
                shared += usize::from(place < of_lower);
                let other = terms::local(program, other, value);
                known.insert(local, other);
            }
            None => lets.push((local, value)),
        }
    }
    if shared < LEAST_SHARED {
        return None;
    }
    let second = program.copy_with(second, &known);
    let mut build = program.like(first);
    let pair = build.pair(first, second);
    Some(build.bind(lets, pair))
}

/// The array of both halves, which are read from a table of pairs.
fn read(program: &mut Program, before: ExpressionId, table: LocalId, half: ExpressionId) -> Option<ExpressionId> {
    let Build { size, index, element } = program.as_build(before)?;
    let own = program.add_local_like(index);
    let [from, to] = [0, 1].map(|_| program.copy(half));
    let size = program.copy(size);
    let mut build = program.like(element);
    let [lower_table, upper_table] = [0, 1].map(|_| build.local(table));
    let [lower_place, upper_place, place] = [0, 1, 2].map(|_| build.local(own));
    let lower = build.get(lower_table, lower_place);
    let consequent = build.first(lower);
    let distance = build.binary(Operation::Subtract, upper_place, from);
    let upper = build.get(upper_table, distance);
    let alternative = build.second(upper);
    let condition = build.compare(Comparison::Less, place, to);
    let element = build.choice(condition, consequent, alternative);
    Some(program.like(before).build(Build { size, index: own, element }))
}
