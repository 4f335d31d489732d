//! The operators by D.

use crate::builder::{Binding, Projection};
use crate::builtins::DerivativeOperator;
use crate::differentiation::by_type::{self, Rule, without_negative_zero};
use crate::differentiation::dual::primed;
use crate::differentiation::{Bound, Differentiation};
use crate::typed::{Expression, ExpressionId, GlobalId, LocalId, Type, TypeId, Types, Variable};
use vlad_core::source::Span;
use vlad_table::internal_bug;

/// A function whose derivative is taken.
#[derive(Clone, Copy)]
enum Differentiated {
    /// D of the function, as an expression that stands once.
    Once(ExpressionId),
    /// D of the function, as a variable.
    Named(LocalId),
    /// The function itself, for `jvp`.
    Opaque(LocalId),
}

impl Differentiation<'_> {
    /// `deriv e x`.
    pub(super) fn deriv(&mut self, id: ExpressionId, body: ExpressionId, variable: Variable) -> ExpressionId {
        let span = self.program.span(id);
        let result = self.program.type_of(body);
        let type_id = self.program.variable_type(variable);
        if !self.is_transparent(&[body], Some(variable)) {
            let function = self.abstracted(body, variable);
            let binding = self.program.at(span).binding("f", function);
            let whole = self.over(span, variable, type_id, result, Differentiated::Opaque(binding.local));
            let function = self.program.at(span).local(binding.local);
            self.note_reverse_form(whole, function, (variable, type_id), span);
            return self.program.at(span).bind([binding], whole);
        }
        let mut bindings = self.lifts(&[body], Some(variable));
        let dual_type = self.dual_type(type_id);
        let name = primed(&self.program.variable_name(variable));
        let parameter = self.program.add_local(name, dual_type, span);
        match variable {
            Variable::Local(local) => {
                self.dual_locals.insert(local, parameter);
            }
            Variable::Global(global) => {
                self.named_globals.insert(global, parameter);
            }
        }
        self.make_dual_globals(body);
        let dual = self.dual(body);
        let function = self.program.at(span).lambda(parameter, dual);
        let function = self.named_if_repeated(function, type_id, &mut bindings, span);
        let whole = self.over(span, variable, type_id, result, function);
        let function = self.abstracted(body, variable);
        self.note_reverse_form(whole, function, (variable, type_id), span);
        self.program.at(span).bind(bindings, whole)
    }

    /// `diff f e` and the others that take a function and a point.
    pub(super) fn derivative(
        &mut self,
        id: ExpressionId,
        operator: DerivativeOperator,
        function: ExpressionId,
        point: ExpressionId,
    ) -> ExpressionId {
        let span = self.program.span(id);
        let type_id = self.program.type_of(point);
        let Type::Function(_, result) = self.program.types.get(self.program.type_of(function)) else {
            internal_bug!("a function is differentiated")
        };
        let is_transparent = self.is_transparent(&[function], None);
        let mut bindings = vec![];
        let differentiated = if is_transparent {
            bindings = self.lifts(&[function], None);
            self.make_dual_globals(function);
            let mut dual = self.dual(function);
            if operator == DerivativeOperator::Hessian {
                bindings.extend(self.lifts(&[dual], None));
                self.make_dual_globals(dual);
                dual = self.dual(dual);
            }
            self.named_if_computed(dual, &mut bindings, span)
        } else {
            let binding = self.program.at(span).binding("f", function);
            bindings.push(binding);
            Differentiated::Opaque(binding.local)
        };
        // A point that is a variable is read where it is needed, others are computed once.
        let point = self.program.as_variable(point).unwrap_or_else(|| {
            let binding = self.program.at(span).binding("x", point);
            bindings.push(binding);
            Variable::Local(binding.local)
        });
        if operator == DerivativeOperator::Hessian {
            let whole = self.second_over(span, point, differentiated);
            return self.program.at(span).bind(bindings, whole);
        }
        let whole = self.over(span, point, type_id, result, differentiated);
        let function = match differentiated {
            Differentiated::Opaque(local) => self.program.at(span).local(local),
            Differentiated::Once(_) | Differentiated::Named(_) => function,
        };
        self.note_reverse_form(whole, function, (point, type_id), span);
        self.program.at(span).bind(bindings, whole)
    }

    /// Makes the duals of the free locals of expressions, and of the globals that may vary, as bindings: data with zero
    /// tangents; D of functions stands beside their bindings.
    fn lifts(&mut self, roots: &[ExpressionId], variable: Option<Variable>) -> Vec<Binding> {
        let mut bindings = vec![];
        let free = self.free(roots);
        self.named_globals.clear();
        let mut globals: Vec<GlobalId> = free.globals.intersection(&self.variables).copied().collect();
        globals.sort();
        for global in globals {
            let data = self.program.global(global).clone();
            let (dual_type, span) = (self.dual_type(data.type_id), data.span);
            if dual_type != data.type_id && Some(Variable::Global(global)) != variable {
                let value = by_type::follow(self, span, &Rule::Lift, data.type_id, &[Variable::Global(global)]);
                let dual = self.program.add_local(primed(&data.name), dual_type, span);
                bindings.push(Binding { local: dual, value });
                self.named_globals.insert(global, dual);
            }
        }
        for local in free.locals {
            let data = self.program.local(local).clone();
            let dual_type = self.dual_type(data.type_id);
            if Some(Variable::Local(local)) == variable {
                continue;
            }
            let dual = if dual_type == data.type_id {
                local
            } else if self.is_function_over_doubles(data.type_id) {
                self.dual_function(local)
            } else {
                let span = data.span;
                let value = by_type::follow(self, span, &Rule::Lift, data.type_id, &[Variable::Local(local)]);
                let dual = self.program.add_local(primed(&data.name), dual_type, span);
                bindings.push(Binding { local: dual, value });
                dual
            };
            self.dual_locals.insert(local, dual);
        }
        bindings
    }

    /// Returns the dual of a local function, which will be bound beside it.
    fn dual_function(&mut self, local: LocalId) -> LocalId {
        if let Some(dual) = self.dual_functions.get(&local) {
            return *dual;
        }
        let data = self.program.local(local).clone();
        let dual_type = self.dual_type(data.type_id);
        let dual = self.program.add_local(primed(&data.name), dual_type, data.span);
        self.dual_functions.insert(local, dual);
        self.bound.insert(dual, Bound::Dual(local));
        dual
    }

    /// Binds the duals of a local function beside it: D, then D of that, as far as they are needed.
    pub(super) fn with_dual_functions(
        &mut self,
        local: LocalId,
        value: ExpressionId,
        body: ExpressionId,
    ) -> ExpressionId {
        let span = self.program.span(value);
        let mut bindings = vec![Binding { local, value }];
        let (mut function, mut last) = (local, value);
        while let Some(dual) = self.dual_functions.get(&function).copied() {
            let lifts = self.lifts(&[last], None);
            self.make_dual_globals(last);
            let value = self.dual(last);
            let value = self.program.at(span).bind(lifts, value);
            self.bound.insert(dual, Bound::Value(value));
            bindings.push(Binding { local: dual, value });
            (function, last) = (dual, value);
        }
        self.program.at(span).bind(bindings, body)
    }

    /// Names D of a function if it would stand more than once: for each Double of a point with several.
    fn named_if_repeated(
        &mut self,
        function: ExpressionId,
        point: TypeId,
        bindings: &mut Vec<Binding>,
        span: Span,
    ) -> Differentiated {
        let mut type_id = point;
        loop {
            match self.program.types.get(type_id) {
                Type::Array(element) => type_id = element,
                Type::Pair(..) => {
                    let binding = self.program.at(span).binding("f'", function);
                    bindings.push(binding);
                    return Differentiated::Named(binding.local);
                }
                Type::Double | Type::Index | Type::Boolean | Type::Function(..) => {
                    return Differentiated::Once(function);
                }
            }
        }
    }

    /// Names D of a function unless it is a function already: then its computation is not repeated.
    fn named_if_computed(&mut self, function: ExpressionId, bindings: &mut Vec<Binding>, span: Span) -> Differentiated {
        let expression = self.program.expression(function);
        if let Expression::Lambda { .. } | Expression::Global(_) | Expression::Local(_) = expression {
            return Differentiated::Once(function);
        }
        let binding = self.program.at(span).binding("f'", function);
        bindings.push(binding);
        Differentiated::Named(binding.local)
    }

    /// The results of a function that is differentiated, in the shape of the point.
    fn over(
        &mut self,
        span: Span,
        point: Variable,
        type_id: TypeId,
        result: TypeId,
        function: Differentiated,
    ) -> ExpressionId {
        by_type::over(self, span, (point, type_id), |pass, place| match function {
            Differentiated::Opaque(function) => pass.by_jvp(function, (point, type_id), place, result, span),
            Differentiated::Once(_) | Differentiated::Named(_) => {
                let seed = Rule::Seed(place.to_vec());
                let argument = by_type::follow(pass, span, &seed, type_id, &[point]);
                let applied = pass.applied(function, argument, span);
                pass.exit(applied, result);
                applied
            }
        })
    }

    /// The second derivatives of a function of a vector: by two places, without values and first derivatives.
    fn second_over(&mut self, span: Span, point: Variable, function: Differentiated) -> ExpressionId {
        let vector = (point, Types::VECTOR);
        by_type::over(self, span, vector, |pass, inner| {
            let inner = inner.to_vec();
            by_type::over(pass, span, vector, |pass, outer| match function {
                Differentiated::Opaque(function) => pass.second_by_jvp(function, point, [&inner, outer], span),
                Differentiated::Once(_) | Differentiated::Named(_) => {
                    let seed = Rule::Seed(inner.clone());
                    let seeded = by_type::follow(pass, span, &seed, Types::VECTOR, &[point]);
                    let mut build = pass.program.at(span);
                    let seeded = build.binding("x'", seeded);
                    let seed = Rule::Seed(outer.iter().copied().chain([Projection::First]).collect());
                    let dual = pass.program.local(seeded.local).type_id;
                    let variable = [Variable::Local(seeded.local)];
                    let argument = by_type::follow(pass, span, &seed, dual, &variable);
                    let applied = pass.applied(function, argument, span);
                    let mut build = pass.program.at(span);
                    let tangent = build.second(applied);
                    let second = build.second(tangent);
                    let second = without_negative_zero(&mut build, second);
                    build.bind([seeded], second)
                }
            })
        })
    }

    /// Applies a function that has been differentiated.
    fn applied(&mut self, function: Differentiated, argument: ExpressionId, span: Span) -> ExpressionId {
        let mut build = self.program.at(span);
        let function = match function {
            Differentiated::Once(function) => function,
            Differentiated::Named(local) | Differentiated::Opaque(local) => build.local(local),
        };
        if let Expression::Lambda { parameter, body } = build.program.expression(function) {
            let binding = Binding { local: parameter, value: argument };
            return build.bind([binding], body);
        }
        build.apply(function, argument)
    }

    /// Makes +0 of the negative zeros among the tangents of a dual value, in the expression that makes it where that is
    /// in sight.
    fn exit(&mut self, dual: ExpressionId, type_id: TypeId) {
        let mut pending = vec![(dual, type_id)];
        while let Some((id, type_id)) = pending.pop() {
            match (self.program.expression(id), self.program.types.get(type_id)) {
                (Expression::Let { body, .. }, _) => pending.push((body, type_id)),
                (Expression::If { consequent, alternative, .. }, _) => {
                    pending.extend([(consequent, type_id), (alternative, type_id)]);
                }
                (_, Type::Index | Type::Boolean | Type::Function(..)) => {}
                (Expression::Pair(first, second), Type::Pair(of_first, of_second)) => {
                    pending.extend([(first, of_first), (second, of_second)]);
                }
                (Expression::Pair(primal, tangent), Type::Double) => {
                    let span = self.program.span(id);
                    let tangent = without_negative_zero(&mut self.program.at(span), tangent);
                    self.program.set(id, Expression::Pair(primal, tangent));
                }
                (Expression::Array(elements), Type::Array(element)) => {
                    pending.extend(self.program.elements(elements).iter().map(|id| (*id, element)));
                }
                (Expression::Build { function, .. }, Type::Array(element))
                    if let Expression::Lambda { body, .. } = self.program.expression(function) =>
                {
                    pending.push((body, element));
                }
                (_, Type::Double | Type::Array(_) | Type::Pair(..)) => self.exit_computed(id, type_id),
            }
        }
    }

    fn exit_computed(&mut self, id: ExpressionId, type_id: TypeId) {
        let (expression, own, span) = (self.program.expression(id), self.program.type_of(id), self.program.span(id));
        if own == type_id {
            return;
        }
        let moved = self.program.add(expression, own, span);
        let binding = self.program.at(span).binding("result", moved);
        let variable = [Variable::Local(binding.local)];
        let exited = by_type::follow(self, span, &Rule::Exit, type_id, &variable);
        let bound = self.program.at(span).bind([binding], exited);
        let bound = self.program.expression(bound);
        self.program.set(id, bound);
    }
}
