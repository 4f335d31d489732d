//! The expressions that D can follow.
//!
//! D is not applied to an expression with `jvp`, `vjp` or `write` in it, or that names a function whose definition is out of
//! reach: a parameter of a function around it. It is not applied either if the result would be too large: each D makes
//! code several times larger, so that of many nested operators grows exponentially.

use crate::differentiation::{Bound, Differentiation};
use crate::typed::{Expression, ExpressionId, GlobalId, Head, LocalId, Variable};
use rustc_hash::FxHashSet;

/// The greatest number of expressions of a program to which D is still applied.
pub(super) const MOST_EXPRESSIONS: usize = 1_000_000;

/// A bound of the growth of an expression under D.
const GROWTH: usize = 16;

/// The names in expressions.
#[derive(Default)]
pub(super) struct Free {
    /// The free locals in the order of their first occurrences.
    pub(super) locals: Vec<LocalId>,
    /// The globals.
    pub(super) globals: FxHashSet<GlobalId>,
    size: usize,
    /// True if there is an operator of differentiation, or `write`: operators print values without their tangents.
    is_opaque: bool,
}

impl Differentiation<'_> {
    /// Returns the names in expressions.
    pub(super) fn free(&self, roots: &[ExpressionId]) -> Free {
        let mut free = Free::default();
        let (mut bound, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let mut pending: Vec<ExpressionId> = roots.iter().rev().copied().collect();
        while let Some(id) = pending.pop() {
            free.size += 1;
            // Binders come before the expressions that they bind in.
            let expression = self.program.expression(id);
            if let Expression::Lambda { parameter: local, .. } | Expression::Let { local, .. } = expression {
                bound.insert(local);
            } else if let Expression::Local(local) = expression
                && !bound.contains(&local)
                && seen.insert(local)
            {
                free.locals.push(local);
            } else if let Expression::Global(global) = expression {
                free.globals.insert(global);
            } else if let Expression::Forward { .. } | Expression::Reverse { .. } | Expression::Write(_) = expression {
                free.is_opaque = true;
            }
            pending.extend(self.program.parts(id).into_iter().rev());
        }
        free
    }

    /// Returns true if D can follow expressions, which may be differentiated by a variable.
    pub(super) fn is_transparent(&mut self, roots: &[ExpressionId], variable: Option<Variable>) -> bool {
        let mut pending = vec![self.free(roots)];
        let mut functions = FxHashSet::default();
        let (mut globals, mut size) = (FxHashSet::default(), 0);
        while let Some(free) = pending.pop() {
            if free.is_opaque {
                return false;
            }
            size += free.size;
            globals.extend(free.globals);
            for local in free.locals {
                if Some(Variable::Local(local)) == variable || !functions.insert(local) {
                    continue;
                }
                match self.bound.get(&local) {
                    None => {}
                    Some(Bound::Parameter) => {
                        self.has_met_parameter = true;
                        return false;
                    }
                    Some(Bound::Value(value)) => pending.push(self.free(&[*value])),
                    Some(Bound::Dual(function)) => pending.push(Free { locals: vec![*function], ..Free::default() }),
                }
            }
        }
        if globals.iter().any(|global| self.opaque.contains(global)) {
            return false;
        }
        let size = size.saturating_add(self.size_of_new_duals(globals)).saturating_mul(GROWTH);
        size.saturating_add(self.program.count()) < MOST_EXPRESSIONS
    }

    /// Returns the size of all globals that still need a dual if these do.
    fn size_of_new_duals(&mut self, globals: FxHashSet<GlobalId>) -> usize {
        let (mut pending, mut size) = (Vec::from_iter(globals), 0usize);
        let mut seen = FxHashSet::default();
        while let Some(global) = pending.pop() {
            let is_new = !self.dual_globals.contains_key(&global) && seen.insert(global);
            if !is_new || !self.is_function_over_doubles(self.program.global(global).type_id) {
                continue;
            }
            self.program.walk(self.program.global(global).value, |_, head| {
                size += 1;
                if let Head::Global(named) = head {
                    pending.push(named);
                }
                true
            });
        }
        size
    }

    /// Records whether D can follow a global that has been defined.
    pub(super) fn note_transparency(&mut self, global: GlobalId) {
        if !self.is_function_over_doubles(self.program.global(global).type_id) {
            return;
        }
        let free = self.free(&[self.program.global(global).value]);
        if free.is_opaque || free.globals.iter().any(|named| self.opaque.contains(named)) {
            self.opaque.insert(global);
        }
    }
}
