//! The operations on plain reals, in C.

use super::names::{operation_constant, operation_function};
use crate::c::{Expression as C, Head, Item, Statement, named};
use vlad_table::operations::OPERATIONS;
use vlad_table::{Arity, Operation};

/// The C expression of an operation on plain reals, for [`super::evaluation`]. Its bits are those of the table's
/// evaluation: each operator of C rounds once, and nothing is contracted.
pub(super) fn expression(operation: Operation) -> &'static str {
    match operation {
        Operation::Add => "(a + b)",
        Operation::Subtract => "(a - b)",
        Operation::Multiply => "(a * b)",
        Operation::Divide => "(a / b)",
        Operation::Negate => "(-a)",
        Operation::SquareRoot => "vlad_square_root(m, a)",
        Operation::Exponential => "VLAD_MATHEMATICS(m, exp)(a)",
        Operation::Logarithm => "VLAD_MATHEMATICS(m, log)(a)",
        Operation::Sine => "VLAD_MATHEMATICS(m, sin)(a)",
        Operation::Cosine => "VLAD_MATHEMATICS(m, cos)(a)",
        Operation::Tangent => "VLAD_MATHEMATICS(m, tan)(a)",
        Operation::ArcSine => "VLAD_MATHEMATICS(m, asin)(a)",
        Operation::ArcCosine => "VLAD_MATHEMATICS(m, acos)(a)",
        Operation::ArcTangent => "VLAD_MATHEMATICS(m, atan)(a)",
        Operation::ArcTangent2 => "VLAD_MATHEMATICS(m, atan2)(a, b)",
        Operation::HyperbolicSine => "VLAD_MATHEMATICS(m, sinh)(a)",
        Operation::HyperbolicCosine => "VLAD_MATHEMATICS(m, cosh)(a)",
        Operation::HyperbolicTangent => "VLAD_MATHEMATICS(m, tanh)(a)",
        Operation::Power => "VLAD_MATHEMATICS(m, pow)(a, b)",
        Operation::Absolute => "vlad_absolute(m, a)",
        Operation::Maximum => "(a < b ? b : a)",
        Operation::Minimum => "(b < a ? b : a)",
        Operation::Floor => "vlad_floor(a)",
        Operation::Ceiling => "VLAD_MATHEMATICS(m, ceil)(a)",
        Operation::Round => "VLAD_MATHEMATICS(m, rint)(a)",
        Operation::Truncate => "VLAD_MATHEMATICS(m, trunc)(a)",
        Operation::Modulo => "(a - b * vlad_floor(a / b))",
        Operation::GuardedMultiply => "(a == 0.0 || b == 0.0 ? 0.0 : a * b)",
        Operation::Copy => "a",
        Operation::ErrorFunction => "VLAD_MATHEMATICS(m, erf)(a)",
        Operation::ComplementaryErrorFunction => "VLAD_MATHEMATICS(m, erfc)(a)",
        Operation::LogGamma => "VLAD_MATHEMATICS(m, lgamma)(a)",
        Operation::Polygamma => "VLAD_MATHEMATICS(m, polygamma)(a, b)",
        Operation::LogarithmOfOnePlus => "VLAD_MATHEMATICS(m, log1p)(a)",
        Operation::ExponentialMinusOne => "VLAD_MATHEMATICS(m, expm1)(a)",
        Operation::InverseHyperbolicSine => "VLAD_MATHEMATICS(m, asinh)(a)",
        Operation::InverseHyperbolicCosine => "VLAD_MATHEMATICS(m, acosh)(a)",
        Operation::InverseHyperbolicTangent => "VLAD_MATHEMATICS(m, atanh)(a)",
        Operation::Hypotenuse => "VLAD_MATHEMATICS(m, hypot)(a, b)",
        Operation::CubeRoot => "VLAD_MATHEMATICS(m, cbrt)(a)",
        Operation::BinaryExponential => "VLAD_MATHEMATICS(m, exp2)(a)",
        Operation::BinaryLogarithm => "VLAD_MATHEMATICS(m, log2)(a)",
        Operation::DecimalLogarithm => "VLAD_MATHEMATICS(m, log10)(a)",
        Operation::Gamma => "VLAD_MATHEMATICS(m, tgamma)(a)",
    }
}

/// The numbers of the operations, a function for each, and a function for all of each arity.
pub(super) fn header() -> Vec<Item> {
    let numbers = OPERATIONS.iter().map(|row| (operation_constant(row.operation), row.operation as u64));
    let numbers = numbers.chain([("VLAD_OPERATIONS".to_owned(), OPERATIONS.len() as u64)]);
    let mut items = vec![
        Item::comment("The operations on reals, by their number in the table."),
        Item::Enumeration("vlad_operation", numbers.collect()),
        Item::comment("The operations on plain reals."),
    ];
    items.extend(OPERATIONS.iter().map(|row| function(row.operation, operation_function(row.operation))));
    items.extend([any(Arity::One, "vlad_evaluate_unary"), any(Arity::Two, "vlad_evaluate_binary")]);
    items
}

/// The C function of a name that executes an operation on the machine and one or two doubles.
pub(crate) fn function(operation: Operation, name: String) -> Item {
    let parameters = named([("struct vlad_machine *", "m")].into_iter().chain(doubles(operation.arity())));
    let head = Head { storage: "static VLAD_INLINE ", result: "double".into(), name, parameters };
    let value = Statement::Return(C::Formula(expression(operation)));
    Item::Function { head, body: vec![Statement::Unused(&["m"]), value] }
}

/// A function that executes any operation of an arity, by its number. Another number, which would break an invariant,
/// gives 0.
fn any(arity: Arity, name: &str) -> Item {
    let cases = OPERATIONS.iter().filter(|row| row.operation.arity() == arity).map(|row| {
        let operands: Vec<C> = ["m"].into_iter().chain(doubles(arity).map(|(_, name)| name)).map(C::name).collect();
        let value = C::call(operation_function(row.operation), operands);
        (C::Name(operation_constant(row.operation)), vec![Statement::Return(value)])
    });
    let otherwise = vec![Statement::Return(C::Real(0.0))];
    let body = vec![Statement::Choose { value: C::name("operation"), cases: cases.collect(), otherwise }];
    let parameters = [("struct vlad_machine *", "m"), ("uint32_t", "operation")].into_iter().chain(doubles(arity));
    let head = Head {
        storage: "static VLAD_INLINE ",
        result: "double".into(),
        name: name.to_owned(),
        parameters: named(parameters),
    };
    Item::Function { head, body }
}

/// The parameters for the operands of an operation.
fn doubles(arity: Arity) -> impl Iterator<Item = (&'static str, &'static str)> {
    let count = match arity {
        Arity::One => 1,
        Arity::Two => 2,
    };
    [("double", "a"), ("double", "b")].into_iter().take(count)
}
