//! Operations on typed terms: equality up to the names of bound locals, free locals, uses, sizes, and replacement.
//!
//! Rules, moves, facts and costs are written with them. Rewriting never changes an expression that exists. It makes new ones that
//! share unchanged parts, so earlier states of a program stay readable. Each local is bound at one place of a program. So a term
//! that is used twice is copied, which gives its locals new names ([`Program::copy`]).

use crate::builtins::Builtin;
use crate::typed::summary::{EMPTY_HASH, code, mixed};
use crate::typed::{Build, Expression, ExpressionId, Head, LocalId, Parts, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_table::internal_bug;

/// Returns the number of expressions in a tree, or the limit if there are more.
pub fn size(program: &Program, root: ExpressionId, limit: usize) -> usize {
    limit.min(program.summary(root).size as usize)
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
    program.walk(root, |_, head| {
        bound.extend(head.bound());
        true
    });
    bound
}

/// Returns true if one of some locals occurs in a tree.
pub fn mentions(program: &Program, root: ExpressionId, locals: &[LocalId]) -> bool {
    let mut found = false;
    program.walk(root, |id, head| {
        found |= head.used().is_some_and(|local| locals.contains(&local));
        !found && locals.iter().any(|local| program.summary(id).may_mention(*local))
    });
    found
}

/// Returns the free locals of a tree, in the order of their first occurrence.
pub fn free_locals(program: &Program, root: ExpressionId) -> Vec<LocalId> {
    let (mut bound, mut seen, mut used) = (FxHashSet::default(), FxHashSet::default(), vec![]);
    program.walk(root, |_, head| {
        bound.extend(head.bound());
        used.extend(head.used().filter(|local| seen.insert(*local)));
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
    /// The number of those as the operand of `fst`.
    pub first: usize,
    /// The number of those as the operand of `snd`.
    pub second: usize,
}

/// Counts the uses of a local in a tree.
pub fn uses(program: &Program, root: ExpressionId, local: LocalId) -> Uses {
    let mut uses = Uses::default();
    let mut pending = vec![(root, false)];
    let is_it = |parts: &[ExpressionId]| parts.iter().any(|part| program.is_local(*part, local));
    while let Some((id, is_below)) = pending.pop() {
        if !program.summary(id).may_mention(local) {
            continue;
        }
        let (head, parts) = program.apart(id);
        if head.used() == Some(local) {
            uses.count += 1;
            uses.below_functions += usize::from(is_below);
        }
        uses.first += usize::from(head == Head::Call(Builtin::First) && is_it(&parts));
        uses.second += usize::from(head == Head::Call(Builtin::Second) && is_it(&parts));
        let is_below = is_below || matches!(head, Head::Lambda(_));
        pending.extend(parts.into_iter().map(|part| (part, is_below)));
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
    while let Some((first, second)) = pending.pop() {
        if first == second && renamed.is_empty() {
            continue;
        }
        // Types are compared with the shapes: if all else of two expressions is equal, their shapes are equal for equal types alone.
        if program.summary(first).shape != program.summary(second).shape {
            return false;
        }
        let ((one, left), (other, right)) = (program.apart(first), program.apart(second));
        if let (Some(local), Some(counterpart)) = (one.bound(), other.bound()) {
            renamed.insert(local, counterpart);
        }
        let is_alike = one.with_local(|local| renamed.get(&local).copied().unwrap_or(local)) == other;
        if !is_alike || left.len() != right.len() {
            return false;
        }
        pending.extend(left.into_iter().zip(right));
    }
    true
}

/// Returns a hash that is equal for trees that are [`same`]: locals that a tree binds count by their order.
pub fn hash(program: &Program, root: ExpressionId) -> u64 {
    let mut bound: FxHashMap<LocalId, LocalId> = FxHashMap::default();
    let mut hash = EMPTY_HASH;
    program.walk(root, |id, head| {
        if let Some(local) = head.bound() {
            // The numbers from the last one are those of no locals.
            let number = u32::MAX - bound.len() as u32;
            bound.insert(local, LocalId(number));
        }
        let head = head.with_local(|local| bound.get(&local).copied().unwrap_or(local));
        hash = mixed(mixed(hash, u64::from(program.type_of(id).0)), code(head));
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
    let (mut steps, mut done) = (vec![Step::Visit(root)], vec![]);
    while let Some(step) = steps.pop() {
        match step {
            Step::Visit(id) => match replacement(program, id) {
                Some(other) => done.push(other),
                None => {
                    let parts = program.parts(id);
                    steps.push(Step::Make(id, parts.len()));
                    steps.extend(parts.into_iter().rev().map(Step::Visit));
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
    let (head, old) = program.apart(id);
    if *old == *new {
        return id;
    }
    let expression = program.together(head, new);
    program.add(expression, program.type_of(id), program.span(id))
}

/// Returns an expression with another one in the place of a part.
pub fn with_part(program: &mut Program, id: ExpressionId, old: ExpressionId, new: ExpressionId) -> ExpressionId {
    let parts: Parts = program.parts(id).into_iter().map(|part| if part == old { new } else { part }).collect();
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
