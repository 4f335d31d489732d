//! The sweep over a loop whose iterations are executed again, and decide first whether they are the last one. The sweep over loops
//! ([`super::super::sweep`]) comes here if [`TracedLoop::peeled`] recognises the decision.
//!
//! The last iteration is peeled: it is swept over before the loop, which then has the same path in each of its iterations. If the
//! decision compares a counter with a bound, the number of iterations follows from the bound, and is not counted. If iterations
//! pass on nothing but a maximum or a minimum, the sweep over the others is over the one that was selected, and is no loop
//! ([`super::selection`]).
//!
//! If the accumulators of the results are zeros, the sweep is left out. All its contributions are guarded products then,
//! and so +0, which changes no accumulator: none is -0. This holds unless records have to be popped, a result has a
//! shadow array, or another level of differentiation is around: that a primal is zero says nothing about its tangent.

use super::super::nodes::{Ends, Node, Step, Traced, TracedEnd, TracedLoop, pops, read_in, with_other_names};
use super::super::sweep::{Accumulators, Incoming, LoopCarried, Sweep, of_nodes, of_own};
use super::loop_carried::read_next;
use super::state::Iteration;
use crate::differentiate::emitter::{ZERO, branch, choice, operands, yielding};
use crate::{Block, End, Kind, Operand, Statement, Variable};
use std::collections::BTreeSet;
use vlad_table::{Comparison, Operation};

/// The two kinds of iterations of a loop, each with the code before the decision.
#[derive(Debug)]
pub struct Peeled {
    last: Traced,
    pub others: Traced,
    /// A counter, its initial value and its bound, if the other iterations are those in which it is less.
    pub counter: Option<(Variable, f64, Operand)>,
}

impl TracedLoop {
    /// The kinds of iterations of a loop, if there are only operations, plain statements and tests before the decision.
    pub fn peeled(&self) -> Option<Peeled> {
        let TracedEnd::Branch { test, consequent, alternative, .. } = &self.body.end else { return None };
        let repeats_if = match (consequent.ends(), alternative.ends()) {
            (Some(Ends::Repeat), Some(Ends::Yield)) => true,
            (Some(Ends::Yield), Some(Ends::Repeat)) => false,
            _ => return None,
        };
        let is_small = |step: &Step| matches!(step, Step::Plain(_) | Step::Test { .. } | Step::Node { .. });
        if !self.body.steps.iter().all(is_small) {
            return None;
        }
        let before = |path: &Traced| {
            let mut path = path.clone();
            path.steps.splice(0..0, self.body.steps.iter().cloned());
            path
        };
        let (others, last) = if repeats_if { (consequent, alternative) } else { (alternative, consequent) };
        let counter = if repeats_if { self.bounded_counter(*test) } else { None };
        Some(Peeled { last: before(last), others: before(others), counter })
    }

    /// A counter with its initial value and its bound, if a test compares these.
    fn bounded_counter(&self, test: Operand) -> Option<(Variable, f64, Operand)> {
        let Step::Plain(Statement::Compare { comparison: Comparison::Less, first, second, .. }) =
            self.body.definition(test.variable()?)?
        else {
            return None;
        };
        let counter = first.variable()?;
        let initial = self.counters().get(&counter).copied()?;
        let changes = |bound: Variable| self.state.contains(&bound) || self.body.definition(bound).is_some();
        match second {
            Operand::Variable(bound) if changes(*bound) => None,
            Operand::Boolean(_) => None,
            Operand::Real(_) | Operand::Variable(_) => Some((counter, initial, *second)),
        }
    }
}

impl Sweep<'_> {
    /// Sweeps over a peeled loop, given the accumulators of its results.
    pub fn sweep_peeled(
        &mut self,
        (traced, peeled): (&TracedLoop, &Peeled),
        yielded: &[Option<Operand>],
        accumulators: &mut Accumulators,
        out: &mut Vec<Statement>,
    ) {
        let mut swept = Vec::new();
        let Some((changed, unchanged, has_records)) =
            self.peeled_sweep((traced, peeled), yielded, accumulators, &mut swept)
        else {
            return;
        };
        accumulators.extend(changed);
        if self.is_outermost && !has_records && !traced.yields_shadow() {
            self.unless_zero(yielded, (swept, unchanged), out);
        } else {
            out.extend(swept);
        }
    }

    /// Emits the sweep; returns the accumulators of outer nodes after it and before it, and true if it pops records.
    /// There is none if an iteration bails out.
    fn peeled_sweep(
        &mut self,
        (traced, peeled): (&TracedLoop, &Peeled),
        yielded: &[Option<Operand>],
        accumulators: &Accumulators,
        out: &mut Vec<Statement>,
    ) -> Option<(Accumulators, Vec<Operand>, bool)> {
        let outer = self.outer_nodes(&traced.body, traced.inner);
        let unchanged = of_nodes(accumulators, &outer);
        let (yields, repeats) = (self.yielded_arrays(traced), self.next_arrays(traced));
        let carried = LoopCarried { yielded: &yields, repeated: &repeats, made_from: traced.made_from };
        let incoming = Incoming { is_recomputed: true, carried, ..Incoming::of_results(yielded, traced.inner) };
        let before = outer.iter().copied().zip(unchanged.iter().copied()).collect();
        let mut last = Vec::new();
        let after_last = self.recompute(&peeled.last, before, incoming, &mut last)?;

        // The number of iterations but the last one that have been swept over.
        let passed = self.draft.fresh(Kind::Real);
        let own: Vec<Node> = traced.state_own.iter().copied().flatten().collect();
        let nodes: Vec<Node> = own.iter().chain(&outer).copied().collect();
        let mut state = vec![passed];
        let of_state = self.fresh_accumulators(&own, &mut state);
        let inside = self.fresh_accumulators(&outer, &mut state);
        let left = of_nodes(&inside, &outer);
        let repeated = of_own(&of_state, &traced.state_own);
        let incoming = Incoming { yielded: &[], repeated: &repeated, ..incoming };
        let mut code = Vec::new();
        let after = self.recompute(&peeled.others, inside, incoming, &mut code)?;

        let (used_last, used) = (traced.used_state(&last), traced.used_state(&code));
        let arrays = read_next(traced, &repeats, &code);
        state.extend(arrays.iter().map(|(_, after)| *after));
        let next_arrays: Vec<Variable> = arrays.iter().map(|(before, _)| *before).collect();
        let counters = traced.counters();
        let is_read =
            |variable| used.contains(&variable) || used_last.contains(&variable) || next_arrays.contains(&variable);
        let mut recorded = traced.recordable_state(&counters, is_read);
        let selection = match recorded.is_empty() && arrays.is_empty() {
            true => self.selection((traced, peeled), [&last, &code]),
            false => None,
        };
        let selected = selection.as_ref().map(|selection| self.begin_selection(selection, out));
        match selection {
            Some(selection) => self.draft.special_mut(traced.frame).selection = Some(selection),
            None => self.record(traced.frame, &mut recorded),
        }
        let total = self.iterations(traced, peeled, out);
        let number = match self.length_of(peeled) {
            Some(length) => length,
            None => self.emit(out).binary(Operation::Subtract, total, Operand::real(1.0)),
        };
        let mut of_last = recorded.clone();
        if traced.is_recorded && selected.is_none() {
            let mut read: BTreeSet<Variable> = read_in(&last);
            read.extend(after_last.values().filter_map(|operand| operand.variable()));
            read.extend(&next_arrays);
            if !recorded.iter().any(|variable| read.contains(variable)) {
                of_last.clear();
                self.draft.special_mut(traced.frame).spares_last = true;
            }
        }
        self.begin_iteration((traced, &counters), (Iteration::Number(total), &used_last, &of_last), &mut last, out);
        let iteration = selected.map_or(Iteration::FromLast { number, passed }, Iteration::Number);
        self.begin_iteration((traced, &counters), (iteration, &used, &recorded), &mut code, out);

        // The state of the last iteration has other names.
        let mut values = of_nodes(&after_last, &nodes);
        values.extend(operands(&next_arrays));
        let mut last = Block { statements: last, end: End::Yield(values) };
        with_other_names(&mut last, &[], self.draft);
        out.extend(last.statements);
        let values = last.end.operands();
        let targets = if selected.is_some() {
            let after_last = values.iter().skip(own.len()).copied().collect();
            self.sweep_one(number, (&state.split_off(1), values), (code, of_nodes(&after, &outer)), after_last, out)
        } else {
            let mut initial = vec![ZERO];
            initial.extend(values);
            let passed = Operand::Variable(passed);
            let mut next = vec![self.emit(&mut code).binary(Operation::Add, passed, Operand::real(1.0))];
            next.extend(of_nodes(&after, &nodes));
            next.extend(operands(&next_arrays));
            let mut test = Vec::new();
            let more = self.emit(&mut test).compare(Comparison::Less, passed, number);
            let end = branch(more, Block { statements: code, end: End::Repeat(next) }, yielding(left));
            let targets: Vec<Variable> = outer.iter().map(|_| self.draft.fresh(Kind::Real)).collect();
            let body = Block { statements: test, end };
            out.push(Statement::Loop { targets: targets.clone(), state, initial, body });
            targets
        };
        let has_records = !recorded.is_empty() || traced.is_recorded && pops(out);
        Some((outer.into_iter().zip(operands(&targets)).collect(), unchanged, has_records))
    }

    /// Emits a sweep that is left out where the accumulators with which it begins are zeros. The last statement of the
    /// sweep assigns the accumulators that it changes, whose values before it are given.
    fn unless_zero(
        &mut self,
        begun: &[Option<Operand>],
        (mut swept, unchanged): (Vec<Statement>, Vec<Operand>),
        out: &mut Vec<Statement>,
    ) {
        let mut are_zeros = Operand::Boolean(true);
        for accumulator in begun.iter().flatten() {
            let is_zero = self.emit(out).compare(Comparison::Equal, *accumulator, ZERO);
            are_zeros = self.draft.and(are_zeros, is_zero, out);
        }
        let Some(last) = swept.last_mut() else { return };
        let targets = last.targets().to_vec();
        last.targets_mut().iter_mut().for_each(|target| *target = self.draft.fresh(Kind::Real));
        let inside = End::Yield(operands(last.targets()));
        out.push(choice(targets, are_zeros, yielding(unchanged), Block { statements: swept, end: inside }));
    }

    /// The bound of a counter from 0 on, if that is the length of an array: a whole number that is no less.
    fn length_of(&mut self, peeled: &Peeled) -> Option<Operand> {
        let (_, _, bound) = peeled.counter.filter(|counter| counter.1 == 0.0)?;
        let is_length = bound.variable().is_some_and(|bound| self.draft.lengths.contains(&bound));
        is_length.then(|| self.draft.read(bound))
    }

    /// The number of iterations of a loop: the bound of a counter, rounded up, or counted by the loop.
    fn iterations(&mut self, traced: &TracedLoop, peeled: &Peeled, out: &mut Vec<Statement>) -> Operand {
        let Some((_, initial, bound)) = peeled.counter else {
            self.counted.insert(traced.count);
            return self.draft.read(Operand::Variable(traced.total));
        };
        if let Some(length) = self.length_of(peeled) {
            return self.emit(out).binary(Operation::Add, length, Operand::real(1.0));
        }
        let bound = self.draft.read(bound);
        let mut code = self.emit(out);
        let is_more = code.compare(Comparison::Less, Operand::real(initial), bound);
        code.choose(
            Kind::Real,
            is_more,
            |code| {
                let negated = code.unary(Operation::Negate, bound);
                let rounded = code.unary(Operation::Floor, negated);
                code.binary(Operation::Subtract, Operand::real(1.0 - initial), rounded)
            },
            |_| Operand::real(1.0),
        )
    }
}
