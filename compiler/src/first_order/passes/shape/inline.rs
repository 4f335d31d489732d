//! Inlining: a call becomes a bind of the callee's body, with its variables renamed and its parameters replaced by the
//! arguments. Arguments and results are moved either way, so no bit changes at any level.
//!
//! Inlined are functions that are called once, small ones, those called from code at a new level, whose differentiation
//! is simpler without calls, and the members of a cycle of calls within each other, but for one function of each
//! cycle. Calls at a new level remain calls.

use crate::first_order::call_graph::{Calls, callees, components, reached};
use crate::first_order::{Block, Function, FunctionId, MOST_DEPTH, Operand, Statement, Unit, Variable};
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
    let mut measures: Vec<Measure> = unit.functions.iter().map(Measure::of).collect();
    let mut budget = measures.iter().map(|measure| measure.size).sum::<usize>().max(MOST_GROWTH);
    for number in plan.order.iter().copied() {
        let Some(place) = unit.functions.get_mut(number) else { continue };
        let mut function = std::mem::replace(place, no_function());
        let body = std::mem::take(&mut function.body);
        let allowed = budget.min(MOST_GROWTH);
        let mut caller = Caller { unit, plan: &plan, number, allowed, measures: &measures, function };
        let body = caller.block(body, 1);
        budget -= allowed - caller.allowed;
        let function = Function { body, ..caller.function };
        if let Some(measure) = measures.get_mut(number) {
            *measure = Measure::of(&function);
        }
        if let Some(place) = unit.functions.get_mut(number) {
            *place = function;
        }
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
    order: Vec<usize>,
    /// The functions that are never inlined: one at least of each cycle.
    breaks_cycle: Vec<bool>,
    /// The cycle of each function, by number.
    component: Vec<usize>,
    /// The number of calls of each function; of those at new levels too.
    calls: Vec<usize>,
    /// The functions that are reached from a call at a new level.
    is_at_level: Vec<bool>,
}

impl Plan {
    fn of(unit: &Unit) -> Plan {
        let mut calls = vec![0; unit.functions.len()];
        let mut at_level = Vec::new();
        for function in &unit.functions {
            function.body.each_statement(&mut |statement| {
                let Some(callee) = statement.callee() else { return };
                if let Some(calls) = calls.get_mut(callee.0 as usize) {
                    *calls += 1;
                }
                if !matches!(statement, Statement::Call { .. }) {
                    at_level.push(callee);
                }
            });
        }
        let mut graph = callees(unit, Calls::Plain);
        let is_at_level = reached(&callees(unit, Calls::All), at_level);
        let component = component_of(&components(&graph), graph.len());
        let mut breaks_cycle = vec![false; graph.len()];
        let order = break_cycles(&mut graph, &mut breaks_cycle);
        Plan { order, breaks_cycle, component, calls, is_at_level }
    }

    fn inlines(&self, caller: usize, callee: usize, size: usize) -> bool {
        let is_true = |list: &[bool], number: usize| list.get(number) == Some(&true);
        let is_recursive = self.component.get(caller) == self.component.get(callee);
        !is_true(&self.breaks_cycle, callee)
            && caller != callee
            && (size <= SMALL
                || self.calls.get(callee) == Some(&1)
                || size <= MEDIUM && (is_recursive || is_true(&self.is_at_level, caller)))
    }
}

/// Takes calls of one function after the other out of the graph until it has no cycle; returns the functions, callees
/// first.
///
/// Of each cycle that is the function with the most callers from outside, where loops are entered, else the first one.
fn break_cycles(graph: &mut [Vec<usize>], breaks_cycle: &mut [bool]) -> Vec<usize> {
    loop {
        let cycles = components(graph);
        let component = component_of(&cycles, graph.len());
        let mut from_outside = vec![0; graph.len()];
        for (caller, callees) in graph.iter().enumerate() {
            for callee in callees.iter().filter(|callee| component.get(**callee) != component.get(caller)) {
                if let Some(count) = from_outside.get_mut(*callee) {
                    *count += 1;
                }
            }
        }
        let calls_itself = |member: &usize| graph.get(*member).is_some_and(|callees| callees.contains(member));
        let mut is_acyclic = true;
        for cycle in cycles.iter().filter(|cycle| cycle.len() > 1 || cycle.iter().any(calls_itself)) {
            let chosen = cycle.iter().rev().max_by_key(|member| from_outside.get(**member));
            if let Some(breaks) = chosen.and_then(|chosen| breaks_cycle.get_mut(*chosen)) {
                *breaks = true;
                is_acyclic = false;
            }
        }
        if is_acyclic {
            return cycles.into_iter().flatten().collect();
        }
        for callees in graph.iter_mut() {
            callees.retain(|callee| breaks_cycle.get(*callee) == Some(&false));
        }
    }
}

/// The number of each function's component.
fn component_of(components: &[Vec<usize>], functions: usize) -> Vec<usize> {
    let mut component = vec![0; functions];
    for (number, members) in components.iter().enumerate() {
        for member in members {
            if let Some(place) = component.get_mut(*member) {
                *place = number;
            }
        }
    }
    component
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
    number: usize,
    /// The function without its body.
    function: Function,
    /// The size that may still be inlined.
    allowed: usize,
    measures: &'unit [Measure],
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
        let Measure { size, depth: inner } = *self.measures.get(callee.0 as usize)?;
        let fits = size <= self.allowed && depth + inner <= MOST_DEPTH;
        if !fits || !self.plan.inlines(self.number, callee.0 as usize, size) {
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
    use crate::first_order::build::Building;
    use crate::first_order::passes::shape::loops::loops;
    use crate::first_order::passes::shape::tidy::tidy;
    use crate::first_order::print::print;
    use crate::first_order::random::{Dials, compare};
    use crate::first_order::{End, Kind};
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
