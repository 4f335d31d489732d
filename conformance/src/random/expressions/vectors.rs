//! Expressions that make vectors, and reals from vectors.

use super::generate::Generator;
use crate::random::trees::tree::{Form, Node};
use crate::random::trees::types::Type;

impl Generator {
    /// The smallest kind of vector: a few leaves, at least `least`.
    pub fn vector_of_leaves(&mut self, element: &Type, least: usize) -> Node {
        let length = least + self.numbers.below(3);
        let elements: Vec<Node> = (0..length).map(|_| self.leaf(element)).collect();
        Node::vector(element, elements)
    }

    /// A vector.
    pub fn vector_expression(&mut self, element: &Type, size: usize) -> Node {
        let gives = Type::vector(element.clone());
        match self.numbers.below(13) {
            12 => {
                let elements: Vec<Node> = (0..2).map(|_| self.expression(element, size / 3)).collect();
                Node::call("of-length", gives, [Node::vector(element, elements), Node::real(2.0)])
            }
            0..3 => {
                let least = self.numbers.below(3);
                self.longer_vector(element, least, size)
            }
            3..6 => {
                let procedure = self.iterated(&Type::procedure([Type::Count], element.clone()), size / 2);
                Node::call("build", gives, [self.count(), procedure])
            }
            6 => {
                let list = self.expression(&Type::list(element.clone()), size - 1);
                Node::call("list->vector", gives, [list])
            }
            7 | 8 => {
                let vector = self.longer_vector(element, 3, size / 2);
                let (index, value) = (self.index_below(3), self.expression(element, size / 2));
                Node::call("vector-set", gives, [vector, index, value])
            }
            9 => {
                let (vector, value) = (self.expression(&gives, size / 2), self.expression(element, size / 2));
                Node::call("vector-push", gives, [vector, value])
            }
            10 => {
                let step = Type::procedure([gives.clone(), Type::Count], gives.clone());
                let procedure = self.iterated(&step, size / 2);
                Node::call("ifold", gives.clone(), [procedure, self.expression(&gives, size / 3), self.count()])
            }
            _ => {
                let name = self.word(&["zero", "plus", "identity"]);
                let vector = self.expression(&gives, size - 1);
                let operands = if name == "plus" { vec![vector.clone(), vector] } else { vec![vector] };
                Node::call(name, gives, operands)
            }
        }
    }

    /// A real from a vector of reals, or from a loop.
    pub fn of_vectors(&mut self, size: usize) -> Node {
        let half = size / 2;
        match self.numbers.below(9) {
            0..4 => {
                let vector = self.longer_vector(&Type::Real, 3, size - 1);
                Node::call("get", Type::Real, [vector, self.index_below(3)])
            }
            4..7 => {
                let step = Type::procedure([Type::Real, Type::Count], Type::Real);
                let procedure = self.iterated(&step, half);
                Node::call("ifold", Type::Real, [procedure, self.expression(&Type::Real, half), self.count()])
            }
            7 => {
                let gives = Type::vector(Type::Real);
                Node::call("length", Type::Real, [self.expression(&gives, size - 1)])
            }
            _ => {
                let name = self.word(&["build-size", "ifold-size"]);
                Node::call(name, Type::Real, [self.count()])
            }
        }
    }

    /// A vector of at least `least` elements.
    fn longer_vector(&mut self, element: &Type, least: usize, size: usize) -> Node {
        let elements: Vec<Node> = (0..least).map(|_| self.expression(element, size / (least + 1))).collect();
        if least == 0 || self.chance(50) {
            let rest = self.expression(&Type::list(element.clone()), size / (least + 1));
            let all = elements.into_iter().rev().fold(rest, |rest, first| {
                let gives = rest.gives.clone();
                Node::new(Form::Cons, gives, [first, rest])
            });
            return Node::call("list->vector", Type::vector(element.clone()), [all]);
        }
        Node::vector(element, elements)
    }

    /// An index below a number, written as a constant or computed.
    fn index_below(&mut self, count: usize) -> Node {
        let index = self.numbers.below(count) as f64;
        if self.chance(25) {
            return Node::call("floor", Type::Count, [Node::real(index + 0.5)]);
        }
        Node::new(Form::Real(index), Type::Count, [])
    }
}
