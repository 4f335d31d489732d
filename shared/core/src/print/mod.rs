//! The printer of core, for `vlad show core` and tests.
//!
//! Every variable is printed with its location: `x@0` is a local, `x@s0` a captured slot, `x@m0` a sibling in the same
//! group, `x@g0` a top-level definition; a primitive is printed by its name alone. A lambda shows the captures of its
//! slots in braces, and `((lambda p e) e)` in the enclosing activation is shown as `(let ((p e)) e)`. The prelude is
//! left out.

pub mod layout;
pub mod patterns;

use crate::print::layout::Layout;
use crate::{
    ConstantId, Expression, ExpressionId, GroupId, Item, Lambda, LambdaId, Pattern, PatternId, Program, Reference,
};
use std::rc::Rc;

/// Prints the top-level items of a program, in order.
pub fn print(program: &Program) -> String {
    let mut printer = Printer { program, layout: Layout::default(), activations: vec![], tasks: vec![] };
    for item in &program.items {
        let activation = printer.activation(Rc::default(), Rc::default());
        match *item {
            Item::Define(global, expression) => {
                printer.layout.open("(");
                printer.layout.atom("define");
                printer.layout.atom(format!("{}@g{}", program.global(global).name, global.0));
                printer.tasks.push(Task::Close);
                printer.tasks.push(Task::Visit(expression, activation, 0));
            }
            Item::Expression(expression) => printer.tasks.push(Task::Visit(expression, activation, 0)),
        }
        printer.run();
    }
    printer.layout.finish()
}

/// The names of the variables of one activation.
#[derive(Default)]
struct Activation {
    locals: Vec<Rc<str>>,
    slots: Rc<Vec<Rc<str>>>,
    members: Rc<Vec<Rc<str>>>,
}

/// A pending part of the printing worklist.
enum Task {
    /// An expression in an activation with so many locals bound.
    Visit(ExpressionId, usize, u32),
    /// Makes the variables of a pattern the next locals.
    Bind(PatternId, usize, u32),
    /// A member of a group, with the names of slots and members.
    Member(LambdaId, Rc<Vec<Rc<str>>>, Rc<Vec<Rc<str>>>),
    /// Makes the members of a group the next locals.
    BindMembers(Rc<Vec<Rc<str>>>, usize, u32),
    Close,
}

struct Printer<'program> {
    program: &'program Program,
    layout: Layout,
    activations: Vec<Activation>,
    tasks: Vec<Task>,
}

impl Printer<'_> {
    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Visit(expression, activation, depth) => self.expression(expression, activation, depth),
                Task::Bind(pattern, activation, depth) => {
                    let names = self.pattern_names(pattern);
                    self.bind(activation, depth, names);
                }
                Task::Member(lambda, slots, members) => self.member(lambda, slots, members),
                Task::BindMembers(names, activation, depth) => {
                    self.bind(activation, depth, names.iter().cloned());
                }
                Task::Close => self.layout.close(),
            }
        }
    }

    fn activation(&mut self, slots: Rc<Vec<Rc<str>>>, members: Rc<Vec<Rc<str>>>) -> usize {
        self.activations.push(Activation { locals: vec![], slots, members });
        self.activations.len() - 1
    }

    fn bind(&mut self, activation: usize, depth: u32, names: impl IntoIterator<Item = Rc<str>>) {
        if let Some(activation) = self.activations.get_mut(activation) {
            activation.locals.truncate(depth as usize);
            activation.locals.extend(names);
        }
    }

    fn expression(&mut self, expression: ExpressionId, activation: usize, depth: u32) {
        match self.program.expression(expression) {
            Expression::Constant(constant) => self.constant(constant),
            Expression::Variable(reference) => {
                let (name, place) = self.reference(reference, activation);
                self.layout.atom(format!("{name}{place}"));
            }
            Expression::Lambda(lambda) => self.lambda(lambda, activation),
            Expression::Application { operator, operand } => self.list(None, &[operator, operand], activation, depth),
            Expression::Cons { first, second } => self.list(Some("cons"), &[first, second], activation, depth),
            Expression::If { test, consequent, alternative } => {
                self.list(Some("if"), &[test, consequent, alternative], activation, depth);
            }
            Expression::Let { lambda, operand, .. } => self.expression_let(lambda, operand, activation, depth),
            Expression::Letrec { group, body } => self.letrec(group, body, activation, depth),
        }
    }

    fn list(&mut self, keyword: Option<&str>, parts: &[ExpressionId], activation: usize, depth: u32) {
        self.layout.open("(");
        if let Some(keyword) = keyword {
            self.layout.atom(keyword);
        }
        self.tasks.push(Task::Close);
        self.tasks.extend(parts.iter().rev().map(|part| Task::Visit(*part, activation, depth)));
    }

    fn expression_let(&mut self, lambda: LambdaId, operand: ExpressionId, activation: usize, depth: u32) {
        let Lambda { pattern, body, .. } = *self.program.lambda(lambda);
        let bound = self.pattern_names(pattern).len() as u32;
        self.layout.open("(");
        self.layout.atom("let");
        self.layout.open("(");
        self.layout.open("(");
        self.pattern(pattern, depth);
        self.tasks.extend([
            Task::Close,
            Task::Visit(body, activation, depth + bound),
            Task::Bind(pattern, activation, depth),
            Task::Close,
            Task::Close,
            Task::Visit(operand, activation, depth),
        ]);
    }

    fn lambda(&mut self, lambda: LambdaId, around: usize) {
        let Lambda { pattern, body, captures, .. } = self.program.lambda(lambda);
        let (pattern, body) = (*pattern, *body);
        self.layout.open("(");
        self.layout.atom("lambda");
        let slots = self.captures(captures, around);
        let activation = self.activation(slots, Rc::default());
        self.procedure(pattern, body, activation);
    }

    fn member(&mut self, lambda: LambdaId, slots: Rc<Vec<Rc<str>>>, members: Rc<Vec<Rc<str>>>) {
        let Lambda { pattern, body, .. } = *self.program.lambda(lambda);
        self.layout.open("(");
        self.layout.atom(&*self.lambda_name(lambda));
        self.layout.open("(");
        self.layout.atom("lambda");
        let activation = self.activation(slots, members);
        self.tasks.push(Task::Close);
        self.procedure(pattern, body, activation);
    }

    /// Prints the pattern and the body of a lambda whose parenthesis is open.
    fn procedure(&mut self, pattern: PatternId, body: ExpressionId, activation: usize) {
        let names = self.pattern_names(pattern);
        let depth = names.len() as u32;
        self.bind(activation, 0, names);
        self.pattern(pattern, 0);
        self.tasks.extend([Task::Close, Task::Visit(body, activation, depth)]);
    }

    fn letrec(&mut self, group: GroupId, body: ExpressionId, activation: usize, depth: u32) {
        let group = self.program.group(group);
        self.layout.open("(");
        self.layout.atom("letrec");
        let slots = self.captures(&group.captures, activation);
        let names: Rc<Vec<Rc<str>>> = Rc::new(group.members.iter().map(|member| self.lambda_name(*member)).collect());
        self.layout.open("(");
        let inner_depth = depth + group.members.len() as u32;
        self.tasks.extend([
            Task::Close,
            Task::Visit(body, activation, inner_depth),
            Task::BindMembers(Rc::clone(&names), activation, depth),
            Task::Close,
        ]);
        let members = group.members.iter().rev();
        self.tasks.extend(members.map(|member| Task::Member(*member, Rc::clone(&slots), Rc::clone(&names))));
    }

    fn lambda_name(&self, lambda: LambdaId) -> Rc<str> {
        self.program.lambda(lambda).name.as_deref().unwrap_or("?").into()
    }

    /// Prints the captures of the slots, if there are any, and returns their names.
    fn captures(&mut self, captures: &[Reference], around: usize) -> Rc<Vec<Rc<str>>> {
        let found: Vec<_> = captures.iter().map(|capture| self.reference(*capture, around)).collect();
        if !found.is_empty() {
            let texts: Vec<String> = found.iter().map(|(name, place)| format!("{name}{place}")).collect();
            self.layout.atom(format!("{{{}}}", texts.join(" ")));
        }
        Rc::new(found.into_iter().map(|(name, _)| name).collect())
    }

    /// Returns the name of a variable and the printed form of its location.
    fn reference(&self, reference: Reference, activation: usize) -> (Rc<str>, String) {
        let known = self.activations.get(activation);
        let name = |names: Option<&Vec<Rc<str>>>, place: u32| -> Rc<str> {
            names.and_then(|names| names.get(place as usize)).cloned().unwrap_or_else(|| "?".into())
        };
        match reference {
            Reference::Local(place) => (name(known.map(|known| &known.locals), place), format!("@{place}")),
            Reference::Slot(place) => (name(known.map(|known| &*known.slots), place), format!("@s{place}")),
            Reference::Sibling(place) => (name(known.map(|known| &*known.members), place), format!("@m{place}")),
            Reference::Global(global) => (self.program.global(global).name.as_str().into(), format!("@g{}", global.0)),
            Reference::Primitive(primitive) => (primitive.name().into(), String::new()),
        }
    }

    /// Returns the names of the variables of a pattern, from left to right.
    fn pattern_names(&self, pattern: PatternId) -> Vec<Rc<str>> {
        let program = self.program;
        let variables = program.patterns_within(pattern).filter(|within| program.pattern(*within) == Pattern::Variable);
        variables.map(|variable| program.pattern_name(variable).into()).collect()
    }

    /// Prints a pattern whose first variable is the local of that number.
    fn pattern(&mut self, pattern: PatternId, first_local: u32) {
        let mut next = first_local;
        let mut pending = vec![Some(pattern)];
        while let Some(step) = pending.pop() {
            let Some(pattern) = step else {
                self.layout.close();
                continue;
            };
            match self.program.pattern(pattern) {
                Pattern::Variable => {
                    let name = self.program.pattern_names.get(pattern.0 as usize).map_or("?", String::as_str);
                    self.layout.atom(format!("{name}@{next}"));
                    next += 1;
                }
                Pattern::Constant(constant) => self.constant(constant),
                Pattern::Pair(first, second) => {
                    self.layout.open("(");
                    self.layout.atom("cons");
                    pending.extend([None, Some(second), Some(first)]);
                }
            }
        }
    }

    fn constant(&mut self, constant: ConstantId) {
        self.layout.atom(self.program.constants.expression(constant));
    }
}
