//! Sweeps that execute code again: over `build`s, and over the loops of code with arrays.
//!
//! The body of a `build` reads what is there before it, and its index, so the sweep over an iteration first executes the
//! body again, but for what the first execution has recorded ([`super::super::recording::recorded`]). An iteration of a loop is executed again
//! from its state on, of which what is read is recorded; the number of times that the loop has been repeated is not, where
//! that is a counter. Tests that have passed are left out, and so is what the sweep does not read. The elements that a
//! `build` has yielded are read from its result, and are not computed a second time; nor are the arrays of a loop's state
//! ([`super::loop_carried`]).
//!
//! Operations that are executed again have the values that they had, and no level of reverse mode is around that
//! would tell their nodes apart.

use super::super::lower::Lowering;
use super::super::nodes::code::{lengths_alone, read_by, read_outer, without_unused};
use super::super::nodes::frames::FrameId;
use super::super::nodes::identity::Node;
use super::super::nodes::traced::{Traced, TracedBuild, TracedLoop};
use super::super::recording::min_cut::recorded_values;
use super::super::sweep::blocks::{Accumulators, Incoming, Sweep};
use super::super::sweep::transfer::{CarriedValue, LoopCarried};
use super::loop_carried::{Provision, read_next};
use super::peeled::{Iteration, used_state};
use crate::first_order::differentiate::emitter::ZERO;
use crate::first_order::differentiate::emitter::yielding;
use crate::first_order::{Block, End, Kind, Operand, Stack, Statement, Variable};
use std::collections::BTreeSet;
use vlad_table::{Comparison, Operation};

impl Sweep<'_> {
    /// Emits a block again, and the sweep over it; returns the accumulators that it leaves, or none if the block bails out.
    pub fn recompute(
        &mut self,
        traced: &Traced,
        accumulators: Accumulators,
        incoming: Incoming<'_>,
        out: &mut Vec<Statement>,
    ) -> Option<Accumulators> {
        let mut swept = Vec::new();
        let after = self.block(traced, accumulators, incoming, &mut swept)?;
        let Provision { provided, before: mut code, after: copies } = self.provision(traced, incoming.carried);
        if self.body_record.is_recorded {
            self.body_record.take_computed(traced, &after, &mut swept);
        }
        let mut lowering = Lowering {
            draft: self.draft,
            instances: self.instances,
            counted: &self.counted,
            records: true,
            counts: false,
            leaves_recorded: self.body_record.is_recorded,
        };
        let mut used = BTreeSet::new();
        copies.iter().chain(&swept).for_each(|statement| read_by(statement, &mut used));
        after.values().for_each(|operand| used.extend(operand.variable()));
        let recorded = match self.body_record.is_recorded {
            true => recorded_values(&traced.steps, (&used, &provided), &self.body_record),
            false => BTreeSet::new(),
        };
        let (cheap, expensive) = lowering.recomputed(&traced.steps, (&provided, &recorded));
        code.extend(cheap);
        let mut code = without_unused(code, used.clone());
        if self.body_record.is_recorded {
            lengths_alone(&mut code, &used, self.draft);
            code.iter().for_each(|statement| read_by(statement, &mut used));
            self.body_record.results.extend(expensive.intersection(&used));
            self.body_record.recomputed.extend(code.iter().flat_map(Statement::targets));
        }
        read_outer(&mut code, self.draft);
        out.extend(code);
        out.extend(copies);
        out.extend(swept);
        Some(after)
    }

    /// Notes what the first execution of a loop or a `build` records, with the variables that are known already.
    pub fn record(&mut self, frame: FrameId, recorded: &mut Vec<Variable>) {
        recorded.extend(&self.body_record.results);
        self.draft.record(frame, recorded);
        self.draft.record_computed(frame, &self.body_record.computed);
    }

    /// The nodes made before a body to whose accumulators the sweep over it adds; those of elements are in memory.
    pub fn outer_nodes(&self, body: &Traced, inner: Node) -> BTreeSet<Node> {
        let mut outer = BTreeSet::new();
        body.contributed(&mut |identity| outer.extend(identity), self.draft);
        outer.retain(|node| *node < inner && !self.draft.is_in_memory(*node));
        outer
    }

    /// Emits the code of an iteration again, and the sweep over it, where what kind of iteration it is shows only later.
    /// Returns also the arrays of the state that it reads as those after it.
    pub fn recomputed_iteration(
        &mut self,
        traced: &TracedLoop,
        inside: Accumulators,
        (incoming, remaining): (Incoming<'_>, Variable),
        out: &mut Vec<Statement>,
    ) -> Option<(Accumulators, Vec<(Variable, Variable)>)> {
        let mut code = Vec::new();
        let after = self.recompute(&traced.body, inside, incoming, &mut code)?;
        let used = used_state(traced, &code);
        let next = read_next(traced, incoming.carried.repeated, &code);
        let counters = traced.counters();
        let mut recorded = traced.recorded_state(&counters, |variable| {
            used.contains(&variable) || next.iter().any(|next| next.0 == variable)
        });
        self.record(traced.frame, &mut recorded);
        let iteration = Iteration::Number(Operand::Variable(remaining));
        self.begin_iteration((traced, &counters), (iteration, &used, &recorded), &mut code, out);
        out.extend(code);
        Some((after, next))
    }

    /// Sweeps over a `build`: a loop over its indices from the last to the first, whose state is the number of those that
    /// have passed, and the accumulators of outer nodes.
    pub fn sweep_build(&mut self, traced: &TracedBuild, accumulators: &mut Accumulators, out: &mut Vec<Statement>) {
        if !traced.is_active {
            return;
        }
        let outer = self.outer_nodes(&traced.body, traced.inner);
        let number = self.draft.read(traced.length);
        let passed = self.draft.fresh(Kind::Real);
        let (mut state, mut initial) = (vec![passed], vec![ZERO]);
        let mut inside = Accumulators::new();
        for node in &outer {
            let variable = self.draft.fresh(Kind::Real);
            state.push(variable);
            initial.push(accumulators.get(node).copied().unwrap_or(ZERO));
            inside.insert(*node, Operand::Variable(variable));
        }
        let unchanged: Vec<Operand> = state.iter().skip(1).copied().map(Operand::Variable).collect();
        let mut statements = Vec::new();
        // The index of an iteration is by 1 less than its number.
        self.counter_value((traced.index, -1.0), Iteration::FromLast { number, passed }, &mut statements, out);
        let index = Operand::Variable(traced.index);
        let mut yielded = Vec::new();
        for shadow in &traced.shadows {
            yielded.push(shadow.map(|shadow| {
                let array = self.draft.read(Operand::Variable(shadow));
                self.emit(&mut statements).assign(Kind::Real, |target| Statement::Load { target, array, index })
            }));
        }
        let mut elements = Vec::new();
        for (array, role) in traced.targets.iter().zip(&traced.roles) {
            let array = self.draft.read(Operand::Variable(*array));
            elements.push(self.draft.kind(array).element().map(|kind| {
                let target = self.draft.fresh(kind);
                statements.push(Statement::Element { target, array, index });
                CarriedValue { role: *role, value: Operand::Variable(target) }
            }));
        }
        let carried = LoopCarried { yielded: &elements, repeated: &[], made_from: traced.made_from };
        let incoming = Incoming { is_recomputed: true, carried, ..Incoming::of_results(&yielded, traced.inner) };
        let Some(after) = self.recompute(&traced.body, inside, incoming, &mut statements) else { return };
        let passed = Operand::Variable(passed);
        let mut next = vec![self.emit(&mut statements).binary(Operation::Add, passed, Operand::real(1.0))];
        next.extend(outer.iter().map(|node| after.get(node).copied().unwrap_or(ZERO)));
        statements = without_unused(statements, next.iter().copied().filter_map(Operand::variable).collect());
        if traced.is_recorded {
            let mut recorded = Vec::new();
            self.record(traced.frame, &mut recorded);
            if !recorded.is_empty() {
                statements.insert(0, Statement::Pop { stack: Stack::Sweeps, targets: recorded });
            }
        }
        let mut targets = Vec::new();
        for node in outer {
            let target = self.draft.fresh(Kind::Real);
            targets.push(target);
            accumulators.insert(node, Operand::Variable(target));
        }
        let mut test = Vec::new();
        let (comparison, first, second) = (Comparison::Less, passed, number);
        let more = self.emit(&mut test).assign(Kind::Boolean, |target| Statement::Compare {
            target,
            comparison,
            first,
            second,
        });
        let end = End::Branch {
            test: more,
            consequent: Box::new(Block { statements, end: End::Repeat(next) }),
            alternative: Box::new(yielding(unchanged)),
        };
        out.push(Statement::Loop { targets, state, initial, body: Block { statements: test, end } });
    }

    /// Sweeps over an array of given elements: their accumulators are those of the shadow array.
    pub fn sweep_array(
        &mut self,
        (elements, shadow): (&[Operand], Variable),
        accumulators: &mut Accumulators,
        out: &mut Vec<Statement>,
    ) {
        let array = self.draft.read(Operand::Variable(shadow));
        for (index, element) in elements.iter().enumerate() {
            let identity = self.draft.identity(*element);
            if identity.is_active() {
                let target = self.draft.fresh(Kind::Real);
                out.push(Statement::Load { target, array, index: Operand::real(index as f64) });
                self.store(&identity, Operand::Variable(target), Node(0), accumulators, out);
            }
        }
    }
}
