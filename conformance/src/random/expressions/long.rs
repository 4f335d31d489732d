//! Random expressions that are long, wide or large: the [`ProgramShape`]s that a random tree of bounded size rarely
//! has.
//!
//! Lengths are drawn evenly on a logarithmic scale, so most are near the least. Bindings are used at the end, far from
//! their definitions: long bodies are tests of liveness.

use super::generate::{Binding, Generator};
use crate::random::generator_options::ProgramShape;
use crate::random::trees::coverage::Mode;
use crate::random::trees::tree::{Definition, Form, Item, Node, Order, Parameters, Pattern};
use crate::random::trees::types::Type;
use vlad_shared::table::math::pow;

/// The bindings of a long body.
const BINDINGS: (usize, usize) = (30, 300);

/// The parameters, captured variables and operands of a wide expression.
const WIDTH: (usize, usize) = (10, 60);

/// The procedures of a large group.
const GROUP: (usize, usize) = (10, 18);

/// The size of an expression in one position of many.
const SMALL: usize = 9;

impl Generator {
    /// A number in a range, drawn evenly on a logarithmic scale.
    fn length(&mut self, (least, most): (usize, usize)) -> usize {
        let share = self.numbers.below(1000) as f64 / 1000.0;
        let ratio = most as f64 / least as f64;
        ((least as f64 * pow(ratio, share)) as usize * self.generator_options.size.clamp(10, 100) / 100).max(2)
    }

    /// A procedure with a shape, called or differentiated: where it is used, or by the name that a definition gives it.
    pub fn shaped_items(&mut self, shape: ProgramShape) -> Vec<Item> {
        let result = if self.chance(70) { Type::Real } else { self.point_type() };
        let count = if shape == ProgramShape::Wide { self.length(WIDTH) } else { 1 + self.numbers.below(2) };
        let operands: Vec<Type> =
            (0..count).map(|_| if self.chance(75) { Type::Real } else { self.point_type() }).collect();
        let (patterns, bindings) = self.patterns(&operands);
        let body = self.within(bindings, |inner| inner.shaped(shape, &result));
        let gives = Type::procedure(operands.clone(), result.clone());
        // Operators have long bodies in their operands, too.
        if shape == ProgramShape::LongBody && self.chance(25) {
            let procedure = Node::new(Form::Lambda(Parameters::Each(patterns)), gives, [body]);
            return vec![Item::Expression(self.used(procedure, &operands, &result))];
        }
        let name = self.fresh(&gives);
        let definition = Definition { name: name.clone(), parameters: vec![patterns] };
        self.scope.push(Binding { name: name.clone(), gives: gives.clone() });
        let used = self.used(Node::name(&name, gives), &operands, &result);
        vec![Item::Define(definition, body), Item::Expression(used)]
    }

    /// A use of a procedure: called, differentiated, or suspended.
    fn used(&mut self, procedure: Node, operands: &[Type], result: &Type) -> Node {
        let point_type = Type::tuple(operands);
        match self.numbers.below(10) {
            0..2 if self.may_differentiate() => {
                let (point, tangent) = self.conforming(&point_type, SMALL);
                Node::call("j*", Type::pair(result.clone(), result.clone()), [procedure, point, tangent])
            }
            2..5 if self.may_differentiate() && *result == Type::Real => {
                let (point, cotangent) = (self.expression(&point_type, SMALL), self.leaf(&Type::Real));
                self.reversed(Type::pair(Type::Real, point_type), [procedure, point, cotangent])
            }
            5 if self.may_differentiate() => {
                let point = self.expression(&point_type, SMALL);
                let capsule = self.stopped(procedure, point, &Type::capsule(result.clone()));
                Node::call("resume", result.clone(), [capsule])
            }
            _ => {
                let values: Vec<Node> = operands.iter().map(|operand| self.expression(operand, SMALL / 2)).collect();
                Node::new(Form::Call, result.clone(), std::iter::once(procedure).chain(values).collect::<Vec<_>>())
            }
        }
    }

    /// An expression of a type, a part of which has a shape.
    pub fn shaped(&mut self, shape: ProgramShape, wanted: &Type) -> Node {
        match shape {
            ProgramShape::LongBody => {
                let count = self.length(BINDINGS);
                self.long_body(count, wanted)
            }
            ProgramShape::Wide => self.wide(wanted),
            ProgramShape::LargeGroup => self.large_group(wanted),
            ProgramShape::Procedures => self.vector_of_procedures(wanted),
            ProgramShape::Capsules => self.nested_capsules(wanted),
            ProgramShape::Checkpoints => self.nested_checkpoints(wanted),
            ProgramShape::Library => {
                let real = self.of_library();
                self.after(real, wanted)
            }
            ProgramShape::Templates => {
                let library = self.some_library();
                let real = self.of_template(library);
                self.after(real, wanted)
            }
        }
    }

    /// An expression of a type that uses a real.
    fn after(&mut self, real: Node, wanted: &Type) -> Node {
        if *wanted == Type::Real {
            return real;
        }
        let name = self.fresh(&Type::Real);
        let bound = vec![Binding { name: name.clone(), gives: Type::Real }];
        let body = self.within(bound, |inner| inner.expression(wanted, SMALL));
        Node::new(Form::Let(Order::Together, vec![Pattern::Name(name)]), wanted.clone(), [real, body])
    }

    /// A body with `count` bindings in sequences of `let*`, nested `let`s, and definitions at the head of a body.
    pub fn long_body(&mut self, count: usize, wanted: &Type) -> Node {
        self.stretches(count, wanted, self.scope.len())
    }

    fn stretches(&mut self, left: usize, wanted: &Type, begin: usize) -> Node {
        if left == 0 {
            return self.gathered(wanted, begin);
        }
        let count = (1 + self.numbers.below(80)).min(left);
        let before = self.scope.len();
        let way = self.numbers.below(4);
        let mut values = Vec::new();
        let node = match way {
            0 | 1 => {
                let mut patterns = Vec::new();
                for _ in 0..count {
                    let gives = self.bound_type();
                    values.push(self.bound_value(&gives));
                    let (pattern, bound) = self.pattern(&gives);
                    patterns.push(pattern);
                    self.scope.extend(bound);
                }
                values.push(self.stretches(left - count, wanted, begin));
                Node::new(Form::Let(Order::InTurn, patterns), wanted.clone(), values)
            }
            2 => {
                let gives = self.bound_type();
                let value = self.bound_value(&gives);
                let (pattern, bound) = self.pattern(&gives);
                self.scope.extend(bound);
                let body = self.stretches(left - 1, wanted, begin);
                Node::new(Form::Let(Order::Together, vec![pattern]), wanted.clone(), [value, body])
            }
            _ => {
                let mut definitions = Vec::new();
                for _ in 0..count.min(30) {
                    let (definition, right, binding) = self.definition(SMALL);
                    definitions.push(definition);
                    values.push(right);
                    self.scope.push(binding);
                }
                let rest = left.saturating_sub(definitions.len());
                values.push(self.stretches(rest, wanted, begin));
                Node::new(Form::Block(definitions), wanted.clone(), values)
            }
        };
        self.scope.truncate(before);
        node
    }

    fn bound_type(&mut self) -> Type {
        if self.chance(60) { Type::Real } else { self.some_type() }
    }

    /// The value of a binding of a long body: mostly an operation on earlier bindings.
    fn bound_value(&mut self, gives: &Type) -> Node {
        if *gives == Type::Real && self.chance(40) {
            let name = self.word(&["+", "*", "-", "max", "sin", "cos", "atan", "tanh", "sqr"]);
            let count = if matches!(name, "+" | "*" | "-" | "max") { 2 } else { 1 };
            let operands: Vec<Node> = (0..count).map(|_| self.leaf(&Type::Real)).collect();
            return Node::call(name, Type::Real, operands);
        }
        let size = 1 + self.numbers.below(SMALL);
        self.expression(gives, size)
    }

    /// An expression of a type that uses many of the variables bound since the scope had `begin` bindings.
    fn gathered(&mut self, wanted: &Type, begin: usize) -> Node {
        let kept = match self.numbers.below(3) {
            0 => 10,
            1 => 50,
            _ => 100,
        };
        let bound: Vec<Binding> = self.scope.iter().skip(begin).cloned().collect();
        let mut reals = Vec::new();
        for Binding { name, gives } in bound {
            if !self.chance(kept) {
                continue;
            }
            let variable = Node::name(&name, gives.clone());
            reals.extend(self.real_of(variable, &gives));
        }
        let name = self.word(&["+", "+", "max", "list"]);
        if name == "list" {
            let list = Node::new(Form::List, Type::reals(), reals);
            let sum = Node::call("sum", Type::Real, [list]);
            return self.after(sum, wanted);
        }
        reals.push(self.leaf(&Type::Real));
        let sum = Node::call(name, Type::Real, reals);
        self.after(sum, wanted)
    }

    /// A real computed from a variable of a type; none for the types that would need more than one operation.
    fn real_of(&mut self, variable: Node, gives: &Type) -> Option<Node> {
        match gives {
            Type::Real | Type::Count => Some(variable),
            Type::Boolean => {
                let other = self.leaf(&Type::Real);
                Some(Node::new(Form::If, Type::Real, [variable, Node::real(1.0), other]))
            }
            Type::Procedure(operands, result) if **result == Type::Real => {
                let operands: Vec<Node> = operands.iter().map(|operand| self.leaf(operand)).collect();
                let call = std::iter::once(variable).chain(operands).collect::<Vec<_>>();
                Some(Node::new(Form::Call, Type::Real, call))
            }
            Type::List(element) if **element == Type::Real => Some(Node::call("sum", Type::Real, [variable])),
            Type::Pair(first, _) if **first == Type::Real => Some(Node::call("car", Type::Real, [variable])),
            Type::Vector(_) => Some(Node::call("vector-length", Type::Real, [variable])),
            Type::Capsule(rest) if **rest == Type::Real && self.may_differentiate() => {
                Some(Node::call("resume", Type::Real, [variable]))
            }
            Type::List(_) | Type::Pair(..) | Type::Procedure(..) | Type::Capsule(_) | Type::Marked(..) => None,
        }
    }

    /// Many parameters: of a lambda that is called at once, of a procedure that is called twice, or of a loop; and a
    /// closure that captures them.
    fn wide(&mut self, wanted: &Type) -> Node {
        let types: Vec<Type> = (0..self.length(WIDTH)).map(|_| self.bound_type()).collect();
        let values: Vec<Node> = types.iter().map(|gives| self.expression(gives, SMALL / 2)).collect();
        match self.numbers.below(3) {
            0 => {
                let procedure = self.wide_lambda(&types, wanted);
                let call = std::iter::once(procedure).chain(values).collect::<Vec<_>>();
                Node::new(Form::Call, wanted.clone(), call)
            }
            1 => {
                let procedure = self.wide_lambda(&types, &Type::Real);
                let gives = procedure.gives.clone();
                let name = self.fresh(&gives);
                let bound = vec![Binding { name: name.clone(), gives }];
                let body = self.within(bound, |inner| {
                    let others: Vec<Node> = types.iter().map(|gives| inner.leaf(gives)).collect();
                    let calls = [values, others].map(|operands| Node::call(&name, Type::Real, operands));
                    let sum = Node::call("-", Type::Real, calls);
                    inner.after(sum, wanted)
                });
                Node::new(Form::Let(Order::Together, vec![Pattern::Name(name)]), wanted.clone(), [procedure, body])
            }
            _ => self.wide_loop(types, values, wanted),
        }
    }

    /// A lambda of many parameters, the body of which uses them, some of them in a closure.
    fn wide_lambda(&mut self, types: &[Type], result: &Type) -> Node {
        let (patterns, bindings) = self.patterns(types);
        let begin = self.scope.len();
        let body = self.within(bindings, |inner| {
            if inner.chance(40) {
                return inner.gathered(result, begin);
            }
            // A closure that captures the parameters it uses, and is called or mapped.
            let parameter = Binding { name: inner.fresh(&Type::Real), gives: Type::Real };
            let patterns = vec![Pattern::Name(parameter.name.clone())];
            let captures = inner.within(vec![parameter], |inner| inner.gathered(&Type::Real, begin));
            let gives = Type::procedure([Type::Real], Type::Real);
            let closure = Node::new(Form::Lambda(Parameters::Each(patterns)), gives, [captures]);
            let real = if inner.chance(50) {
                let list = inner.expression(&Type::reals(), SMALL / 2);
                Node::call("sum", Type::Real, [Node::call("map", Type::reals(), [closure, list])])
            } else {
                let operand = inner.expression(&Type::Real, SMALL / 2);
                Node::new(Form::Call, Type::Real, [closure, operand])
            };
            inner.after(real, result)
        });
        let gives = Type::procedure(types, result.clone());
        Node::new(Form::Lambda(Parameters::Each(patterns)), gives, [body])
    }

    /// A loop with many state variables, some of which get new values in each turn.
    fn wide_loop(&mut self, types: Vec<Type>, values: Vec<Node>, wanted: &Type) -> Node {
        let name = self.fresh(&Type::procedure([], Type::Real));
        let counter = self.fresh(&Type::Count);
        let states: Vec<Binding> = types.into_iter().map(|gives| Binding { name: self.fresh(&gives), gives }).collect();
        let begin = self.scope.len();
        self.iterations += 1;
        let body = self.within(states.clone(), |inner| {
            inner.scope.push(Binding { name: counter.clone(), gives: Type::Count });
            let mut operands = vec![Self::one_less(&counter)];
            for state in &states {
                let is_same = inner.chance(70);
                let same = Node::name(&state.name, state.gives.clone());
                operands.push(if is_same { same } else { inner.expression(&state.gives, SMALL / 2) });
            }
            let again = inner.around(Node::call(&name, wanted.clone(), operands), SMALL);
            let end = inner.gathered(wanted, begin);
            inner.countdown(&counter, wanted, end, again)
        });
        self.iterations -= 1;
        let names = std::iter::once(counter).chain(states.into_iter().map(|state| state.name));
        let patterns = names.map(Pattern::Name).collect();
        let children: Vec<Node> = std::iter::once(self.count()).chain(values).chain([body]).collect();
        Node::new(Form::Loop(name, patterns), wanted.clone(), children)
    }

    /// A `letrec` of many procedures that call each other and are passed as values.
    fn large_group(&mut self, wanted: &Type) -> Node {
        let state = if self.chance(60) { Type::Real } else { self.some_type() };
        let gives = Type::procedure([Type::Count, state.clone()], state.clone());
        let names: Vec<String> = (0..self.length(GROUP)).map(|_| self.fresh(&gives)).collect();
        let members: Vec<Binding> =
            names.iter().map(|name| Binding { name: name.clone(), gives: gives.clone() }).collect();
        let (mut definitions, mut children) = (Vec::new(), Vec::new());
        for name in &names {
            let next = self.pick(&names, String::new());
            let size = SMALL + self.numbers.below(2 * SMALL);
            let (parameters, body) = self.recursive_body(&next, std::slice::from_ref(&state), &state, size);
            definitions.push(Definition { name: name.clone(), parameters: vec![parameters] });
            children.push(body);
        }
        let body = self.within(members.clone(), |inner| {
            let list = Type::list(gives.clone());
            let some: Vec<Node> = members.iter().map(|member| Node::name(&member.name, gives.clone())).collect();
            let first = inner.expression(&state, SMALL);
            let count = inner.count();
            let list = Node::new(Form::List, list, some);
            // All members one after another, each on the value of the one before it.
            let [f, x] = [&gives, &state].map(|gives| Binding { name: inner.fresh(gives), gives: gives.clone() });
            let [f_node, x_node] = [&f, &x].map(|bound| Node::name(&bound.name, bound.gives.clone()));
            let called = Node::new(Form::Call, state.clone(), [f_node, count, x_node]);
            let patterns = [f, x].map(|bound| Pattern::Name(bound.name)).to_vec();
            let types = Type::procedure([gives.clone(), state.clone()], state.clone());
            let step = Node::new(Form::Lambda(Parameters::Each(patterns)), types, [called]);
            let all = Node::call("fold-right", state.clone(), [step, first, list]);
            let value = inner.fresh(&state);
            let bound = vec![Binding { name: value.clone(), gives: state.clone() }];
            let body = inner.within(bound, |inner| inner.expression(wanted, 2 * SMALL));
            Node::new(Form::Let(Order::Together, vec![Pattern::Name(value)]), wanted.clone(), [all, body])
        });
        children.push(body);
        Node::new(Form::Letrec(definitions), wanted.clone(), children)
    }

    /// A vector of procedures, which are taken out by index and called, one after another, or replaced.
    fn vector_of_procedures(&mut self, wanted: &Type) -> Node {
        let step = Type::procedure([Type::Real], Type::Real);
        let length = 2 + self.numbers.below(12);
        let elements: Vec<Node> = (0..length).map(|_| self.expression(&step, SMALL)).collect();
        let gives = Type::vector(step.clone());
        let name = self.fresh(&gives);
        let vector = Node::vector(&step, elements);
        let bound = vec![Binding { name: name.clone(), gives: gives.clone() }];
        let body = self.within(bound, |inner| {
            let variable = || Node::name(&name, gives.clone());
            let at = |inner: &mut Generator| Node::new(Form::Real(inner.numbers.below(length) as f64), Type::Count, []);
            let get = |vector: Node, index: Node| Node::call("get", step.clone(), [vector, index]);
            let operand = inner.expression(&Type::Real, SMALL);
            let real = match inner.numbers.below(3) {
                0 => {
                    let procedure = get(variable(), at(inner));
                    Node::new(Form::Call, Type::Real, [procedure, operand])
                }
                1 => {
                    let (index, other) = (at(inner), inner.expression(&step, SMALL));
                    let changed = Node::call("vector-set", gives.clone(), [variable(), index.clone(), other]);
                    Node::new(Form::Call, Type::Real, [get(changed, index), operand])
                }
                _ => {
                    let [x, i] = [Type::Real, Type::Count].map(|gives| Binding { name: inner.fresh(&gives), gives });
                    let [x_node, i_node] = [&x, &i].map(|bound| Node::name(&bound.name, bound.gives.clone()));
                    let called = Node::new(Form::Call, Type::Real, [get(variable(), i_node), x_node]);
                    let types = Type::procedure([Type::Real, Type::Count], Type::Real);
                    let patterns = [x, i].map(|bound| Pattern::Name(bound.name)).to_vec();
                    let each = Node::new(Form::Lambda(Parameters::Each(patterns)), types, [called]);
                    Node::call("ifold", Type::Real, [each, operand, Node::real(length as f64)])
                }
            };
            inner.after(real, wanted)
        });
        Node::new(Form::Let(Order::Together, vec![Pattern::Name(name)]), wanted.clone(), [vector, body])
    }

    /// A capsule whose result is a capsule, two to four deep, resumed to its end.
    fn nested_capsules(&mut self, wanted: &Type) -> Node {
        let depth = 2 + self.numbers.below(3);
        let gives = (0..depth).fold(Type::Real, |inside, _| Type::capsule(inside));
        let name = self.fresh(&gives);
        let value = self.expression(&gives, 6 * SMALL);
        let bound = vec![Binding { name: name.clone(), gives: gives.clone() }];
        let body = self.within(bound, |inner| {
            let mut rest = Node::name(&name, gives.clone());
            while let Type::Capsule(inside) = rest.gives.clone() {
                if inner.chance(30) && inner.may_differentiate() {
                    // The resumed computation is suspended again: a capsule of a computation that resumes a capsule.
                    let resume = Node::name("resume", Type::procedure([rest.gives.clone()], Type::clone(&inside)));
                    let again = rest.gives.clone();
                    rest = inner.stopped(resume, rest, &again);
                }
                rest = Node::call("resume", Type::clone(&inside), [rest]);
            }
            let used = inner.after(rest, &Type::Real);
            inner.after(used, wanted)
        });
        Node::new(Form::Let(Order::Together, vec![Pattern::Name(name)]), wanted.clone(), [value, body])
    }

    /// A `checkpoint-*j` inside one or two operators, with a body that is long enough to be split.
    fn nested_checkpoints(&mut self, wanted: &Type) -> Node {
        if self.iterations == 0 && self.operators == 0 && self.chance(15) {
            let real = if self.chance(50) { self.long_record() } else { self.deep_nesting() };
            return self.after(real, wanted);
        }
        let outer = 1 + self.numbers.below(self.operators_left().clamp(1, 2));
        let point = self.expression(&Type::Real, SMALL);
        let derivative = self.checkpoint_within(outer, point);
        self.after(derivative, wanted)
    }

    /// A `*j` of a loop whose tape is too long for one array of accumulators.
    fn long_record(&mut self) -> Node {
        let [x, y, i] = [Type::Real, Type::Real, Type::Count].map(|gives| Binding { name: self.fresh(&gives), gives });
        let [x_node, y_node] = [&x, &y].map(|bound| Node::name(&bound.name, bound.gives.clone()));
        let operation = self.word(&["sin", "atan", "tanh"]);
        let factor = self.leaf(&Type::Real);
        let sum = Node::call("+", Type::Real, [x_node.clone(), y_node]);
        let value = Node::call(operation, Type::Real, [Node::call("*", Type::Real, [factor, sum])]);
        let procedure = |bound: Vec<Binding>, body: Node| {
            let gives = Type::procedure(bound.iter().map(|bound| bound.gives.clone()).collect::<Vec<_>>(), Type::Real);
            let patterns = bound.into_iter().map(|bound| Pattern::Name(bound.name)).collect();
            Node::new(Form::Lambda(Parameters::Each(patterns)), gives, [body])
        };
        let count = Node::real((11_000 + self.numbers.below(3_000)) as f64);
        let repeated = Node::call("ifold", Type::Real, [procedure(vec![y, i], value), x_node, count]);
        let both = Type::pair(Type::Real, Type::Real);
        let operands = [procedure(vec![x], repeated), self.leaf(&Type::Real), Node::real(1.0)];
        Node::call("cdr", Type::Real, [Node::call("*j", both, operands)])
    }

    /// Operators nested by recursion, up to more than the limit of levels.
    fn deep_nesting(&mut self) -> Node {
        let gives = Type::procedure([Type::Count, Type::Real], Type::Real);
        let types = [gives, Type::Count, Type::Real, Type::Real];
        let [f, n, x, y] = types.map(|gives| Binding { name: self.fresh(&gives), gives });
        let [f_node, x_node, y_node] = [&f, &x, &y].map(|bound| Node::name(&bound.name, bound.gives.clone()));
        let again = Node::new(Form::Call, Type::Real, [f_node.clone(), Self::one_less(&n.name), y_node]);
        let step = Type::procedure([Type::Real], Type::Real);
        let inner = Node::new(Form::Lambda(Parameters::Each(vec![Pattern::Name(y.name)])), step, [again]);
        let name = self.word(&["j*", "*j", "primops"]);
        let operated = if name == "primops" {
            Node::call(name, Type::Real, [inner, x_node.clone()])
        } else {
            let both = Node::call(name, Type::pair(Type::Real, Type::Real), [inner, x_node.clone(), Node::real(1.0)]);
            Node::call("cdr", Type::Real, [both])
        };
        // Sums alone: the cost of products doubles with each enclosing operator.
        let end = Node::call("+", Type::Real, [x_node, self.leaf(&Type::Real)]);
        let body = self.countdown(&n.name, &Type::Real, end, operated);
        let definition =
            Definition { name: f.name, parameters: vec![vec![Pattern::Name(n.name), Pattern::Name(x.name)]] };
        let called = [f_node, Node::real(self.length((20, 700)) as f64), self.leaf(&Type::Real)];
        let called = Node::new(Form::Call, Type::Real, called);
        Node::new(Form::Letrec(vec![definition]), Type::Real, [body, called])
    }

    fn checkpoint_within(&mut self, operators: usize, point: Node) -> Node {
        let name = self.fresh(&Type::Real);
        let bound = vec![Binding { name: name.clone(), gives: Type::Real }];
        self.operators += 1;
        let body = self.within(bound, |inner| {
            if operators == 0 {
                let count = 4 + inner.numbers.below(30);
                return inner.long_body(count, &Type::Real);
            }
            let variable = Node::name(&name, Type::Real);
            let derivative = inner.checkpoint_within(operators - 1, variable);
            let other = inner.expression(&Type::Real, SMALL);
            Node::call("+", Type::Real, [derivative, other])
        });
        self.operators -= 1;
        let gives = Type::procedure([Type::Real], Type::Real);
        let procedure = Node::new(Form::Lambda(Parameters::Each(vec![Pattern::Name(name)])), gives, [body]);
        let both = Type::pair(Type::Real, Type::Real);
        let weight = if self.chance(60) { Node::real(1.0) } else { self.leaf(&Type::Real) };
        let operands = [procedure, point, weight];
        let way = self.numbers.below(4);
        let both = match self.mode() {
            _ if operators == 0 => self.checkpointed(6 + way, both, operands),
            Mode::Forward => Node::call("j*", both, operands),
            Mode::Reverse => self.reversed(both, operands),
        };
        Node::call("cdr", Type::Real, [both])
    }
}
