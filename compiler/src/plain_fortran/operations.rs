//! Operations of the table as expressions.

use super::unit::Refusal;
use crate::export::mathematics::Mathematics;
use vlad_table::{Arity, Comparison, Operation};

/// The mathematical functions of VLAD, by their names in Fortran (`shared/table/mathematics/fortran.c`).
pub const FUNCTIONS: [&str; 28] = [
    "VLEXP", "VLLOG", "VLSIN", "VLCOS", "VLTAN", "VLASIN", "VLACOS", "VLATAN", "VLATN2", "VLSINH", "VLCOSH", "VLTANH",
    "VLASNH", "VLACSH", "VLATNH", "VLPOW", "VLHYPT", "VLCBRT", "VLEXP2", "VLLOG2", "VLLG10", "VLLG1P", "VLEXM1",
    "VLERF", "VLERFC", "VLLGAM", "VLGAM", "VLPGAM",
];

/// Returns the expression of an operation.
///
/// # Errors
/// Returns a refusal if the function is to be that of the Fortran compiler, and Fortran has none.
pub fn expression(
    operation: Operation,
    first: &str,
    second: &str,
    mathematics: Mathematics,
) -> Result<String, Refusal> {
    let infix = |operator: &str| format!("{first} {operator} {second}");
    let call = |function: &str| match operation.arity() {
        Arity::One => format!("{function}({first})"),
        Arity::Two => format!("{function}({first}, {second})"),
    };
    let function = |own: &str, of_fortran: &str| match mathematics {
        Mathematics::Vlad => call(own),
        Mathematics::System => call(of_fortran),
    };
    let own = |function: &str| match mathematics {
        Mathematics::Vlad => Ok(call(function)),
        Mathematics::System => Err(Refusal {
            message: format!("Fortran has no function `{}`", operation.row().name),
            node: None,
            hint: Some("leave out `--math system`: the functions of VLAD go with the program then".to_owned()),
        }),
    };
    Ok(match operation {
        Operation::Add => infix("+"),
        Operation::Subtract => infix("-"),
        Operation::Multiply => infix("*"),
        Operation::Divide => infix("/"),
        Operation::Negate => format!("-{first}"),
        Operation::SquareRoot => call("DSQRT"),
        Operation::Exponential => function("VLEXP", "DEXP"),
        Operation::Logarithm => function("VLLOG", "DLOG"),
        Operation::Sine => function("VLSIN", "DSIN"),
        Operation::Cosine => function("VLCOS", "DCOS"),
        Operation::Tangent => function("VLTAN", "DTAN"),
        Operation::ArcSine => function("VLASIN", "DASIN"),
        Operation::ArcCosine => function("VLACOS", "DACOS"),
        Operation::ArcTangent => function("VLATAN", "DATAN"),
        Operation::ArcTangent2 => function("VLATN2", "DATAN2"),
        Operation::HyperbolicSine => function("VLSINH", "DSINH"),
        Operation::HyperbolicCosine => function("VLCOSH", "DCOSH"),
        Operation::HyperbolicTangent => function("VLTANH", "DTANH"),
        Operation::Power => match mathematics {
            Mathematics::Vlad => call("VLPOW"),
            Mathematics::System => infix("**"),
        },
        Operation::Absolute => call("DABS"),
        Operation::Maximum => call("VLMAX"),
        Operation::Minimum => call("VLMIN"),
        Operation::Floor => call("VLFLR"),
        Operation::Ceiling => call("VLCEI"),
        Operation::Round => call("VLRND"),
        Operation::Truncate => call("DINT"),
        Operation::Modulo => call("VLMOD"),
        Operation::GuardedMultiply => call("VLGMUL"),
        Operation::Copy => first.to_owned(),
        Operation::DecimalLogarithm => function("VLLG10", "DLOG10"),
        // Those of Fortran 2008 are for operands of any kind of real.
        Operation::ErrorFunction => function("VLERF", "ERF"),
        Operation::ComplementaryErrorFunction => function("VLERFC", "ERFC"),
        Operation::LogGamma => function("VLLGAM", "LOG_GAMMA"),
        Operation::Gamma => function("VLGAM", "GAMMA"),
        Operation::InverseHyperbolicSine => function("VLASNH", "ASINH"),
        Operation::InverseHyperbolicCosine => function("VLACSH", "ACOSH"),
        Operation::InverseHyperbolicTangent => function("VLATNH", "ATANH"),
        Operation::Hypotenuse => function("VLHYPT", "HYPOT"),
        Operation::Polygamma => own("VLPGAM")?,
        Operation::LogarithmOfOnePlus => own("VLLG1P")?,
        Operation::ExponentialMinusOne => own("VLEXM1")?,
        Operation::CubeRoot => own("VLCBRT")?,
        Operation::BinaryExponential => own("VLEXP2")?,
        Operation::BinaryLogarithm => own("VLLOG2")?,
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
    use crate::rules::mathematical_function;
    use vlad_table::operations::OPERATIONS;

    /// Each mathematical function of the table has a name of its own, which the archive has.
    #[test]
    fn functions_are_those_of_the_archive() {
        let archive = include_str!("../../../shared/table/mathematics/fortran.c");
        let mut found = Vec::new();
        for row in &OPERATIONS {
            let text = expression(row.operation, "X", "Y", Mathematics::Vlad).unwrap();
            let name = text.split('(').next().unwrap_or_default();
            let is_listed = FUNCTIONS.contains(&name);
            let function = mathematical_function(row.operation);
            assert_eq!(function.is_some(), is_listed, "{}", row.name);
            if let Some(function) = function {
                assert!(archive.contains(&format!("ARY({}, {function})", name.to_lowercase())), "{}", row.name);
                found.push(name.to_owned());
            }
        }
        found.sort();
        found.dedup();
        assert_eq!(found.len(), FUNCTIONS.len());
        assert!(FUNCTIONS.iter().all(|name| name.len() <= 6));
    }

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
