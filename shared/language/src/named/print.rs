//! The printer of named core, for `vlad show named` and tests.
//!
//! Invariant: reading the text gives the same named core, except for names that no program in VLAD can write, such as
//! the variables of `or` and `begin` (`#or`, `#ignored`), and for an application of the procedure `cons`. Operands are
//! shown as the tuple that they form, except where the number of written operands matters. `((lambda (p) e) e)` is
//! shown as the equivalent `(let ((p e)) e)`, and the expansion of `(vector e ...)` as `(vector e ...)`. The prelude is
//! left out.

use crate::named::{Named, NamedGroupId, NamedItem, NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId};
use crate::names::{Keyword, NameId, Names};
use vlad_core::ConstantId;
use vlad_core::print::layout::Layout;
use vlad_table::Primitive;

/// The procedure that the expansion of `vector` applies.
const LIST_TO_VECTOR: NameId = Names::primitive(Primitive::ListToVector);

/// Prints the top-level items of a program, in order.
pub fn print(named: &Named, names: &Names, items: &[NamedItem]) -> String {
    let mut printer = Printer { named, names, layout: Layout::default(), tasks: vec![] };
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

/// A pending part of the printing worklist.
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
                Node::Variable(LIST_TO_VECTOR) => self.vector(operand),
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

    /// Prints an application whose operator depends on the number of written operands.
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

    /// Prints `(vector e ...)`, given the list of its elements.
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
        let mark = if self.names.is_readable(name) { "" } else { "#" };
        self.layout.atom(format!("{mark}{}", self.names.text(name)));
    }

    fn constant(&mut self, constant: ConstantId) {
        self.layout.atom(self.named.constants().expression(constant));
    }
}
