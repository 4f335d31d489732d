//! Lowering: the typed tree to named core (report, part 20).
//!
//! Functions whose nested parameters are known where they are called take them as a tuple: `f a b` becomes `(f a b)`. As a
//! value such a function is curried again. Numbers of both kinds are reals, so [`Expression::Widen`] is nothing.
//!
//! Names of locals are no texts, so nothing is captured. The first instance of a program's definition has the name of the
//! definition, by which a text in another language can use it.

mod arity;
mod primitives;

use super::typed::{Elements, Expression, ExpressionId, GlobalId, Item, LocalId, Origin, Program, Types, Variable};
use arity::Arities;
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_core::Constant;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::{FileId, Span};
use vlad_language::ReadingContext;
use vlad_language::named::{Named, NamedItem, NamedLambda, NamedPattern, NamedPatternId, Node, NodeId};
use vlad_language::names::{NameId, Names};
use vlad_table::Primitive;
use vlad_table::operations::Operation;

/// Lowers a program. Derivatives that no pass has replaced are reported.
pub fn lower(program: &Program, reading: &mut ReadingContext<'_>) -> Vec<NamedItem> {
    let globals = global_names(program, reading);
    let arities = Arities::of(program);
    let locals = FxHashMap::default();
    for file in files(program, reading) {
        reading.named.notes.add_spellings(file, primitives::SPELLINGS);
    }
    let mut lowering = Lowering { program, reading, globals, arities, locals, work: vec![] };
    in_order(program).into_iter().map(|item| lowering.item(item)).collect()
}

/// The items with those of options behind all others, where they are looked for: differentiation defines the derivatives that one
/// of them needs right before it, which may be behind another one.
fn in_order(program: &Program) -> Vec<Item> {
    let is_appended = |item: &Item| matches!(*item, Item::Define(id) if program.global(id).origin == Origin::Appended);
    let (appended, others): (Vec<Item>, Vec<Item>) = program.items.iter().copied().partition(is_appended);
    [others, appended].concat()
}

/// The files that a program is made of.
fn files(program: &Program, reading: &ReadingContext<'_>) -> FxHashSet<FileId> {
    let library = reading.preamble.map(|text| text.file).into_iter();
    let values = program.items.iter().map(|item| match *item {
        Item::Define(global) => program.span(program.global(global).value).file,
        Item::Expression(id) => program.span(id).file,
    });
    library.chain(values).collect()
}

/// Returns a name for each global.
fn global_names(program: &Program, reading: &mut ReadingContext<'_>) -> Vec<NameId> {
    let mut taken: FxHashSet<&str> = FxHashSet::default();
    let mut appended = reading.appended.iter().map(|appended| appended.name);
    let mut all = vec![];
    for global in program.globals() {
        let own = match global.origin {
            Origin::Program => taken.insert(&global.name).then(|| reading.names.intern(&global.name)),
            Origin::Library | Origin::Pattern | Origin::Lifted => None,
            Origin::Appended => appended.next(),
        };
        all.push(own.unwrap_or_else(|| reading.names.hidden(&global.name)));
    }
    all
}

/// A node to be filled in.
enum Work {
    Expression(NodeId, ExpressionId),
    /// The value of a definition or a `let`, which gives a function its name.
    Value(NodeId, ExpressionId, NameId, usize),
}

struct Lowering<'run, 'loading> {
    program: &'run Program,
    reading: &'run mut ReadingContext<'loading>,
    globals: Vec<NameId>,
    arities: Arities,
    locals: FxHashMap<LocalId, NameId>,
    work: Vec<Work>,
}

impl Lowering<'_, '_> {
    fn named(&mut self) -> &mut Named {
        self.reading.named
    }

    fn item(&mut self, item: Item) -> NamedItem {
        match item {
            Item::Expression(id) => {
                let node = self.expression(id);
                self.run();
                NamedItem::Expression(node)
            }
            Item::Define(id) => {
                let global = self.program.global(id);
                let (name, arity) = (self.global_name(id), self.arities.global(id));
                if let (Origin::Appended, Expression::Global(other)) =
                    (global.origin, self.program.expression(global.value))
                {
                    // A function that is named in an option takes its arguments as it does for other languages.
                    let node = self.variable(self.global_name(other), self.program.span(global.value));
                    return NamedItem::Define(name, global.span, node);
                }
                let node = self.reading.named.reserve(self.program.span(global.value));
                self.work.push(Work::Value(node, global.value, name, arity));
                self.run();
                NamedItem::Define(name, global.span, node)
            }
        }
    }

    fn run(&mut self) {
        while let Some(work) = self.work.pop() {
            match work {
                Work::Expression(into, id) => self.lower(into, id),
                Work::Value(into, id, name, arity) => {
                    if matches!(self.program.expression(id), Expression::Lambda { .. }) {
                        self.function(into, id, Some(name), arity.max(1));
                    } else {
                        self.lower(into, id);
                    }
                }
            }
        }
    }

    fn global_name(&self, id: GlobalId) -> NameId {
        self.globals.get(id.0 as usize).copied().unwrap_or(Names::IGNORED)
    }

    /// Returns the name of a local, new or old.
    fn local(&mut self, id: LocalId) -> NameId {
        if let Some(name) = self.locals.get(&id) {
            return *name;
        }
        let name = self.reading.names.hidden(&self.program.local(id).name);
        self.locals.insert(id, name);
        name
    }

    /// Schedules an expression, and returns its node.
    fn expression(&mut self, id: ExpressionId) -> NodeId {
        let node = self.reading.named.reserve(self.program.span(id));
        self.work.push(Work::Expression(node, id));
        node
    }

    fn variable(&mut self, name: NameId, span: Span) -> NodeId {
        self.named().add(Node::Variable(name), span)
    }

    fn primitive(&mut self, primitive: Primitive, span: Span) -> NodeId {
        self.variable(Names::primitive(primitive), span)
    }

    /// Returns a tuple of operands, which is the only one if there is one.
    fn tuple(&mut self, operands: &[NodeId], span: Span) -> NodeId {
        let named = self.named();
        let tuple = operands.iter().rev().copied().reduce(|rest, first| named.add(Node::Cons(first, rest), span));
        tuple.unwrap_or_else(|| named.add(Node::Constant(Named::NIL), span))
    }

    /// Makes a node the call of an operator.
    fn set_call(&mut self, into: NodeId, operator: NodeId, operands: &[NodeId]) {
        let span = self.reading.named.span(into);
        let tuple = self.tuple(operands, span);
        self.named().set(into, Node::Application(operator, tuple));
    }

    /// Makes a node the call of a primitive.
    fn set_primitive(&mut self, into: NodeId, primitive: Primitive, operands: &[ExpressionId]) {
        let span = self.reading.named.span(into);
        let operator = self.primitive(primitive, span);
        let operands: Vec<NodeId> = operands.iter().map(|operand| self.expression(*operand)).collect();
        if primitive.minds_operands() {
            self.named().note_operands(operator, operands.len());
        }
        self.set_call(into, operator, &operands);
    }

    /// Returns the pattern of a tuple of names at one place.
    fn pattern(&mut self, names: &[NameId], span: Span) -> NamedPatternId {
        let places: Vec<(NameId, Span)> = names.iter().map(|name| (*name, span)).collect();
        self.pattern_at(&places, span)
    }

    /// Returns the pattern of a tuple of names with their places; a pair has that of its first half.
    fn pattern_at(&mut self, names: &[(NameId, Span)], span: Span) -> NamedPatternId {
        let named = self.named();
        let mut names = names.iter().rev();
        let Some((last, place)) = names.next() else {
            return named.add_pattern(NamedPattern::Constant(Named::NIL), span);
        };
        let last = named.add_pattern(NamedPattern::Variable(*last), *place);
        names.fold(last, |rest, (name, place)| {
            let first = named.add_pattern(NamedPattern::Variable(*name), *place);
            named.add_pattern(NamedPattern::Pair(first, rest), *place)
        })
    }

    /// Makes a node a procedure that takes the first parameters of nested functions as a tuple.
    fn function(&mut self, into: NodeId, id: ExpressionId, name: Option<NameId>, count: usize) {
        let span = self.program.span(id);
        let (mut body, mut names) = (id, vec![]);
        while names.len() < count
            && let Expression::Lambda { parameter, body: inner } = self.program.expression(body)
        {
            names.push((self.local(parameter), self.program.local(parameter).span));
            body = inner;
        }
        let pattern = self.pattern_at(&names, span);
        let body = self.expression(body);
        self.set_lambda(into, name, pattern, body, span);
    }

    fn set_lambda(&mut self, into: NodeId, name: Option<NameId>, pattern: NamedPatternId, body: NodeId, span: Span) {
        let lambda = self.named().add_lambda(NamedLambda { name, pattern, body, span });
        self.named().set(into, Node::Lambda(lambda));
    }

    /// Makes a node `((lambda pattern body) operand)`.
    fn set_let(&mut self, into: NodeId, names: &[NameId], operand: NodeId, body: NodeId) {
        let span = self.reading.named.span(into);
        let pattern = self.pattern(names, span);
        let operator = self.named().reserve(span);
        self.set_lambda(operator, None, pattern, body, span);
        self.named().set(into, Node::Application(operator, operand));
    }

    fn lower(&mut self, into: NodeId, id: ExpressionId) {
        let span = self.program.span(id);
        match self.program.expression(id) {
            Expression::Number(value) => {
                let constant = self.named().add_constant(Constant::Real(value));
                self.named().set(into, Node::Constant(constant));
            }
            Expression::Boolean(value) => {
                self.named().set(into, Node::Constant(if value { Named::TRUE } else { Named::FALSE }));
            }
            Expression::Local(local) => {
                let name = self.local(local);
                self.set_value(into, name, self.arities.local(local));
            }
            Expression::Global(global) => {
                let (name, arity) = (self.global_name(global), self.arities.global(global));
                self.set_value(into, name, arity);
            }
            Expression::Lambda { .. } => self.function(into, id, None, 1),
            Expression::Application { .. } => self.application(into, id),
            Expression::Let { local, value, body } => {
                let (name, arity) = (self.local(local), self.arities.local(local));
                let operand = self.reading.named.reserve(self.program.span(value));
                self.work.push(Work::Value(operand, value, name, arity));
                let body = self.expression(body);
                self.set_let(into, &[name], operand, body);
            }
            Expression::If { condition, consequent, alternative } => {
                let [condition, consequent, alternative] =
                    [condition, consequent, alternative].map(|part| self.expression(part));
                self.named().set(into, Node::If(condition, consequent, alternative));
            }
            Expression::Array(elements) => self.array(into, elements),
            Expression::Build { size, function } => {
                let operator = self.variable(Names::BUILD, span);
                let operands = [self.expression(size), self.expression(function)];
                self.set_call(into, operator, &operands);
            }
            Expression::Ifold { function, start, count } => self.fold(into, function, start, count),
            Expression::Get { array, index } => self.set_primitive(into, Primitive::Get, &[array, index]),
            Expression::Length(array) => self.set_primitive(into, Primitive::VectorLength, &[array]),
            Expression::OfLength { array, length } => {
                self.set_primitive(into, Primitive::OfLength, &[array, length]);
            }
            Expression::Pair(first, second) => {
                let (first, second) = (self.expression(first), self.expression(second));
                self.named().set(into, Node::Cons(first, second));
            }
            Expression::First(pair) => self.set_primitive(into, Primitive::First, &[pair]),
            Expression::Second(pair) => self.set_primitive(into, Primitive::Second, &[pair]),
            Expression::Unary(operation, operand) => {
                self.set_primitive(into, primitives::applying(operation), &[operand]);
            }
            Expression::Binary(Operation::Divide, first, second) if self.program.type_of(id) == Types::INDEX => {
                // The whole part of a quotient.
                let quotient = self.reading.named.reserve(span);
                self.set_primitive(quotient, Primitive::Divide, &[first, second]);
                let operator = self.primitive(Primitive::Floor, span);
                self.set_call(into, operator, &[quotient]);
            }
            Expression::Binary(operation, first, second) => {
                self.set_primitive(into, primitives::applying(operation), &[first, second]);
            }
            Expression::Compare(comparison, first, second) => {
                self.set_primitive(into, primitives::of_comparison(comparison), &[first, second]);
            }
            Expression::Not(operand) => self.set_primitive(into, Primitive::Not, &[operand]),
            Expression::Write(operand) => self.set_primitive(into, Primitive::Write, &[operand]),
            Expression::Widen(operand) => self.work.push(Work::Expression(into, operand)),
            Expression::Forward { function, point, tangent } => {
                self.set_primitive(into, Primitive::Forward, &[function, point, tangent]);
            }
            Expression::Reverse { operator, function, point, cotangent } => {
                self.set_primitive(into, primitives::of_reverse(operator), &[function, point, cotangent]);
            }
            Expression::Deriv { .. } | Expression::Derivative { .. } => {
                let message = "this derivative has not been replaced by code that computes it";
                self.reading.report.push(Diagnostic::new(Kind::Limit, span, message));
            }
        }
    }

    /// Makes a node a variable; a procedure that takes a tuple is curried.
    fn set_value(&mut self, into: NodeId, name: NameId, arity: usize) {
        if arity < 2 {
            return self.named().set(into, Node::Variable(name));
        }
        let span = self.reading.named.span(into);
        let names: Vec<NameId> = (0..arity).map(|_| self.reading.names.hidden("argument")).collect();
        let mut lambda = into;
        for (position, parameter) in names.iter().enumerate() {
            let pattern = self.pattern(&[*parameter], span);
            let body = self.named().reserve(span);
            self.set_lambda(lambda, (position == 0).then_some(name), pattern, body, span);
            lambda = body;
        }
        let operator = self.variable(name, span);
        let operands: Vec<NodeId> = names.iter().map(|name| self.variable(*name, span)).collect();
        self.set_call(lambda, operator, &operands);
    }

    /// Makes a node an application; the first arguments of a known function are a tuple.
    fn application(&mut self, into: NodeId, id: ExpressionId) {
        let (mut head, mut arguments) = (id, vec![]);
        while let Expression::Application { function, argument } = self.program.expression(head) {
            arguments.push((argument, self.program.span(head)));
            head = function;
        }
        arguments.reverse();
        let known = self.program.as_variable(head);
        let arity = match known {
            Some(Variable::Local(local)) => self.arities.local(local),
            Some(Variable::Global(global)) => self.arities.global(global),
            None => 1,
        };
        let taken = if arity >= 2 && arguments.len() >= arity { arity } else { 1 };
        let place = self.program.span(head);
        let operator = match known {
            Some(Variable::Local(local)) if taken > 1 => {
                let name = self.local(local);
                self.variable(name, place)
            }
            Some(Variable::Global(global)) if taken > 1 => self.variable(self.global_name(global), place),
            Some(_) | None => self.expression(head),
        };
        let (first, others) = arguments.split_at(taken.min(arguments.len()));
        let mut operator = operator;
        let mut calls: Vec<(Vec<ExpressionId>, Span)> = vec![];
        if let Some((_, span)) = first.last() {
            calls.push((first.iter().map(|(argument, _)| *argument).collect(), *span));
        }
        calls.extend(others.iter().map(|(argument, span)| (vec![*argument], *span)));
        let last = calls.len();
        for (place, (arguments, span)) in calls.into_iter().enumerate() {
            let operands: Vec<NodeId> = arguments.iter().map(|argument| self.expression(*argument)).collect();
            let node = if place + 1 == last { into } else { self.named().reserve(span) };
            self.set_call(node, operator, &operands);
            operator = node;
        }
    }

    fn array(&mut self, into: NodeId, elements: Elements) {
        let elements = self.program.elements(elements).to_vec();
        let span = self.reading.named.span(into);
        let constants: Option<Vec<_>> =
            elements.iter().map(|element| constant(self.program.expression(*element))).collect();
        if let Some(constants) = constants {
            let constants = constants.into_iter().map(|constant| self.reading.named.add_constant(constant)).collect();
            let vector = self.named().add_constant(Constant::Vector(constants));
            return self.named().set(into, Node::Constant(vector));
        }
        let nodes: Vec<NodeId> = elements.iter().map(|element| self.expression(*element)).collect();
        let mut list = self.named().add(Node::Constant(Named::NIL), span);
        for node in nodes.into_iter().rev() {
            list = self.named().add(Node::Cons(node, list), span);
        }
        let operator = self.primitive(Primitive::ListToVector, span);
        self.named().set(into, Node::Application(operator, list));
    }

    /// Makes a node `(ifold (lambda (s i) ((f s) i)) z n)`, without the lambda if f takes its arguments as a tuple.
    fn fold(&mut self, into: NodeId, function: ExpressionId, start: ExpressionId, count: ExpressionId) {
        let (span, place) = (self.reading.named.span(into), self.program.span(function));
        let operator = self.variable(Names::IFOLD, span);
        let is_written_out = matches!(self.program.expression(function), Expression::Lambda { body, .. }
            if matches!(self.program.expression(body), Expression::Lambda { .. }));
        let step = match self.program.as_variable(function) {
            None if is_written_out => {
                let node = self.named().reserve(place);
                self.function(node, function, None, 2);
                node
            }
            Some(Variable::Global(global)) if self.arities.global(global) == 2 => {
                self.variable(self.global_name(global), place)
            }
            Some(Variable::Local(local)) if self.arities.local(local) == 2 => {
                let name = self.local(local);
                self.variable(name, place)
            }
            Some(_) => {
                let function = self.expression(function);
                self.stepper(function, place)
            }
            None => {
                let name = self.reading.names.hidden("f");
                let (operand, variable) = (self.expression(function), self.variable(name, place));
                let stepper = self.stepper(variable, place);
                let node = self.named().reserve(place);
                self.set_let(node, &[name], operand, stepper);
                node
            }
        };
        let operands = [step, self.expression(start), self.expression(count)];
        self.set_call(into, operator, &operands);
    }

    /// Returns `(lambda (s i) ((f s) i))`, with a node of f.
    fn stepper(&mut self, function: NodeId, span: Span) -> NodeId {
        let (state, index) = (self.reading.names.hidden("s"), self.reading.names.hidden("i"));
        let (first, second) = (self.variable(state, span), self.variable(index, span));
        let inner = self.named().add(Node::Application(function, first), span);
        let body = self.named().add(Node::Application(inner, second), span);
        let pattern = self.pattern(&[state, index], span);
        let node = self.named().reserve(span);
        self.set_lambda(node, None, pattern, body, span);
        node
    }
}

/// Returns a number or a boolean as a constant.
fn constant(expression: Expression) -> Option<Constant> {
    if let Expression::Number(value) = expression {
        return Some(Constant::Real(value));
    }
    if let Expression::Boolean(value) = expression {
        return Some(Constant::Boolean(value));
    }
    None
}
