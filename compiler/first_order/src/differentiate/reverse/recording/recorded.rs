//! Recorded loops and `build`s: the sweep never executes them again as a whole.
//!
//! A sweep over a loop of code with arrays executes each iteration again ([`super::super::recomputed::iterations`]).
//! Expensive code is not worth that: an inner loop, a call, a transcendental function. So the first execution records its
//! results, as far as the sweep reads them, at the end of the iteration, and only the rest of the iteration is executed
//! again. An inner loop is recorded by the same execution. Its records are on the stack below that of the iteration
//! around it, and are popped after it.
//!
//! A loop that is executed again pushes records of its own then, above all of the first execution. Its sweep pops them,
//! but comes after the sweeps over what follows it. So nothing that follows such a loop in an iteration is recorded.
//!
//! Within a recorded iteration three more kinds of values are recorded. Divisions and square roots take about as long as
//! a record; they are recorded beside transcendental functions, so that the sweep need not wait for a chain of them
//! ([`least_recorded`]). Others are chosen by the cost of records and of operations ([`super::min_cut`]). Comparisons and
//! transcendental functions that only the sweep computes, of values of the iteration, are computed and recorded by the
//! first execution ([`BodyRecord::take_computed`]).
//!
//! A record of an array is the array itself, so it has to stay where it is. Only outermost loops that pass arrays on
//! anyway record others, since their iterations free nothing. Inner code that makes arrays, or passes some on, is
//! executed again, and so is code with shadow arrays as results: those of arrays that an iteration makes are made again
//! with it.

use super::super::nodes::{Draft, Node, Role, Step, Traced};
use crate::differentiate::emitter::assignment;
use crate::{Block, Operand, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};
use vlad_table::Effort;

/// Decides what is recorded of the code outside of loops.
pub fn decide(steps: &mut [Step], draft: &Draft) {
    for step in steps {
        if let Step::Loop(traced) = step {
            traced.is_recorded = true;
            let arrays = traced.state_roles.contains(&Role::Array);
            inside(&mut traced.body, arrays, draft);
        } else if let Step::Build(traced) = step {
            traced.is_recorded = true;
            inside(&mut traced.body, false, draft);
        } else if let Step::Bind { block, .. } = step {
            decide_block(block, draft);
        }
    }
}

fn decide_block(block: &mut Traced, draft: &Draft) {
    decide(&mut block.steps, draft);
    block.end.blocks_mut().into_iter().flatten().for_each(|block| decide_block(block, draft));
}

/// Decides what is recorded of the body of a recorded construct, where arrays may be recorded or not.
fn inside(body: &mut Traced, arrays: bool, draft: &Draft) {
    inside_after(body, false, arrays, draft);
}

/// Does the same for code that follows a loop that may push records when it is executed again.
fn inside_after(body: &mut Traced, mut pushes_recomputed: bool, arrays: bool, draft: &Draft) {
    for step in &mut body.steps {
        if let Step::Loop(traced) = step {
            traced.is_recorded = !pushes_recomputed && !traced.has_arrays() && !makes_arrays(&traced.body, draft);
            if traced.is_recorded {
                inside(&mut traced.body, false, draft);
            }
            pushes_recomputed |= step.pushes_recomputed();
        } else if let Step::Build(traced) = step {
            let has_shadow = traced.roles.contains(&Role::Shadow);
            traced.is_recorded = !pushes_recomputed && arrays && !has_shadow && !makes_arrays(&traced.body, draft);
            if traced.is_recorded {
                inside(&mut traced.body, false, draft);
            }
        } else if let Step::Bind { block, targets, is_recorded, .. } = step {
            let assigns_array = |step: &Step| has_array(step.targets(), draft);
            let has_arrays = has_array(targets, draft) || block.any_step(&assigns_array) || makes_arrays(block, draft);
            if !pushes_recomputed && !has_arrays {
                inside(block, false, draft);
                *is_recorded = block.any_step(&Step::is_expensive);
            }
            pushes_recomputed |= !*is_recorded && block.any_step(&Step::pushes_recomputed);
        }
    }
    for block in body.end.blocks_mut().into_iter().flatten() {
        inside_after(block, pushes_recomputed, arrays, draft);
    }
}

fn has_array(variables: &[Variable], draft: &Draft) -> bool {
    variables.iter().any(|variable| draft.kind(Operand::Variable(*variable)).is_array())
}

/// True if arrays may be made in a block.
fn makes_arrays(block: &Traced, draft: &Draft) -> bool {
    block.any_step(&|step| match step {
        Step::Plain(Statement::Element { .. }) => false,
        Step::Plain(statement) => has_array(statement.targets(), draft),
        Step::Build(_) | Step::Array { .. } => true,
        Step::Loop(traced) => traced.has_arrays() || makes_arrays(&traced.body, draft),
        Step::Bind { .. } | Step::Node { .. } | Step::Test { .. } | Step::Allocate { .. } | Step::Call(_) => false,
    })
}

/// The effort of operations that take much longer than a record of their results.
pub const EXPENSIVE: Effort = Effort::Function;

/// The effort of operations that take about as long as a record of their results.
const SLOW: Effort = Effort::Division;

/// The least effort of the operations that an iteration with these steps records.
pub fn least_recorded(steps: &[Step]) -> Effort {
    if steps.iter().any(|step| step.takes(EXPENSIVE)) { SLOW } else { EXPENSIVE }
}

impl Step {
    /// True for an operation that takes such an effort, or more.
    fn takes(&self, least: Effort) -> bool {
        self.operation().is_some_and(|operation| operation.effort() >= least)
    }

    /// True for a step that is not executed again in a recorded construct whose iterations record operations of such an effort.
    pub fn is_worth_recording(&self, least: Effort) -> bool {
        self.is_expensive() || self.takes(least)
    }

    /// True for a step that is not executed again in any recorded construct.
    pub fn is_expensive(&self) -> bool {
        match self {
            Step::Plain(_) | Step::Node { .. } => self.takes(EXPENSIVE),
            Step::Test { .. } | Step::Allocate { .. } | Step::Array { .. } | Step::Call(_) => false,
            Step::Bind { is_recorded, .. } => *is_recorded,
            Step::Loop(traced) => traced.is_recorded,
            Step::Build(traced) => traced.is_recorded,
        }
    }

    /// True for a loop that may push records of its iterations when it is executed again.
    fn pushes_recomputed(&self) -> bool {
        matches!(self, Step::Loop(traced) if !traced.is_recorded && traced.records_iterations())
    }

    /// The target of the operation that this is, if it is the same as a statement.
    fn same_operation(&self, statement: &Statement) -> Option<Variable> {
        let operation = self.operation()?;
        let is_same = statement.operation() == Some(operation) && self.operands() == statement.operands();
        is_same.then(|| self.targets().first().copied()).flatten()
    }
}

impl Traced {
    /// True if a condition holds of a step, those of the blocks of `bind`s included.
    fn any_step(&self, condition: &impl Fn(&Step) -> bool) -> bool {
        let holds =
            |step: &Step| condition(step) || matches!(step, Step::Bind { block, .. } if block.any_step(condition));
        self.steps.iter().any(holds) || self.branches().any(|block| block.any_step(condition))
    }
}

/// The record of the loop or `build` that is being swept over, as found so far.
#[derive(Debug, Default)]
pub struct BodyRecord {
    /// True for a recorded one.
    pub is_recorded: bool,
    /// The variables of its state.
    state: Vec<Variable>,
    /// The variables of the state that are recorded if the sweep reads them.
    pub recordable_state: Vec<Variable>,
    /// The results that are recorded.
    pub results: BTreeSet<Variable>,
    /// The results that a sweep executes again. Of a loop the last iteration and the others have sweeps of their own,
    /// which pop the same records: the other one must not record a value that one of them computes again.
    pub recomputed: BTreeSet<Variable>,
    /// The values that the first execution computes for the sweep alone, and records.
    pub computed: Vec<Statement>,
}

impl BodyRecord {
    /// Nothing is recorded yet.
    pub fn of(is_recorded: bool, state: &[Variable], recordable_state: Vec<Variable>) -> BodyRecord {
        BodyRecord { is_recorded, state: state.to_vec(), recordable_state, ..BodyRecord::default() }
    }

    /// Takes operations out of a sweep that read values of the iteration alone, so that the first execution can record
    /// their results: expensive operations, and comparisons for which values would be recorded that nothing else reads.
    pub fn take_computed(
        &mut self,
        traced: &Traced,
        accumulators: &BTreeMap<Node, Operand>,
        swept: &mut Vec<Statement>,
    ) {
        let least = least_recorded(&traced.steps);
        let known: BTreeSet<Variable> =
            traced.steps.iter().flat_map(Step::targets).chain(&self.state).copied().collect();
        let expensive = traced.steps.iter().filter(|step| step.is_worth_recording(least));
        let expensive: BTreeSet<Variable> = expensive.flat_map(Step::targets).chain(&self.state).copied().collect();
        let is_candidate = |statement: &Statement| {
            let is_computed = statement.operation().is_some_and(|operation| operation.effort() >= least);
            (is_computed || matches!(statement, Statement::Compare { .. }))
                && statement.operands().into_iter().filter_map(Operand::variable).all(|read| known.contains(&read))
        };
        let kept = swept.iter().filter(|statement| !is_candidate(statement));
        let mut read: BTreeSet<Variable> = kept.flat_map(Statement::variables_read).collect();
        read.extend(accumulators.values().filter_map(|operand| operand.variable()));
        let saves = |operand: Operand| {
            operand.variable().is_some_and(|variable| expensive.contains(&variable) && !read.contains(&variable))
        };
        for statement in swept.iter_mut().filter(|statement| is_candidate(statement)) {
            if matches!(statement, Statement::Operation { .. }) || statement.operands().into_iter().any(saves) {
                self.take(traced, statement);
            }
        }
        swept.retain(|statement| *statement != nothing());
    }

    /// Replaces an operation by the value that the first execution computes, or records.
    fn take(&mut self, traced: &Traced, statement: &mut Statement) {
        let taken = std::mem::replace(statement, nothing());
        let Some(target) = taken.targets().first().copied() else { return };
        let recorded = self.computed.iter().find(|other| is_same(other, &taken));
        let same = match recorded {
            Some(other) => other.targets().first().copied(),
            None => traced.steps.iter().find_map(|step| step.same_operation(&taken)),
        };
        match same {
            Some(same) => *statement = assignment(vec![target], vec![same.into()]),
            None => {
                self.results.insert(target);
                self.computed.push(taken);
            }
        }
    }
}

/// A statement without effect.
fn nothing() -> Statement {
    Statement::Bind { targets: Vec::new(), block: Block::default() }
}

/// True for two statements that differ in their targets at most.
pub fn is_same(one: &Statement, other: &Statement) -> bool {
    let mut other = other.clone();
    other.targets_mut().iter_mut().zip(one.targets()).for_each(|(target, same)| *target = *same);
    *one == other
}
