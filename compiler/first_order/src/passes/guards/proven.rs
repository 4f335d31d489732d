//! Guarded products become plain ones where no guard can be active.
//!
//! The guarded product a (x) b is +0 where a or b is zero, and a * b elsewhere. So the two differ where one factor is zero and the
//! other an infinity or NaN, and in the sign of a zero. They are the same
//!
//! - if both factors are one variable: the square of a zero is +0;
//! - for a marked result ([`Marks`]), if one factor is a finite constant other than 0, or both factors are finite.
//!
//! Constants are finite, and so are choices, signs and roundings of finite values: the coefficients of absolute values, of maxima
//! and of minima are made of these. A marked product with a factor that a test chooses to be 0 or 1 is a choice itself, of 0 or the
//! other factor.

use super::zero_signs::Marks;
use crate::{Block, End, Operand, Statement, Unit, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::Operation;

/// Makes guarded products plain where no guard can be active.
pub fn leave_out_guards(unit: &mut Unit) {
    let marks = Marks::of(unit);
    for (id, function) in unit.numbered_mut() {
        let mut found = Found::default();
        leave_out(&mut function.body, &mut found, &|variable| marks.is_marked(id, variable));
    }
}

/// The factors that need no guard.
#[derive(Default)]
struct Found {
    /// The variables that are finite.
    finite: HashSet<Variable>,
    /// The variables that are 0 or 1: the test, and the two constants.
    chosen: HashMap<Variable, (Operand, [f64; 2])>,
}

fn leave_out(block: &mut Block, found: &mut Found, is_marked: &impl Fn(Variable) -> bool) {
    for statement in &mut block.statements {
        if let Some(choice) = choice(statement, &found.chosen, is_marked) {
            *statement = choice;
        }
        let finite = &mut found.finite;
        if let Statement::Operation { target, operation, first, second: Some(second) } = statement
            && *operation == Operation::GuardedMultiply
            && (first == second
                || is_marked(*target)
                    && (is_nonzero(*first)
                        || is_nonzero(*second)
                        || is_finite(*first, finite) && is_finite(*second, finite)))
        {
            *operation = Operation::Multiply;
        }
        if let Some(block) = statement.block_mut() {
            leave_out(block, found, is_marked);
        }
        let finite = &mut found.finite;
        if let Statement::Operation { target, operation, first, second } = statement
            && operation.row().facts.keeps_finite
            && is_finite(*first, finite)
            && second.is_none_or(|second| is_finite(second, finite))
        {
            finite.insert(*target);
        }
        if let Statement::PositiveZero { target, operand } = statement
            && is_finite(*operand, finite)
        {
            finite.insert(*target);
        }
        if let Statement::Bind { targets, block } = statement {
            let mut are_finite = vec![true; targets.len()];
            for values in block.yields() {
                are_finite.iter_mut().zip(values).for_each(|(result, value)| *result &= is_finite(*value, finite));
            }
            finite.extend(targets.iter().zip(are_finite).filter(|(_, is)| *is).map(|(target, _)| *target));
            found.chosen.extend(chosen(targets, block));
        }
    }
    for block in block.end.blocks_mut().into_iter().flatten() {
        leave_out(block, found, is_marked);
    }
}

/// The variables of which a test alone chooses the values, both of them 0 or 1.
fn chosen(targets: &[Variable], block: &Block) -> Vec<(Variable, (Operand, [f64; 2]))> {
    let End::Branch { test, consequent, alternative } = &block.end else { return Vec::new() };
    let (End::Yield(yes), End::Yield(no)) = (&consequent.end, &alternative.end) else { return Vec::new() };
    let is_empty = |block: &Block| block.statements.is_empty();
    if !is_empty(block) || !is_empty(consequent) || !is_empty(alternative) {
        return Vec::new();
    }
    let unit = |operand: &Operand| operand.number().filter(|real| *real == 0.0 || *real == 1.0);
    let values = targets.iter().zip(yes.iter().zip(no));
    values.filter_map(|(target, (yes, no))| Some((*target, (*test, [unit(yes)?, unit(no)?])))).collect()
}

/// The choice that a marked product with a factor that is 0 or 1 is.
fn choice(
    statement: &Statement,
    chosen: &HashMap<Variable, (Operand, [f64; 2])>,
    is_marked: &impl Fn(Variable) -> bool,
) -> Option<Statement> {
    let Statement::Operation { target, operation: Operation::GuardedMultiply, first, second: Some(second) } = statement
    else {
        return None;
    };
    let of = |operand: &Operand| chosen.get(&operand.variable()?).copied();
    let ((test, constants), other) = match (of(first), of(second)) {
        (Some(factor), _) => (factor, *second),
        (None, Some(factor)) => (factor, *first),
        (None, None) => return None,
    };
    if !is_marked(*target) {
        return None;
    }
    let [consequent, alternative] = constants.map(|constant| {
        let value = if constant == 0.0 { Operand::real(0.0) } else { other };
        Box::new(Block { statements: Vec::new(), end: End::Yield(vec![value]) })
    });
    let end = End::Branch { test, consequent, alternative };
    Some(Statement::Bind { targets: vec![*target], block: Block { statements: Vec::new(), end } })
}

fn is_finite(operand: Operand, finite: &HashSet<Variable>) -> bool {
    operand.number().is_some_and(f64::is_finite)
        || operand.variable().is_some_and(|variable| finite.contains(&variable))
}

/// Returns true for a finite constant other than 0.
fn is_nonzero(operand: Operand) -> bool {
    operand.number().is_some_and(|real| real.is_finite() && real != 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind::Real;
    use crate::build::Building;
    use crate::text::print::print;

    #[test]
    fn products_with_finite_constants_are_plain_where_no_sign_of_a_zero_shows() {
        let mut building = Building::default();
        building.entry(&[Real, Real], |code| {
            let (x, y) = (code.read(), code.read());
            let half = code.binary(Operation::GuardedMultiply, x, Operand::real(0.5));
            let hidden = code.positive_zero(half);
            let shown = code.binary(Operation::GuardedMultiply, x, Operand::real(0.25));
            let guarded = code.binary(Operation::GuardedMultiply, x, y);
            let sum = code.binary(Operation::Add, hidden, guarded);
            End::Yield(vec![sum, shown])
        });
        let mut unit = building.finish();
        leave_out_guards(&mut unit);
        let text = print(&unit, None);
        assert_eq!((text.matches("= * ").count(), text.matches("= guarded* ").count()), (1, 2), "{text}");
    }
}
