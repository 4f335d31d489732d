//! Requests to observe a conversion, and the locations of core's values at stop points, for the crate `vlad-snapshot`.
//!
//! The results: [`PointLocations`] of each [`CorePoint`].

use crate::tree::Atom;
use std::collections::{HashMap, HashSet};
use vlad_core::{ExpressionId, LambdaId};

/// A stop point within an activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CorePoint {
    /// At the entry of a node; possibly the lambda of a `let`.
    OperatorEntry(ExpressionId),
    /// In a frame that awaits the value of a node.
    Awaited(ExpressionId),
}

/// One half of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PairHalf {
    /// The half that `car` returns.
    First,
    /// The half that `cdr` returns.
    Second,
}

/// The locations of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueLocations {
    /// The holders of the value, each valid while it is live: the atom itself, the tree into which it was packed, the
    /// tree into which this tree was packed, and so on. There is at least one.
    pub holders: Vec<Holder>,
    /// The code, if it is a procedure of known code.
    pub code: Option<LambdaId>,
}

/// An atom that is a value, or contains it.
#[derive(Clone, Debug, PartialEq)]
pub struct Holder {
    /// The value, or the root of a tree of which it is a leaf.
    pub atom: Atom,
    /// The path from the root to the leaf; empty if the atom is the value.
    pub way: Vec<PairHalf>,
}

/// The locations of the values of core at a stop point.
#[derive(Clone, Debug, Default)]
pub struct PointLocations {
    /// The locals, by number.
    pub locals: Vec<ValueLocations>,
    /// The waiting values, those of the outermost construct first.
    pub operands: Vec<ValueLocations>,
}

/// The requested stop points, and the results so far.
#[derive(Debug, Default)]
pub struct Observation {
    pub(super) wanted: HashSet<CorePoint>,
    pub(super) found: HashMap<CorePoint, PointLocations>,
}

/// The body of a procedure, or an expression at top level.
pub type Root = (Option<LambdaId>, ExpressionId);
