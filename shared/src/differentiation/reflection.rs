//! The data of the reflective basis: bundles and tags, made and taken apart (report, part 17.2; TR-ECE-08-01, section 4.1).
//!
//! `(primal (bundle v v'))` = v and `(tangent (bundle v v'))` = v'; `(j* v)` = `(bundle v (zero v))`. A tangent that is given as
//! a perturbation comes back as one.

use super::Surroundings;
use super::rebuild::{Companion, conform};
use super::tangent_space::zero;
use crate::run::Trouble;
use crate::table::{Mark, Primitive};
use crate::tagged::{Bundle, Marking, Tagged, Tangent};
use crate::value::Value;

/// `(j* v)`.
pub fn constant(value: &Value) -> Value {
    let bundle = Bundle { primal: value.clone(), tangent: Tangent::Zero, marking: Marking::Plain };
    Value::tagged(Tagged::Bundle(bundle))
}

/// `(bundle v v')`.
///
/// # Errors
/// v' does not conform to v; a limit of the run.
pub fn bundle(primal: &Value, tangent: &Value, surroundings: &mut Surroundings<'_>) -> Result<Value, Trouble> {
    let (tangent, marking) = as_given(Mark::Perturbation, tangent, primal);
    conform(primal, tangent, Companion::Tangent(Primitive::Bundle), surroundings)?;
    let bundle = Bundle { primal: primal.clone(), tangent: Tangent::Given(tangent.clone()), marking };
    Ok(Value::tagged(Tagged::Bundle(bundle)))
}

/// A tangent, or cotangent, of a value without the tag that marks it as one, if it has it. That of a perturbation is a
/// perturbation itself: the tag is one more than the value has.
pub(super) fn as_given<'value>(mark: Mark, tangent: &'value Value, of: &Value) -> (&'value Value, Marking) {
    match unmarked(mark, tangent) {
        Some(content) if depth(mark, tangent) > depth(mark, of) => (content, Marking::Tagged),
        Some(_) | None => (tangent, Marking::Plain),
    }
}

/// How many times a value has a tag.
fn depth(mark: Mark, value: &Value) -> usize {
    std::iter::successors(unmarked(mark, value), |content| unmarked(mark, content)).count()
}

/// A value as a bundle, if it is one.
pub fn as_bundle(value: &Value) -> Option<&Bundle> {
    match value {
        Value::Tagged(tagged) => match &**tagged {
            Tagged::Bundle(bundle) => Some(bundle),
            Tagged::Perturbation(_) | Tagged::Sensitivity(_) | Tagged::Reverse(_) | Tagged::Backpropagator(_) => None,
        },
        _ => None,
    }
}

/// `(tangent b)` of a bundle.
///
/// # Errors
/// A limit of the run.
pub fn tangent_of(bundle: &Bundle, surroundings: &mut Surroundings<'_>) -> Result<Value, Trouble> {
    let tangent = match &bundle.tangent {
        Tangent::Zero => zero(&bundle.primal, surroundings)?,
        Tangent::Given(tangent) => tangent.clone(),
    };
    Ok(match bundle.marking {
        Marking::Plain => tangent,
        Marking::Tagged => marked(Mark::Perturbation, tangent),
    })
}

/// A value with a tag.
pub fn marked(mark: Mark, content: Value) -> Value {
    Value::tagged(match mark {
        Mark::Perturbation => Tagged::Perturbation(content),
        Mark::Sensitivity => Tagged::Sensitivity(content),
        Mark::Reverse => Tagged::Reverse(content),
    })
}

/// What has a tag, if the value has it.
pub fn unmarked(mark: Mark, value: &Value) -> Option<&Value> {
    let Value::Tagged(tagged) = value else { return None };
    match (mark, &**tagged) {
        (Mark::Perturbation, Tagged::Perturbation(content))
        | (Mark::Sensitivity, Tagged::Sensitivity(content))
        | (Mark::Reverse, Tagged::Reverse(content)) => Some(content),
        (Mark::Perturbation | Mark::Sensitivity | Mark::Reverse, _) => None,
    }
}
