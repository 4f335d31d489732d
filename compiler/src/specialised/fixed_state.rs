//! Loops whose state has stopped changing, as iterations of Newton's method end: they are left at once.
//!
//! ```text
//! for i below n:  (a, b) := f (a, b)     ~>     for i below n:  (a', b') := f (a, b); if (a', b') = (a, b) then i := n
//! ```
//!
//! An iteration that reads nothing that changes but its own state, and has no effects, computes the same for the same state: once all bits of
//! the state stay, they stay for all iterations that are left. These count as many steps as the last one: those that all iterations count
//! have been counted before, and what its calls and inner loops have counted is counted again for each. Turns have been taken before. So no
//! bit, no step and no limit changes. The comparison is worth it only where an iteration takes long: it has a division, a
//! square root, a loop or a call, and the comparison is beside the chain of operations that it waits for.

use super::function::{Body, name, shared};
use crate::c::{Expression as C, Infix, Statement as S};
use crate::first_order::elementwise::is_instruction;
use crate::first_order::{Block, End, Kind, Operand, Statement, Unit, Variable};
use vlad_table::Operation;

/// The most variables that are compared.
const MOST: usize = 8;

/// The deepest nest of calls that is looked into.
const DEEPEST: usize = 8;

/// A loop that is left once its state stays.
pub(super) struct Fixed {
    /// The state without the counter.
    state: Vec<Variable>,
    /// True if an iteration counts steps in its calls or inner loops.
    counts: bool,
}

impl Body<'_> {
    /// The loop, if an iteration computes its state from nothing else that changes, and takes long.
    pub(super) fn fixed(&self, counter: Operand, state: &[Variable], iteration: &Block) -> Option<Fixed> {
        let Operand::Variable(counter) = counter else { return None };
        let others: Vec<Variable> = state.iter().copied().filter(|variable| *variable != counter).collect();
        let is_plain = |variable: &Variable| {
            matches!(self.kind(*variable), Kind::Real | Kind::Boolean) && !self.is_integer(*variable)
        };
        let is_compared = (1..=MOST).contains(&others.len())
            && others.iter().all(is_plain)
            && is_slow(iteration)
            && only_counts(counter, state, iteration)
            && is_pure(self.scope.unit, iteration, DEEPEST);
        is_compared.then(|| Fixed { state: others, counts: counts_inside(iteration) })
    }

    /// Keeps the state, and the number of steps, at the beginning of an iteration.
    pub(super) fn keep_state(&self, fixed: &Fixed, out: &mut Vec<S>) {
        let define =
            |ctype: &'static str, name: &str, value| S::Define { ctype: ctype.into(), name: name.into(), value };
        out.extend(fixed.state.iter().map(|variable| {
            let ctype = if self.kind(*variable) == Kind::Real { "double" } else { "int" };
            define(ctype, &kept(*variable), name(*variable))
        }));
        let counters = self.step_counters().into_iter().filter(|_| fixed.counts);
        out.extend(counters.map(|(kept, counter)| define("uint64_t", kept, counter)));
    }

    /// Ends a part of a loop if its state is as it was at the beginning of the iteration.
    pub(super) fn leave_if_kept(&self, fixed: &Fixed, (counter, end): (C, C), out: &mut Vec<S>) {
        let same = fixed.state.iter().map(|variable| {
            let (now, before) = (name(*variable), C::Name(kept(*variable)));
            match self.kind(*variable) {
                Kind::Real => C::call("vlad_has_same_bits", [now, before]),
                Kind::Boolean | Kind::Array(_) | Kind::Cell => now.infix(Infix::Equal, before),
            }
        });
        let Some(all) = same.reduce(|all, one| all.infix(Infix::And, one)) else { return };
        let mut then = Vec::new();
        for (kept, steps) in self.step_counters().into_iter().filter(|_| fixed.counts) {
            let of_one = steps.clone().infix(Infix::Subtract, C::name(kept));
            let left = end.clone().infix(Infix::Subtract, counter.clone());
            then.push(S::Add(steps, of_one.infix(Infix::Multiply, left)));
        }
        then.push(S::Assign(counter, end));
        out.push(S::when(all.unlikely(), then));
    }

    /// The numbers of steps that calls and inner loops change, each with the name under which it is kept.
    fn step_counters(&self) -> Vec<(&'static str, C)> {
        let mut counters = vec![("kept_shared", shared("steps"))];
        if self.has_steps {
            counters.push(("kept_steps", self.counter()));
        }
        counters
    }
}

fn kept(variable: Variable) -> String {
    format!("kept_v{}", variable.0)
}

/// True for code that does nothing but compute numbers, choose, and repeat, go on or leave the code. Recursion is bounded by the depth of calls.
fn is_pure(unit: &Unit, block: &Block, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let mut pure = true;
    block.each_statement(&mut |statement| {
        pure = pure
            && match statement {
                Statement::Operation { .. }
                | Statement::PositiveZero { .. }
                | Statement::Compare { .. }
                | Statement::Bind { .. }
                | Statement::Loop { .. }
                | Statement::Count { .. } => true,
                Statement::Call { function, .. } => is_pure(unit, &unit.function(*function).body, depth),
                _ => false,
            };
    });
    pure
}

/// True if an iteration counts steps otherwise than all iterations do at its beginning.
fn counts_inside(iteration: &Block) -> bool {
    let (mut counts, mut repeats) = (0, false);
    iteration.each_statement(&mut |statement| {
        counts += usize::from(matches!(statement, Statement::Count { .. }));
        repeats |= matches!(statement, Statement::Loop { .. } | Statement::Call { .. });
    });
    let of_all = iteration.statements.iter().filter(|statement| matches!(statement, Statement::Count { .. })).count();
    repeats || counts > of_all
}

fn is_slow(iteration: &Block) -> bool {
    let mut is_slow = false;
    iteration.each_statement(&mut |statement| {
        is_slow |= match statement {
            Statement::Operation { operation, .. } => {
                matches!(operation, Operation::Divide | Operation::SquareRoot) || !is_instruction(*operation)
            }
            Statement::Loop { .. } | Statement::Call { .. } => true,
            _ => false,
        };
    });
    is_slow
}

/// True if a counter of a loop is read for the next one alone, and that is nothing but the counter of the next iteration.
fn only_counts(counter: Variable, state: &[Variable], iteration: &Block) -> bool {
    let Some(place) = state.iter().position(|variable| *variable == counter) else { return false };
    let next = iteration.statements.iter().find_map(|statement| match statement {
        Statement::Operation { target, operation: Operation::Add, first, second }
            if *first == Operand::Variable(counter) && *second == Some(Operand::real(1.0)) =>
        {
            Some(*target)
        }
        _ => None,
    });
    let Some(next) = next else { return false };
    let reads = |variable: Variable| {
        let mut reads = 0;
        iteration.each_block(&mut |block| {
            let of_statements = block.statements.iter().flat_map(Statement::operands);
            let of_end = block.end.operands().iter().copied();
            reads += of_statements.chain(of_end).filter(|operand| *operand == Operand::Variable(variable)).count();
        });
        reads
    };
    let (mut leaves, mut goes_on) = (0, true);
    iteration.each_leaf(&mut |leaf| match &leaf.end {
        End::Repeat(values) => {
            leaves += 1;
            goes_on &= values.get(place) == Some(&Operand::Variable(next));
        }
        End::BailOut(_) => {}
        End::Yield(_) | End::Branch { .. } => goes_on = false,
    });
    goes_on && leaves > 0 && reads(counter) == 1 && reads(next) == leaves
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTER: Variable = Variable(0);
    const STATE: Variable = Variable(1);
    const NEXT: Variable = Variable(2);
    const VALUE: Variable = Variable(3);

    fn operation(target: Variable, operation: Operation, first: Variable, second: Operand) -> Statement {
        Statement::Operation { target, operation, first: first.into(), second: Some(second) }
    }

    /// An iteration that adds 1 to the counter, and applies an operation to an operand and 2.
    fn iteration(of: Operation, operand: Variable) -> Block {
        let count = operation(NEXT, Operation::Add, COUNTER, Operand::real(1.0));
        let compute = operation(VALUE, of, operand, Operand::real(2.0));
        Block { statements: vec![count, compute], end: End::Repeat(vec![NEXT.into(), VALUE.into()]) }
    }

    #[test]
    fn the_counter_may_be_counted_alone() {
        let state = [COUNTER, STATE];
        assert!(only_counts(COUNTER, &state, &iteration(Operation::Divide, STATE)));
        assert!(!only_counts(COUNTER, &state, &iteration(Operation::Divide, COUNTER)));
        assert!(!only_counts(COUNTER, &state, &iteration(Operation::Divide, NEXT)));
    }

    #[test]
    fn iterations_that_take_long_have_a_quotient_or_a_call() {
        assert!(is_slow(&iteration(Operation::Divide, STATE)) && is_slow(&iteration(Operation::Power, STATE)));
        assert!(!is_slow(&iteration(Operation::Multiply, STATE)));
    }

    #[test]
    fn iterations_with_effects_are_executed() {
        let unit = Unit::default();
        let mut block = iteration(Operation::Divide, STATE);
        assert!(is_pure(&unit, &block, DEEPEST) && !counts_inside(&block));
        block.statements.push(Statement::Read { target: Variable(4) });
        assert!(!is_pure(&unit, &block, DEEPEST));
    }
}
