//! The sweep over a loop of which each iteration decides at its begin whether it is the last one.
//!
//! The last iteration is swept over before the loop, which then has the same path in each of its iterations. If the decision
//! compares a counter with a bound, the number of iterations is known from the bound, and is not counted.
//!
//! If the accumulators of the results are zeros, all contributions are, since they are guarded products, and change no
//! accumulator: none is -0. So the sweep is left out then, unless records have to be popped, a result has accumulators in
//! memory, or a level is around, of whose tangents the zeros tell nothing.

use super::super::nodes::code::{read_by, with_other_names};
use super::super::nodes::identity::Node;
use super::super::nodes::traced::{Ends, Step, Traced, TracedEnd, TracedLoop};
use super::super::recording::recorded::pops;
use super::super::sweep::blocks::{Accumulators, Incoming, Sweep};
use super::super::sweep::transfer::LoopCarried;
use super::loop_carried::read_next;
use crate::first_order::counters::natural;
use crate::first_order::differentiate::emitter::ZERO;
use crate::first_order::differentiate::emitter::yielding;
use crate::first_order::{Block, End, Kind, Operand, Stack, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};
use vlad_table::{Comparison, Operation};

/// The two kinds of iterations of a loop.
#[derive(Debug)]
pub struct Peeled {
    last: Traced,
    pub others: Traced,
    /// A counter, its initial value and its bound, if the other iterations are those in which it is less.
    pub counter: Option<(Variable, f64, Operand)>,
}

impl TracedLoop {
    /// The kinds of iterations of a loop, if there is little code before the decision.
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

    /// The variables of the state that are recorded because the sweep reads them: counters are not, nor is whether an
    /// iteration is the first one.
    pub fn recorded_state(
        &self,
        counters: &BTreeMap<Variable, f64>,
        is_read: impl Fn(Variable) -> bool,
    ) -> Vec<Variable> {
        let is_recorded =
            |variable: &&Variable| **variable != self.first && is_read(**variable) && !counters.contains_key(variable);
        self.state.iter().filter(is_recorded).copied().collect()
    }

    /// The variables of the state that begin with a whole number ([`natural`]), and are increased by 1 whenever the loop is
    /// repeated. The sweep computes them from numbers of iterations.
    pub fn counters(&self) -> BTreeMap<Variable, f64> {
        let begins = self.state.iter().zip(&self.initial);
        let begins = begins.filter_map(|(variable, initial)| Some((*variable, natural(*initial)?)));
        let mut counters: BTreeMap<_, _> = begins.collect();
        let mut increased = BTreeMap::new();
        uncounted(&self.body, self, &mut increased, &mut counters);
        counters
    }
}

/// Removes what a repeat of the loop does not increase by 1, given what the blocks around have increased.
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
    match &block.end {
        TracedEnd::Repeat(operands) => {
            for (state, operand) in traced.state.iter().zip(operands) {
                if operand.variable().and_then(|next| increased.get(&next)) != Some(state) {
                    counters.remove(state);
                }
            }
        }
        TracedEnd::Branch { consequent, alternative, .. } => {
            uncounted(consequent, traced, increased, counters);
            uncounted(alternative, traced, increased, counters);
        }
        TracedEnd::Yield(_) | TracedEnd::BailOut(_) => {}
    }
}

impl Sweep<'_> {
    /// Sweeps over a loop of which each iteration decides at its begin.
    pub fn sweep_peeled(
        &mut self,
        (traced, peeled): (&TracedLoop, &Peeled),
        yielded: &[Option<Operand>],
        accumulators: &mut Accumulators,
        out: &mut Vec<Statement>,
    ) {
        let around = std::mem::take(out);
        let outer = self.outer_nodes(&traced.body, traced.inner);
        let at = |accumulators: &Accumulators, node: Node| accumulators.get(&node).copied().unwrap_or(ZERO);
        let (yields, repeats) = (self.yielded_arrays(traced), self.next_arrays(traced));
        let carried = LoopCarried { yielded: &yields, repeated: &repeats, made_from: traced.made_from };
        let incoming = Incoming { is_recomputed: true, carried, ..Incoming::of_results(yielded, traced.inner) };
        let before = outer.iter().map(|node| (*node, at(accumulators, *node))).collect();
        let mut last = Vec::new();
        let Some(after_last) = self.recompute(&peeled.last, before, incoming, &mut last) else {
            *out = around;
            return;
        };

        let passed = self.draft.fresh(Kind::Real);
        let own: Vec<Node> = traced.state_own.iter().copied().flatten().collect();
        let mut state = vec![passed];
        let mut of_nodes = Accumulators::new();
        for node in own.iter().chain(&outer) {
            let variable = self.draft.fresh(Kind::Real);
            state.push(variable);
            of_nodes.insert(*node, Operand::Variable(variable));
        }
        let repeated: Vec<Option<Operand>> =
            traced.state_own.iter().map(|own| own.map(|node| at(&of_nodes, node))).collect();
        let inside = outer.iter().map(|node| (*node, at(&of_nodes, *node))).collect();
        let incoming = Incoming { repeated: &repeated, ..Incoming { yielded: &[], ..incoming } };
        let mut code = Vec::new();
        let Some(after) = self.recompute(&peeled.others, inside, incoming, &mut code) else {
            *out = around;
            return;
        };

        let (used_last, used) = (used_state(traced, &last), used_state(traced, &code));
        let arrays = read_next(traced, &repeats, &code);
        state.extend(arrays.iter().map(|(_, after)| *after));
        let counters = traced.counters();
        let mut recorded = traced.recorded_state(&counters, |variable| {
            used.contains(&variable)
                || used_last.contains(&variable)
                || arrays.iter().any(|(before, _)| *before == variable)
        });
        let selection = if recorded.is_empty() && arrays.is_empty() {
            self.selection((traced, peeled), [&last, &code])
        } else {
            None
        };
        let chosen = selection.as_ref().map(|selection| self.begin_selection(selection, out));
        match selection {
            Some(selection) => self.draft.record_selection(traced.frame, selection),
            None => self.record(traced.frame, &mut recorded),
        }
        let total = self.iterations(traced, peeled, out);
        let number = match self.length_of(peeled) {
            Some(length) => length,
            None => self.emit(out).binary(Operation::Subtract, total, Operand::real(1.0)),
        };
        let mut of_last = recorded.clone();
        if traced.is_recorded && chosen.is_none() {
            let mut read = BTreeSet::new();
            last.iter().for_each(|statement| read_by(statement, &mut read));
            read.extend(after_last.values().filter_map(|operand| operand.variable()));
            read.extend(arrays.iter().map(|(before, _)| *before));
            if !recorded.iter().any(|variable| read.contains(variable)) {
                of_last.clear();
                self.draft.spare_last(traced.frame);
            }
        }
        self.begin_iteration((traced, &counters), (Iteration::Number(total), &used_last, &of_last), &mut last, out);
        let iteration = chosen.map_or(Iteration::FromLast { number, passed }, Iteration::Number);
        self.begin_iteration((traced, &counters), (iteration, &used, &recorded), &mut code, out);

        // The state of the last iteration has other names.
        let before = || arrays.iter().map(|(before, _)| Operand::Variable(*before));
        let values = own.iter().chain(&outer).map(|node| at(&after_last, *node)).chain(before()).collect();
        let mut last = Block { statements: last, end: End::Yield(values) };
        with_other_names(&mut last, &[], self.draft);
        out.extend(last.statements);
        let unchanged: Vec<Operand> = outer.iter().map(|node| at(accumulators, *node)).collect();
        let targets = if chosen.is_some() {
            let begun: Vec<Variable> = state.split_off(1);
            let values = last.end.operands();
            let after_last = values.iter().skip(own.len()).copied().collect();
            let after = outer.iter().map(|node| at(&after, *node)).collect();
            self.sweep_one(number, (&begun, values), (code, after), after_last, out)
        } else {
            let mut initial = vec![ZERO];
            initial.extend(last.end.operands());
            let passed = Operand::Variable(passed);
            let mut next = vec![self.emit(&mut code).binary(Operation::Add, passed, Operand::real(1.0))];
            next.extend(own.iter().chain(&outer).map(|node| at(&after, *node)).chain(before()));
            let test = self.draft.fresh(Kind::Boolean);
            let end = End::Branch {
                test: Operand::Variable(test),
                consequent: Box::new(Block { statements: code, end: End::Repeat(next) }),
                alternative: Box::new(yielding(outer.iter().map(|node| at(&of_nodes, *node)).collect())),
            };
            let more = Statement::Compare { target: test, comparison: Comparison::Less, first: passed, second: number };
            let targets: Vec<Variable> = outer.iter().map(|_| self.draft.fresh(Kind::Real)).collect();
            let body = Block { statements: vec![more], end };
            out.push(Statement::Loop { targets: targets.clone(), state, initial, body });
            targets
        };
        accumulators.extend(outer.into_iter().zip(targets.into_iter().map(Operand::Variable)));
        let swept = std::mem::replace(out, around);
        let has_records = !recorded.is_empty() || traced.is_recorded && pops(&swept);
        if self.is_outermost && !has_records && !traced.yields_shadow() {
            self.unless_zero(yielded, (swept, unchanged), out);
        } else {
            out.extend(swept);
        }
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
            let (comparison, first, second) = (Comparison::Equal, *accumulator, ZERO);
            let is_zero =
                self.emit(out).assign(Kind::Boolean, |target| Statement::Compare { target, comparison, first, second });
            are_zeros = self.draft.and(are_zeros, is_zero, out);
        }
        let Some(last) = swept.last_mut() else { return };
        let targets = last.targets().to_vec();
        let mut inside = Vec::new();
        for target in last.targets_mut() {
            *target = self.draft.fresh(Kind::Real);
            inside.push(Operand::Variable(*target));
        }
        let end = End::Branch {
            test: are_zeros,
            consequent: Box::new(yielding(unchanged)),
            alternative: Box::new(Block { statements: swept, end: End::Yield(inside) }),
        };
        out.push(Statement::Bind { targets, block: Block { statements: Vec::new(), end } });
    }

    /// The bound of a counter from 0 on, if that is the length of an array: a whole number that is no less.
    fn length_of(&mut self, peeled: &Peeled) -> Option<Operand> {
        let (_, _, bound) = peeled.counter.filter(|counter| counter.1 == 0.0)?;
        let is_length = bound.variable().is_some_and(|bound| self.draft.is_length(bound));
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
        let (comparison, first, second) = (Comparison::Less, Operand::real(initial), bound);
        let is_more = code.assign(Kind::Boolean, |target| Statement::Compare { target, comparison, first, second });
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

    /// Emits the state of an iteration that its code reads: a pop of what is recorded, counters, and whether it is the first
    /// one. The other code is that before the iterations.
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
            let (target, comparison) = (traced.first, Comparison::Equal);
            let one = Operand::real(1.0);
            begin.push(match iteration {
                Iteration::Number(first) => Statement::Compare { target, comparison, first, second: one },
                Iteration::FromLast { number, passed } => {
                    let first = self.emit(before).binary(Operation::Subtract, number, one);
                    Statement::Compare { target, comparison, first, second: Operand::Variable(passed) }
                }
            });
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
        code.push(match iteration {
            Iteration::Number(first) => {
                Statement::Operation { target, operation: Operation::Add, first, second: Some(added) }
            }
            Iteration::FromLast { number, passed } => {
                let first = self.emit(before).binary(Operation::Add, number, added);
                let second = Some(Operand::Variable(passed));
                Statement::Operation { target, operation: Operation::Subtract, first, second }
            }
        });
    }
}

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

/// The variables of a loop's state that code reads.
pub fn used_state(traced: &TracedLoop, code: &[Statement]) -> BTreeSet<Variable> {
    let mut used = BTreeSet::new();
    code.iter().for_each(|statement| read_by(statement, &mut used));
    used.retain(|variable| traced.state.contains(variable));
    used
}
