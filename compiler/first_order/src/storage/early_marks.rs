//! Marks of loops that stand before what makes the arrays with which a loop begins.
//!
//! A loop frees what its iterations allocate (`crate::specialised::memory::releases`), from its mark on. The arrays with which it begins are no part of
//! that if they are before the mark, and would stay while it runs, though nobody reads them after the first iterations. So the mark
//! of a loop is set before the statements that make these arrays, if all arrays that these statements make are read by each other
//! and by the loop's begin alone, and if they record nothing and make no cells.

use super::memory::{Releasing, iterations_release, records_arrays};
use crate::call_graph::{CallGraph, Calls};
use crate::{Block, Function, Kind, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};

/// The marks of a function that are early.
#[derive(Debug, Default)]
pub struct EarlyMarks {
    /// The loops whose marks are set before a statement, by the address of the statement: the first variables of their states.
    before: HashMap<*const Statement, Vec<Variable>>,
    /// The first variables of the states of the loops that they are of.
    loops: HashSet<Variable>,
}

impl EarlyMarks {
    /// The early marks of a function of a unit.
    pub fn of(unit: &Unit, function: &Function, releasing: Releasing<'_>) -> EarlyMarks {
        let mut marks = EarlyMarks::default();
        let mut begins_with_arrays = false;
        function.body.each_statement(&mut |statement| {
            if let Statement::Loop { initial, .. } = statement {
                begins_with_arrays |= initial.iter().any(|operand| function.kind(*operand).is_array());
            }
        });
        if !begins_with_arrays {
            return marks;
        }
        let graph = CallGraph::of(unit, Calls::All);
        function.body.each_block(&mut |block| marks.block(unit, (function, block), &graph, releasing));
        marks
    }

    /// The loops whose marks are set before a statement: the first variables of their states.
    pub fn before(&self, statement: &Statement) -> &[Variable] {
        self.before.get(&std::ptr::from_ref(statement)).map_or(&[], Vec::as_slice)
    }

    /// True for the loop whose state begins with a variable, if its mark is set before what makes its arrays.
    pub fn includes(&self, first: Variable) -> bool {
        self.loops.contains(&first)
    }

    fn block(
        &mut self,
        unit: &Unit,
        (function, block): (&Function, &Block),
        graph: &CallGraph,
        releasing: Releasing<'_>,
    ) {
        for (number, statement) in block.statements.iter().enumerate() {
            let Statement::Loop { state, initial, body, .. } = statement else { continue };
            let Some(first) = state.first() else { continue };
            let is_array = |operand: &Operand| function.kind(*operand).is_array();
            let has_cells = state.iter().any(|variable| function.kind((*variable).into()) == Kind::Cell);
            if !initial.iter().any(is_array) || has_cells || !iterations_release(function, (state, body), releasing) {
                continue;
            }
            if records_arrays(body, function) {
                continue;
            }
            // What is read in the loop, and after it.
            let mut read = HashSet::new();
            read_in(body, &mut read);
            for later in block.statements.iter().skip(number + 1) {
                read_by(later, &mut read);
            }
            read.extend(block.end.operands());
            block.end.blocks().into_iter().flatten().for_each(|inner| read_in(inner, &mut read));
            let is_private = |target: &Variable| {
                let kind = function.kind((*target).into());
                kind != Kind::Cell && !(kind.is_array() && read.contains(&Operand::Variable(*target)))
            };
            let makers = block.statements.iter().take(number).rev().take_while(|statement| {
                statement.targets().iter().all(is_private) && leaves_nothing(unit, statement, graph)
            });
            let makes = |statement: &&Statement| statement.targets().iter().any(|target| is_array(&(*target).into()));
            let earliest = makers.filter(makes).last();
            if let Some(earliest) = earliest {
                self.before.entry(std::ptr::from_ref(earliest)).or_default().push(*first);
                self.loops.insert(*first);
            }
        }
    }
}

fn read_in(block: &Block, read: &mut HashSet<Operand>) {
    block.each_block(&mut |block| {
        read.extend(block.statements.iter().flat_map(Statement::operands));
        read.extend(block.end.operands());
    });
}

fn read_by(statement: &Statement, read: &mut HashSet<Operand>) {
    read.extend(statement.operands());
    if let Some(inner) = statement.block() {
        read_in(inner, read);
    }
}

/// True for a statement that leaves nothing in memory but its results: no records, cells or accumulators.
fn leaves_nothing(unit: &Unit, statement: &Statement, graph: &CallGraph) -> bool {
    let mut roots = Vec::new();
    let mut leaves = leaves_something(statement);
    roots.extend(statement.callee());
    if let Some(inner) = statement.block() {
        inner.each_statement(&mut |inner| {
            leaves |= leaves_something(inner);
            roots.extend(inner.callee());
        });
    }
    for id in graph.reached(roots).all_true() {
        unit.function(id).body.each_statement(&mut |inner| leaves |= leaves_something(inner));
    }
    !leaves
}

fn leaves_something(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Push { .. }
            | Statement::Pop { .. }
            | Statement::Act { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. }
            | Statement::Forward { .. }
            | Statement::Reverse { .. }
    )
}
