//! A C function under construction, with the methods that all parts of the generation share: statements, names, faults.
//!
//! The other methods are in layers, the lowest first. No method calls one of a higher module.
//!
//! - `atoms`: operands, shared, moved or borrowed;
//! - `patterns`, `primitives`, `instructions`: the instructions of a block;
//! - `elided`: instructions with elided values;
//! - `ends`: the ends of blocks - transfers, frames, calls;
//! - `stops`, `prologue`: stops of the stepwise form, and the beginning of a function.

mod atoms;
mod elided;
mod ends;
mod instructions;
mod patterns;
mod primitives;
mod prologue;
mod stops;

use crate::c::{Expression as C, Statement};
use crate::tagged::analyses::regions::{ChunkTransfers, Function};
use crate::tagged::analyses::rows::StepRow;
use crate::tagged::context::{Context, Style};
use std::collections::BTreeSet;
use std::{mem, slice};
use vlad_core::ExpressionId;
use vlad_cps::{Activation, Block, BlockId, Variable};
use vlad_table::internal_bug;

/// The two forms of a C function. Only stoppable programs have the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Each piece takes the fuel for all of its steps at once.
    AtOnce,
    /// The function takes its steps one by one, and stops at the first one without fuel. All its transfers lead to
    /// functions in the other form.
    Stepwise,
}

/// A C function under construction.
pub struct Body<'c, 'program> {
    pub context: &'c Context<'program>,
    pub function: &'c Function,
    pub activation: &'program Activation,
    pub form: Form,
    /// The number of the function.
    pub number: usize,
    /// True if procedures of this code have captured slots.
    pub has_slots: bool,
    statements: Vec<Statement>,
    /// Rarely executed statements, out of line: sequences that begin with a label and end with a jump.
    pub aside: Vec<Statement>,
    pub declared: BTreeSet<Variable>,
    /// The blocks that something jumps to, which need a label.
    pub labelled: BTreeSet<BlockId>,
    /// The variables that are known to be booleans.
    pub booleans: BTreeSet<Variable>,
    /// The number of steps of the current piece that come after the current instruction.
    pub steps_ahead: u64,
    /// The block directly after the current piece, which needs no jump.
    pub next: Option<BlockId>,
    /// True if something jumps to the exit for faults (`can_fail`), or back to the beginning (`loops`).
    pub can_fail: bool,
    pub loops: bool,
    /// The sequences of steps that are still ahead.
    pub rows: slice::Iter<'c, StepRow>,
    names: u32,
}

impl<'c, 'program> Body<'c, 'program> {
    /// Begins the C function of that number, without any statements.
    pub fn new(context: &'c Context<'program>, number: usize, form: Form) -> Self {
        let function = context.regions.function(number);
        let activation = context.unit.activation_of(function.head());
        Body {
            context,
            function,
            activation,
            form,
            number,
            has_slots: activation.lambda.is_some_and(|lambda| context.unit.has_slots(lambda)),
            statements: Vec::new(),
            aside: Vec::new(),
            declared: BTreeSet::new(),
            labelled: BTreeSet::new(),
            booleans: BTreeSet::new(),
            steps_ahead: 0,
            next: None,
            can_fail: false,
            loops: false,
            rows: context.rows.of_function(number).iter(),
            names: 0,
        }
    }

    /// Appends a statement.
    pub fn put(&mut self, statement: Statement) {
        self.statements.push(statement);
    }

    /// Returns the statements that a closure appends, apart from the current ones.
    pub fn nested(&mut self, add: impl FnOnce(&mut Self)) -> Vec<Statement> {
        let around = mem::take(&mut self.statements);
        add(self);
        mem::replace(&mut self.statements, around)
    }

    /// Returns a name that is new in the function.
    pub fn fresh(&mut self, what: &str) -> String {
        self.names += 1;
        format!("{what}{}", self.names)
    }

    /// A block of the program.
    pub fn block(&self, block: BlockId) -> &'program Block {
        self.context.unit.converted.block(block)
    }

    /// True if the captured slots are available when a block begins.
    pub fn keeps_slots(&self, block: BlockId) -> bool {
        self.context.unit.keeps_slots(block)
    }

    /// The style of its C code. The stepwise form is executed for few steps at a time, so it is short.
    pub fn style(&self) -> Style {
        match self.form {
            Form::AtOnce => self.context.style,
            Form::Stepwise => Style::Short,
        }
    }

    /// The code after a fault is found: it records the node and jumps to the exit for faults.
    pub fn fail(&mut self, node: ExpressionId) -> Vec<Statement> {
        self.fail_at(C::Number(u64::from(node.0)))
    }

    /// Like [`Body::fail`], at a node that is computed when the program runs.
    pub fn fail_at(&mut self, node: C) -> Vec<Statement> {
        self.can_fail = true;
        let mut statements = vec![Statement::Assign(C::name("at"), node)];
        if self.form == Form::AtOnce {
            statements.push(Statement::Assign(C::name("ahead"), C::Number(self.steps_ahead)));
        }
        statements.push(Statement::Goto("fault".to_owned()));
        statements
    }

    /// Records the kind of a fault.
    pub fn fault_of(kind: &'static str) -> Statement {
        Statement::Assign(C::machine("fault").dot("kind"), C::name(kind))
    }

    /// Tests if a service has reported a fault.
    pub fn check_fault(&mut self, node: ExpressionId) {
        let fail = self.fail(node);
        self.put(Statement::when(C::machine("fault").dot("kind").unlikely(), fail));
    }

    /// True if the function keeps the call site: the user's application through which library code was entered.
    pub fn has_site(&self) -> bool {
        self.context.unit.has_site(self.function.head())
    }

    /// Loads the call site from the value that holds it, if the function keeps it.
    pub fn take_site_in(&mut self, value: C) {
        if self.has_site() {
            self.put(Statement::Assign(C::name("site"), site_in(value)));
        }
    }

    /// The outermost node of the activation.
    pub fn outermost(&self) -> Option<ExpressionId> {
        match self.activation.lambda {
            Some(lambda) => Some(self.context.unit.program.lambda(lambda).body),
            None => self.context.unit.top_of(self.function.activation),
        }
    }

    /// The variables that the chunks of a cut block pass to each other.
    pub fn crossings(&self, block: BlockId) -> &'c ChunkTransfers {
        match self.context.regions.crossings.get(&block) {
            Some(crossings) => crossings,
            None => internal_bug!("block {} is cut", block.0),
        }
    }
}

/// The call site that a value holds.
pub fn site_in(value: C) -> C {
    value.dot("word").prefix("(uint32_t)")
}

/// The label of a block.
pub fn label(block: BlockId) -> String {
    format!("block{}", block.0)
}

/// Releases the captured slots.
pub fn drop_slots() -> Statement {
    Statement::Evaluate(C::call("vlad_drop_slots", [C::name("m"), C::name("slots")]))
}
