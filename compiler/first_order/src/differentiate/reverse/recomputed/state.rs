//! The state of an iteration that is executed again: variables that are recorded, and counters, which are computed from
//! the number of the iteration.

use super::super::nodes::{Step, Traced, TracedEnd, TracedLoop, read_in};
use super::super::sweep::Sweep;
use crate::counted_loops::natural;
use crate::{Operand, Stack, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};
use vlad_table::{Comparison, Operation};

/// The number of an iteration, from 1 on.
#[derive(Clone, Copy, Debug)]
pub enum Iteration {
    Number(Operand),
    /// The number of the last one, less the number of those that have been swept over.
    FromLast {
        number: Operand,
        passed: Variable,
    },
}

impl TracedLoop {
    /// The variables of the state that are recorded because the sweep reads them: counters are not, nor is whether an
    /// iteration is the first one.
    pub fn recordable_state(
        &self,
        counters: &BTreeMap<Variable, f64>,
        is_read: impl Fn(Variable) -> bool,
    ) -> Vec<Variable> {
        let is_recorded =
            |variable: &&Variable| **variable != self.first && is_read(**variable) && !counters.contains_key(variable);
        self.state.iter().filter(is_recorded).copied().collect()
    }

    /// True if the sweep may read more of the iterations than their numbers, so that something is recorded of them.
    pub fn records_iterations(&self) -> bool {
        !self.is_recomputed || !self.recordable_state(&self.counters(), |_| true).is_empty()
    }

    /// The variables of the state that code reads.
    pub fn used_state(&self, code: &[Statement]) -> BTreeSet<Variable> {
        let mut used = read_in(code);
        used.retain(|variable| self.state.contains(variable));
        used
    }

    /// The variables of the state that begin with a whole number ([`natural`]), and are increased by 1 whenever the loop
    /// is repeated, with their initial values.
    pub fn counters(&self) -> BTreeMap<Variable, f64> {
        let begins = self.state.iter().zip(&self.initial);
        let begins = begins.filter_map(|(variable, initial)| Some((*variable, natural(*initial)?)));
        let mut counters: BTreeMap<_, _> = begins.collect();
        uncounted(&self.body, self, &mut BTreeMap::new(), &mut counters);
        counters
    }
}

/// Removes the variables that a repeat of the loop does not increase by 1, given the sums that the blocks around have
/// made.
fn uncounted(
    block: &Traced,
    traced: &TracedLoop,
    increased: &mut BTreeMap<Variable, Variable>,
    counters: &mut BTreeMap<Variable, f64>,
) {
    for step in &block.steps {
        if let Step::Plain(Statement::Operation {
            target,
            operation: Operation::Add,
            first: Operand::Variable(from),
            second: Some(Operand::Real(one)),
        }) = step
            && one.real() == 1.0
        {
            increased.insert(*target, *from);
        }
    }
    if let TracedEnd::Repeat(operands) = &block.end {
        for (state, operand) in traced.state.iter().zip(operands) {
            if operand.variable().and_then(|next| increased.get(&next)) != Some(state) {
                counters.remove(state);
            }
        }
    }
    block.branches().for_each(|block| uncounted(block, traced, increased, counters));
}

impl Sweep<'_> {
    /// Emits the state of an iteration that its code reads: a pop of what is recorded, counters, and whether it is the
    /// first one. The other code is that before the iterations.
    pub fn begin_iteration(
        &mut self,
        (traced, counters): (&TracedLoop, &BTreeMap<Variable, f64>),
        (iteration, used, recorded): (Iteration, &BTreeSet<Variable>, &[Variable]),
        code: &mut Vec<Statement>,
        before: &mut Vec<Statement>,
    ) {
        let mut begin = Vec::new();
        if !recorded.is_empty() {
            begin.push(Statement::Pop { stack: Stack::Sweeps, targets: recorded.to_vec() });
        }
        for (target, initial) in counters.iter().filter(|(variable, _)| used.contains(variable)) {
            self.counter_value((*target, initial - 1.0), iteration, &mut begin, before);
        }
        if used.contains(&traced.first) {
            let (target, comparison, one) = (traced.first, Comparison::Equal, Operand::real(1.0));
            let (first, second) = match iteration {
                Iteration::Number(number) => (number, one),
                Iteration::FromLast { number, passed } => {
                    (self.emit(before).binary(Operation::Subtract, number, one), passed.into())
                }
            };
            begin.push(Statement::Compare { target, comparison, first, second });
        }
        code.splice(0..0, begin);
    }

    /// Emits the sum of a number and the number of an iteration.
    pub fn counter_value(
        &mut self,
        (target, added): (Variable, f64),
        iteration: Iteration,
        code: &mut Vec<Statement>,
        before: &mut Vec<Statement>,
    ) {
        let added = Operand::real(added);
        let (operation, first, second) = match iteration {
            Iteration::Number(number) => (Operation::Add, number, added),
            Iteration::FromLast { number, passed } => {
                (Operation::Subtract, self.emit(before).binary(Operation::Add, number, added), passed.into())
            }
        };
        code.push(Statement::Operation { target, operation, first, second: Some(second) });
    }
}
