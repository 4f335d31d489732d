//! Lambda lifting of local procedures that are passed as values to a primitive that takes values as a whole. An
//! operator of differentiation expects a tagged procedure, and a procedure transformed as code has no tag.
//!
//! A procedure that uses the variables a and b is the result of applying `(lambda (a b) code)` to them. So its bundle
//! is `((j* (lambda (a b) code)) (cons> a> b>))`, with the code as it is written in the program.

use crate::resolve::scope::Variable;
use crate::transformation::source::Source;
use crate::vlad::Vlad;
use crate::vlad::syntax::lexer::{self, TokenKind};
use std::collections::HashSet;
use vlad_core::diagnostic::Report;
use vlad_core::print::layout::{Layout, LineBreaks};
use vlad_core::source::Span;
use vlad_language::named::{NamedLambdaId, NamedPattern, Node, NodeId};
use vlad_language::names::{NameId, Names};
use vlad_language::{Encoding, Language};

/// The greatest size in bytes of code that is lifted: nested procedures are read once for each enclosing one.
const LONGEST: usize = 10_000;

/// A procedure lifted to a value.
pub struct Lifted {
    /// The variables that it uses, with their names.
    pub captures: Vec<(Variable, NameId)>,
    /// The procedure that returns it when applied to its variables; if it uses none, the code of its value.
    pub code: Layout,
}

/// The form of an expression that is a local procedure.
enum LocalProcedure {
    Lambda(NamedLambdaId),
    /// A member of a `letrec`: the procedures with their names, and the name of the member.
    Member(Vec<(NameId, NamedLambdaId)>, NameId),
}

impl Source {
    /// Returns true if an expression is a local procedure: written there, or referred to by its name.
    pub fn is_local_procedure(&self, node: NodeId) -> bool {
        self.written(node).is_some()
    }

    fn written(&self, node: NodeId) -> Option<LocalProcedure> {
        match self.named.node(node) {
            Node::Lambda(lambda) => Some(LocalProcedure::Lambda(lambda)),
            Node::Variable(name) => match self.variable(node) {
                Variable::Member(group, _) => Some(LocalProcedure::Member(self.named.group(group).to_vec(), name)),
                Variable::Pattern(pattern) => self.bound_lambda(pattern).map(LocalProcedure::Lambda),
                Variable::Program(_) | Variable::Prelude(_) | Variable::Primitive(_) => None,
            },
            Node::Constant(_) | Node::Application(..) | Node::Cons(..) | Node::If(..) | Node::Letrec(..) => None,
        }
    }

    /// Returns a local procedure as a lifted value; none if it uses other local procedures, is written as a named `let`
    /// or in another language than VLAD, or is longer than `LONGEST`.
    pub fn lifted(&self, node: NodeId) -> Option<Lifted> {
        let written = self.written(node)?;
        let lambdas: Vec<NamedLambdaId> = match &written {
            LocalProcedure::Lambda(lambda) => vec![*lambda],
            LocalProcedure::Member(members, _) => members.iter().map(|(_, lambda)| *lambda).collect(),
        };
        let length = |lambda: &NamedLambdaId| {
            let Span { start, end, .. } = self.named.lambda(*lambda).span;
            end.saturating_sub(start) as usize
        };
        if lambdas.iter().map(length).sum::<usize>() > LONGEST {
            return None;
        }
        let own = match (&written, self.named.node(node)) {
            (LocalProcedure::Member(..), Node::Variable(_)) => Some(self.variable(node)),
            _ => None,
        };
        let captures = self.captures(&lambdas, own)?;
        let mut code = Layout::default();
        match &written {
            LocalProcedure::Lambda(lambda) if captures.is_empty() => self.write(*lambda, "lambda", &mut code)?,
            LocalProcedure::Lambda(lambda) => {
                self.open(&captures, &mut code);
                self.write(*lambda, "lambda", &mut code)?;
                code.close();
            }
            LocalProcedure::Member(members, name) => {
                // Without captured variables it is called at once.
                if captures.is_empty() {
                    code.open_as(LineBreaks::Call);
                }
                self.open(&captures, &mut code);
                for (name, lambda) in members {
                    if self.write(*lambda, "define", &mut code).is_none() {
                        code.open_as(LineBreaks::Body);
                        code.atom("define");
                        code.atom(self.names.text(*name));
                        self.write(*lambda, "lambda", &mut code)?;
                        code.close();
                    }
                }
                code.atom(self.names.text(*name));
                code.close();
                if captures.is_empty() {
                    code.close();
                }
            }
        }
        Some(Lifted { captures, code })
    }

    fn open(&self, captures: &[(Variable, NameId)], code: &mut Layout) {
        code.open_as(LineBreaks::Body);
        code.atom("lambda");
        code.open_as(LineBreaks::Call);
        captures.iter().for_each(|(_, name)| code.atom(self.names.text(*name)));
        code.close();
    }

    /// Returns the enclosing variables that some procedures use, in order; none if one of them is a local procedure.
    fn captures(&self, lambdas: &[NamedLambdaId], own: Option<Variable>) -> Option<Vec<(Variable, NameId)>> {
        let mut used = vec![];
        let mut met = HashSet::new();
        let mut bound = HashSet::new();
        let mut groups = HashSet::new();
        if let Some(Variable::Member(group, _)) = own {
            groups.insert(group);
        }
        let mut patterns = vec![];
        let mut tasks = vec![];
        for lambda in lambdas.iter().rev() {
            let lambda = self.named.lambda(*lambda);
            patterns.push(lambda.pattern);
            tasks.push(lambda.body);
        }
        while let Some(node) = tasks.pop() {
            match self.named.node(node) {
                Node::Constant(_) => {}
                Node::Variable(name) => {
                    let variable = self.variable(node);
                    if matches!(variable, Variable::Pattern(_) | Variable::Member(..)) && met.insert(variable) {
                        used.push((variable, name));
                    }
                }
                Node::Lambda(lambda) => {
                    let lambda = self.named.lambda(lambda);
                    patterns.push(lambda.pattern);
                    tasks.push(lambda.body);
                }
                Node::Application(first, second) | Node::Cons(first, second) => tasks.extend([second, first]),
                Node::If(test, consequent, alternative) => tasks.extend([alternative, consequent, test]),
                Node::Letrec(group, body) => {
                    groups.insert(group);
                    tasks.push(body);
                    for (_, lambda) in self.named.group(group).iter().rev() {
                        let lambda = self.named.lambda(*lambda);
                        patterns.push(lambda.pattern);
                        tasks.push(lambda.body);
                    }
                }
            }
        }
        while let Some(pattern) = patterns.pop() {
            match self.named.pattern(pattern) {
                NamedPattern::Variable(_) => {
                    bound.insert(pattern.0);
                }
                NamedPattern::Constant(_) => {}
                NamedPattern::Pair(first, second) => patterns.extend([second, first]),
            }
        }
        used.retain(|(variable, _)| match variable {
            Variable::Pattern(pattern) => !bound.contains(&pattern.0),
            Variable::Member(group, _) => !groups.contains(group),
            Variable::Program(_) | Variable::Prelude(_) | Variable::Primitive(_) => false,
        });
        let is_code = |variable: &Variable| match variable {
            Variable::Pattern(pattern) => self.bound_lambda(*pattern).is_some(),
            Variable::Member(..) => true,
            Variable::Program(_) | Variable::Prelude(_) | Variable::Primitive(_) => false,
        };
        if used.iter().any(|(variable, _)| is_code(variable)) { None } else { Some(used) }
    }

    /// Copies the text of a procedure from the program, if it is written in VLAD with that keyword.
    fn write(&self, lambda: NamedLambdaId, keyword: &str, code: &mut Layout) -> Option<()> {
        let Span { file, .. } = self.named.lambda(lambda).span;
        if self.texts.get(file).is_none_or(|file| file.language != Vlad.name()) {
            return None;
        }
        let text = self.texts.text(self.named.lambda(lambda).span);
        let mut report = Report::default();
        let tokens = lexer::lex(file, text, Encoding::Sound, &mut Names::new(), &mut report).tokens;
        let slice = |start: u32, end: u32| text.get(start as usize..end as usize).unwrap_or_default();
        let mut tokens = tokens.iter().peekable();
        let mut first = true;
        while let Some(token) = tokens.next() {
            match token.kind {
                TokenKind::Open(_) => {
                    let head = tokens.peek().map_or("", |next| slice(next.start, next.end));
                    if first && head != keyword {
                        return None;
                    }
                    first = false;
                    let is_body = matches!(head, "define" | "lambda" | "let" | "let*" | "letrec");
                    code.open_as(if is_body { LineBreaks::Body } else { LineBreaks::Call });
                }
                TokenKind::OpenVector(_) => code.open_vector(),
                TokenKind::Close(_) => code.close(),
                TokenKind::Quote | TokenKind::DatumComment | TokenKind::Dot | TokenKind::Atom(_) => {
                    code.atom(slice(token.start, token.end));
                }
            }
        }
        (report.is_empty() && !first).then_some(())
    }
}
