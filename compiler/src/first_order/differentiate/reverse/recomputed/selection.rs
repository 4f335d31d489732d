//! Loops that choose one value of those of their iterations: a maximum or a minimum.
//!
//! ```text
//! loop s, i:  ...  e ...  repeat (max s e, i + 1)
//! ```
//!
//! The cotangent of what such a loop leaves belongs to the value that was chosen last. All other contributions of the sweep
//! are guarded products with the coefficient 0 or with the cotangent +0, and change no accumulator: none is -0. So the first
//! execution records the counter of the iteration that has chosen last, in place of a flag for each, and the sweep is over that
//! iteration alone; over the first one if none has chosen, where the cotangent goes to the initial value.
//!
//! That holds if no level is around, of whose tangents the zeros tell nothing, if iterations hand nothing else on that is
//! active, and if the sweep reads nothing else of them. What an iteration chooses from is not made of what was chosen before, nor
//! may it be the same node; and the last iteration, which leaves the loop, makes no choice.

use super::super::nodes::code::read_by;
use super::super::nodes::frames::Selection;
use super::super::nodes::identity::Node;
use super::super::nodes::traced::{Step, Traced, TracedEnd, TracedLoop};
use super::super::recording::recorded::{is_same, pops};
use super::super::sweep::blocks::Sweep;
use super::peeled::Peeled;
use crate::first_order::differentiate::emitter::yielding;
use crate::first_order::{Block, End, Kind, Operand, Stack, Statement, Variable};
use std::collections::BTreeSet;
use vlad_table::{Comparison, Operation};

/// The record of a loop in which no iteration has chosen: no counter is as large.
pub const NONE: f64 = ((1_u64 << 53) - 1) as f64;

impl TracedLoop {
    /// The choice that all iterations but the last one make, if that is all that these hand on.
    fn selection(&self, peeled: &Peeled, contributes: impl Fn(&Traced, Node) -> bool) -> Option<Selection> {
        let (counter, initial, _) = peeled.counter?;
        let TracedEnd::Repeat(next) = &peeled.others.end else { return None };
        let mut own = self.state_own.iter().zip(self.state.iter().zip(next)).filter(|(own, _)| own.is_some());
        let (Some((Some(own), (state, Operand::Variable(next)))), None) = (own.next(), own.next()) else { return None };
        let mut steps = peeled.others.steps.clone();
        let choosing = steps.iter_mut().find(|step| step.targets().contains(next))?;
        let Step::Node { operation, first: kept, second: Some(other), .. } = choosing else { return None };
        let (operation, first, second, state) = (*operation, *kept, *other, Operand::Variable(*state));
        let selected_if = first == state;
        // Without what was chosen before, the code has to be without contributions to it.
        (*kept, *other) = if selected_if { (second, second) } else { (first, first) };
        if contributes(&Traced { steps, end: TracedEnd::Yield(Vec::new()) }, *own) {
            return None;
        }
        // If it holds, the result is the second operand.
        let (smaller, larger) = match operation {
            Operation::Maximum => (first, second),
            Operation::Minimum => (second, first),
            _ => return None,
        };
        let comparison =
            Statement::Compare { target: counter, comparison: Comparison::Less, first: smaller, second: larger };
        Some(Selection { comparison, selected_if, counter: (counter, initial) })
    }
}

impl Sweep<'_> {
    /// The choice of a loop, if it is all that the sweep over its iterations, the last one and the others, reads of them.
    pub fn selection(
        &mut self,
        (traced, peeled): (&TracedLoop, &Peeled),
        [last, others]: [&[Statement]; 2],
    ) -> Option<Selection> {
        let [flag] = self.body_record.computed.as_slice() else { return None };
        let mut read_last = BTreeSet::new();
        last.iter().for_each(|statement| read_by(statement, &mut read_last));
        let is_all =
            self.body_record.results.iter().eq(flag.targets()) && self.body_record.results.is_disjoint(&read_last);
        if !is_all || !traced.is_recorded || !self.is_outermost || pops(last) || pops(others) {
            return None;
        }
        let draft = &*self.draft;
        let contributes = |steps: &Traced, node| {
            let mut nodes = BTreeSet::new();
            steps.contributed(&mut |identity| nodes.extend(identity), draft);
            nodes.contains(&node)
        };
        let selection =
            traced.selection(peeled, contributes).filter(|selection| is_same(&selection.comparison, flag))?;
        Some(Selection { comparison: flag.clone(), ..selection })
    }

    /// Emits the pop of what a choosing loop has recorded, and the flag of the iteration that is swept over; returns the number of
    /// that iteration.
    pub fn begin_selection(&mut self, selection: &Selection, out: &mut Vec<Statement>) -> Operand {
        let latest = self.draft.fresh(Kind::Real);
        out.push(Statement::Pop { stack: Stack::Sweeps, targets: vec![latest] });
        let latest = Operand::Variable(latest);
        let mut emit = self.emit(out);
        let (comparison, first, second) = (Comparison::Less, latest, Operand::real(NONE));
        let is_chosen = emit.assign(Kind::Boolean, |target| Statement::Compare { target, comparison, first, second });
        let before_first = Operand::real(selection.counter.1 - 1.0);
        let number = emit.choose(
            Kind::Real,
            is_chosen,
            |code| code.binary(Operation::Subtract, latest, before_first),
            |_| Operand::real(1.0),
        );
        let flag = if selection.selected_if { is_chosen } else { self.draft.not(is_chosen, out) };
        out.push(Statement::Bind { targets: selection.comparison.targets().to_vec(), block: yielding(vec![flag]) });
        number
    }

    /// Emits the sweep over one iteration, if a loop has more than its last one: the code, given the variables of the
    /// accumulators with which it begins, and their values.
    pub fn sweep_one(
        &mut self,
        number: Operand,
        (begun, values): (&[Variable], &[Operand]),
        (mut code, after): (Vec<Statement>, Vec<Operand>),
        unchanged: Vec<Operand>,
        out: &mut Vec<Statement>,
    ) -> Vec<Variable> {
        let block = yielding(values.to_vec());
        code.insert(0, Statement::Bind { targets: begun.to_vec(), block });
        let (comparison, first, second) = (Comparison::Less, Operand::real(0.0), number);
        let has_others =
            self.emit(out).assign(Kind::Boolean, |target| Statement::Compare { target, comparison, first, second });
        let targets: Vec<Variable> = after.iter().map(|_| self.draft.fresh(Kind::Real)).collect();
        let end = End::Branch {
            test: has_others,
            consequent: Box::new(Block { statements: code, end: End::Yield(after) }),
            alternative: Box::new(yielding(unchanged)),
        };
        out.push(Statement::Bind { targets: targets.clone(), block: Block { statements: Vec::new(), end } });
        targets
    }
}
