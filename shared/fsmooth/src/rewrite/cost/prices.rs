//! The prices of constructs: operations, reads and allocations.
//!
//! The unit is an addition. Prices compare terms of one definition and are no times.

use crate::builtins::Builtin;
use crate::rewrite::terms;
use crate::typed::{Expression, Head, LocalId, Program};
use vlad_table::operations::{Effort, Operation};

/// The cost of an allocation.
const ALLOCATION: f64 = 20.0;

/// The cost of an element that is written.
pub const WRITE: f64 = 2.0;

/// The cost of a call of a function that is not known.
pub const CALL: f64 = 10.0;

/// The cost of an operator that differentiates a function, which is not known.
const OPERATOR: f64 = 1000.0 * CALL;

/// The cost of an element of another row in each turn of the innermost loop, beyond that of its neighbour in one row: what
/// is read lies far apart.
pub const STRIDE: f64 = 8.0;

/// Returns the cost of an expression with so many parts, without these.
pub fn own(head: Head, parts: usize) -> f64 {
    match head {
        Head::Number(_) | Head::Boolean(_) | Head::Local(_) | Head::Global(_) => 0.0,
        Head::Lambda(_) | Head::Let(_) | Head::Widen => 0.0,
        Head::If => 1.0,
        Head::Application => CALL,
        Head::Array => ALLOCATION + WRITE * parts as f64,
        Head::Call(Builtin::First | Builtin::Second) => 0.0,
        Head::Call(Builtin::Pair) => WRITE * 2.0,
        Head::Call(Builtin::Build) => ALLOCATION,
        Head::Call(Builtin::Operation(operation)) => operation_cost(operation),
        Head::Deriv(_) | Head::Call(Builtin::Derivative(_) | Builtin::Forward | Builtin::Reverse(_)) => OPERATOR,
        Head::Call(_) => 1.0,
    }
}

/// Returns true for an element of a matrix whose row changes with an index, and not its column.
pub fn is_strided(program: &Program, expression: Expression, index: LocalId) -> bool {
    let Expression::Get { array, index: column } = expression else { return false };
    let Expression::Get { index: row, .. } = program.expression(array) else { return false };
    terms::mentions(program, row, &[index]) && !terms::mentions(program, column, &[index])
}

fn operation_cost(operation: Operation) -> f64 {
    match operation.effort() {
        Effort::Arithmetic => 1.0,
        Effort::Choice => 2.0,
        Effort::Division => 6.0,
        Effort::Function => 20.0,
        Effort::Series => 80.0,
    }
}
