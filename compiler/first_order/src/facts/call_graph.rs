//! The call graph of a unit: callees, cycles, and the functions that are reached from some, or that reach them.

use crate::{Block, FunctionId, FunctionTable, Statement, Unit};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use vlad_table::internal_bug;

/// The calls that a graph has as its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// Calls at no new level.
    Plain,
    /// Calls at the same level and at new levels.
    All,
}

/// The functions that each function calls, in order of their numbers.
type Callees = FunctionTable<Vec<FunctionId>>;

/// A call graph.
#[derive(Clone, Debug)]
pub struct CallGraph {
    callees: Callees,
    components: Vec<Component>,
    /// The place of each function's component.
    component: FunctionTable<usize>,
}

/// A strongly connected component of a call graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// The functions, in order of their numbers.
    pub members: Vec<FunctionId>,
    /// True if they call each other, or the only one calls itself.
    pub is_cycle: bool,
}

impl CallGraph {
    /// The graph of the calls in a unit.
    pub fn of(unit: &Unit, calls: Calls) -> CallGraph {
        let is_edge = |statement: &&Statement| calls == Calls::All || matches!(statement, Statement::Call { .. });
        let callees = |body: &Block| {
            let mut found: Vec<_> = body.all_statements().filter(is_edge).filter_map(Statement::callee).collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        CallGraph::new(unit.functions.iter().map(|function| callees(&function.body)).collect())
    }

    fn new(callees: Callees) -> CallGraph {
        let mut component = FunctionTable::filled(callees.len(), 0);
        let components = components(&callees);
        for (place, found) in components.iter().enumerate() {
            found.members.iter().for_each(|member| component[*member] = place);
        }
        CallGraph { callees, components, component }
    }

    /// The same graph without the calls of some functions.
    #[must_use]
    pub fn without_calls_of(mut self, functions: &FunctionTable<bool>) -> CallGraph {
        self.callees.iter_mut().for_each(|callees| callees.retain(|callee| !functions[*callee]));
        CallGraph::new(self.callees)
    }

    /// The functions of the unit.
    pub fn numbers(&self) -> impl Iterator<Item = FunctionId> {
        self.callees.numbers()
    }

    /// The functions that a function calls, in order of their numbers.
    pub fn callees(&self, function: FunctionId) -> &[FunctionId] {
        &self.callees[function]
    }

    /// The strongly connected components, callees before callers.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// The place of a function's component.
    pub fn component(&self, function: FunctionId) -> usize {
        self.component[function]
    }

    /// A function's component.
    pub fn component_of(&self, function: FunctionId) -> &Component {
        match self.components.get(self.component(function)) {
            Some(component) => component,
            None => internal_bug!("every function has a component"),
        }
    }

    /// Returns true if a function calls itself, also by others.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.component_of(function).is_cycle
    }

    /// For each function true if it is reached from some functions, themselves included.
    pub fn reached(&self, from: impl IntoIterator<Item = FunctionId>) -> FunctionTable<bool> {
        reached(&self.callees, from)
    }

    /// For each function true if it reaches some functions, themselves included.
    pub fn reaching(&self, to: impl IntoIterator<Item = FunctionId>) -> FunctionTable<bool> {
        let mut callers: Callees = FunctionTable::filled(self.callees.len(), Vec::new());
        for (caller, callees) in self.callees.numbered() {
            callees.iter().for_each(|callee| callers[*callee].push(caller));
        }
        reached(&callers, to)
    }
}

fn reached(edges: &Callees, from: impl IntoIterator<Item = FunctionId>) -> FunctionTable<bool> {
    let mut is_reached = FunctionTable::filled(edges.len(), false);
    let mut pending: Vec<FunctionId> = from.into_iter().collect();
    while let Some(function) = pending.pop() {
        if !std::mem::replace(&mut is_reached[function], true) {
            pending.extend(&edges[function]);
        }
    }
    is_reached
}

/// The functions that the entry of a unit reaches, in the order of their numbers.
pub fn executed(unit: &Unit) -> impl Iterator<Item = FunctionId> {
    let is_reached = CallGraph::of(unit, Calls::All).reached(unit.entry);
    unit.ids().filter(move |id| is_reached[*id])
}

/// For each function true if it may be called again and again: in a loop, or by itself.
pub fn repeated(unit: &Unit) -> FunctionTable<bool> {
    let graph = CallGraph::of(unit, Calls::All);
    let cycles = graph.components().iter().filter(|component| component.is_cycle);
    let mut roots: Vec<FunctionId> = cycles.flat_map(|cycle| cycle.members.iter().copied()).collect();
    for statement in unit.all_statements() {
        if let (true, Some(body)) = (statement.repeats(), statement.block()) {
            roots.extend(body.all_statements().filter_map(Statement::callee));
        }
    }
    graph.reached(roots)
}

/// The nested calls, at most, for each level of the recursion of a unit: on a path through the graph on which functions that
/// call each other, and not last, are entered again and again, the sum of the numbers of those.
pub fn nesting(unit: &Unit) -> u32 {
    let graph = CallGraph::of(unit, Calls::All);
    let mut nesting: FunctionTable<u32> = FunctionTable::filled(unit.functions.len(), 0);
    for Component { members, .. } in graph.components() {
        let below = members.iter().flat_map(|member| graph.callees(*member)).map(|callee| nesting[*callee]).max();
        let positions = Positions::of(unit, members);
        let own = if positions.is_repeated && !positions.is_tail { members.len() as u32 } else { 0 };
        let nested = below.unwrap_or(0).saturating_add(own);
        members.iter().for_each(|member| nesting[*member] = nested);
    }
    nesting.into_iter().max().unwrap_or(0).max(1)
}

/// The positions of the calls within a component of the call graph.
#[derive(Clone, Copy, Debug)]
pub struct Positions<'component> {
    component: &'component [FunctionId],
    /// True if there are any.
    pub is_repeated: bool,
    /// True if all of them are calls in tail position.
    pub is_tail: bool,
}

impl<'component> Positions<'component> {
    /// The positions in a component of the graph of a unit.
    pub fn of(unit: &Unit, component: &'component [FunctionId]) -> Positions<'component> {
        let mut positions = Positions { component, is_repeated: false, is_tail: true };
        component.iter().for_each(|member| positions.visit(&unit.function(*member).body, true));
        positions
    }

    /// Visits a block, which is in tail position of its function or not.
    fn visit(&mut self, block: &Block, is_tail: bool) {
        let last = block.statements.len().saturating_sub(1);
        for (place, statement) in block.statements.iter().enumerate() {
            let is_last = place == last && is_tail && statement.has_results_of(&block.end);
            if statement.callee().is_some_and(|callee| self.component.contains(&callee)) {
                self.is_repeated = true;
                self.is_tail &= is_last && matches!(statement, Statement::Call { .. });
            }
            if let Some(inner) = statement.block() {
                self.visit(inner, is_last && matches!(statement, Statement::Bind { .. }));
            }
        }
        for inner in block.end.blocks().into_iter().flatten() {
            self.visit(inner, is_tail);
        }
    }
}

/// The strongly connected components of a graph, callees before callers.
fn components(callees: &Callees) -> Vec<Component> {
    let node = |function: FunctionId| NodeIndex::new(function.0 as usize);
    let mut graph = DiGraph::<(), ()>::new();
    for _ in callees.numbers() {
        graph.add_node(());
    }
    for (caller, callees) in callees.numbered() {
        graph.extend_with_edges(callees.iter().map(|callee| (node(caller), node(*callee))));
    }
    let component = |nodes: Vec<NodeIndex>| {
        let mut members: Vec<FunctionId> = nodes.into_iter().map(|node| FunctionId(node.index() as u32)).collect();
        members.sort_unstable();
        let is_cycle = match *members {
            [alone] => callees[alone].contains(&alone),
            _ => true,
        };
        Component { members, is_cycle }
    };
    kosaraju_scc(&graph).into_iter().map(component).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_callees_first() {
        // 0 calls 1 and 4; 1, 2 and 3 form a cycle; 3 calls 5; 6 calls itself and 0.
        let callees = [vec![1, 4], vec![2], vec![3], vec![1, 5], vec![], vec![], vec![0, 6]];
        let graph = CallGraph::new(callees.iter().map(|all| all.iter().copied().map(FunctionId).collect()).collect());
        let expected = [(vec![5], false), (vec![4], false), (vec![1, 2, 3], true), (vec![0], false), (vec![6], true)];
        let found = graph.components().iter();
        let found: Vec<_> = found.map(|all| (all.members.iter().map(|id| id.0).collect(), all.is_cycle)).collect();
        assert_eq!(found, expected);
        let numbers = |table: FunctionTable<bool>| table.all_true().map(|id| id.0).collect::<Vec<_>>();
        assert_eq!(numbers(graph.reached([FunctionId(2)])), [1, 2, 3, 5]);
        assert_eq!(numbers(graph.reaching([FunctionId(4)])), [0, 4, 6]);
        assert_eq!([0, 2, 6].map(|id| graph.is_recursive(FunctionId(id))), [false, true, true]);
    }
}
