//! The data of the reflective basis: construction and inspection of bundles and tagged values (report, part 17.2;
//! TR-ECE-08-01, section 4.1).
//!
//! `(primal (bundle v v'))` = v and `(tangent (bundle v v'))` = v'; `(j* v)` = `(bundle v (zero v))`. A tangent that is
//! given as a perturbation is also returned as one.

use crate::context::TraversalContext;
use crate::rebuild::{Companion, conform};
use crate::tangent_space::zero;
use vlad_table::{Primitive, ValueTag};
use vlad_values::fault::RuntimeError;
use vlad_values::{Bundle, Tagged, Tagging, Tangent, Value};

/// `(j* v)`: the bundle of a constant.
pub fn constant(value: &Value) -> Value {
    let bundle = Bundle { primal: value.clone(), tangent: Tangent::Zero, marking: Tagging::Plain };
    Value::tagged(Tagged::Bundle(bundle))
}

/// `(bundle v v')`.
///
/// # Errors
/// Returns an error if v' does not conform to v, or if a limit of the run is reached.
pub fn bundle(primal: &Value, tangent: &Value, context: &mut TraversalContext<'_>) -> Result<Value, RuntimeError> {
    let (tangent, marking) = strip_tangent_tag(ValueTag::Perturbation, tangent, primal);
    conform(primal, tangent, Companion::Tangent(Primitive::Bundle), context)?;
    let bundle = Bundle { primal: primal.clone(), tangent: Tangent::Given(tangent.clone()), marking };
    Ok(Value::tagged(Tagged::Bundle(bundle)))
}

/// Strips from a tangent or cotangent the tag that says it is one, if it has that tag. The tangent of a perturbation is
/// a perturbation itself, so the tag counts only if the tangent has more of them than the value.
pub fn strip_tangent_tag<'value>(mark: ValueTag, tangent: &'value Value, of: &Value) -> (&'value Value, Tagging) {
    match unmarked(mark, tangent) {
        Some(content) if depth(mark, tangent) > depth(mark, of) => (content, Tagging::Tagged),
        Some(_) | None => (tangent, Tagging::Plain),
    }
}

/// The number of times that a value has a tag, counted from the root.
fn depth(mark: ValueTag, value: &Value) -> usize {
    std::iter::successors(unmarked(mark, value), |content| unmarked(mark, content)).count()
}

/// Returns a value as a bundle, if it is one.
pub fn as_bundle(value: &Value) -> Option<&Bundle> {
    match value {
        Value::Tagged(tagged) => match &**tagged {
            Tagged::Bundle(bundle) => Some(bundle),
            Tagged::Perturbation(_) | Tagged::Sensitivity(_) | Tagged::Reverse(_) | Tagged::Backpropagator(_) => None,
        },
        _ => None,
    }
}

/// `(tangent b)` for a bundle b.
///
/// # Errors
/// Returns an error if a limit of the run is reached.
pub fn tangent_of(bundle: &Bundle, context: &mut TraversalContext<'_>) -> Result<Value, RuntimeError> {
    let tangent = match &bundle.tangent {
        Tangent::Zero => zero(&bundle.primal, context)?,
        Tangent::Given(tangent) => tangent.clone(),
    };
    Ok(match bundle.marking {
        Tagging::Plain => tangent,
        Tagging::Tagged => marked(ValueTag::Perturbation, tangent),
    })
}

/// Adds a tag to a value.
pub fn marked(mark: ValueTag, content: Value) -> Value {
    Value::tagged(match mark {
        ValueTag::Perturbation => Tagged::Perturbation(content),
        ValueTag::Sensitivity => Tagged::Sensitivity(content),
        ValueTag::Reverse => Tagged::Reverse(content),
    })
}

/// Returns the content under a tag, if the value has that tag at its root.
pub fn unmarked(mark: ValueTag, value: &Value) -> Option<&Value> {
    let Value::Tagged(tagged) = value else { return None };
    match (mark, &**tagged) {
        (ValueTag::Perturbation, Tagged::Perturbation(content))
        | (ValueTag::Sensitivity, Tagged::Sensitivity(content))
        | (ValueTag::Reverse, Tagged::Reverse(content)) => Some(content),
        (ValueTag::Perturbation | ValueTag::Sensitivity | ValueTag::Reverse, _) => None,
    }
}
