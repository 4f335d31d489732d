//! The call graph of a unit.

use crate::first_order::call_graph::components;
use crate::first_order::{FunctionId, Statement, Unit};
use vlad_table::internal_bug;

/// The facts about a function that its calls decide.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    is_reached: bool,
    /// True for at least one function of every cycle of calls.
    closes_cycle: bool,
    /// The number of the component of functions that call each other, or of one that calls itself.
    cycle: Option<u32>,
    has_loop: bool,
    takes_turns: bool,
}

/// The call graph of a unit, from its entry.
pub struct CallGraph {
    facts: Vec<Facts>,
}

impl CallGraph {
    pub fn of(unit: &Unit) -> CallGraph {
        let mut graph = CallGraph { facts: vec![Facts::default(); unit.functions.len()] };
        let mut callees: Vec<Vec<FunctionId>> = vec![Vec::new(); unit.functions.len()];
        for ((function, facts), callees) in unit.functions.iter().zip(&mut graph.facts).zip(&mut callees) {
            function.body.each_statement(&mut |statement| {
                if let Statement::Call { function, .. } = statement {
                    callees.push(*function);
                }
                facts.has_loop |= statement.repeats();
            });
        }
        graph.search(unit, &callees);
        graph.find_cycles(&callees);
        graph.find_turns(&callees);
        graph
    }

    /// The functions that are reached, in the order of their numbers.
    pub fn reached(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.facts.iter().zip(0..).filter(|(facts, _)| facts.is_reached).map(|(_, number)| FunctionId(number))
    }

    /// Returns true if a function checks the depth of the host stack; every cycle of calls has such a function.
    pub fn closes_cycle(&self, id: FunctionId) -> bool {
        self.of_function(id).closes_cycle
    }

    /// The number of the cycles of calls that a function is in; none if it never calls itself, not even by others.
    pub fn cycle(&self, id: FunctionId) -> Option<u32> {
        self.of_function(id).cycle
    }

    /// Returns true if a function contains a loop.
    pub fn has_loop(&self, id: FunctionId) -> bool {
        self.of_function(id).has_loop
    }

    /// Returns true if a call of a function may take turns.
    pub fn takes_turns(&self, id: FunctionId) -> bool {
        self.of_function(id).takes_turns
    }

    fn of_function(&self, id: FunctionId) -> Facts {
        match self.facts.get(id.0 as usize) {
            Some(facts) => *facts,
            None => internal_bug!("function {} is in the unit", id.0),
        }
    }

    fn facts(&mut self, id: FunctionId) -> &mut Facts {
        match self.facts.get_mut(id.0 as usize) {
            Some(facts) => facts,
            None => internal_bug!("function {} is in the unit", id.0),
        }
    }

    /// Searches the graph depth first. A call of a function whose own search is not finished closes a cycle.
    fn search(&mut self, unit: &Unit, callees: &[Vec<FunctionId>]) {
        let mut is_finished = vec![false; callees.len()];
        let callee = |id: FunctionId, place: usize| callees.get(id.0 as usize).and_then(|all| all.get(place)).copied();
        let mut pending: Vec<(FunctionId, usize)> = unit.entry.into_iter().map(|entry| (entry, 0)).collect();
        while let Some((id, place)) = pending.pop() {
            self.facts(id).is_reached = true;
            let Some(next) = callee(id, place) else {
                is_finished.get_mut(id.0 as usize).into_iter().for_each(|is_finished| *is_finished = true);
                continue;
            };
            pending.push((id, place + 1));
            if !self.of_function(next).is_reached {
                pending.push((next, 0));
            } else if is_finished.get(next.0 as usize) == Some(&false) {
                self.facts(next).closes_cycle = true;
            }
        }
    }

    /// Finds the components of functions that call each other.
    fn find_cycles(&mut self, callees: &[Vec<FunctionId>]) {
        let graph: Vec<Vec<usize>> =
            callees.iter().map(|callees| callees.iter().map(|callee| callee.0 as usize).collect()).collect();
        for (component, number) in components(&graph).into_iter().zip(0..) {
            let calls_itself = |member: &usize| graph.get(*member).is_some_and(|callees| callees.contains(member));
            if component.len() > 1 || component.iter().any(calls_itself) {
                component.into_iter().for_each(|member| self.facts(FunctionId(member as u32)).cycle = Some(number));
            }
        }
    }

    /// Finds the functions that take turns: in a loop or cycle of their own, or in a callee.
    fn find_turns(&mut self, callees: &[Vec<FunctionId>]) {
        let mut callers: Vec<Vec<FunctionId>> = vec![Vec::new(); callees.len()];
        for (called, caller) in callees.iter().zip(0..) {
            for callee in called {
                callers.get_mut(callee.0 as usize).into_iter().for_each(|all| all.push(FunctionId(caller)));
            }
        }
        let own = self.facts.iter().zip(0..).filter(|(facts, _)| facts.has_loop || facts.closes_cycle);
        let mut pending: Vec<FunctionId> = own.map(|(_, number)| FunctionId(number)).collect();
        while let Some(id) = pending.pop() {
            if !std::mem::replace(&mut self.facts(id).takes_turns, true) {
                pending.extend(callers.get(id.0 as usize).into_iter().flatten());
            }
        }
    }
}
