//! Marks of loops that stand before the statements that make a loop's first arrays.
//!
//! A loop releases the memory from its mark on ([`super`]). The arrays with which it begins stand before the mark, and would stay while
//! it runs, though nobody reads them after the first iterations. So the mark is set before the statements that make these arrays. It
//! may stand there if these statements and the beginning of the loop alone read the arrays, and if the statements record nothing and
//! make no cells.

use crate::call_graph::CallGraph;
use crate::storage::memory::{Releases, records_arrays};
use crate::{Block, Function, Kind, Operand, Statement, Unit, Variable};
use std::collections::HashSet;

/// The place of the mark of a loop in its block.
pub struct MarkPlace {
    /// The number of the loop among the statements.
    pub of: usize,
    /// The number of the statement before which the mark is set.
    pub before: usize,
}

/// The places of the marks of a block, for each loop whose iterations release memory.
pub fn mark_places(
    (unit, graph, releases): (&Unit, &CallGraph, &Releases),
    function: &Function,
    block: &Block,
) -> Vec<MarkPlace> {
    let mut places = Vec::new();
    for (number, statement) in block.statements.iter().enumerate() {
        if let Statement::Loop { state, body, .. } = statement
            && releases.by_iterations(function, state, body)
        {
            let before = earliest_maker((unit, graph), function, block, number).unwrap_or(number);
            places.push(MarkPlace { of: number, before });
        }
    }
    places
}

/// The earliest statement before a loop of a block that makes arrays which only the first iteration reads.
fn earliest_maker(
    (unit, graph): (&Unit, &CallGraph),
    function: &Function,
    block: &Block,
    number: usize,
) -> Option<usize> {
    let Some(Statement::Loop { state, initial, body, .. }) = block.statements.get(number) else { return None };
    let is_array = |operand: &Operand| function.kind(*operand).is_array();
    let has_cells = state.iter().any(|variable| function.kind((*variable).into()) == Kind::Cell);
    if !initial.iter().any(is_array) || has_cells || records_arrays(body, function) {
        return None;
    }
    // What is read in the loop, and after it.
    let mut read: HashSet<Variable> = body.all_operands().filter_map(Operand::variable).collect();
    read.extend(block.statements.iter().skip(number + 1).flat_map(Statement::variables_read));
    read.extend(block.end.variables_read());
    let is_private = |target: &Variable| {
        let kind = function.kind((*target).into());
        kind != Kind::Cell && !(kind.is_array() && read.contains(target))
    };
    let before = block.statements.iter().enumerate().take(number).rev();
    let makers = before.take_while(|(_, statement)| {
        statement.targets().iter().all(is_private) && leaves_nothing(unit, statement, graph)
    });
    let making = makers.filter(|(_, statement)| Operand::all(statement.targets()).iter().any(is_array));
    making.last().map(|(number, _)| number)
}

/// True for a statement that leaves nothing in memory but its results: no records, cells or accumulators.
fn leaves_nothing(unit: &Unit, statement: &Statement, graph: &CallGraph) -> bool {
    let called = graph.reached(statement.with_inner().filter_map(Statement::callee));
    let in_called = called.all_true().flat_map(|id| unit.function(id).body.all_statements());
    !statement.with_inner().chain(in_called).any(|inner| {
        matches!(
            inner,
            Statement::Push { .. }
                | Statement::Pop { .. }
                | Statement::Act { .. }
                | Statement::Cell { .. }
                | Statement::Parts { .. }
        )
    })
}
