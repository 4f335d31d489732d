//! Accumulations: three statements one after another that add to an element of an array of accumulators, or subtract from it.
//!
//! ```text
//! r1 = load a i
//! r2 = + r1 c        or  - r1 c
//! store a i r2
//! ```
//!
//! Nothing else reads the two variables. Accumulations and other loads of the array keep their order. The numbers that are added may be
//! computed at any time before.
//!
//! Speculative guards move accumulations by that rule ([`super::speculative`]).

use crate::{Operand, Statement, Variable};
use std::collections::HashMap;
use vlad_table::Operation;

/// Returns true if three statements are an accumulation, given how often variables are read.
pub fn is_accumulation(statements: &[Statement], reads: &HashMap<Variable, usize>) -> bool {
    let [
        Statement::Load { target: loaded, array: from, index: place },
        Statement::Operation { target: sum, operation, first, second: Some(second) },
        Statement::Store { array, index, value },
    ] = statements
    else {
        return false;
    };
    let is_loaded = |operand: &Operand| *operand == Operand::Variable(*loaded);
    let is_sum = match operation {
        Operation::Add => is_loaded(first) || is_loaded(second),
        Operation::Subtract => is_loaded(first),
        _ => false,
    };
    let is_read_once = |variable: &Variable| reads.get(variable) == Some(&1);
    is_sum
        && *value == Operand::Variable(*sum)
        && (from, place) == (array, index)
        && is_read_once(loaded)
        && is_read_once(sum)
}
