//! Loop fission: a loop over pairs as two loops over their parts. All rules keep every bit (class X, [`super::Class::Exact`]).
//!
//! ```text
//! snd (ifold (fun s i -> (a, b[snd s])) (z, w) n)  ~>  ifold (fun s i -> b[s]) w n
//! ifold (fun s i -> (a[fst s], b[snd s])) (z, w) n  ~>  (ifold (fun s i -> a[s]) z n, ifold (fun s i -> b[s]) w n)
//! let x = build n (fun i -> (a, b)) in c[fst x[k], snd x[l]]  ~>  let x = build n (fun i -> a) in
//!                                                                 let y = build n (fun i -> b) in c[x[k], y[l]]
//! ```
//!
//! The first line is *partial fission*: the step's part ignores the other part of the state. A step may make its pair below `let`s,
//! branches and further iterations, and an array may have several indices. Evaluation is deterministic, so a loop that is made twice has
//! the same values twice. A loop whose half is dropped has to be total. Common work of both halves is repeated; so a definition is
//! rewritten with pairs apart and together, and the cost decides.
//!
//! The normal form ([`crate::rewrite::normal`]) calls [`rewritten`] at each expression. Its parts are in normal form, and the
//! context has the facts that hold there.

use super::{Named, lets};
use crate::rewrite::cost::work::{Work, work};
use crate::rewrite::facts::totality::Context;
use crate::rewrite::terms;
use crate::typed::{Build, Expression, ExpressionId, Ifold, LocalId, Program, Side, Type};

/// The deepest nest of constructs in which a pair is found.
const DEEPEST: usize = 48;

/// The treatment of loops of which both parts are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// They stay one loop.
    Together,
    /// They become a loop for each part.
    Apart,
}

/// The names of the rules.
const FISSION: &str = "fission";
const PARTIAL_FISSION: &str = "partial fission";
const STRUCTURE_OF_ARRAYS: &str = "structure of arrays";

/// Returns true if an application of a rule may make work twice.
pub fn repeats_work(rule: &str) -> bool {
    rule == FISSION || rule == STRUCTURE_OF_ARRAYS
}

/// The treatment of a `let` whose variable the part of a pair does not use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unused {
    Dropped,
    Kept,
}

/// Returns the name of the rule that applies, and the term that replaces an expression.
pub fn rewritten(program: &mut Program, context: &mut Context, id: ExpressionId, pairs: Pairs) -> Option<Named> {
    if let Some(term) = partial(program, context, id) {
        return Some((PARTIAL_FISSION, term));
    }
    if let Some(term) = arrays(program, context, id, pairs) {
        return Some((STRUCTURE_OF_ARRAYS, term));
    }
    if pairs == Pairs::Together {
        return None;
    }
    whole(program, context, id).map(|term| (FISSION, term))
}

fn partial(program: &mut Program, context: &mut Context, id: ExpressionId) -> Option<ExpressionId> {
    let (side, iteration) = program.as_projection(id)?;
    if !matches!(program.expression(iteration), Expression::Ifold { .. }) || context.inseparable.contains(&iteration) {
        return None;
    }
    let Some(half) = half(program, side, iteration, DEEPEST) else {
        context.inseparable.insert(iteration);
        return None;
    };
    context.is_total(program, iteration).then_some(half)
}

fn whole(program: &mut Program, context: &mut Context, id: ExpressionId) -> Option<ExpressionId> {
    let Expression::Ifold { count, .. } = program.expression(id) else { return None };
    if !matches!(program.types.get(program.type_of(id)), Type::Pair(..)) {
        return None;
    }
    if work(program, count) == Work::Much || !context.is_total(program, id) {
        return None;
    }
    let [first, second] = Side::BOTH.map(|side| {
        let own = program.copy(id);
        half(program, side, own, DEEPEST)
    });
    Some(program.like(id).pair(first?, second?))
}

/// Returns a part of an iteration over pairs as an iteration of its own, if its step uses no other part of the state.
fn half(program: &mut Program, side: Side, iteration: ExpressionId, depth: usize) -> Option<ExpressionId> {
    let Ifold { state, index, turn, start, count } = program.as_ifold(iteration)?;
    let part = part(program, side, turn, depth.checked_sub(1)?, Unused::Dropped)?;
    let described = program.local(state).clone();
    let new_state = program.add_local(described.name, program.type_of(part), described.span);
    let turn = terms::replace(program, part, |program, id| {
        let is_it = program.as_projection(id).is_some_and(|(own, pair)| own == side && program.is_local(pair, state));
        is_it.then(|| terms::local(program, new_state, id))
    });
    if terms::mentions(program, turn, &[state]) {
        return None;
    }
    let start = self::part(program, side, start, depth - 1, Unused::Dropped)?;
    Some(program.like(iteration).ifold(Ifold { state: new_state, index, turn, start, count }))
}

/// Returns a part of a term: of the pairs within its `let`s, branches and iterations; of others the projection.
/// Recursion is bounded by the depth.
fn part(program: &mut Program, side: Side, root: ExpressionId, depth: usize, unused: Unused) -> Option<ExpressionId> {
    let expression = program.expression(root);
    if depth == 0 {
        return Some(program.like(root).part(side, root));
    }
    if let Expression::Pair(first, second) = expression {
        return Some(side.of((first, second)));
    }
    if let Expression::Let { local, value, body } = expression {
        let body = part(program, side, body, depth - 1, unused)?;
        return Some(bound(program, (local, value, body), root, unused));
    }
    if let Expression::If { condition, consequent, alternative } = expression {
        let consequent = part(program, side, consequent, depth - 1, unused)?;
        let alternative = part(program, side, alternative, depth - 1, unused)?;
        return Some(program.like(root).choice(condition, consequent, alternative));
    }
    if let Expression::Ifold { .. } = expression
        && let Some(half) = half(program, side, root, depth - 1)
    {
        return Some(half);
    }
    Some(program.like(root).part(side, root))
}

/// A `let` around a part, unless the part does not use it.
fn bound(
    program: &mut Program,
    (local, value, body): (LocalId, ExpressionId, ExpressionId),
    old: ExpressionId,
    unused: Unused,
) -> ExpressionId {
    if unused == Unused::Dropped && !terms::mentions(program, body, &[local]) {
        return body;
    }
    program.like(old).let_in(local, value, body)
}

/// `let x = build n (fun i -> (a, b)) in c`, where c uses parts of elements and lengths only.
fn arrays(program: &mut Program, context: &mut Context, id: ExpressionId, pairs: Pairs) -> Option<ExpressionId> {
    let Expression::Let { local, value, body } = program.expression(id) else { return None };
    // Some arrays of pairs have been made in order to stay together (`Program::keep_together`).
    let is_table = program.as_loop(value).is_some_and(|(index, _)| program.local(index).is_of_table);
    if is_table || context.inseparable.contains(&value) {
        return None;
    }
    let (mut rank, mut element) = (0, program.type_of(value));
    while let Type::Array(inner) = program.types.get(element) {
        (rank, element) = (rank + 1, inner);
    }
    if rank == 0 || !matches!(program.types.get(element), Type::Pair(..)) {
        return None;
    }
    let used = used_sides(program, body, local, rank)?;
    let sides: Vec<Side> = Side::BOTH.into_iter().filter(|side| used.contains(side)).collect();
    let is_split = sides.len() > 1;
    if sides.is_empty() || is_split && pairs == Pairs::Together {
        return None;
    }
    let mut arrays = vec![];
    for side in sides {
        let own = if is_split { program.copy(value) } else { value };
        let Some(value) = elements(program, side, own, rank, DEEPEST) else {
            context.inseparable.insert(value);
            return None;
        };
        let name = program.local(local).name.clone();
        let own = terms::fresh(program, &name, value);
        arrays.push((side, own, value));
    }
    let body = replaced(program, body, local, &arrays)?;
    Some(program.like(id).bind(arrays.into_iter().map(|(_, local, value)| (local, value)), body))
}

/// Returns the sides of elements of an array that are used; none if it is used otherwise, too.
fn used_sides(program: &Program, root: ExpressionId, local: LocalId, rank: usize) -> Option<Vec<Side>> {
    let (mut used, mut pending) = (vec![], vec![root]);
    while let Some(id) = pending.pop() {
        if program.is_local(id, local) {
            return None;
        }
        if let Some((side, indices)) = read_array(program, id, local) {
            match side {
                Some(_) if indices.len() != rank => return None,
                None if indices.len() >= rank => return None,
                side => used.extend(side),
            }
            pending.extend(indices);
        } else {
            pending.extend(program.parts(id));
        }
    }
    Some(used)
}

/// Returns the side of an element of a local that an expression reads, or none of an array that it measures, with the indices from the
/// last one.
fn read_array(program: &Program, id: ExpressionId, local: LocalId) -> Option<(Option<Side>, Vec<ExpressionId>)> {
    let (side, part) = match (program.as_projection(id), program.expression(id)) {
        (Some((side, part)), _) => (Some(side), part),
        (None, Expression::Length(part)) => (None, part),
        (None, _) => return None,
    };
    lets::indices(program, part, local).map(|indices| (side, indices))
}

/// Returns the array of a part of the elements of an array with some indices, if pairs are made or read in it. Recursion
/// is bounded by the depth.
fn elements(program: &mut Program, side: Side, root: ExpressionId, rank: usize, depth: usize) -> Option<ExpressionId> {
    let depth = depth.checked_sub(1)?;
    let expression = program.expression(root);
    if rank == 0 {
        return is_separable(program, root).then(|| part(program, side, root, depth, Unused::Kept)).flatten();
    }
    if let Some(Build { size, index, element }) = program.as_build(root) {
        let element = elements(program, side, element, rank - 1, depth)?;
        return Some(program.like(root).build(Build { size, index, element }));
    }
    if let Expression::Let { local, value, body } = expression {
        let body = elements(program, side, body, rank, depth)?;
        return Some(bound(program, (local, value, body), root, Unused::Kept));
    }
    if let Expression::If { condition, consequent, alternative } = expression {
        let consequent = elements(program, side, consequent, rank, depth)?;
        let alternative = elements(program, side, alternative, rank, depth)?;
        return Some(program.like(root).choice(condition, consequent, alternative));
    }
    if let Expression::Array(listed) = expression {
        let listed = program.elements(listed).to_vec();
        let halves = listed.into_iter().map(|element| elements(program, side, element, rank - 1, depth));
        let halves = halves.collect::<Option<Vec<ExpressionId>>>()?;
        let element = program.type_of(*halves.first()?);
        let type_id = program.types.array(element);
        let halves = program.add_elements(halves);
        return Some(program.like(root).add(Expression::Array(halves), type_id));
    }
    if let Expression::OfLength { array, length } = expression {
        let array = elements(program, side, array, rank, depth)?;
        return Some(program.like(root).of_length(array, length));
    }
    None
}

/// Returns true if the parts of a pair can be made apart: at the ends of its `let`s and branches are pairs, what is
/// read, and iterations whose parts are independent.
fn is_separable(program: &mut Program, root: ExpressionId) -> bool {
    terms::ends(program, root).into_iter().all(|id| match program.expression(id) {
        Expression::Ifold { .. } => Side::BOTH.into_iter().all(|side| {
            let own = program.copy(id);
            half(program, side, own, DEEPEST).is_some()
        }),
        expression => matches!(expression, Expression::Pair(..)) || work(program, id) <= Work::Reading,
    })
}

/// Puts the arrays of parts in the place of an array of pairs; none if its uses are nested too deeply in indices.
fn replaced(
    program: &mut Program,
    body: ExpressionId,
    local: LocalId,
    arrays: &[(Side, LocalId, ExpressionId)],
) -> Option<ExpressionId> {
    // Indices may use the array, too: the outermost use is replaced, with the indices as they are, until none is left.
    let mut body = body;
    for _ in 0..DEEPEST {
        if !terms::mentions(program, body, &[local]) {
            return Some(body);
        }
        body = terms::replace(program, body, |program, id| {
            let (side, indices) = read_array(program, id, local)?;
            let (_, own, _) = *arrays.iter().find(|(own, ..)| side.is_none_or(|side| side == *own))?;
            let mut build = program.like(*program.parts(id).first()?);
            let mut array = build.local(own);
            for index in indices.into_iter().rev() {
                array = build.get(array, index);
            }
            Some(if side.is_none() { program.like(id).length(array) } else { array })
        });
    }
    None
}
