//! The walk that resolves the names of an item.

use super::annotation::written;
use super::names;
use super::resolver::{Meaning, Resolver};
use super::{Scoped, ScopedId, ScopedLocalId, ScopedVariable};
use crate::builtins::Builtin;
use crate::syntax::tree::{Binding, BindingId, Surface, SurfaceId, Tree, WrittenTypeId};
use crate::typed::TypeId;
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_language::names::NameId;
use vlad_language::suggest::suggest;
use vlad_table::internal_bug;
use vlad_table::operations::Operation;

/// The root of a walk.
#[derive(Clone, Copy)]
pub(super) enum Root {
    Expression(SurfaceId),
    Binding(BindingId),
}

/// A pending step.
pub(super) enum Step {
    Visit(SurfaceId),
    /// The value of a binding, behind its parameters.
    Value(BindingId),
    /// Binds a parameter.
    Bind(NameId, ScopedLocalId),
    /// Binds a local to the value that has been made last; the pair of a pattern has no name.
    BindValue(Option<NameId>, ScopedLocalId),
    Unbind(NameId),
    /// Makes a local, with the span of the pattern that takes it apart.
    Local(ScopedLocalId, Span),
    Make(Make, Span),
}

/// An expression whose parts are the last ones that have been made.
#[derive(Clone, Copy)]
pub(super) enum Make {
    Lambda(ScopedLocalId),
    Application,
    Let(ScopedLocalId),
    If,
    Array(usize),
    Annotated(WrittenTypeId),
    Deriv(ScopedVariable, Span),
    Call(Builtin, usize, Span),
    /// A `deriv` by an unbound name.
    Nothing,
}

/// The walk through an item.
pub(super) struct Walk<'walk, 'loading> {
    pub(super) resolver: &'walk mut Resolver<'loading>,
    pub(super) surface: &'walk Tree,
    below: &'walk FxHashMap<NameId, Span>,
    steps: Vec<Step>,
    made: Vec<ScopedId>,
    /// The unbound names that have been reported in this item.
    reported: FxHashSet<NameId>,
    /// The names that the item defines.
    defining: Vec<NameId>,
}

impl<'walk, 'loading> Walk<'walk, 'loading> {
    /// A walk that has not begun; the names that are defined below the item have their places.
    pub(super) fn new(
        resolver: &'walk mut Resolver<'loading>,
        surface: &'walk Tree,
        below: &'walk FxHashMap<NameId, Span>,
    ) -> Walk<'walk, 'loading> {
        Walk { resolver, surface, below, steps: vec![], made: vec![], reported: FxHashSet::default(), defining: vec![] }
    }

    /// Resolves an item.
    pub(super) fn run(&mut self, root: Root) -> ScopedId {
        match root {
            Root::Expression(expression) => self.steps.push(Step::Visit(expression)),
            Root::Binding(binding) => {
                let Binding { target, span, .. } = self.surface.bindings[binding];
                self.defining = self.surface.named(target, span).into_iter().map(|(name, _)| name).collect();
                self.steps.push(Step::Value(binding));
            }
        }
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Visit(id) => self.visit(id),
                Step::Value(binding) => self.value(binding),
                Step::Bind(name, local) => self.resolver.bind(name, Meaning::Local(local)),
                Step::Local(local, span) => self.add(Scoped::Local(local), span),
                Step::BindValue(name, local) => {
                    let value = self.made.last().copied();
                    self.resolver.tree.locals[local].value = value;
                    if let Some(name) = name {
                        self.resolver.bind(name, Meaning::Local(local));
                    }
                }
                Step::Unbind(name) => {
                    if !self.resolver.is_wildcard(name) {
                        self.resolver.meanings.entry(name).or_default().pop();
                    }
                }
                Step::Make(make, span) => self.make(make, span),
            }
        }
        self.part()
    }

    fn part(&mut self) -> ScopedId {
        let Some(part) = self.made.pop() else { internal_bug!("parts are made before the whole") };
        part
    }

    fn add(&mut self, expression: Scoped, span: Span) {
        let id = self.resolver.tree.add(expression, span);
        self.made.push(id);
    }

    fn make(&mut self, make: Make, span: Span) {
        let expression = match make {
            Make::Lambda(local) => Scoped::Lambda(local, self.part()),
            Make::Application => {
                let (argument, function) = (self.part(), self.part());
                Scoped::Application(function, argument)
            }
            Make::Let(local) => {
                let (body, value) = (self.part(), self.part());
                Scoped::Let(local, value, body)
            }
            Make::If => {
                let (alternative, consequent, condition) = (self.part(), self.part(), self.part());
                Scoped::If(condition, consequent, alternative)
            }
            Make::Array(count) => {
                let elements = self.made.split_off(self.made.len().saturating_sub(count));
                Scoped::Array(self.resolver.tree.add_operands(elements))
            }
            Make::Annotated(annotation) => {
                let inner = self.part();
                match self.annotation(annotation) {
                    Some(type_id) => Scoped::Annotated(inner, type_id),
                    None => Scoped::Unknown,
                }
            }
            Make::Deriv(variable, place) => Scoped::Deriv(self.part(), variable, place),
            Make::Call(builtin, count, name) => {
                let operands = self.made.split_off(self.made.len().saturating_sub(count));
                Scoped::Call(builtin, self.resolver.tree.add_operands(operands), name)
            }
            Make::Nothing => {
                self.part();
                Scoped::Unknown
            }
        };
        self.add(expression, span);
    }

    pub(super) fn annotation(&mut self, written_type: WrittenTypeId) -> Option<TypeId> {
        let Resolver { types, names, report, .. } = &mut *self.resolver;
        written(self.surface, names, written_type, types, report)
    }

    /// Pushes steps so that the first one comes first.
    pub(super) fn push(&mut self, steps: impl IntoIterator<Item = Step>) {
        let from = self.steps.len();
        self.steps.extend(steps);
        if let Some(new) = self.steps.get_mut(from..) {
            new.reverse();
        }
    }

    fn visit(&mut self, id: SurfaceId) {
        let span = self.surface.span(id);
        match self.surface.get(id) {
            Surface::Number(value, notation) => self.add(Scoped::Number(value, notation), span),
            Surface::Boolean(value) => self.add(Scoped::Boolean(value), span),
            Surface::Name(name) => self.name(name, span),
            Surface::Section(operator) => self.push([Step::Make(Make::Call(operator, 0, span), span)]),
            Surface::Lambda(parameters, body) => {
                self.function(parameters, Step::Visit(body), None, span);
            }
            Surface::Application(..) => self.application(id),
            Surface::Let(binding, body) => {
                self.binding(binding, body, span);
            }
            Surface::If(condition, consequent, alternative) => self.push([
                Step::Visit(condition),
                Step::Visit(consequent),
                Step::Visit(alternative),
                Step::Make(Make::If, span),
            ]),
            Surface::Infix(operator, first, second, symbol) => {
                self.push([Step::Visit(first), Step::Visit(second), Step::Make(Make::Call(operator, 2, symbol), span)])
            }
            Surface::Negate(operand) => self.negation(operand, span),
            Surface::Not(operand) => {
                let symbol = Span::new(span.file, span.start, span.start + 1);
                self.push([Step::Visit(operand), Step::Make(Make::Call(Builtin::Not, 1, symbol), span)]);
            }
            Surface::Index(array, index) => {
                self.push([
                    Step::Visit(array),
                    Step::Visit(index),
                    Step::Make(Make::Call(Builtin::Get, 2, span), span),
                ]);
            }
            Surface::Pair(first, second) => {
                self.push([
                    Step::Visit(first),
                    Step::Visit(second),
                    Step::Make(Make::Call(Builtin::Pair, 2, span), span),
                ]);
            }
            Surface::Array(elements) => {
                let elements = self.surface.elements.get(elements);
                let count = elements.len();
                let steps: Vec<Step> = elements.iter().map(|element| Step::Visit(*element)).collect();
                self.push(steps.into_iter().chain([Step::Make(Make::Array(count), span)]));
            }
            Surface::Annotated(inner, written_type) => {
                self.push([Step::Visit(inner), Step::Make(Make::Annotated(written_type), span)]);
            }
            Surface::Deriv(body, name, place) => {
                let make = match self.meaning(name, place) {
                    Some(Meaning::Local(local)) => Make::Deriv(ScopedVariable::Local(local), place),
                    Some(Meaning::Definition(definition)) => Make::Deriv(ScopedVariable::Definition(definition), place),
                    Some(Meaning::Builtin(builtin)) => {
                        let message = format!("`{}` is a function of the language, and does not vary", builtin.name());
                        self.resolver.report.push(Diagnostic::new(Kind::Type, place, message));
                        Make::Nothing
                    }
                    None => Make::Nothing,
                };
                self.push([Step::Visit(body), Step::Make(make, span)]);
            }
        }
    }

    /// Makes a negative number of a sign and digits, else a call.
    fn negation(&mut self, operand: SurfaceId, span: Span) {
        if let Surface::Number(value, notation) = self.surface.get(operand) {
            return self.add(Scoped::Number(-value, notation), span);
        }
        let symbol = Span::new(span.file, span.start, span.start + 1);
        let call = Make::Call(Builtin::Operation(Operation::Negate), 1, symbol);
        self.push([Step::Visit(operand), Step::Make(call, span)]);
    }

    fn value(&mut self, binding: BindingId) {
        let binding = self.surface.bindings[binding];
        let value = self.surface.span(binding.value);
        let span = if binding.parameters.is_empty() { value } else { binding.span.to(value) };
        self.function(binding.parameters, Step::Visit(binding.value), binding.annotation, span);
    }

    /// Schedules an application with all its arguments: the operands of a function of the language are one call.
    fn application(&mut self, id: SurfaceId) {
        let (mut head, mut arguments) = (id, vec![]);
        while let Surface::Application(function, argument) = self.surface.get(head) {
            arguments.push((argument, self.surface.span(head)));
            head = function;
        }
        arguments.reverse();
        let head_span = self.surface.span(head);
        let builtin = if let Surface::Section(operator) = self.surface.get(head) {
            Some(operator)
        } else if let Surface::Name(name) = self.surface.get(head)
            && let Some(Meaning::Builtin(builtin)) =
                self.resolver.meanings.get(&name).and_then(|meanings| meanings.last())
        {
            Some(*builtin)
        } else {
            None
        };
        let operands = builtin.map_or(0, |builtin| builtin.arity().min(arguments.len()));
        let (own, others) = arguments.split_at(operands);
        let mut steps = vec![];
        match (builtin, own.last()) {
            (Some(builtin), Some((_, span))) => {
                steps.extend(own.iter().map(|(argument, _)| Step::Visit(*argument)));
                steps.push(Step::Make(Make::Call(builtin, operands, head_span), *span));
            }
            (Some(_), None) | (None, _) => steps.push(Step::Visit(head)),
        }
        for (argument, span) in others {
            steps.extend([Step::Visit(*argument), Step::Make(Make::Application, *span)]);
        }
        self.push(steps);
    }

    fn name(&mut self, name: NameId, span: Span) {
        match self.meaning(name, span) {
            Some(Meaning::Local(local)) => self.add(Scoped::Local(local), span),
            Some(Meaning::Definition(definition)) => self.add(Scoped::Definition(definition), span),
            Some(Meaning::Builtin(builtin)) => self.make(Make::Call(builtin, 0, span), span),
            None => self.add(Scoped::Unknown, span),
        }
    }

    /// Returns the meaning of a name; an unbound one is reported once in an item.
    fn meaning(&mut self, name: NameId, span: Span) -> Option<Meaning> {
        if let Some(meaning) = self.resolver.meanings.get(&name).and_then(|meanings| meanings.last()) {
            return Some(*meaning);
        }
        if !self.reported.insert(name) {
            return None;
        }
        let text = self.resolver.names.text(name);
        let diagnostic = Diagnostic::new(Kind::Unbound, span, format!("`{text}` is not defined"));
        let diagnostic = if self.defining.contains(&name) {
            diagnostic.with_hint("a definition does not see itself: loops are written with build and ifold")
        } else if let Some(advice) = self.resolver.misread.get(&name) {
            diagnostic.with_hint(*advice)
        } else if let Some(place) = self.below.get(&name) {
            diagnostic.with_label(*place, "it is defined below, and a definition sees those above it alone")
        } else {
            match self.suggestion(text) {
                Some(hint) => diagnostic.with_hint(hint),
                None => diagnostic,
            }
        };
        self.resolver.report.push(diagnostic);
        None
    }

    fn suggestion(&mut self, text: &str) -> Option<String> {
        if let Some(hint) = names::foreign(text) {
            return Some(hint.to_owned());
        }
        let Resolver { meanings, names, patience, .. } = &mut *self.resolver;
        if !patience.deduct(meanings.len()) {
            return None;
        }
        let known = meanings.iter().filter(|(_, meanings)| !meanings.is_empty()).map(|(name, _)| names.text(*name));
        suggest(text, known).map(|close| format!("did you mean `{close}`?"))
    }
}
