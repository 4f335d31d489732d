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

use crate::fsmooth::builtins::ReverseOperator;
use crate::fsmooth::differentiation::Differentiation;
use crate::fsmooth::differentiation::by_type;
use crate::fsmooth::terms::{Access, Terms};
use crate::fsmooth::typed::{Expression, ExpressionId, Type, TypeId, Types, Variable};
use rustc_hash::FxHashMap;
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
        let mut terms = Terms { program: self.program, span };
        let whole = terms.variable(point);
        let Some(count) = count(&mut terms, whole, type_id, DEEPEST).filter(|_| is_number) else { return };
        if let Expression::Number(_) = terms.program.expression(count) {
            return;
        }
        let least = terms.index(LEAST);
        let is_short = terms.compare(Comparison::Less, count, least);
        let (expression, type_of_forward) = (terms.program.expression(forward), terms.program.type_of(forward));
        let forward_form = terms.add(expression, type_of_forward);
        let (at, one) = (terms.variable(point), terms.number(1.0));
        let of_both = terms.program.types.pair(Types::DOUBLE, type_id);
        let operator = ReverseOperator::Reverse;
        let both = terms.add(Expression::Reverse { operator, function, point: at, cotangent: one }, of_both);
        let both = terms.binding("both", both);
        let (whole, again) = (terms.local(both.local), terms.local(both.local));
        let (value, gradient) = (terms.first(whole), terms.second(again));
        let (value, gradient) = (terms.binding("value", value), terms.binding("gradient", gradient));
        let reverse_form = by_type::over(self, span, (point, type_id), |pass, place| {
            let mut part = Access::of(pass.program, Variable::Local(gradient.local));
            for projection in place {
                part = part.part(pass.program, *projection);
            }
            let mut terms = Terms { program: pass.program, span };
            let (value, tangent) = (terms.local(value.local), part.read(&mut terms));
            let tangent = by_type::without_negative_zero(&mut terms, tangent);
            terms.pair(value, tangent)
        });
        let mut terms = Terms { program: self.program, span };
        let reverse_form = terms.bind([both, value, gradient].into_iter(), reverse_form);
        let form = terms.choice(is_short, forward_form, reverse_form);
        self.program.reverse_forms.insert(forward, form);
    }
}

/// The number of Doubles in a value, with rows as long as the first one; none if there is something else in it. Recursion is bounded by
/// the depth.
fn count(terms: &mut Terms, value: ExpressionId, type_id: TypeId, depth: usize) -> Option<ExpressionId> {
    let depth = depth.checked_sub(1)?;
    match terms.program.types.get(type_id) {
        Type::Double => Some(terms.index(1.0)),
        Type::Array(Types::DOUBLE) => Some(terms.length(value)),
        Type::Array(element) => {
            let [other, again] = [0, 1].map(|_| terms.program.copy(value, &FxHashMap::default()));
            let first = terms.index(0.0);
            let first = terms.add(Expression::Get { array: value, index: first }, element);
            let of_row = count(terms, first, element, depth)?;
            let (rows, also) = (terms.length(other), terms.length(again));
            let product = terms.add(Expression::Binary(Operation::Multiply, rows, of_row), Types::INDEX);
            let (zero, none) = (terms.index(0.0), terms.index(0.0));
            let is_empty = terms.compare(Comparison::Equal, also, zero);
            Some(terms.choice(is_empty, none, product))
        }
        Type::Pair(of_first, of_second) => {
            let again = terms.program.copy(value, &FxHashMap::default());
            let (first, second) = (terms.first(value), terms.second(again));
            let (first, second) = (count(terms, first, of_first, depth)?, count(terms, second, of_second, depth)?);
            let numbers = (terms.program.expression(first), terms.program.expression(second));
            if let (Expression::Number(first), Expression::Number(second)) = numbers {
                return Some(terms.index(first + second));
            }
            Some(terms.add(Expression::Binary(Operation::Add, first, second), Types::INDEX))
        }
        Type::Index | Type::Boolean | Type::Function(..) => None,
    }
}
