//! Conversion between states of suspended computations and capsules (report, part 15).
//!
//! [`close`] makes a capsule of a state whose reals carry nodes of a level that only counted them; each such real
//! becomes a hole. [`open`] returns the values of the state, with the capsule's reals in place of the holes.
//!
//! Invariant: holes are numbered in the order in which their nodes were made, which is the same in all engines.

use crate::context::TraversalContext;
use crate::rebuild::{Sharing, rebuild_all};
use std::collections::HashMap;
use std::rc::Rc;
use vlad_table::internal_bug;
use vlad_values::capsule::{hole, hole_of};
use vlad_values::fault::RuntimeError;
use vlad_values::{Capsule, Level, LevelPart, Number, Points, Primals, Skeleton, Value};

/// Makes the capsule of a state whose reals carry nodes of a level, which has ended. The capsule has one real for each
/// node that occurs.
///
/// # Errors
/// Returns an error if a limit of the run is reached.
pub fn close(
    level: Level,
    points: Box<dyn Points>,
    values: &[Value],
    context: &mut TraversalContext<'_>,
) -> Result<Value, RuntimeError> {
    // The real of each node, in the order of the nodes' first occurrence; the index is the number of the hole.
    let mut nodes: Vec<(u64, Number)> = Vec::new();
    // Never iterated, so its order cannot show.
    let mut holes: HashMap<u64, Number> = HashMap::new();
    let values = rebuild_all(values, Sharing::Kept, Primals::Same, context, &mut |number| match &number {
        Number::Lifted(lifted) if lifted.level == level => {
            let LevelPart::Node(node) = lifted.part else { internal_bug!("a counting level makes nodes") };
            let hole = holes.entry(node).or_insert_with(|| {
                nodes.push((node, lifted.primal.clone()));
                hole(nodes.len() as u64 - 1)
            });
            hole.clone()
        }
        Number::Lifted(_) | Number::Real(_) => number,
    })?;
    let (values, reals) = in_order_of_nodes(values, nodes, context)?;
    let skeleton = Rc::new(Skeleton::new(points, values));
    Ok(Value::Capsule(Rc::new(Capsule { skeleton, reals, primals: Primals::Same })))
}

/// The values of the state, with the reals in place of the holes.
///
/// # Errors
/// Returns an error if a limit of the run is reached.
pub fn open(capsule: &Capsule, context: &mut TraversalContext<'_>) -> Result<Vec<Value>, RuntimeError> {
    rebuild_all(capsule.values(), Sharing::Kept, capsule.primals, context, &mut |number| match hole_of(&number) {
        Some(hole) => match capsule.reals.get(hole as usize) {
            Some(real) => real.clone(),
            None => internal_bug!("a capsule has a real for hole {hole}"),
        },
        None => number,
    })
}

/// Numbers holes by the order in which their nodes were made. The order of occurrence depends on the engine's frames;
/// but sums of cotangents over capsules must have the same order in all engines.
fn in_order_of_nodes(
    values: Vec<Value>,
    nodes: Vec<(u64, Number)>,
    context: &mut TraversalContext<'_>,
) -> Result<(Vec<Value>, Vec<Number>), RuntimeError> {
    if nodes.is_sorted_by_key(|(node, _)| *node) {
        return Ok((values, nodes.into_iter().map(|(_, real)| real).collect()));
    }
    let mut order: Vec<(usize, (u64, Number))> = nodes.into_iter().enumerate().collect();
    order.sort_by_key(|(_, (node, _))| *node);
    let mut numbers: Vec<u64> = vec![0; order.len()];
    for (number, (occurrence, _)) in (0..).zip(&order) {
        if let Some(place) = numbers.get_mut(*occurrence) {
            *place = number;
        }
    }
    let values = rebuild_all(&values, Sharing::Kept, Primals::Same, context, &mut |number| {
        let occurrence = hole_of(&number).and_then(|occurrence| numbers.get(occurrence as usize));
        occurrence.map_or(number, |number| hole(*number))
    })?;
    Ok((values, order.into_iter().map(|(_, (_, real))| real).collect()))
}
