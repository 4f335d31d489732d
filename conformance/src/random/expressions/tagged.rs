//! Expressions that tag values by the reflective basis, call transformed procedures, and remove tags.
//!
//! A tag is a part of the type, so tagged values can be bound, passed and stored like all others; the tag is removed
//! where a value without it is needed.

use super::generate::{Binding, Generator};
use crate::random::trees::coverage::Mode;
use crate::random::trees::tree::{Form, Node, Order, Pattern};
use crate::random::trees::types::{ReflectiveTag, Type};

impl Generator {
    /// A tagged type.
    pub fn some_marked_type(&mut self) -> Type {
        let mark = self.pick(
            &[ReflectiveTag::Bundle, ReflectiveTag::Perturbation, ReflectiveTag::Sensitivity, ReflectiveTag::Reversed],
            ReflectiveTag::Bundle,
        );
        let inside = if self.chance(50) { Type::Real } else { self.point_type() };
        Type::marked(mark, inside)
    }

    /// A tagged value.
    pub fn marked_expression(&mut self, mark: ReflectiveTag, inside: &Type, size: usize) -> Node {
        let gives = Type::marked(mark, inside.clone());
        match self.numbers.below(10) {
            0..3 => {
                let value = self.expression(inside, size - 1);
                Node::marked(mark, value)
            }
            3..6 if self.may_differentiate() => self.transformed_call(mark, inside, size),
            6 if mark == ReflectiveTag::Bundle => {
                let name = if self.chance(50) { "j*-transform" } else { "identity" };
                let value = self.expression(inside, size - 1);
                if name == "identity" { Node::marked(mark, value) } else { Node::call(name, gives, [value]) }
            }
            7 => {
                let name = self.word(&["zero", "plus", "identity"]);
                let value = self.expression(&gives, size - 1);
                let operands = if name == "plus" { vec![value.clone(), value] } else { vec![value] };
                Node::call(name, gives, operands)
            }
            _ if mark == ReflectiveTag::Bundle => {
                let (value, tangent) = self.conforming(inside, size - 1);
                let plain = !matches!(inside, Type::Marked(ReflectiveTag::Perturbation, _));
                let tangent =
                    if plain && self.chance(30) { Node::marked(ReflectiveTag::Perturbation, tangent) } else { tangent };
                Node::bundle(value, tangent)
            }
            _ => {
                let value = self.expression(inside, size - 1);
                Node::marked(mark, value)
            }
        }
    }

    /// A call of a transformed procedure: its value has the tag of its operand.
    fn transformed_call(&mut self, mark: ReflectiveTag, result: &Type, size: usize) -> Node {
        let operand = self.point_type();
        let procedure = self.differentiated(std::slice::from_ref(&operand), result, size / 2);
        let gives = Type::marked(mark, result.clone());
        let operand = match mark {
            ReflectiveTag::Bundle => self.expression(&Type::marked(mark, operand), size / 3),
            ReflectiveTag::Perturbation | ReflectiveTag::Sensitivity | ReflectiveTag::Reversed => {
                let operand = self.expression(&operand, size / 3);
                Node::marked(mark, operand)
            }
        };
        let call = Node::new(Form::Call, gives.clone(), [Node::marked(mark, procedure), operand]);
        match mark {
            ReflectiveTag::Bundle | ReflectiveTag::Perturbation | ReflectiveTag::Sensitivity => call,
            ReflectiveTag::Reversed => Node::call("car", gives, [call]),
        }
    }

    /// An expression of a type by the reflective basis: the removal of a tag, or the result of a backpropagator.
    pub fn reflective(&mut self, wanted: &Type, size: usize) -> Node {
        let under = |mark: ReflectiveTag| Type::marked(mark, wanted.clone());
        let is_perturbation = matches!(wanted, Type::Marked(ReflectiveTag::Perturbation, _));
        match self.numbers.below(12) {
            0 => {
                let bundle = self.expression(&under(ReflectiveTag::Bundle), size - 1);
                Node::call("primal", wanted.clone(), [bundle])
            }
            1..4 if !is_perturbation => {
                let bundle = self.expression(&under(ReflectiveTag::Bundle), size - 1);
                let tangent = Node::call("tangent", wanted.clone(), [bundle]);
                Node::call("unperturb", wanted.clone(), [tangent])
            }
            4 => {
                let value = self.expression(&under(ReflectiveTag::Reversed), size - 1);
                Node::call("*j-inverse", wanted.clone(), [value])
            }
            5 => {
                let (mark, name) = if self.chance(50) {
                    (ReflectiveTag::Perturbation, "unperturb")
                } else {
                    (ReflectiveTag::Sensitivity, "unsensitize")
                };
                let value = self.expression(&under(mark), size - 1);
                Node::call(name, wanted.clone(), [value])
            }
            6..10 if *wanted != Type::Boolean => self.gradient_by_backpropagator(wanted, size),
            _ => self.kept_backpropagator(wanted, size),
        }
    }

    /// The cotangent of a point, by a backpropagator that is called at once.
    fn gradient_by_backpropagator(&mut self, wanted: &Type, size: usize) -> Node {
        let procedure = self.differentiated(std::slice::from_ref(wanted), &Type::Real, size / 2);
        let point = self.expression(wanted, size / 3);
        let cotangent = self.expression(&Type::Real, size / 5);
        Self::reflective_part("cdr", Mode::Reverse, [procedure, point, cotangent])
    }

    /// A derivative in the reflective style, from procedure, point and (co)tangent, or the value itself.
    pub fn reflective_part(part: &str, mode: Mode, [procedure, point, weight]: [Node; 3]) -> Node {
        let (result, from) = (Type::Real, point.gives.clone());
        match (mode, part) {
            (Mode::Forward, _) => {
                let call = [Node::marked(ReflectiveTag::Bundle, procedure), Node::bundle(point, weight)];
                let called = Node::new(Form::Call, Type::marked(ReflectiveTag::Bundle, result.clone()), call);
                Node::call(if part == "car" { "primal" } else { "tangent" }, result, [called])
            }
            (Mode::Reverse, "car") => {
                let call =
                    [Node::marked(ReflectiveTag::Reversed, procedure), Node::marked(ReflectiveTag::Reversed, point)];
                let reversed = Type::marked(ReflectiveTag::Reversed, result.clone());
                let called = Node::new(Form::Call, Type::pair(reversed.clone(), result.clone()), call);
                Node::call("*j-inverse", result, [Node::call("car", reversed, [called])])
            }
            (Mode::Reverse, _) => {
                let both = Type::pair(procedure.gives.clone(), from.clone());
                let back = Type::procedure([Type::Real], both.clone());
                let call =
                    [Node::marked(ReflectiveTag::Reversed, procedure), Node::marked(ReflectiveTag::Reversed, point)];
                let reversed = Type::marked(ReflectiveTag::Reversed, result);
                let called = Node::new(Form::Call, Type::pair(reversed, back.clone()), call);
                let back = Node::call("cdr", back, [called]);
                let cotangents =
                    Node::new(Form::Call, both.clone(), [back, Node::marked(ReflectiveTag::Sensitivity, weight)]);
                Node::call("cdr", from, [Node::call("unsensitize", both, [cotangents])])
            }
        }
    }

    /// A reversed value and its backpropagator, which the body may use and call any number of times.
    fn kept_backpropagator(&mut self, wanted: &Type, size: usize) -> Node {
        let operand = self.point_type();
        let procedure = self.differentiated(std::slice::from_ref(&operand), &Type::Real, size / 3);
        let point = self.expression(&operand, size / 4);
        let both = Type::pair(procedure.gives.clone(), operand);
        let reversed = Type::marked(ReflectiveTag::Reversed, Type::Real);
        let back = Type::procedure([Type::Real], both.clone());
        let call = [Node::marked(ReflectiveTag::Reversed, procedure), Node::marked(ReflectiveTag::Reversed, point)];
        let called = Node::new(Form::Call, Type::pair(reversed.clone(), back.clone()), call);
        let bound = [reversed, back.clone()].map(|gives| Binding { name: self.fresh(&gives), gives });
        let [value, pull] = bound.each_ref().map(|binding| Box::new(Pattern::Name(binding.name.clone())));
        let body = self.within(bound.to_vec(), |inner| {
            let [_, pull] = bound.each_ref().map(|binding| Node::name(&binding.name, binding.gives.clone()));
            let first = match inner.numbers.below(10) {
                0..3 => inner.cotangent_of(pull, both),
                3 => {
                    let again = Node::call("cdr", back, [called.clone()]);
                    Node::call("equal?", Type::Boolean, [pull, again])
                }
                _ => return inner.expression(wanted, size / 2),
            };
            let name = inner.fresh(&first.gives);
            let bound = vec![Binding { name: name.clone(), gives: first.gives.clone() }];
            let body = inner.within(bound, |inner| inner.expression(wanted, size / 2));
            Node::new(Form::Let(Order::Together, vec![Pattern::Name(name)]), wanted.clone(), [first, body])
        });
        Node::new(Form::Let(Order::Together, vec![Pattern::Pair(value, pull)]), wanted.clone(), [called, body])
    }

    /// The cotangent of the operand by a call of the backpropagator `pull`, the first call in the body.
    fn cotangent_of(&mut self, pull: Node, both: Type) -> Node {
        let of_operand = match &both {
            Type::Pair(_, second) => Type::clone(second),
            _ => Type::Real,
        };
        let weight = self.leaf(&Type::Real);
        if self.chance(50) {
            let cotangents = Node::new(Form::Call, both, [pull, weight]);
            return Node::call("cdr", of_operand, [cotangents]);
        }
        let cotangents = Node::new(Form::Call, both.clone(), [pull, Node::marked(ReflectiveTag::Sensitivity, weight)]);
        Node::call("cdr", of_operand, [Node::call("unsensitize", both, [cotangents])])
    }
}
