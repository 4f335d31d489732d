//! Variables of first-order code that have whole numbers from 0 on: indices of builds, and counters of loops.

use super::{End, Function, Operand, Statement, Variable};
use std::collections::{HashMap, HashSet};
use vlad_table::Operation;

/// The variables of a function that have whole numbers from 0 on: indices of builds, and counters of loops, which begin
/// with such a number ([`natural`]) and are increased by 1.
pub fn counters(function: &Function) -> HashSet<Variable> {
    let mut found = HashSet::new();
    let mut increased: HashMap<Variable, Variable> = HashMap::new();
    function.body.each_statement(&mut |statement| match statement {
        Statement::Build { index, .. } => {
            found.insert(*index);
        }
        Statement::Operation {
            target,
            operation: Operation::Add,
            first: Operand::Variable(from),
            second: Some(Operand::Real(one)),
        } if one.real() == 1.0 => {
            increased.insert(*target, *from);
        }
        _ => {}
    });
    function.body.each_statement(&mut |statement| {
        let Statement::Loop { state, initial, body, .. } = statement else { return };
        for (place, (variable, initial)) in state.iter().zip(initial).enumerate() {
            let mut counts = natural(*initial).is_some();
            body.each_leaf(&mut |leaf| {
                if let End::Repeat(values) = &leaf.end {
                    counts &= match values.get(place) {
                        Some(Operand::Variable(next)) => increased.get(next) == Some(variable),
                        _ => false,
                    };
                }
            });
            if counts {
                found.insert(*variable);
            }
        }
    });
    found
}

/// A real as a whole number that an index can be.
pub fn whole(real: f64) -> Option<u64> {
    (real >= 0.0 && real < (1_u64 << 53) as f64 && real.floor() == real).then_some(real as u64)
}

/// A constant that is a whole number from 0 on and has a positive sign: indices, sizes, and numbers that are computed of those
/// of iterations are never -0.
pub fn natural(operand: Operand) -> Option<f64> {
    match operand {
        Operand::Real(bits) if bits.real().is_sign_positive() => whole(bits.real()).map(|_| bits.real()),
        Operand::Real(_) | Operand::Variable(_) | Operand::Boolean(_) => None,
    }
}
