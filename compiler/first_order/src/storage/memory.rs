//! The functions and loops whose executions allocate memory, leave records of cells, and release memory.
//!
//! [`super::builds`], [`super::placement`] and the printer of C ask which code allocates, [`super::releases`] which releases.
//!
//! Arrays and cells are allocated one behind another (`compiler/runtime/typed/arrays.h`). At the end of a call, of an iteration of a loop, or
//! of the making of an element, the memory since its *mark* is released, after the results have been moved to the mark. Moving takes
//! time in proportion to the results, so it happens only when enough memory has been allocated since.
//!
//! A loop with cells in its state moves them. A call that returns cells moves them if it makes several structures on one path, of
//! which most are intermediate as a rule: a sort of both halves of a list, and then their merging. The recursion that merges them makes
//! one, and releases nothing. Cells in records refer to accumulators, so nothing is released before the sweep that reads such records:
//! neither by a call that leaves them, nor by a loop whose iterations do. Arrays in records stay where they are, and the memory behind
//! them is released, unless there are cells to be moved.

use super::words::header;
use crate::Storage;
use crate::call_graph::{CallGraph, Calls};
use crate::{
    AccumulatorAction, Action, Block, Function, FunctionId, FunctionTable, Kind, MemoryAction, Operand, Stack,
    Statement, Unit, Variable,
};

/// The number of bytes that are allocated before the part of them that is kept is moved.
pub const LEAST_RELEASED: f64 = 65536.0;

/// For each function true if a call of it may allocate arrays or cells.
pub fn allocating(unit: &Unit) -> FunctionTable<bool> {
    let allocates = |function: &Function| allocates_in(&function.body, &|_| false, &|_| false);
    let own = unit.numbered().filter(|(_, function)| allocates(function)).map(|(id, _)| id);
    CallGraph::of(unit, Calls::All).reaching(own)
}

/// Returns true if the execution of a block may allocate arrays or cells, given the functions that may, and the arrays that are made
/// elsewhere.
pub fn allocates_in(
    block: &Block,
    allocates: &impl Fn(FunctionId) -> bool,
    is_elsewhere: &impl Fn(Variable) -> bool,
) -> bool {
    block.all_statements().any(|statement| match statement {
        Statement::Zeros { .. } | Statement::Accumulators { .. } | Statement::Storage(Storage::Allocate { .. }) => true,
        Statement::Array { .. } | Statement::Build { .. } => {
            !statement.targets().iter().all(|target| is_elsewhere(*target))
        }
        Statement::Cell { parts, .. } => !parts.is_empty(),
        Statement::Act { action, .. } => *action == Action::Accumulator(AccumulatorAction::Allocate),
        other => other.callee().is_some_and(allocates),
    })
}

/// Returns true if the iterations of a loop record arrays. These stay where they are, before the mark from which on memory is released.
pub fn records_arrays(body: &Block, function: &Function) -> bool {
    let is_array = |value: &Operand| function.kind(*value).is_array();
    let in_statements = body.statements.iter().any(|statement| match statement {
        Statement::Push { values, .. } => values.iter().any(is_array),
        Statement::Bind { block, .. } | Statement::Storage(Storage::For { body: block, .. }) => {
            records_arrays(block, function)
        }
        // What is recorded within an iteration of an inner loop is read within an iteration of this one.
        _ => false,
    });
    in_statements || body.end.blocks().into_iter().flatten().any(|block| records_arrays(block, function))
}

/// For each function true if a call of it may record arrays, which stay where they are.
fn recording_arrays(unit: &Unit, graph: &CallGraph) -> FunctionTable<bool> {
    let records = |function: &Function| {
        function.body.all_statements().any(|statement| match statement {
            Statement::Push { values, .. } => values.iter().any(|value| function.kind(*value).is_array()),
            _ => false,
        })
    };
    graph.reaching(unit.numbered().filter(|(_, function)| records(function)).map(|(id, _)| id))
}

/// The largest number of structures of cells that statements on one path through a block make: by calls and loops.
fn structures_on_a_path(block: &Block, function: &Function, allocating: &FunctionTable<bool>) -> usize {
    let makes_cells = |targets: &[Variable]| targets.iter().any(|target| function.kind((*target).into()) == Kind::Cell);
    let of_statements = block.statements.iter().map(|statement| match statement {
        Statement::Bind { block, .. } => structures_on_a_path(block, function, allocating),
        Statement::Loop { targets, body, .. } => {
            usize::from(makes_cells(targets) && allocates_in(body, &|id| allocating[id], &|_| false))
        }
        other => usize::from(other.callee().is_some_and(|callee| allocating[callee]) && makes_cells(other.targets())),
    });
    let of_blocks = block.end.blocks().into_iter().flatten();
    let at_end = of_blocks.map(|block| structures_on_a_path(block, function, allocating)).max();
    of_statements.sum::<usize>() + at_end.unwrap_or(0)
}

/// For each function true if a call of it may leave records of cells, which are read after it.
fn leaving_cells(unit: &Unit) -> FunctionTable<bool> {
    let mut found = FunctionTable::filled(unit.functions.len(), Records::default());
    for component in CallGraph::of(unit, Calls::Plain).components() {
        let mut records = Records::default();
        for id in &component.members {
            let function = unit.function(*id);
            records = records.and(Records::of(&function.body, function, &|callee| found[callee]));
        }
        component.members.iter().for_each(|id| found[*id] = records);
    }
    found.iter().map(|records| records.leaves()).collect()
}

/// Returns true if the execution of a block may leave records of cells, given the functions that may.
fn leaves_cells(body: &Block, function: &Function, functions: &FunctionTable<bool>) -> bool {
    Records::of(body, function, &|id| Records { pushes: functions[id], pops: false }).leaves()
}

/// The records of cells that code pushes and pops. Code that does both is the whole of a primal and its sweep: it leaves no
/// records, and takes none.
#[derive(Clone, Copy, Debug, Default)]
struct Records {
    pushes: bool,
    pops: bool,
}

impl Records {
    fn of(block: &Block, function: &Function, functions: &impl Fn(FunctionId) -> Records) -> Records {
        let mut records = Records::default();
        for statement in block.all_statements() {
            match statement {
                Statement::Push { stack: Stack::Sweeps, values } => {
                    records.pushes |= values.iter().any(|value| function.kind(*value) == Kind::Cell);
                }
                Statement::Pop { stack: Stack::Sweeps, targets } => {
                    records.pops |= targets.iter().any(|target| function.kind((*target).into()) == Kind::Cell);
                }
                other => {
                    let callee = other.callee().map(functions);
                    if let Some(callee) = callee.filter(|callee| callee.pushes != callee.pops) {
                        records = records.and(callee);
                    }
                }
            }
        }
        records
    }

    fn and(self, other: Records) -> Records {
        Records { pushes: self.pushes || other.pushes, pops: self.pops || other.pops }
    }

    fn leaves(self) -> bool {
        self.pushes && !self.pops
    }
}

/// Returns true if the iterations of a loop, not those of loops in it, have code that releases memory.
fn manages_memory(body: &Block) -> bool {
    let in_statements = body.statements.iter().any(|statement| match statement {
        Statement::Act { action: Action::Memory(MemoryAction::Release), .. } => true,
        Statement::Bind { block, .. } => manages_memory(block),
        _ => false,
    });
    in_statements || body.end.blocks().into_iter().flatten().any(manages_memory)
}

/// Returns true if code of a unit moves cells: all cells have headers then ([`super::words`]).
pub fn moves_cells(unit: &Unit) -> bool {
    let moves = |function: &Function, statement: &Statement| match statement {
        Statement::Act {
            action: Action::Memory(MemoryAction::Keep) | Action::Accumulator(AccumulatorAction::HandOver),
            ..
        } => true,
        Statement::Storage(Storage::Keep { values, .. }) => {
            values.iter().any(|value| function.kind(*value) == Kind::Cell)
        }
        _ => false,
    };
    are_described(unit)
        && unit
            .functions
            .iter()
            .any(|function| function.body.all_statements().any(|statement| moves(function, statement)))
}

/// Returns true if all cells of a unit can have headers.
fn are_described(unit: &Unit) -> bool {
    unit.functions.iter().all(|function| {
        function.body.all_statements().all(|statement| match statement {
            Statement::Cell { parts, .. } => {
                header(&parts.iter().map(|part| function.kind(*part)).collect::<Vec<_>>()).is_some()
            }
            _ => true,
        })
    })
}

/// The calls and iterations of a unit that release memory.
pub struct Releases {
    /// The functions whose calls may allocate arrays or cells, by number.
    allocating: FunctionTable<bool>,
    /// The functions whose calls may leave records of cells, by number.
    leaving_cells: FunctionTable<bool>,
    /// The functions whose calls may record arrays, by number.
    recording_arrays: FunctionTable<bool>,
    /// True if cells can be moved.
    are_described: bool,
}

impl Releases {
    /// The calls and iterations of a unit that release memory.
    pub fn of(unit: &Unit, graph: &CallGraph) -> Releases {
        Releases {
            allocating: allocating(unit),
            leaving_cells: leaving_cells(unit),
            recording_arrays: recording_arrays(unit, graph),
            are_described: are_described(unit),
        }
    }

    /// Returns true if calls of a function release what they allocate.
    pub fn by_calls(&self, unit: &Unit, id: FunctionId) -> bool {
        let function = unit.function(id);
        self.allocating[id]
            && !self.leaving_cells[id]
            && (!function.results.contains(&Kind::Cell)
                || self.are_described
                    && !self.recording_arrays[id]
                    && !manages_memory(&function.body)
                    && structures_on_a_path(&function.body, function, &self.allocating) > 1)
    }

    /// Returns true if iterations of a loop release what they allocate: nothing but the state refers to it later.
    pub fn by_iterations(&self, function: &Function, state: &[Variable], body: &Block) -> bool {
        let has_cells = state.iter().any(|variable| function.kind((*variable).into()) == Kind::Cell);
        !manages_memory(body)
            && body.repeats().next().is_some()
            && allocates_in(body, &|id| self.allocating[id], &|_| false)
            && (!has_cells || self.are_described && !records_arrays(body, function))
            && !leaves_cells(body, function, &self.leaving_cells)
    }
}
