//! Variables and subprograms in scope, and calls without aliases.
//!
//! A variable is given to a subprogram only if neither the subprogram nor those that are given with it can use it under its own name, and once
//! in a call. If the subprogram may call one that is not known here, it is a variable that no other unit uses.

use super::scope::{Parameter, Procedure, Signature, Variable, VariableKey};
use super::{Generator, binary, integer, name};
use crate::tree::{Expression, Intrinsic, Operator, Type};
use std::collections::BTreeSet;

/// An argument for a parameter that is a subprogram.
enum Given {
    Unit(Procedure),
    Intrinsic(Intrinsic),
}

impl Generator {
    /// The variables in scope.
    pub(super) fn visible(&self) -> Vec<Variable> {
        let mut hidden: BTreeSet<&str> = BTreeSet::new();
        let mut visible = Vec::new();
        for unit in self.stack.iter().rev() {
            visible.extend(unit.variables.iter().filter(|variable| !hidden.contains(variable.name.as_str())).cloned());
            hidden.extend(unit.variables.iter().map(|variable| variable.name.as_str()));
            hidden.extend(unit.hidden.iter().map(String::as_str));
        }
        visible
    }

    /// The variables in scope that fit.
    pub(super) fn variables(&self, fits: impl Fn(&Variable) -> bool) -> Vec<Variable> {
        self.visible().into_iter().filter(fits).collect()
    }

    /// One of the scalars of a type.
    pub(super) fn scalar_of(&mut self, sort: Type) -> Option<Variable> {
        let all = self.variables(|variable| variable.sort == sort && variable.bounds.is_none());
        self.pick(&all)
    }

    /// One of the variables that can be assigned and fit.
    pub(super) fn target(&mut self, fits: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let all = self.variables(|variable| variable.is_assignable && fits(variable));
        self.pick(&all)
    }

    /// Records that the innermost unit uses a variable.
    pub(super) fn uses(&mut self, variable: &Variable) {
        if let Some(unit) = self.stack.last_mut()
            && unit.number != variable.unit
        {
            unit.uses.insert(variable.key());
        }
    }

    /// Records that the innermost unit assigns a variable.
    pub(super) fn assigns(&mut self, variable: &Variable) {
        self.uses(variable);
        if let Some(unit) = self.stack.last_mut()
            && unit.number != variable.unit
        {
            unit.has_effects = true;
        }
    }

    /// The subprograms in scope.
    pub(super) fn procedures(&self) -> Vec<Procedure> {
        let nested = self.stack.iter().rev().flat_map(|unit| unit.procedures.iter());
        nested.chain(&self.global).cloned().collect()
    }

    /// A call of one of the subprograms that fit: its name and arguments.
    pub(super) fn call(&mut self, fits: impl Fn(&Procedure) -> bool) -> Option<(Procedure, Vec<Expression>)> {
        let all: Vec<Procedure> = self.procedures().into_iter().filter(fits).collect();
        let procedure = self.pick(&all)?;
        let arguments = self.arguments(&procedure)?;
        if let Some(unit) = self.stack.last_mut() {
            let number = unit.number;
            unit.uses.extend(procedure.uses.iter().filter(|(owner, _)| *owner != number).cloned());
            unit.has_effects |= procedure.has_effects;
            unit.called.insert(procedure.name.clone());
        }
        Some((procedure, arguments))
    }

    fn arguments(&mut self, procedure: &Procedure) -> Option<Vec<Expression>> {
        // Subprograms first: they decide which variables can be given.
        let mut given: Vec<Option<Given>> = Vec::new();
        for parameter in &procedure.parameters {
            given.push(match parameter {
                Parameter::Procedure(signature) => {
                    let all: Vec<Procedure> =
                        self.procedures().into_iter().filter(|other| other.suits(*signature)).collect();
                    let function =
                        if all.is_empty() || self.chance(20) { self.intrinsic_for(*signature) } else { None };
                    Some(match function {
                        Some(function) => Given::Intrinsic(function),
                        None => Given::Unit(self.pick(&all)?),
                    })
                }
                Parameter::Scalar(..) | Parameter::Array(..) | Parameter::Extent(_) | Parameter::Depth => None,
            });
        }
        let mut taken: BTreeSet<VariableKey> = procedure.uses.clone();
        let mut may_use_any = procedure.is_parameter;
        for other in given.iter().flatten() {
            let Given::Unit(other) = other else { continue };
            taken.extend(other.uses.iter().cloned());
            may_use_any |= other.is_parameter;
            if let Some(unit) = self.stack.last_mut() {
                let number = unit.number;
                unit.uses.extend(other.uses.iter().filter(|(owner, _)| *owner != number).cloned());
            }
        }
        let mut arguments = Vec::new();
        for (parameter, other) in procedure.parameters.iter().zip(given) {
            let argument = match (parameter, other) {
                (_, Some(Given::Unit(other))) => name(&other.name),
                (_, Some(Given::Intrinsic(function))) => {
                    if let Some(unit) = self.stack.last_mut()
                        && !unit.passed.contains(&function)
                    {
                        unit.passed.push(function);
                    }
                    Expression::Passed(function)
                }
                (Parameter::Extent(extent), None) => self.extent(*extent),
                (Parameter::Depth, None) => integer(self.below(4) as i64),
                (Parameter::Scalar(sort, false), None) if self.chance(60) => self.given_value(*sort),
                (Parameter::Scalar(sort, is_assigned), None) => {
                    match self.given_variable(*sort, *is_assigned, &taken, may_use_any) {
                        Some((key, argument)) => {
                            taken.insert(key);
                            argument
                        }
                        None if !is_assigned => self.given_value(*sort),
                        None => return None,
                    }
                }
                (Parameter::Array(size, is_assigned), None) => {
                    let all = self.variables(|variable| {
                        variable.sort == Type::Real
                            && variable.bounds.is_some()
                            && variable.size() >= *size
                            && (variable.is_assignable || !is_assigned)
                    });
                    let all: Vec<Variable> =
                        all.into_iter().filter(|variable| self.can_be_given(variable, &taken, may_use_any)).collect();
                    let variable = self.pick(&all)?;
                    self.uses(&variable);
                    if *is_assigned {
                        self.assigns(&variable);
                    }
                    taken.insert(variable.key());
                    name(&variable.name)
                }
                (Parameter::Procedure(_), None) => return None,
            };
            arguments.push(argument);
        }
        Some(arguments)
    }

    /// An intrinsic function that a parameter can be.
    fn intrinsic_for(&mut self, signature: Signature) -> Option<Intrinsic> {
        let all: &[Intrinsic] = match signature {
            Signature::OfOne => {
                &[Intrinsic::Sin, Intrinsic::Cos, Intrinsic::Atan, Intrinsic::Tanh, Intrinsic::Abs, Intrinsic::Exp]
            }
            Signature::OfTwo => &[Intrinsic::Atan2, Intrinsic::Sign, Intrinsic::Dim],
            Signature::Changes => &[],
        };
        self.pick(all)
    }

    /// An expression for the extent of an array.
    fn extent(&mut self, extent: i64) -> Expression {
        if self.chance(60) {
            return integer(extent);
        }
        let zero = binary(Operator::Multiply, self.small_integer(1), integer(0));
        binary(Operator::Add, integer(extent), zero)
    }

    /// The value of an expression as an argument: none that is a variable alone.
    fn given_value(&mut self, sort: Type) -> Expression {
        match self.value(sort, 2) {
            Expression::Name(_) | Expression::Element(..) => self.literal(sort),
            value => value,
        }
    }

    fn given_variable(
        &mut self,
        sort: Type,
        is_assigned: bool,
        taken: &BTreeSet<VariableKey>,
        may_use_any: bool,
    ) -> Option<(VariableKey, Expression)> {
        let all = self.variables(|variable| variable.sort == sort && (variable.is_assignable || !is_assigned));
        let all: Vec<Variable> = all
            .into_iter()
            // Some constants have no place.
            .filter(|variable| variable.is_assignable || variable.range.is_some() || !is_assigned)
            .filter(|variable| self.can_be_given(variable, taken, may_use_any))
            .collect();
        let variable = self.pick(&all)?;
        if is_assigned {
            self.assigns(&variable);
        } else {
            self.uses(&variable);
        }
        let argument = if variable.bounds.is_some() { self.element_of(&variable) } else { name(&variable.name) };
        Some((variable.key(), argument))
    }

    fn can_be_given(&self, variable: &Variable, taken: &BTreeSet<VariableKey>, may_use_any: bool) -> bool {
        let key = variable.key();
        let is_private = || {
            self.stack.last().is_some_and(|unit| {
                unit.number == variable.unit && !unit.procedures.iter().any(|other| other.uses.contains(&key))
            })
        };
        !taken.contains(&key) && (!may_use_any || is_private())
    }
}
