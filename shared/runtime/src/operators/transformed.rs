//! Calls of tagged procedures (report, part 17.3). Each call has a level of its own, at which one layer of tags is
//! opened on procedure and operand; then the untagged procedure is applied, and its value is closed and tagged again.
//!
//! | procedure | operand | value |
//! |---|---|---|
//! | bundle of f and f' | bundle of x and x' | bundle of y and its tangent |
//! | reversed f | reversed x | pair of reversed y and a backpropagator |
//! | backpropagator | cotangent of y | pair of the cotangents of f and x |
//! | perturbation or sensitivity f | the same of x | the same of `(f x)` |

use super::backpropagator::{self, Called};
use super::computation::{NestedRun, OperatorContext};
use super::pending::{EnteredOperator, OperatorContinuation};
use crate::event::Event;
use crate::primitives::apply::not_applicable;
use crate::run::Host;
use vlad_ad::forward;
use vlad_ad::reflection::{constant, marked};
use vlad_core::diagnostic::Kind;
use vlad_core::{ExpressionId, Program};
use vlad_table::{Primitive, Tag, ValueTag, internal_bug};
use vlad_values::fault::RuntimeError;
use vlad_values::print::summary;
use vlad_values::tagged::is_procedure;
use vlad_values::{Backpropagator, Bundle, Tagged, Tagging, Tangent, Value};

/// Applies a tagged value.
///
/// # Errors
/// Returns an error if the operand does not have the tag of the operator or does not conform to it, or if a limit is
/// reached. A value under the tags that is no procedure is an error only at its own application.
pub fn enter<S>(
    operator: &Value,
    tagged: &Tagged,
    operand: &Value,
    node: ExpressionId,
    operator_context: &mut OperatorContext<'_, '_>,
) -> Result<EnteredOperator<S>, RuntimeError> {
    let of_operand = match operand {
        Value::Tagged(operand) => Some(&**operand),
        _ => None,
    };
    let (run, then) = match (tagged, of_operand) {
        (Tagged::Perturbation(f), Some(Tagged::Perturbation(x))) => {
            (NestedRun::whole(f.clone(), x.clone()), OperatorContinuation::Tag(Tag::Perturbation))
        }
        (Tagged::Sensitivity(f), Some(Tagged::Sensitivity(x))) => {
            (NestedRun::whole(f.clone(), x.clone()), OperatorContinuation::Tag(Tag::Sensitivity))
        }
        // A constant procedure applied to a constant operand gives a constant value, so no level is needed.
        (
            Tagged::Bundle(Bundle { primal: f, tangent: Tangent::Zero, .. }),
            Some(Tagged::Bundle(Bundle { primal: x, tangent: Tangent::Zero, .. })),
        ) => (NestedRun::whole(f.clone(), x.clone()), OperatorContinuation::Tag(Tag::Bundle)),
        (Tagged::Bundle(f), Some(Tagged::Bundle(x))) => {
            let (levels, mut context) = operator_context.differentiation();
            let level = levels.begin_forward()?;
            let mut open = |bundle: &Bundle| match &bundle.tangent {
                // A zero tangent and an absent one give the same bits (rule 5b).
                Tangent::Zero => Ok(bundle.primal.clone()),
                Tangent::Given(tangent) => {
                    forward::lifted(level, &bundle.primal, tangent, Primitive::Bundle, &mut context)
                }
            };
            let run = NestedRun::whole(open(f)?, open(x)?);
            (run, OperatorContinuation::Bundle { level, marking: f.marking.or(x.marking) })
        }
        (Tagged::Reverse(f), Some(Tagged::Reverse(x))) => {
            let (levels, mut context) = operator_context.differentiation();
            let (level, operator, operand) = backpropagator::enter(levels, f, x, &mut context)?;
            operator_context.effects.begin();
            let parts = Box::new((f.clone(), x.clone()));
            (NestedRun::whole(operator, operand), OperatorContinuation::Reversed { level, parts })
        }
        (Tagged::Backpropagator(backpropagator), _) => {
            return go_back(backpropagator, operand, node, operator_context);
        }
        (
            Tagged::Perturbation(_) | Tagged::Sensitivity(_) | Tagged::Bundle(_) | Tagged::Reverse(_),
            None
            | Some(
                Tagged::Perturbation(_)
                | Tagged::Sensitivity(_)
                | Tagged::Bundle(_)
                | Tagged::Reverse(_)
                | Tagged::Backpropagator(_),
            ),
        ) => return Err(without_tag(operator, tagged.tag(), operand, operator_context.program)),
    };
    operator_context.effects.observe(Event::Begun { operator: shown_as(&then), node });
    Ok(EnteredOperator::Computation { run, then })
}

fn go_back<S>(
    backpropagator: &Backpropagator,
    operand: &Value,
    node: ExpressionId,
    operator_context: &mut OperatorContext<'_, '_>,
) -> Result<EnteredOperator<S>, RuntimeError> {
    match backpropagator::call(backpropagator, operand, operator_context)? {
        Called::Cotangents(value) => Ok(EnteredOperator::Value(value)),
        Called::Execute(level, f, x, execution) => {
            let operands = Box::new((backpropagator.parts(), operand.clone()));
            let then = OperatorContinuation::Backpropagated { level, execution, operands };
            operator_context.effects.observe(Event::Begun { operator: shown_as(&then), node });
            Ok(EnteredOperator::Computation { run: NestedRun { execution, ..NestedRun::whole(f, x) }, then })
        }
    }
}

/// Adds the tag of the procedure to its value y; the bundle tag makes it the bundle of a constant.
pub(super) fn tagged(tag: Tag, y: Value) -> Value {
    match tag {
        Tag::Perturbation => marked(ValueTag::Perturbation, y),
        Tag::Sensitivity => marked(ValueTag::Sensitivity, y),
        Tag::Bundle => constant(&y),
        Tag::Reverse | Tag::Backpropagator => internal_bug!("calls of {tag:?} do not end in a tag alone"),
    }
}

/// The bundle of y and its tangent.
pub(super) fn bundled(primal: Value, tangent: Value, marking: Tagging) -> Value {
    Value::tagged(Tagged::Bundle(Bundle { primal, tangent: Tangent::Given(tangent), marking }))
}

/// The primitive under which profiles list the call.
fn shown_as<S>(then: &OperatorContinuation<S>) -> Primitive {
    match then {
        OperatorContinuation::Tag(Tag::Perturbation) => Primitive::Perturb,
        OperatorContinuation::Tag(Tag::Sensitivity) => Primitive::Sensitize,
        OperatorContinuation::Tag(_) | OperatorContinuation::Bundle { .. } => Primitive::Forward,
        _ => Primitive::Reverse,
    }
}

/// The fault of an operand that does not have the tag of the operator.
#[cold]
pub fn without_tag(operator: &Value, tag: Tag, operand: &Value, program: &Program) -> RuntimeError {
    if !is_procedure(operator) {
        return not_applicable(program, operator);
    }
    let (whose, what, how) = match tag {
        Tag::Perturbation => ("perturbed", "a perturbation", "`(perturb x)` makes one"),
        Tag::Sensitivity => ("sensitized", "a sensitivity", "`(sensitize x)` makes one"),
        Tag::Reverse => ("reversed", "a reversed value", "`(*j x)` makes one"),
        Tag::Bundle | Tag::Backpropagator => {
            ("bundled", "a bundle", "`(bundle x x')` makes one, `(j* x)` one of a constant")
        }
    };
    let found = summary(program, operand);
    let trouble = RuntimeError::new(Kind::Type, format!("a {whose} procedure expects {what}, found {found}"));
    match operand {
        Value::Pair(_) => {
            trouble.with_hint(format!("{how}; several operands are one tuple, which is marked as a whole"))
        }
        _ => trouble.with_hint(how),
    }
}
