//! Loops that select one value of those of their iterations: a maximum or a minimum.
//!
//! ```text
//! loop s, i:  ...  e ...  repeat (max s e, i + 1)
//! ```
//!
//! The cotangent of the result belongs to the value that was selected last. All other contributions of the sweep are
//! guarded products with the coefficient 0 or with the cotangent +0, and change no accumulator: none is -0. So the first
//! execution records the counter of the iteration that was selected last, in place of a flag for each, and the sweep is
//! over that iteration alone. If none was selected, it is over the first one, where the cotangent goes to the initial
//! value.
//!
//! This holds under four conditions. No level is around: zeros tell nothing of its tangents. Iterations pass
//! nothing else on that is active, and the sweep reads nothing else of them. The value of an iteration does not depend on
//! what was selected before, nor may it be the same node. The last iteration, which leaves the loop, selects nothing.

use super::super::lower::NONE;
use super::super::nodes::{Draft, Selection, Step, Traced, TracedEnd, TracedLoop, pops, read_in};
use super::super::recording::recorded::is_same;
use super::super::sweep::Sweep;
use super::peeled::Peeled;
use crate::differentiate::emitter::{assignment, choice, yielding};
use crate::{Block, End, Kind, Operand, Stack, Statement, Variable};
use vlad_table::{Comparison, Operation};

impl TracedLoop {
    /// The selection that all iterations but the last one make, if that is all that these pass on.
    fn selection(&self, peeled: &Peeled, draft: &Draft) -> Option<Selection> {
        let (counter, initial, _) = peeled.counter?;
        let TracedEnd::Repeat(next) = &peeled.others.end else { return None };
        let mut own = self.state_own.iter().zip(self.state.iter().zip(next)).filter(|(own, _)| own.is_some());
        let (Some((Some(own), (state, Operand::Variable(next)))), None) = (own.next(), own.next()) else { return None };
        let mut steps = peeled.others.steps.clone();
        let selecting = steps.iter_mut().find(|step| step.targets().contains(next))?;
        let Step::Node { operation, first: left, second: Some(right), .. } = selecting else { return None };
        let (operation, first, second) = (*operation, *left, *right);
        let selected_if = first == Operand::Variable(*state);
        // Without the operand that was selected before, the code must not contribute to it.
        (*left, *right) = if selected_if { (second, second) } else { (first, first) };
        let others = Traced { steps, end: TracedEnd::Yield(Vec::new()) };
        if others.contributed(draft).contains(own) {
            return None;
        }
        // If the first is less, the result is the second operand.
        let (first, second) = match operation {
            Operation::Maximum => (first, second),
            Operation::Minimum => (second, first),
            _ => return None,
        };
        let comparison = Statement::Compare { target: counter, comparison: Comparison::Less, first, second };
        Some(Selection { comparison, selected_if, counter: (counter, initial) })
    }
}

impl Sweep<'_> {
    /// The selection of a loop, if it is all that the sweep over its iterations, the last one and the others, reads of
    /// them.
    pub fn selection(
        &mut self,
        (traced, peeled): (&TracedLoop, &Peeled),
        [last, others]: [&[Statement]; 2],
    ) -> Option<Selection> {
        let [flag] = self.body_record.computed.as_slice() else { return None };
        let recorded = &self.body_record.results;
        let is_all = recorded.iter().eq(flag.targets()) && recorded.is_disjoint(&read_in(last));
        if !is_all || !traced.is_recorded || !self.is_outermost || pops(last) || pops(others) {
            return None;
        }
        let selection = traced.selection(peeled, self.draft)?;
        is_same(&selection.comparison, flag).then(|| Selection { comparison: flag.clone(), ..selection })
    }

    /// Emits the pop of what a selecting loop has recorded, and the flag of the iteration that is swept over; returns the
    /// number of that iteration.
    pub fn begin_selection(&mut self, selection: &Selection, out: &mut Vec<Statement>) -> Operand {
        let latest = self.draft.fresh(Kind::Real);
        out.push(Statement::Pop { stack: Stack::Sweeps, targets: vec![latest] });
        let latest = Operand::Variable(latest);
        let mut emit = self.emit(out);
        let is_selected = emit.compare(Comparison::Less, latest, Operand::real(NONE));
        let before_first = Operand::real(selection.counter.1 - 1.0);
        let number = emit.choose(
            Kind::Real,
            is_selected,
            |code| code.binary(Operation::Subtract, latest, before_first),
            |_| Operand::real(1.0),
        );
        let flag = if selection.selected_if { is_selected } else { self.draft.not(is_selected, out) };
        out.push(assignment(selection.comparison.targets().to_vec(), vec![flag]));
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
        code.insert(0, assignment(begun.to_vec(), values.to_vec()));
        let has_others = self.emit(out).compare(Comparison::Less, Operand::real(0.0), number);
        let targets: Vec<Variable> = after.iter().map(|_| self.draft.fresh(Kind::Real)).collect();
        let swept = Block { statements: code, end: End::Yield(after) };
        out.push(choice(targets.clone(), has_others, swept, yielding(unchanged)));
        targets
    }
}
