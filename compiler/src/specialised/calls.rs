//! The facts about the functions of a unit that its calls decide: which are reached, need host stack, and take turns.

use vlad_first_order::call_graph::{CallGraph, Calls};
use vlad_first_order::{FunctionId, FunctionTable, Statement, Storage, Unit};

/// The functions of a unit, as its entry calls them.
pub struct Called {
    graph: CallGraph,
    is_reached: FunctionTable<bool>,
    /// True for at least one function of every cycle of calls.
    closes_cycle: FunctionTable<bool>,
    has_turns: FunctionTable<bool>,
    takes_turns: FunctionTable<bool>,
}

impl Called {
    pub fn of(unit: &Unit) -> Called {
        let graph = CallGraph::of(unit, Calls::Plain);
        let is_reached = graph.reached(unit.entry);
        let closes_cycle = closing_cycles(unit);
        let is_turn = |statement: &Statement| matches!(statement, Statement::Storage(Storage::Turns { .. }));
        let has_turns: FunctionTable<bool> =
            unit.functions.iter().map(|function| function.body.all_statements().any(is_turn)).collect();
        let takes_turns = graph.reaching(graph.numbers().filter(|id| has_turns[*id] || closes_cycle[*id]));
        Called { graph, is_reached, closes_cycle, has_turns, takes_turns }
    }

    /// The functions that are reached, in the order of their numbers.
    pub fn reached(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.graph.numbers().filter(|id| self.is_reached[*id])
    }

    /// Returns true if a function checks the depth of the host stack; every cycle of calls has such a function.
    pub fn closes_cycle(&self, id: FunctionId) -> bool {
        self.closes_cycle[id]
    }

    /// The number of the cycles of calls that a function is in; none if it never calls itself, not even by others.
    pub fn cycle(&self, id: FunctionId) -> Option<u32> {
        self.graph.is_recursive(id).then(|| self.graph.component(id) as u32)
    }

    /// Returns true if the code of a function takes turns, as its loops do.
    pub fn has_turns(&self, id: FunctionId) -> bool {
        self.has_turns[id]
    }

    /// Returns true if a call of a function may take turns: it is in a loop or cycle of its own, or of a callee.
    pub fn takes_turns(&self, id: FunctionId) -> bool {
        self.takes_turns[id]
    }
}

/// Searches the calls depth first, in the order of the text. A call of a function whose own search is not finished closes a cycle.
fn closing_cycles(unit: &Unit) -> FunctionTable<bool> {
    let calls = |id: FunctionId| unit.function(id).body.all_statements().filter_map(Statement::callee);
    let none: FunctionTable<bool> = unit.ids().map(|_| false).collect();
    let (mut is_reached, mut is_finished, mut closes_cycle) = (none.clone(), none.clone(), none);
    let mut pending: Vec<_> = unit.entry.into_iter().map(|entry| (entry, calls(entry))).collect();
    while let Some((id, rest)) = pending.last_mut() {
        is_reached[*id] = true;
        match rest.next() {
            None => {
                is_finished[*id] = true;
                pending.pop();
            }
            Some(next) if !is_reached[next] => pending.push((next, calls(next))),
            Some(next) => closes_cycle[next] |= !is_finished[next],
        }
    }
    closes_cycle
}
