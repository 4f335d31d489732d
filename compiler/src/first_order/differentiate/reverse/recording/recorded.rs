//! Records of a first execution, in place of executing again.
//!
//! A sweep over a loop of code with arrays executes each iteration again ([`super::super::recomputed::iterations`]). What is dear there - an inner
//! loop, a call, a transcendental function - is not: the first execution records its results, as far as the sweep
//! reads them, at the end of the iteration. A *kept* loop or `build` is one that is never executed again; what the sweep
//! over it reads has been recorded by its first execution. So the records of a kept loop's inner loops are on the stack below
//! that of its iteration, and are popped after it.
//!
//! A loop that is executed again pushes records of its own then, above all of the first execution. Its sweep pops them, but
//! comes after the sweeps over what follows it. So nothing that follows such a loop in an iteration is kept.
//!
//! Divisions and square roots take about as long as a record, so they are recorded where an iteration records transcendental
//! functions beside them: then the sweep need not wait for a chain of them. What else is recorded there is chosen by the cost
//! of records and of operations that are executed again ([`super::min_cut`]).
//!
//! Where the sweep only compares recorded values, as after a minimum, the result of the comparison is recorded; and so are the
//! transcendental functions in coefficients.
//!
//! Arrays are recorded where they are, so they have to stay there. Only outermost loops that hand arrays on anyway record
//! others; their iterations free nothing. Inner code that makes arrays, or hands some on, is executed again, and so is what
//! has shadow arrays as results: those of arrays that an iteration makes are made again with it.

use super::super::nodes::code::read_by;
use super::super::nodes::frames::Draft;
use super::super::nodes::identity::Node;
use super::super::nodes::traced::{Role, Step, Traced, TracedEnd};
use crate::first_order::differentiate::emitter::yielding;
use crate::first_order::{Block, Operand, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};
use vlad_table::{Effort, Operation};

/// Decides what is kept of the code outside of loops.
pub fn decide(steps: &mut [Step], draft: &Draft) {
    for step in steps {
        match step {
            Step::Loop(traced) => {
                traced.is_recorded = true;
                let arrays = traced.state_roles.contains(&Role::Array);
                inside(&mut traced.body, arrays, draft);
            }
            Step::Build(traced) => {
                traced.is_recorded = true;
                inside(&mut traced.body, false, draft);
            }
            Step::Bind { block, .. } => decide_block(block, draft),
            Step::Plain(_)
            | Step::Node { .. }
            | Step::Test { .. }
            | Step::Allocate { .. }
            | Step::Array { .. }
            | Step::Call(_) => {}
        }
    }
}

fn decide_block(block: &mut Traced, draft: &Draft) {
    decide(&mut block.steps, draft);
    if let TracedEnd::Branch { consequent, alternative, .. } = &mut block.end {
        decide_block(consequent, draft);
        decide_block(alternative, draft);
    }
}

/// Decides what is kept of the body of a kept construct, where arrays may be recorded or not.
fn inside(body: &mut Traced, arrays: bool, draft: &Draft) {
    inside_after(body, false, arrays, draft);
}

/// Does the same for code that follows such as may push records when it is executed again. These records are above all of
/// the first execution, so nothing that is swept over before them is kept.
fn inside_after(body: &mut Traced, mut pushes_recomputed: bool, arrays: bool, draft: &Draft) {
    for step in &mut body.steps {
        match step {
            Step::Loop(traced) => {
                traced.is_recorded = !pushes_recomputed && !traced.has_arrays() && !makes_arrays(&traced.body, draft);
                if traced.is_recorded {
                    inside(&mut traced.body, false, draft);
                }
                pushes_recomputed |= step.pushes_recomputed();
            }
            Step::Build(traced) => {
                let has_shadow = traced.roles.contains(&Role::Shadow);
                traced.is_recorded = !pushes_recomputed && arrays && !has_shadow && !makes_arrays(&traced.body, draft);
                if traced.is_recorded {
                    inside(&mut traced.body, false, draft);
                }
            }
            Step::Bind { block, targets, is_recorded, .. } => {
                let has_arrays = has_array(targets, draft)
                    || block.assigns(&|targets| has_array(targets, draft))
                    || makes_arrays(block, draft);
                if !pushes_recomputed && !has_arrays {
                    inside(block, false, draft);
                    *is_recorded = block.any_step(&Step::is_expensive);
                }
                pushes_recomputed |= !*is_recorded && block.any_step(&Step::pushes_recomputed);
            }
            Step::Plain(_)
            | Step::Node { .. }
            | Step::Test { .. }
            | Step::Allocate { .. }
            | Step::Array { .. }
            | Step::Call(_) => {}
        }
    }
    if let TracedEnd::Branch { consequent, alternative, .. } = &mut body.end {
        inside_after(consequent, pushes_recomputed, arrays, draft);
        inside_after(alternative, pushes_recomputed, arrays, draft);
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

/// True for operations that take much longer than a record of their results.
fn is_expensive(operation: Operation) -> bool {
    operation.effort() >= Effort::Function
}

/// True for operations that take about as long as a record of their results.
fn is_slow(operation: Operation) -> bool {
    matches!(operation, Operation::Divide | Operation::SquareRoot)
}

/// The operations that are recorded beside inner loops and the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Those that take much longer than a record.
    Expensive,
    /// Also those that take about as long.
    Slow,
}

impl Worth {
    /// The worth of records of an iteration with these steps.
    pub fn of(steps: &[Step]) -> Worth {
        let is_expensive = |step: &Step| step.operation().is_some_and(is_expensive);
        if steps.iter().any(is_expensive) { Worth::Slow } else { Worth::Expensive }
    }

    fn includes(self, operation: Operation) -> bool {
        is_expensive(operation) || self == Worth::Slow && is_slow(operation)
    }
}

impl Step {
    /// The operation that it is.
    pub fn operation(&self) -> Option<Operation> {
        match self {
            Step::Plain(Statement::Operation { operation, .. }) | Step::Node { operation, .. } => Some(*operation),
            Step::Plain(_)
            | Step::Test { .. }
            | Step::Bind { .. }
            | Step::Loop(_)
            | Step::Allocate { .. }
            | Step::Array { .. }
            | Step::Build(_)
            | Step::Call(_) => None,
        }
    }

    /// True for what is not executed again in a kept construct whose iterations record what is worth it.
    pub fn is_worth_recording(&self, worth: Worth) -> bool {
        self.is_expensive() || self.operation().is_some_and(|operation| worth.includes(operation))
    }

    /// True for what is not executed again in any kept construct.
    pub fn is_expensive(&self) -> bool {
        match self {
            Step::Plain(Statement::Operation { operation, .. }) | Step::Node { operation, .. } => {
                is_expensive(*operation)
            }
            Step::Plain(_) | Step::Test { .. } | Step::Allocate { .. } | Step::Array { .. } | Step::Call(_) => false,
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
        match self {
            Step::Node { target, operation, first, second, .. } => {
                let (target, operation, first, second) = (*target, *operation, *first, *second);
                is_same(&Statement::Operation { target, operation, first, second }, statement).then_some(target)
            }
            Step::Plain(plain @ Statement::Operation { target, .. }) => is_same(plain, statement).then_some(*target),
            Step::Plain(_)
            | Step::Test { .. }
            | Step::Bind { .. }
            | Step::Loop(_)
            | Step::Allocate { .. }
            | Step::Array { .. }
            | Step::Build(_)
            | Step::Call(_) => None,
        }
    }
}

impl Traced {
    /// True if a condition holds of a step, those of the blocks of `bind`s included.
    fn any_step(&self, condition: &impl Fn(&Step) -> bool) -> bool {
        self.steps
            .iter()
            .any(|step| condition(step) || matches!(step, Step::Bind { block, .. } if block.any_step(condition)))
            || match &self.end {
                TracedEnd::Branch { consequent, alternative, .. } => {
                    consequent.any_step(condition) || alternative.any_step(condition)
                }
                TracedEnd::Yield(_) | TracedEnd::Repeat(_) | TracedEnd::BailOut(_) => false,
            }
    }

    /// True if a condition holds of the variables that a step assigns.
    fn assigns(&self, condition: &impl Fn(&[Variable]) -> bool) -> bool {
        self.any_step(&|step| condition(step.targets()))
    }
}

/// The construct that is being swept over: what its first execution records.
#[derive(Debug, Default)]
pub struct BodyRecord {
    /// True if it is kept.
    pub is_recorded: bool,
    /// The variables of its state.
    state: Vec<Variable>,
    /// Those that are recorded if the sweep reads them.
    pub recordable_state: Vec<Variable>,
    /// The results that are recorded.
    pub results: BTreeSet<Variable>,
    /// The results that a sweep executes again. Of a loop the last iteration and the others have sweeps of their own, which
    /// pop the same records: what one of them executes again the other one must not record.
    pub recomputed: BTreeSet<Variable>,
    /// The values that the first execution computes for the sweep alone, and records.
    pub computed: Vec<Statement>,
}

impl BodyRecord {
    /// Nothing is recorded yet.
    pub fn of(is_recorded: bool, state: &[Variable], recordable_state: Vec<Variable>) -> BodyRecord {
        BodyRecord { is_recorded, state: state.to_vec(), recordable_state, ..BodyRecord::default() }
    }

    /// Takes out of a sweep what it computes of values of the iteration alone and the first execution can record instead: dear
    /// operations, and comparisons for which values would be recorded that nothing else reads.
    pub fn take_computed(
        &mut self,
        traced: &Traced,
        accumulators: &BTreeMap<Node, Operand>,
        swept: &mut Vec<Statement>,
    ) {
        let (mut known, mut expensive) = (BTreeSet::new(), BTreeSet::new());
        let worth = Worth::of(&traced.steps);
        for step in &traced.steps {
            known.extend(step.targets().iter().copied());
            if step.is_worth_recording(worth) {
                expensive.extend(step.targets().iter().copied());
            }
        }
        known.extend(&self.state);
        expensive.extend(&self.state);
        let is_candidate = |statement: &Statement| {
            let is_computed = match statement {
                Statement::Compare { .. } => true,
                Statement::Operation { operation, .. } => worth.includes(*operation),
                _ => false,
            };
            is_computed
                && statement.operands().into_iter().filter_map(Operand::variable).all(|read| known.contains(&read))
        };
        let mut read = BTreeSet::new();
        swept.iter().filter(|statement| !is_candidate(statement)).for_each(|statement| read_by(statement, &mut read));
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

    /// Replaces what computes a value by that which the first execution computes, or records.
    fn take(&mut self, traced: &Traced, statement: &mut Statement) {
        let taken = std::mem::replace(statement, nothing());
        let Some(target) = taken.targets().first().copied() else { return };
        let recorded = self.computed.iter().find(|other| is_same(other, &taken));
        let same = match recorded {
            Some(other) => other.targets().first().copied(),
            None => traced.steps.iter().find_map(|step| step.same_operation(&taken)),
        };
        match same {
            Some(same) => {
                let block = yielding(vec![Operand::Variable(same)]);
                *statement = Statement::Bind { targets: vec![target], block };
            }
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

pub fn is_same(one: &Statement, other: &Statement) -> bool {
    match (one, other) {
        (
            Statement::Compare { comparison, first, second, .. },
            Statement::Compare { comparison: other, first: other_first, second: other_second, .. },
        ) => comparison == other && first == other_first && second == other_second,
        (
            Statement::Operation { operation, first, second, .. },
            Statement::Operation { operation: other, first: other_first, second: other_second, .. },
        ) => operation == other && first == other_first && second == other_second,
        _ => false,
    }
}

/// True if records are popped in code.
pub fn pops(code: &[Statement]) -> bool {
    code.iter().any(|statement| {
        let mut found = matches!(statement, Statement::Pop { .. });
        if let Some(block) = statement.block() {
            block.each_statement(&mut |statement| found |= matches!(statement, Statement::Pop { .. }));
        }
        found
    })
}
