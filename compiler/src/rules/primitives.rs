//! The table of primitives, in C: the form of each and the parameters of the form, for the runtime's `apply.c`.

use super::names::{operation_constant, primitive_constant, words};
use super::text::{line, real_constant};
use std::fmt::Debug;
use vlad_table::primitives::PRIMITIVES;
use vlad_table::{Comparison, Control, Division, Form, Mark, OnVector, Operation, Predicate, Single, Tag};

const COMPARISONS: [Comparison; 5] =
    [Comparison::Equal, Comparison::Less, Comparison::Greater, Comparison::NotGreater, Comparison::NotLess];
const PREDICATES: [Predicate; 12] = [
    Predicate::Null,
    Predicate::Boolean,
    Predicate::Real,
    Predicate::Pair,
    Predicate::Procedure,
    Predicate::Capsule,
    Predicate::False,
    Predicate::Tagged(Tag::Perturbation),
    Predicate::Tagged(Tag::Sensitivity),
    Predicate::Tagged(Tag::Reverse),
    Predicate::Tagged(Tag::Bundle),
    Predicate::Vector,
];
const MARKS: [Mark; 3] = [Mark::Perturbation, Mark::Sensitivity, Mark::Reverse];
const ON_VECTORS: [OnVector; 9] = [
    OnVector::Length,
    OnVector::Element,
    OnVector::Replace,
    OnVector::Append,
    OnVector::ToList,
    OnVector::FromList,
    OnVector::Size,
    OnVector::Iterations,
    OnVector::OfLength,
];
const CONTROLS: [Control; 9] = [
    Control::IfProcedure,
    Control::Forward,
    Control::Reverse,
    Control::CountSteps,
    Control::Interrupt,
    Control::Resume,
    Control::Checkpoint(Division::OfRun),
    Control::Checkpoint(Division::Bisection),
    Control::Checkpoint(Division::Binomial),
];

/// The forms, by the names of their constants in C; [`Row::of`] selects one for each row.
const FORMS: [&str; 26] = [
    "FOLD",
    "UNARY",
    "BINARY",
    "UNARY_OR_BINARY",
    "CHAIN",
    "AGAINST_ZERO",
    "ASK",
    "FIRST",
    "SECOND",
    "PAIR",
    "SAME_VALUE",
    "REAL",
    "ZERO",
    "PLUS",
    "TRANSFORM_FORWARD",
    "BUNDLE",
    "PRIMAL_OF",
    "TANGENT_OF",
    "MARK",
    "UNMARK",
    "INVERT",
    "ON_VECTOR",
    "READ_REAL",
    "WRITE_REAL",
    "WRITE",
    "CONTROL",
];

/// The row of a primitive, as in its C initialiser; fields that its form does not use are 0.
struct Row {
    form: &'static str,
    operation: Option<Operation>,
    /// For a fold, the operation applied to a single operand; for `UnaryOrBinary`, the operation on two.
    other: Option<Operation>,
    empty: Option<f64>,
    single: &'static str,
    from: f64,
    detail: String,
}

impl Row {
    fn of(form: Form) -> Row {
        let plain = |form| Row {
            form,
            operation: None,
            other: None,
            empty: None,
            single: "ITSELF",
            from: 0.0,
            detail: "0".to_owned(),
        };
        match form {
            Form::Fold { operation, empty, single } => {
                let (single, other, from) = match single {
                    Single::Itself => ("ITSELF", None, 0.0),
                    Single::Unary(operation) => ("UNARY", Some(operation), 0.0),
                    Single::From(constant) => ("FROM", None, constant),
                };
                Row { operation: Some(operation), other, empty, single, from, ..plain("FOLD") }
            }
            Form::Unary(operation) => Row { operation: Some(operation), ..plain("UNARY") },
            Form::Binary(operation) => Row { operation: Some(operation), ..plain("BINARY") },
            Form::UnaryOrBinary(unary, binary) => {
                Row { operation: Some(unary), other: Some(binary), ..plain("UNARY_OR_BINARY") }
            }
            Form::Chain(comparison) => Row { detail: constant("COMPARISON", comparison), ..plain("CHAIN") },
            Form::AgainstZero(comparison) => {
                Row { detail: constant("COMPARISON", comparison), ..plain("AGAINST_ZERO") }
            }
            Form::Ask(predicate) => Row { detail: predicate_constant(predicate), ..plain("ASK") },
            Form::First => plain("FIRST"),
            Form::Second => plain("SECOND"),
            Form::Pair => plain("PAIR"),
            Form::SameValue => plain("SAME_VALUE"),
            Form::Real => plain("REAL"),
            Form::Zero => plain("ZERO"),
            Form::Plus => plain("PLUS"),
            Form::TransformForward => plain("TRANSFORM_FORWARD"),
            Form::Bundle => plain("BUNDLE"),
            Form::PrimalOf => plain("PRIMAL_OF"),
            Form::TangentOf => plain("TANGENT_OF"),
            Form::Mark(mark) => Row { detail: constant("MARK", mark), ..plain("MARK") },
            Form::Unmark(mark) => Row { detail: constant("MARK", mark), ..plain("UNMARK") },
            Form::Invert(mark) => Row { detail: constant("MARK", mark), ..plain("INVERT") },
            Form::OnVector(on) => Row { detail: constant("ON_VECTOR", on), ..plain("ON_VECTOR") },
            Form::ReadReal => plain("READ_REAL"),
            Form::WriteReal => plain("WRITE_REAL"),
            Form::Write => plain("WRITE"),
            Form::Control(control) => Row { detail: control_constant(control), ..plain("CONTROL") },
        }
    }
}

fn predicate_constant(predicate: Predicate) -> String {
    match predicate {
        Predicate::Tagged(tag) => constant("PREDICATE", tag),
        Predicate::Null
        | Predicate::Boolean
        | Predicate::Real
        | Predicate::Pair
        | Predicate::Procedure
        | Predicate::Capsule
        | Predicate::False
        | Predicate::Vector => constant("PREDICATE", predicate),
    }
}

fn control_constant(control: Control) -> String {
    match control {
        Control::IfProcedure
        | Control::Forward
        | Control::Reverse
        | Control::CountSteps
        | Control::Interrupt
        | Control::Resume => constant("CONTROL", control),
        Control::Checkpoint(division) => constant("CONTROL_CHECKPOINT", division),
    }
}

/// The C constant of a variant of a small enum.
fn constant(enumeration: &str, variant: impl Debug) -> String {
    format!("VLAD_{enumeration}_{}", words(variant).to_uppercase())
}

fn comparison_operator(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::Less => "<",
        Comparison::Greater => ">",
        Comparison::NotGreater => "<=",
        Comparison::NotLess => ">=",
    }
}

/// Writes the numbers of primitives, the enums of the fields of their rows, and the type of a row.
pub(super) fn write_header(out: &mut String) {
    line(out, format_args!("\n/* The primitives, by their number in the table. */\nenum vlad_primitive_number {{"));
    for row in &PRIMITIVES {
        line(out, format_args!("    {} = {},", primitive_constant(row.primitive), row.primitive as u8));
    }
    line(out, format_args!("    VLAD_PRIMITIVES = {}\n}};", PRIMITIVES.len()));
    write_enum(out, "form", FORMS.map(|form| format!("VLAD_FORM_{form}")));
    write_enum(out, "single", ["ITSELF", "UNARY", "FROM"].map(|single| format!("VLAD_SINGLE_{single}")));
    write_enum(out, "comparison", COMPARISONS.map(|comparison| constant("COMPARISON", comparison)));
    write_enum(out, "predicate", PREDICATES.map(predicate_constant));
    write_enum(out, "mark", MARKS.map(|mark| constant("MARK", mark)));
    write_enum(out, "on_vector", ON_VECTORS.map(|on| constant("ON_VECTOR", on)));
    write_enum(out, "control", CONTROLS.map(control_constant));
    out.push_str(ROW_TYPE);
    out.push_str("\n/* Whether a comparison holds. */\n");
    out.push_str("static inline int vlad_comparison_holds(uint32_t comparison, double a, double b) {\n");
    out.push_str("    switch (comparison) {\n");
    for comparison in COMPARISONS {
        let (constant, operator) = (constant("COMPARISON", comparison), comparison_operator(comparison));
        line(out, format_args!("    case {constant}: return a {operator} b;"));
    }
    out.push_str("    default: return 0;\n    }\n}\n");
}

fn write_enum<const COUNT: usize>(out: &mut String, name: &str, constants: [String; COUNT]) {
    line(out, format_args!("enum vlad_{name} {{"));
    for (number, constant) in constants.iter().enumerate() {
        line(out, format_args!("    {constant} = {number},"));
    }
    out.push_str("};\n");
}

const ROW_TYPE: &str = "
/* What a primitive does with its argument; what its form does not use is 0. */
struct vlad_primitive_row {
    uint8_t form;
    uint8_t operation; /* of a fold, of one operand, of two */
    uint8_t other;     /* of VLAD_SINGLE_UNARY, on the one operand; of UNARY_OR_BINARY, on two */
    uint8_t has_empty; /* of a fold: whether no operands have a value */
    uint8_t single;    /* of a fold: what becomes of one operand */
    uint8_t detail;    /* the comparison, predicate, mark, work on a vector or control */
    double empty;      /* of a fold: the value of no operands */
    double from;       /* of VLAD_SINGLE_FROM: the first operand before the one */
};
extern const struct vlad_primitive_row vlad_primitive_rows[VLAD_PRIMITIVES];
";

/// Writes the table itself.
pub(super) fn write_source(out: &mut String) {
    out.push_str("\nconst struct vlad_primitive_row vlad_primitive_rows[VLAD_PRIMITIVES] = {\n");
    let operation = |operation: Option<Operation>| operation.map_or_else(|| "0".to_owned(), operation_constant);
    for row in &PRIMITIVES {
        let name = primitive_constant(row.primitive);
        let Row { form, operation: first, other, empty, single, from, detail } = Row::of(row.form);
        let (first, other) = (operation(first), operation(other));
        let (has_empty, empty) = (u8::from(empty.is_some()), real_constant(empty.unwrap_or(0.0)));
        let from = real_constant(from);
        let scalars = format!("VLAD_FORM_{form}, {first}, {other}, {has_empty}, VLAD_SINGLE_{single}, {detail}");
        line(out, format_args!("    [{name}] = {{{scalars}, {empty}, {from}}},"));
    }
    out.push_str("};\n");
}
