//! Named core as text, for `vlad show named` and tests.
//!
//! Invariant: the text reads as the same named core, but for the variables of `or` and `begin`, which no program can
//! name (`#or`, `#ignored`), and for an application of the procedure `cons`. Operands are shown as the tuple that they are, but
//! where it matters how many are written. `((lambda (p) e) e)` is shown as
//! `(let ((p e)) e)`, which is the same, and what `(vector e ...)` means as that. The prelude is left out.

use super::named::{
    Named, NamedConstantId, NamedGroupId, NamedItem, NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId,
};
use crate::core::Program;
use crate::print::{self, Notation};
use crate::syntax::layout::Layout;
use crate::syntax::names::{Keyword, NameId, Names};
use crate::value::Value;

/// The items of a program, one after the other.
pub fn print(named: &Named, names: &Names, items: &[NamedItem]) -> String {
    let mut printer =
        Printer { named, names, no_program: Program::default(), layout: Layout::default(), tasks: vec![] };
    for item in items {
        match *item {
            NamedItem::Define(name, _, node) => {
                printer.layout.open("(");
                printer.layout.atom("define");
                printer.variable(name);
                printer.tasks.extend([Task::Close, Task::Node(node)]);
            }
            NamedItem::Expression(node) => printer.tasks.push(Task::Node(node)),
        }
        printer.run();
    }
    printer.layout.finish()
}

/// What is still to be printed.
enum Task {
    /// An expression.
    Node(NodeId),
    /// A pattern.
    Pattern(NamedPatternId),
    /// A member of a group.
    Member(NameId, NamedLambdaId),
    /// The end of a list.
    Close,
}

struct Printer<'loading> {
    named: &'loading Named,
    names: &'loading Names,
    /// Printing a value asks a program for the names of procedures, and no constant is one.
    no_program: Program,
    layout: Layout,
    tasks: Vec<Task>,
}

impl Printer<'_> {
    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Node(node) => self.node(node),
                Task::Pattern(pattern) => self.pattern(pattern),
                Task::Member(name, lambda) => {
                    self.layout.open("(");
                    self.variable(name);
                    self.tasks.push(Task::Close);
                    self.lambda(lambda);
                }
                Task::Close => self.layout.close(),
            }
        }
    }

    fn node(&mut self, node: NodeId) {
        match self.named.node(node) {
            Node::Constant(constant) => self.constant(constant),
            Node::Variable(name) => self.variable(name),
            Node::Lambda(lambda) => self.lambda(lambda),
            Node::Application(operator, operand) => match self.named.node(operator) {
                Node::Lambda(lambda) => self.applied_lambda(lambda, operand),
                Node::Variable(Names::LIST_TO_VECTOR) => self.vector(operand),
                Node::Constant(_)
                | Node::Variable(_)
                | Node::Application(..)
                | Node::Cons(..)
                | Node::If(..)
                | Node::Letrec(..) => match self.named.operands_of(operator) {
                    Some(written) => self.as_written(operator, operand, written),
                    None => self.list(None, &[operator, operand]),
                },
            },
            Node::Cons(first, second) => self.list(Some("cons"), &[first, second]),
            Node::If(test, consequent, alternative) => self.list(Some("if"), &[test, consequent, alternative]),
            Node::Letrec(group, body) => self.letrec(group, body),
        }
    }

    /// An application whose operator minds how many operands are written.
    fn as_written(&mut self, operator: NodeId, operand: NodeId, written: usize) {
        let (mut parts, mut rest) = (vec![operator], operand);
        for _ in 1..written {
            let Node::Cons(first, second) = self.named.node(rest) else { break };
            parts.push(first);
            rest = second;
        }
        if written > 0 {
            parts.push(rest);
        }
        self.list(None, &parts);
    }

    /// `(vector e ...)`, by the list of its elements.
    fn vector(&mut self, list: NodeId) {
        let (mut elements, mut rest) = (vec![], list);
        while let Node::Cons(first, second) = self.named.node(rest) {
            elements.push(first);
            rest = second;
        }
        self.list(Some(Keyword::Vector.text()), &elements);
    }

    fn list(&mut self, keyword: Option<&str>, parts: &[NodeId]) {
        self.layout.open("(");
        if let Some(keyword) = keyword {
            self.layout.atom(keyword);
        }
        self.tasks.push(Task::Close);
        self.tasks.extend(parts.iter().rev().map(|part| Task::Node(*part)));
    }

    fn lambda(&mut self, lambda: NamedLambdaId) {
        let lambda = self.named.lambda(lambda);
        self.layout.open("(");
        self.layout.atom("lambda");
        self.layout.open("(");
        self.tasks.extend([Task::Close, Task::Node(lambda.body), Task::Close, Task::Pattern(lambda.pattern)]);
    }

    fn applied_lambda(&mut self, lambda: NamedLambdaId, operand: NodeId) {
        let lambda = self.named.lambda(lambda);
        self.layout.open("(");
        self.layout.atom("let");
        self.layout.open("(");
        self.layout.open("(");
        self.tasks.extend([Task::Close, Task::Node(lambda.body), Task::Close, Task::Close]);
        self.tasks.extend([Task::Node(operand), Task::Pattern(lambda.pattern)]);
    }

    fn letrec(&mut self, group: NamedGroupId, body: NodeId) {
        self.layout.open("(");
        self.layout.atom("letrec");
        self.layout.open("(");
        self.tasks.extend([Task::Close, Task::Node(body), Task::Close]);
        let members = self.named.group(group).iter().rev();
        self.tasks.extend(members.map(|(name, lambda)| Task::Member(*name, *lambda)));
    }

    fn pattern(&mut self, pattern: NamedPatternId) {
        match self.named.pattern(pattern) {
            NamedPattern::Variable(name) => self.variable(name),
            NamedPattern::Constant(constant) => self.constant(constant),
            NamedPattern::Pair(first, second) => {
                self.layout.open("(");
                self.layout.atom("cons");
                self.tasks.extend([Task::Close, Task::Pattern(second), Task::Pattern(first)]);
            }
        }
    }

    fn variable(&mut self, name: NameId) {
        let mark = if name == Names::OR_VALUE || name == Names::IGNORED { "#" } else { "" };
        self.layout.atom(format!("{mark}{}", self.names.text(name)));
    }

    fn constant(&mut self, constant: NamedConstantId) {
        let value = self.named.constant(constant);
        let mut text = vec![];
        if let Value::Pair(_) = value {
            text.push(b'\'');
        }
        // Writing to a vector cannot fail.
        let _ = print::write_value(&mut text, &self.no_program, value, Notation::Shortest);
        self.layout.atom(String::from_utf8_lossy(&text));
    }
}
