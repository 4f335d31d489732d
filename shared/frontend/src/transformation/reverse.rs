//! The reverse transformation of code (Pearlmutter and Siskind 2008), for a body in statements, with x< for the
//! reversed x, y~ for the backpropagator of the call that returned y, and x^ for the sensitivity of x:
//!
//! ```text
//!                   forward phase, in order          reverse phase, in opposite order
//! y = (f x)         ((cons y< y~) (f< x<))           ((cons f^ x^) (y~ y^))
//! y = (cons a b)    (y< (cons< a< b<))               ((cons a^ b^) y^)
//! (cons a b) = p    ((cons a< b<) (parts< p<))       (p^ (cons a^ b^))
//! y = (if t e1 e2)  ((cons y< y~) (if t e1< e2<))    ((cons a^ ...) (y~ y^))
//! f = (lambda x e)  (f< (lambda (x<) e<))            ((cons a^ ...) f^)
//! ```
//!
//! where a, ... are the variables that the branches, or the procedure, use. A second sensitivity of x is added to the
//! first: `(x^ (plus x^ x^2))`. A local without a sensitivity when its statement is reversed has no influence on the
//! value, and the statement is left out. A procedure returns the pair of its value and a backpropagator. The
//! backpropagator returns the pair of the sensitivities of the variables that the procedure uses, and of its argument;
//! that of a branch returns the former alone.

use crate::resolve::scope::Variable;
use crate::transformation::captures::Body;
use crate::transformation::helper_names::Preamble;
use crate::transformation::local_names::{LocalNames, Owner};
use crate::transformation::modes::TopValues;
use crate::transformation::source::Source;
use crate::transformation::spelling::Spelling;
use crate::transformation::statements::{Block, BlockId, Group, Local, Operand, OperandId, Statement};
use crate::transformation::sweep::Phase;
use std::rc::Rc;
use vlad_core::print::layout::{Layout, LineBreaks};

/// Returns the definition of a transformed procedure, after a comment if parts of it may not run.
pub fn definition(
    source: &Source,
    spelling: &Spelling,
    preamble: &Preamble,
    top_values: TopValues,
    variable: Variable,
    body: &Body,
) -> String {
    let names = LocalNames { spelling, preamble, body };
    let mut printer = Printer { source, names, top_values, text: Layout::default(), tasks: vec![] };
    let root = body.root();
    printer.text.open_as(LineBreaks::Body);
    printer.text.atom("define");
    let parameter = body.block(root).parameter.map_or(String::new(), |parameter| printer.names.value(parameter));
    printer.text.call([spelling.top(variable).as_str(), &parameter]);
    printer.tasks.extend([Task::Close, Task::Statements(root, 0, Owner::Top)]);
    printer.run();
    let notes: String = body.notes.iter().map(|note| format!("; {note}\n")).collect();
    notes + &printer.text.finish()
}

/// A pending part of the printing worklist.
enum Task {
    /// The statements of a block from a position on, and its value.
    Statements(BlockId, usize, Owner),
    /// The binding of a statement of a block.
    Binding(BlockId, usize),
    Lambda(BlockId, Group),
    /// A procedure of a `letrec`.
    Member(Local, BlockId, Group),
    Close,
}

/// The printer of one procedure.
struct Printer<'code> {
    source: &'code Source,
    names: LocalNames<'code>,
    top_values: TopValues,
    text: Layout,
    tasks: Vec<Task>,
}

impl Printer<'_> {
    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Statements(block, from, owner) => self.statements(block, from, owner),
                Task::Binding(block, index) => {
                    if let Some(statement) = self.names.body.block(block).statements.get(index) {
                        self.binding(statement);
                    }
                }
                Task::Lambda(block, group) => self.lambda(block, group),
                Task::Member(local, block, group) => {
                    self.text.open_as(LineBreaks::List);
                    self.text.atom(self.names.value(local));
                    self.tasks.push(Task::Close);
                    self.lambda(block, group);
                }
                Task::Close => self.text.close(),
            }
        }
    }

    // The forward phase.

    fn statements(&mut self, id: BlockId, from: usize, owner: Owner) {
        let block = self.names.body.block(id);
        let rest = block.statements.get(from..).unwrap_or_default();
        match rest.first() {
            None => self.ending(block, &owner),
            Some(Statement::Letrec(group)) => {
                let members = self.names.body.group(*group);
                self.text.open_as(LineBreaks::Body);
                self.text.atom("letrec");
                self.text.open_as(LineBreaks::List);
                self.tasks.extend([Task::Close, Task::Statements(id, from + 1, owner), Task::Close]);
                let procedures = members.members.iter().zip(&members.blocks).rev();
                self.tasks.extend(procedures.map(|(member, block)| Task::Member(*member, *block, *group)));
            }
            Some(_) => {
                let is_letrec = |statement: &Statement| matches!(statement, Statement::Letrec(_));
                let to = from + rest.iter().position(is_letrec).unwrap_or(rest.len());
                self.text.open_as(LineBreaks::Body);
                self.text.atom(if to == from + 1 { "let" } else { "let*" });
                self.text.open_as(LineBreaks::List);
                self.tasks.extend([Task::Close, Task::Statements(id, to, owner), Task::Close]);
                self.tasks.extend((from..to).rev().map(|index| Task::Binding(id, index)));
            }
        }
    }

    fn binding(&mut self, statement: &Statement) {
        self.text.open_as(LineBreaks::List);
        match statement {
            Statement::Bind(local, operand) => {
                self.text.atom(self.names.value(*local));
                self.operand(*operand, Position::Value);
                self.text.close();
            }
            Statement::Call { into, operator, operand } => {
                self.text.call(["cons", &self.names.value(*into), &self.names.backpropagator(*into)]);
                self.text.open_as(LineBreaks::Call);
                self.operand(*operator, Position::Operator);
                self.operand(*operand, Position::Value);
                self.text.close();
                self.text.close();
            }
            Statement::Split(first, second, whole) => {
                self.text.call(["cons", &self.names.value(*first), &self.names.value(*second)]);
                self.text.call([self.names.preamble.split.as_str(), &self.names.value(*whole)]);
                self.text.close();
            }
            Statement::Check(constant, whole) => {
                self.text.atom(self.source.constant(*constant));
                self.text.call(["*j-inverse", &self.names.value(*whole)]);
                self.text.close();
            }
            Statement::If { into, test, consequent, alternative } => {
                self.text.call(["cons", &self.names.value(*into), &self.names.backpropagator(*into)]);
                self.text.open_as(LineBreaks::Call);
                self.text.atom("if");
                self.text.open_as(LineBreaks::Call);
                self.text.atom(&self.names.preamble.test);
                self.operand(*test, Position::Value);
                self.text.close();
                let used = Rc::new(self.names.body.used_by(*consequent, *alternative));
                self.tasks.extend([
                    Task::Close,
                    Task::Close,
                    Task::Statements(*alternative, 0, Owner::Branch(used.clone())),
                    Task::Statements(*consequent, 0, Owner::Branch(used)),
                ]);
            }
            Statement::Lambda(group) | Statement::Letrec(group) => {
                let members = self.names.body.group(*group);
                if let (Some(member), Some(block)) = (members.members.first(), members.blocks.first()) {
                    self.text.atom(self.names.value(*member));
                    self.tasks.extend([Task::Close, Task::Lambda(*block, *group)]);
                }
            }
        }
    }

    fn lambda(&mut self, block: BlockId, group: Group) {
        self.text.open_as(LineBreaks::Body);
        self.text.atom("lambda");
        let parameter =
            self.names.body.block(block).parameter.map_or(String::new(), |parameter| self.names.value(parameter));
        self.text.call([parameter.as_str()]);
        self.tasks.extend([Task::Close, Task::Statements(block, 0, Owner::Member(group))]);
    }

    /// Prints an operand.
    fn operand(&mut self, operand: OperandId, position: Position) {
        let mut pending = vec![Some(operand)];
        while let Some(next) = pending.pop() {
            let Some(operand) = next else {
                self.text.close();
                continue;
            };
            match self.names.body.operand(operand) {
                Operand::Local(local) => self.text.atom(self.names.value(local)),
                Operand::Constant(constant) => self.text.call(["*j", &self.source.constant(constant)]),
                Operand::Top(variable, name) => {
                    let code = matches!(variable, Variable::Primitive(_)) || self.source.procedure(variable).is_some();
                    if code && (position == Position::Operator || self.top_values == TopValues::AsCode) {
                        self.text.atom(self.names.spelling.top(variable));
                    } else {
                        self.text.call(["*j", self.source.names.text(name)]);
                    }
                }
                Operand::Code(node) => {
                    self.text.open_as(LineBreaks::Call);
                    self.text.atom("*j");
                    self.text.append(self.source.lifted(node).map_or(Layout::default(), |lifted| lifted.code));
                    self.text.close();
                }
                Operand::Pair(first, second) => {
                    self.text.open_as(LineBreaks::Call);
                    self.text.atom(&self.names.preamble.cons);
                    pending.extend([None, Some(second), Some(first)]);
                }
            }
        }
    }

    // The reverse phase.

    /// Prints the pair of the value of a block and its backpropagator.
    fn ending(&mut self, block: &Block, owner: &Owner) {
        self.text.open_as(LineBreaks::Call);
        self.text.atom("cons");
        self.operand(block.result, Position::Value);
        let mut phase = Phase::new(&self.names);
        let sensitivity = phase.begin(block.result);
        for statement in block.statements.iter().rev() {
            phase.statement(statement);
        }
        let result = phase.result(block, owner);
        let (bindings, count) = phase.into_bindings();
        self.text.open_as(LineBreaks::Body);
        self.text.atom("lambda");
        self.text.call([sensitivity.as_str()]);
        if bindings.is_empty() {
            self.text.append(result);
        } else {
            self.text.open_as(LineBreaks::Body);
            self.text.atom(if count == 1 { "let" } else { "let*" });
            self.text.open_as(LineBreaks::List);
            self.text.append(bindings);
            self.text.close();
            self.text.append(result);
            self.text.close();
        }
        self.text.close();
        self.text.close();
    }
}

/// The position of an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Operator,
    Value,
}
