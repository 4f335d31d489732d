//! The intrinsic functions in terms of primitives.

use crate::check::intrinsics::{Intrinsic, Operands, Operation};
use crate::lower::Lowering;
use crate::syntax::tree::Type;
use vlad_core::source::Span;
use vlad_language::named::{Node, NodeId};
use vlad_language::names::NameId;
use vlad_table::Primitive;

impl Lowering<'_> {
    /// Returns the application of an intrinsic function.
    pub(super) fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        operands: Vec<NodeId>,
        kind: Option<Type>,
        span: Span,
    ) -> NodeId {
        let is_whole = kind == Some(Type::Integer);
        let primitive = match intrinsic.operation {
            Operation::Abs => Primitive::Absolute,
            Operation::Sqrt => Primitive::SquareRoot,
            Operation::Exp => Primitive::Exponential,
            Operation::Log => Primitive::Logarithm,
            Operation::Sin => Primitive::Sine,
            Operation::Cos => Primitive::Cosine,
            Operation::Tan => Primitive::Tangent,
            Operation::Asin => Primitive::ArcSine,
            Operation::Acos => Primitive::ArcCosine,
            Operation::Atan | Operation::Atan2 => Primitive::ArcTangent,
            Operation::Log10 => Primitive::DecimalLogarithm,
            Operation::Sinh => Primitive::HyperbolicSine,
            Operation::Cosh => Primitive::HyperbolicCosine,
            Operation::Tanh => Primitive::HyperbolicTangent,
            Operation::Erf => Primitive::ErrorFunction,
            Operation::Erfc => Primitive::ComplementaryErrorFunction,
            Operation::Max | Operation::Min => {
                let is_max = intrinsic.operation == Operation::Max;
                let primitive = if is_max { Primitive::Maximum } else { Primitive::Minimum };
                let extreme = self.apply(primitive, operands, span);
                if !is_whole || intrinsic.operands != Operands::Reals {
                    return extreme;
                }
                let whole = self.apply(Primitive::Truncate, vec![extreme], span);
                return self.without_sign_of_zero(whole, span);
            }
            Operation::Product => Primitive::Multiply,
            Operation::Convert => return operands.into_iter().next().unwrap_or_else(|| self.nil(span)),
            Operation::Truncate => {
                let whole = self.apply(Primitive::Truncate, operands, span);
                return if is_whole { self.without_sign_of_zero(whole, span) } else { whole };
            }
            Operation::Mod => {
                return self.let_in(operands, span, |lowering, names| match is_whole {
                    true => lowering.remainder(names, span),
                    false => lowering.exact_remainder(names, span),
                });
            }
            Operation::Sign => {
                return self.let_in(operands, span, |lowering, names| lowering.with_sign(names, is_whole, span));
            }
            Operation::Dim => {
                return self.let_in(operands, span, |lowering, names| lowering.positive_difference(names, span));
            }
            Operation::Nearest => {
                let nearest = self.let_in(operands, span, |lowering, names| lowering.nearest(names, span));
                return if is_whole { self.without_sign_of_zero(nearest, span) } else { nearest };
            }
        };
        self.apply(primitive, operands, span)
    }

    fn of(&mut self, names: &[NameId], place: usize, span: Span) -> NodeId {
        match names.get(place) {
            Some(name) => self.name(*name, span),
            None => self.nil(span),
        }
    }

    /// Returns the remainder of a by b with the sign of a, exactly. From |a| the multiples of |b| by powers of 2 are subtracted,
    /// from the greatest on: of numbers of which one is at most twice the other the difference is exact.
    fn exact_remainder(&mut self, names: &[NameId], span: Span) -> NodeId {
        let absolute = |lowering: &mut Self, place: usize| {
            let operand = lowering.of(names, place, span);
            lowering.apply(Primitive::Absolute, vec![operand], span)
        };
        let sizes = vec![absolute(self, 0), absolute(self, 1)];
        self.let_in(sizes, span, |lowering, sizes| {
            let both = |lowering: &mut Self| vec![lowering.of(sizes, 0, span), lowering.of(sizes, 1, span)];
            let operands = both(lowering);
            let is_less = lowering.apply(Primitive::Less, operands, span);
            let itself = lowering.of(names, 0, span);
            let is_divisor = |lowering: &mut Self| {
                let (zero, size) = (lowering.real(0.0, span), lowering.of(sizes, 1, span));
                lowering.apply(Primitive::Less, vec![zero, size], span)
            };
            let (size, infinity) = (lowering.of(sizes, 0, span), lowering.real(f64::INFINITY, span));
            let is_finite = lowering.apply(Primitive::Less, vec![size, infinity], span);
            let (first, otherwise) = (is_divisor(lowering), is_divisor(lowering));
            let both = lowering.choice(first, is_finite, otherwise, span);
            let rest = lowering.reduced(sizes, span);
            let signed = lowering.let_in(vec![rest], span, |lowering, rest| lowering.with_sign_of(rest, names, span));
            // It is no number for operands that have no remainder.
            let none = lowering.remainder(names, span);
            let reduced = lowering.choice(both, signed, none, span);
            lowering.choice(is_less, itself, reduced, span)
        })
    }

    /// Returns x without the multiples of y, both positive, where x is not less: `(reduce y)` of
    /// `(reduce m) = (let ((r (if (< (- x m) m) x (reduce (* 2 m))))) (if (< r m) r (- r m)))`.
    fn reduced(&mut self, sizes: &[NameId], span: Span) -> NodeId {
        let (reduce, multiple) = (self.names.hidden("reduce"), self.fresh());
        let (x, m) = (self.of(sizes, 0, span), self.name(multiple, span));
        let difference = self.apply(Primitive::Subtract, vec![x, m], span);
        let m = self.name(multiple, span);
        let is_last = self.apply(Primitive::Less, vec![difference, m], span);
        let (two, m) = (self.real(2.0, span), self.name(multiple, span));
        let twice = self.apply(Primitive::Multiply, vec![two, m], span);
        let operator = self.name(reduce, span);
        let (x, deeper) = (self.of(sizes, 0, span), self.call(operator, vec![twice], span));
        let rest = self.choice(is_last, x, deeper, span);
        let body = self.let_in(vec![rest], span, |lowering, rest| {
            let both = |lowering: &mut Self| vec![lowering.of(rest, 0, span), lowering.name(multiple, span)];
            let operands = both(lowering);
            let is_less = lowering.apply(Primitive::Less, operands, span);
            let operands = both(lowering);
            let (itself, less) = (lowering.of(rest, 0, span), lowering.apply(Primitive::Subtract, operands, span));
            lowering.choice(is_less, itself, less, span)
        });
        let pattern = self.name_pattern(multiple, span);
        let lambda = self.lambda(Some(reduce), pattern, body, span);
        let group = self.named.add_group(vec![(reduce, lambda)]);
        let (operator, y) = (self.name(reduce, span), self.of(sizes, 1, span));
        let whole = self.call(operator, vec![y], span);
        self.named.add(Node::Letrec(group, whole), span)
    }

    /// Returns a number that is not negative with the sign of another one.
    fn with_sign_of(&mut self, number: &[NameId], of: &[NameId], span: Span) -> NodeId {
        let (sign, zero) = (self.of(of, 0, span), self.real(0.0, span));
        let is_negative = self.apply(Primitive::Less, vec![sign, zero], span);
        let (itself, negated) = (self.of(number, 0, span), self.of(number, 0, span));
        let negated = self.apply(Primitive::Subtract, vec![negated], span);
        self.choice(is_negative, negated, itself, span)
    }

    /// Returns `a - b * int(a / b)`.
    fn remainder(&mut self, names: &[NameId], span: Span) -> NodeId {
        let (a, b) = (self.of(names, 0, span), self.of(names, 1, span));
        let quotient = self.apply(Primitive::Divide, vec![a, b], span);
        let whole = self.apply(Primitive::Truncate, vec![quotient], span);
        let (a, b) = (self.of(names, 0, span), self.of(names, 1, span));
        let multiple = self.apply(Primitive::Multiply, vec![b, whole], span);
        self.apply(Primitive::Subtract, vec![a, multiple], span)
    }

    /// Returns the absolute value of a with the sign of b.
    fn with_sign(&mut self, names: &[NameId], is_whole: bool, span: Span) -> NodeId {
        let (b, zero) = (self.of(names, 1, span), self.real(0.0, span));
        let is_negative = self.apply(Primitive::Less, vec![b, zero], span);
        let absolute = |lowering: &mut Self| {
            let a = lowering.of(names, 0, span);
            lowering.apply(Primitive::Absolute, vec![a], span)
        };
        let positive = absolute(self);
        let mut operands = vec![absolute(self)];
        if is_whole {
            operands.insert(0, self.real(0.0, span));
        }
        let negative = self.apply(Primitive::Subtract, operands, span);
        self.choice(is_negative, negative, positive, span)
    }

    /// Returns a - b if a is greater, else the constant 0.
    fn positive_difference(&mut self, names: &[NameId], span: Span) -> NodeId {
        let both = |lowering: &mut Self| vec![lowering.of(names, 0, span), lowering.of(names, 1, span)];
        let operands = both(self);
        let is_greater = self.apply(Primitive::Greater, operands, span);
        let operands = both(self);
        let difference = self.apply(Primitive::Subtract, operands, span);
        let zero = self.real(0.0, span);
        self.choice(is_greater, difference, zero, span)
    }

    /// Returns the nearest integer, halves away from zero: the fraction that truncation removes is exact.
    fn nearest(&mut self, names: &[NameId], span: Span) -> NodeId {
        let x = self.of(names, 0, span);
        let whole = self.apply(Primitive::Truncate, vec![x], span);
        self.let_in(vec![whole], span, |lowering, whole| {
            let fraction = |lowering: &mut Self| {
                let (x, whole) = (lowering.of(names, 0, span), lowering.of(whole, 0, span));
                lowering.apply(Primitive::Subtract, vec![x, whole], span)
            };
            let moved = |lowering: &mut Self, primitive: Primitive| {
                let (whole, one) = (lowering.of(whole, 0, span), lowering.real(1.0, span));
                lowering.apply(primitive, vec![whole, one], span)
            };
            let (below, half) = (fraction(lowering), lowering.real(-0.5, span));
            let is_below = lowering.apply(Primitive::NotGreater, vec![below, half], span);
            let (down, same) = (moved(lowering, Primitive::Subtract), lowering.of(whole, 0, span));
            let otherwise = lowering.choice(is_below, down, same, span);
            let (above, half) = (fraction(lowering), lowering.real(0.5, span));
            let is_above = lowering.apply(Primitive::NotLess, vec![above, half], span);
            let up = moved(lowering, Primitive::Add);
            lowering.choice(is_above, up, otherwise, span)
        })
    }
}
