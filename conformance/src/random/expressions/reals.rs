//! Expressions that make reals and booleans: the operations of the table, comparisons, predicates, reductions of lists.

use super::generate::{Generator, InputUse, Reals};
use crate::operations::{Domain, domains};
use crate::random::trees::tree::{Form, Node};
use crate::random::trees::types::Type;
use vlad_shared::table::operations::OPERATIONS;
use vlad_shared::table::{Arity, Operation, Primitive};

/// The name of the primitive of an operation.
pub fn primitive_of(operation: Operation) -> &'static str {
    Primitive::applying(operation).unwrap_or(Primitive::Get).name()
}

impl Generator {
    /// An operation of the table.
    pub fn operation(&mut self) -> Operation {
        let number = self.numbers.below(OPERATIONS.len());
        OPERATIONS.get(number).map_or(Operation::Multiply, |row| row.operation)
    }

    /// An operation on operands, the first of which is mostly mapped into its domain: NaN would hide the rest of the
    /// program.
    pub fn operate(&mut self, operation: Operation, mut operands: Vec<Node>) -> Node {
        let name = primitive_of(operation);
        if operation == Operation::Copy {
            return Node::call(name, Type::Real, [Node::vector(&Type::Real, operands), Node::real(0.0)]);
        }
        let often = match self.reals {
            Reals::Any => 75,
            Reals::Tame => 100,
        };
        if self.chance(often)
            && let Some(first) = operands.first_mut()
        {
            let inner = std::mem::replace(first, Node::real(0.0));
            *first = self.in_domain(operation, inner);
        }
        Node::call(name, Type::Real, operands)
    }

    /// The operand mapped into the part of the domain where an operation has a real value of moderate size.
    fn in_domain(&mut self, operation: Operation, operand: Node) -> Node {
        let call = |name: &str, operands: &[Node]| Node::call(name, Type::Real, operands.to_vec());
        match domains(operation).first() {
            None | Some(Domain::Reals | Domain::NotZero | Domain::NoPole) => operand,
            Some(Domain::Positive) => {
                let positive = match self.numbers.below(3) {
                    0 => call("exp", &[call("sin", &[operand])]),
                    1 => call("sqr", &[operand]),
                    _ => call("abs", &[operand]),
                };
                call("+", &[Node::real(0.25), positive])
            }
            Some(Domain::AboveOne) => {
                let square = call("sqr", &[operand]);
                call("+", &[Node::real(1.25), square])
            }
            Some(Domain::Inside) => {
                let bounded = self.word(&["sin", "cos", "tanh"]);
                call(bounded, &[operand])
            }
            Some(Domain::Moderate) => {
                let bounded = self.word(&["sin", "atan", "tanh"]);
                call(bounded, &[operand])
            }
            Some(Domain::Whole) => Node::real(self.numbers.below(3) as f64),
        }
    }

    /// A real.
    pub fn real_expression(&mut self, size: usize) -> Node {
        match self.numbers.below(45) {
            0..14 => {
                let operation = self.operation();
                let operands = match operation.arity() {
                    Arity::One => vec![self.expression(&Type::Real, size - 1)],
                    Arity::Two => (0..2).map(|_| self.expression(&Type::Real, size / 2)).collect(),
                };
                self.operate(operation, operands)
            }
            14..22 => self.fold(size),
            22..27 if self.may_differentiate() => self.derivative(&Type::Real, size),
            27..29 if self.may_differentiate() => self.probe(size),
            29..35 => self.of_lists(size),
            41..44 => self.of_vectors(size),
            44 => self.within_pairs(size),
            35 => {
                let name = self.word(&["sqr", "cube", "real", "write-real"]);
                let operand = self.expression(&Type::Real, size - 1);
                Node::call(name, Type::Real, [operand])
            }
            36 if self.reading == InputUse::Some => Node::call("read-real", Type::Real, []),
            37 if self.may_differentiate() => self.counted(size),
            38 => {
                let tests = (0..2).map(|_| self.expression(&Type::Real, size / 2)).collect::<Vec<_>>();
                let form = if self.chance(50) { Form::And } else { Form::Or };
                Node::new(form, Type::Real, tests)
            }
            _ => {
                let pair = Type::pair(Type::Real, Type::Real);
                let name = self.word(&["car", "cdr", "reduce"]);
                if name == "reduce" {
                    return self.of_lists(size);
                }
                let pair = self.expression(&pair, size - 1);
                Node::call(name, Type::Real, [pair])
            }
        }
    }

    /// A fold over any number of operands.
    fn fold(&mut self, size: usize) -> Node {
        let name = self.word(&["+", "*", "-", "/", "max", "min", "+", "*", "-"]);
        let least = usize::from(!matches!(name, "+" | "*"));
        let count = if self.chance(60) { 2 } else { least + self.numbers.below(4) };
        let operands: Vec<Node> = (0..count).map(|_| self.expression(&Type::Real, size / count.max(1))).collect();
        Node::call(name, Type::Real, operands)
    }

    /// A real from lists, by procedures that traverse them.
    fn of_lists(&mut self, size: usize) -> Node {
        let reals = Type::reals();
        let binary = Type::procedure([Type::Real, Type::Real], Type::Real);
        let name = self.word(&[
            "sum",
            "product",
            "magnitude",
            "length",
            "dot",
            "distance",
            "reduce",
            "fold-right",
            "minimum",
            "maximum",
            "car",
            "list-ref",
            "first",
            "last",
            "caddr",
            "cadr",
            "second",
            "third",
        ]);
        let half = size / 2;
        let operands = match name {
            "dot" | "distance" => {
                let list = self.expression(&reals, half);
                let same = Node::call(
                    "map",
                    reals,
                    [self.expression(&Type::procedure([Type::Real], Type::Real), half), list.clone()],
                );
                vec![list, same]
            }
            "reduce" | "fold-right" => {
                let third = size / 3;
                vec![self.iterated(&binary, third), self.expression(&Type::Real, third), self.expression(&reals, third)]
            }
            // These need a first element.
            "minimum" | "maximum" | "car" | "first" | "last" => vec![self.longer(1, size)],
            "caddr" | "cadr" | "second" | "third" => vec![self.longer(3, size)],
            "list-ref" => {
                vec![self.longer(3, size), Node::new(Form::Real(self.numbers.below(3) as f64), Type::Count, [])]
            }
            _ => vec![self.expression(&reals, size - 1)],
        };
        Node::call(name, Type::Real, operands)
    }

    /// A real out of nested pairs.
    fn within_pairs(&mut self, size: usize) -> Node {
        let name = self.word(&["caar", "cdar", "cddr"]);
        let other = self.some_type();
        let both = match name {
            "caar" => Type::pair(Type::pair(Type::Real, other.clone()), other),
            "cdar" => Type::pair(Type::pair(other.clone(), Type::Real), other),
            _ => Type::pair(other.clone(), Type::pair(other, Type::Real)),
        };
        let pairs = self.expression(&both, size - 1);
        Node::call(name, Type::Real, [pairs])
    }

    /// A procedure that is called many times.
    pub fn iterated(&mut self, gives: &Type, size: usize) -> Node {
        self.iterations += 1;
        let procedure = self.expression(gives, size);
        self.iterations -= 1;
        procedure
    }

    /// A list of at least `least` reals.
    fn longer(&mut self, least: usize, size: usize) -> Node {
        let mut list: Vec<Node> = (0..least).map(|_| self.expression(&Type::Real, size / (least + 1))).collect();
        if self.chance(50) {
            return Node::new(Form::List, Type::reals(), list);
        }
        list.push(self.expression(&Type::reals(), size / (least + 1)));
        Node::new(Form::ConsStar, Type::reals(), list)
    }

    /// A boolean.
    pub fn boolean_expression(&mut self, size: usize) -> Node {
        let half = size / 2;
        match self.numbers.below(20) {
            0..7 => {
                let name = self.word(&["=", "<", ">", "<=", ">="]);
                let count = if self.chance(80) { 2 } else { 1 + self.numbers.below(4) };
                let operands: Vec<Node> = (0..count).map(|_| self.expression(&Type::Real, size / count)).collect();
                Node::call(name, Type::Boolean, operands)
            }
            7..10 => {
                let name = self.word(&["zero?", "positive?", "negative?", "even?", "odd?"]);
                let operand = self.expression(&Type::Real, size - 1);
                Node::call(name, Type::Boolean, [operand])
            }
            10..12 => {
                let name = self.word(&[
                    "null?",
                    "boolean?",
                    "real?",
                    "pair?",
                    "procedure?",
                    "vector?",
                    "not",
                    "list?",
                    "forward?",
                    "reverse?",
                    "perturbation?",
                    "sensitivity?",
                ]);
                let gives = if self.chance(70) { self.some_type() } else { self.some_marked_type() };
                let operand = self.expression(&gives, size - 1);
                Node::call(name, Type::Boolean, [operand])
            }
            12 | 13 => {
                let gives = match self.numbers.below(20) {
                    0..4 => self.some_marked_type(),
                    4 => Type::list(Type::pair(Type::Real, Type::Real)),
                    _ => self.some_type(),
                };
                let first = match &gives {
                    Type::List(element) if self.may_share(element) && self.chance(60) => {
                        self.shared_list(element, half)
                    }
                    _ => self.expression(&gives, half),
                };
                let second = if self.chance(30) { first.clone() } else { self.expression(&gives, half) };
                Node::call("equal?", Type::Boolean, [first, second])
            }
            14 => {
                let (element, list) = (self.expression(&Type::Real, half), self.expression(&Type::reals(), half));
                Node::call("member?", Type::Boolean, [element, list])
            }
            15 => {
                let name = self.word(&["every", "any"]);
                let test = self.iterated(&Type::procedure([Type::Real], Type::Boolean), half);
                let list = self.expression(&Type::reals(), half);
                Node::call(name, Type::Boolean, [test, list])
            }
            16 if self.reading == InputUse::Some && self.chance(50) => Node::call("end-of-input?", Type::Boolean, []),
            16 => {
                let operand = self.expression(&Type::Boolean, size - 1);
                Node::call("not", Type::Boolean, [operand])
            }
            _ => {
                let form = if self.chance(50) { Form::And } else { Form::Or };
                let tests: Vec<Node> = (0..2).map(|_| self.expression(&Type::Boolean, half)).collect();
                Node::new(form, Type::Boolean, tests)
            }
        }
    }
}
