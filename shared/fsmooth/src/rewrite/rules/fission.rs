//! Loop fission: a loop over pairs as two loops over their parts. All of class X.
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

use super::{Named, lets};
use crate::rewrite::cost::work::{Work, work};
use crate::rewrite::facts::totality::Context;
use crate::rewrite::terms;
use crate::typed::{Build, Expression, ExpressionId, Ifold, LocalId, Program, Type, TypeId};

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

/// A part of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    First,
    Second,
}

impl Side {
    /// The projection of a pair.
    fn of(self, pair: ExpressionId) -> Expression {
        match self {
            Side::First => Expression::First(pair),
            Side::Second => Expression::Second(pair),
        }
    }

    /// Adds the projection of a pair.
    fn add(self, program: &mut Program, pair: ExpressionId) -> Option<ExpressionId> {
        let type_id = self.type_of(program, program.type_of(pair))?;
        Some(program.like(pair).add(self.of(pair), type_id))
    }

    /// Returns the type of the part of a pair.
    fn type_of(self, program: &Program, pair: TypeId) -> Option<TypeId> {
        let Type::Pair(first, second) = program.types.get(pair) else { return None };
        Some(if self == Side::First { first } else { second })
    }
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
    let expression = program.expression(id);
    let (side, iteration) = if let Expression::First(pair) = expression {
        (Side::First, pair)
    } else if let Expression::Second(pair) = expression {
        (Side::Second, pair)
    } else {
        return None;
    };
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
    let [first, second] = [Side::First, Side::Second].map(|side| {
        let own = program.copy(id);
        half(program, side, own, DEEPEST)
    });
    Some(program.like(id).pair(first?, second?))
}

/// Returns a part of an iteration over pairs as an iteration of its own, if its step uses no other part of the state.
fn half(program: &mut Program, side: Side, iteration: ExpressionId, depth: usize) -> Option<ExpressionId> {
    let Ifold { state, index, turn, start, count } = program.as_ifold(iteration)?;
    let type_id = side.type_of(program, program.type_of(iteration))?;
    let part = part(program, side, turn, depth.checked_sub(1)?, Unused::Dropped)?;
    let described = program.local(state).clone();
    let new_state = program.add_local(described.name, type_id, described.span);
    let turn = terms::replace(program, part, |program, id| {
        let expression = program.expression(id);
        let (Expression::First(pair) | Expression::Second(pair)) = expression else { return None };
        let is_it = program.is_local(pair, state) && expression == side.of(pair);
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
        return side.add(program, root);
    }
    if let Expression::Pair(first, second) = expression {
        return Some(if side == Side::First { first } else { second });
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
    side.add(program, root)
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

/// The uses of an array of pairs, by the parts of its elements.
#[derive(Clone, Copy, Debug, Default)]
struct PartUses {
    first: usize,
    second: usize,
}

/// `let x = build n (fun i -> (a, b)) in c`, where c uses parts of elements and lengths only.
fn arrays(program: &mut Program, context: &mut Context, id: ExpressionId, pairs: Pairs) -> Option<ExpressionId> {
    let Expression::Let { local, value, body } = program.expression(id) else { return None };
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
    let uses = part_uses(program, body, local, rank)?;
    let sides: &[Side] = match (uses.first, uses.second) {
        (0, 0) => return None,
        (_, 0) => &[Side::First],
        (0, _) => &[Side::Second],
        (_, _) if pairs == Pairs::Together => return None,
        (_, _) => &[Side::First, Side::Second],
    };
    let is_split = sides.len() > 1;
    let mut arrays = vec![];
    for side in sides {
        let own = if is_split { program.copy(value) } else { value };
        let Some(value) = elements(program, *side, own, rank, DEEPEST) else {
            context.inseparable.insert(value);
            return None;
        };
        let name = program.local(local).name.clone();
        let own = terms::fresh(program, &name, value);
        arrays.push((*side, own, value));
    }
    let body = replaced(program, body, local, (&arrays, rank))?;
    Some(program.like(id).bind(arrays.into_iter().map(|(_, local, value)| (local, value)), body))
}

/// Returns the uses of the parts of elements of an array; none if it is used otherwise, too.
fn part_uses(program: &Program, root: ExpressionId, local: LocalId, rank: usize) -> Option<PartUses> {
    let (mut uses, mut pending) = (PartUses::default(), vec![root]);
    while let Some(id) = pending.pop() {
        let expression = program.expression(id);
        if program.is_local(id, local) {
            return None;
        }
        if let Expression::First(part) | Expression::Second(part) | Expression::Length(part) = expression
            && let Some((indices, found)) = lets::indices(program, part, local)
        {
            let is_length = matches!(expression, Expression::Length(_));
            if is_length && found >= rank || !is_length && found != rank {
                return None;
            }
            uses.first += usize::from(matches!(expression, Expression::First(_)));
            uses.second += usize::from(matches!(expression, Expression::Second(_)));
            pending.extend(indices);
            continue;
        }
        pending.extend(program.parts(id));
    }
    Some(uses)
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
        Expression::Ifold { .. } => [Side::First, Side::Second].into_iter().all(|side| {
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
    (arrays, rank): (&[(Side, LocalId, ExpressionId)], usize),
) -> Option<ExpressionId> {
    // Indices may use the array, too: the outermost use is replaced, with the indices as they are, until none is left.
    let mut body = body;
    for _ in 0..DEEPEST {
        if !terms::mentions(program, body, &[local]) {
            return Some(body);
        }
        body = terms::replace(program, body, |program, id| {
            let expression = program.expression(id);
            let (Expression::First(part) | Expression::Second(part) | Expression::Length(part)) = expression else {
                return None;
            };
            let (indices, found) = lets::indices(program, part, local)?;
            let is_of = |side: Side| expression == side.of(part);
            let (_, own, _) = *arrays.iter().find(|(side, ..)| found < rank || is_of(*side))?;
            let mut array = terms::local(program, own, part);
            for index in indices.into_iter().rev() {
                array = program.like(part).get(array, index);
            }
            Some(if found < rank { program.like(id).length(array) } else { array })
        });
    }
    None
}
