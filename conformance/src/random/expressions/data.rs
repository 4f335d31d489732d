//! Expressions that make lists and pairs.

use super::generate::{Generator, Reals};
use crate::random::trees::tree::{Form, Node, Order, Pattern};
use crate::random::trees::types::Type;

impl Generator {
    /// A list of elements of a type.
    pub fn list_expression(&mut self, element: &Type, size: usize) -> Node {
        let gives = Type::list(element.clone());
        match self.numbers.below(12) {
            0..4 => {
                let count = self.numbers.below(4);
                let elements: Vec<Node> = (0..count).map(|_| self.expression(element, size / count.max(1))).collect();
                Node::new(Form::List, gives, elements)
            }
            4 | 5 => {
                let (first, rest) = (self.expression(element, size / 2), self.expression(&gives, size / 2));
                Node::new(if self.chance(50) { Form::Cons } else { Form::ConsStar }, gives, [first, rest])
            }
            6 | 7 => self.mapped(element, size),
            8 => {
                let name = self.word(&["reverse", "append", "filter", "list-tail", "list-set"]);
                self.rearranged(name, element, size)
            }
            10 if self.may_share(element) && self.chance(10) => {
                let list = self.shared_list(element, size / 2);
                let name = self.word(&["zero", "plus", "identity"]);
                let operands = if name == "plus" { vec![list.clone(), list] } else { vec![list] };
                Node::call(name, gives, operands)
            }
            9 if self.chance(40) => {
                let vector = self.expression(&Type::vector(element.clone()), size - 1);
                Node::call("vector->list", gives, [vector])
            }
            _ if *element == Type::Real => self.vector(size),
            _ => self.mapped(element, size),
        }
    }

    /// Returns true if a list of many repeated elements may be written: not in loops, nor where each real costs much.
    pub fn may_share(&self, element: &Type) -> bool {
        self.iterations == 0 && self.reals == Reals::Any && *element != Type::Real
    }

    /// A list of many elements, each of which occurs twice: traversals find more shared parts than their initial tables
    /// hold.
    pub fn shared_list(&mut self, element: &Type, size: usize) -> Node {
        let gives = Type::list(element.clone());
        let procedure = self.iterated(&Type::procedure([Type::Count], element.clone()), size);
        let count = Node::new(Form::Real((10 + self.numbers.below(120)) as f64), Type::Count, []);
        let list = Node::call("map-n", gives.clone(), [procedure, count]);
        let name = self.fresh(&gives);
        let twice = [0, 1].map(|_| Node::name(&name, gives.clone()));
        let body = Node::call("append", gives.clone(), twice);
        Node::new(Form::Let(Order::Together, vec![Pattern::Name(name)]), gives, [list, body])
    }

    /// A list made element by element.
    fn mapped(&mut self, element: &Type, size: usize) -> Node {
        let gives = Type::list(element.clone());
        let from = if self.chance(70) { Type::Real } else { self.some_type() };
        let third = size / 3;
        let operands = match self.numbers.below(4) {
            0 => {
                let procedure = self.iterated(&Type::procedure([Type::Count], element.clone()), size / 2);
                return Node::call("map-n", gives, [procedure, self.count()]);
            }
            1 => {
                let procedure = self.iterated(&Type::procedure([from.clone(), from.clone()], element.clone()), third);
                let list = self.expression(&Type::list(from), third);
                return Node::call("map2", gives, [procedure, list.clone(), list]);
            }
            _ => {
                let procedure = self.iterated(&Type::procedure([from.clone()], element.clone()), size / 2);
                [procedure, self.expression(&Type::list(from), third)]
            }
        };
        Node::call("map", gives, operands)
    }

    /// A list with elements left out or in other places.
    fn rearranged(&mut self, name: &str, element: &Type, size: usize) -> Node {
        let gives = Type::list(element.clone());
        let list = self.expression(&gives, size / 2);
        let operands = match name {
            "append" => vec![list, self.expression(&gives, size / 2)],
            "filter" => vec![self.iterated(&Type::procedure([element.clone()], Type::Boolean), size / 2), list],
            "list-tail" => vec![list, Node::real(0.0)],
            "list-set" => {
                let longer = Node::new(Form::Cons, gives.clone(), [self.leaf(element), list]);
                vec![longer, Node::real(0.0), self.expression(element, size / 2)]
            }
            _ => vec![list],
        };
        Node::call(name, gives, operands)
    }

    /// A list of reals.
    fn vector(&mut self, size: usize) -> Node {
        let reals = Type::reals();
        match self.numbers.below(5) {
            0 => Node::call("iota", reals, [self.count()]),
            1 => {
                let (factor, list) = (self.expression(&Type::Real, size / 2), self.expression(&reals, size / 2));
                Node::call("k*v", reals, [factor, list])
            }
            2 | 3 => {
                let name = self.word(&["v+", "v-"]);
                let list = self.expression(&reals, size / 2);
                let factor = self.expression(&Type::Real, size / 3);
                let other = Node::call("k*v", reals.clone(), [factor, list.clone()]);
                Node::call(name, reals, [list, other])
            }
            _ => {
                let name = self.word(&["zero", "plus", "identity"]);
                let list = self.expression(&reals, size - 1);
                let operands = if name == "plus" { vec![list.clone(), list] } else { vec![list] };
                Node::call(name, reals, operands)
            }
        }
    }

    /// A pair.
    pub fn pair_expression(&mut self, first: &Type, second: &Type, size: usize) -> Node {
        let gives = Type::pair(first.clone(), second.clone());
        match self.numbers.below(8) {
            0 => {
                let both = self.expression(&gives, size - 1);
                let swapped = Type::pair(second.clone(), first.clone());
                let part = |name: &str, whole: Type| {
                    let part = if name == "car" { first.clone() } else { second.clone() };
                    Node::call(name, part, [Node::name("swap", whole)])
                };
                // A pair rebuilt from its own halves.
                let name = self.fresh(&gives);
                let mut halves = Node::cons(part("car", swapped.clone()), part("cdr", swapped));
                halves.substitute("swap", &Node::name(&name, gives.clone()));
                let pattern = Pattern::Name(name);
                Node::new(Form::Let(Order::Together, vec![pattern]), gives, [both, halves])
            }
            1 => {
                let name = self.word(&["zero", "plus", "identity"]);
                let pair = self.expression(&gives, size - 1);
                let operands = if name == "plus" { vec![pair.clone(), pair] } else { vec![pair] };
                Node::call(name, gives, operands)
            }
            _ => {
                let (first, second) = (self.expression(first, size / 2), self.expression(second, size / 2));
                Node::new(if self.chance(70) { Form::Cons } else { Form::ConsStar }, gives, [first, second])
            }
        }
    }
}
