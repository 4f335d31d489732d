//! Loops and recursion, down from a small count that is known or depends on data.
//!
//! They end: each turn tests that the count is positive, which NaN is not, and it is at most [`super::TURNS`].

use super::Scalar;
use crate::random::expressions::generate::Binding;
use crate::random::trees::tree::{Definition, Form, Node, Pattern};
use crate::random::trees::types::Type;

/// The next state of a loop.
#[derive(Clone, Copy)]
enum Style {
    /// Any expressions.
    Any,
    /// The state permuted, with one new element at most.
    Permuted,
    /// The smallest value so far, and what belongs to it, beside other state.
    Best,
}

impl Scalar {
    /// A loop or a recursion with a result of a type.
    pub fn iteration(&mut self, wanted: &Type, size: usize) -> Node {
        self.loops += 1;
        let made = match self.base.numbers.below(8) {
            0..5 => self.tail_loop(wanted, size),
            5 | 6 => self.recursion(wanted, size),
            _ => self.mutual_recursion(wanted, size),
        };
        self.loops -= 1;
        made
    }

    /// The state of a loop: its first values, and the names that hold it.
    fn state(&mut self, size: usize) -> (Vec<Node>, Vec<Binding>) {
        let count = 1 + self.base.numbers.below(3);
        let types: Vec<Type> =
            (0..count).map(|_| if self.base.chance(70) { Type::Real } else { self.data_type() }).collect();
        let first = types.iter().map(|gives| {
            // State often begins as a captured variable.
            if self.base.chance(55) { self.leaf(gives) } else { self.expression(gives, size / count) }
        });
        let first = first.collect();
        let bindings = types.into_iter().map(|gives| Binding { name: self.base.fresh(&gives), gives }).collect();
        (first, bindings)
    }

    /// `(let loop ((i n) (x x0) ...) (if (> i 0) (loop (- i 1) x' ...) e))`.
    fn tail_loop(&mut self, wanted: &Type, size: usize) -> Node {
        let style = match self.base.numbers.below(4) {
            0 => Style::Permuted,
            1 => Style::Best,
            _ => Style::Any,
        };
        let (first, state) = self.state(size / 4);
        let counter = Binding { name: self.base.fresh(&Type::Count), gives: Type::Count };
        let from = self.leaf_of_count();
        let scope: Vec<Binding> = std::iter::once(counter.clone()).chain(state.clone()).collect();
        let name = self.base.fresh(&Type::procedure([], wanted.clone()));
        let body = self.within(scope.clone(), |this| {
            let again = this.again(&name, wanted, &counter, &state, style, size / 2);
            let last = this.last(wanted, size / 4);
            let goes_on = this.goes_on(&counter, size / 6);
            Node::new(Form::If, wanted.clone(), [goes_on, again, last])
        });
        let patterns = scope.into_iter().map(|binding| Pattern::Name(binding.name)).collect();
        let children: Vec<Node> = std::iter::once(from).chain(first).chain([body]).collect();
        Node::new(Form::Loop(name, patterns), wanted.clone(), children)
    }

    fn leaf_of_count(&mut self) -> Node {
        self.leaf(&Type::Count)
    }

    /// The result after the last turn.
    fn last(&mut self, wanted: &Type, size: usize) -> Node {
        if self.base.chance(50) { self.leaf(wanted) } else { self.expression(wanted, size) }
    }

    /// The test that a loop goes on.
    fn goes_on(&mut self, counter: &Binding, size: usize) -> Node {
        let positive = Node::call(">", Type::Boolean, [variable(counter), Node::real(0.0)]);
        if self.base.chance(30) {
            let other = self.boolean(size);
            return Node::new(Form::And, Type::Boolean, [positive, other]);
        }
        positive
    }

    /// The next turn, sometimes under a condition.
    fn again(
        &mut self,
        name: &str,
        wanted: &Type,
        counter: &Binding,
        state: &[Binding],
        style: Style,
        size: usize,
    ) -> Node {
        let procedure = Node::name(name, Type::procedure([], wanted.clone()));
        let call = |next: Vec<Node>| {
            let operands: Vec<Node> = [procedure.clone(), less(counter)].into_iter().chain(next).collect();
            Node::new(Form::Call, wanted.clone(), operands)
        };
        match style {
            Style::Best => {
                let value = self.expression(&Type::Real, size / 2);
                self.binding(value, |this| {
                    let test = match state.iter().find(|binding| binding.gives == Type::Real) {
                        Some(best) => Node::call("<", Type::Boolean, [this.leaf(&Type::Real), variable(best)]),
                        None => this.boolean(size / 4),
                    };
                    let better = this.next(state, Style::Any, size / 2);
                    let same = state.iter().map(|binding| {
                        if this.base.chance(75) { variable(binding) } else { this.expression(&binding.gives, size / 4) }
                    });
                    let same = call(same.collect());
                    Node::new(Form::If, wanted.clone(), [test, call(better), same])
                })
            }
            Style::Any | Style::Permuted => {
                if self.base.chance(20) {
                    let test = self.boolean(size / 4);
                    let first = call(self.next(state, style, size / 2));
                    let second = call(self.next(state, Style::Permuted, size / 4));
                    return Node::new(Form::If, wanted.clone(), [test, first, second]);
                }
                let next = call(self.next(state, style, size));
                if self.base.chance(self.dials.effects * 3) {
                    let written = Node::call("write", Type::Real, [self.leaf(&Type::Real)]);
                    return Node::new(Form::Begin, wanted.clone(), [written, next]);
                }
                if self.base.chance(self.dials.errors * 3) {
                    let failing = Node::call("car", wanted.clone(), [self.leaf(&Type::Real)]);
                    let test = self.boolean(size / 4);
                    return Node::new(Form::If, wanted.clone(), [test, next, failing]);
                }
                next
            }
        }
    }

    /// The next state.
    fn next(&mut self, state: &[Binding], style: Style, size: usize) -> Vec<Node> {
        let turn = self.base.numbers.below(state.len());
        let changed = self.base.numbers.below(state.len() + 1);
        let one = |(place, own): (usize, &Binding)| {
            let fitting: Vec<&Binding> = state.iter().filter(|other| other.gives == own.gives).collect();
            match style {
                Style::Permuted if place != changed => {
                    let from = fitting.iter().position(|other| other.name == own.name).unwrap_or(0) + turn;
                    variable(fitting.get(from % fitting.len()).unwrap_or(&own))
                }
                _ => {
                    let next = self.expression(&own.gives, size / state.len());
                    self.depending(next, state)
                }
            }
        };
        state.iter().enumerate().map(one).collect()
    }

    /// `(let f ((i n) (x x0) ...) (if (> i 0) (let ((r (f (- i 1) x' ...))) e) e'))`.
    fn recursion(&mut self, wanted: &Type, size: usize) -> Node {
        let (first, state) = self.state(size / 4);
        let from = self.leaf_of_count();
        let counter = Binding { name: self.base.fresh(&Type::Count), gives: Type::Count };
        let operands: Vec<Type> = std::iter::once(&counter).chain(&state).map(|each| each.gives.clone()).collect();
        let gives = Type::procedure(operands, wanted.clone());
        let name = self.base.fresh(&gives);
        let scope: Vec<Binding> = std::iter::once(counter).chain(state).collect();
        let body = self.within(scope.clone(), |this| this.recursive_body(&name, &gives, size / 2));
        let patterns = scope.into_iter().map(|binding| Pattern::Name(binding.name)).collect();
        let children: Vec<Node> = std::iter::once(from).chain(first).chain([body]).collect();
        Node::new(Form::Loop(name, patterns), wanted.clone(), children)
    }

    /// The body of a recursive procedure whose first operand is a count, the innermost one in scope.
    pub fn recursive_body(&mut self, name: &str, gives: &Type, size: usize) -> Node {
        let Type::Procedure(operands, wanted) = gives else { return self.leaf(gives) };
        let counter = self.base.scope.iter().rev().find(|binding| binding.gives == Type::Count).cloned();
        let Some(counter) = counter else { return self.leaf(wanted) };
        let mut children = vec![Node::name(name, gives.clone()), less(&counter)];
        for operand in operands.iter().skip(1) {
            children.push(match operand {
                // A procedure that is given on as it is keeps the instances of its callee few.
                Type::Procedure(..) => self.leaf(operand),
                _ => self.expression(operand, size / (2 * operands.len())),
            });
        }
        let call = Node::new(Form::Call, Type::clone(wanted), children);
        let again =
            if self.base.chance(35) { call } else { self.binding(call, |this| this.expression(wanted, size / 2)) };
        let (goes_on, last) = (self.goes_on(&counter, size / 6), self.last(wanted, size / 4));
        Node::new(Form::If, Type::clone(wanted), [goes_on, again, last])
    }

    /// Two procedures that call each other.
    fn mutual_recursion(&mut self, wanted: &Type, size: usize) -> Node {
        let state = self.type_of_reals();
        let gives = Type::procedure([Type::Count, state.clone()], wanted.clone());
        let [first_name, second_name] = [self.base.fresh(&gives), self.base.fresh(&gives)];
        let (mut definitions, mut children) = (Vec::new(), Vec::new());
        for (own, other) in [(&first_name, &second_name), (&second_name, &first_name)] {
            let (patterns, bindings) = self.base.patterns(&[Type::Count, state.clone()]);
            children.push(self.within(bindings, |this| this.recursive_body(other, &gives, size / 3)));
            definitions.push(Definition { name: own.clone(), parameters: vec![patterns] });
        }
        let from = self.leaf_of_count();
        let first = self.expression(&state, size / 4);
        let call = [Node::name(&first_name, gives), from, first];
        children.push(Node::new(Form::Call, wanted.clone(), call));
        Node::new(Form::Letrec(definitions), wanted.clone(), children)
    }
}

fn variable(binding: &Binding) -> Node {
    Node::name(&binding.name, binding.gives.clone())
}

/// A count less one.
fn less(counter: &Binding) -> Node {
    Node::call("-", Type::Count, [variable(counter), Node::real(1.0)])
}
