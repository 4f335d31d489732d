//! The forward transformation of code (TR-ECE-08-01, section 4.1), with e> for the transformed e:
//!
//! ```text
//! c                ~>  (j* c)
//! x                ~>  x>
//! (lambda x e)     ~>  (lambda x> e>)
//! (e1 e2)          ~>  (e1> e2>)
//! (cons e1 e2)     ~>  (cons> e1> e2>)
//! (if e1 e2 e3)    ~>  (if (primal e1>) e2> e3>)
//! (letrec ((f e1)) e2)  ~>  (letrec ((f> e1>)) e2>)
//! ```
//!
//! A pattern is matched part by part, since a bundle of a pair is no pair. An applied lambda is shown as `let`.

use crate::resolve::scope::Variable;
use crate::transformation::helper_names::Preamble;
use crate::transformation::lifting::Lifted;
use crate::transformation::modes::TopValues;
use crate::transformation::source::Source;
use crate::transformation::spelling::Spelling;
use vlad_core::print::layout::{Layout, LineBreaks};
use vlad_language::named::{NamedLambda, NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId};
use vlad_language::names::NameId;

/// Returns the definition of a transformed procedure, after a comment if parts of it may not run.
pub fn definition(
    source: &Source,
    spelling: &Spelling,
    preamble: &Preamble,
    top_values: TopValues,
    (variable, lambda): (Variable, NamedLambdaId),
) -> String {
    let mut printer =
        Printer { source, spelling, preamble, top_values, text: Layout::default(), tasks: vec![], notes: vec![] };
    let NamedLambda { pattern, body, .. } = source.named.lambda(lambda);
    printer.text.open_as(LineBreaks::Body);
    printer.text.atom("define");
    printer.text.open_as(LineBreaks::Call);
    printer.text.atom(spelling.top(variable));
    printer.tasks.push(Task::Close);
    let patterns = printer.parameter(pattern, LineBreaks::Call);
    printer.body(body, patterns);
    printer.run();
    let notes: String = printer.notes.iter().map(|note| format!("; {note}\n")).collect();
    notes + &printer.text.finish()
}

/// A pending part of the printing worklist.
enum Task {
    /// The value of an expression.
    Value(NodeId),
    /// An expression as the operator of an application.
    Operator(NodeId),
    /// An expression as the operand of an application: procedures in it are lifted.
    Operand(NodeId),
    /// `((name value))`, of a binding.
    Bind(String, NodeId),
    /// A binding of the two parts of a value.
    BindParts(String, String, NodeId),
    /// A body within the matching of patterns.
    Matched(Vec<(NamedPatternId, String)>, NodeId),
    /// A member of a group.
    Member(NameId, NamedLambdaId),
    Close,
}

struct Printer<'code> {
    source: &'code Source,
    spelling: &'code Spelling,
    preamble: &'code Preamble,
    top_values: TopValues,
    text: Layout,
    tasks: Vec<Task>,
    notes: Vec<String>,
}

impl Printer<'_> {
    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Value(node) => self.value(node),
                Task::Operator(node) => self.operator(node),
                Task::Operand(node) => self.operand(node),
                Task::Bind(name, node) => {
                    self.text.open_as(LineBreaks::List);
                    self.text.atom(name);
                    self.tasks.extend([Task::Close, Task::Value(node)]);
                }
                Task::BindParts(first, second, node) => {
                    self.text.open_as(LineBreaks::List);
                    self.text.call(["cons", &first, &second]);
                    self.text.open_as(LineBreaks::Call);
                    self.text.atom(&self.preamble.split);
                    self.tasks.extend([Task::Close, Task::Close, Task::Value(node)]);
                }
                Task::Matched(patterns, body) => self.body(body, patterns),
                Task::Member(name, lambda) => {
                    self.text.open_as(LineBreaks::List);
                    self.text.atom(self.name(name));
                    self.tasks.push(Task::Close);
                    self.lambda(lambda);
                }
                Task::Close => self.text.close(),
            }
        }
    }

    fn name(&self, name: NameId) -> String {
        format!("{}{}", self.spelling.base(&self.source.names, name), self.spelling.value)
    }

    /// Prints the parameter of a procedure and closes its list; returns the patterns that remain to be matched.
    fn parameter(&mut self, pattern: NamedPatternId, shape: LineBreaks) -> Vec<(NamedPatternId, String)> {
        if shape == LineBreaks::List {
            self.text.open_as(LineBreaks::Call);
        }
        let (name, rest) = match self.source.named.pattern(pattern) {
            NamedPattern::Variable(name) => (self.name(name), vec![]),
            NamedPattern::Constant(_) | NamedPattern::Pair(..) => {
                (self.preamble.argument.clone(), vec![(pattern, self.preamble.argument.clone())])
            }
        };
        self.text.atom(name);
        self.text.close();
        rest
    }

    /// Prints the matching of patterns, and then a body.
    fn body(&mut self, body: NodeId, patterns: Vec<(NamedPatternId, String)>) {
        if patterns.is_empty() {
            self.tasks.push(Task::Value(body));
            return;
        }
        let one = matches!(patterns.as_slice(), [(pattern, _)] if self.fits_binding(*pattern));
        self.text.open_as(LineBreaks::Body);
        self.text.atom(if one { "let" } else { "let*" });
        self.text.open_as(LineBreaks::List);
        let mut pending: Vec<_> = patterns.into_iter().rev().collect();
        let mut parts = 0;
        while let Some((pattern, whole)) = pending.pop() {
            self.text.open_as(LineBreaks::List);
            match self.source.named.pattern(pattern) {
                NamedPattern::Variable(name) => {
                    self.text.atom(self.name(name));
                    self.text.atom(whole);
                }
                NamedPattern::Constant(constant) => {
                    self.text.atom(self.source.constant(constant));
                    self.text.call(["primal", &whole]);
                }
                NamedPattern::Pair(first, second) => {
                    let mut of_part = |part| match self.source.named.pattern(part) {
                        NamedPattern::Variable(name) => (self.name(name), None),
                        NamedPattern::Constant(_) | NamedPattern::Pair(..) => {
                            parts += 1;
                            let name = self.preamble.part(parts, &self.spelling.value);
                            (name.clone(), Some((part, name)))
                        }
                    };
                    let ((first, in_first), (second, in_second)) = (of_part(first), of_part(second));
                    self.text.call(["cons", &first, &second]);
                    self.text.call([self.preamble.split.as_str(), &whole]);
                    pending.extend([in_second, in_first].into_iter().flatten());
                }
            }
            self.text.close();
        }
        self.text.close();
        self.tasks.extend([Task::Close, Task::Value(body)]);
    }

    fn value(&mut self, node: NodeId) {
        match self.source.named.node(node) {
            Node::Constant(constant) => self.text.call(["j*", &self.source.constant(constant)]),
            Node::Variable(name) => self.variable(name, self.source.variable(node)),
            Node::Lambda(lambda) => self.lambda(lambda),
            Node::Application(operator, operand) => match self.source.named.node(operator) {
                Node::Lambda(lambda) => self.applied_lambda(lambda, operand),
                Node::Constant(_)
                | Node::Variable(_)
                | Node::Application(..)
                | Node::Cons(..)
                | Node::If(..)
                | Node::Letrec(..) => {
                    self.note_application(operator, operand);
                    self.text.open_as(LineBreaks::Call);
                    self.tasks.extend([Task::Close, Task::Operand(operand), Task::Operator(operator)]);
                }
            },
            Node::Cons(first, second) => {
                self.text.open_as(LineBreaks::Call);
                self.text.atom(&self.preamble.cons);
                self.tasks.extend([Task::Close, Task::Value(second), Task::Value(first)]);
            }
            Node::If(test, consequent, alternative) => {
                self.text.open_as(LineBreaks::Call);
                self.text.atom("if");
                self.text.open_as(LineBreaks::Call);
                self.text.atom(&self.preamble.test);
                self.tasks.extend([Task::Close, Task::Value(alternative), Task::Value(consequent)]);
                self.tasks.extend([Task::Close, Task::Value(test)]);
            }
            Node::Letrec(group, body) => {
                self.text.open_as(LineBreaks::Body);
                self.text.atom("letrec");
                self.text.open_as(LineBreaks::List);
                self.tasks.extend([Task::Close, Task::Value(body), Task::Close]);
                let members = self.source.named.group(group).iter().rev();
                self.tasks.extend(members.map(|(name, lambda)| Task::Member(*name, *lambda)));
            }
        }
    }

    fn operator(&mut self, node: NodeId) {
        if let Node::Variable(_) = self.source.named.node(node)
            && self.is_code(self.source.variable(node))
        {
            self.text.atom(self.spelling.top(self.source.variable(node)));
        } else {
            self.value(node);
        }
    }

    fn operand(&mut self, node: NodeId) {
        if let Node::Cons(first, second) = self.source.named.node(node) {
            self.text.open_as(LineBreaks::Call);
            self.text.atom(&self.preamble.cons);
            self.tasks.extend([Task::Close, Task::Operand(second), Task::Operand(first)]);
        } else if self.top_values == TopValues::Tagged
            && let Some(lifted) = self.source.lifted(node)
        {
            self.lifted(lifted);
        } else {
            self.value(node);
        }
    }

    /// Prints a lifted procedure as a bundle.
    fn lifted(&mut self, Lifted { captures, code }: Lifted) {
        let names: Vec<String> = captures.iter().map(|(_, name)| self.name(*name)).collect();
        if !names.is_empty() {
            self.text.open_as(LineBreaks::Call);
        }
        self.text.open_as(LineBreaks::Call);
        self.text.atom("j*");
        self.text.append(code);
        self.text.close();
        let Some((last, others)) = names.split_last() else { return };
        for name in others {
            self.text.open_as(LineBreaks::Call);
            self.text.atom(&self.preamble.cons);
            self.text.atom(name);
        }
        self.text.atom(last);
        others.iter().for_each(|_| self.text.close());
        self.text.close();
    }

    /// Returns true if a variable is transformed at top level.
    fn is_code(&self, variable: Variable) -> bool {
        matches!(variable, Variable::Primitive(_)) || self.source.procedure(variable).is_some()
    }

    fn variable(&mut self, name: NameId, variable: Variable) {
        match variable {
            Variable::Pattern(_) | Variable::Member(..) => self.text.atom(self.name(name)),
            Variable::Program(_) | Variable::Prelude(_) | Variable::Primitive(_) => {
                if self.is_code(variable) && self.top_values == TopValues::AsCode {
                    self.text.atom(self.spelling.top(variable));
                } else {
                    self.text.call(["j*", self.source.names.text(name)]);
                }
            }
        }
    }

    fn lambda(&mut self, lambda: NamedLambdaId) {
        let NamedLambda { pattern, body, .. } = self.source.named.lambda(lambda);
        self.text.open_as(LineBreaks::Body);
        self.text.atom("lambda");
        self.tasks.push(Task::Close);
        let patterns = self.parameter(pattern, LineBreaks::List);
        self.body(body, patterns);
    }

    /// Prints a `let`: one binding for each operand that has a pattern of its own. Nested ones are one `let*`.
    fn applied_lambda(&mut self, lambda: NamedLambdaId, operand: NodeId) {
        let NamedLambda { pattern, body, .. } = self.source.named.lambda(lambda);
        let mut bindings = self.source.bindings(pattern, operand);
        let mut body = body;
        let fits = bindings.len() == 1 && bindings.iter().all(|(pattern, _)| self.fits_binding(*pattern));
        let mut sequence = false;
        while fits
            && let Node::Application(operator, operand) = self.source.named.node(body)
            && let Node::Lambda(next) = self.source.named.node(operator)
        {
            let next = self.source.named.lambda(next);
            let more = self.source.bindings(next.pattern, operand);
            if more.len() != 1 || !more.iter().all(|(pattern, _)| self.fits_binding(*pattern)) {
                break;
            }
            sequence = true;
            bindings.extend(more);
            body = next.body;
        }
        self.text.open_as(LineBreaks::Body);
        self.text.atom(if sequence { "let*" } else { "let" });
        self.text.open_as(LineBreaks::List);
        let mut unmatched = vec![];
        let mut tasks = vec![];
        let mut parts = 0;
        for (pattern, operand) in bindings {
            tasks.push(match self.source.named.pattern(pattern) {
                NamedPattern::Variable(name) => Task::Bind(self.name(name), operand),
                NamedPattern::Pair(first, second) if self.fits_binding(pattern) => {
                    let part = |part| match self.source.named.pattern(part) {
                        NamedPattern::Variable(name) => self.name(name),
                        NamedPattern::Constant(_) | NamedPattern::Pair(..) => String::new(),
                    };
                    Task::BindParts(part(first), part(second), operand)
                }
                NamedPattern::Constant(_) | NamedPattern::Pair(..) => {
                    parts += 1;
                    let name = self.preamble.bound(parts, &self.spelling.value);
                    unmatched.push((pattern, name.clone()));
                    Task::Bind(name, operand)
                }
            });
        }
        self.tasks.extend([Task::Close, Task::Matched(unmatched, body), Task::Close]);
        self.tasks.extend(tasks.into_iter().rev());
    }

    /// Returns true if a binding alone matches a pattern.
    fn fits_binding(&self, pattern: NamedPatternId) -> bool {
        let is_variable = |pattern| matches!(self.source.named.pattern(pattern), NamedPattern::Variable(_));
        match self.source.named.pattern(pattern) {
            NamedPattern::Variable(_) => true,
            NamedPattern::Constant(_) => false,
            NamedPattern::Pair(first, second) => is_variable(first) && is_variable(second),
        }
    }

    /// Records the application of a primitive that takes values as a whole to a local procedure that cannot be lifted.
    fn note_application(&mut self, operator: NodeId, operand: NodeId) {
        let Some(primitive) = self.source.takes_wholes(operator) else { return };
        if let Some(what) = self.source.local_procedure_in(operand) {
            self.notes.push(not_to_be_run(primitive, &what, &self.spelling.value));
        }
    }
}

/// Returns the note about a primitive applied to a local procedure.
pub fn not_to_be_run(primitive: &str, what: &str, mark: &str) -> String {
    format!("Not to be run: `{primitive}{mark}` is given {what}, and has no tag to know it by.")
}
