//! The lists at the beginning and end of blocks of differentiation.
//!
//! A list with an index is a loop that carries the derivatives, or the variables, that the list sets.

use crate::check::entities::{Meaning, VarId};
use crate::lower::Lowering;
use crate::program::targets::closed_targets;
use crate::syntax::tree::{AdItem, ExprId, Type};
use std::collections::BTreeMap;
use vlad_core::source::Span;
use vlad_language::named::NodeId;
use vlad_language::names::NameId;
use vlad_table::Primitive;

/// The names of the derivatives of variables.
pub(super) type Derivatives = BTreeMap<VarId, NameId>;

impl Lowering<'_> {
    /// Returns the variable that an expression is, or is an element of.
    pub(super) fn variable(&self, id: ExprId) -> Option<VarId> {
        match self.checked.entities.meaning(id) {
            Meaning::Variable(var) | Meaning::Element(var) => Some(var),
            Meaning::None | Meaning::Call(_) | Meaning::Procedure(_) | Meaning::Intrinsic(_) => None,
        }
    }

    /// Calls a function for each item of a list, in loops over the indices of lists; these carry some names.
    fn each(&mut self, items: &[AdItem], carried: &[NameId], set: &mut dyn FnMut(&mut Self, &AdItem)) {
        for item in items {
            let AdItem::Implied { items, index, range, span } = item else {
                set(self, item);
                continue;
            };
            let Meaning::Variable(var) = self.checked.entities.meaning(*index) else { continue };
            let range = self.range(*range, Type::Integer, *span);
            let counter = self.fresh();
            let inner = self.named.reserve(*span);
            let state = self.pattern(carried, *span);
            let turn = self.name_pattern(counter, *span);
            let pattern = self.pair_pattern(state, turn, *span);
            let lambda = self.lambda(None, pattern, inner, *span);
            let lambda = self.lambda_node(lambda, *span);
            let initial = carried.iter().map(|name| self.name(*name, *span)).collect();
            let initial = self.tuple(initial, *span);
            let turns = self.turns_of_loop(range.turns, 1.0, *span);
            let node = self.apply_named("ifold", vec![lambda, initial, turns], *span);
            let outer = self.bind_results(carried, node, *span);
            self.hole = inner;
            let turn = self.name(counter, *span);
            let value = self.index(range, turn, *span);
            self.bind_var(var, value, *span);
            self.each(items, carried, set);
            self.fill_tuple(carried, *span);
            self.hole = outer;
        }
    }

    /// Binds the derivatives that the opens of a block give.
    pub(super) fn open(&mut self, opens: &[AdItem], derivatives: &Derivatives) {
        let carried: Vec<NameId> = derivatives.values().copied().collect();
        self.each(opens, &carried, &mut |lowering, item| match item {
            AdItem::Bare(variable) => {
                let span = lowering.tree.span(*variable);
                if let Some(var) = lowering.variable(*variable)
                    && let Some(name) = derivatives.get(&var)
                {
                    lowering.set_derivative((*variable, var), *name, span, |lowering| lowering.real(1.0, span));
                }
            }
            AdItem::Set { variable, other, .. } => {
                let span = lowering.tree.span(*variable);
                let Some(var) = lowering.variable(*variable) else { return };
                match derivatives.get(&var) {
                    Some(name) => lowering.give_derivative((*variable, var), *name, *other, span),
                    // Nothing depends on it, but its value is computed.
                    None => {
                        let value = lowering.expression(*other);
                        lowering.effect(value, span);
                    }
                }
            }
            AdItem::Implied { .. } => {}
        });
    }

    /// Sets the derivative of a variable or an element to a number.
    fn set_derivative(
        &mut self,
        (variable, var): (ExprId, VarId),
        name: NameId,
        span: Span,
        number: impl FnOnce(&mut Self) -> NodeId,
    ) {
        let new = match self.checked.entities.meaning(variable) {
            Meaning::Element(_) => {
                let place = self.element_place(variable, var);
                let number = number(self);
                let old = self.name(name, span);
                self.apply(Primitive::VectorSet, vec![old, place, number], span)
            }
            _ => number(self),
        };
        self.bind(name, new, span);
    }

    /// Sets the derivative of a variable or an element to the value of an expression, which is an array for an array.
    fn give_derivative(&mut self, (variable, var): (ExprId, VarId), name: NameId, other: ExprId, span: Span) {
        let is_whole = self.checked.entities.is_array(var)
            && matches!(self.checked.entities.meaning(variable), Meaning::Variable(_));
        let (true, Meaning::Variable(given)) = (is_whole, self.checked.entities.meaning(other)) else {
            return self.set_derivative((variable, var), name, span, |lowering| lowering.expression(other));
        };
        let value = self.expression(other);
        if !self.is_exact(var) || !self.is_exact(given) {
            let value = self.bind_fresh(value, span);
            let value = self.copied_elements(name, value, [var, given], span);
            return self.bind(name, value, span);
        }
        let array = self.var(var, span);
        let length = self.apply(Primitive::VectorLength, vec![array], span);
        let value = self.apply(Primitive::OfLength, vec![value, length], span);
        self.bind(name, value, span);
    }

    /// Assigns the derivatives that the closes of a block ask for.
    pub(super) fn close(&mut self, closes: &[AdItem], derivatives: &Derivatives) {
        let carried = self.carried_targets(closes);
        self.each(closes, &carried, &mut |lowering, item| {
            let AdItem::Set { variable, other, .. } = item else { return };
            let span = lowering.tree.span(*other);
            let Some(var) = lowering.variable(*variable) else { return };
            let value = lowering.derivative(*variable, var, derivatives.get(&var).copied());
            match lowering.checked.entities.meaning(*other) {
                Meaning::Element(array) => {
                    let kind = lowering.checked.entities.element_type(array);
                    let place = lowering.element_place(*other, array);
                    let value = lowering.convert(value, Some(Type::Real), kind, span);
                    lowering.set_element(array, place, value, span);
                }
                Meaning::Variable(target) => {
                    let kind = lowering.checked.entities.element_type(target);
                    let mut value = value;
                    if lowering.checked.entities.is_array(target)
                        && (!lowering.is_exact(target) || !lowering.is_exact(var))
                    {
                        let from = lowering.bind_fresh(value, span);
                        let into = lowering.name_of(target);
                        value = lowering.copied_elements(into, from, [target, var], span);
                    } else if lowering.checked.entities.is_array(target) {
                        let old = lowering.var(target, span);
                        let length = lowering.apply(Primitive::VectorLength, vec![old], span);
                        value = lowering.apply(Primitive::OfLength, vec![value, length], span);
                    } else {
                        value = lowering.convert(value, Some(Type::Real), kind, span);
                    }
                    lowering.bind_var(target, value, span);
                }
                Meaning::None | Meaning::Call(_) | Meaning::Procedure(_) | Meaning::Intrinsic(_) => {}
            }
        });
    }

    /// Returns the names of the variables that the lists with indices assign.
    fn carried_targets(&self, closes: &[AdItem]) -> Vec<NameId> {
        let mut names = vec![];
        for item in closes {
            if let AdItem::Implied { items, .. } = item {
                closed_targets(items, &mut |target| {
                    if let Some(name) = self.variable(target).map(|var| self.name_of(var))
                        && !names.contains(&name)
                    {
                        names.push(name);
                    }
                });
            }
        }
        names
    }

    /// Returns the derivative of a variable or an element; it is zero where nothing in the block depends on it.
    fn derivative(&mut self, variable: ExprId, var: VarId, name: Option<NameId>) -> NodeId {
        let span = self.tree.span(variable);
        let is_array = self.checked.entities.is_array(var);
        match (name, self.checked.entities.meaning(variable)) {
            (None, Meaning::Variable(_)) if is_array => {
                let array = self.var(var, span);
                self.apply(Primitive::Zero, vec![array], span)
            }
            (None, _) => self.real(0.0, span),
            (Some(name), Meaning::Element(array)) => {
                let place = self.element_place(variable, array);
                let vector = self.name(name, span);
                self.apply(Primitive::Get, vec![vector, place], span)
            }
            (Some(name), _) => self.name(name, span),
        }
    }

    /// Returns true if the expressions of a list call no procedures and read none of some variables.
    pub(super) fn is_independent(&self, opens: &[AdItem], assigned: &[VarId]) -> bool {
        let mut is_independent = true;
        let mut check = |root: ExprId, is_whole: bool| {
            for id in self.tree.range(root) {
                is_independent &= match self.checked.entities.meaning(id) {
                    Meaning::Call(_) => false,
                    // The variable whose derivative it is; its value is not read.
                    Meaning::Variable(_) | Meaning::Element(_) if is_whole && id == root => true,
                    Meaning::Variable(var) | Meaning::Element(var) => !assigned.contains(&var),
                    Meaning::None | Meaning::Procedure(_) | Meaning::Intrinsic(_) => true,
                };
            }
        };
        independent_roots(opens, &mut check);
        is_independent
    }
}

/// Calls a function with each expression of a list, and whether it is a variable whose derivative is given.
fn independent_roots(items: &[AdItem], check: &mut impl FnMut(ExprId, bool)) {
    for item in items {
        match item {
            AdItem::Bare(variable) => check(*variable, true),
            AdItem::Set { variable, other, .. } => {
                check(*variable, true);
                check(*other, false);
            }
            AdItem::Implied { items, range, .. } => {
                independent_roots(items, check);
                range.iter().flatten().for_each(|bound| check(*bound, false));
            }
        }
    }
}
