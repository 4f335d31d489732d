//! The printers of tokens and of the surface tree, for `vlad show`.

use super::lexer::Token;
use super::tree::{BindingId, Pattern, Surface, SurfaceId, SurfaceItem, Target, Tree, WrittenType, WrittenTypeId};
use crate::lists::List;
use std::fmt::Write;
use vlad_core::print::layout::Layout;
use vlad_core::source::{FileId, SourceMap, Span};
use vlad_language::names::Names;
use vlad_table::number;

/// Returns the tokens of a file, one per line: line and column, kind, text.
pub fn tokens(file: FileId, tokens: &[Token], sources: &SourceMap) -> String {
    let mut out = String::new();
    let Some(source) = sources.get(file) else { return out };
    for token in tokens {
        let line = source.position(token.start).line;
        let text = sources.text(Span::new(file, token.start, token.end));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{line}:{} {} {text}", token.column, token.kind.class().name());
    }
    out
}

/// A pending step in printing a tree.
enum Step {
    Expression(SurfaceId),
    Binding(BindingId),
    Pattern(Pattern),
    Target(Target),
    Type(WrittenTypeId),
    Open,
    Close,
}

/// Adds an item to a layout.
pub fn item(tree: &Tree, names: &Names, item: SurfaceItem, layout: &mut Layout) {
    let mut printer = Printer { tree, names, layout, steps: vec![] };
    match item {
        SurfaceItem::Define(binding) => {
            printer.list("define", [Step::Binding(binding)]);
        }
        SurfaceItem::Expression(expression) => printer.push([Step::Expression(expression)]),
    }
    printer.run();
}

struct Printer<'tree> {
    tree: &'tree Tree,
    names: &'tree Names,
    layout: &'tree mut Layout,
    steps: Vec<Step>,
}

impl Printer<'_> {
    fn push(&mut self, steps: impl IntoIterator<Item = Step>) {
        let from = self.steps.len();
        self.steps.extend(steps);
        if let Some(new) = self.steps.get_mut(from..) {
            new.reverse();
        }
    }

    fn run(&mut self) {
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Open => self.layout.open("("),
                Step::Close => self.layout.close(),
                Step::Expression(id) => self.expression(id),
                Step::Binding(id) => self.binding(id),
                Step::Pattern(pattern) => self.pattern(pattern),
                Step::Target(target) => self.target(target),
                Step::Type(id) => self.written_type(id),
            }
        }
    }

    fn list(&mut self, head: &str, parts: impl IntoIterator<Item = Step>) {
        self.layout.open("(");
        self.layout.atom(head);
        self.push(parts.into_iter().chain([Step::Close]));
    }

    fn binding(&mut self, id: BindingId) {
        let binding = self.tree.bindings[id];
        let parameters = (!binding.parameters.is_empty()).then(|| self.parameters(binding.parameters));
        let steps = [Step::Target(binding.target)].into_iter().chain(parameters.into_iter().flatten());
        let steps = steps.chain(binding.annotation.map(Step::Type)).chain([Step::Expression(binding.value)]);
        self.push(steps);
    }

    /// The parameters of a function in brackets.
    fn parameters(&self, parameters: List) -> Vec<Step> {
        let parameters = self.tree.parameters.get(parameters).iter().map(|parameter| Step::Pattern(*parameter));
        [Step::Open].into_iter().chain(parameters).chain([Step::Close]).collect()
    }

    fn pattern(&mut self, pattern: Pattern) {
        match pattern.annotation {
            None => self.push([Step::Target(pattern.target)]),
            Some(annotation) => self.list(":", [Step::Target(pattern.target), Step::Type(annotation)]),
        }
    }

    fn target(&mut self, target: Target) {
        match target {
            Target::Name(name) => self.layout.atom(self.names.text(name)),
            Target::Pair(first, second) => {
                let parts = [first, second].map(|part| Step::Pattern(self.tree.patterns[part]));
                self.list("pair", parts);
            }
        }
    }

    fn written_type(&mut self, id: WrittenTypeId) {
        match self.tree.types[id].0 {
            WrittenType::Name(name) => self.layout.atom(self.names.text(name)),
            WrittenType::Of(name, element) => {
                let head = self.names.text(name).to_owned();
                self.list(&head, [Step::Type(element)]);
            }
            WrittenType::Pair(first, second) => self.list("*", [Step::Type(first), Step::Type(second)]),
            WrittenType::Function(parameter, result) => {
                self.list("=>", [Step::Type(parameter), Step::Type(result)]);
            }
        }
    }

    fn expression(&mut self, id: SurfaceId) {
        match self.tree.get(id) {
            Surface::Number(value, _) => self.layout.atom(number::format(value)),
            Surface::Boolean(value) => self.layout.atom(if value { "true" } else { "false" }),
            Surface::Name(name) => self.layout.atom(self.names.text(name)),
            Surface::Section(operator) => self.layout.atom(format!("({})", operator.name())),
            Surface::Lambda(parameters, body) => {
                let parameters = self.parameters(parameters);
                self.list("fun", parameters.into_iter().chain([Step::Expression(body)]));
            }
            Surface::Application(function, argument) => {
                self.list("apply", [Step::Expression(function), Step::Expression(argument)]);
            }
            Surface::Let(binding, body) => self.list("let", [Step::Binding(binding), Step::Expression(body)]),
            Surface::If(condition, consequent, alternative) => {
                self.list("if", [condition, consequent, alternative].map(Step::Expression));
            }
            Surface::Infix(operator, first, second, _) => {
                self.list(operator.name(), [first, second].map(Step::Expression));
            }
            Surface::Negate(operand) => self.list("-", [Step::Expression(operand)]),
            Surface::Not(operand) => self.list("!", [Step::Expression(operand)]),
            Surface::Index(array, index) => self.list("get", [array, index].map(Step::Expression)),
            Surface::Pair(first, second) => self.list("pair", [first, second].map(Step::Expression)),
            Surface::Array(elements) => {
                let elements = self.tree.elements.get(elements).to_vec();
                self.list("array", elements.into_iter().map(Step::Expression));
            }
            Surface::Annotated(inner, written) => self.list(":", [Step::Expression(inner), Step::Type(written)]),
            Surface::Deriv(body, name, _) => {
                self.layout.open("(");
                self.layout.atom("deriv");
                self.layout.atom(self.names.text(name));
                self.push([Step::Expression(body), Step::Close]);
            }
        }
    }
}
