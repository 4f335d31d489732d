//! The printers of tokens and of the syntax tree, for `vlad show`.

use crate::program::units::{BlockId, Node, Program, UnitId, UnitKind};
use crate::reading::nested;
use crate::syntax::lexer;
use crate::syntax::lines;
use crate::syntax::tree::{Action, Expr, ExprId, Row, Tree, Unary};
use std::fmt::Write;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::source::Span;
use vlad_language::names::Names;
use vlad_language::{ReadingContext, Text};
use vlad_table::number;

/// Describes the tokens of a text, one line for each statement: line and column, label, tokens.
pub fn tokens(text: Text, reading: &mut ReadingContext<'_>) -> String {
    let Some(file) = reading.sources.get(text.file) else { return String::new() };
    let (lines, errors) = lines::lines(&file.text);
    for (start, end, message) in errors {
        reading.report.push(Diagnostic::new(Kind::Read, Span::new(text.file, start, end), message));
    }
    let (mut out, mut tokens) = (String::new(), vec![]);
    for line in lines {
        tokens.clear();
        for (start, end) in lexer::lex(&line.text, &mut tokens) {
            let span = Span::new(text.file, line.source(start), line.source_end(end));
            reading.report.push(Diagnostic::new(Kind::Read, span, "no token begins here"));
        }
        let position = file.position(line.source(0));
        // Writing to a string cannot fail.
        let _ = write!(out, "{}:{}", position.line, position.column);
        if let Some((label, ..)) = line.label {
            let _ = write!(out, " label {label}");
        }
        for token in &tokens {
            let written = line.text.get(token.start as usize..token.end as usize).unwrap_or("");
            let _ = write!(out, " {written}");
        }
        out.push('\n');
    }
    out
}

/// Describes the subprograms and statements of a text, nested by indentation.
pub fn tree(text: Text, reading: &mut ReadingContext<'_>) -> String {
    let Some((tree, program)) = nested(text, reading) else { return String::new() };
    let mut printer = Printer { tree: &tree, program: &program, names: reading.names, out: String::new() };
    for unit in program.unit_ids() {
        if program.unit(unit).parent.is_none() {
            printer.unit(unit, 0);
        }
    }
    printer.out
}

struct Printer<'text> {
    tree: &'text Tree,
    program: &'text Program,
    names: &'text Names,
    out: String,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "  ".repeat(depth));
    }

    fn unit(&mut self, unit: UnitId, depth: usize) {
        let about = self.program.unit(unit);
        let sort = match about.kind {
            UnitKind::Program => "program",
            UnitKind::Function(_) => "function",
            UnitKind::Subroutine => "subroutine",
        };
        let parameters: Vec<&str> = about.parameters.iter().map(|parameter| self.names.text(parameter.name)).collect();
        self.line(depth, &format!("{sort} {} ({})", self.names.text(about.name.name), parameters.join(" ")));
        for nested in &about.nested {
            self.unit(*nested, depth + 1);
        }
        self.block(about.body, depth + 1);
    }

    fn block(&mut self, block: BlockId, depth: usize) {
        for item in self.program.block(block) {
            let label = item.label.map(|label| format!("{} ", label.number)).unwrap_or_default();
            let mut roots = vec![];
            item.node.roots(&mut |root| roots.push(root));
            let roots: Vec<String> = roots.into_iter().map(|root| self.expression(root)).collect();
            let text = format!("{label}{} {}", word(&item.node), roots.join(" "));
            self.line(depth, text.trim_end());
            for block in item.node.blocks() {
                self.block(block, depth + 1);
            }
        }
    }

    /// Returns an expression in prefix form.
    fn expression(&self, root: ExprId) -> String {
        let (mut out, mut tasks) = (String::new(), vec![Task::Expression(root)]);
        while let Some(task) = tasks.pop() {
            let expression = match task {
                Task::Expression(id) => self.tree.expr(id),
                Task::Blank => {
                    out.push(' ');
                    continue;
                }
                Task::Close => {
                    out.push(')');
                    continue;
                }
            };
            let parts: Vec<ExprId> = match expression {
                Expr::Integer(value) => {
                    out.push_str(&number::format(value));
                    continue;
                }
                Expr::Real(value) => {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "(real {})", number::format(value));
                    continue;
                }
                Expr::Logical(value) => {
                    out.push_str(if value { ".TRUE." } else { ".FALSE." });
                    continue;
                }
                Expr::Name(name) => {
                    out.push_str(self.names.text(name));
                    continue;
                }
                Expr::Apply(name, parts) => {
                    let _ = write!(out, "({}", self.names.text(name));
                    self.tree.parts(parts).to_vec()
                }
                Expr::Unary(operation, operand) => {
                    let _ = write!(out, "({}", operator(operation));
                    vec![operand]
                }
                Expr::Binary(operation, first, second) => {
                    let _ = write!(out, "({}", operation.text());
                    vec![first, second]
                }
            };
            tasks.push(Task::Close);
            tasks.extend(parts.into_iter().rev().flat_map(|part| [Task::Expression(part), Task::Blank]));
        }
        out
    }
}

/// A pending part of the printing of an expression.
enum Task {
    Expression(ExprId),
    Blank,
    Close,
}

/// Returns the operator of one operand.
fn operator(operation: Unary) -> &'static str {
    match operation {
        Unary::Group => "group",
        Unary::Plus => "+",
        Unary::Minus => "-",
        Unary::Not => ".NOT.",
    }
}

/// Returns the word for a statement.
fn word(node: &Node) -> &'static str {
    match node {
        Node::Action(action) => match action {
            Action::Assign(..) => "=",
            Action::Call(_) => "call",
            Action::Continue => "continue",
            Action::Return => "return",
            Action::Stop => "stop",
            Action::Read(_) => "read",
            Action::Print(_) => "print",
            Action::Row(_, Row::Begin) => "row-begin",
            Action::Row(_, Row::Add(_)) => "row-add",
            Action::Row(_, Row::Print) => "row-print",
            Action::Goto(_) => "goto",
            Action::ComputedGoto(..) => "computed-goto",
            Action::ArithmeticIf(..) => "arithmetic-if",
            Action::Foreign { .. } => "foreign",
        },
        Node::If(..) => "if",
        Node::Do(..) => "do",
        Node::While(..) => "while",
        Node::Ad(mode, ..) => mode.block(),
    }
}
