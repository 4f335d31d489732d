//! The reverse transformation of code (Pearlmutter and Siskind 2008): of a body in statements, with x< for the reversed
//! x, y~ for the backpropagator of the call that gave y, and x^ for the sensitivity of x:
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
//! first: `(x^ (plus x^ x^2))`. What has no sensitivity when its turn comes has no influence on the value, and is left
//! out. A procedure gives the pair of its value and a backpropagator; that gives the pair of the sensitivities of what
//! the procedure uses, and of its argument; a branch gives those of what it uses alone.

use super::TopValues;
use super::blocks::{Block, BlockId, Group, Local, Operand, OperandId, Statement};
use super::captures::Body;
use super::preamble::Preamble;
use super::source::Source;
use super::spelling::Spelling;
use super::sweep::Phase;
use crate::resolve::scope::Variable;
use crate::syntax::layout::{Layout, Shape};
use std::rc::Rc;

/// The definition of a transformed procedure, behind a comment if parts of it may not run.
pub fn definition(
    source: &Source,
    spelling: &Spelling,
    preamble: &Preamble,
    top_values: TopValues,
    variable: Variable,
    body: &Body,
) -> String {
    let mut printer = Printer { source, spelling, preamble, top_values, body, text: Layout::default(), tasks: vec![] };
    let root = body.root();
    printer.text.open_as(Shape::Body);
    printer.text.atom("define");
    let parameter = body.block(root).parameter.map_or(String::new(), |parameter| printer.value(parameter));
    printer.text.call([spelling.top(variable).as_str(), &parameter]);
    printer.tasks.extend([Task::Close, Task::Statements(root, 0, Owner::Top)]);
    printer.run();
    let notes: String = body.notes.iter().map(|note| format!("; {note}\n")).collect();
    notes + &printer.text.finish()
}

/// Whose body a block is, and so what its backpropagator gives.
#[derive(Clone, Debug)]
pub enum Owner {
    /// A procedure at top level.
    Top,
    /// A procedure of a group.
    Member(Group),
    /// One of the branches of an `if`, and the locals that they use.
    Branch(Rc<Vec<Local>>),
}

/// What is still to be printed.
enum Task {
    /// The statements of a block from one on, and its value.
    Statements(BlockId, usize, Owner),
    /// The binding of a statement of a block.
    Binding(BlockId, usize),
    Lambda(BlockId, Group),
    /// A procedure of a `letrec`.
    Member(Local, BlockId, Group),
    Close,
}

/// Prints a procedure.
pub struct Printer<'code> {
    source: &'code Source,
    /// What things are called.
    pub spelling: &'code Spelling,
    /// What transformed code is written with.
    pub preamble: &'code Preamble,
    top_values: TopValues,
    /// Its statements.
    pub body: &'code Body,
    text: Layout,
    tasks: Vec<Task>,
}

impl Printer<'_> {
    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Statements(block, from, owner) => self.statements(block, from, owner),
                Task::Binding(block, index) => {
                    if let Some(statement) = self.body.block(block).statements.get(index) {
                        self.binding(statement);
                    }
                }
                Task::Lambda(block, group) => self.lambda(block, group),
                Task::Member(local, block, group) => {
                    self.text.open_as(Shape::List);
                    self.text.atom(self.value(local));
                    self.tasks.push(Task::Close);
                    self.lambda(block, group);
                }
                Task::Close => self.text.close(),
            }
        }
    }

    /// The name of a local's value.
    pub fn value(&self, local: Local) -> String {
        format!("{}{}", self.body.local(local).name, self.spelling.value)
    }

    /// The name of a local's backpropagator.
    pub fn backpropagator(&self, local: Local) -> String {
        format!("{}{}", self.body.local(local).name, self.spelling.backpropagator)
    }

    /// The name of a local's sensitivity.
    pub fn sensitivity(&self, local: Local) -> String {
        format!("{}{}", self.body.local(local).name, self.spelling.sensitivity)
    }

    // The forward phase.

    fn statements(&mut self, id: BlockId, from: usize, owner: Owner) {
        let block = self.body.block(id);
        let rest = block.statements.get(from..).unwrap_or_default();
        match rest.first() {
            None => self.ending(block, &owner),
            Some(Statement::Letrec(group)) => {
                let members = self.body.group(*group);
                self.text.open_as(Shape::Body);
                self.text.atom("letrec");
                self.text.open_as(Shape::List);
                self.tasks.extend([Task::Close, Task::Statements(id, from + 1, owner), Task::Close]);
                let procedures = members.members.iter().zip(&members.blocks).rev();
                self.tasks.extend(procedures.map(|(member, block)| Task::Member(*member, *block, *group)));
            }
            Some(_) => {
                let is_letrec = |statement: &Statement| matches!(statement, Statement::Letrec(_));
                let to = from + rest.iter().position(is_letrec).unwrap_or(rest.len());
                self.text.open_as(Shape::Body);
                self.text.atom(if to == from + 1 { "let" } else { "let*" });
                self.text.open_as(Shape::List);
                self.tasks.extend([Task::Close, Task::Statements(id, to, owner), Task::Close]);
                self.tasks.extend((from..to).rev().map(|index| Task::Binding(id, index)));
            }
        }
    }

    fn binding(&mut self, statement: &Statement) {
        self.text.open_as(Shape::List);
        match statement {
            Statement::Bind(local, operand) => {
                self.text.atom(self.value(*local));
                self.operand(*operand, Position::Value);
                self.text.close();
            }
            Statement::Call { into, operator, operand } => {
                self.text.call(["cons", &self.value(*into), &self.backpropagator(*into)]);
                self.text.open_as(Shape::Call);
                self.operand(*operator, Position::Operator);
                self.operand(*operand, Position::Value);
                self.text.close();
                self.text.close();
            }
            Statement::Split(first, second, whole) => {
                self.text.call(["cons", &self.value(*first), &self.value(*second)]);
                self.text.call([self.preamble.split.as_str(), &self.value(*whole)]);
                self.text.close();
            }
            Statement::Check(constant, whole) => {
                self.text.atom(self.source.constant(*constant));
                self.text.call(["*j-inverse", &self.value(*whole)]);
                self.text.close();
            }
            Statement::If { into, test, consequent, alternative } => {
                self.text.call(["cons", &self.value(*into), &self.backpropagator(*into)]);
                self.text.open_as(Shape::Call);
                self.text.atom("if");
                self.text.open_as(Shape::Call);
                self.text.atom(&self.preamble.test);
                self.operand(*test, Position::Value);
                self.text.close();
                let used = Rc::new(self.body.used_by(*consequent, *alternative));
                self.tasks.extend([
                    Task::Close,
                    Task::Close,
                    Task::Statements(*alternative, 0, Owner::Branch(used.clone())),
                    Task::Statements(*consequent, 0, Owner::Branch(used)),
                ]);
            }
            Statement::Lambda(group) | Statement::Letrec(group) => {
                let members = self.body.group(*group);
                if let (Some(member), Some(block)) = (members.members.first(), members.blocks.first()) {
                    self.text.atom(self.value(*member));
                    self.tasks.extend([Task::Close, Task::Lambda(*block, *group)]);
                }
            }
        }
    }

    fn lambda(&mut self, block: BlockId, group: Group) {
        self.text.open_as(Shape::Body);
        self.text.atom("lambda");
        let parameter = self.body.block(block).parameter.map_or(String::new(), |parameter| self.value(parameter));
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
            match self.body.operand(operand) {
                Operand::Local(local) => self.text.atom(self.value(local)),
                Operand::Constant(constant) => self.text.call(["*j", &self.source.constant(constant)]),
                Operand::Top(variable, name) => {
                    let code = matches!(variable, Variable::Primitive(_)) || self.source.procedure(variable).is_some();
                    if code && (position == Position::Operator || self.top_values == TopValues::AsCode) {
                        self.text.atom(self.spelling.top(variable));
                    } else {
                        self.text.call(["*j", self.source.names.text(name)]);
                    }
                }
                Operand::Code(node) => {
                    self.text.open_as(Shape::Call);
                    self.text.atom("*j");
                    self.text.append(self.source.lifted(node).map_or(Layout::default(), |lifted| lifted.code));
                    self.text.close();
                }
                Operand::Pair(first, second) => {
                    self.text.open_as(Shape::Call);
                    self.text.atom(&self.preamble.cons);
                    pending.extend([None, Some(second), Some(first)]);
                }
            }
        }
    }

    // The reverse phase.

    /// The pair of the value of a block and its backpropagator.
    fn ending(&mut self, block: &Block, owner: &Owner) {
        self.text.open_as(Shape::Call);
        self.text.atom("cons");
        self.operand(block.result, Position::Value);
        let mut phase = Phase::new(self);
        let sensitivity = phase.begin(block.result);
        for statement in block.statements.iter().rev() {
            phase.statement(statement);
        }
        let result = phase.result(block, owner);
        let (bindings, count) = phase.into_bindings();
        self.text.open_as(Shape::Body);
        self.text.atom("lambda");
        self.text.call([sensitivity.as_str()]);
        if bindings.is_empty() {
            self.text.append(result);
        } else {
            self.text.open_as(Shape::Body);
            self.text.atom(if count == 1 { "let" } else { "let*" });
            self.text.open_as(Shape::List);
            self.text.append(bindings);
            self.text.close();
            self.text.append(result);
            self.text.close();
        }
        self.text.close();
        self.text.close();
    }
}

/// Where an operand stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Operator,
    Value,
}
