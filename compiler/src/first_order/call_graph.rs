//! The call graph of a unit: strongly connected components, reachable functions, and functions without effects.

use super::{Block, End, FunctionId, Statement, Unit};

/// The calls that a graph has as its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// Calls at no new level.
    Plain,
    /// Those, and calls at new levels.
    All,
}

/// The functions that each function calls, in order of their numbers.
pub fn callees(unit: &Unit, calls: Calls) -> Vec<Vec<usize>> {
    let of = |body: &Block| {
        let mut found = Vec::new();
        body.each_statement(&mut |statement| {
            if let Some(function) = statement.callee()
                && (calls == Calls::All || matches!(statement, Statement::Call { .. }))
            {
                found.push(function.0 as usize);
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    };
    unit.functions.iter().map(|function| of(&function.body)).collect()
}

/// The functions that are reached from some functions, themselves included.
pub fn reached(callees: &[Vec<usize>], from: impl IntoIterator<Item = FunctionId>) -> Vec<bool> {
    let mut is_reached = vec![false; callees.len()];
    let mut pending: Vec<usize> = from.into_iter().map(|function| function.0 as usize).collect();
    while let Some(function) = pending.pop() {
        if let Some(seen @ false) = is_reached.get_mut(function) {
            *seen = true;
            pending.extend(callees.get(function).into_iter().flatten());
        }
    }
    is_reached
}

/// For each function true if it may be called again and again: in a loop, or by itself.
pub fn repeated(unit: &Unit) -> Vec<bool> {
    let graph = callees(unit, Calls::All);
    let mut roots = Vec::new();
    for component in components(&graph) {
        let calls_itself = |member: &usize| graph.get(*member).is_some_and(|callees| callees.contains(member));
        if component.len() > 1 || component.iter().any(calls_itself) {
            roots.extend(component.into_iter().map(|member| FunctionId(member as u32)));
        }
    }
    for function in &unit.functions {
        function.body.each_statement(&mut |statement| {
            if statement.repeats()
                && let Some(body) = statement.block()
            {
                body.each_statement(&mut |inner| roots.extend(inner.callee()));
            }
        });
    }
    reached(&graph, roots)
}

/// The nested calls, at most, for each level of the recursion of a unit: on a path through the graph on which functions that
/// call each other, and not last, are entered again and again, the sum of the numbers of those.
pub fn nesting(unit: &Unit) -> u32 {
    let graph = callees(unit, Calls::All);
    let mut nesting = vec![0_u32; graph.len()];
    for component in components(&graph) {
        let called = component.iter().filter_map(|member| graph.get(*member)).flatten();
        let below = called.filter_map(|callee| nesting.get(*callee)).max().copied().unwrap_or(0);
        let positions = Positions::of(unit, &component);
        let own = if positions.is_repeated && !positions.is_tail { component.len() as u32 } else { 0 };
        for member in component {
            nesting.get_mut(member).into_iter().for_each(|nesting| *nesting = below.saturating_add(own));
        }
    }
    nesting.into_iter().max().unwrap_or(0).max(1)
}

/// The positions of the calls within a component of the call graph.
#[derive(Clone, Copy, Debug)]
pub struct Positions<'component> {
    component: &'component [usize],
    /// True if there are any.
    pub is_repeated: bool,
    /// True if all of them are calls in tail position.
    pub is_tail: bool,
}

impl<'component> Positions<'component> {
    /// The positions in a component of the graph of a unit.
    pub fn of(unit: &Unit, component: &'component [usize]) -> Positions<'component> {
        let mut positions = Positions { component, is_repeated: false, is_tail: true };
        for function in component.iter().filter_map(|member| unit.functions.get(*member)) {
            positions.visit(&function.body, true);
        }
        positions
    }

    /// Visits a block, which is in tail position of its function or not.
    fn visit(&mut self, block: &Block, is_tail: bool) {
        let last = block.statements.len().saturating_sub(1);
        for (place, statement) in block.statements.iter().enumerate() {
            let is_last = place == last && is_tail && statement.has_results_of(&block.end);
            if statement.callee().is_some_and(|callee| self.component.contains(&(callee.0 as usize))) {
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

/// The strongly connected components of a graph, callees before callers (Tarjan's algorithm, without recursion).
pub fn components(callees: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut state = vec![Visit { index: NEW, low: NEW, on_stack: false }; callees.len()];
    let (mut found, mut stack, mut next) = (Vec::new(), Vec::new(), 0);
    for root in 0..callees.len() {
        if state.get(root).is_none_or(|visit| visit.index != NEW) {
            continue;
        }
        // The nodes on the path from the root, and the number of callees of each that have been visited.
        let mut path = vec![(root, 0)];
        while let Some((node, visited)) = path.last_mut() {
            let node = *node;
            let Some(visit) = state.get_mut(node) else { break };
            if *visited == 0 && visit.index == NEW {
                *visit = Visit { index: next, low: next, on_stack: true };
                next += 1;
                stack.push(node);
            }
            let mut low = visit.low;
            if let Some(callee) = callees.get(node).and_then(|callees| callees.get(*visited)) {
                match state.get(*callee) {
                    Some(visit) if visit.index == NEW => {
                        path.push((*callee, 0));
                        continue;
                    }
                    Some(visit) if visit.on_stack => low = low.min(visit.low),
                    Some(_) | None => {}
                }
                *visited += 1;
                if let Some(visit) = state.get_mut(node) {
                    visit.low = low;
                }
                continue;
            }
            path.pop();
            if state.get(node).is_some_and(|visit| visit.low == visit.index) {
                let from = stack.iter().rposition(|other| *other == node).unwrap_or(0);
                let mut component = stack.split_off(from);
                for member in &component {
                    if let Some(visit) = state.get_mut(*member) {
                        visit.on_stack = false;
                    }
                }
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

#[derive(Clone, Copy)]
struct Visit {
    index: usize,
    low: usize,
    on_stack: bool,
}

/// For each function, true if a call of it may be left out where its results are not used: it ends, does not bail out
/// and has no effect.
pub fn removable(unit: &Unit) -> Vec<bool> {
    let callees = callees(unit, Calls::All);
    let mut is_removable = vec![false; unit.functions.len()];
    for component in components(&callees) {
        let [function] = component.as_slice() else { continue };
        let calls_itself = callees.get(*function).is_some_and(|callees| callees.contains(function));
        if let Some(body) = unit.functions.get(*function).map(|function| &function.body) {
            let removable = !calls_itself && block_is_removable(body, &is_removable);
            if let Some(place) = is_removable.get_mut(*function) {
                *place = removable;
            }
        }
    }
    is_removable
}

/// Returns true if a block may be left out where nothing that it yields is used, given the functions of which that
/// holds.
pub fn block_is_removable(block: &Block, functions: &[bool]) -> bool {
    let statement = |statement: &Statement| match statement {
        Statement::Operation { .. }
        | Statement::PositiveZero { .. }
        | Statement::Compare { .. }
        | Statement::Input { .. }
        | Statement::Steps { .. }
        | Statement::Array { .. }
        | Statement::Element { .. }
        | Statement::Length { .. }
        | Statement::IsIndex { .. }
        | Statement::Replace { .. }
        | Statement::CompareArrays { .. }
        | Statement::Zeros { .. }
        | Statement::Accumulators { .. }
        | Statement::Cell { .. }
        | Statement::Parts { .. }
        | Statement::Load { .. } => true,
        Statement::Bind { block, .. } | Statement::Build { body: block, .. } => block_is_removable(block, functions),
        Statement::Call { function, .. }
        | Statement::Forward { function, .. }
        | Statement::Reverse { function, .. } => functions.get(function.0 as usize).copied().unwrap_or(false),
        Statement::Loop { .. }
        | Statement::Read { .. }
        | Statement::Write { .. }
        | Statement::Push { .. }
        | Statement::Pop { .. }
        | Statement::Tape { .. }
        | Statement::Store { .. }
        | Statement::Recount { .. }
        | Statement::Count { .. }
        | Statement::Storage(_) => false,
    };
    block.statements.iter().all(statement)
        && match &block.end {
            End::Yield(_) | End::Repeat(_) => true,
            End::Branch { consequent, alternative, .. } => {
                block_is_removable(consequent, functions) && block_is_removable(alternative, functions)
            }
            End::BailOut(_) => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_callees_first() {
        // 0 calls 1 and 4; 1, 2 and 3 form a cycle; 3 calls 5; 6 calls itself and 0.
        let callees = vec![vec![1, 4], vec![2], vec![3], vec![1, 5], vec![], vec![], vec![0, 6]];
        assert_eq!(components(&callees), [vec![5], vec![1, 2, 3], vec![4], vec![0], vec![6]]);
        assert_eq!(reached(&callees, [FunctionId(2)]), [false, true, true, true, false, true, false]);
    }
}
