//! The sweep over code that is executed again: an iteration of a `build`, or of a loop of code with arrays.
//!
//! The sweep ([`super::super::sweep`]) comes here for constructs of code with arrays ([`TracedLoop::is_recomputed`]). The code of
//! an iteration reads its state, or index, and variables before the construct. So the sweep over it first executes the code again,
//! but for three things: tests that may bail out, which have passed; values that the first execution has recorded
//! ([`super::super::recording`]); and arrays that are known, since they are in the state after the iteration or in the result
//! ([`super::loop_carried`]). Of the state, the variables are recorded that are read; counters are computed.
//!
//! No bit changes: an operation that is executed again has the value that it had. It would be another node on the tape of an outer
//! level of reverse mode, but there is none around code with arrays.

use super::super::lower::Lowering;
use super::super::nodes::{Execution, FrameId, Node, Traced, TracedBuild, TracedLoop, read_in, read_outer};
use super::super::recording::min_cut::recorded_values;
use super::super::sweep::{Accumulators, CarriedValue, Incoming, LoopCarried, Sweep, of_nodes};
use super::loop_carried::{Provision, read_next};
use super::state::Iteration;
use super::unused::{lengths_alone, without_unused};
use crate::differentiate::emitter::{ZERO, branch, yielding};
use crate::{Block, End, Kind, Operand, Stack, Statement, Variable};
use std::collections::BTreeSet;
use vlad_table::{Comparison, Operation};

impl Sweep<'_> {
    /// Emits a block again, and the sweep over it; returns the accumulators that it leaves, or none if the block bails
    /// out.
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
        let is_recorded = self.body_record.is_recorded;
        if is_recorded {
            self.body_record.take_computed(traced, &after, &mut swept);
        }
        let mut used = read_in(&copies);
        used.extend(read_in(&swept));
        used.extend(after.values().filter_map(|operand| operand.variable()));
        let recorded = match is_recorded {
            true => recorded_values(&traced.steps, (&used, &provided), &self.body_record),
            false => BTreeSet::new(),
        };
        let mut lowering = Lowering::new(self.draft, self.instances, &self.counted, Execution::AGAIN);
        lowering.leaves_recorded = is_recorded;
        let (recomputed, left_out) = lowering.recomputed(&traced.steps, (&provided, &recorded));
        code.extend(recomputed);
        let mut code = without_unused(code, used.clone());
        if is_recorded {
            lengths_alone(&mut code, &used, self.draft);
            used.extend(read_in(&code));
            self.body_record.results.extend(left_out.intersection(&used));
            self.body_record.recomputed.extend(code.iter().flat_map(Statement::targets));
        }
        let mut code = Block { statements: code, ..Block::default() };
        read_outer(&mut code, self.draft);
        out.extend(code.statements.into_iter().chain(copies).chain(swept));
        Some(after)
    }

    /// Notes the record of a loop or a `build`, with the variables of it that are known already.
    pub fn record(&mut self, frame: FrameId, recorded: &mut Vec<Variable>) {
        recorded.extend(&self.body_record.results);
        self.draft.record(frame, recorded);
        self.draft.special_mut(frame).computed.extend(self.body_record.computed.iter().cloned());
    }

    /// Emits the code of an iteration again, and the sweep over it, for a loop of which one piece of code sweeps over all
    /// iterations: it is not peeled. Returns also the arrays of the state after the iteration that the code reads ([`read_next`]).
    pub fn recomputed_iteration(
        &mut self,
        traced: &TracedLoop,
        inside: Accumulators,
        (incoming, remaining): (Incoming<'_>, Variable),
        out: &mut Vec<Statement>,
    ) -> Option<(Accumulators, Vec<(Variable, Variable)>)> {
        let mut code = Vec::new();
        let after = self.recompute(&traced.body, inside, incoming, &mut code)?;
        let used = traced.used_state(&code);
        let next = read_next(traced, incoming.carried.repeated, &code);
        let counters = traced.counters();
        let is_read = |variable| used.contains(&variable) || next.iter().any(|next| next.0 == variable);
        let mut recorded = traced.recordable_state(&counters, is_read);
        self.record(traced.frame, &mut recorded);
        let iteration = Iteration::Number(remaining.into());
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
        let mut state = vec![passed];
        let inside = self.fresh_accumulators(&outer, &mut state);
        let mut initial = vec![ZERO];
        initial.extend(of_nodes(accumulators, &outer));
        let unchanged = of_nodes(&inside, &outer);
        let mut statements = Vec::new();
        // The index of an iteration is by 1 less than its number.
        self.counter_value((traced.index, -1.0), Iteration::FromLast { number, passed }, &mut statements, out);
        let index = Operand::Variable(traced.index);
        let mut yielded = Vec::new();
        for shadow in &traced.shadows {
            yielded.push(shadow.map(|shadow| {
                let array = self.draft.read(shadow.into());
                self.emit(&mut statements).load(array, index)
            }));
        }
        let mut elements = Vec::new();
        for (array, role) in traced.targets.iter().zip(&traced.roles) {
            let array = self.draft.read(Operand::Variable(*array));
            elements.push(self.draft.kind(array).element().map(|kind| {
                let target = self.draft.fresh(kind);
                statements.push(Statement::Element { target, array, index });
                CarriedValue { role: *role, value: target.into() }
            }));
        }
        let carried = LoopCarried { yielded: &elements, repeated: &[], made_from: traced.made_from };
        let incoming = Incoming { is_recomputed: true, carried, ..Incoming::of_results(&yielded, traced.inner) };
        let Some(after) = self.recompute(&traced.body, inside, incoming, &mut statements) else { return };
        let passed = Operand::Variable(passed);
        let mut next = vec![self.emit(&mut statements).binary(Operation::Add, passed, Operand::real(1.0))];
        next.extend(of_nodes(&after, &outer));
        statements = without_unused(statements, next.iter().copied().filter_map(Operand::variable).collect());
        if traced.is_recorded {
            let mut recorded = Vec::new();
            self.record(traced.frame, &mut recorded);
            if !recorded.is_empty() {
                statements.insert(0, Statement::Pop { stack: Stack::Sweeps, targets: recorded });
            }
        }
        let mut targets = Vec::new();
        accumulators.extend(self.fresh_accumulators(&outer, &mut targets));
        let mut test = Vec::new();
        let more = self.emit(&mut test).compare(Comparison::Less, passed, number);
        let end = branch(more, Block { statements, end: End::Repeat(next) }, yielding(unchanged));
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
                let accumulator = self.emit(out).load(array, Operand::real(index as f64));
                self.store(&identity, accumulator, Node(0), accumulators, out);
            }
        }
    }
}
