//! `vlad table`: the primitives and the operations on reals as one JSON object, for implementations and tools.
//!
//! Invariant: everything in it is read from [`vlad_shared::table`].

use crate::output::console::Console;
use crate::process::exit::Exit;
use clap::Args;
use serde_json::{Value, json};
use vlad_shared::table::number;
use vlad_shared::table::operations::OPERATIONS;
use vlad_shared::table::primitives::PRIMITIVES;
use vlad_shared::table::{Arity, Form, Operation, OperationRow, PrimitiveRow, ResultKind, Single, Term, Test};

/// The arguments of `vlad table`.
#[derive(Debug, Args)]
pub struct TableArguments {}

/// The form of the object, as `--help` shows it.
pub const FORM: &str = r#"One JSON object is printed:
  primitives    each with
    name        its name in programs
    kind        "fold", "unary", "binary", "unary or binary", "comparison", "comparison with zero", "predicate", "part",
                "pair", "equality", "real", "tangent", "input", "output", "error", "vector", "reflection" or "control"
    least, most the bounds on the number of operands; most is null if there is none
    result      "real", "boolean", "pair", "vector", "capsule" or "any"
    part        the part of the language report that defines it
    operations  the names of the operations on reals that it applies; of "unary or binary" the unary one comes first
    empty       the value of a fold without operands, or null
    one         the value of a fold with one operand, as a term; null for others
  operations    the operations on reals, each with name, operands (1 or 2), and
    coefficients  for each operand the factor of its tangent, as a term
A term is "a" or "b", an operand; "r", the result; a number, "+inf.0" or "+nan.0"; [NAME, TERM, ...], an operation; or
["if", TEST, TERM, TERM], a choice of which only the selected term is evaluated. A test is ["zero?", TERM],
["<", TERM, TERM], ["nearer", TERM, TERM] (the first is nearer to zero), or ["and", TEST, TEST]."#;

/// Prints the table.
pub fn table(_: &TableArguments) -> Exit {
    let primitives: Vec<Value> = PRIMITIVES.iter().map(primitive).collect();
    let operations: Vec<Value> = OPERATIONS.iter().map(operation).collect();
    let object = json!({ "primitives": primitives, "operations": operations });
    Console::plain().conclude_with_text(&format!("{object}\n"))
}

fn primitive(row: &PrimitiveRow) -> Value {
    let signature = row.form.signature();
    let (empty, one) = if let Form::Fold { operation, empty, single } = row.form {
        (empty, Some(single_operand(operation, single)))
    } else {
        (None, None)
    };
    json!({
        "name": row.name,
        "kind": kind(row.form),
        "least": signature.operands.least,
        "most": signature.operands.most,
        "result": result(signature.result),
        "part": row.form.part(),
        "operations": row.form.operations().iter().map(|operation| operation.row().name).collect::<Vec<&str>>(),
        "empty": empty,
        "one": one,
    })
}

/// The value of a fold of one operand.
fn single_operand(operation: Operation, single: Single) -> Value {
    match single {
        Single::Itself => json!("a"),
        Single::Unary(own) => json!([own.row().name, "a"]),
        Single::From(start) => json!([operation.row().name, start, "a"]),
    }
}

fn kind(form: Form) -> &'static str {
    match form {
        Form::Fold { .. } => "fold",
        Form::Unary(_) => "unary",
        Form::Binary(_) => "binary",
        Form::UnaryOrBinary(..) => "unary or binary",
        Form::Chain(_) => "comparison",
        Form::AgainstZero(_) => "comparison with zero",
        Form::Ask(_) => "predicate",
        Form::First | Form::Second => "part",
        Form::Pair => "pair",
        Form::SameValue => "equality",
        Form::Real => "real",
        Form::Zero | Form::Plus => "tangent",
        Form::ReadReal | Form::EndOfInput => "input",
        Form::WriteReal | Form::Write | Form::WriteRow | Form::WriteText => "output",
        Form::Error | Form::ErrorText => "error",
        Form::OnVector(_) => "vector",
        Form::TransformForward
        | Form::Bundle
        | Form::PrimalOf
        | Form::TangentOf
        | Form::Mark(_)
        | Form::Unmark(_)
        | Form::Invert(_) => "reflection",
        Form::Control(_) => "control",
    }
}

fn result(kind: ResultKind) -> &'static str {
    match kind {
        ResultKind::Real => "real",
        ResultKind::Boolean => "boolean",
        ResultKind::Pair => "pair",
        ResultKind::Vector => "vector",
        ResultKind::Capsule => "capsule",
        ResultKind::Any => "any",
    }
}

fn operation(row: &OperationRow) -> Value {
    let operands = match row.operation.arity() {
        Arity::One => 1,
        Arity::Two => 2,
    };
    let coefficients: Vec<Value> = row.coefficients.iter().map(term).collect();
    json!({ "name": row.name, "operands": operands, "coefficients": coefficients })
}

fn term(term: &Term) -> Value {
    match *term {
        Term::First => json!("a"),
        Term::Second => json!("b"),
        Term::Result => json!("r"),
        Term::Constant(number) if number.is_finite() => json!(number),
        Term::Constant(number) => json!(number::format(number)),
        Term::Unary(operation, operand) => json!([operation.row().name, self::term(operand)]),
        Term::Binary(operation, left, right) => {
            json!([operation.row().name, self::term(left), self::term(right)])
        }
        Term::Select(condition, yes, no) => json!(["if", test(&condition), self::term(yes), self::term(no)]),
    }
}

fn test(condition: &Test) -> Value {
    match *condition {
        Test::Zero(operand) => json!(["zero?", term(operand)]),
        Test::Less(left, right) => json!(["<", term(left), term(right)]),
        Test::Nearer(left, right) => json!(["nearer", term(left), term(right)]),
        Test::Both(left, right) => json!(["and", test(left), test(right)]),
    }
}
