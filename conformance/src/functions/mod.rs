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
use vlad_shared::table::math;

/// A function by its address, as compiled code calls it.
#[derive(Clone, Copy, Debug)]
pub enum Function {
    /// Of one operand.
    Unary(extern "C" fn(f64) -> f64),
    /// Of two operands.
    Binary(extern "C" fn(f64, f64) -> f64),
}

/// The number of functions.
pub const COUNT: usize = vlad_derivatives::extended::rounded::FUNCTIONS.len();

/// The functions of a module that has them by their names in `vlad_table::math`, in the order of
/// [`FUNCTIONS`](vlad_derivatives::extended::rounded::FUNCTIONS).
#[macro_export]
macro_rules! functions_of {
    ($module:path) => {{
        use $crate::functions::Function::{Binary, Unary};
        use $module as module;
        let functions: [$crate::functions::Function; $crate::functions::COUNT] = [
            Unary(module::exp),
            Unary(module::log),
            Unary(module::sin),
            Unary(module::cos),
            Unary(module::tan),
            Unary(module::asin),
            Unary(module::acos),
            Unary(module::atan),
            Binary(module::atan2),
            Unary(module::sinh),
            Unary(module::cosh),
            Unary(module::tanh),
            Unary(module::asinh),
            Unary(module::acosh),
            Unary(module::atanh),
            Binary(module::pow),
            Binary(module::hypot),
            Unary(module::cbrt),
            Unary(module::exp2),
            Unary(module::log2),
            Unary(module::log10),
            Unary(module::log1p),
            Unary(module::expm1),
            Unary(module::erf),
            Unary(module::erfc),
            Unary(module::lgamma),
            Unary(module::tgamma),
        ];
        functions
    }};
}

/// The functions that compiled code calls.
pub fn compiled() -> [Function; COUNT] {
    functions_of!(math)
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
    pub fn rounded(self, reference: &mut Reference, operation: vlad_shared::table::Operation, point: [f64; 2]) -> f64 {
        reference.rounded(operation, self.operands(&point)).unwrap_or(f64::NAN)
    }
}

/// Returns true if two results are the same to a program: the bits, where one NaN is as good as another.
pub fn is_same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}
