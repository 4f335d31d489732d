//! What is transformed: named core with its names resolved, and which procedures one procedure reaches.

use super::Mode;
use crate::core::Program;
use crate::diagnostic::{Diagnostic, Kind};
use crate::expand::named::{
    Named, NamedConstantId, NamedItem, NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId,
};
use crate::internal_bug;
use crate::load::{self, Expanded, Input, KeptSources, Options};
use crate::print::{self, Notation};
use crate::report::Report;
use crate::resolve::scope::{Completeness, Scopes, Variable};
use crate::resolve::{self, Texts};
use crate::source::{FileId, SourceMap, Span};
use crate::syntax::names::{NameId, Names};
use crate::table::primitives::{Control, Form};
use crate::table::{OnVector, Primitive};
use crate::value::Value;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A program as named core.
pub struct Source {
    /// The names.
    pub names: Names,
    /// The arenas.
    pub named: Named,
    /// The texts.
    pub texts: SourceMap,
    scopes: Scopes,
    /// The procedures that `let` gives a name.
    named_lambdas: HashMap<NamedPatternId, NamedLambdaId>,
    prelude: Vec<Definition>,
    program: Vec<Definition>,
}

/// A definition at top level.
#[derive(Clone, Copy)]
pub struct Definition {
    /// What is defined.
    pub name: NameId,
    /// Where the name stands.
    pub span: Span,
    /// As what.
    pub node: NodeId,
}

/// What a procedure reaches.
#[derive(Default)]
pub struct Reached {
    /// The procedures, itself first, in the order in which they are met.
    pub procedures: Vec<(Variable, NamedLambdaId)>,
    /// The primitives.
    pub primitives: BTreeSet<Primitive>,
    /// The names that they bind.
    pub bound: HashSet<NameId>,
    /// Whether procedures are values somewhere, not only called by their names.
    pub values: bool,
    /// Whether a primitive is reached that takes any value as a whole: an operator, `equal?`, `write`, ...
    pub wholes: bool,
}

/// How a primitive treats a procedure in its argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Treatment {
    /// Its argument is reals.
    Reals,
    /// It asks whether it is something.
    Asks,
    /// It takes a pair apart.
    Part,
    /// `cons` as a value.
    Pair,
    /// It makes vectors or takes them apart.
    Elements,
    /// `if-procedure` calls it.
    Calls,
    /// It takes any value as a whole.
    Whole,
}

/// How a primitive treats a procedure in its argument.
pub fn treatment(primitive: Primitive) -> Treatment {
    match primitive.row().form {
        Form::Fold { .. }
        | Form::Unary(_)
        | Form::Binary(_)
        | Form::UnaryOrBinary(..)
        | Form::Chain(_)
        | Form::AgainstZero(_)
        | Form::Real
        | Form::ReadReal
        | Form::WriteReal => Treatment::Reals,
        Form::OnVector(OnVector::Size | OnVector::Iterations) => Treatment::Reals,
        Form::Ask(_) | Form::OnVector(OnVector::Length) => Treatment::Asks,
        Form::OnVector(
            OnVector::Element
            | OnVector::Replace
            | OnVector::Append
            | OnVector::ToList
            | OnVector::FromList
            | OnVector::OfLength,
        ) => Treatment::Elements,
        Form::First | Form::Second => Treatment::Part,
        Form::Pair => Treatment::Pair,
        Form::Control(Control::IfProcedure) => Treatment::Calls,
        Form::SameValue
        | Form::Zero
        | Form::Plus
        | Form::TransformForward
        | Form::Bundle
        | Form::PrimalOf
        | Form::TangentOf
        | Form::Mark(_)
        | Form::Unmark(_)
        | Form::Invert(_)
        | Form::Write
        | Form::Control(
            Control::Forward
            | Control::Reverse
            | Control::CountSteps
            | Control::Interrupt
            | Control::Resume
            | Control::Checkpoint(_),
        ) => Treatment::Whole,
    }
}

impl Source {
    /// The program again as named core, and what a name means at its top level.
    ///
    /// # Errors
    /// The name is not defined.
    pub fn of(program: &Program, name: &str) -> Result<(Source, Variable), Box<Diagnostic>> {
        let again = load::expanded(Input::Kept(KeptSources::of(program)), &Options::default());
        let Ok(Expanded { mut names, mut named, prelude, mut items }) = again else {
            internal_bug!("a program that was read can be read again")
        };
        // The name is looked up as if it stood below the program.
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

    /// The procedure that a variable of a pattern is, if `let` makes it one that is written there.
    pub fn bound_lambda(&self, pattern: NamedPatternId) -> Option<NamedLambdaId> {
        self.named_lambdas.get(&pattern).copied()
    }

    /// The definition that a variable refers to, if it refers to one.
    pub fn definition(&self, variable: Variable) -> Option<Definition> {
        match variable {
            Variable::Program(place) => self.program.get(place as usize).copied(),
            Variable::Prelude(place) => self.prelude.get(place as usize).copied(),
            Variable::Pattern(_) | Variable::Member(..) | Variable::Primitive(_) => None,
        }
    }

    /// Whether the program itself defines a name.
    pub fn defines(&self, name: &str) -> bool {
        self.defined().any(|defined| defined == name)
    }

    /// The names that the program defines.
    pub fn defined(&self) -> impl Iterator<Item = &str> {
        self.program.iter().map(|definition| self.names.text(definition.name))
    }

    /// The procedure that a top-level name is defined as.
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

    /// What the variable of a node refers to.
    pub fn variable(&self, node: NodeId) -> Variable {
        match self.scopes.variable(node) {
            Some(variable) => variable,
            None => internal_bug!("every name of a program is defined"),
        }
    }

    /// The code of the procedure that a name is to show.
    ///
    /// # Errors
    /// It is no procedure that is written out.
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

    /// What a procedure reaches.
    pub fn reached(&self, root: Variable, lambda: NamedLambdaId) -> Reached {
        let mut reached = Reached { procedures: vec![(root, lambda)], ..Reached::default() };
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

    fn bound(&self, pattern: NamedPatternId, reached: &mut Reached) {
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

    fn reach(&self, variable: Variable, called: bool, seen: &mut HashSet<Variable>, reached: &mut Reached) {
        match variable {
            Variable::Pattern(_) => {}
            Variable::Member(..) => reached.values |= !called,
            Variable::Primitive(primitive) => {
                reached.values |= !called;
                reached.wholes |= treatment(primitive) == Treatment::Whole;
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

    /// The parts of a pattern with the operands that are written for them.
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

    /// The name of the primitive that an expression is, if it is one that takes values as a whole.
    pub fn takes_wholes(&self, operator: NodeId) -> Option<&'static str> {
        match self.named.node(operator) {
            Node::Variable(_) => match self.variable(operator) {
                Variable::Primitive(primitive) if treatment(primitive) == Treatment::Whole => Some(primitive.name()),
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

    /// What procedure of the code around stands in an operand and cannot be given away as a value, if one does.
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
    pub fn constant(&self, constant: NamedConstantId) -> String {
        let value = self.named.constant(constant);
        let mut text = vec![];
        if let Value::Pair(_) | Value::Nil = value {
            text.push(b'\'');
        }
        // Writing to a vector cannot fail, and no constant is a procedure, which the program would be asked about.
        let _ = print::write_value(&mut text, &Program::default(), value, Notation::Shortest);
        String::from_utf8_lossy(&text).into_owned()
    }
}

fn definitions(items: &[NamedItem]) -> Vec<Definition> {
    let definition = |item: &NamedItem| match *item {
        NamedItem::Define(name, span, node) => Some(Definition { name, span, node }),
        NamedItem::Expression(_) => None,
    };
    items.iter().filter_map(definition).collect()
}
