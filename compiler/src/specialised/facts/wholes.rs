//! Reals that are whole numbers, as integers of C.
//!
//! An index of a build, and a counter of a loop, is an integer, from which the real of the same value is made where it is
//! read. Lengths of arrays are integers already, and so are sums, differences and remainders of such numbers. C compilers
//! then see what is indexed and where a loop ends, and no call of a rounding stands in a remainder.
//!
//! Whole numbers below 2^53 are reals, so what reals compute of them is exact, and the integer has the same value: no
//! counter gets near 2^50 in a run that ends, and expressions are nested [`MOST_NESTED`] times at most. The integers are
//! unsigned and wrap around; where the sign counts, `vlad_signed` gives it back. A remainder of a division by 0 is no
//! number: its integer is the greatest one, which is no index.

use std::collections::{HashMap, HashSet};
use vlad_first_order::{Function, Operand, Statement, Variable};
use vlad_first_order::{IntegerOperation, Storage};
use vlad_table::Operation;

/// The greatest depth of nested expressions.
const MOST_NESTED: u32 = 3;

/// The greatest size of a constant in an expression.
const MOST_CONSTANT: f64 = 2_147_483_648.0;

/// The integer of a real.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// A counter of a loop: a variable of C.
    Counter,
    /// An index that is chosen ([`super::chosen`]): a variable of C.
    Chosen,
    /// The length of an array.
    Length(Variable),
    /// The sum of two such numbers.
    Sum(Operand, Operand),
    /// The difference of two such numbers.
    Difference(Operand, Operand),
    /// The remainder of a division by a length or a constant, which is not negative: a variable of C.
    Remainder(Operand, Operand),
    /// The same as another one, rounded.
    Same(Operand),
}

/// The variables of a function that are whole numbers, given its counters and the indices that are chosen.
pub fn wholes(
    function: &Function,
    counters: &HashSet<Variable>,
    chosen: &HashSet<Variable>,
) -> HashMap<Variable, Whole> {
    let mut found: HashMap<Variable, (Whole, u32)> =
        counters.iter().map(|counter| (*counter, (Whole::Counter, 0))).collect();
    found.extend(chosen.iter().map(|variable| (*variable, (Whole::Chosen, 0))));
    function.body.each_statement(&mut |statement| match statement {
        Statement::Length { target, array: Operand::Variable(array) } => {
            found.insert(*target, (Whole::Length(*array), 0));
        }
        Statement::Storage(Storage::Integer { target, operation: IntegerOperation::Real, operands }) => {
            found.extend(operands.first().map(|integer| (*target, (Whole::Same(*integer), 0))));
        }
        Statement::Operation { target, operation, first, second } if !counters.contains(target) => {
            if let Some(whole) = of_operation(*operation, *first, *second, &found) {
                found.insert(*target, whole);
            }
        }
        _ => {}
    });
    found.into_iter().map(|(variable, (whole, _))| (variable, whole)).collect()
}

/// The integer of a result, and the depth of its expression.
fn of_operation(
    operation: Operation,
    first: Operand,
    second: Option<Operand>,
    found: &HashMap<Variable, (Whole, u32)>,
) -> Option<(Whole, u32)> {
    let depth_of = |operand: Operand| match operand {
        Operand::Variable(variable) => found.get(&variable).map(|(_, depth)| *depth),
        Operand::Real(bits) => is_constant(bits.real()).then_some(0),
        Operand::Boolean(_) => None,
    };
    let of_variable = |operand: Operand| matches!(operand, Operand::Variable(_));
    let depth = 1 + depth_of(first)?.max(second.map_or(Some(0), depth_of)?);
    if depth > MOST_NESTED || !of_variable(first) && !second.is_some_and(of_variable) {
        return None;
    }
    match (operation, second) {
        (Operation::Add, Some(second)) => Some((Whole::Sum(first, second), depth)),
        (Operation::Subtract, Some(second)) => Some((Whole::Difference(first, second), depth)),
        (Operation::Modulo, Some(second)) => {
            let is_size = match second {
                Operand::Variable(variable) => matches!(found.get(&variable), Some((Whole::Length(_), _))),
                Operand::Real(bits) => bits.real() > 0.0,
                Operand::Boolean(_) => false,
            };
            is_size.then_some((Whole::Remainder(first, second), 0))
        }
        (Operation::Floor | Operation::Ceiling | Operation::Round | Operation::Truncate, None) => {
            Some((Whole::Same(first), depth))
        }
        _ => None,
    }
}

/// True for a whole number that may be part of an expression.
fn is_constant(real: f64) -> bool {
    real.abs() <= MOST_CONSTANT && real.fract() == 0.0
}

/// The name of the integer of a variable.
pub fn integer_name(variable: Variable) -> String {
    format!("k{}", variable.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_first_order::Kind;
    use vlad_first_order::build::Building;
    use vlad_first_order::counted_loops::counters;
    use vlad_first_order::{End, Unit};

    fn found(unit: &Unit) -> Vec<Whole> {
        let function = &unit.functions[0];
        let mut found: Vec<(Variable, Whole)> =
            wholes(function, &counters(function), &HashSet::new()).into_iter().collect();
        found.sort_by_key(|(variable, _)| *variable);
        found.into_iter().map(|(_, whole)| whole).collect()
    }

    #[test]
    fn what_is_computed_of_lengths_and_constants_is_whole() {
        let mut building = Building::default();
        let function = building.declare("f", &[Kind::REALS, Kind::Real], &[Kind::Real]);
        building.define(function, |code, p| {
            let (one, half) = (Operand::real(1.0), Operand::real(0.5));
            let length = code.length(p[0]);
            let more = code.binary(Operation::Add, length, one);
            let less = code.binary(Operation::Subtract, one, more);
            let rest = code.binary(Operation::Modulo, less, length);
            // The remainder by what may be negative, a half, and a real of which nothing is known.
            for (operation, first, second) in
                [(Operation::Modulo, length, less), (Operation::Add, length, half), (Operation::Add, length, p[1])]
            {
                code.binary(operation, first, second);
            }
            End::Yield(vec![rest])
        });
        let found = found(&building.finish());
        let [Whole::Length(_), Whole::Sum(..), Whole::Difference(..), Whole::Remainder(..)] = found.as_slice() else {
            unreachable!("{found:?}")
        };
    }

    #[test]
    fn expressions_are_not_nested_without_end() {
        let mut building = Building::default();
        let function = building.declare("f", &[Kind::REALS], &[Kind::Real]);
        building.define(function, |code, p| {
            let mut sum = code.length(p[0]);
            for _ in 0..1000 {
                sum = code.binary(Operation::Add, sum, sum);
            }
            End::Yield(vec![sum])
        });
        assert_eq!(found(&building.finish()).len(), 1 + MOST_NESTED as usize);
    }
}
