//! The operations on plain reals, in C.

use super::names::{operation_constant, operation_function};
use super::text::line;
use vlad_table::operations::OPERATIONS;
use vlad_table::{Arity, Operation};

/// The C expression of an operation on plain reals, for [`super::evaluation`]. Its bits are those of the table's evaluation:
/// each operator of C rounds once, and nothing is contracted.
pub(super) fn expression(operation: Operation) -> &'static str {
    match operation {
        Operation::Add => "(a + b)",
        Operation::Subtract => "(a - b)",
        Operation::Multiply => "(a * b)",
        Operation::Divide => "(a / b)",
        Operation::Negate => "(-a)",
        Operation::SquareRoot => "vlad_square_root(m, a)",
        Operation::Exponential => "m->mathematics->exp(a)",
        Operation::Logarithm => "m->mathematics->log(a)",
        Operation::Sine => "m->mathematics->sin(a)",
        Operation::Cosine => "m->mathematics->cos(a)",
        Operation::Tangent => "m->mathematics->tan(a)",
        Operation::ArcSine => "m->mathematics->asin(a)",
        Operation::ArcCosine => "m->mathematics->acos(a)",
        Operation::ArcTangent => "m->mathematics->atan(a)",
        Operation::ArcTangent2 => "m->mathematics->atan2(a, b)",
        Operation::HyperbolicSine => "m->mathematics->sinh(a)",
        Operation::HyperbolicCosine => "m->mathematics->cosh(a)",
        Operation::HyperbolicTangent => "m->mathematics->tanh(a)",
        Operation::Power => "m->mathematics->pow(a, b)",
        Operation::Absolute => "vlad_absolute(m, a)",
        Operation::Maximum => "(a < b ? b : a)",
        Operation::Minimum => "(b < a ? b : a)",
        Operation::Floor => "m->mathematics->floor(a)",
        Operation::Ceiling => "m->mathematics->ceil(a)",
        Operation::Round => "m->mathematics->rint(a)",
        Operation::Truncate => "m->mathematics->trunc(a)",
        Operation::Modulo => "(a - b * m->mathematics->floor(a / b))",
        Operation::GuardedMultiply => "(a == 0.0 || b == 0.0 ? 0.0 : a * b)",
        Operation::Copy => "a",
    }
}

/// Writes the numbers of the operations, a function for each, and a function for all of each arity.
pub(super) fn write_header(out: &mut String) {
    line(out, format_args!("\n/* The operations on reals, by their number in the table. */\nenum vlad_operation {{"));
    for row in &OPERATIONS {
        line(out, format_args!("    {} = {},", operation_constant(row.operation), row.operation as u8));
    }
    line(out, format_args!("    VLAD_OPERATIONS = {}\n}};", OPERATIONS.len()));
    line(out, format_args!("\n/* The operations on plain reals. */"));
    for row in &OPERATIONS {
        let parameters = match row.operation.arity() {
            Arity::One => "double a",
            Arity::Two => "double a, double b",
        };
        let (name, body) = (operation_function(row.operation), expression(row.operation));
        line(out, format_args!("static inline double {name}(struct vlad_machine *m, {parameters}) {{"));
        if !body.contains('m') {
            line(out, format_args!("    (void)m;"));
        }
        line(out, format_args!("    return {body};\n}}"));
    }
    write_any(out, Arity::One, "vlad_evaluate_unary", "double a", "a");
    write_any(out, Arity::Two, "vlad_evaluate_binary", "double a, double b", "a, b");
}

/// Writes a function that executes any operation of an arity, by its number. Another number, which would break an invariant,
/// gives 0.
fn write_any(out: &mut String, arity: Arity, name: &str, parameters: &str, arguments: &str) {
    let head = format!("static VLAD_INLINE double {name}(struct vlad_machine *m, uint32_t operation, {parameters})");
    line(out, format_args!("\n{head} {{\n    switch (operation) {{"));
    for row in OPERATIONS.iter().filter(|row| row.operation.arity() == arity) {
        let (constant, function) = (operation_constant(row.operation), operation_function(row.operation));
        line(out, format_args!("    case {constant}: return {function}(m, {arguments});"));
    }
    line(out, format_args!("    default: return 0.0;\n    }}\n}}"));
}
