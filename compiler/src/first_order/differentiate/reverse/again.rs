//! Sweeps that execute code again: over `build`s, and over the loops of code with arrays.
//!
//! The body of a `build` reads what is there before it, and its index, so the sweep over an iteration first executes the
//! body again, and no iteration records anything. An iteration of a loop is executed again from its state on, of which
//! what is read is recorded; the number of times that the loop has been repeated is not, where that is a counter. Tests
//! that have passed are left out, and so is what the sweep does not read. The elements that a `build` has yielded are read
//! from its result, and are not computed a second time.
//!
//! Operations that are executed again have the values that they had, and no level of reverse mode is around that
//! would tell their nodes apart.

use super::super::coefficients::ZERO;
use super::code::{read_by, read_outer, variable, without_unused};
use super::draft::yielding;
use super::identity::Node;
use super::lower::Lowering;
use super::peeled::{Iteration, used_state};
use super::sweep::{Accumulators, Built, Handover, Sweep};
use super::traced::{Step, Traced, TracedBuild, TracedEnd, TracedLoop};
use crate::first_order::{Block, End, Kind, Operand, Statement, Variable};
use std::collections::BTreeSet;
use vlad_table::{Comparison, Operation};

impl Sweep<'_> {
    /// Emits a block again, and the sweep over it; returns the accumulators that it leaves, or none if the block bails out.
    pub fn again(
        &mut self,
        traced: &Traced,
        accumulators: Accumulators,
        handover: Handover<'_>,
        out: &mut Vec<Statement>,
    ) -> Option<Accumulators> {
        let mut swept = Vec::new();
        let after = self.block(traced, accumulators, handover, &mut swept)?;
        let mut code = Vec::new();
        let mut provided = BTreeSet::new();
        if let (TracedEnd::Yield(operands), Some(built)) = (&traced.end, handover.built) {
            for (operand, array) in operands.iter().zip(built.targets) {
                if let Some(target) = computed(traced, *operand)
                    && provided.insert(target)
                {
                    let array = Operand::Variable(*array);
                    code.push(Statement::Element { target, array, index: built.index });
                }
            }
        }
        let mut lowering = Lowering {
            draft: self.draft,
            instances: self.instances,
            counted: &self.counted,
            records: true,
            counts: false,
        };
        code.extend(lowering.again(&traced.steps, &provided));
        let mut used = BTreeSet::new();
        swept.iter().for_each(|statement| read_by(statement, &mut used));
        after.values().for_each(|operand| used.extend(variable(*operand)));
        let mut code = without_unused(code, used);
        read_outer(&mut code, self.draft);
        out.extend(code);
        out.extend(swept);
        Some(after)
    }

    /// The nodes made before a body to whose accumulators the sweep over it adds; those of elements are in memory.
    pub fn outer_nodes(&self, body: &Traced, inner: Node) -> BTreeSet<Node> {
        let mut outer = BTreeSet::new();
        body.contributed(&mut |identity| outer.extend(identity), self.draft);
        outer.retain(|node| *node < inner && self.draft.element(*node).is_none());
        outer
    }

    /// Emits the code of an iteration again, and the sweep over it, where what kind of iteration it is shows only later.
    pub fn iteration_again(
        &mut self,
        traced: &TracedLoop,
        inside: Accumulators,
        (handover, remaining): (Handover<'_>, Variable),
        out: &mut Vec<Statement>,
    ) -> Option<Accumulators> {
        let mut code = Vec::new();
        let after = self.again(&traced.body, inside, handover, &mut code)?;
        let used = used_state(traced, &code);
        let counters = traced.counters();
        let recorded: Vec<Variable> = used
            .iter()
            .filter(|variable| **variable != traced.first && !counters.contains_key(variable))
            .copied()
            .collect();
        self.draft.record(traced.frame, &recorded);
        let iteration = Iteration::Number(Operand::Variable(remaining));
        self.begin_iteration((traced, &counters), (iteration, &used, &recorded), &mut code, out);
        out.extend(code);
        Some(after)
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
        for companion in &traced.companions {
            yielded.push(companion.map(|companion| {
                let array = self.draft.read(Operand::Variable(companion));
                self.emit(&mut statements).assign(Kind::Real, |target| Statement::Load { target, array, index })
            }));
        }
        let targets: Vec<Variable> = traced.targets.iter().map(|target| self.read_variable(*target)).collect();
        let built = Some(Built { targets: &targets, index });
        let handover = Handover { again: true, built, ..Handover::of_yielded(&yielded, traced.inner) };
        let Some(after) = self.again(&traced.body, inside, handover, &mut statements) else { return };
        let passed = Operand::Variable(passed);
        let mut next = vec![self.emit(&mut statements).binary(Operation::Add, passed, Operand::real(1.0))];
        next.extend(outer.iter().map(|node| after.get(node).copied().unwrap_or(ZERO)));
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

    fn read_variable(&mut self, target: Variable) -> Variable {
        match self.draft.read(Operand::Variable(target)) {
            Operand::Variable(variable) => variable,
            Operand::Real(_) | Operand::Boolean(_) => vlad_table::internal_bug!("a variable is read as a variable"),
        }
    }

    /// Sweeps over an array of given elements: their accumulators are those of the companion.
    pub fn sweep_array(
        &mut self,
        (elements, companion): (&[Operand], Variable),
        accumulators: &mut Accumulators,
        out: &mut Vec<Statement>,
    ) {
        let array = self.draft.read(Operand::Variable(companion));
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

/// The variable of the block itself that has the value of what it yields: copies have the value of their operand.
fn computed(traced: &Traced, yielded: Operand) -> Option<Variable> {
    let mut found = None;
    let mut next = variable(yielded);
    while let Some(variable) = next {
        let Some(step) = traced.definition(variable) else { break };
        found = Some(variable);
        next = match step {
            Step::Node { operation: Operation::Copy, first: Operand::Variable(first), .. }
            | Step::Plain(Statement::Operation {
                operation: Operation::Copy, first: Operand::Variable(first), ..
            }) => Some(*first),
            _ => None,
        };
    }
    found
}
