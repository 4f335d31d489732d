//! The locations of core's locals and operands in converted code, found by repeating the conversion.
//!
//! The stacks of the conversion hold the location of each local and of each waiting operand. A stop point is the entry
//! of an expression node, or the wait for the value of one. The conversion of the requested activations is repeated,
//! and the contents of the stacks at the requested stop points are recorded; variables have the same numbers as the
//! first time.
//!
//! A value that is packed inside a branch is not packed after it. So inside the branch it has several holders
//! ([`ValueLocations`]): the rest of the branch may need one of them, and the code after the branch another.

use super::body::{Body, Continuation};
use super::conversion::Conversion;
use super::observation::{CorePoint, Holder, Observation, PairHalf, PointLocations, Root, ValueLocations};
use super::stacks::{Location, Stack};
use std::collections::{HashMap, HashSet};
use vlad_core::{ExpressionId, Program};
use vlad_table::internal_bug;

/// Repeats the conversion of some activations, and returns the locations of values at the requested stop points in
/// them. A stop point that they do not have is absent from the result.
pub fn observe(
    program: &Program,
    roots: &HashSet<Root>,
    wanted: HashSet<CorePoint>,
) -> HashMap<CorePoint, PointLocations> {
    let observation = Observation { wanted, found: HashMap::new() };
    let mut conversion = Conversion::new(program, Some(observation));
    for (lambda, top) in roots {
        match lambda {
            Some(lambda) => conversion.procedure(*lambda),
            None => {
                conversion.top_level(*top);
            }
        }
    }
    conversion.observation.map_or_else(HashMap::new, |observation| observation.found)
}

impl Body<'_, '_> {
    /// Records the contents of the stacks at the entry of a node, if that is requested.
    pub(super) fn observe_entry(&mut self, node: ExpressionId) {
        let stop = CorePoint::OperatorEntry(node);
        if self.is_wanted(stop) {
            let (locals, operands) = (self.stacks.locals.len(), self.stacks.operands.len());
            self.note(stop, locals, operands);
        }
    }

    /// Records the contents of the stacks at the wait for a continuation's value, if that is requested.
    pub(super) fn observe_wait(&mut self, continuation: Continuation) {
        let (awaited, locals, operands) = self.awaited_by(continuation);
        let stop = CorePoint::Awaited(awaited);
        if self.is_wanted(stop) {
            self.note(stop, locals, operands);
        }
    }

    fn is_wanted(&self, stop: CorePoint) -> bool {
        self.observation().is_some_and(|observation| observation.wanted.contains(&stop))
    }

    fn note(&mut self, stop: CorePoint, locals: usize, operands: usize) {
        let places = PointLocations {
            locals: self.all_found(&self.stacks.locals, locals),
            operands: self.all_found(&self.stacks.operands, operands),
        };
        if let Some(observation) = self.observation_mut() {
            observation.found.insert(stop, places);
        }
    }

    fn all_found(&self, stack: &Stack, count: usize) -> Vec<ValueLocations> {
        (0..count).filter_map(|index| stack.get(index)).map(|place| self.found(place)).collect()
    }

    /// All locations of the value at a place: the atom itself, and all trees of which it is a leaf.
    fn found(&self, place: Location) -> ValueLocations {
        let (mut holders, mut way, mut place) = (Vec::new(), Vec::new(), place);
        while let Location::Packed { tree, way: within, turns, packed } = place {
            holders.push(Holder { atom: packed, way: way.clone() });
            way.splice(
                ..0,
                (0..turns).map(|turn| if within >> turn & 1 == 0 { PairHalf::First } else { PairHalf::Second }),
            );
            place = match self.stacks.tree(tree) {
                Some(place) => place,
                None => internal_bug!("tree {tree} is there"),
            };
        }
        if let Location::Atom(atom) = place {
            holders.push(Holder { atom, way });
        }
        let code = holders.first().and_then(|holder| self.code(holder.atom));
        ValueLocations { holders, code }
    }
}
