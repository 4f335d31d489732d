//! Random expressions in forms that exist for every type: bindings, conditions, calls, loops, effects.

use super::generate::{Binding, Generator};
use crate::random::trees::tree::{Definition, Form, Node, Order, Parameters, Pattern};
use crate::random::trees::types::Type;

impl Generator {
    /// An expression of a type, by a form that is available for all types.
    pub fn general(&mut self, wanted: &Type, size: usize) -> Node {
        match self.numbers.below(35) {
            31 | 32 => self.taken_apart(wanted, size),
            33 | 34 if self.may_differentiate() && *wanted != Type::Count => self.reflective(wanted, size),
            0..5 => self.bindings(wanted, size),
            5 | 6 => self.block(wanted, size),
            7..10 => self.condition(wanted, size),
            10 => self.clauses(wanted, size),
            11 | 12 => self.sequence(wanted, size),
            13..17 => self.call_of_variable(wanted, size),
            17 | 18 => self.call_of_expression(wanted, size),
            19 | 20 if self.iterations < 2 => self.counted_loop(wanted, size),
            21 if self.iterations < 2 => self.walk(wanted, size),
            22 if self.iterations < 2 => self.mutual_recursion(wanted, size),
            23 => self.chosen_procedure(wanted, size),
            24 | 25 => self.part_of_pair(wanted, size),
            26 => {
                let name = self.word(&["identity", "write", "identity"]);
                let operand = self.expression(wanted, size - 1);
                Node::call(name, wanted.clone(), [operand])
            }
            27 if self.may_differentiate() && *wanted != Type::Count => self.resumed(wanted, size),
            28..31 if self.may_differentiate() && *wanted != Type::Count => self.derivative(wanted, size),
            _ => self.bindings(wanted, size),
        }
    }

    /// A `let` or `let*`.
    fn bindings(&mut self, wanted: &Type, size: usize) -> Node {
        let order = if self.chance(50) { Order::Together } else { Order::InTurn };
        let count = 1 + self.numbers.below(3);
        let each = size / (count + 2);
        let (mut patterns, mut children, mut bound) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..count {
            let gives = self.some_type();
            let value = match order {
                Order::Together => self.expression(&gives, each),
                Order::InTurn => self.within(bound.clone(), |inner| inner.expression(&gives, each)),
            };
            let (pattern, bindings) = self.pattern(&gives);
            patterns.push(pattern);
            children.push(value);
            bound.extend(bindings);
        }
        children.push(self.within(bound, |inner| inner.expression(wanted, each * 2)));
        Node::new(Form::Let(order, patterns), wanted.clone(), children)
    }

    /// A `let` or a call of a lambda that destructures data of a known shape, by every form of pattern.
    fn taken_apart(&mut self, wanted: &Type, size: usize) -> Node {
        let count = 1 + self.numbers.below(3);
        let types: Vec<Type> = (0..count).map(|_| self.some_type()).collect();
        let mut parts: Vec<Node> = types.iter().map(|gives| self.expression(gives, size / (count + 2))).collect();
        let (mut patterns, mut bound) = self.patterns(&types);
        if self.chance(30) {
            // A constant pattern that matches.
            let constant = self.constant();
            let constant = if constant.is_nan() { 0.5 } else { constant };
            let at = self.numbers.below(count + 1);
            let (node, pattern) = match self.numbers.below(4) {
                0 => (Node::new(Form::Nil, Type::reals(), []), Pattern::Nil),
                1 => {
                    let truth = self.chance(50);
                    (Node::new(Form::Boolean(truth), Type::Boolean, []), Pattern::Boolean(truth))
                }
                _ => (Node::real(constant), Pattern::Real(constant)),
            };
            parts.insert(at, node);
            patterns.insert(at, pattern);
        }
        let (form, pattern) = match self.numbers.below(3) {
            0 => (Form::List, Pattern::List(patterns)),
            1 => (Form::ConsStar, Pattern::ConsStar(patterns)),
            _ => {
                // The rest of a list; it is a list of reals.
                let rest = self.fresh(&Type::reals());
                parts.push(self.expression(&Type::reals(), size / (count + 2)));
                patterns.push(Pattern::Name(rest.clone()));
                bound.push(Binding { name: rest, gives: Type::reals() });
                (Form::ConsStar, Pattern::ConsStar(patterns))
            }
        };
        let whole = Node::new(form, Type::tuple(&types), parts);
        let body = self.within(bound, |inner| inner.expression(wanted, size / 2));
        if self.chance(60) {
            return Node::new(Form::Let(Order::Together, vec![pattern]), wanted.clone(), [whole, body]);
        }
        let gives = Type::procedure([whole.gives.clone()], wanted.clone());
        let lambda = Node::new(Form::Lambda(Parameters::Each(vec![pattern])), gives, [body]);
        Node::new(Form::Call, wanted.clone(), [lambda, whole])
    }

    /// A body with definitions at its head: procedures, recursive or not, and values.
    fn block(&mut self, wanted: &Type, size: usize) -> Node {
        let count = 1 + self.numbers.below(2);
        let each = size / (count + 1);
        let before = self.scope.len();
        let (mut definitions, mut children) = (Vec::new(), Vec::new());
        for _ in 0..count {
            let (definition, right, binding) = self.definition(each);
            definitions.push(definition);
            children.push(right);
            self.scope.push(binding);
        }
        children.push(self.expression(wanted, each));
        self.scope.truncate(before);
        Node::new(Form::Block(definitions), wanted.clone(), children)
    }

    fn condition(&mut self, wanted: &Type, size: usize) -> Node {
        let test = self.expression(&Type::Boolean, size / 4);
        let (first, second) = (self.expression(wanted, size / 3), self.expression(wanted, size / 3));
        Node::new(Form::If, wanted.clone(), [test, first, second])
    }

    fn clauses(&mut self, wanted: &Type, size: usize) -> Node {
        let mut children = Vec::new();
        for _ in 0..1 + self.numbers.below(3) {
            children.push(self.expression(&Type::Boolean, size / 6));
            children.push(self.expression(wanted, size / 5));
        }
        children.push(self.expression(wanted, size / 5));
        Node::new(Form::Cond, wanted.clone(), children)
    }

    /// A `begin`, with or without effects.
    fn sequence(&mut self, wanted: &Type, size: usize) -> Node {
        let gives = self.some_type();
        let first = self.expression(&gives, size / 3);
        let first = match gives {
            Type::Real if self.chance(40) => Node::call("write-real", Type::Real, [first]),
            Type::List(ref element) if matches!(**element, Type::Real | Type::Boolean) && self.chance(40) => {
                Node::call("write-row", gives, [first])
            }
            _ if self.chance(50) => Node::call("write", gives, [first]),
            _ if self.chance(20) => {
                let test = self.expression(&Type::Boolean, size / 6);
                Node::new(Form::If, gives, [test, first])
            }
            Type::List(element) if *element == Type::Real && self.chance(50) => {
                let procedure = self.iterated(&Type::procedure([Type::Real], Type::Real), size / 4);
                Node::call("for-each", Type::reals(), [procedure, first])
            }
            gives => Node { gives, ..first },
        };
        let last = self.expression(wanted, size / 2);
        Node::new(Form::Begin, wanted.clone(), [first, last])
    }

    /// A call of a procedure in scope, if one gives the type.
    pub fn call_of_variable(&mut self, wanted: &Type, size: usize) -> Node {
        let fitting: Vec<Binding> = self
            .scope
            .iter()
            .filter(|binding| matches!(&binding.gives, Type::Procedure(_, result) if result.is_subtype_of(wanted)))
            .cloned()
            .collect();
        let number = self.numbers.below(fitting.len());
        let Some(Binding { name, gives: Type::Procedure(operands, _) }) = fitting.get(number) else {
            return self.call_of_expression(wanted, size);
        };
        let each = size / (operands.len() + 1);
        let operands: Vec<Node> = operands.iter().map(|operand| self.expression(operand, each)).collect();
        Node::call(name, wanted.clone(), operands)
    }

    /// A call of a procedure that is the value of an expression.
    fn call_of_expression(&mut self, wanted: &Type, size: usize) -> Node {
        let operands: Vec<Type> = (0..1 + self.numbers.below(2)).map(|_| self.some_type()).collect();
        let operator = self.expression(&Type::procedure(operands.clone(), wanted.clone()), size / 2);
        let each = size / 2 / operands.len().max(1);
        let mut children = vec![operator];
        for operand in &operands {
            children.push(self.expression(operand, each));
        }
        Node::new(Form::Call, wanted.clone(), children)
    }

    /// An expression `(if-procedure e f g)`.
    fn chosen_procedure(&mut self, wanted: &Type, size: usize) -> Node {
        let test = self.expression(&Type::Boolean, size / 4);
        let thunk = Type::procedure([], wanted.clone());
        let (first, second) = (self.expression(&thunk, size / 3), self.expression(&thunk, size / 3));
        Node::call("if-procedure", wanted.clone(), [test, first, second])
    }

    /// One half of a pair whose other half is not used.
    fn part_of_pair(&mut self, wanted: &Type, size: usize) -> Node {
        let other = self.some_type();
        let (name, pair) = if self.chance(50) {
            ("car", Type::pair(wanted.clone(), other))
        } else {
            ("cdr", Type::pair(other, wanted.clone()))
        };
        let pair = self.expression(&pair, size - 1);
        Node::call(name, wanted.clone(), [pair])
    }

    /// The conditional of a recursion that counts down: its end, or one more turn.
    pub fn countdown(&mut self, counter: &str, gives: &Type, end: Node, again: Node) -> Node {
        let count = || Node::name(counter, Type::Count);
        let ask = |name: &str, operands: &[Node]| Node::call(name, Type::Boolean, operands.to_vec());
        let children = match self.numbers.below(5) {
            0 => [ask("<", &[count(), Node::real(1.0)]), end, again],
            1 => [ask("<=", &[count(), Node::real(0.0)]), end, again],
            2 => [ask("not", &[ask("positive?", &[count()])]), end, again],
            3 => [ask(">=", &[count(), Node::real(1.0)]), again, end],
            _ => [ask("positive?", &[count()]), again, end],
        };
        let form = if self.chance(80) { Form::If } else { Form::Cond };
        Node::new(form, gives.clone(), children)
    }

    /// A counter minus one.
    pub fn one_less(counter: &str) -> Node {
        Node::call("-", Type::Count, [Node::name(counter, Type::Count), Node::real(1.0)])
    }

    /// A recursive call as a tail call, or within an operation on its result.
    pub fn around(&mut self, again: Node, size: usize) -> Node {
        let gives = again.gives.clone();
        if self.chance(40) {
            return again;
        }
        match &gives {
            Type::Real => {
                let name = self.word(&["+", "*", "-", "max", "atan", "min", "/"]);
                let other = self.expression(&Type::Real, size);
                let operands = if self.chance(50) { [again, other] } else { [other, again] };
                Node::call(name, Type::Real, operands)
            }
            Type::List(element) => {
                let first = self.expression(element, size);
                Node::new(Form::Cons, gives, [first, again])
            }
            Type::Boolean => Node::call("not", Type::Boolean, [again]),
            Type::Count | Type::Pair(..) | Type::Procedure(..) | Type::Capsule(_) | Type::Marked(..) => again,
            Type::Vector(element) => {
                let value = self.expression(element, size);
                Node::call("vector-push", gives.clone(), [again, value])
            }
        }
    }

    /// A named `let` that counts down.
    fn counted_loop(&mut self, wanted: &Type, size: usize) -> Node {
        let (count, first) = (self.count(), self.expression(wanted, size / 4));
        let (name, counter, state) =
            (self.fresh(&Type::procedure([], Type::Real)), self.fresh(&Type::Count), self.fresh(wanted));
        let bindings = vec![
            Binding { name: counter.clone(), gives: Type::Count },
            Binding { name: state.clone(), gives: wanted.clone() },
        ];
        self.iterations += 1;
        let body = self.within(bindings, |inner| {
            let next = inner.expression(wanted, size / 3);
            let again = Node::call(&name, wanted.clone(), [Self::one_less(&counter), next]);
            let again = inner.around(again, size / 5);
            let end = inner.expression(wanted, size / 5);
            inner.countdown(&counter, wanted, end, again)
        });
        self.iterations -= 1;
        let patterns = vec![Pattern::Name(counter), Pattern::Name(state)];
        Node::new(Form::Loop(name, patterns), wanted.clone(), [count, first, body])
    }

    /// A named `let` that traverses a list.
    fn walk(&mut self, wanted: &Type, size: usize) -> Node {
        let list = self.expression(&Type::reals(), size / 4);
        let first = self.expression(wanted, size / 4);
        let (name, rest, state) =
            (self.fresh(&Type::procedure([], Type::Real)), self.fresh(&Type::reals()), self.fresh(wanted));
        let element = self.fresh(&Type::Real);
        let the_rest = || Node::name(&rest, Type::reals());
        let bindings = vec![
            Binding { name: element.clone(), gives: Type::Real },
            Binding { name: state.clone(), gives: wanted.clone() },
        ];
        self.iterations += 1;
        let again = self.within(bindings, |inner| {
            let next = inner.expression(wanted, size / 3);
            let tail = Node::call("cdr", Type::reals(), [the_rest()]);
            let again = Node::call(&name, wanted.clone(), [tail, next]);
            inner.around(again, size / 5)
        });
        self.iterations -= 1;
        let head = Node::call("car", Type::Real, [the_rest()]);
        let again = Node::new(Form::Let(Order::Together, vec![Pattern::Name(element)]), wanted.clone(), [head, again]);
        let ask = Node::call("null?", Type::Boolean, [the_rest()]);
        let body = Node::new(Form::If, wanted.clone(), [ask, Node::name(&state, wanted.clone()), again]);
        let patterns = vec![Pattern::Name(rest.clone()), Pattern::Name(state)];
        Node::new(Form::Loop(name, patterns), wanted.clone(), [list, first, body])
    }

    /// A `letrec` of one to three procedures that call each other in a ring, and an expression that uses them.
    fn mutual_recursion(&mut self, wanted: &Type, size: usize) -> Node {
        let count = 1 + self.numbers.below(3);
        let state = self.some_type();
        let gives = Type::procedure([Type::Count, state.clone()], state.clone());
        let names: Vec<String> = (0..count).map(|_| self.fresh(&gives)).collect();
        let (mut definitions, mut children) = (Vec::new(), Vec::new());
        for (name, next) in names.iter().zip(names.iter().cycle().skip(1)) {
            let (parameters, body) =
                self.recursive_body(next, std::slice::from_ref(&state), &state, size / (count + 2));
            definitions.push(Definition { name: name.clone(), parameters: vec![parameters] });
            children.push(body);
        }
        let bindings = names.into_iter().map(|name| Binding { name, gives: gives.clone() }).collect();
        let body = self.within(bindings, |inner| {
            if state.is_subtype_of(wanted) {
                inner.call_of_variable(wanted, size / 3)
            } else {
                inner.expression(wanted, size / 3)
            }
        });
        children.push(body);
        Node::new(Form::Letrec(definitions), wanted.clone(), children)
    }

    /// The parameters and the body of a procedure that counts its first operand down and then calls one of the same
    /// type.
    pub fn recursive_body(&mut self, next: &str, others: &[Type], result: &Type, size: usize) -> (Vec<Pattern>, Node) {
        let counter = self.fresh(&Type::Count);
        let (patterns, bindings) = self.patterns(others);
        let each = size / (others.len() + 2);
        self.iterations += 1;
        let body = self.within(bindings, |inner| {
            inner.scope.push(Binding { name: counter.clone(), gives: Type::Count });
            let mut operands = vec![Self::one_less(&counter)];
            for other in others {
                operands.push(inner.expression(other, each));
            }
            let again = inner.around(Node::call(next, result.clone(), operands), each);
            let end = inner.expression(result, each);
            inner.countdown(&counter, result, end, again)
        });
        self.iterations -= 1;
        (std::iter::once(Pattern::Name(counter)).chain(patterns).collect(), body)
    }

    /// A definition - a value, a procedure, a recursive one, or one that returns a procedure - with its binding.
    pub fn definition(&mut self, size: usize) -> (Definition, Node, Binding) {
        let result = self.some_type();
        let operands: Vec<Type> = (0..1 + self.numbers.below(3)).map(|_| self.some_type()).collect();
        let (gives, parameters, right, name) = match self.numbers.below(8) {
            0 | 1 => {
                let right = self.expression(&result, size);
                let name = self.fresh(&result);
                (result, Vec::new(), right, name)
            }
            2 | 3 if self.iterations < 2 => {
                let gives = Type::procedure([&[Type::Count], operands.as_slice()].concat(), result.clone());
                let name = self.fresh(&gives);
                let (parameters, right) = self.recursive_body(&name, &operands, &result, size);
                (gives, vec![parameters], right, name)
            }
            4 => {
                let (first, outer) = self.patterns(&operands);
                let (second, inner) = self.patterns(&[Type::Real]);
                let bound = [outer, inner].concat();
                let right = self.within(bound, |within| within.expression(&result, size));
                let gives = Type::procedure(operands, Type::procedure([Type::Real], result));
                let name = self.fresh(&gives);
                (gives, vec![first, second], right, name)
            }
            _ => {
                let (parameters, bindings) = self.patterns(&operands);
                let right = self.within(bindings, |within| within.expression(&result, size));
                let gives = Type::procedure(operands, result);
                let name = self.fresh(&gives);
                (gives, vec![parameters], right, name)
            }
        };
        (Definition { name: name.clone(), parameters }, right, Binding { name, gives })
    }
}
