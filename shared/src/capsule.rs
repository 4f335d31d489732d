//! Capsules: suspended computations as values (report, part 15).
//!
//! A capsule is a *skeleton* and reals. The skeleton is where the computation stands - points of code, which are an
//! engine's own - and the values that the rest of it needs, in which each real that depends on the procedure or the operand
//! is a *hole*. Reals that were produced once are one hole, however many places hold them (rule 5a); the others are
//! constants of the computation. So the positions of a capsule, as a datum that can be differentiated, are its reals.
//!
//! [`Capsule::close`] makes one of a state whose reals carry nodes of a counting level, [`Capsule::open`] gives the values
//! back with the holes filled.

use crate::core::Program;
use crate::differentiation::Surroundings;
use crate::differentiation::rebuild::{Primals, Sharing, rebuild_all};
use crate::internal_bug;
use crate::run::Trouble;
use crate::value::{HOLE_LEVEL, Level, Lifted, Number, Part, Value};
use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// The points of code of a skeleton, which an engine makes and understands.
pub trait Points: fmt::Debug + Any {
    /// Whether other points are at the same places of the same code, up to bound names.
    fn same(&self, other: &dyn Points, program: &Program) -> bool;
}

/// What capsules that differ in their reals only have in common.
pub struct Skeleton {
    /// Where the computation stands.
    pub points: Box<dyn Points>,
    /// What the rest of it needs, in an order of the engine's, with holes.
    pub(crate) values: Vec<Value>,
}

/// A suspended computation.
pub struct Capsule {
    /// Its skeleton.
    pub skeleton: Rc<Skeleton>,
    /// What fills the holes, by number.
    pub reals: Vec<Number>,
    /// Whether these have the primals that the computation has given them.
    pub primals: Primals,
}

impl Skeleton {
    /// What capsules have in common that stand at some points, with values in which each real that is one of the capsules'
    /// is a [`hole`].
    pub fn new(points: Box<dyn Points>, values: Vec<Value>) -> Skeleton {
        Skeleton { points, values }
    }
}

impl Capsule {
    /// The capsule of a state whose reals carry nodes of a level, which has ended: of each node the real that it stands
    /// for becomes a real of the capsule.
    ///
    /// # Errors
    /// A limit of the run.
    pub fn close(
        level: Level,
        points: Box<dyn Points>,
        values: &[Value],
        surroundings: &mut Surroundings<'_>,
    ) -> Result<Value, Trouble> {
        // What each node stands for, and its hole, by first occurrence.
        let mut nodes: Vec<(u64, Number)> = Vec::new();
        // Never iterated, so its order cannot show.
        let mut holes: HashMap<u64, Number> = HashMap::new();
        let values = rebuild_all(values, Sharing::Kept, Primals::Same, surroundings, &mut |number| match &number {
            Number::Lifted(lifted) if lifted.level == level => {
                let Part::Node(node) = lifted.part else { internal_bug!("a counting level makes nodes") };
                let hole = holes.entry(node).or_insert_with(|| {
                    nodes.push((node, lifted.primal.clone()));
                    hole(nodes.len() as u64 - 1)
                });
                hole.clone()
            }
            Number::Lifted(_) | Number::Real(_) => number,
        })?;
        let (values, reals) = in_order_of_nodes(values, nodes, surroundings)?;
        let skeleton = Rc::new(Skeleton { points, values });
        Ok(Value::Capsule(Rc::new(Capsule { skeleton, reals, primals: Primals::Same })))
    }

    /// The values of the state, with the reals where the holes are.
    ///
    /// # Errors
    /// A limit of the run.
    pub fn open(&self, surroundings: &mut Surroundings<'_>) -> Result<Vec<Value>, Trouble> {
        rebuild_all(&self.skeleton.values, Sharing::Kept, self.primals, surroundings, &mut |number| match hole_of(
            &number,
        ) {
            Some(hole) => match self.reals.get(hole as usize) {
                Some(real) => real.clone(),
                None => internal_bug!("a capsule has a real for hole {hole}"),
            },
            None => number,
        })
    }

    /// A capsule whose values an engine keeps elsewhere: for printing and messages.
    pub fn kept_elsewhere(points: Box<dyn Points>) -> Value {
        let skeleton = Rc::new(Skeleton { points, values: Vec::new() });
        Value::Capsule(Rc::new(Capsule { skeleton, reals: Vec::new(), primals: Primals::Same }))
    }

    /// The values of the skeleton, with holes.
    pub fn values(&self) -> &[Value] {
        &self.skeleton.values
    }
}

/// Numbers holes by the order in which their nodes were made. The order in which they occur is that of the engine's frames;
/// but sums of cotangents, when capsules are walked, must have the same order in all engines.
fn in_order_of_nodes(
    values: Vec<Value>,
    nodes: Vec<(u64, Number)>,
    surroundings: &mut Surroundings<'_>,
) -> Result<(Vec<Value>, Vec<Number>), Trouble> {
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
    let values = rebuild_all(&values, Sharing::Kept, Primals::Same, surroundings, &mut |number| {
        let occurrence = hole_of(&number).and_then(|occurrence| numbers.get(occurrence as usize));
        occurrence.map_or(number, |number| hole(*number))
    })?;
    Ok((values, order.into_iter().map(|(_, (_, real))| real).collect()))
}

/// A hole by its number.
pub fn hole(number: u64) -> Number {
    Number::Lifted(Rc::new(Lifted { level: HOLE_LEVEL, primal: Number::Real(0.0), part: Part::Node(number) }))
}

/// The number of a hole; none if a number is none.
pub fn hole_of(number: &Number) -> Option<u64> {
    match number {
        Number::Lifted(lifted) if lifted.level == HOLE_LEVEL => match lifted.part {
            Part::Node(hole) => Some(hole),
            Part::Tangent(_) => internal_bug!("a hole has a number"),
        },
        Number::Lifted(_) | Number::Real(_) => None,
    }
}

// As for pairs, parts are left out.
impl fmt::Debug for Capsule {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Capsule").field("reals", &self.reals.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Skeleton {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Skeleton").field("points", &self.points).finish_non_exhaustive()
    }
}
