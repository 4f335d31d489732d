//! Procedures as sequences of statements in A-normal form (Flanagan and others, 1993), in which the result of every
//! step has a name. Pairs that are made to be operands are the exception: they are written where they are used.
//!
//! Invariant: every local of a definition has a unique name, and so has its sensitivity; a block comes after the blocks
//! that it contains.

use crate::resolve::scope::Variable;
use crate::transformation::captures::{self, Body};
use crate::transformation::modes::TopValues;
use crate::transformation::source::Source;
use crate::transformation::spelling::{Spelling, Supply};
use crate::transformation::statements::{Block, BlockId, Group, Local, Operand, OperandId, Statement};
use std::collections::HashMap;
use vlad_language::named::{NamedGroupId, NamedLambdaId, NamedPattern, NamedPatternId, Node, NodeId};
use vlad_language::names::NameId;
use vlad_table::internal_bug;

/// A pending step of the construction.
enum Task {
    /// Makes the operand of a node's value; a local of that name, if one is given.
    Value(NodeId, Option<Local>),
    /// Makes the operand of an application; procedures in it are lifted.
    Operand(NodeId),
    Call(Option<Local>),
    Pair(Option<Local>),
    /// Drops an operand, which has a name.
    Drop,
    Match(NamedPatternId, Local),
    Branches(Option<Local>, NodeId, NodeId),
    OpenBlock(Option<Local>),
    CloseBlock,
    If(Local),
    Procedure(NamedLambdaId),
    EndLambda(Group, Local),
    EndLetrec(Group),
}

struct Builder<'code> {
    source: &'code Source,
    spelling: &'code Spelling,
    supply: Supply<'code>,
    top_values: TopValues,
    body: Body,
    locals: HashMap<Variable, Local>,
    tasks: Vec<Task>,
    operands: Vec<OperandId>,
    open: Vec<(Option<Local>, Vec<Statement>)>,
    closed: Vec<BlockId>,
}

/// Builds the statements of a procedure.
pub fn build(source: &Source, spelling: &Spelling, top_values: TopValues, lambda: NamedLambdaId) -> Body {
    let mut builder = Builder {
        source,
        spelling,
        supply: spelling.supply(),
        top_values,
        body: Body::default(),
        locals: HashMap::new(),
        tasks: vec![Task::Procedure(lambda)],
        operands: vec![],
        open: vec![],
        closed: vec![],
    };
    builder.run();
    captures::find(&mut builder.body);
    builder.body
}

impl Builder<'_> {
    fn run(&mut self) {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Value(node, into) => self.value(node, into),
                Task::Operand(node) => self.operand(node),
                Task::Call(into) => {
                    let operand = self.pop();
                    let operator = self.pop_named();
                    let into = into.unwrap_or_else(|| self.temporary());
                    self.state(Statement::Call { into, operator, operand });
                    self.give(Operand::Local(into), None);
                }
                Task::Pair(into) => {
                    let (second, first) = (self.pop(), self.pop());
                    self.give(Operand::Pair(first, second), into);
                }
                Task::Drop => {
                    self.pop();
                }
                Task::Match(pattern, whole) => self.matching(pattern, whole),
                Task::Branches(into, consequent, alternative) => {
                    let test = self.pop_named();
                    self.operands.push(test);
                    let into = into.unwrap_or_else(|| self.temporary());
                    self.tasks.extend([
                        Task::If(into),
                        Task::CloseBlock,
                        Task::Value(alternative, None),
                        Task::OpenBlock(None),
                        Task::CloseBlock,
                        Task::Value(consequent, None),
                        Task::OpenBlock(None),
                    ]);
                }
                Task::OpenBlock(parameter) => self.open.push((parameter, vec![])),
                Task::CloseBlock => {
                    let result = self.pop_named();
                    let (parameter, statements) = self.open.pop().unwrap_or_default();
                    self.closed.push(self.body.add_block(Block { parameter, statements, result }));
                }
                Task::If(into) => {
                    let test = self.pop();
                    let (alternative, consequent) = (self.pop_block(), self.pop_block());
                    self.state(Statement::If { into, test, consequent, alternative });
                    self.give(Operand::Local(into), None);
                }
                Task::Procedure(lambda) => self.procedure(lambda),
                Task::EndLambda(group, local) => {
                    self.end_group(group);
                    self.state(Statement::Lambda(group));
                    self.give(Operand::Local(local), None);
                }
                Task::EndLetrec(group) => {
                    self.end_group(group);
                    self.state(Statement::Letrec(group));
                }
            }
        }
    }

    fn value(&mut self, node: NodeId, into: Option<Local>) {
        match self.source.named.node(node) {
            Node::Constant(constant) => self.give(Operand::Constant(constant), into),
            Node::Variable(name) => {
                let variable = self.source.variable(node);
                let operand = match self.locals.get(&variable) {
                    Some(local) => Operand::Local(*local),
                    None => Operand::Top(variable, name),
                };
                self.give(operand, into);
            }
            Node::Lambda(lambda) => {
                let name = self.source.named.lambda(lambda).name;
                let local = into.unwrap_or_else(|| match name {
                    Some(name) => self.variable(name),
                    None => self.called("procedure"),
                });
                let group = self.group(vec![local]);
                self.tasks.extend([Task::EndLambda(group, local), Task::Procedure(lambda)]);
            }
            Node::Application(operator, operand) => match self.source.named.node(operator) {
                Node::Lambda(lambda) => self.applied_lambda(lambda, operand, into),
                Node::Constant(_)
                | Node::Variable(_)
                | Node::Application(..)
                | Node::Cons(..)
                | Node::If(..)
                | Node::Letrec(..) => {
                    if let Some(primitive) = self.source.takes_wholes(operator)
                        && let Some(what) = self.source.local_procedure_in(operand)
                    {
                        self.body.notes.push(super::forward::not_to_be_run(primitive, &what, &self.spelling.value));
                    }
                    self.tasks.extend([Task::Call(into), Task::Operand(operand), Task::Value(operator, None)]);
                }
            },
            Node::Cons(first, second) => {
                self.tasks.extend([Task::Pair(into), Task::Value(second, None), Task::Value(first, None)]);
            }
            Node::If(test, consequent, alternative) => {
                self.tasks.extend([Task::Branches(into, consequent, alternative), Task::Value(test, None)]);
            }
            Node::Letrec(group, body) => self.letrec(group, body, into),
        }
    }

    fn operand(&mut self, node: NodeId) {
        if let Node::Cons(first, second) = self.source.named.node(node) {
            self.tasks.extend([Task::Pair(None), Task::Operand(second), Task::Operand(first)]);
            return;
        }
        let lifted = match self.top_values {
            TopValues::Tagged => self.source.lifted(node),
            TopValues::AsCode => None,
        };
        let captures = lifted.map(|lifted| {
            let locals = lifted.captures.iter().filter_map(|(variable, _)| self.locals.get(variable).copied());
            locals.collect::<Vec<Local>>()
        });
        match captures.as_deref() {
            None => self.tasks.push(Task::Value(node, None)),
            Some([]) => self.give(Operand::Code(node), None),
            Some([others @ .., last]) => {
                let operator = self.body.add_operand(Operand::Code(node));
                let mut operand = self.body.add_operand(Operand::Local(*last));
                for local in others.iter().rev() {
                    let first = self.body.add_operand(Operand::Local(*local));
                    operand = self.body.add_operand(Operand::Pair(first, operand));
                }
                let into = self.called("procedure");
                self.state(Statement::Call { into, operator, operand });
                self.give(Operand::Local(into), None);
            }
        }
    }

    /// Builds a `let`: each operand that has a pattern of its own gets a name.
    fn applied_lambda(&mut self, lambda: NamedLambdaId, operand: NodeId, into: Option<Local>) {
        let lambda = self.source.named.lambda(lambda);
        let (mut values, mut matches) = (vec![], vec![]);
        for (pattern, operand) in self.source.bindings(lambda.pattern, operand) {
            let local = self.local_for(pattern, "whole");
            values.extend([Task::Value(operand, Some(local)), Task::Drop]);
            if !matches!(self.source.named.pattern(pattern), NamedPattern::Variable(_)) {
                matches.push(Task::Match(pattern, local));
            }
        }
        self.tasks.push(Task::Value(lambda.body, into));
        self.tasks.extend(matches.into_iter().rev());
        self.tasks.extend(values.into_iter().rev());
    }

    fn letrec(&mut self, group: NamedGroupId, body: NodeId, into: Option<Local>) {
        let members = self.source.named.group(group);
        let locals: Vec<Local> = members.iter().map(|(name, _)| self.variable(*name)).collect();
        for (place, local) in locals.iter().enumerate() {
            self.locals.insert(Variable::Member(group, place as u32), *local);
        }
        let number = self.group(locals);
        self.tasks.extend([Task::Value(body, into), Task::EndLetrec(number)]);
        self.tasks.extend(members.iter().rev().map(|(_, lambda)| Task::Procedure(*lambda)));
    }

    fn procedure(&mut self, lambda: NamedLambdaId) {
        let lambda = self.source.named.lambda(lambda);
        let parameter = self.local_for(lambda.pattern, "arg");
        self.tasks.extend([Task::CloseBlock, Task::Value(lambda.body, None)]);
        if !matches!(self.source.named.pattern(lambda.pattern), NamedPattern::Variable(_)) {
            self.tasks.push(Task::Match(lambda.pattern, parameter));
        }
        self.tasks.push(Task::OpenBlock(Some(parameter)));
    }

    fn matching(&mut self, pattern: NamedPatternId, whole: Local) {
        let mut pending = vec![(pattern, whole)];
        while let Some((pattern, whole)) = pending.pop() {
            match self.source.named.pattern(pattern) {
                NamedPattern::Variable(_) => {}
                NamedPattern::Constant(constant) => self.state(Statement::Check(constant, whole)),
                NamedPattern::Pair(first, second) => {
                    let of_first = self.local_for(first, "rest");
                    let of_second = self.local_for(second, "rest");
                    self.state(Statement::Split(of_first, of_second, whole));
                    pending.extend([(second, of_second), (first, of_first)]);
                }
            }
        }
    }

    /// Returns a local for a value that a pattern is matched with: named as the variable that it is, or else as given.
    fn local_for(&mut self, pattern: NamedPatternId, otherwise: &str) -> Local {
        match self.source.named.pattern(pattern) {
            NamedPattern::Variable(name) => {
                let local = self.variable(name);
                self.locals.insert(Variable::Pattern(pattern), local);
                local
            }
            NamedPattern::Constant(_) | NamedPattern::Pair(..) => self.called(otherwise),
        }
    }

    fn variable(&mut self, name: NameId) -> Local {
        let name = self.supply.variable(self.spelling.base(&self.source.names, name));
        self.body.add_local(name)
    }

    fn called(&mut self, base: &str) -> Local {
        let name = self.supply.called(base);
        self.body.add_local(name)
    }

    fn temporary(&mut self) -> Local {
        let name = self.supply.temporary();
        self.body.add_local(name)
    }

    fn group(&mut self, members: Vec<Local>) -> Group {
        self.body.add_group(members)
    }

    /// Sets the blocks of a group's members, which were closed last.
    fn end_group(&mut self, group: Group) {
        let count = self.body.group(group).members.len();
        let blocks = self.closed.split_off(self.closed.len().saturating_sub(count));
        self.body.group_mut(group).blocks = blocks;
    }

    fn state(&mut self, statement: Statement) {
        match self.open.last_mut() {
            Some((_, statements)) => statements.push(statement),
            None => internal_bug!("a statement stands in a block"),
        }
    }

    fn give(&mut self, operand: Operand, into: Option<Local>) {
        let mut id = self.body.add_operand(operand);
        if let Some(local) = into {
            self.state(Statement::Bind(local, id));
            id = self.body.add_operand(Operand::Local(local));
        }
        self.operands.push(id);
    }

    fn pop(&mut self) -> OperandId {
        match self.operands.pop() {
            Some(operand) => operand,
            None => internal_bug!("an expression gives an operand"),
        }
    }

    /// Pops an operand and binds it to a name if it is a pair.
    fn pop_named(&mut self) -> OperandId {
        let id = self.pop();
        match self.body.operand(id) {
            Operand::Pair(..) => {
                let local = self.temporary();
                self.state(Statement::Bind(local, id));
                self.body.add_operand(Operand::Local(local))
            }
            Operand::Local(_) | Operand::Constant(_) | Operand::Top(..) | Operand::Code(_) => id,
        }
    }

    fn pop_block(&mut self) -> BlockId {
        match self.closed.pop() {
            Some(block) => block,
            None => internal_bug!("a branch is a block"),
        }
    }
}
