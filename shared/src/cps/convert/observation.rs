//! What the conversion knows of the values of core at the places where a run can stand: asked for by [`crate::cps::layout`].
//!
//! The stacks of the conversion say where each local is found, and each operand that waits. A run stands at the entry of
//! a node, or awaits the value of one. The conversion of an activation is done once more, and what the stacks say at the
//! places that are asked for is noted; variables have the same numbers as the first time.
//!
//! What is packed inside a branch is not packed after it: there a value has several holders ([`Found`]), and the rest of
//! the branch may need one of them, and what comes after the branch another.

use super::Conversion;
use super::body::packing::{Place, Stack};
use super::body::{Body, Continuation};
use crate::core::{ExpressionId, LambdaId, Program};
use crate::cps::{Atom, Converted};
use crate::internal_bug;
use std::collections::{HashMap, HashSet};

/// A place where a run can stand within an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// At the entry of a node; of the lambda of a `let` as well.
    Entered(ExpressionId),
    /// Where the value of a node is awaited, in a frame.
    Awaited(ExpressionId),
}

/// One half of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Half {
    /// What `car` gives.
    First,
    /// What `cdr` gives.
    Second,
}

/// Where a value is found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The holders of it, each as far as it is alive: the value at hand, the tree that it was packed into, the tree that this
    /// tree was packed into, and so on. There is at least one.
    pub holders: Vec<Holder>,
    /// The code, if it is a procedure of known code.
    pub code: Option<LambdaId>,
}

/// An atom that is a value, or has it in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Holder {
    /// The value, or the root of a tree that it is a leaf of.
    pub atom: Atom,
    /// The way from the root to the leaf; empty if the atom is the value.
    pub way: Vec<Half>,
}

/// Where the values of core are found at a stop.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The locals, by number.
    pub locals: Vec<Found>,
    /// The values that wait, those of the outermost construct first.
    pub operands: Vec<Found>,
}

/// What is asked for, and what has been found.
#[derive(Debug, Default)]
pub struct Observation {
    wanted: HashSet<Stop>,
    found: HashMap<Stop, Places>,
}

/// The body of a procedure, or an expression at top level.
pub type Root = (Option<LambdaId>, ExpressionId);

/// Converts some activations again, and tells where values are found at some stops in them. There is nothing for a stop
/// that they do not have.
pub fn observe(program: &Program, roots: &HashSet<Root>, wanted: HashSet<Stop>) -> HashMap<Stop, Places> {
    let mut conversion = Conversion {
        program,
        converted: Converted { procedures: vec![None; program.lambdas.len()], ..Converted::default() },
        waiting: Vec::new(),
        definition_codes: program.definition_codes(),
        observation: Some(Observation { wanted, found: HashMap::new() }),
    };
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
    /// Notes what the stacks say at the entry of a node, if that is asked for.
    pub(super) fn observe_entry(&mut self, node: ExpressionId) {
        let stop = Stop::Entered(node);
        if self.is_wanted(stop) {
            let (locals, operands) = (self.stacks.locals.len(), self.stacks.operands.len());
            self.note(stop, locals, operands);
        }
    }

    /// Notes what the stacks say where the value for a continuation is awaited, if that is asked for.
    pub(super) fn observe_wait(&mut self, continuation: Continuation) {
        let (awaited, locals, operands) = self.awaited_by(continuation);
        let stop = Stop::Awaited(awaited);
        if self.is_wanted(stop) {
            self.note(stop, locals, operands);
        }
    }

    fn is_wanted(&self, stop: Stop) -> bool {
        self.observation().is_some_and(|observation| observation.wanted.contains(&stop))
    }

    fn note(&mut self, stop: Stop, locals: usize, operands: usize) {
        let places = Places {
            locals: self.all_found(&self.stacks.locals, locals),
            operands: self.all_found(&self.stacks.operands, operands),
        };
        if let Some(observation) = self.observation_mut() {
            observation.found.insert(stop, places);
        }
    }

    fn all_found(&self, stack: &Stack, count: usize) -> Vec<Found> {
        (0..count).filter_map(|index| stack.get(index)).map(|place| self.found(place)).collect()
    }

    /// The places where the value at a place is found: at hand, and in all the trees that it is a leaf of.
    fn found(&self, place: Place) -> Found {
        let (mut holders, mut way, mut place) = (Vec::new(), Vec::new(), place);
        while let Place::Packed { tree, way: within, turns, packed } = place {
            holders.push(Holder { atom: packed, way: way.clone() });
            way.splice(..0, (0..turns).map(|turn| if within >> turn & 1 == 0 { Half::First } else { Half::Second }));
            place = match self.stacks.tree(tree) {
                Some(place) => place,
                None => internal_bug!("tree {tree} is there"),
            };
        }
        if let Place::Atom(atom) = place {
            holders.push(Holder { atom, way });
        }
        let code = holders.first().and_then(|holder| self.code(holder.atom));
        Found { holders, code }
    }
}
