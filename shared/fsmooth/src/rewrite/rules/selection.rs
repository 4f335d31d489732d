//! Selections (argmax and the like): an iteration that keeps one of the elements that it goes through, as an iteration over indices.
//!
//! ```text
//! ifold (fun s i -> if c[s, i] then g[i] else s) g[0] n  ~>  let b = ifold (fun b i -> if c[g[b], i] then i else b) 0 n in g[b]
//! ```
//!
//! Here `g[i]` is a pair of a value and its tangent: a maximum by forward mode. The index depends on values alone, so it leaves the loop over
//! the inputs, and the tangent of one element remains. Of class X. Every `g[i]` has to be total, since an element that is chosen may not be
//! read; `g[0]` fails in both forms if there is no turn.

use super::Named;
use crate::rewrite::facts::totality::Context;
use crate::rewrite::terms;
use crate::typed::{Expression, ExpressionId, Ifold, LocalId, Program, Type, Types};

/// The deepest nest of `let`s and branches in a turn.
const DEEPEST: usize = 48;

/// The largest element, which stands in the place of each use of the state.
const LARGEST: usize = 60;

/// Returns the name of the rule and the term that replaces an iteration that selects one of its elements.
pub fn rewritten(program: &mut Program, context: &mut Context, id: ExpressionId) -> Option<Named> {
    let Ifold { state, index, turn, start, count } = program.as_ifold(id)?;
    if !matches!(program.types.get(program.type_of(id)), Type::Pair(..)) {
        return None;
    }
    let element = element(program, state, turn)?;
    let zero = program.like(id).index(0.0);
    let first = program.copy_replacing(element, index, zero);
    if !terms::same(program, first, start) || !context.is_total_in_turns(program, index, element) {
        return None;
    }
    let best = program.like(id).fresh("best", Types::INDEX);
    let selection = Selection { element, state, index, best };
    let turn = selection.turn(program, turn, DEEPEST)?;
    let mut build = program.like(id);
    let start = build.index(0.0);
    let value = build.ifold(Ifold { state: best, index, turn, start, count });
    let chosen = terms::fresh(program, "best", value);
    let used = terms::local(program, chosen, value);
    let body = program.copy_replacing(element, index, used);
    Some(("selection by an index", program.like(id).let_in(chosen, value, body)))
}

/// Returns the element that a turn chooses, if it chooses one or keeps its state: a function of the index and of nothing else that is
/// bound in the turn.
fn element(program: &Program, state: LocalId, body: ExpressionId) -> Option<ExpressionId> {
    let (mut element, mut bound, mut pending) = (None, vec![state], vec![body]);
    while let Some(id) = pending.pop() {
        let expression = program.expression(id);
        if let Expression::Let { local, body, .. } = expression {
            bound.push(local);
            pending.push(body);
        } else if let Expression::If { consequent, alternative, .. } = expression {
            pending.extend([consequent, alternative]);
        } else if expression != Expression::Local(state) {
            let known = *element.get_or_insert(id);
            if !terms::same(program, known, id) {
                return None;
            }
        }
    }
    element.filter(|element| {
        terms::size(program, *element, LARGEST) < LARGEST && !terms::mentions(program, *element, &bound)
    })
}

struct Selection {
    element: ExpressionId,
    state: LocalId,
    index: LocalId,
    best: LocalId,
}

impl Selection {
    /// The turn that chooses an index. Recursion is bounded by the depth.
    fn turn(&self, program: &mut Program, id: ExpressionId, depth: usize) -> Option<ExpressionId> {
        let depth = depth.checked_sub(1)?;
        let expression = program.expression(id);
        if let Expression::Let { local, value, body } = expression {
            let (value, body) = (self.with_elements(program, value), self.turn(program, body, depth)?);
            return Some(program.like(id).let_in(local, value, body));
        }
        if let Expression::If { condition, consequent, alternative } = expression {
            let condition = self.with_elements(program, condition);
            let consequent = self.turn(program, consequent, depth)?;
            let alternative = self.turn(program, alternative, depth)?;
            return Some(program.like(id).choice(condition, consequent, alternative));
        }
        let chosen = if program.is_local(id, self.state) { self.best } else { self.index };
        Some(terms::local(program, chosen, id))
    }

    /// A term with elements in the place of the state.
    fn with_elements(&self, program: &mut Program, id: ExpressionId) -> ExpressionId {
        terms::replace(program, id, |program, id| {
            program.is_local(id, self.state).then(|| {
                let best = terms::local(program, self.best, id);
                program.copy_replacing(self.element, self.index, best)
            })
        })
    }
}
