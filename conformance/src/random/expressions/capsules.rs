//! Expressions that count the steps of a computation, suspend it, and resume it.
//!
//! The procedure of a computation is written as a lambda, which takes at least one step, and the limit is a part of its
//! steps: so the limit is always below them.

use super::generate::Generator;
use crate::random::trees::tree::{Form, Node, Order, Parameters, Pattern};
use crate::random::trees::types::Type;

impl Generator {
    /// A procedure and its operand, whose application has the given type.
    pub fn application(&mut self, result: &Type, size: usize) -> (Node, Node) {
        let operands: Vec<Type> = (0..1 + self.numbers.below(2)).map(|_| self.point_type()).collect();
        self.operators += 1;
        let procedure = self.lambda(&operands, result, size / 2);
        self.operators -= 1;
        (procedure, self.expression(&Type::tuple(&operands), size / 3))
    }

    /// An expression `(primops f x)`.
    pub fn counted(&mut self, size: usize) -> Node {
        let result = self.some_type();
        let (procedure, operand) = self.application(&result, size);
        Node::call("primops", Type::Real, [procedure, operand])
    }

    /// A computation that is suspended before its first step.
    pub fn smallest_capsule(&mut self, result: &Type) -> Node {
        let body = self.leaf(result);
        let gives = Type::procedure([], result.clone());
        let procedure = Node::new(Form::Lambda(Parameters::Each(Vec::new())), gives, [body]);
        let nothing = Node::new(Form::Nil, Type::reals(), []);
        Node::call("interrupt", Type::capsule(result.clone()), [procedure, nothing, Node::real(0.0)])
    }

    /// A computation that is suspended at some step, once or twice.
    pub fn capsule_expression(&mut self, result: &Type, size: usize) -> Node {
        let gives = Type::capsule(result.clone());
        match self.numbers.below(8) {
            0 => {
                let name = self.word(&["zero", "plus", "identity"]);
                let capsule = self.expression(&gives, size - 1);
                let operands = if name == "plus" { vec![capsule.clone(), capsule] } else { vec![capsule] };
                Node::call(name, gives, operands)
            }
            1 | 2 => {
                let capsule = self.expression(&gives, size - 1);
                let resume = Node::name("resume", Type::procedure([gives.clone()], result.clone()));
                self.stopped(resume, capsule, &gives)
            }
            _ => {
                let (procedure, operand) = self.application(result, size);
                self.stopped(procedure, operand, &gives)
            }
        }
    }

    /// An expression `(interrupt f x l)`, with l a part of the steps of the application.
    pub fn stopped(&mut self, procedure: Node, operand: Node, gives: &Type) -> Node {
        let types = [procedure.gives.clone(), operand.gives.clone()];
        let [f, x] = types.each_ref().map(|gives| self.fresh(gives));
        let [f_node, x_node] =
            [(&f, 0), (&x, 1)].map(|(name, at)| Node::name(name, types.get(at).cloned().unwrap_or(Type::Real)));
        let steps = Node::call("primops", Type::Real, [f_node.clone(), x_node.clone()]);
        let part = Node::real(self.numbers.below(64) as f64 / 64.0);
        let limit = Node::call("floor", Type::Real, [Node::call("*", Type::Real, [part, steps])]);
        let body = Node::call("interrupt", gives.clone(), [f_node, x_node, limit]);
        let patterns = vec![Pattern::Name(f), Pattern::Name(x)];
        Node::new(Form::Let(Order::Together, patterns), gives.clone(), [procedure, operand, body])
    }

    /// An expression `(resume z)`.
    pub fn resumed(&mut self, wanted: &Type, size: usize) -> Node {
        let gives = Type::capsule(wanted.clone());
        let variable = self.variable(&gives).filter(|_| self.chance(60));
        let capsule = variable.unwrap_or_else(|| self.expression(&gives, size - 1));
        Node::call("resume", wanted.clone(), [capsule])
    }
}
