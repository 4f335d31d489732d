//! Operations of the table as expressions.

use super::unit::Refusal;
use crate::export::mathematics::Mathematics;
use vlad_table::operations::InFortran;
use vlad_table::{Arity, Comparison, Operation};

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
    let call = |function: &str| match operation.arity() {
        Arity::One => format!("{function}({first})"),
        Arity::Two => format!("{function}({first}, {second})"),
    };
    match (operation.function_in_fortran(), mathematics) {
        (Some(function), Mathematics::Vlad) => Ok(call(function)),
        (Some(_), Mathematics::System) | (None, _) => match operation.row().in_fortran {
            Some(InFortran::Infix(operator)) => Ok(format!("{first} {operator} {second}")),
            Some(InFortran::Prefix(operator)) => Ok(format!("{operator}{first}")),
            Some(InFortran::Call(function)) => Ok(call(function)),
            Some(InFortran::Operand) => Ok(first.to_owned()),
            None => Err(Refusal {
                message: format!("Fortran has no function `{}`", operation.row().name),
                node: None,
                hint: Some("leave out `--math system`: the functions of VLAD go with the program then".to_owned()),
            }),
        },
    }
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
    use vlad_table::math::NAMES_IN_FORTRAN;
    use vlad_table::operations::OPERATIONS;

    /// Names are different, and have as many letters as Fortran 77 allows; all other operations have an expression.
    #[test]
    fn operations_have_expressions() {
        for row in &OPERATIONS {
            let (function, expression) = (row.operation.function_in_c(), row.in_fortran);
            assert_eq!(function.is_some(), row.operation.function_in_fortran().is_some(), "{}", row.name);
            assert!(function.is_some() || expression.is_some(), "`{}` has no expression in Fortran", row.name);
        }
        for (number, (function, name)) in NAMES_IN_FORTRAN.iter().enumerate() {
            let is_taken = NAMES_IN_FORTRAN[..number].iter().any(|(_, other)| other == name);
            assert!(name.len() <= 6 && name.starts_with("VL") && !is_taken, "{name} for {function}");
        }
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
