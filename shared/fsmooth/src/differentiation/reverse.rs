//! Gradients by reverse mode, beside those by forward mode.
//!
//! ```text
//! over x (exit (D f (seed x)))   or   if |x| < 32 then over x (exit (D f (seed x)))
//!                                     else let r = vjp f x 1.0 in over x (fst r, (snd r at the place) + 0.0)
//! ```
//!
//! where |x| is the number of Doubles of x. Forward mode takes a pass for each of them. Rewriting often finds the work that all passes
//! share, and what is left takes as long as f; where it does not find it, a gradient by forward mode costs a power of the size more. The second
//! form costs as much as f, up to a factor, for every f. It adds up in another order, so it is not taken for points of few numbers, where it
//! would not be cheaper, either.
//!
//! A form is noted for a gradient, and stands nowhere until rewriting takes it.

use crate::builder::{Access, Builder};
use crate::builtins::ReverseOperator;
use crate::differentiation::Differentiation;
use crate::differentiation::by_type;
use crate::typed::{Expression, ExpressionId, Type, TypeId, Types, Variable};
use vlad_core::source::Span;
use vlad_table::operations::Operation;
use vlad_table::primitives::Comparison;

/// The least number of Doubles of a point at which reverse mode is taken.
const LEAST: f64 = 32.0;

/// The deepest type of a point at which reverse mode is taken.
const DEEPEST: usize = 16;

impl Differentiation<'_> {
    /// Notes the form by reverse mode of the gradient of a function at a point, if the function makes a number, and the point has arrays
    /// and consists of Doubles.
    pub(super) fn note_reverse_form(
        &mut self,
        forward: ExpressionId,
        function: ExpressionId,
        (point, type_id): (Variable, TypeId),
        span: Span,
    ) {
        let is_number = matches!(
            self.program.types.get(self.program.type_of(function)),
            Type::Function(from, Types::DOUBLE) if from == type_id
        );
        let mut build = self.program.at(span);
        let whole = build.variable(point);
        let Some(count) = count(&mut build, whole, type_id, DEEPEST).filter(|_| is_number) else { return };
        if let Expression::Number(_) = build.program.expression(count) {
            return;
        }
        let least = build.index(LEAST);
        let is_short = build.compare(Comparison::Less, count, least);
        let (expression, type_of_forward) = (build.program.expression(forward), build.program.type_of(forward));
        let forward_form = build.add(expression, type_of_forward);
        let (at, one) = (build.variable(point), build.number(1.0));
        let of_both = build.program.types.pair(Types::DOUBLE, type_id);
        let operator = ReverseOperator::Reverse;
        let both = build.add(Expression::Reverse { operator, function, point: at, cotangent: one }, of_both);
        let both = build.binding("both", both);
        let (whole, again) = (build.local(both.local), build.local(both.local));
        let (value, gradient) = (build.first(whole), build.second(again));
        let (value, gradient) = (build.binding("value", value), build.binding("gradient", gradient));
        let reverse_form = by_type::over(self, span, (point, type_id), |pass, place| {
            let mut part = Access::of(pass.program, Variable::Local(gradient.local));
            for projection in place {
                part = part.part(pass.program, *projection);
            }
            let mut build = pass.program.at(span);
            let (value, tangent) = (build.local(value.local), part.read(&mut build));
            let tangent = by_type::without_negative_zero(&mut build, tangent);
            build.pair(value, tangent)
        });
        let mut build = self.program.at(span);
        let reverse_form = build.bind([both, value, gradient], reverse_form);
        let form = build.choice(is_short, forward_form, reverse_form);
        self.program.reverse_forms.insert(forward, form);
    }
}

/// The number of Doubles in a value, with rows as long as the first one; none if there is something else in it. Recursion is bounded by
/// the depth.
fn count(build: &mut Builder, value: ExpressionId, type_id: TypeId, depth: usize) -> Option<ExpressionId> {
    let depth = depth.checked_sub(1)?;
    match build.program.types.get(type_id) {
        Type::Double => Some(build.index(1.0)),
        Type::Array(Types::DOUBLE) => Some(build.length(value)),
        Type::Array(element) => {
            let [other, again] = [0, 1].map(|_| build.program.copy(value));
            let first = build.index(0.0);
            let first = build.add(Expression::Get { array: value, index: first }, element);
            let of_row = count(build, first, element, depth)?;
            let (rows, also) = (build.length(other), build.length(again));
            let product = build.add(Expression::Binary(Operation::Multiply, rows, of_row), Types::INDEX);
            let (zero, none) = (build.index(0.0), build.index(0.0));
            let is_empty = build.compare(Comparison::Equal, also, zero);
            Some(build.choice(is_empty, none, product))
        }
        Type::Pair(of_first, of_second) => {
            let again = build.program.copy(value);
            let (first, second) = (build.first(value), build.second(again));
            let (first, second) = (count(build, first, of_first, depth)?, count(build, second, of_second, depth)?);
            let numbers = (build.program.expression(first), build.program.expression(second));
            if let (Expression::Number(first), Expression::Number(second)) = numbers {
                return Some(build.index(first + second));
            }
            Some(build.add(Expression::Binary(Operation::Add, first, second), Types::INDEX))
        }
        Type::Index | Type::Boolean | Type::Function(..) => None,
    }
}
