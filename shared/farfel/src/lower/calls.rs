//! Calls and procedures as values.

use crate::check::entities::{Callee, Meaning, VarId};
use crate::flow::conventions::Convention;
use crate::flow::effects::arguments;
use crate::lower::Lowering;
use crate::program::units::UnitId;
use crate::syntax::tree::ExprId;
use vlad_core::source::Span;
use vlad_language::named::NodeId;
use vlad_language::names::{NameId, Names};
use vlad_table::Primitive;

/// A result of a call that is to be stored in an element.
struct StoredElement {
    array: VarId,
    place: NameId,
    value: NameId,
}

impl Lowering<'_> {
    /// Returns the convention and the name of what is called.
    fn called(&mut self, callee: Callee, span: Span) -> (Convention, NodeId) {
        let convention = self.plan.conventions.of(callee).clone();
        let operator = match callee {
            Callee::Unit(unit) => self.unit_name(unit),
            Callee::Parameter(var) => self.name_of(var),
        };
        (convention, self.name(operator, span))
    }

    pub(super) fn unit_name(&self, unit: UnitId) -> NameId {
        self.unit_names.get(unit.0 as usize).copied().unwrap_or(Names::IGNORED)
    }

    /// Marks the elements that are arguments of the calls of an expression and assigned there, or compared with such a
    /// one, so that their places get names.
    pub(super) fn mark_places(&mut self, root: ExprId) {
        for id in self.tree.range(root) {
            let Meaning::Call(callee) = self.checked.entities.meaning(id) else { continue };
            let convention = self.plan.conventions.of(callee).clone();
            let elements: Vec<(ExprId, VarId, bool)> = self.elements(id, &convention);
            for (argument, array, is_assigned) in &elements {
                let is_compared = elements.iter().any(|(_, other, assigned)| other == array && *assigned);
                if *is_assigned || is_compared {
                    // The name is made when the place is.
                    self.places.insert(*argument, Names::IGNORED);
                }
            }
        }
    }

    /// Returns the arguments of a call that are elements, with the array, and whether they are assigned.
    fn elements(&self, call: ExprId, convention: &Convention) -> Vec<(ExprId, VarId, bool)> {
        let arguments = arguments(self.tree, call).iter().zip(&convention.assigned);
        let elements = arguments.filter_map(|(argument, assigned)| match self.checked.entities.meaning(*argument) {
            Meaning::Element(array) => Some((*argument, array, *assigned)),
            Meaning::None | Meaning::Variable(_) | Meaning::Call(_) | Meaning::Procedure(_) | Meaning::Intrinsic(_) => {
                None
            }
        });
        elements.collect()
    }

    /// Checks that elements of one array that a call is given are different, if one of them is assigned.
    fn require_different_places(&mut self, call: ExprId, convention: &Convention) {
        let elements = self.elements(call, convention);
        for (number, (argument, array, is_assigned)) in elements.iter().enumerate() {
            for (other, other_array, other_assigned) in elements.iter().take(number) {
                if array != other_array || !(*is_assigned || *other_assigned) {
                    continue;
                }
                let (Some(first), Some(second)) = (self.places.get(other).copied(), self.places.get(argument).copied())
                else {
                    continue;
                };
                let span = self.tree.span(*argument);
                let (first, second) = (self.name(first, span), self.name(second, span));
                let same = self.apply(Primitive::Equal, vec![first, second], span);
                let different = self.apply(Primitive::Not, vec![same], span);
                self.require(
                    different,
                    "these are two names of one element, which the procedure assigns: an alias",
                    span,
                );
            }
        }
    }

    /// Returns the value of a function's call. It gets a name, unless it may stay where it is.
    pub(super) fn function_call(
        &mut self,
        call: ExprId,
        callee: Callee,
        operands: Vec<NodeId>,
        stays: bool,
        span: Span,
    ) -> NodeId {
        if stays {
            let (convention, operator) = self.called(callee, span);
            let operands = self.all_operands(callee, &convention, operands, span);
            return self.call(operator, operands, span);
        }
        let value = self.fresh();
        self.bound_call(call, callee, operands, Some(value), span);
        self.name(value, span)
    }

    /// Returns the operands of a call: variables around the callee, arguments, the state.
    fn all_operands(&mut self, callee: Callee, convention: &Convention, given: Vec<NodeId>, span: Span) -> Vec<NodeId> {
        let mut operands = match callee {
            Callee::Unit(unit) => self.around(unit, span),
            Callee::Parameter(_) => vec![],
        };
        operands.extend(given);
        if let (true, Some(state)) = (convention.takes_state, self.plan.state(self.unit)) {
            operands.push(self.var(state, span));
        }
        operands
    }

    fn around(&mut self, unit: UnitId, span: Span) -> Vec<NodeId> {
        let plan = self.plan;
        plan.effects(unit).reads.iter().map(|var| self.var(*var, span)).collect()
    }

    /// Binds the results of a call: the function's value to a name, and what it assigns to the variables.
    pub(super) fn bound_call(
        &mut self,
        call: ExprId,
        callee: Callee,
        operands: Vec<NodeId>,
        value: Option<NameId>,
        span: Span,
    ) {
        let (convention, operator) = self.called(callee, span);
        self.require_different_places(call, &convention);
        if convention.takes_state {
            self.write_frames(span, true);
        }
        let operands = self.all_operands(callee, &convention, operands, span);
        let node = self.call(operator, operands, span);
        let mut results: Vec<NameId> = value.into_iter().collect();
        let (mut stored, mut again) = (vec![], vec![]);
        for (argument, is_assigned) in arguments(self.tree, call).iter().zip(&convention.assigned) {
            if !is_assigned {
                continue;
            }
            results.push(match self.checked.entities.meaning(*argument) {
                // It may be in a frame that is read again behind the call, and holds its old value there.
                Meaning::Variable(var) if convention.takes_state => {
                    let value = self.fresh();
                    again.push((var, value));
                    value
                }
                Meaning::Variable(var) => self.name_of(var),
                Meaning::Element(array) => {
                    let value = self.fresh();
                    if let Some(place) = self.places.get(argument).copied() {
                        stored.push(StoredElement { array, place, value });
                    }
                    value
                }
                // The value of an expression that is assigned is dropped.
                Meaning::None | Meaning::Call(_) | Meaning::Procedure(_) | Meaning::Intrinsic(_) => self.fresh(),
            });
        }
        if let Callee::Unit(unit) = callee {
            results.extend(self.plan.effects(unit).writes.iter().map(|var| self.name_of(*var)));
        }
        if let (true, Some(state)) = (convention.takes_state, self.plan.state(self.unit)) {
            results.push(self.name_of(state));
        }
        match results.as_slice() {
            [] => self.effect(node, span),
            names => {
                let pattern = self.pattern(names, span);
                self.bind_pattern(pattern, node, span);
            }
        }
        if convention.takes_state {
            self.read_frames(span);
        }
        for (var, value) in again {
            let value = self.name(value, span);
            self.bind_var(var, value, span);
        }
        for StoredElement { array, place, value } in stored {
            let operands = vec![self.var(array, span), self.name(place, span), self.name(value, span)];
            let array_set = self.apply(Primitive::VectorSet, operands, span);
            self.bind_var(array, array_set, span);
        }
    }

    /// Returns a subprogram as a value, which follows the convention of its class.
    pub(super) fn procedure(&mut self, unit: UnitId, span: Span) -> NodeId {
        let class = self.plan.conventions.of_value(unit).clone();
        let own = self.plan.conventions.of(Callee::Unit(unit)).clone();
        if own == class && self.plan.effects(unit).reads.is_empty() {
            return self.name(self.unit_name(unit), span);
        }
        let scope = self.checked.entities.scope(unit);
        let (result, parameters) = (scope.result, scope.parameters.clone());
        let state = match self.plan.state(unit) {
            Some(state) => self.name_of(state),
            None => self.fresh(),
        };
        let outer = self.hole;
        let body = self.named.reserve(span);
        self.hole = body;
        let mut formal: Vec<NameId> = parameters.iter().map(|var| self.name_of(*var)).collect();
        if class.takes_state {
            formal.push(state);
        }
        let mut operands = self.around(unit, span);
        operands.extend(parameters.iter().map(|var| self.var(*var, span)).collect::<Vec<_>>());
        if own.takes_state {
            operands.push(self.name(state, span));
        }
        if own == class {
            self.fill_call(self.unit_name(unit), operands, span);
        } else {
            let operator = self.name(self.unit_name(unit), span);
            let node = self.call(operator, operands, span);
            let mut results: Vec<NameId> = result.map(|_| self.fresh()).into_iter().collect();
            let mut adapted = results.clone();
            for (place, var) in parameters.iter().enumerate() {
                let name = self.name_of(*var);
                if own.assigned.get(place).copied().unwrap_or(false) {
                    results.push(name);
                }
                if class.assigned.get(place).copied().unwrap_or(false) {
                    adapted.push(name);
                }
            }
            if own.takes_state {
                results.push(state);
            }
            if class.takes_state {
                adapted.push(state);
            }
            match results.as_slice() {
                [] => self.effect(node, span),
                names => {
                    let pattern = self.pattern(names, span);
                    self.bind_pattern(pattern, node, span);
                }
            }
            self.fill_tuple(&adapted, span);
        }
        self.hole = outer;
        let pattern = self.pattern(&formal, span);
        let lambda = self.lambda(Some(self.unit_name(unit)), pattern, body, span);
        self.lambda_node(lambda, span)
    }
}
