//! The table of primitives, in C: the form of each and the parameters of the form, for the runtime's `apply.c`.
//!
//! The enums of forms and of their parameters have the constants that the rows use, numbered in their order.

use super::names::{operation_constant, primitive_constant, words};
use crate::c::{Expression as C, Field, Head, Infix, Item, Statement, named};
use std::collections::BTreeSet;
use std::fmt::Debug;
use vlad_table::primitives::PRIMITIVES;
use vlad_table::{Comparison, Control, Form, Operation, Predicate, Single};

/// The parameters of a primitive's form, as in its C initialiser; those that the form does not use are 0.
struct FormParameters {
    form: String,
    operation: Option<Operation>,
    /// For a fold, the operation applied to a single operand; for `UnaryOrBinary`, the operation on two.
    other: Option<Operation>,
    empty: Option<f64>,
    single: String,
    from: f64,
    detail: Option<String>,
}

impl FormParameters {
    fn of(form: Form) -> FormParameters {
        let plain = FormParameters {
            form: constant("FORM", form),
            operation: None,
            other: None,
            empty: None,
            single: constant("SINGLE", Single::Itself),
            from: 0.0,
            detail: None,
        };
        let detailed = |detail, plain| FormParameters { detail: Some(detail), ..plain };
        match form {
            Form::Fold { operation, empty, single } => {
                let (other, from) = match single {
                    Single::Itself => (None, 0.0),
                    Single::Unary(operation) => (Some(operation), 0.0),
                    Single::From(constant) => (None, constant),
                };
                FormParameters {
                    operation: Some(operation),
                    other,
                    empty,
                    single: constant("SINGLE", single),
                    from,
                    ..plain
                }
            }
            Form::Unary(operation) | Form::Binary(operation) => FormParameters { operation: Some(operation), ..plain },
            Form::UnaryOrBinary(unary, binary) => {
                FormParameters { operation: Some(unary), other: Some(binary), ..plain }
            }
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
            | Form::Write
            | Form::WriteRow
            | Form::EndOfInput
            | Form::WriteText
            | Form::Error
            | Form::ErrorText => plain,
        }
    }
}

fn predicate_constant(predicate: Predicate) -> String {
    if let Predicate::Tagged(tag) = predicate { constant("PREDICATE", tag) } else { constant("PREDICATE", predicate) }
}

fn control_constant(control: Control) -> String {
    if let Control::Checkpoint(form) = control {
        constant("CONTROL_CHECKPOINT", form)
    } else {
        constant("CONTROL", control)
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
    let mut items = vec![
        Item::comment("The primitives, by their number in the table."),
        Item::Enumeration("vlad_primitive_number", numbers.collect()),
    ];
    items.extend(ENUMERATIONS.map(enumeration));
    items.extend([
        Item::comment("What a primitive does with its argument; what its form does not use is 0."),
        row_type(),
        Item::Extern { ctype: ROW, name: TABLE.to_owned() },
        Item::comment("Whether a comparison holds."),
        comparison_holds(),
    ]);
    items
}

/// The enums of forms and of their parameters; the constants of each begin with its name.
const ENUMERATIONS: [&str; 7] =
    ["vlad_form", "vlad_single", "vlad_comparison", "vlad_predicate", "vlad_mark", "vlad_on_vector", "vlad_control"];

const ROW: &str = "const struct vlad_primitive_row";
const TABLE: &str = "vlad_primitive_rows[VLAD_PRIMITIVES]";

fn enumeration(name: &'static str) -> Item {
    let prefix = format!("{}_", name.to_uppercase());
    let mut constants: Vec<String> = Vec::new();
    for row in &PRIMITIVES {
        let FormParameters { form, single, detail, .. } = FormParameters::of(row.form);
        let used = [Some(form), Some(single), detail].into_iter().flatten();
        constants.extend(used.filter(|constant| constant.starts_with(&prefix)));
    }
    let mut seen = BTreeSet::new();
    constants.retain(|constant| seen.insert(constant.clone()));
    Item::Enumeration(name, constants.into_iter().zip(0..).collect())
}

fn row_type() -> Item {
    let byte = |name: &'static str, comment| Field { ctype: "uint8_t", name: name.into(), comment };
    let double = |name: &'static str, comment| Field { ctype: "double", name: name.into(), comment };
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
    Item::Structure("vlad_primitive_row".into(), fields)
}

fn comparison_holds() -> Item {
    let all = [Comparison::Equal, Comparison::Less, Comparison::Greater, Comparison::NotGreater, Comparison::NotLess];
    let cases = all.map(|comparison| {
        let holds = C::name("a").infix(comparison_operator(comparison), C::name("b"));
        (C::Name(constant("COMPARISON", comparison)), vec![Statement::Return(holds)])
    });
    let otherwise = vec![Statement::Return(C::Number(0))];
    let head = Head {
        storage: "static inline ",
        result: "int".into(),
        name: "vlad_comparison_holds".to_owned(),
        parameters: named([("uint32_t", "comparison"), ("double", "a"), ("double", "b")]),
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
        let FormParameters { form, operation, other, empty, single, from, detail } = FormParameters::of(row.form);
        let parts = vec![
            C::Name(form),
            named(operation.map(operation_constant)),
            named(other.map(operation_constant)),
            C::Number(empty.is_some().into()),
            C::Name(single),
            named(detail),
            C::constant(empty.unwrap_or(0.0)),
            C::constant(from),
        ];
        C::Element(primitive_constant(row.primitive), Box::new(C::Braces(parts)))
    });
    Item::Object { storage: "", ctype: ROW, name: TABLE.to_owned(), contents: rows.collect() }
}
