//! Traversal of two values in step. The second must conform to the first: same shape, same code, equal discrete parts.

use crate::context::TraversalContext;
use crate::rebuild::conformance::{Companion, nonconforming};
use crate::rebuild::{Compound, LevelPart, Rebuilder, Sharing, rebuild_capsule, shared};
use std::rc::Rc;
use vlad_core::equality::same_code;
use vlad_table::internal_bug;
use vlad_values::equality::same_skeleton;
use vlad_values::fault::RuntimeError;
use vlad_values::tagged::{Reading, ValueView};
use vlad_values::{Elements, Number, Primals, Reals, Tagged, Tagging, Value, Vector, slot_values};

/// Two shared parts that are traversed together, and may be so again.
type Parts = (LevelPart, LevelPart);

fn shared_two<T>(sharing: Sharing, first: (&Rc<T>, Reading), second: (&Rc<T>, Reading)) -> Option<Parts> {
    Some((shared(sharing, first.0, first.1)?, shared(sharing, second.0, second.1)?))
}

enum Task<'data> {
    Visit(ValueView<'data>, ValueView<'data>),
    /// Visits the elements at an index of two vectors.
    Element(usize, ValueView<'data>, ValueView<'data>),
    Make(Compound<'data>, Option<Parts>),
}

/// Rebuilds a value from each real and the real at the same position of a companion, which must conform.
///
/// # Errors
/// Returns an error if the companion does not conform, or if a limit of the run is reached; or the first one of `leaf`, at
/// which the traversal ends.
pub fn rebuild_with(
    value: ValueView<'_>,
    companion: ValueView<'_>,
    role: Companion,
    sharing: Sharing,
    primals: Primals,
    context: &mut TraversalContext<'_>,
    leaf: &mut dyn FnMut(Number, Number) -> Result<Number, RuntimeError>,
) -> Result<Value, RuntimeError> {
    let mut tasks = vec![Task::Visit(value, companion)];
    let mut workshop: Rebuilder<Parts> = Rebuilder::new();
    while let Some(task) = tasks.pop() {
        context.watch.work()?;
        let (value, companion, index) = match task {
            Task::Visit(value, companion) => (value, companion, None),
            Task::Element(index, value, companion) => (value, companion, Some(index)),
            Task::Make(whole, parts) => {
                workshop.make(&whole, parts);
                continue;
            }
        };
        let refused = |context: &TraversalContext<'_>| {
            Err(nonconforming(role, value.value, companion.value, index, context.program))
        };
        match (value.value, companion.value) {
            (Value::Pair(a), Value::Pair(b)) => {
                let parts = shared_two(sharing, (a, value.reading), (b, companion.reading));
                if !workshop.again(parts.as_ref()) {
                    tasks.push(Task::Make(Compound::Pair, parts));
                    tasks.push(Task::Visit(value.part(&a.second), companion.part(&b.second)));
                    tasks.push(Task::Visit(value.part(&a.first), companion.part(&b.first)));
                }
            }
            (Value::Procedure { code: a, slots: a_slots }, Value::Procedure { code: b, slots: b_slots }) => {
                if !same_code(context.program, *a, *b) {
                    return refused(context);
                }
                let parts = match (a_slots, b_slots) {
                    (Some(a), Some(b)) => shared_two(sharing, (a, value.reading), (b, companion.reading)),
                    (None, _) | (_, None) => None,
                };
                if !workshop.slots_again(parts.as_ref(), *a) {
                    let (a_slots, b_slots) = (slot_values(a_slots), slot_values(b_slots));
                    tasks.push(Task::Make(Compound::Procedure(*a, a_slots.len()), parts));
                    let slots = a_slots.iter().zip(b_slots).rev();
                    tasks.extend(slots.map(|(a, b)| Task::Visit(value.part(a), companion.part(b))));
                }
            }
            (Value::Capsule(a), Value::Capsule(b)) => {
                let same = a.reals.len() == b.reals.len();
                if !same || !same_skeleton(context.program, &a.skeleton, &b.skeleton, context.watch)? {
                    return refused(context);
                }
                let mut companions = b.reals.iter();
                let mut paired = |real| match companions.next() {
                    Some(other) => leaf(value.read(real), companion.read(other.clone())),
                    None => internal_bug!("capsules that conform have equally many reals"),
                };
                let primals = primals.read(value.reading);
                workshop.give(rebuild_capsule(a, primals, context, &mut paired)?, None);
            }
            (Value::Tagged(a), Value::Tagged(b)) if a.tag() == b.tag() => {
                let parts = shared_two(sharing, (a, value.reading), (b, companion.reading));
                if !workshop.again(parts.as_ref()) {
                    let (of_value, of_companion) = (value.parts_of(a), companion.parts_of(b));
                    // A sum is tagged if either summand is, so that their order does not matter.
                    let like = if role == Companion::Summand && is_marked(b) { b } else { a };
                    let primals = primals.read(value.reading);
                    tasks.push(Task::Make(Compound::Tagged(like, of_value.len(), primals), parts));
                    tasks.extend(of_value.into_iter().zip(of_companion).rev().map(|(a, b)| Task::Visit(a, b)));
                }
            }
            (Value::Vector(a), Value::Vector(b)) if a.len() == b.len() => {
                let parts = shared_two(sharing, (a, value.reading), (b, companion.reading));
                if !workshop.again(parts.as_ref()) {
                    match (a.elements(), b.elements()) {
                        (Elements::Values(of_value), Elements::Values(of_companion)) => {
                            tasks.push(Task::Make(Compound::Vector(of_value.len()), parts));
                            let elements = of_value.iter().zip(of_companion).enumerate().rev();
                            tasks.extend(
                                elements.map(|(index, (a, b))| Task::Element(index, value.part(a), companion.part(b))),
                            );
                        }
                        (Elements::Reals(_), _) | (_, Elements::Reals(_)) => {
                            let mut paired = |a, b| leaf(value.read(a), companion.read(b));
                            workshop.give(rebuild_reals_with(a, b, role, context, &mut paired)?, parts);
                        }
                    }
                }
            }
            _ => match (value.number(), companion.number()) {
                (Some(a), Some(b)) => workshop.results.push(leaf(a, b)?.into()),
                _ if same_discrete(value.value, companion.value) => workshop.results.push(value.value.clone()),
                _ => return refused(context),
            },
        }
    }
    Ok(workshop.pop())
}

/// Rebuilds a vector in the same way, with a companion of the same length, if one of the two has nothing but reals.
fn rebuild_reals_with(
    value: &Vector,
    companion: &Vector,
    role: Companion,
    context: &mut TraversalContext<'_>,
    leaf: &mut dyn FnMut(Number, Number) -> Result<Number, RuntimeError>,
) -> Result<Value, RuntimeError> {
    let mut made = Reals::default();
    for (index, (a, b)) in value.iter().zip(companion.iter()).enumerate() {
        context.watch.work()?;
        match (a.number(), b.number()) {
            (Some(a), Some(b)) => made.push(leaf(a, b)?),
            (None, _) | (_, None) => return Err(nonconforming(role, &a, &b, Some(index), context.program)),
        }
    }
    Ok(Value::vector(Vector::from(made)))
}

/// True if it is a bundle whose tangent was given as a perturbation.
fn is_marked(tagged: &Tagged) -> bool {
    matches!(tagged, Tagged::Bundle(bundle) if bundle.marking == Tagging::Tagged)
}

/// Checks that a companion conforms to a value.
///
/// # Errors
/// Returns an error if it does not, or if a limit of the run is reached.
pub fn conform(
    value: &Value,
    companion: &Value,
    role: Companion,
    context: &mut TraversalContext<'_>,
) -> Result<(), RuntimeError> {
    if value.base().is_some() && companion.base().is_some() {
        return Ok(());
    }
    let (value, companion) = (ValueView::as_is(value), ValueView::as_is(companion));
    rebuild_with(value, companion, role, Sharing::Kept, Primals::Other, context, &mut |_, companion| Ok(companion))
        .map(|_| ())
}

/// True if both are the same boolean, the empty list or the same primitive.
fn same_discrete(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Nil, Value::Nil) => true,
        (Value::Boolean(a), Value::Boolean(b)) => a == b,
        (Value::Primitive(a), Value::Primitive(b)) => a == b,
        _ => false,
    }
}
