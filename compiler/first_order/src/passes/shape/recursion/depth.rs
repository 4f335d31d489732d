//! Results that are the depth of a recursion: they are known without counting.
//!
//! A function that is to be swept over returns the number of its calls ([`crate::differentiate`]): 0 where the recursion
//! ends, and one more than the call returns after it. This is the number of turns of the loop on the way down, so the loop on the way
//! up need not count. The sweep takes the number, and only ends its recursion where it is 0: then the number of turns on the way down
//! is the given number.

use super::continuation::Continuation;
use crate::counted_loops::increment;
use crate::passes::shape::loop_state::retain;
use crate::{Block, End, Operand, Stack, Statement, Variable};
use vlad_table::{Comparison, Operation};

/// The places of the results that are the number of calls. They are taken out of what the code yields.
pub fn take_counts(down: &mut Block, continuations: &mut [Continuation], results: usize) -> Vec<usize> {
    let counts: Vec<usize> = (0..results).filter(|place| is_count(*place, down, continuations)).collect();
    if counts.is_empty() {
        return counts;
    }
    let keep = |place: usize| !counts.contains(&place);
    let mut shorten = |leaf: &mut Block| {
        if let End::Yield(operands) = &mut leaf.end {
            retain(operands, keep);
        }
    };
    down.change_leaves(&mut shorten);
    for continuation in continuations {
        continuation.code.change_leaves(&mut shorten);
        let counted: Vec<Variable> =
            counts.iter().filter_map(|place| continuation.targets.get(*place).copied()).collect();
        continuation
            .code
            .statements
            .retain(|statement| increment(statement).is_none_or(|(_, from)| !counted.contains(&from)));
        retain(&mut continuation.targets, keep);
    }
    counts
}

/// True if the result is 0 where the recursion ends, and one more than that of the call after it, where that is all that
/// reads it.
fn is_count(place: usize, down: &Block, continuations: &[Continuation]) -> bool {
    let is_zero = |operands: &[Operand]| operands.get(place) == Some(&Operand::real(0.0));
    down.yields().all(is_zero)
        && continuations.iter().all(|continuation| {
            let Some(target) = continuation.targets.get(place) else { return false };
            let increments: Vec<Variable> = continuation
                .code
                .statements
                .iter()
                .filter_map(increment)
                .filter_map(|(next, from)| (from == *target).then_some(next))
                .collect();
            let [increment] = increments.as_slice() else { return false };
            let reads = |variable: Variable| {
                continuation.code.all_operands().filter(|operand| *operand == Operand::Variable(variable)).count()
            };
            let is_yielded = |operands: &[Operand]| operands.get(place) == Some(&Operand::Variable(*increment));
            reads(*target) == 1
                && continuation.code.repeats().next().is_none()
                && continuation.code.yields().all(is_yielded)
                && reads(*increment) == continuation.code.yields().count()
        })
}

/// The values that the way down yields, its turns among them, if it only counts a variable of its state down to 0. There are
/// records for all turns, so that number is a whole one.
pub fn counted_down(way_down: &Statement) -> Option<Vec<Operand>> {
    let Statement::Loop { state, initial, body: down, .. } = way_down else { return None };
    let [Statement::Compare { target, comparison: Comparison::Equal, first: Operand::Variable(number), second }] =
        down.statements.as_slice()
    else {
        return None;
    };
    let End::Branch { test, consequent, alternative } = &down.end else { return None };
    let ([number_place, depth_place], End::Yield(yielded)) = (places(state, *number)?, &consequent.end) else {
        return None;
    };
    let [Statement::Operation { target: fewer, operation: Operation::Subtract, first, second: Some(one) }, last] =
        alternative.statements.as_slice()
    else {
        return None;
    };
    let (deeper, depth) = increment(last)?;
    let End::Repeat(next) = &alternative.end else { return None };
    let counts_down = *test == Operand::Variable(*target)
        && *second == Operand::real(0.0)
        && consequent.statements.is_empty()
        && *first == Operand::Variable(*number)
        && *one == Operand::real(1.0)
        && state.get(depth_place) == Some(&depth)
        && initial.get(depth_place) == Some(&Operand::real(0.0))
        && next.get(number_place) == Some(&Operand::Variable(*fewer))
        && next.get(depth_place) == Some(&Operand::Variable(deeper));
    let turns = initial.get(number_place).copied()?;
    let at_end = |operand: &Operand| match operand {
        Operand::Variable(variable) if *variable == depth => turns,
        Operand::Variable(variable) if variable == number => Operand::real(0.0),
        Operand::Variable(_) | Operand::Real(_) | Operand::Boolean(_) => *operand,
    };
    counts_down.then(|| yielded.iter().map(at_end).collect())
}

/// The places of a variable and of the other one in a state of two.
fn places(state: &[Variable], variable: Variable) -> Option<[usize; 2]> {
    match state {
        [first, _] if *first == variable => Some([0, 1]),
        [_, second] if *second == variable => Some([1, 0]),
        _ => None,
    }
}

/// True if the code after each call pops a record that was pushed before the function was called: there are records for
/// all calls, so the recursion ends.
pub fn pops_records(continuations: &[Continuation]) -> bool {
    continuations.iter().all(|continuation| {
        let is_pop = |statement: &Statement| matches!(statement, Statement::Pop { stack: Stack::Sweeps, .. });
        continuation.code.statements.iter().any(is_pop)
    })
}
