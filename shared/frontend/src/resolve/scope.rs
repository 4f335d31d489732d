//! Scope analysis: the binding that each variable refers to.
//!
//! A name means its innermost binding; else the program's own definition of it, anywhere in the program; else a library's; else
//! the prelude's; else a primitive. Within the texts of libraries and of the prelude, the program's own definitions are ignored.

use super::unresolved::Unresolved;
use crate::resolve::foreign::{self, ForeignKind};
use crate::vlad::Vlad;
use crate::vlad::libraries::{LIBRARIES, defined_names};
use rustc_hash::{FxHashMap, FxHashSet};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::Span;
use vlad_language::library::Library;
use vlad_language::named::{NamedGroupId, NamedItem, NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId};
use vlad_language::names::{NameId, Names};
use vlad_language::suggest::{SearchBudget, suggest};
use vlad_language::{Completeness, Language};
use vlad_table::Primitive;
use vlad_table::primitives::PRIMITIVES;

/// The binding that a variable refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    /// A variable of a pattern.
    Pattern(NamedPatternId),
    /// A member of a group, by its position.
    Member(NamedGroupId, u32),
    /// A definition of the program, by its position among them.
    Program(u32),
    /// A definition of the prelude, by its position.
    Prelude(u32),
    /// A primitive.
    Primitive(Primitive),
}

/// The meanings of the variables of a program.
#[derive(Debug)]
pub struct Scopes {
    /// The binding of each variable node; none for other nodes, and for unbound names, which are reported.
    variables: Vec<Option<Variable>>,
    /// For each definition of the prelude, its use by the program, direct or indirect.
    used: Vec<Usage>,
    /// The definitions of the prelude that each of them refers to.
    uses_of_prelude: Vec<Vec<u32>>,
}

/// The use of a definition of the prelude by the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// The program uses it.
    Used,
    /// The program does not use it.
    Unused,
}

impl Scopes {
    /// Returns the binding that the variable of a node refers to.
    pub fn variable(&self, node: NodeId) -> Option<Variable> {
        self.variables.get(node.0 as usize).copied().flatten()
    }

    /// Sets the binding of a variable node, which may be new.
    pub fn mean(&mut self, node: NodeId, variable: Variable) {
        let index = node.0 as usize;
        if self.variables.len() <= index {
            self.variables.resize(index + 1, None);
        }
        if let Some(place) = self.variables.get_mut(index) {
            *place = Some(variable);
        }
        if let Variable::Prelude(definition) = variable {
            close(vec![definition], &self.uses_of_prelude, &mut self.used);
        }
    }

    /// Returns the use of a definition of the prelude by the program.
    pub fn usage(&self, definition: usize) -> Usage {
        self.used.get(definition).copied().unwrap_or(Usage::Unused)
    }
}

/// Finds the binding of each variable of a program and reports unbound names, each once per top-level item.
pub fn find(unresolved: Unresolved<'_>, completeness: Completeness, report: &mut Report) -> Scopes {
    let mut finder = Finder {
        unresolved,
        completeness,
        report,
        top: vec![None; unresolved.names.count()],
        innermost: vec![None; unresolved.names.count()],
        bindings: vec![],
        variables: vec![None; unresolved.named.count()],
        uses: vec![],
        item: 0,
        reported: FxHashMap::default(),
        lost: FxHashSet::default(),
        patience: SearchBudget::new(),
    };
    for row in &PRIMITIVES {
        let names = [Some(Names::primitive(row.primitive)), unresolved.names.find(row.name)];
        names.into_iter().flatten().for_each(|name| finder.define(name, Variable::Primitive(row.primitive)));
    }
    finder.define_all(unresolved.prelude, Variable::Prelude, |_| true);
    for name in [Names::BUILD, Names::IFOLD] {
        let of_prelude = unresolved.names.find(unresolved.names.text(name));
        if let Some(variable) = of_prelude.and_then(|name| finder.top.get(name.0 as usize).copied().flatten()) {
            finder.define(name, variable);
        }
    }
    let mut uses_of_prelude = vec![];
    for item in unresolved.prelude {
        finder.item(item);
        uses_of_prelude.push(std::mem::take(&mut finder.uses));
    }
    finder.note_lost_names();
    // The typed languages tell the names of their libraries from those of programs themselves.
    let sources = unresolved.sources;
    let is_vlad = |span: Span| sources.get(span.file).is_some_and(|file| file.language == Vlad.name());
    let is_library = |span: Span| sources.is_library(span.file) && is_vlad(span);
    for from_libraries in [true, false] {
        let is_meant = |span: Span| is_library(span) == from_libraries;
        finder.define_all(unresolved.items, Variable::Program, is_meant);
        for item in unresolved.items.iter().filter(|item| is_meant(unresolved.named.span(item.node()))) {
            finder.item(item);
        }
    }
    let mut used = vec![Usage::Unused; uses_of_prelude.len()];
    close(std::mem::take(&mut finder.uses), &uses_of_prelude, &mut used);
    Scopes { variables: finder.variables, used, uses_of_prelude }
}

/// Marks the definitions of the prelude that are reachable from some of them as used.
fn close(from: Vec<u32>, uses: &[Vec<u32>], used: &mut [Usage]) {
    let mut pending = from;
    while let Some(definition) = pending.pop() {
        match used.get_mut(definition as usize) {
            Some(usage @ Usage::Unused) => {
                *usage = Usage::Used;
                pending.extend(uses.get(definition as usize).into_iter().flatten());
            }
            Some(Usage::Used) | None => {}
        }
    }
}

/// A binding whose scope contains the current node.
struct Binding {
    name: NameId,
    variable: Variable,
    /// The enclosing binding of the same name.
    shadowed: Option<u32>,
}

/// A pending step of the traversal.
enum Task {
    Visit(NodeId),
    Enter(NamedLambdaId),
    /// Restores the scope with that many bindings.
    Leave(usize),
}

struct Finder<'loading, 'report> {
    unresolved: Unresolved<'loading>,
    completeness: Completeness,
    report: &'report mut Report,
    /// The top-level meaning of each name.
    top: Vec<Option<Variable>>,
    /// The innermost binding of each name.
    innermost: Vec<Option<u32>>,
    bindings: Vec<Binding>,
    variables: Vec<Option<Variable>>,
    /// The definitions of the prelude referred to so far.
    uses: Vec<u32>,
    /// The number of the current item.
    item: u32,
    /// The item in which an unbound name was reported last.
    reported: FxHashMap<NameId, u32>,
    /// The names that forms of other languages would define, which are reported as such forms.
    lost: FxHashSet<NameId>,
    /// The remaining work allowed for the search for similar names.
    patience: SearchBudget,
}

impl Finder<'_, '_> {
    fn define(&mut self, name: NameId, variable: Variable) {
        if let Some(place) = self.top.get_mut(name.0 as usize) {
            *place = Some(variable);
        }
    }

    /// Gives names the meanings of the definitions whose names stand at places that are meant.
    fn define_all(&mut self, items: &[NamedItem], variable: fn(u32) -> Variable, is_meant: impl Fn(Span) -> bool) {
        let mut count = 0;
        for item in items {
            match item {
                NamedItem::Define(name, span, _) => {
                    if is_meant(*span) {
                        self.define(*name, variable(count));
                    }
                    count += 1;
                }
                NamedItem::Expression(_) => {}
            }
        }
    }

    /// Notes the names that top-level forms of other languages would define.
    fn note_lost_names(&mut self) {
        let Unresolved { names, named, items, .. } = self.unresolved;
        for item in items {
            let (Node::Application(operator, operand), NamedItem::Expression(_)) = (named.node(item.node()), item)
            else {
                continue;
            };
            let (Node::Variable(keyword), Node::Cons(header, _)) = (named.node(operator), named.node(operand)) else {
                continue;
            };
            let defined = match named.node(header) {
                Node::Application(name, _) => named.node(name),
                node => node,
            };
            if let Node::Variable(name) = defined
                && foreign::defines(names.text(keyword))
                && self.is_foreign_form(operator)
            {
                self.lost.insert(name);
            }
        }
    }

    fn item(&mut self, item: &NamedItem) {
        self.item += 1;
        let mut tasks = vec![Task::Visit(item.node())];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(node) => self.visit(node, &mut tasks),
                Task::Enter(lambda) => self.enter(lambda, &mut tasks),
                Task::Leave(count) => self.leave(count),
            }
        }
    }

    fn visit(&mut self, node: NodeId, tasks: &mut Vec<Task>) {
        match self.unresolved.named.node(node) {
            Node::Constant(_) => {}
            Node::Variable(name) => self.variable(node, name),
            Node::Lambda(lambda) => self.enter(lambda, tasks),
            // In a let, the bound expressions are written first, and the first use of an unbound name is the one to be
            // reported.
            Node::Application(operator, operand) if matches!(self.unresolved.named.node(operator), Node::Lambda(_)) => {
                tasks.extend([Task::Visit(operator), Task::Visit(operand)]);
            }
            // The text after a keyword of another language is no operand.
            Node::Application(operator, _) if self.is_foreign_form(operator) => tasks.push(Task::Visit(operator)),
            Node::Application(first, second) | Node::Cons(first, second) => {
                tasks.extend([Task::Visit(second), Task::Visit(first)]);
            }
            Node::If(test, consequent, alternative) => {
                tasks.extend([Task::Visit(alternative), Task::Visit(consequent), Task::Visit(test)]);
            }
            Node::Letrec(group, body) => {
                tasks.extend([Task::Leave(self.bindings.len()), Task::Visit(body)]);
                let members = self.unresolved.named.group(group);
                for (place, (name, _)) in members.iter().enumerate() {
                    self.bind(*name, Variable::Member(group, place as u32));
                }
                tasks.extend(members.iter().rev().map(|(_, lambda)| Task::Enter(*lambda)));
            }
        }
    }

    fn enter(&mut self, lambda: NamedLambdaId, tasks: &mut Vec<Task>) {
        let lambda = self.unresolved.named.lambda(lambda);
        tasks.extend([Task::Leave(self.bindings.len()), Task::Visit(lambda.body)]);
        let mut patterns = vec![lambda.pattern];
        while let Some(pattern) = patterns.pop() {
            match self.unresolved.named.pattern(pattern) {
                NamedPattern::Variable(name) => self.bind(name, Variable::Pattern(pattern)),
                NamedPattern::Constant(_) => {}
                NamedPattern::Pair(first, second) => patterns.extend([second, first]),
            }
        }
    }

    fn bind(&mut self, name: NameId, variable: Variable) {
        let Some(innermost) = self.innermost.get_mut(name.0 as usize) else { return };
        let number = self.bindings.len() as u32;
        self.bindings.push(Binding { name, variable, shadowed: innermost.replace(number) });
    }

    fn leave(&mut self, count: usize) {
        for binding in self.bindings.drain(count..).rev() {
            if let Some(innermost) = self.innermost.get_mut(binding.name.0 as usize) {
                *innermost = binding.shadowed;
            }
        }
    }

    /// Returns the meaning of a name in the current scope.
    fn meaning(&self, name: NameId) -> Option<Variable> {
        let index = name.0 as usize;
        let bound = self.innermost.get(index).copied().flatten();
        match bound.and_then(|number| self.bindings.get(number as usize)) {
            Some(binding) => Some(binding.variable),
            None => self.top.get(index).copied().flatten(),
        }
    }

    /// Returns true if an operator is a keyword of another language and has no meaning here.
    fn is_foreign_form(&self, operator: NodeId) -> bool {
        let Node::Variable(name) = self.unresolved.named.node(operator) else { return false };
        let is_keyword =
            || foreign::advice(self.unresolved.names.text(name)).is_some_and(|(sort, _)| sort == ForeignKind::Keyword);
        self.meaning(name).is_none() && !self.unresolved.named.is_refused(name) && is_keyword()
    }

    fn variable(&mut self, node: NodeId, name: NameId) {
        let variable = match (self.meaning(name), self.unresolved.named.operands_of(node)) {
            (Some(Variable::Primitive(primitive)), Some(written)) => {
                Some(Variable::Primitive(primitive.with_operands(written)))
            }
            (variable, _) => variable,
        };
        match variable {
            // A name that is used a thousand times in a row need not be recorded a thousand times.
            Some(Variable::Prelude(definition)) if self.uses.last() != Some(&definition) => self.uses.push(definition),
            Some(_) => self.check_texts(node),
            None => self.unbound(node, name),
        }
        if let Some(place) = self.variables.get_mut(node.0 as usize) {
            *place = variable;
        }
    }

    /// Reports an operator with texts among its operands if its name does not mean the primitive that takes texts.
    fn check_texts(&mut self, node: NodeId) {
        let Some(written) = self.unresolved.named.written_for_texts(node) else { return };
        let is_meant = match self.meaning(written) {
            Some(Variable::Primitive(primitive)) => primitive.with_texts().is_some(),
            Some(Variable::Pattern(_) | Variable::Member(..) | Variable::Program(_) | Variable::Prelude(_)) | None => {
                false
            }
        };
        if is_meant {
            return;
        }
        let text = self.unresolved.names.text(written);
        let message = format!("only the `{text}` of the language takes strings, and the program binds this name");
        self.report.push(Diagnostic::new(Kind::Syntax, self.unresolved.named.span(node), message));
    }

    fn unbound(&mut self, node: NodeId, name: NameId) {
        let known = self.completeness == Completeness::PartsMissing
            || self.unresolved.named.is_refused(name)
            || self.lost.contains(&name);
        if known || self.report.is_full() || self.reported.insert(name, self.item) == Some(self.item) {
            return;
        }
        let text = self.unresolved.names.text(name);
        let span = self.unresolved.named.span(node);
        let diagnostic = Diagnostic::new(Kind::Unbound, span, format!("`{text}` is not defined"));
        // The hints are about VLAD.
        let language = self.unresolved.sources.get(span.file).map(|file| file.language);
        let hint = if language == Some(Vlad.name()) { self.hint(text) } else { None };
        self.report.push(match hint {
            Some(hint) => diagnostic.with_hint(hint),
            None => diagnostic,
        });
    }

    /// Returns the hint for a name that has no meaning.
    fn hint(&mut self, text: &str) -> Option<String> {
        if let Some(advice) = foreign::composition(text) {
            return Some(advice);
        }
        if let Some((_, advice)) = foreign::advice(text) {
            return Some(advice.to_owned());
        }
        let defines = |library: &&Library| defined_names(library).any(|name| name == text);
        if let Some(library) = LIBRARIES.iter().find(defines) {
            return Some(format!("it is defined in a library: (include \"{}\")", library.name));
        }
        self.misspelt(text).or_else(|| foreign::advice_by_words(text).map(str::to_owned))
    }

    /// Returns a hint with the most similar known name; names that are known here take precedence over those of
    /// libraries.
    fn misspelt(&mut self, text: &str) -> Option<String> {
        let of_libraries =
            || LIBRARIES.iter().flat_map(|library| defined_names(library).map(move |name| (name, library)));
        let looked_at = self.unresolved.names.count() + PRIMITIVES.len() + of_libraries().count();
        if !self.patience.deduct(looked_at) {
            return None;
        }
        let numbers = 0..self.unresolved.names.count();
        let means_something = |number: &usize| {
            let name = NameId(*number as u32);
            self.unresolved.names.is_readable(name) && self.meaning(name).is_some()
        };
        let candidates =
            numbers.filter(means_something).map(|number| self.unresolved.names.text(NameId(number as u32)));
        // A primitive that neither the program nor the prelude names has no number.
        let primitives = PRIMITIVES.iter().map(|row| row.name);
        if let Some(meant) = suggest(text, candidates.chain(primitives)) {
            return Some(format!("did you mean `{meant}`?"));
        }
        let meant = suggest(text, of_libraries().map(|(name, _)| name))?;
        let (_, library) = of_libraries().find(|(name, _)| *name == meant)?;
        Some(format!("did you mean `{meant}`, of (include \"{}\")?", library.name))
    }
}
