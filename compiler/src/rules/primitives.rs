//! The table of primitives, in C: the form of each and the parameters of the form, for the runtime's `apply.c`.

use super::names::{operation_constant, primitive_constant, words};
use super::{comment, real};
use crate::c::{Expression as C, Field, Head, Infix, Item, Statement};
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

/// The forms, by the names of their constants in C: those of the variants of [`Form`].
const FORMS: &str = "FOLD UNARY BINARY UNARY_OR_BINARY CHAIN AGAINST_ZERO ASK FIRST SECOND PAIR SAME_VALUE REAL ZERO PLUS \
    TRANSFORM_FORWARD BUNDLE PRIMAL_OF TANGENT_OF MARK UNMARK INVERT ON_VECTOR READ_REAL WRITE_REAL WRITE \
    CONTROL";

/// The parameters of a primitive's form, as in its C initialiser; those that the form does not use are 0.
struct Row {
    operation: Option<Operation>,
    /// For a fold, the operation applied to a single operand; for `UnaryOrBinary`, the operation on two.
    other: Option<Operation>,
    empty: Option<f64>,
    single: &'static str,
    from: f64,
    detail: Option<String>,
}

impl Row {
    fn of(form: Form) -> Row {
        let plain = Row { operation: None, other: None, empty: None, single: "ITSELF", from: 0.0, detail: None };
        let detailed = |detail, plain| Row { detail: Some(detail), ..plain };
        match form {
            Form::Fold { operation, empty, single } => {
                let (single, other, from) = match single {
                    Single::Itself => ("ITSELF", None, 0.0),
                    Single::Unary(operation) => ("UNARY", Some(operation), 0.0),
                    Single::From(constant) => ("FROM", None, constant),
                };
                Row { operation: Some(operation), other, empty, single, from, ..plain }
            }
            Form::Unary(operation) | Form::Binary(operation) => Row { operation: Some(operation), ..plain },
            Form::UnaryOrBinary(unary, binary) => Row { operation: Some(unary), other: Some(binary), ..plain },
            Form::Chain(comparison) | Form::AgainstZero(comparison) => {
                detailed(constant("COMPARISON", comparison), plain)
            }
            Form::Ask(predicate) => detailed(predicate_constant(predicate), plain),
            Form::Mark(mark) | Form::Unmark(mark) | Form::Invert(mark) => detailed(constant("MARK", mark), plain),
            Form::OnVector(on) => detailed(constant("ON_VECTOR", on), plain),
            Form::Control(control) => detailed(control_constant(control), plain),
            Form::First
            | Form::Second
            | Form::Pair
            | Form::SameValue
            | Form::Real
            | Form::Zero
            | Form::Plus
            | Form::TransformForward
            | Form::Bundle
            | Form::PrimalOf
            | Form::TangentOf
            | Form::ReadReal
            | Form::WriteReal
            | Form::Write => plain,
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

/// The operator of C for a comparison.
pub(crate) fn comparison_operator(comparison: Comparison) -> Infix {
    match comparison {
        Comparison::Equal => Infix::Equal,
        Comparison::Less => Infix::Less,
        Comparison::Greater => Infix::Greater,
        Comparison::NotGreater => Infix::NotGreater,
        Comparison::NotLess => Infix::NotLess,
    }
}

/// The numbers of primitives, the enums of the fields of their rows, and the type of a row.
pub(super) fn header() -> Vec<Item> {
    let numbers = PRIMITIVES.iter().map(|row| (primitive_constant(row.primitive), row.primitive as u64));
    let numbers = numbers.chain([("VLAD_PRIMITIVES".to_owned(), PRIMITIVES.len() as u64)]);
    vec![
        comment("The primitives, by their number in the table."),
        Item::Enumeration("vlad_primitive_number", numbers.collect()),
        enumeration("vlad_form", FORMS.split_whitespace().map(|form| format!("VLAD_FORM_{form}"))),
        enumeration("vlad_single", ["ITSELF", "UNARY", "FROM"].map(|single| format!("VLAD_SINGLE_{single}"))),
        enumeration("vlad_comparison", COMPARISONS.map(|comparison| constant("COMPARISON", comparison))),
        enumeration("vlad_predicate", PREDICATES.map(predicate_constant)),
        enumeration("vlad_mark", MARKS.map(|mark| constant("MARK", mark))),
        enumeration("vlad_on_vector", ON_VECTORS.map(|on| constant("ON_VECTOR", on))),
        enumeration("vlad_control", CONTROLS.map(control_constant)),
        comment("What a primitive does with its argument; what its form does not use is 0."),
        row_type(),
        Item::Extern { ctype: ROW, name: TABLE.to_owned() },
        comment("Whether a comparison holds."),
        comparison_holds(),
    ]
}

const ROW: &str = "const struct vlad_primitive_row";
const TABLE: &str = "vlad_primitive_rows[VLAD_PRIMITIVES]";

fn enumeration(name: &'static str, constants: impl IntoIterator<Item = String>) -> Item {
    Item::Enumeration(name, constants.into_iter().zip(0..).collect())
}

fn row_type() -> Item {
    let byte = |name, comment| Field { ctype: "uint8_t", name, comment };
    let double = |name, comment| Field { ctype: "double", name, comment };
    let fields = vec![
        byte("form", ""),
        byte("operation", "of a fold, of one operand, of two"),
        byte("other", "of VLAD_SINGLE_UNARY, on the one operand; of UNARY_OR_BINARY, on two"),
        byte("has_empty", "of a fold: whether no operands have a value"),
        byte("single", "of a fold: what becomes of one operand"),
        byte("detail", "the comparison, predicate, mark, work on a vector or control"),
        double("empty", "of a fold: the value of no operands"),
        double("from", "of VLAD_SINGLE_FROM: the first operand before the one"),
    ];
    Item::Structure("vlad_primitive_row", fields)
}

fn comparison_holds() -> Item {
    let cases = COMPARISONS.map(|comparison| {
        let holds = C::name("a").infix(comparison_operator(comparison), C::name("b"));
        (C::Name(constant("COMPARISON", comparison)), vec![Statement::Return(holds)])
    });
    let otherwise = vec![Statement::Return(C::Number(0))];
    let head = Head {
        storage: "static inline ",
        result: "int",
        name: "vlad_comparison_holds".to_owned(),
        parameters: vec![("uint32_t", "comparison"), ("double", "a"), ("double", "b")],
    };
    Item::Function {
        head,
        body: vec![Statement::Choose { value: C::name("comparison"), cases: cases.into(), otherwise }],
    }
}

/// The table itself.
pub(super) fn table() -> Item {
    let named = |name: Option<String>| name.map_or(C::Number(0), C::Name);
    let rows = PRIMITIVES.iter().map(|row| {
        let Row { operation, other, empty, single, from, detail } = Row::of(row.form);
        let parts = vec![
            C::Name(constant("FORM", row.form)),
            named(operation.map(operation_constant)),
            named(other.map(operation_constant)),
            C::Number(empty.is_some().into()),
            C::Name(format!("VLAD_SINGLE_{single}")),
            named(detail),
            real(empty.unwrap_or(0.0)),
            real(from),
        ];
        C::Element(primitive_constant(row.primitive), Box::new(C::Braces(parts)))
    });
    Item::Object { storage: "", ctype: ROW, name: TABLE.to_owned(), contents: rows.collect() }
}
