//! The effects of statements in one table, and the questions of passes about it: whether code may be left out, moved, or executed once
//! for two.
//!
//! An effect is that of the statement itself. Nested blocks and callees have their own, and each question below says how it looks at
//! them. Failure is a fact about blocks: a statement fails only if a block in it, or of a callee, bails out.
//!
//! The cost of an operation is in its row ([`vlad_table::Facts`]).

use super::call_graph::{CallGraph, Calls};
use crate::{Block, End, FunctionId, FunctionTable, Statement, Storage, Unit};

/// The effect of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Its targets depend on nothing but its operands and the inputs of the unit, and it does nothing else.
    Value,
    /// The same, and it makes memory that never changes, or takes a cell apart.
    Structure,
    /// It executes its block once, and does nothing else.
    Nested,
    /// It executes its block any number of times, and does nothing else.
    Repeated,
    /// It executes another function.
    Call,
    /// It makes a copy of an array with another element, or changes the array in place ([`crate::passes::in_place`]).
    Replace,
    /// It makes an array that changes.
    Changing,
    /// It reads an array that changes.
    Load,
    /// It changes an array.
    Store,
    /// It reads the number of steps.
    Steps,
    /// It counts steps, as many whenever it is executed.
    Count,
    /// It counts steps that were counted before.
    Recount,
    /// It works on a stack of records, or on what a reverse level keeps in memory.
    Records,
    /// It reads or writes.
    World,
}

impl Effect {
    /// True for a part of code that does nothing but compute values, make choices, and bail out.
    fn is_of_values(self) -> bool {
        matches!(self, Effect::Value | Effect::Nested)
    }

    /// True for a change that other code sees, steps apart.
    fn is_change(self) -> bool {
        matches!(self, Effect::Store | Effect::Records | Effect::World)
    }
}

impl Statement {
    /// The effect of the statement itself.
    pub fn effect(&self) -> Effect {
        match self {
            Statement::Storage(storage) => match storage {
                Storage::Integer { .. } | Storage::Apart { .. } | Storage::SineAndCosine { .. } => Effect::Value,
                Storage::For { .. } => Effect::Repeated,
                Storage::Allocate { .. } => Effect::Changing,
                Storage::BeginRows { .. } | Storage::Fill { .. } => Effect::Store,
                Storage::CountEach { .. } => Effect::Recount,
                Storage::Part { .. } | Storage::Turns { .. } | Storage::Mark { .. } | Storage::Keep { .. } => {
                    Effect::Records
                }
            },
            Statement::Operation { .. }
            | Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Input { .. }
            | Statement::Element { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::CompareArrays { .. } => Effect::Value,
            Statement::Array { .. } | Statement::Zeros { .. } | Statement::Cell { .. } | Statement::Parts { .. } => {
                Effect::Structure
            }
            Statement::Bind { .. } => Effect::Nested,
            Statement::Loop { .. } | Statement::Build { .. } => Effect::Repeated,
            Statement::Call { .. } | Statement::Forward { .. } | Statement::Reverse { .. } => Effect::Call,
            Statement::Replace { .. } => Effect::Replace,
            Statement::Accumulators { .. } => Effect::Changing,
            Statement::Load { .. } => Effect::Load,
            Statement::Store { .. } => Effect::Store,
            Statement::Steps { .. } => Effect::Steps,
            Statement::Count { .. } => Effect::Count,
            Statement::Recount { .. } => Effect::Recount,
            Statement::Push { .. } | Statement::Pop { .. } | Statement::Act { .. } => Effect::Records,
            Statement::Read { .. } | Statement::Write { .. } => Effect::World,
        }
    }

    /// Returns true if equal statements have equal targets wherever they stand, so that one can stand for two. Nested blocks and
    /// callees are not looked at; calls in forward or reverse mode are not pure. The pass that asks counts the steps of both.
    fn is_pure_but_for_calls(&self) -> bool {
        match self.effect() {
            Effect::Value | Effect::Structure | Effect::Nested | Effect::Repeated | Effect::Replace | Effect::Count => {
                true
            }
            Effect::Call => !self.begins_level(),
            Effect::Changing
            | Effect::Load
            | Effect::Store
            | Effect::Steps
            | Effect::Recount
            | Effect::Records
            | Effect::World => false,
        }
    }

    /// The same with all that the statement executes, given the functions of which that holds ([`pure_functions`]).
    pub fn is_pure(&self, functions: &FunctionTable<bool>) -> bool {
        self.with_inner()
            .all(|inner| inner.is_pure_but_for_calls() && inner.callee().is_none_or(|callee| functions[callee]))
    }

    /// Returns true if the statement does nothing but compute values, make choices, and bail out: it makes no memory, and executes
    /// nothing twice.
    pub fn computes_values(&self) -> bool {
        self.with_inner().all(|inner| inner.effect().is_of_values())
    }

    /// Returns true if the statement changes nothing that other code sees, but for steps; callees are apart.
    pub fn changes_nothing(&self) -> bool {
        !self.with_inner().any(|inner| inner.effect().is_change())
    }

    /// Returns true for an operation on numbers alone: it may be executed wherever these are known.
    pub fn is_operation(&self) -> bool {
        matches!(self, Statement::Operation { .. } | Statement::Compare { .. } | Statement::PositiveZero { .. })
    }

    /// Returns true if the statement may be left out if none of its targets is used: it ends, does not bail out, and has no effect. The
    /// table tells which calls may be left out.
    pub fn is_removable(&self, functions: &FunctionTable<bool>) -> bool {
        match self.effect() {
            Effect::Value | Effect::Structure | Effect::Replace | Effect::Changing | Effect::Load | Effect::Steps => {
                true
            }
            // A loop may have no end.
            Effect::Repeated if matches!(self, Statement::Loop { .. }) => false,
            Effect::Nested | Effect::Repeated => self.block().is_none_or(|block| block.is_removable(functions)),
            Effect::Call => self.callee().is_none_or(|callee| functions[callee]),
            Effect::Store | Effect::Count | Effect::Recount | Effect::Records | Effect::World => false,
        }
    }
}

impl Block {
    /// Returns true if the block depends on nothing but the variables that it reads, and changes nothing.
    pub fn is_pure(&self) -> bool {
        let is_pure = |effect| matches!(effect, Effect::Value | Effect::Structure | Effect::Nested | Effect::Repeated);
        self.all_statements().all(|statement| is_pure(statement.effect()))
    }

    /// Returns true if the block does nothing but compute values, make choices, and bail out ([`Statement::computes_values`]).
    pub fn computes_values(&self) -> bool {
        self.all_statements().all(|statement| statement.effect().is_of_values())
    }

    /// Returns true if some path through the block, or through one in it, bails out.
    pub fn may_bail_out(&self) -> bool {
        self.all_blocks().any(|block| matches!(block.end, End::BailOut(_)))
    }

    /// Returns true if the block changes nothing that other code sees, steps apart. Callees are not looked at.
    pub fn changes_nothing(&self) -> bool {
        !self.all_statements().any(|statement| statement.effect().is_change())
    }

    /// Returns true if the block may be left out if nothing that it yields is used ([`Statement::is_removable`]).
    pub fn is_removable(&self, functions: &FunctionTable<bool>) -> bool {
        self.statements.iter().all(|statement| statement.is_removable(functions))
            && match &self.end {
                End::Yield(_) | End::Repeat(_) => true,
                End::Branch { consequent, alternative, .. } => {
                    consequent.is_removable(functions) && alternative.is_removable(functions)
                }
                End::BailOut(_) => false,
            }
    }

    /// Returns true if the block reads or writes, or calls functions, which may.
    pub fn may_read_or_write(&self) -> bool {
        self.all_statements().any(|statement| matches!(statement.effect(), Effect::World | Effect::Call))
    }
}

/// For each function, true if a call of it may be left out if its results are not used ([`Block::is_removable`]).
pub fn removable_functions(unit: &Unit) -> FunctionTable<bool> {
    let mut are_removable = FunctionTable::filled(unit.functions.len(), false);
    for component in CallGraph::of(unit, Calls::All).components().iter().filter(|component| !component.is_cycle) {
        for member in &component.members {
            are_removable[*member] = unit.function(*member).body.is_removable(&are_removable);
        }
    }
    are_removable
}

/// For each function, true if it has no effects and depends on its arguments alone, with all that it calls.
pub fn pure_functions(unit: &Unit) -> FunctionTable<bool> {
    let is_pure = |id: &FunctionId| unit.function(*id).body.all_statements().all(Statement::is_pure_but_for_calls);
    let reaching = CallGraph::of(unit, Calls::All).reaching(unit.ids().filter(|id| !is_pure(id)));
    reaching.into_iter().map(|is_impure| !is_impure).collect()
}
