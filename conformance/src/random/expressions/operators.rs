//! Expressions that differentiate: forward and reverse mode of procedures over any data, and probes of single
//! operations.
//!
//! Tangents and cotangents conform to their primals by construction: they are written with the primal, or made from it
//! or from the result.

use super::generate::{Binding, Generator};
use crate::random::trees::coverage::Mode;
use crate::random::trees::tree::{Form, Node, Order, Parameters, Pattern};
use crate::random::trees::types::Type;
use vlad_shared::table::{Arity, Operation};

impl Generator {
    /// A random mode.
    pub fn mode(&mut self) -> Mode {
        if self.chance(50) { Mode::Forward } else { Mode::Reverse }
    }

    /// An expression of a type that differentiates something.
    pub fn derivative(&mut self, wanted: &Type, size: usize) -> Node {
        match self.mode() {
            Mode::Forward => self.forward(wanted, size),
            Mode::Reverse => self.reverse(wanted, size),
        }
    }

    /// A procedure for an operator to differentiate.
    pub fn differentiated(&mut self, operands: &[Type], result: &Type, size: usize) -> Node {
        self.operators += 1;
        let gives = Type::procedure(operands, result.clone());
        let procedure =
            if self.chance(70) { self.lambda(operands, result, size) } else { self.expression(&gives, size) };
        self.operators -= 1;
        procedure
    }

    /// An expression `(j* f x x')`, and one half of its value.
    fn forward(&mut self, wanted: &Type, size: usize) -> Node {
        let count = if self.chance(80) { 1 } else { 2 };
        let operands: Vec<Type> = (0..count).map(|_| self.point_type()).collect();
        let procedure = self.differentiated(&operands, wanted, size / 2);
        let point_type = Type::tuple(&operands);
        let both = Type::pair(wanted.clone(), wanted.clone());
        let name = if self.chance(80) { "cdr" } else { "car" };
        let operate =
            |operands: [Node; 3]| Node::call(name, wanted.clone(), [Node::call("j*", both.clone(), operands)]);
        if self.chance(60) {
            let (point, tangent) = self.conforming(&point_type, size / 3);
            return operate([procedure, point, tangent]);
        }
        let point = self.expression(&point_type, size / 3);
        let bound = self.fresh(&point_type);
        let tangent = self.conforming_to(&Node::name(&bound, point_type.clone()));
        let body = operate([procedure, Node::name(&bound, point_type), tangent]);
        Node::new(Form::Let(Order::Together, vec![Pattern::Name(bound)]), wanted.clone(), [point, body])
    }

    /// An expression `(*j f x y')`, and the cotangent or the value.
    fn reverse(&mut self, wanted: &Type, size: usize) -> Node {
        let cotangent = *wanted != Type::Boolean && self.chance(80);
        let (name, operands, result) = if cotangent {
            let result = if self.chance(70) { Type::Real } else { self.point_type() };
            ("cdr", vec![wanted.clone()], result)
        } else {
            ("car", vec![self.point_type()], wanted.clone())
        };
        let procedure = self.differentiated(&operands, &result, size / 2);
        let point_type = Type::tuple(&operands);
        let point = self.expression(&point_type, size / 3);
        let both = Type::pair(result.clone(), point_type.clone());
        if result == Type::Real {
            let cotangent = self.expression(&Type::Real, size / 5);
            let both = self.reversed(both, [procedure, point, cotangent]);
            return Node::call(name, wanted.clone(), [both]);
        }
        // The cotangent is made from the result of calling the procedure outside the operator.
        let types = [procedure.gives.clone(), point_type, result.clone()];
        let [f, x, y] = types.clone().map(|gives| self.fresh(&gives));
        let [f_node, x_node, y_node] = [(&f, 0), (&x, 1), (&y, 2)]
            .map(|(name, at)| Node::name(name, types.get(at).cloned().unwrap_or(Type::Real)));
        let called = Node::new(Form::Call, result, [f_node.clone(), x_node.clone()]);
        let cotangent = self.conforming_to(&y_node);
        let both = self.reversed(both, [f_node, x_node, cotangent]);
        let body = Node::call(name, wanted.clone(), [both]);
        let patterns = [f, x, y].map(Pattern::Name).to_vec();
        Node::new(Form::Let(Order::InTurn, patterns), wanted.clone(), [procedure, point, called, body])
    }

    /// Reverse mode of f, x and y': `*j`, or `checkpoint-*j` with or without checkpoint options.
    pub fn reversed(&mut self, both: Type, operands: [Node; 3]) -> Node {
        let way = self.numbers.below(10);
        if way < 6 { Node::call("*j", both, operands) } else { self.checkpointed(way, both, operands) }
    }

    /// Reverse mode by `checkpoint-*j`, in one of the forms 6 to 9.
    pub fn checkpointed(&mut self, way: usize, both: Type, operands: [Node; 3]) -> Node {
        let mut operands = operands.to_vec();
        let name = match way {
            6 => "checkpoint-*j",
            7 if self.chance(20) => {
                // Under names of their own, the checkpoint strategies are values like others.
                let (depth, base_case) = (self.numbers.below(7), 1 + self.numbers.below(40));
                operands.extend([self.given(50, depth), self.given(70, base_case)]);
                "checkpoint-*j-bisection"
            }
            7 | 8 => {
                let (depth, base_case) = (self.numbers.below(7), 1 + self.numbers.below(40));
                operands.extend([self.given(50, depth), self.given(70, base_case)]);
                "checkpoint-*j"
            }
            _ => {
                // At most two of the numbers, because these can always be met; one snapshot alone would make the time
                // quadratic.
                let (snapshots, passes) = (3 + self.numbers.below(5), 1 + self.numbers.below(6));
                let base_case = 2 + self.numbers.below(40);
                let name = if self.chance(30) { "checkpoint-*j-binomial" } else { "checkpoint-*j" };
                operands.extend(match self.numbers.below(3) {
                    0 => [self.given(100, snapshots), self.given(100, passes), self.given(0, base_case)],
                    1 => [self.given(70, snapshots), self.given(0, passes), self.given(90, base_case)],
                    _ => [self.given(0, snapshots), self.given(70, passes), self.given(90, base_case)],
                });
                name
            }
        };
        Node::call(name, both, operands)
    }

    /// A number with a probability in hundredths, else `#f`.
    fn given(&mut self, percent: usize, number: usize) -> Node {
        if self.chance(percent) {
            Node::real(number as f64)
        } else {
            Node::new(Form::Boolean(false), Type::Boolean, [])
        }
    }

    /// An expression that conforms to the value of a variable.
    pub fn conforming_to(&mut self, variable: &Node) -> Node {
        let gives = || variable.gives.clone();
        let itself = || variable.clone();
        match self.numbers.below(5) {
            0 => itself(),
            1 => Node::call("zero", gives(), [itself()]),
            2 => Node::call("plus", gives(), [itself(), itself()]),
            3 => {
                let both = Type::pair(gives(), gives());
                let identity = Node::name("identity", Type::procedure([gives()], gives()));
                Node::call("car", gives(), [Node::call("j*", both, [identity, itself(), itself()])])
            }
            _ => {
                let both = Type::pair(gives(), gives());
                let identity = Node::name("identity", Type::procedure([gives()], gives()));
                Node::call("cdr", gives(), [Node::call("*j", both, [identity, itself(), itself()])])
            }
        }
    }

    /// Two expressions of a type that conform to each other.
    pub fn conforming(&mut self, gives: &Type, size: usize) -> (Node, Node) {
        match gives {
            Type::Real | Type::Count => (
                self.expression(&Type::Real, size),
                if self.chance(40) { Node::real(1.0) } else { self.expression(&Type::Real, size / 3) },
            ),
            Type::Boolean => {
                let truth = self.chance(50);
                let constant = Node::new(Form::Boolean(truth), Type::Boolean, []);
                (constant.clone(), constant)
            }
            Type::List(element) => {
                let count = self.numbers.below(4);
                let (points, tangents): (Vec<Node>, Vec<Node>) =
                    (0..count).map(|_| self.conforming(element, size / count.max(1))).unzip();
                (Node::new(Form::List, gives.clone(), points), Node::new(Form::List, gives.clone(), tangents))
            }
            Type::Vector(element) => {
                let count = self.numbers.below(4);
                let (points, tangents): (Vec<Node>, Vec<Node>) =
                    (0..count).map(|_| self.conforming(element, size / count.max(1))).unzip();
                (Node::vector(element, points), Node::vector(element, tangents))
            }
            Type::Pair(first, second) => {
                let (first, first_tangent) = self.conforming(first, size / 2);
                let (second, second_tangent) = self.conforming(second, size / 2);
                (Node::cons(first, second), Node::cons(first_tangent, second_tangent))
            }
            Type::Procedure(operands, result) => self.conforming_procedures(operands, result, size),
            Type::Capsule(_) | Type::Marked(..) => {
                let capsule = self.expression(gives, size);
                let other = if self.chance(50) { "zero" } else { "identity" };
                (capsule.clone(), Node::call(other, gives.clone(), [capsule]))
            }
        }
    }

    /// Two procedures with the same code and different captured values.
    fn conforming_procedures(&mut self, operands: &[Type], result: &Type, size: usize) -> (Node, Node) {
        let gives = Type::procedure(operands, result.clone());
        if self.chance(20)
            && let Some(name) = self.known_procedure(operands, result)
        {
            return (Node::name(name, gives.clone()), Node::name(name, gives));
        }
        let captured = Type::Real;
        let name = self.fresh(&captured);
        let binding = Binding { name: name.clone(), gives: captured.clone() };
        let inner = self.within(vec![binding], |inner| inner.lambda(operands, result, size / 2));
        let parameters = Parameters::Each(vec![Pattern::Name(name)]);
        let maker = Node::new(Form::Lambda(parameters), Type::procedure([captured.clone()], gives.clone()), [inner]);
        let mut made = || {
            let value = self.expression(&captured, size / 4);
            Node::new(Form::Call, gives.clone(), [maker.clone(), value])
        };
        (made(), made())
    }

    /// An operation of the table inside operators, on operands that vary with all of them.
    pub fn probe(&mut self, size: usize) -> Node {
        let operation = self.operation();
        let depth = self.numbers.below(self.operators_left() + 1);
        let point = self.expression(&Type::Real, size / 4);
        self.probe_within(operation, depth, point, size / 2)
    }

    /// The operation at a point, inside `depth` operators.
    pub fn probe_within(&mut self, operation: Operation, depth: usize, point: Node, size: usize) -> Node {
        if depth == 0 {
            let mut operands = vec![point.clone()];
            if operation.arity() == Arity::Two {
                let other = self.expression(&Type::Real, size / 2);
                let other = if self.chance(50) { Node::call("+", Type::Real, [point, other]) } else { other };
                operands.push(other);
                if self.chance(50) {
                    operands.reverse();
                }
            }
            return self.operate(operation, operands);
        }
        let name = self.fresh(&Type::Real);
        let variable = Node::name(&name, Type::Real);
        self.operators += 1;
        let binding = Binding { name: name.clone(), gives: Type::Real };
        let body = self.within(vec![binding], |inner| {
            let point = match inner.numbers.below(4) {
                0 => variable,
                1 => Node::call("sin", Type::Real, [variable]),
                2 => Node::call("*", Type::Real, [variable, inner.leaf(&Type::Real)]),
                _ => Node::call("+", Type::Real, [inner.leaf(&Type::Real), variable]),
            };
            let probed = inner.probe_within(operation, depth - 1, point, size / 2);
            if inner.chance(60) { probed } else { Node::call("+", Type::Real, [inner.leaf(&Type::Real), probed]) }
        });
        self.operators -= 1;
        let procedure = Node::new(
            Form::Lambda(Parameters::Each(vec![Pattern::Name(name)])),
            Type::procedure([Type::Real], Type::Real),
            [body],
        );
        let part = if self.chance(90) { "cdr" } else { "car" };
        let mode = self.mode();
        let weight = if self.chance(60) { Node::real(1.0) } else { self.leaf(&Type::Real) };
        let both = Type::pair(Type::Real, Type::Real);
        let operands = [procedure, point, weight];
        if self.chance(25) {
            return Self::reflective_part(part, mode, operands);
        }
        let both = match mode {
            Mode::Forward => Node::call(mode.operator(), both, operands),
            Mode::Reverse => self.reversed(both, operands),
        };
        Node::call(part, Type::Real, [both])
    }
}
