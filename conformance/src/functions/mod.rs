//! The mathematical functions of the language as they are compiled, and points at which they are compared: with their rounded values
//! ([`vlad_derivatives::extended::rounded`]), with another implementation, with another variant of the same code.
//!
//! A point is an array of two doubles, of which a function of one operand takes the first.

pub mod hard;
pub mod points;
mod thresholds;
pub mod turn;
mod worst;

use vlad_derivatives::extended::arithmetic::Reference;
use vlad_derivatives::extended::rounded;
use vlad_shared::table::{Operation, math};

/// A function by its address, as compiled code calls it.
#[derive(Clone, Copy, Debug)]
pub enum Function {
    /// Of one operand.
    Unary(extern "C" fn(f64) -> f64),
    /// Of two operands.
    Binary(extern "C" fn(f64, f64) -> f64),
}

/// Functions of a list by their names in C, in the order of [`rounded::functions`]; those that the list lacks are left out.
pub fn by_operation(functions: &[(&str, Function)]) -> Vec<(Operation, Function)> {
    let found = |operation: Operation| {
        let name = operation.function_in_c()?;
        functions.iter().find(|(other, _)| *other == name).map(|(_, function)| (operation, *function))
    };
    rounded::functions().filter_map(found).collect()
}

/// The functions that compiled code calls.
pub fn compiled() -> Vec<(Operation, Function)> {
    let unary = math::UNARY.iter().map(|(name, function)| (*name, Function::Unary(*function)));
    let binary = math::BINARY.iter().map(|(name, function)| (*name, Function::Binary(*function)));
    by_operation(&unary.chain(binary).collect::<Vec<_>>())
}

impl Function {
    /// The value at a point.
    pub fn at(self, point: [f64; 2]) -> f64 {
        let [x, y] = point;
        match self {
            Function::Unary(function) => function(x),
            Function::Binary(function) => function(x, y),
        }
    }

    /// The coordinates of a point that are operands.
    pub fn operands(self, point: &[f64; 2]) -> &[f64] {
        let [x, _] = point;
        match self {
            Function::Unary(_) => std::slice::from_ref(x),
            Function::Binary(_) => point,
        }
    }

    /// The rounded value at a point; not a number if the operation is no function.
    pub fn rounded(self, reference: &mut Reference, operation: Operation, point: [f64; 2]) -> f64 {
        reference.rounded(operation, self.operands(&point)).unwrap_or(f64::NAN)
    }
}

/// Returns true if two results are the same to a program: the bits, where one NaN is as good as another.
pub fn is_same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}
