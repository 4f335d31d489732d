//! Operations of the table as expressions.

use super::unit::Refusal;
use vlad_table::{Comparison, Operation};

/// Returns the expression of an operation.
///
/// # Errors
/// Returns a refusal if Fortran has no function for it.
pub fn expression(operation: Operation, first: &str, second: &str) -> Result<String, Refusal> {
    let infix = |operator: &str| format!("{first} {operator} {second}");
    let call = |function: &str| format!("{function}({first})");
    let call_two = |function: &str| format!("{function}({first}, {second})");
    Ok(match operation {
        Operation::Add => infix("+"),
        Operation::Subtract => infix("-"),
        Operation::Multiply => infix("*"),
        Operation::Divide => infix("/"),
        Operation::Negate => format!("-{first}"),
        Operation::SquareRoot => call("DSQRT"),
        Operation::Exponential => call("DEXP"),
        Operation::Logarithm => call("DLOG"),
        Operation::Sine => call("DSIN"),
        Operation::Cosine => call("DCOS"),
        Operation::Tangent => call("DTAN"),
        Operation::ArcSine => call("DASIN"),
        Operation::ArcCosine => call("DACOS"),
        Operation::ArcTangent => call("DATAN"),
        Operation::ArcTangent2 => call_two("DATAN2"),
        Operation::HyperbolicSine => call("DSINH"),
        Operation::HyperbolicCosine => call("DCOSH"),
        Operation::HyperbolicTangent => call("DTANH"),
        Operation::Power => infix("**"),
        Operation::Absolute => call("DABS"),
        Operation::Maximum => call_two("VLMAX"),
        Operation::Minimum => call_two("VLMIN"),
        Operation::Floor => call("VLFLR"),
        Operation::Ceiling => call("VLCEI"),
        Operation::Round => call("VLRND"),
        Operation::Truncate => call("DINT"),
        Operation::Modulo => call_two("VLMOD"),
        Operation::GuardedMultiply => call_two("VLGMUL"),
        Operation::Copy => first.to_owned(),
        Operation::DecimalLogarithm => call("DLOG10"),
        // Fortran 2008, for operands of any kind of real.
        Operation::ErrorFunction => call("ERF"),
        Operation::ComplementaryErrorFunction => call("ERFC"),
        Operation::LogGamma => call("LOG_GAMMA"),
        Operation::Gamma => call("GAMMA"),
        Operation::InverseHyperbolicSine => call("ASINH"),
        Operation::InverseHyperbolicCosine => call("ACOSH"),
        Operation::InverseHyperbolicTangent => call("ATANH"),
        Operation::Hypotenuse => call_two("HYPOT"),
        Operation::Polygamma
        | Operation::LogarithmOfOnePlus
        | Operation::ExponentialMinusOne
        | Operation::CubeRoot
        | Operation::BinaryExponential
        | Operation::BinaryLogarithm => {
            return Err(Refusal::new(format!("Fortran has no function `{}`", operation.row().name)));
        }
    })
}

/// Returns the operator of a comparison.
pub fn operator(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => ".EQ.",
        Comparison::Less => ".LT.",
        Comparison::Greater => ".GT.",
        Comparison::NotGreater => ".LE.",
        Comparison::NotLess => ".GE.",
    }
}

/// Returns a real constant; those in parentheses have a sign.
pub fn constant(real: f64) -> String {
    if real.is_nan() {
        return "VNAN".to_owned();
    }
    let magnitude = match real.is_infinite() {
        true => "VINF".to_owned(),
        // The shortest text that reads back, as in 1.5e0.
        false => format!("{:e}", real.abs()).replace('e', "D"),
    };
    if real.is_sign_negative() { format!("(-{magnitude})") } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_doubles() {
        for (real, text) in [
            (1.0, "1D0"),
            (-0.25, "(-2.5D-1)"),
            (1e300, "1D300"),
            (-0.0, "(-0D0)"),
            (f64::INFINITY, "VINF"),
            (f64::NEG_INFINITY, "(-VINF)"),
            (f64::NAN, "VNAN"),
        ] {
            assert_eq!(constant(real), text);
        }
    }
}
