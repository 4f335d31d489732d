//! Expressions of all types.

use super::{LIST, Scalar, TURNS, read};
use crate::random::expressions::generate::Binding;
use crate::random::expressions::reals::primitive_of;
use crate::random::trees::tree::{Form, Node};
use crate::random::trees::types::Type;
use vlad_shared::table::{Arity, Operation};

impl Scalar {
    /// An expression of a type, of about `size` nodes.
    pub fn expression(&mut self, wanted: &Type, size: usize) -> Node {
        if size <= 2 {
            return self.leaf(wanted);
        }
        let Scalar { dials, .. } = *self;
        let choices = [
            (4, Choice::Leaf),
            (dials.loops, Choice::Loop),
            (dials.derivatives, Choice::Derivative),
            (dials.effects, Choice::Effect),
            (dials.errors, Choice::Failure),
            (dials.shapes, Choice::Shapes),
            (dials.grown, Choice::Grown),
            (10, Choice::If),
            (12, Choice::Let),
            (10, Choice::Call),
        ];
        let mut number = self.base.numbers.below(100);
        for (percent, choice) in choices {
            match number.checked_sub(percent) {
                None => return self.chosen(choice, wanted, size - 1),
                Some(rest) => number = rest,
            }
        }
        self.of_its_type(wanted, size - 1)
    }

    fn chosen(&mut self, choice: Choice, wanted: &Type, size: usize) -> Node {
        match choice {
            Choice::Loop if self.loops < 2 && !matches!(wanted, Type::Procedure(..)) => self.iteration(wanted, size),
            Choice::Derivative if self.base.may_differentiate() && !matches!(wanted, Type::Procedure(..)) => {
                self.derivative(wanted, size)
            }
            Choice::Effect => {
                let gives = if self.base.chance(70) { Type::Real } else { self.data_type() };
                let written = self.expression(&gives, size / 4);
                let write = Node::call("write", gives, [written]);
                let rest = self.expression(wanted, size - size / 4);
                Node::new(Form::Begin, wanted.clone(), [write, rest])
            }
            Choice::Failure => {
                let test = self.boolean(size / 3);
                let failing = Node::call("car", wanted.clone(), [self.leaf(&Type::Real)]);
                let rest = self.expression(wanted, size / 2);
                let branches = if self.base.chance(50) { [test, failing, rest] } else { [test, rest, failing] };
                Node::new(Form::If, wanted.clone(), branches)
            }
            Choice::Shapes if matches!(wanted, Type::Procedure(..)) => self.of_its_type(wanted, size),
            Choice::Grown if matches!(wanted, Type::Procedure(..)) => self.of_its_type(wanted, size),
            Choice::Grown => self.grown(wanted, size),
            Choice::Shapes if self.base.chance(40) => self.of_any_length(wanted, size),
            Choice::Shapes => self.of_several_shapes(wanted, size),
            // Procedures of the two branches of a condition on data are of several shapes.
            Choice::If if !matches!(wanted, Type::Procedure(..)) || self.base.chance(self.dials.shapes) => {
                let test = self.boolean(size / 4);
                // A branch is often a variable as it is.
                let [first, second] = [size / 2, size / 3]
                    .map(|size| if self.base.chance(35) { self.leaf(wanted) } else { self.expression(wanted, size) });
                Node::new(Form::If, wanted.clone(), [test, first, second])
            }
            Choice::Let => {
                let gives = if self.base.chance(12) {
                    Type::procedure([self.type_of_reals()], Type::Real)
                } else {
                    self.data_type()
                };
                let value = self.expression(&gives, size / 3);
                self.binding(value, |this| this.expression(wanted, size - size / 3))
            }
            Choice::Call => self.call(wanted, size),
            Choice::Leaf => self.leaf(wanted),
            Choice::Loop | Choice::Derivative | Choice::If => self.of_its_type(wanted, size),
        }
    }

    /// A call of a procedure in scope whose result has that type, or of a lambda.
    fn call(&mut self, wanted: &Type, size: usize) -> Node {
        let fits = |binding: &&Binding| matches!(&binding.gives, Type::Procedure(_, result) if **result == *wanted);
        let fitting: Vec<Binding> = self.base.scope.iter().filter(fits).cloned().collect();
        if fitting.is_empty() || self.base.chance(10) {
            let operand = self.data_type();
            let procedure = self.lambda(std::slice::from_ref(&operand), wanted, size / 2);
            let value = self.expression(&operand, size / 2);
            return Node::new(Form::Call, wanted.clone(), [procedure, value]);
        }
        let place = self.base.numbers.below(fitting.len());
        let Some(Binding { name, gives: Type::Procedure(operands, _) }) = fitting.get(place) else {
            return self.leaf(wanted);
        };
        let size = size / operands.len().max(1);
        let mut children = vec![Node::name(name, Type::procedure(operands.clone(), wanted.clone()))];
        children.extend(operands.iter().map(|operand| self.expression(operand, size)));
        Node::new(Form::Call, wanted.clone(), children)
    }

    /// The smallest expression of a type.
    pub fn leaf(&mut self, wanted: &Type) -> Node {
        if self.base.chance(85)
            && let Some(variable) = self.variable(wanted)
        {
            return variable;
        }
        match wanted {
            Type::Real if self.base.chance(self.dials.effects) => read(),
            Type::Real => Node::real(self.constant()),
            Type::Count => self.count(),
            Type::Boolean => {
                let (first, second) = (self.leaf(&Type::Real), self.leaf(&Type::Real));
                Node::call("<", Type::Boolean, [first, second])
            }
            Type::Pair(first, second) => {
                let (first, second) = (self.leaf(first), self.leaf(second));
                Node::cons(first, second)
            }
            Type::Procedure(operands, result) => self.lambda(operands, result, 3),
            _ => {
                let elements: Vec<Node> = (0..LIST).map(|_| self.leaf(&Type::Real)).collect();
                Node::new(Form::List, Type::reals(), elements)
            }
        }
    }

    /// A small whole number, known or not.
    fn count(&mut self) -> Node {
        let known = Node::new(Form::Real(self.base.numbers.below(TURNS) as f64), Type::Count, []);
        match self.variable(&Type::Real) {
            Some(variable) if self.base.chance(40) => {
                let most = Node::real(TURNS as f64);
                let count = Node::call("abs", Type::Real, [variable]);
                Node::call("min", Type::Count, [most, count])
            }
            _ => known,
        }
    }

    fn constant(&mut self) -> f64 {
        match self.base.numbers.below(100) {
            percent if percent < self.dials.infinities => self.base.constant(),
            0..60 => self.base.numbers.below(4) as f64 - 1.0,
            _ => self.base.numbers.real(),
        }
    }

    /// A variable of a type, or a part of one; the one that was used last if it is to have aliases.
    fn variable(&mut self, wanted: &Type) -> Option<Node> {
        if self.base.chance(self.dials.aliases)
            && let Some(favourite) = self.favourite.clone().filter(|favourite| favourite.gives == *wanted)
            && self.base.scope.iter().any(|binding| binding.name == favourite.name)
        {
            return Some(Node::name(&favourite.name, favourite.gives));
        }
        if *wanted == Type::Real && self.base.chance(15) {
            let data = self.type_of_reals();
            if let Some(part) = self.base.variable(&data).and_then(|data| self.part(data)) {
                return Some(part);
            }
        }
        let variable = self.base.variable(wanted)?;
        if let Form::Name(name) = &variable.form {
            self.favourite = Some(Binding { name: name.clone(), gives: wanted.clone() });
        }
        Some(variable)
    }

    /// A real of data.
    pub fn part(&mut self, data: Node) -> Option<Node> {
        match data.gives.clone() {
            Type::Pair(first, second) => {
                let (name, gives) = if self.base.chance(50) { ("car", first) } else { ("cdr", second) };
                self.part(Node::call(name, *gives, [data]))
            }
            Type::List(_) => {
                let name = self.base.word(&["car", "cadr", "caddr", "last", "sum"]);
                Some(Node::call(name, Type::Real, [data]))
            }
            Type::Real => Some(data),
            _ => None,
        }
    }

    /// An expression of a form that only its type has.
    fn of_its_type(&mut self, wanted: &Type, size: usize) -> Node {
        match wanted {
            Type::Real => self.real(size),
            Type::Boolean => self.boolean(size),
            Type::Pair(first, second) => {
                let first = self.expression(first, size / 2);
                Node::cons(first, self.expression(second, size / 2))
            }
            Type::Procedure(operands, result) => self.lambda(operands, result, size),
            Type::List(_) => match self.base.numbers.below(6) {
                0 | 1 => {
                    let step = self.expression(&Type::procedure([Type::Real], Type::Real), size / 2);
                    Node::call("map", Type::reals(), [step, self.expression(&Type::reals(), size / 2)])
                }
                2 => {
                    let name = self.base.word(&["v+", "v-"]);
                    let list = self.expression(&Type::reals(), size / 2);
                    Node::call(name, Type::reals(), [list, self.expression(&Type::reals(), size / 2)])
                }
                3 => Node::call("reverse", Type::reals(), [self.expression(&Type::reals(), size)]),
                _ => {
                    let elements: Vec<Node> = (0..LIST).map(|_| self.expression(&Type::Real, size / LIST)).collect();
                    Node::new(Form::List, Type::reals(), elements)
                }
            },
            _ => self.leaf(wanted),
        }
    }

    fn real(&mut self, size: usize) -> Node {
        if self.base.chance(self.dials.edges) {
            return self.edge(size);
        }
        match self.base.numbers.below(20) {
            0..8 => {
                let name = self.base.word(&["+", "*", "-", "/", "+", "*", "-"]);
                let first = self.expression(&Type::Real, size / 2);
                Node::call(name, Type::Real, [first, self.expression(&Type::Real, size / 2)])
            }
            8..16 => {
                let operation = match self.base.operation() {
                    // Elements of vectors are not specialised.
                    Operation::Copy => Operation::Multiply,
                    operation => operation,
                };
                let operands = match operation.arity() {
                    Arity::One => vec![self.expression(&Type::Real, size)],
                    Arity::Two => (0..2).map(|_| self.expression(&Type::Real, size / 2)).collect(),
                };
                if self.base.chance(50) {
                    Node::call(primitive_of(operation), Type::Real, operands)
                } else {
                    self.base.operate(operation, operands)
                }
            }
            16 | 17 => {
                let list = self.expression(&Type::reals(), size / 2);
                match self.base.word(&["dot", "reduce", "sum", "maximum"]) {
                    "dot" => Node::call("dot", Type::Real, [list, self.expression(&Type::reals(), size / 2)]),
                    "reduce" => {
                        let step = self.lambda(&[Type::Real, Type::Real], &Type::Real, size / 2);
                        Node::call("fold-right", Type::Real, [step, self.leaf(&Type::Real), list])
                    }
                    name => Node::call(name, Type::Real, [list]),
                }
            }
            _ => {
                let data = self.type_of_reals();
                let data = self.expression(&data, size);
                self.part(data).unwrap_or_else(|| Node::real(1.0))
            }
        }
    }

    /// An operation at the edge of its domain.
    fn edge(&mut self, size: usize) -> Node {
        let call = |name: &str, operands: &[Node]| Node::call(name, Type::Real, operands.to_vec());
        let x = self.expression(&Type::Real, size / 3);
        let y = self.expression(&Type::Real, size / 3);
        let zero = match self.base.numbers.below(5) {
            0 => call("-", &[x.clone(), x.clone()]),
            1 => call("*", &[Node::real(0.0), x.clone()]),
            2 => call("*", &[x.clone(), Node::real(-0.0)]),
            3 => call("max", &[Node::real(0.0), call("-", &[call("abs", std::slice::from_ref(&x))])]),
            _ => x.clone(),
        };
        match self.base.numbers.below(12) {
            0 => call("sqrt", &[zero]),
            1 => call("log", &[zero]),
            2 => {
                let other = call("-", &[y.clone(), y]);
                call("atan", &[zero, other])
            }
            3 => call("/", &[y, zero]),
            4 => call("max", &[x.clone(), x]),
            5 => call("min", &[x, zero]),
            6 => call("abs", &[zero]),
            7 => call("expt", &[zero, y]),
            8 => call("*", &[zero, call("/", &[Node::real(1.0), call("-", &[y.clone(), y])])]),
            9 => call("*", &[call("log", std::slice::from_ref(&zero)), zero]),
            10 => call("acos", &[call("cos", &[zero])]),
            _ => call("*", &[call("sqrt", std::slice::from_ref(&zero)), call("sqrt", &[zero])]),
        }
    }

    /// A condition.
    pub fn boolean(&mut self, size: usize) -> Node {
        match self.base.numbers.below(10) {
            0..6 => {
                let name = self.base.word(&["<", "<", ">", "<=", ">=", "="]);
                let first = self.expression(&Type::Real, size / 2);
                Node::call(name, Type::Boolean, [first, self.expression(&Type::Real, size / 2)])
            }
            6 | 7 => {
                let name = self.base.word(&["zero?", "positive?", "negative?"]);
                Node::call(name, Type::Boolean, [self.expression(&Type::Real, size)])
            }
            _ => match self.variable(&Type::Boolean) {
                Some(variable) => variable,
                None => {
                    let form = if self.base.chance(50) { Form::And } else { Form::Or };
                    let first = if size > 2 { self.boolean(size / 2) } else { self.leaf(&Type::Boolean) };
                    let second = if size > 2 { self.boolean(size / 2) } else { self.leaf(&Type::Boolean) };
                    Node::new(form, Type::Boolean, [first, second])
                }
            },
        }
    }
}

/// A form that expressions of many types have.
#[derive(Clone, Copy)]
enum Choice {
    Leaf,
    Loop,
    Derivative,
    Effect,
    Failure,
    Shapes,
    Grown,
    If,
    Let,
    Call,
}
