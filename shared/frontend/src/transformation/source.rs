//! The input of the transformation: named core with resolved names, and the procedures that a procedure reaches.

use crate::languages::Languages;
use crate::load::{self, Expanded, Input, Options};
use crate::resolve::scope::{Scopes, Variable};
use crate::resolve::{self, Texts};
use crate::transformation::modes::Mode;
use std::collections::{BTreeSet, HashMap, HashSet};
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::{FileId, KeptSources, SourceMap, Span};
use vlad_core::{ConstantId, Program};
use vlad_language::Completeness;
use vlad_language::named::{Named, NamedItem, NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId};
use vlad_language::names::{NameId, Names};
use vlad_table::{ArgumentUse, Primitive, internal_bug};

/// A program as named core.
pub struct Source {
    /// The names.
    pub names: Names,
    /// The arenas.
    pub named: Named,
    /// The texts.
    pub texts: SourceMap,
    scopes: Scopes,
    /// The procedures that `let` binds to a name.
    named_lambdas: HashMap<NamedPatternId, NamedLambdaId>,
    prelude: Vec<Definition>,
    program: Vec<Definition>,
}

/// A top-level definition.
#[derive(Clone, Copy)]
pub struct Definition {
    /// The name.
    pub name: NameId,
    /// The span of the name.
    pub span: Span,
    /// The right-hand side.
    pub node: NodeId,
}

/// The code that a procedure reaches.
#[derive(Default)]
pub struct ReachableCode {
    /// The procedures, itself first, in the order of discovery.
    pub procedures: Vec<(Variable, NamedLambdaId)>,
    /// The primitives.
    pub primitives: BTreeSet<Primitive>,
    /// The names that they bind.
    pub bound: HashSet<NameId>,
    /// True if procedures are values somewhere, not only called by their names.
    pub values: bool,
    /// True if a primitive is reached that takes any value as a whole: an operator of differentiation, `equal?`,
    /// `write`, ...
    pub wholes: bool,
}

/// Returns the use that a primitive makes of its argument.
pub fn access(primitive: Primitive) -> ArgumentUse {
    primitive.row().form.signature().access
}

impl Source {
    /// Reads the program again as named core; returns it with the meaning of a name at its top level.
    ///
    /// # Errors
    /// The name is not defined.
    pub fn of(program: &Program, name: &str, languages: Languages) -> Result<(Source, Variable), Box<Diagnostic>> {
        let options = Options { languages, ..Options::default() };
        let again = load::expanded(Input::Kept(KeptSources::of(&program.sources)), &options);
        let Ok(Expanded { mut names, mut named, prelude, mut items }) = again else {
            internal_bug!("a program that was read can be read again")
        };
        // The name is resolved as if it were written below the program.
        let span = program.sources.files().first().map_or(0, |file| file.text.len() as u32);
        let span = Span::new(FileId(0), span, span);
        let node = named.add(Node::Variable(names.intern(name)), span);
        items.push(NamedItem::Expression(node));
        let mut report = Report::default();
        let texts = Texts { names: &names, prelude: &prelude, items: &items, sources: &program.sources };
        let scopes = resolve::meanings(texts, &mut named, Completeness::Whole, &mut report);
        let Some(variable) = scopes.variable(node) else {
            let found = report.into_failure(program.sources.clone()).diagnostics;
            let unbound = Diagnostic::new(Kind::Unbound, None, format!("`{name}` is not defined"));
            let hint = found.into_iter().find_map(|diagnostic| diagnostic.hint);
            return Err(Box::new(Diagnostic { hint, ..unbound }));
        };
        let (prelude, defined) = (definitions(&prelude), definitions(&items));
        let texts = program.sources.clone();
        let mut source =
            Source { names, named, texts, scopes, named_lambdas: HashMap::new(), prelude, program: defined };
        source.name_lambdas();
        Ok((source, variable))
    }

    fn name_lambdas(&mut self) {
        let mut found = HashMap::new();
        for node in (0..self.named.count()).map(|number| NodeId(number as u32)) {
            let Node::Application(operator, operand) = self.named.node(node) else { continue };
            let Node::Lambda(lambda) = self.named.node(operator) else { continue };
            for (pattern, operand) in self.bindings(self.named.lambda(lambda).pattern, operand) {
                if let Node::Lambda(bound) = self.named.node(operand) {
                    found.insert(pattern, bound);
                }
            }
        }
        self.named_lambdas = found;
    }

    /// Returns the procedure bound to a variable of a pattern, if `let` binds it to a procedure written there.
    pub fn bound_lambda(&self, pattern: NamedPatternId) -> Option<NamedLambdaId> {
        self.named_lambdas.get(&pattern).copied()
    }

    /// Returns the definition that a variable refers to, if it refers to one.
    pub fn definition(&self, variable: Variable) -> Option<Definition> {
        match variable {
            Variable::Program(place) => self.program.get(place as usize).copied(),
            Variable::Prelude(place) => self.prelude.get(place as usize).copied(),
            Variable::Pattern(_) | Variable::Member(..) | Variable::Primitive(_) => None,
        }
    }

    /// Returns true if the program itself defines a name.
    pub fn defines(&self, name: &str) -> bool {
        self.defined().any(|defined| defined == name)
    }

    /// Returns the definition of a name that the program means by it: its own, if there is one, before that of a library.
    pub fn own_meaning(&self, name: &str) -> Option<Variable> {
        let places = (0..).zip(&self.program).filter(|(_, defined)| self.names.text(defined.name) == name);
        let is_library = |definition: &Definition| self.texts.is_library(definition.span.file);
        let (place, _) = places.min_by_key(|(_, definition)| is_library(definition))?;
        Some(Variable::Program(place))
    }

    /// Returns the names that the program defines.
    pub fn defined(&self) -> impl Iterator<Item = &str> {
        self.program.iter().map(|definition| self.names.text(definition.name))
    }

    /// Returns the procedure that a top-level name is defined as.
    pub fn procedure(&self, variable: Variable) -> Option<NamedLambdaId> {
        match self.named.node(self.definition(variable)?.node) {
            Node::Lambda(lambda) => Some(lambda),
            Node::Constant(_)
            | Node::Variable(_)
            | Node::Application(..)
            | Node::Cons(..)
            | Node::If(..)
            | Node::Letrec(..) => None,
        }
    }

    /// Returns the binding that the variable of a node refers to.
    pub fn variable(&self, node: NodeId) -> Variable {
        match self.scopes.variable(node) {
            Some(variable) => variable,
            None => internal_bug!("every name of a program is defined"),
        }
    }

    /// Returns the code of the procedure that is to be shown by its name.
    ///
    /// # Errors
    /// The name is not defined as a procedure written in the program.
    pub fn root(&self, variable: Variable, name: &str, mode: Mode) -> Result<NamedLambdaId, Box<Diagnostic>> {
        if let Some(lambda) = self.procedure(variable) {
            return Ok(lambda);
        }
        let place = self.definition(variable).map(|definition| definition.span);
        Err(Box::new(match variable {
            Variable::Primitive(_) => {
                let message = format!("`{name}` is a primitive: it has no code to be transformed");
                let operator = mode.operator();
                Diagnostic::new(Kind::Type, place, message)
                    .with_hint(format!("`({operator} {name})` is what it is transformed into"))
            }
            _ => Diagnostic::new(Kind::Type, place, format!("`{name}` is not defined as a procedure"))
                .with_hint("what is transformed is code: `(define (f x) ...)`, or `(define f (lambda (x) ...))`"),
        }))
    }

    /// Returns the code that a procedure reaches.
    pub fn reached(&self, root: Variable, lambda: NamedLambdaId) -> ReachableCode {
        let mut reached = ReachableCode { procedures: vec![(root, lambda)], ..ReachableCode::default() };
        let mut seen = HashSet::from([root]);
        let mut next = 0;
        while let Some((_, lambda)) = reached.procedures.get(next).copied() {
            next += 1;
            self.bound(self.named.lambda(lambda).pattern, &mut reached);
            let mut tasks = vec![(self.named.lambda(lambda).body, false)];
            while let Some((node, called)) = tasks.pop() {
                match self.named.node(node) {
                    Node::Constant(_) => {}
                    Node::Variable(_) => self.reach(self.variable(node), called, &mut seen, &mut reached),
                    Node::Lambda(lambda) => {
                        reached.values |= !called;
                        self.bound(self.named.lambda(lambda).pattern, &mut reached);
                        tasks.push((self.named.lambda(lambda).body, false));
                    }
                    Node::Application(operator, operand) => tasks.extend([(operand, false), (operator, true)]),
                    Node::Cons(first, second) => tasks.extend([(second, false), (first, false)]),
                    Node::If(test, consequent, alternative) => {
                        tasks.extend([(alternative, false), (consequent, false), (test, false)]);
                    }
                    Node::Letrec(group, body) => {
                        tasks.push((body, called));
                        for (name, lambda) in self.named.group(group).iter().rev() {
                            reached.bound.insert(*name);
                            self.bound(self.named.lambda(*lambda).pattern, &mut reached);
                            tasks.push((self.named.lambda(*lambda).body, false));
                        }
                    }
                }
            }
        }
        reached
    }

    fn bound(&self, pattern: NamedPatternId, reached: &mut ReachableCode) {
        let mut pending = vec![pattern];
        while let Some(pattern) = pending.pop() {
            match self.named.pattern(pattern) {
                NamedPattern::Variable(name) => {
                    reached.bound.insert(name);
                }
                NamedPattern::Constant(_) => {}
                NamedPattern::Pair(first, second) => pending.extend([second, first]),
            }
        }
    }

    fn reach(&self, variable: Variable, called: bool, seen: &mut HashSet<Variable>, reached: &mut ReachableCode) {
        match variable {
            Variable::Pattern(_) => {}
            Variable::Member(..) => reached.values |= !called,
            Variable::Primitive(primitive) => {
                reached.values |= !called;
                reached.wholes |= access(primitive) == ArgumentUse::Whole;
                reached.primitives.insert(primitive);
            }
            Variable::Program(_) | Variable::Prelude(_) => {
                if let Some(lambda) = self.procedure(variable) {
                    reached.values |= !called;
                    if seen.insert(variable) {
                        reached.procedures.push((variable, lambda));
                    }
                }
            }
        }
    }

    /// Pairs the parts of a pattern with the operands written for them.
    pub fn bindings(&self, pattern: NamedPatternId, operand: NodeId) -> Vec<(NamedPatternId, NodeId)> {
        let mut found = vec![];
        let mut pending = vec![(pattern, operand)];
        while let Some((pattern, operand)) = pending.pop() {
            match (self.named.pattern(pattern), self.named.node(operand)) {
                (NamedPattern::Pair(first, second), Node::Cons(of_first, of_second)) => {
                    pending.extend([(second, of_second), (first, of_first)]);
                }
                _ => found.push((pattern, operand)),
            }
        }
        found
    }

    /// Returns the name of the primitive that an expression is, if it is one that takes values as a whole.
    pub fn takes_wholes(&self, operator: NodeId) -> Option<&'static str> {
        match self.named.node(operator) {
            Node::Variable(_) => match self.variable(operator) {
                Variable::Primitive(primitive) if access(primitive) == ArgumentUse::Whole => Some(primitive.name()),
                Variable::Primitive(_)
                | Variable::Pattern(_)
                | Variable::Member(..)
                | Variable::Program(_)
                | Variable::Prelude(_) => None,
            },
            Node::Constant(_)
            | Node::Lambda(_)
            | Node::Application(..)
            | Node::Cons(..)
            | Node::If(..)
            | Node::Letrec(..) => None,
        }
    }

    /// Returns a description of a local procedure in an operand that cannot be lifted to a value, if there is one.
    pub fn local_procedure_in(&self, operand: NodeId) -> Option<String> {
        let mut pending = vec![operand];
        while let Some(node) = pending.pop() {
            match self.named.node(node) {
                Node::Cons(first, second) => pending.extend([second, first]),
                Node::Variable(name) if self.is_local_procedure(node) && self.lifted(node).is_none() => {
                    return Some(format!("`{}`, which is transformed as code", self.names.text(name)));
                }
                Node::Lambda(_) if self.lifted(node).is_none() => {
                    return Some("a procedure that is transformed as code".to_owned());
                }
                Node::Constant(_)
                | Node::Variable(_)
                | Node::Lambda(_)
                | Node::Application(..)
                | Node::If(..)
                | Node::Letrec(..) => {}
            }
        }
        None
    }

    /// A constant as it is written in a program.
    pub fn constant(&self, constant: ConstantId) -> String {
        let mark = if constant == Named::NIL { "'" } else { "" };
        format!("{mark}{}", self.named.constants().expression(constant))
    }
}

fn definitions(items: &[NamedItem]) -> Vec<Definition> {
    let definition = |item: &NamedItem| match *item {
        NamedItem::Define(name, span, node) => Some(Definition { name, span, node }),
        NamedItem::Expression(_) => None,
    };
    items.iter().filter_map(definition).collect()
}
