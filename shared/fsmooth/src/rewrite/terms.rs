//! Operations on typed terms: equality up to the names of bound locals, free locals, uses, sizes, and replacement.
//!
//! Rules, moves, facts and costs are written with them. Rewriting never changes an expression that exists. It makes new ones that
//! share unchanged parts, so earlier states of a program stay readable. Each local is bound at one place of a program. So a term
//! that is used twice is copied, which gives its locals new names ([`Program::copy`]).

use crate::typed::summary::{EMPTY_HASH, mixed, root_code};
use crate::typed::{Build, Expression, ExpressionId, LocalId, Program, Variable};
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_table::internal_bug;

/// Returns the locals that an expression binds at its root.
pub fn bound_at(expression: Expression) -> Option<LocalId> {
    if let Expression::Lambda { parameter, .. } = expression {
        return Some(parameter);
    }
    if let Expression::Let { local, .. } = expression {
        return Some(local);
    }
    None
}

/// Visits the expressions of a tree, parents first; the visitor tells if the parts of one are visited.
pub fn walk(program: &Program, root: ExpressionId, mut visit: impl FnMut(ExpressionId, Expression) -> bool) {
    let mut pending = vec![root];
    let mut parts = vec![];
    while let Some(id) = pending.pop() {
        if visit(id, program.expression(id)) {
            program.parts(id, &mut parts);
            pending.extend(parts.drain(..).rev());
        }
    }
}

/// Returns the number of expressions in a tree, or the limit if there are more.
pub fn size(program: &Program, root: ExpressionId, limit: usize) -> usize {
    limit.min(program.summary(root).size as usize)
}

/// Returns what is within the `let`s around a term.
pub fn body(program: &Program, id: ExpressionId) -> ExpressionId {
    let mut body = id;
    while let Expression::Let { body: inner, .. } = program.expression(body) {
        body = inner;
    }
    body
}

/// Returns the terms whose values a term can have: those behind its `let`s and branches.
pub fn ends(program: &Program, root: ExpressionId) -> Vec<ExpressionId> {
    let (mut ends, mut pending) = (vec![], vec![root]);
    while let Some(id) = pending.pop() {
        let expression = program.expression(id);
        if let Expression::Let { body, .. } = expression {
            pending.push(body);
        } else if let Expression::If { consequent, alternative, .. } = expression {
            pending.extend([consequent, alternative]);
        } else {
            ends.push(id);
        }
    }
    ends
}

/// Returns true if an expression is a variable or a constant.
pub fn is_atom(expression: Expression) -> bool {
    matches!(expression, Expression::Number(_) | Expression::Boolean(_) | Expression::Local(_) | Expression::Global(_))
}

/// Returns the locals that a tree binds.
pub fn bound_in(program: &Program, root: ExpressionId) -> Vec<LocalId> {
    let mut bound = vec![];
    walk(program, root, |_, expression| {
        bound.extend(bound_at(expression));
        true
    });
    bound
}

/// Returns true if one of some locals occurs in a tree.
pub fn mentions(program: &Program, root: ExpressionId, locals: &[LocalId]) -> bool {
    let mut found = false;
    walk(program, root, |id, expression| {
        found |= uses_local(expression, |local| locals.contains(&local));
        !found && locals.iter().any(|local| program.summary(id).may_mention(*local))
    });
    found
}

fn uses_local(expression: Expression, test: impl Fn(LocalId) -> bool) -> bool {
    if let Expression::Local(local) | Expression::Deriv { variable: Variable::Local(local), .. } = expression {
        return test(local);
    }
    false
}

/// Returns the free locals of a tree, in the order of their first occurrence.
pub fn free_locals(program: &Program, root: ExpressionId) -> Vec<LocalId> {
    let (mut bound, mut used) = (FxHashSet::default(), vec![]);
    let mut seen = FxHashSet::default();
    walk(program, root, |_, expression| {
        bound.extend(bound_at(expression));
        if let Expression::Local(local) | Expression::Deriv { variable: Variable::Local(local), .. } = expression
            && seen.insert(local)
        {
            used.push(local);
        }
        true
    });
    // Locals are bound at one place, so one that is bound within the tree is not free in it.
    used.retain(|local| !bound.contains(local));
    used
}

/// The uses of a local.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The number of occurrences.
    pub count: usize,
    /// The number of those below a function, which may be evaluated more than once.
    pub below_functions: usize,
    /// The greatest number of loops and functions around an occurrence.
    pub deepest: usize,
    /// The number of those as the operand of `fst`.
    pub first: usize,
    /// The number of those as the operand of `snd`.
    pub second: usize,
    /// The number of those as an array that is indexed.
    pub indexed: usize,
    /// The number of those as an array whose length is taken or given.
    pub measured: usize,
}

/// Counts the uses of a local in a tree.
pub fn uses(program: &Program, root: ExpressionId, local: LocalId) -> Uses {
    let mut uses = Uses::default();
    // In halves: the two functions of an iteration, one in the other, are one deep together; each other function is one deep.
    let mut pending = vec![(root, 0, 2)];
    let mut parts = vec![];
    let is_it = |id: ExpressionId| program.expression(id) == Expression::Local(local);
    while let Some((id, depth, step)) = pending.pop() {
        if !program.summary(id).may_mention(local) {
            continue;
        }
        let expression = program.expression(id);
        if uses_local(expression, |found| found == local) {
            uses.count += 1;
            uses.below_functions += usize::from(depth > 0);
            uses.deepest = uses.deepest.max(depth / 2);
        }
        if let Expression::First(pair) = expression {
            uses.first += usize::from(is_it(pair));
        }
        if let Expression::Second(pair) = expression {
            uses.second += usize::from(is_it(pair));
        }
        if let Expression::Get { array, .. } = expression {
            uses.indexed += usize::from(is_it(array));
        }
        if let Expression::OfLength { array, .. } | Expression::Length(array) = expression {
            uses.measured += usize::from(is_it(array));
        }
        let (mut inner, mut inner_step) = (depth, 2);
        if let Expression::Lambda { body, .. } = expression {
            inner += step;
            if let Expression::Lambda { .. } = program.expression(body) {
                inner_step = step;
            }
        }
        program.parts(id, &mut parts);
        if let Expression::Ifold { function, .. } = expression {
            pending.extend(parts.drain(..).map(|part| (part, inner, if part == function { 1 } else { 2 })));
        } else {
            pending.extend(parts.drain(..).map(|part| (part, inner, inner_step)));
        }
    }
    uses
}

/// Returns true if two trees are equal up to the names of the locals that they bind.
pub fn same(program: &Program, first: ExpressionId, second: ExpressionId) -> bool {
    matching(program, first, second, &mut FxHashMap::default())
}

/// Returns true if the second tree is the first one with other locals in place of some. The map gives these locals of
/// the first tree, and is extended by the ones that the trees bind.
pub fn matching(
    program: &Program,
    first: ExpressionId,
    second: ExpressionId,
    renamed: &mut FxHashMap<LocalId, LocalId>,
) -> bool {
    let mut pending = vec![(first, second)];
    let (mut left, mut right) = (vec![], vec![]);
    while let Some((first, second)) = pending.pop() {
        if first == second && renamed.is_empty() {
            continue;
        }
        // Types are compared with the shapes: if all else of two expressions is equal, their shapes are equal for equal types alone.
        if program.summary(first).shape != program.summary(second).shape {
            return false;
        }
        let (one, other) = (program.expression(first), program.expression(second));
        if let (Some(local), Some(counterpart)) = (bound_at(one), bound_at(other)) {
            renamed.insert(local, counterpart);
        }
        if !same_root(one, other, renamed) {
            return false;
        }
        program.parts(first, &mut left);
        program.parts(second, &mut right);
        if left.len() != right.len() {
            return false;
        }
        pending.extend(left.drain(..).zip(right.drain(..)));
    }
    true
}

/// Compares all of two expressions but their parts.
pub fn same_root(one: Expression, other: Expression, renamed: &FxHashMap<LocalId, LocalId>) -> bool {
    let local = |found: LocalId, expected: LocalId| renamed.get(&found).copied().unwrap_or(found) == expected;
    match (one, other) {
        (Expression::Number(one), Expression::Number(other)) => one.to_bits() == other.to_bits(),
        (Expression::Boolean(one), Expression::Boolean(other)) => one == other,
        (Expression::Local(one), Expression::Local(other)) => local(one, other),
        (Expression::Global(one), Expression::Global(other)) => one == other,
        (Expression::Unary(one, _), Expression::Unary(other, _)) => one == other,
        (Expression::Binary(one, ..), Expression::Binary(other, ..)) => one == other,
        (Expression::Compare(one, ..), Expression::Compare(other, ..)) => one == other,
        (Expression::Deriv { variable: one, .. }, Expression::Deriv { variable: other, .. }) => match (one, other) {
            (Variable::Local(one), Variable::Local(other)) => local(one, other),
            (Variable::Global(one), Variable::Global(other)) => one == other,
            (Variable::Local(_), Variable::Global(_)) | (Variable::Global(_), Variable::Local(_)) => false,
        },
        (Expression::Derivative { operator: one, .. }, Expression::Derivative { operator: other, .. }) => one == other,
        (Expression::Reverse { operator: one, .. }, Expression::Reverse { operator: other, .. }) => one == other,
        (one, other) => std::mem::discriminant(&one) == std::mem::discriminant(&other),
    }
}

/// Returns a hash that is equal for trees that are [`same`]: locals that a tree binds count by their order.
pub fn hash(program: &Program, root: ExpressionId) -> u64 {
    let mut bound: FxHashMap<LocalId, u64> = FxHashMap::default();
    let mut hash = EMPTY_HASH;
    walk(program, root, |id, expression| {
        if let Some(local) = bound_at(expression) {
            let number = bound.len() as u64;
            bound.insert(local, number);
        }
        let root = match expression {
            Expression::Local(local) => match bound.get(&local) {
                Some(number) => 1 << 40 | number,
                None => 1 << 41 | u64::from(local.0),
            },
            other => root_code(other),
        };
        hash = mixed(mixed(hash, u64::from(program.type_of(id).0)), root);
        true
    });
    hash
}

/// Replaces expressions in a tree: the replacement of one is found by a function, and stands for the whole of it. Parts in which
/// nothing is replaced are shared with the old tree. So the program may have one of the two trees, not both: each local is bound at
/// one place.
pub fn replace(
    program: &mut Program,
    root: ExpressionId,
    mut replacement: impl FnMut(&mut Program, ExpressionId) -> Option<ExpressionId>,
) -> ExpressionId {
    enum Step {
        Visit(ExpressionId),
        Make(ExpressionId, usize),
    }
    let (mut steps, mut done, mut parts) = (vec![Step::Visit(root)], vec![], vec![]);
    while let Some(step) = steps.pop() {
        match step {
            Step::Visit(id) => match replacement(program, id) {
                Some(other) => done.push(other),
                None => {
                    program.parts(id, &mut parts);
                    steps.push(Step::Make(id, parts.len()));
                    steps.extend(parts.drain(..).rev().map(Step::Visit));
                }
            },
            Step::Make(id, count) => {
                let new: Vec<ExpressionId> = done.split_off(done.len().saturating_sub(count));
                done.push(with_parts(program, id, &new));
            }
        }
    }
    let Some(made) = done.pop() else { internal_bug!("a replaced tree has a root") };
    made
}

/// Replaces the terms of a tree that are equal to one.
pub fn replace_equal(
    program: &mut Program,
    root: ExpressionId,
    term: ExpressionId,
    mut replacement: impl FnMut(&mut Program, ExpressionId) -> ExpressionId,
) -> ExpressionId {
    let size = program.summary(term).size;
    replace(program, root, |program, other| {
        if program.summary(other).size < size {
            return Some(other);
        }
        same(program, other, term).then(|| replacement(program, other))
    })
}

/// Returns an expression with other parts: itself, if they are the same.
pub fn with_parts(program: &mut Program, id: ExpressionId, new: &[ExpressionId]) -> ExpressionId {
    let mut old = vec![];
    program.parts(id, &mut old);
    if old == new {
        return id;
    }
    let (type_id, span) = (program.type_of(id), program.span(id));
    let expression = program.with_parts(program.expression(id), new);
    program.add(expression, type_id, span)
}

/// Returns an expression with another one in the place of a part.
pub fn with_part(program: &mut Program, id: ExpressionId, old: ExpressionId, new: ExpressionId) -> ExpressionId {
    let mut parts = vec![];
    program.parts(id, &mut parts);
    parts.iter_mut().filter(|part| **part == old).for_each(|part| *part = new);
    with_parts(program, id, &parts)
}

/// Replaces a free local by an expression. Its first occurrence becomes the expression itself, further ones copies.
pub fn substitute(program: &mut Program, root: ExpressionId, local: LocalId, value: ExpressionId) -> ExpressionId {
    let mut is_used = false;
    replace(program, root, |program, id| {
        if program.expression(id) != Expression::Local(local) {
            return (!program.summary(id).may_mention(local)).then_some(id);
        }
        if !is_used {
            is_used = true;
            return Some(value);
        }
        Some(program.copy(value))
    })
}

/// A new use of a local, with the span of another expression.
pub fn local(program: &mut Program, local: LocalId, like: ExpressionId) -> ExpressionId {
    let (type_id, span) = (program.local(local).type_id, program.span(like));
    program.add(Expression::Local(local), type_id, span)
}

/// A new local with the name and the type of an expression's value.
pub fn fresh(program: &mut Program, name: &str, value: ExpressionId) -> LocalId {
    let (type_id, span) = (program.type_of(value), program.span(value));
    program.add_local(name, type_id, span)
}

/// The parts of an array of the values of a term for all indices below a size, with a local of its own for the index.
pub fn tabulated(program: &mut Program, term: ExpressionId, index: LocalId, size: ExpressionId) -> Build {
    let own = program.add_local_like(index);
    let used = local(program, own, term);
    let element = program.copy_replacing(term, index, used);
    Build { size: program.copy(size), index: own, element }
}

/// The place of the function among the parts of a loop, which is evaluated for each turn.
pub fn repeated_part(expression: Expression) -> Option<usize> {
    if let Expression::Build { .. } = expression {
        return Some(1);
    }
    matches!(expression, Expression::Ifold { .. }).then_some(0)
}
