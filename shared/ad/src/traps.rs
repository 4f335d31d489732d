//! Traps: the error of the first operation that makes a NaN or an infinity, for runs that ask for it.
//!
//! An operation of the table *makes* a NaN if its result is one and no operand is; it makes an infinity if its result is one and
//! all operands are finite. A guarded product, of a derivative or by `guarded*`, also traps where the guard makes 0 of 0 and a factor
//! that is not finite: there a derivative is lost without a sign. Numbers that are not finite but come from outside - constants of
//! the program, the input - may be passed on.

use vlad_core::diagnostic::Kind;
use vlad_table::{Arity, Operation, number};
use vlad_values::fault::RuntimeError;

/// The reaction to operations that make a NaN or an infinity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Traps {
    /// None: the results are those of IEEE arithmetic.
    #[default]
    Off,
    /// The run ends with an error.
    NonFinite,
}

/// The part of an execution that an operation belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// The values of the program.
    #[default]
    Values,
    /// A coefficient, a product or a sum of a derivative.
    Derivatives,
}

/// Returns the fault of an operation on one or two reals with a result, if it traps.
pub fn trapped(operation: Operation, [first, second]: [f64; 2], result: f64, purpose: Purpose) -> Option<RuntimeError> {
    let operands = match operation.arity() {
        Arity::One => [first, first],
        Arity::Two => [first, second],
    };
    let is_guard = operation == Operation::GuardedMultiply
        && operands.contains(&0.0)
        && operands.iter().any(|operand| !operand.is_finite());
    let makes_nan = result.is_nan() && !operands.iter().any(|operand| operand.is_nan());
    let makes_infinity = result.is_infinite() && operands.iter().all(|operand| operand.is_finite());
    if !is_guard && !makes_nan && !makes_infinity {
        return None;
    }
    let shown = number::format;
    let message = match (operation.arity(), is_guard) {
        (_, true) => format!("the product of {} and {} counts as 0", shown(first), shown(second)),
        (Arity::One, false) => format!("`{}` of {} is {}", operation.row().name, shown(first), shown(result)),
        (Arity::Two, false) => {
            let is_of_derivative = operation == Operation::GuardedMultiply && purpose == Purpose::Derivatives;
            let name = if is_of_derivative { "*" } else { operation.row().name };
            format!("`{name}` of {} and {} is {}", shown(first), shown(second), shown(result))
        }
    };
    Some(fault(&message, purpose))
}

/// Returns the fault of a coefficient that is a constant and not finite, if it is.
pub fn trapped_constant(constant: f64) -> Option<RuntimeError> {
    let message = format!("a coefficient is {}", number::format(constant));
    (!constant.is_finite()).then(|| fault(&message, Purpose::Derivatives))
}

fn fault(message: &str, purpose: Purpose) -> RuntimeError {
    let within = match purpose {
        Purpose::Values => "",
        Purpose::Derivatives => "in a derivative, ",
    };
    RuntimeError::new(Kind::NonFinite, format!("{within}{message}"))
}
