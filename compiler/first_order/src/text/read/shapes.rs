//! The names of kinds, and the shapes of values.

use crate::kind::MOST_RANK;
use crate::template::{Step, Template};
use crate::{Bits, Elements, Kind, Scalar};
use vlad_core::LambdaId;
use vlad_table::{Primitive, ValueTag, number};

/// The kind of a name.
pub(super) fn kind(name: &str) -> Result<Kind, String> {
    let scalar = name.trim_start_matches("array-of-");
    let rank = (name.len() - scalar.len()) / "array-of-".len();
    match (scalar, u8::try_from(rank)) {
        ("real", Ok(0)) => Ok(Kind::Real),
        ("boolean", Ok(0)) => Ok(Kind::Boolean),
        ("cell", Ok(0)) => Ok(Kind::Cell),
        ("integer", Ok(0)) => Ok(Kind::Integer),
        ("reals", Ok(rank @ 1..=MOST_RANK)) => Ok(Kind::Array(Elements { scalar: Scalar::Real, rank })),
        ("booleans", Ok(rank @ 1..=MOST_RANK)) => Ok(Kind::Array(Elements { scalar: Scalar::Boolean, rank })),
        _ => Err(format!("`{name}` is no kind")),
    }
}

/// The template of a text: steps, then those of each cell.
pub(super) fn template(text: &str) -> Result<Template, String> {
    let mut parts = text.split(", ");
    let steps = all_steps(parts.next().unwrap_or_default())?;
    let mut cells = Vec::new();
    for part in parts {
        let of_cell = part.strip_prefix(&format!("cell-{} is ", cells.len()));
        let of_cell = of_cell.ok_or_else(|| format!("`cell-{} is` is expected behind the comma", cells.len()))?;
        cells.push(all_steps(of_cell)?);
    }
    Ok(Template { steps, cells })
}

fn all_steps(text: &str) -> Result<Vec<Step>, String> {
    text.split_whitespace().map(|word| step(word).ok_or_else(|| format!("`{word}` is no step of a shape"))).collect()
}

fn step(word: &str) -> Option<Step> {
    Some(match word {
        "()" => Step::Nil,
        "#t" => Step::Boolean(true),
        "#f" => Step::Boolean(false),
        "real" => Step::RealLeaf,
        "boolean" => Step::BooleanLeaf,
        "pair" => Step::Pair,
        "bundle-of-perturbation" => Step::Bundle(true),
        "bundle" => Step::Bundle(false),
        "perturbation" => Step::Tagged(ValueTag::Perturbation),
        "sensitivity" => Step::Tagged(ValueTag::Sensitivity),
        "reverse" => Step::Tagged(ValueTag::Reverse),
        "backpropagator" => Step::Backpropagator,
        "last" => Step::Last,
        _ => return step_with_parts(word),
    })
}

/// A step whose word tells more than its name.
fn step_with_parts(word: &str) -> Option<Step> {
    if let Some(name) = word.strip_prefix("primitive-") {
        return Primitive::named(name).map(Step::Primitive);
    }
    if let Some(number) = word.strip_prefix("cell-") {
        return number.parse().ok().map(Step::CellLeaf);
    }
    if let Some(procedure) = word.strip_prefix("procedure-") {
        let (lambda, slots) = procedure.split_once('/')?;
        return Some(Step::Procedure(LambdaId(lambda.parse().ok()?), slots.parse().ok()?));
    }
    if let Some(length) = word.strip_prefix("vector/") {
        return length.parse().ok().map(Step::Vector);
    }
    if let Some(steps) = word.strip_prefix("either/") {
        return steps.parse().ok().map(Step::Either);
    }
    if let Ok(Kind::Array(elements)) = kind(word) {
        return Some(Step::ArrayLeaf(elements));
    }
    number::parse(word).map(|real| Step::Real(Bits::of(real)))
}
