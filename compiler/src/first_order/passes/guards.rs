//! Guards: guarded products become plain ones where no guard can be active.
//!
//! For code without levels. a (x) b is +0 where a or b is zero, and a * b elsewhere. So the two differ where one factor
//! is zero and the other an infinity or NaN, and in the sign of a zero. They are the same
//!
//! - if both factors are one variable: the square of a zero is +0;
//! - for a marked result ([`Marks`]), if one factor is a finite constant other than 0, or both factors are finite.
//!
//! Known to be finite are constants, and what choices, signs and roundings make of them: the coefficients of absolute
//! values, of maxima and of minima.

use super::zero_signs::Marks;
use crate::first_order::{Block, End, Operand, Statement, Unit, Variable};
use std::collections::HashSet;
use vlad_table::Operation;

/// Makes guarded products plain where no guard can be active.
pub fn leave_out_guards(unit: &mut Unit) {
    let marks = Marks::of(unit);
    for (number, function) in unit.functions.iter_mut().enumerate() {
        leave_out(&mut function.body, &mut HashSet::new(), &|variable| marks.is_marked(number, variable));
    }
}

fn leave_out(block: &mut Block, finite: &mut HashSet<Variable>, is_marked: &impl Fn(Variable) -> bool) {
    for statement in &mut block.statements {
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
            leave_out(block, finite, is_marked);
        }
        match statement {
            Statement::Operation { target, operation, first, second } => {
                let is_kept = match operation {
                    Operation::Negate
                    | Operation::Absolute
                    | Operation::Floor
                    | Operation::Ceiling
                    | Operation::Round
                    | Operation::Truncate
                    | Operation::Maximum
                    | Operation::Minimum
                    | Operation::Copy => true,
                    Operation::Add
                    | Operation::Subtract
                    | Operation::Multiply
                    | Operation::Divide
                    | Operation::SquareRoot
                    | Operation::Exponential
                    | Operation::Logarithm
                    | Operation::Sine
                    | Operation::Cosine
                    | Operation::Tangent
                    | Operation::ArcSine
                    | Operation::ArcCosine
                    | Operation::ArcTangent
                    | Operation::ArcTangent2
                    | Operation::HyperbolicSine
                    | Operation::HyperbolicCosine
                    | Operation::HyperbolicTangent
                    | Operation::Power
                    | Operation::Modulo
                    | Operation::GuardedMultiply => false,
                };
                if is_kept && is_finite(*first, finite) && second.is_none_or(|second| is_finite(second, finite)) {
                    finite.insert(*target);
                }
            }
            Statement::PositiveZero { target, operand } if is_finite(*operand, finite) => {
                finite.insert(*target);
            }
            Statement::Bind { targets, block } => {
                let mut are_finite = vec![true; targets.len()];
                block.each_leaf(&mut |leaf| {
                    if let End::Yield(operands) = &leaf.end {
                        for (result, operand) in are_finite.iter_mut().zip(operands) {
                            *result &= is_finite(*operand, finite);
                        }
                    }
                });
                finite.extend(targets.iter().zip(are_finite).filter(|(_, is)| *is).map(|(target, _)| *target));
            }
            Statement::PositiveZero { .. }
            | Statement::Compare { .. }
            | Statement::Loop { .. }
            | Statement::Call { .. }
            | Statement::Forward { .. }
            | Statement::Reverse { .. }
            | Statement::Input { .. }
            | Statement::Read { .. }
            | Statement::Write { .. }
            | Statement::Push { .. }
            | Statement::Tape { .. }
            | Statement::Pop { .. }
            | Statement::Array { .. }
            | Statement::Element { .. }
            | Statement::Length { .. }
            | Statement::IsIndex { .. }
            | Statement::Replace { .. }
            | Statement::CompareArrays { .. }
            | Statement::Zeros { .. }
            | Statement::Build { .. }
            | Statement::Accumulators { .. }
            | Statement::Load { .. }
            | Statement::Store { .. }
            | Statement::Steps { .. }
            | Statement::Recount { .. }
            | Statement::Cell { .. }
            | Statement::Parts { .. }
            | Statement::Count { .. } => {}
        }
    }
    for block in block.end.blocks_mut().into_iter().flatten() {
        leave_out(block, finite, is_marked);
    }
}

fn is_finite(operand: Operand, finite: &HashSet<Variable>) -> bool {
    match operand {
        Operand::Variable(variable) => finite.contains(&variable),
        Operand::Real(bits) => bits.real().is_finite(),
        Operand::Boolean(_) => false,
    }
}

/// Returns true for a finite constant other than 0.
fn is_nonzero(operand: Operand) -> bool {
    matches!(operand, Operand::Real(bits) if bits.real().is_finite() && bits.real() != 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_order::Kind::Real;
    use crate::first_order::build::Building;
    use crate::first_order::print::print;

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
