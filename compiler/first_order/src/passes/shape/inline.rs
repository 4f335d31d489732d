//! Inlining: a call becomes a bind of the callee's body, with its variables renamed and its parameters replaced by the
//! arguments. Arguments and results are moved either way, so no bit changes at any level.
//!
//! Inlined are functions that are called once, small ones, those called from code at a new level, whose differentiation
//! is simpler without calls, and the members of a cycle of calls within each other, but for one function of each
//! cycle. Calls at a new level remain calls.

use crate::call_graph::{CallGraph, Calls};
use crate::{Block, Function, FunctionId, FunctionTable, MOST_DEPTH, Operand, Statement, Unit, Variable};
use std::collections::HashMap;

/// The size up to which functions are inlined at every call.
const SMALL: usize = 30;

/// The size up to which functions are inlined in code at a new level, or in a member of their cycle.
const MEDIUM: usize = 500;

/// The size by which a function may grow. A unit may grow by this much too, or to twice its size.
const MOST_GROWTH: usize = 20_000;

/// Inlines calls.
pub fn inline(unit: &mut Unit) {
    let plan = Plan::of(unit);
    let mut measures: FunctionTable<Measure> = unit.functions.iter().map(Measure::of).collect();
    let mut budget = measures.iter().map(|measure| measure.size).sum::<usize>().max(MOST_GROWTH);
    for id in plan.order.iter().copied() {
        let mut function = std::mem::replace(unit.function_mut(id), no_function());
        let body = std::mem::take(&mut function.body);
        let allowed = budget.min(MOST_GROWTH);
        let mut caller = Caller { unit, plan: &plan, id, allowed, measures: &measures, function };
        let body = caller.block(body, 1);
        budget -= allowed - caller.allowed;
        let function = Function { body, ..caller.function };
        measures[id] = Measure::of(&function);
        *unit.function_mut(id) = function;
    }
}

fn no_function() -> Function {
    let (variables, parameters, results) = (Vec::new(), Vec::new(), Vec::new());
    Function { name: String::new(), variables, parameters, results, body: Block::default() }
}

/// The measures of a body.
#[derive(Clone, Copy)]
struct Measure {
    size: usize,
    depth: usize,
}

impl Measure {
    fn of(function: &Function) -> Measure {
        Measure { size: function.body.size(), depth: function.body.depth() }
    }
}

/// The facts that decide about calls.
struct Plan {
    /// The functions, callees before callers but for calls of functions that break cycles.
    order: Vec<FunctionId>,
    /// The functions that are never inlined: one at least of each cycle.
    breaks_cycle: FunctionTable<bool>,
    /// The calls at no new level.
    graph: CallGraph,
    /// The number of calls of each function; of those at new levels too.
    calls: FunctionTable<usize>,
    /// The functions that are reached from a call at a new level.
    is_at_level: FunctionTable<bool>,
}

impl Plan {
    fn of(unit: &Unit) -> Plan {
        let mut calls = FunctionTable::filled(unit.functions.len(), 0);
        let mut at_level = Vec::new();
        for statement in unit.all_statements() {
            let Some(callee) = statement.callee() else { continue };
            calls[callee] += 1;
            if !matches!(statement, Statement::Call { .. }) {
                at_level.push(callee);
            }
        }
        let graph = CallGraph::of(unit, Calls::Plain);
        let is_at_level = CallGraph::of(unit, Calls::All).reached(at_level);
        let (order, breaks_cycle) = break_cycles(graph.clone());
        Plan { order, breaks_cycle, graph, calls, is_at_level }
    }

    fn inlines(&self, caller: FunctionId, callee: FunctionId, size: usize) -> bool {
        let is_recursive = self.graph.component(caller) == self.graph.component(callee);
        !self.breaks_cycle[callee]
            && caller != callee
            && (size <= SMALL
                || self.calls[callee] == 1
                || size <= MEDIUM && (is_recursive || self.is_at_level[caller]))
    }
}

/// Takes calls of one function after the other out of a graph until it has no cycle; returns the functions, callees first,
/// and those whose calls were taken out.
///
/// Of each cycle that is the function with the most callers from outside, where loops are entered, else the first one.
fn break_cycles(mut graph: CallGraph) -> (Vec<FunctionId>, FunctionTable<bool>) {
    let mut breaks_cycle: FunctionTable<bool> = graph.numbers().map(|_| false).collect();
    loop {
        let mut from_outside: FunctionTable<usize> = graph.numbers().map(|_| 0).collect();
        for caller in graph.numbers() {
            let is_outside = |callee: &&FunctionId| graph.component(**callee) != graph.component(caller);
            graph.callees(caller).iter().filter(is_outside).for_each(|callee| from_outside[*callee] += 1);
        }
        let mut is_acyclic = true;
        for cycle in graph.components().iter().filter(|component| component.is_cycle) {
            if let Some(chosen) = cycle.members.iter().rev().max_by_key(|member| from_outside[**member]) {
                breaks_cycle[*chosen] = true;
                is_acyclic = false;
            }
        }
        if is_acyclic {
            let order = graph.components().iter().flat_map(|component| component.members.iter().copied()).collect();
            return (order, breaks_cycle);
        }
        graph = graph.without_calls_of(&breaks_cycle);
    }
}

/// The body of a callee with some arguments, as code of the caller, which gets its variables.
pub fn body_in_place(caller: &mut Function, callee: &Function, arguments: &[Operand]) -> Block {
    let offset = caller.variables.len() as u32;
    caller.variables.extend(&callee.variables);
    let values: HashMap<Variable, Operand> = callee.parameters.iter().copied().zip(arguments.iter().copied()).collect();
    let mut rename = |operand: &mut Operand| {
        if let Operand::Variable(variable) = operand {
            let inner = Operand::Variable(Variable(variable.0 + offset));
            *operand = values.get(variable).copied().unwrap_or(inner);
        }
    };
    let mut body = callee.body.clone();
    body.rename(&mut rename, &mut |target| target.0 += offset);
    body
}

/// A function whose calls are being inlined.
struct Caller<'unit> {
    unit: &'unit Unit,
    plan: &'unit Plan,
    id: FunctionId,
    /// The function without its body.
    function: Function,
    /// The size that may still be inlined.
    allowed: usize,
    measures: &'unit FunctionTable<Measure>,
}

impl Caller<'_> {
    fn block(&mut self, mut block: Block, depth: usize) -> Block {
        for statement in &mut block.statements {
            if let Statement::Call { targets, function, arguments } = statement
                && let Some(block) = self.inlined(*function, arguments, depth)
            {
                let targets = std::mem::take(targets);
                *statement = Statement::Bind { targets, block };
                // The body of the callee has been processed before.
                continue;
            }
            if let Some(inner) = statement.block_mut() {
                *inner = self.block(std::mem::take(inner), depth + 1);
            }
        }
        for inner in block.end.blocks_mut().into_iter().flatten() {
            *inner = self.block(std::mem::take(inner), depth + 1);
        }
        block
    }

    /// The body of a function on some arguments, if it is to be inlined.
    fn inlined(&mut self, callee: FunctionId, arguments: &[Operand], depth: usize) -> Option<Block> {
        let function = self.unit.function(callee);
        let Measure { size, depth: inner } = self.measures[callee];
        let fits = size <= self.allowed && depth + inner <= MOST_DEPTH;
        if !fits || !self.plan.inlines(self.id, callee, size) {
            return None;
        }
        self.allowed -= size;
        let body = body_in_place(&mut self.function, function, arguments);
        Some(body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::Building;
    use crate::passes::shape::loops::loops;
    use crate::passes::shape::tidy::tidy;
    use crate::random::{Dials, compare};
    use crate::text::print::print;
    use crate::{End, Kind};
    use vlad_table::{Comparison, Operation};

    #[test]
    fn evaluated_bits_stay_the_same() {
        compare(Dials::default(), 0..400, |unit| {
            inline(unit);
            true
        });
    }

    /// Even and odd numbers by mutual recursion become one loop.
    #[test]
    fn mutual_tail_calls_become_a_loop() {
        let mut building = Building::default();
        let even = building.declare("even", &[Kind::Real], &[Kind::Boolean]);
        let odd = building.declare("odd", &[Kind::Real], &[Kind::Boolean]);
        for (this, other, at_zero) in [(even, odd, true), (odd, even, false)] {
            building.define(this, |code, n| {
                let ends = code.compare(Comparison::Less, n[0], Operand::real(1.0));
                code.branch(
                    ends,
                    |_| End::Yield(vec![Operand::Boolean(at_zero)]),
                    |code| {
                        let less = code.binary(Operation::Subtract, n[0], Operand::real(1.0));
                        End::Yield(code.call(other, &[less]))
                    },
                )
            });
        }
        building.entry(&[Kind::Boolean], |code| {
            let n = code.read();
            End::Yield(code.call(even, &[n]))
        });
        let mut unit = building.finish();
        inline(&mut unit);
        loops(&mut unit);
        inline(&mut unit);
        tidy(&mut unit);
        let expected = "\
entry function entry_0 () boolean
  r0 = read
  b1 = loop r2 := r0
    b3 = r2 < 1
    if b3
      yield #t
    else
      r4 = - r2 1
      b5 = r4 < 1
      if b5
        yield #f
      else
        r6 = - r4 1
        repeat r6
  yield b1
";
        assert_eq!(print(&unit, None), expected);
    }
}
