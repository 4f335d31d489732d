//! Operators by `jvp`, for expressions that D cannot follow: a one-hot tangent for each place, and results that are zipped.
//!
//! ```text
//! deriv e x  =  let f = fun x -> e in over x (let r = jvp f x (oneHot x) in zip (fst r) (snd r))
//! grad f e   =  let g = f in let x = e in over x (let r = jvp g x (oneHot x) in zip (fst r) (snd r))
//! ```

use crate::builder::Projection;
use crate::differentiation::Differentiation;
use crate::differentiation::by_type::{self, Rule};
use crate::typed::{Expression, ExpressionId, LocalId, TypeId, Types, Variable};
use vlad_core::source::Span;

impl Differentiation<'_> {
    /// Makes `fun x -> body` of an expression by whose variable it is differentiated.
    pub(super) fn abstracted(&mut self, body: ExpressionId, variable: Variable) -> ExpressionId {
        let (name, type_id) = (self.program.variable_name(variable), self.program.variable_type(variable));
        let span = self.program.span(body);
        let parameter = self.program.add_local(name, type_id, span);
        let mut pending = vec![body];
        while let Some(id) = pending.pop() {
            if self.program.as_variable(id) == Some(variable) {
                self.program.set(id, Expression::Local(parameter));
            }
            // The form of a gradient within it may stand in its place later.
            pending.extend(self.program.reverse_forms.get(&id));
            pending.extend(self.program.parts(id));
        }
        self.program.at(span).lambda(parameter, body)
    }

    /// Value and derivative, as dual-coded data, of a function in the direction of one place.
    pub(super) fn by_jvp(
        &mut self,
        function: LocalId,
        (point, point_type): (Variable, TypeId),
        place: &[Projection],
        result: TypeId,
        span: Span,
    ) -> ExpressionId {
        let seed = Rule::OneHot(place.to_vec());
        let tangent = by_type::follow(self, span, &seed, point_type, &[point]);
        let mut build = self.program.at(span);
        let (function, at) = (build.local(function), build.variable(point));
        let both = build.program.types.pair(result, result);
        let applied = build.add(Expression::Forward { function, point: at, tangent }, both);
        let both = build.binding("both", applied);
        let (whole, again) = (build.local(both.local), build.local(both.local));
        let (primal, tangent) = (build.first(whole), build.second(again));
        let (primal, tangent) = (build.binding("value", primal), build.binding("tangent", tangent));
        let values = [primal.local, tangent.local].map(Variable::Local);
        let zipped = by_type::follow(self, span, &Rule::Zip, result, &values);
        self.program.at(span).bind([both, primal, tangent], zipped)
    }

    /// The second derivative of a function in the directions of two places, from the inside to the outside.
    pub(super) fn second_by_jvp(
        &mut self,
        function: LocalId,
        point: Variable,
        [inner, outer]: [&[Projection]; 2],
        span: Span,
    ) -> ExpressionId {
        let parameter = self.program.at(span).fresh("x", Types::VECTOR);
        let first = self.slope(function, Variable::Local(parameter), inner, span);
        let mut build = self.program.at(span);
        let first = build.lambda(parameter, first);
        let first = build.binding("slope", first);
        let second = self.slope(first.local, point, outer, span);
        self.program.at(span).bind([first], second)
    }

    /// The tangent of a number that depends on a vector.
    fn slope(&mut self, function: LocalId, point: Variable, place: &[Projection], span: Span) -> ExpressionId {
        let seed = Rule::OneHot(place.to_vec());
        let tangent = by_type::follow(self, span, &seed, Types::VECTOR, &[point]);
        let mut build = self.program.at(span);
        let (function, point) = (build.local(function), build.variable(point));
        let both = build.program.types.pair(Types::DOUBLE, Types::DOUBLE);
        let applied = build.add(Expression::Forward { function, point, tangent }, both);
        build.second(applied)
    }
}
