//! Derivatives.

use super::Scalar;
use crate::random::expressions::generate::{Binding, Generator};
use crate::random::trees::coverage::Mode;
use crate::random::trees::tree::{Form, Node, Parameters};
use crate::random::trees::types::Type;

impl Scalar {
    /// An expression of a type with a derivative in it.
    pub fn derivative(&mut self, wanted: &Type, size: usize) -> Node {
        let mode = if self.base.chance(self.dials.reverse) { Mode::Reverse } else { Mode::Forward };
        if *wanted == Type::Real && mode == Mode::Forward && self.base.chance(15) {
            let [procedure, point] = self.application(&Type::Real, size);
            let tangent = self.weight(&point.gives);
            let part = if self.base.chance(80) { "cdr" } else { "car" };
            return Generator::reflective_part(part, mode, [procedure, point, tangent]);
        }
        let result = match (wanted, self.base.numbers.below(10)) {
            (Type::Real, 0..8) => Type::Real,
            _ => self.type_of_reals(),
        };
        let [procedure, point] = self.application(&result, size);
        let (name, weight_of, second) = match mode {
            Mode::Forward => ("j*", point.gives.clone(), result.clone()),
            Mode::Reverse => ("*j", result.clone(), point.gives.clone()),
        };
        let weight = self.weight(&weight_of);
        let both = Node::call(name, Type::pair(result, second.clone()), [procedure, point, weight]);
        if second == *wanted && self.base.chance(60) {
            return Node::call("cdr", second, [both]);
        }
        self.binding(both, |this| this.expression(wanted, size / 3))
    }

    /// A procedure whose result has a type, and its point.
    fn application(&mut self, result: &Type, size: usize) -> [Node; 2] {
        let operands: Vec<Type> = match self.base.numbers.below(10) {
            0..7 => vec![self.type_of_reals()],
            _ => (0..2).map(|_| self.type_of_reals()).collect(),
        };
        let gives = Type::procedure(operands.clone(), result.clone());
        self.base.operators += 1;
        let known = self.base.scope.iter().any(|binding: &Binding| binding.gives == gives);
        let procedure = if known && self.base.chance(50) {
            self.base.variable(&gives).unwrap_or_else(|| Node::name("sin", gives.clone()))
        } else {
            let (patterns, bindings) = self.base.patterns(&operands);
            let body = self.body(bindings, |this| {
                let nests = this.base.may_differentiate() && this.base.chance(this.dials.nesting);
                if nests { this.derivative(result, size * 3 / 4) } else { this.expression(result, size * 2 / 3) }
            });
            Node::new(Form::Lambda(Parameters::Each(patterns)), gives, [body])
        };
        self.base.operators -= 1;
        let point: Vec<Node> = operands.iter().map(|operand| self.expression(operand, size / 6)).collect();
        let point = point.into_iter().rev().reduce(|rest, operand| Node::cons(operand, rest));
        [procedure, point.unwrap_or_else(|| Node::real(1.0))]
    }

    /// A tangent or cotangent of data of a type.
    fn weight(&mut self, gives: &Type) -> Node {
        match gives {
            Type::Pair(first, second) => {
                let first = self.weight(first);
                Node::cons(first, self.weight(second))
            }
            Type::List(_) => {
                let elements: Vec<Node> = (0..super::LIST).map(|_| self.weight(&Type::Real)).collect();
                Node::new(Form::List, gives.clone(), elements)
            }
            _ => match self.base.numbers.below(10) {
                0..5 => Node::real(1.0),
                5 | 6 => Node::real(0.0),
                _ => self.expression(&Type::Real, 4),
            },
        }
    }
}
