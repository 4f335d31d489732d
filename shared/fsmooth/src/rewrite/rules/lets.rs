//! The fate of a `let`, by its value and its uses: inlined, split, dropped or kept.
//!
//! | value | uses | becomes |
//! |---|---|---|
//! | a variable or a constant | any | the value itself |
//! | any, total | none | nothing |
//! | any | the body itself | the value itself |
//! | a function | one, or the function is small | the function itself |
//! | a pair | any | a `let` for each part |
//! | another pair | one projection only | a `let` of this projection |
//! | total: an element, a part, a length, a choice of constants | any | the value itself |
//! | total | one, outside of loops | the value itself |
//! | a total `build` | as an array that is indexed or measured | its element at each index, if no work is repeated |
//!
//! All of class X. The last row is the fusion of loops: work is not repeated if an element takes no loop and no
//! elementary function, or if one element is used, within as many loops as it has indices.

use super::Named;
use crate::rewrite::cost::work::{Work, work};
use crate::rewrite::facts::totality::Context;
use crate::rewrite::terms::{self, Uses};
use crate::typed::{Expression, ExpressionId, LocalId, Program, Side, Type};

/// The largest function that is copied.
const SMALL_FUNCTION: usize = 200;

/// The largest function that is copied once.
const LARGE_FUNCTION: usize = 2_000;

/// The largest value that is read again instead of being kept.
const SMALL_VALUE: usize = 8;

/// The largest choice with a constant that is made again instead of being kept.
const SMALL_CHOICE: usize = 24;

/// The largest element that is computed again at each index.
const SMALL_ELEMENT: usize = 60;

/// The size of all copies of an element at most.
const MOST_COPIES: usize = 100;

/// The largest element that is computed again at each index, however often.
const TINY_ELEMENT: usize = 24;

/// Returns the name of the rule that applies to a `let`, and the term that replaces it.
pub fn rewritten(program: &mut Program, context: &mut Context, id: ExpressionId) -> Option<Named> {
    let Expression::Let { local, value, body } = program.expression(id) else { return None };
    let form = program.expression(value);
    if program.is_local(body, local) {
        return Some(("let of its body", value));
    }
    if terms::is_atom(form) {
        return Some(("let of an atom", terms::substitute(program, body, local, value)));
    }
    if let Expression::Pair(first, second) = form {
        return Some(("let of a pair", split(program, id, local, (first, second), body)));
    }
    let uses = terms::uses(program, body, local);
    if uses.count == 0 {
        return context.is_total(program, value).then_some(("let without a use", body));
    }
    if let Expression::Lambda { .. } = form {
        let largest = if uses.count == 2 { LARGE_FUNCTION } else { SMALL_FUNCTION };
        let is_small = uses.count == 1 || terms::size(program, value, largest) < largest;
        return is_small.then(|| ("let of a function", terms::substitute(program, body, local, value)));
    }
    if let Some(projected) = projected(program, id, uses) {
        return Some(("let of one projection", projected));
    }
    if is_inlined(program, value, uses) && context.is_total(program, value) {
        return Some(("let with a cheap value", terms::substitute(program, body, local, value)));
    }
    if is_fused(program, value, local, body) && context.is_total(program, value) {
        return Some(("fusion", terms::substitute(program, body, local, value)));
    }
    None
}

fn is_inlined(program: &Program, value: ExpressionId, uses: Uses) -> bool {
    if uses.count == 1 && uses.below_functions == 0 {
        return true;
    }
    if let Expression::If { consequent, alternative, .. } = program.expression(value) {
        let is_constant = |id| matches!(program.expression(id), Expression::Number(_) | Expression::Boolean(_));
        let is_small = terms::size(program, value, SMALL_CHOICE) < SMALL_CHOICE;
        return is_small && work(program, value) < Work::Much && (is_constant(consequent) || is_constant(alternative));
    }
    terms::size(program, value, SMALL_VALUE) < SMALL_VALUE && work(program, value) == Work::Reading
}

fn is_fused(program: &Program, value: ExpressionId, local: LocalId, body: ExpressionId) -> bool {
    let Expression::Build { .. } = program.expression(value) else { return false };
    let Some(uses) = element_uses(program, body, local) else { return false };
    let size = terms::size(program, value, SMALL_ELEMENT);
    let is_small = size < TINY_ELEMENT || size < SMALL_ELEMENT && size * uses.count.saturating_sub(1) <= MOST_COPIES;
    (work(program, value) < Work::Much && is_small) || (uses.count <= 1 && uses.deepest <= uses.rank)
}

/// The uses of elements of an array of arrays. Lengths take no elements.
#[derive(Clone, Copy, Debug, Default)]
struct ElementUses {
    count: usize,
    /// The greatest number of loops around one.
    deepest: usize,
    /// The least number of indices of one.
    rank: usize,
}

/// Returns the uses of the elements of an array; none if it is used as a whole.
fn element_uses(program: &Program, root: ExpressionId, local: LocalId) -> Option<ElementUses> {
    let mut uses = ElementUses { rank: usize::MAX, ..ElementUses::default() };
    let mut pending = vec![(root, 0)];
    while let Some((id, depth)) = pending.pop() {
        let expression = program.expression(id);
        if program.is_local(id, local) {
            return None;
        }
        let measured = if let Expression::Length(array) = expression { Some(array) } else { None };
        if let Some(indices) = indices(program, measured.unwrap_or(id), local) {
            let rank = indices.len();
            pending.extend(indices.into_iter().map(|index| (index, depth)));
            if measured.is_none() {
                uses.count += 1;
                uses.deepest = uses.deepest.max(depth);
                uses.rank = uses.rank.min(rank);
            }
            continue;
        }
        let is_loop = program.as_loop(id).is_some();
        for part in program.parts(id) {
            let is_function = matches!(program.expression(part), Expression::Lambda { .. });
            let is_nested = matches!(expression, Expression::Lambda { .. });
            let deeper = is_function && (is_loop || !is_nested);
            pending.push((part, depth + usize::from(deeper)));
        }
    }
    Some(uses)
}

/// Returns the indices in `x[a][b]`, from the last one; there may be none.
pub fn indices(program: &Program, id: ExpressionId, local: LocalId) -> Option<Vec<ExpressionId>> {
    let (mut id, mut indices) = (id, vec![]);
    while let Expression::Get { array, index } = program.expression(id) {
        indices.push(index);
        id = array;
    }
    program.is_local(id, local).then_some(indices)
}

/// `let x = (a, b) in c` as `let x1 = a in let x2 = b in c`.
fn split(
    program: &mut Program,
    id: ExpressionId,
    local: LocalId,
    (first, second): (ExpressionId, ExpressionId),
    body: ExpressionId,
) -> ExpressionId {
    let name = program.local(local).name.clone();
    let (one, other) = (terms::fresh(program, &name, first), terms::fresh(program, &name, second));
    let body = terms::replace(program, body, |program, id| {
        if let Some((side, pair)) = program.as_projection(id)
            && program.is_local(pair, local)
        {
            return Some(terms::local(program, side.of((one, other)), id));
        }
        program.is_local(id, local).then(|| {
            let (first, second) = (terms::local(program, one, id), terms::local(program, other, id));
            program.like(id).pair(first, second)
        })
    });
    program.like(id).bind([(one, first), (other, second)], body)
}

/// `let x = e in c`, where c uses only `fst x`, as `let x = fst e in c`; and so for `snd`.
fn projected(program: &mut Program, id: ExpressionId, uses: Uses) -> Option<ExpressionId> {
    let Expression::Let { local, value, body } = program.expression(id) else { return None };
    let Type::Pair(..) = program.types.get(program.type_of(value)) else { return None };
    let side = Side::BOTH.into_iter().find(|side| side.of((uses.first, uses.second)) == uses.count)?;
    let value = program.like(value).part(side, value);
    let name = program.local(local).name.clone();
    let part = terms::fresh(program, &name, value);
    let body = terms::replace(program, body, |program, id| {
        let (_, pair) = program.as_projection(id)?;
        program.is_local(pair, local).then(|| terms::local(program, part, id))
    });
    Some(program.like(id).let_in(part, value, body))
}
