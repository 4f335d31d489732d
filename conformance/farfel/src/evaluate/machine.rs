//! The state of an evaluation: the store, the activations, and what they are made of.

use super::behaviour::Line;
use super::store::{CellId, Route, Store};
use super::units::{Unit, UnitId};
use super::value::Value;
use crate::tree::{Intrinsic, Type};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

/// An evaluation under way.
pub(crate) struct Evaluator<'program> {
    pub(super) units: Vec<Unit<'program>>,
    pub(super) store: Store,
    pub(super) frames: Vec<Frame<'program>>,
    pub(super) input: std::slice::Iter<'program, f64>,
    pub(super) lines: Vec<Line>,
    pub(super) statements_left: u64,
    pub(super) depth_left: u32,
    /// The number of variables that were implied by their names.
    pub(super) implied: u64,
    /// The number of blocks of differentiation under way.
    pub(super) level: u32,
    pub(super) differentiates: bool,
}

/// The number of a frame in the stack of frames.
pub type FrameId = usize;

/// An activation of a unit.
pub(super) struct Frame<'program> {
    pub unit: UnitId,
    /// The activation of the unit around it.
    pub link: Option<FrameId>,
    pub bindings: HashMap<&'program str, Binding>,
}

/// The meaning of a name in an activation.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    Variable(Reference),
    Constant(Value),
    Procedure(Procedure),
    Intrinsic(Intrinsic),
}

/// A subprogram or function that is called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Callee {
    Unit(Procedure),
    Intrinsic(Intrinsic),
}

/// Cells with their type: a scalar or an array.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub cells: Range<CellId>,
    /// The lower and the upper bounds of an array.
    pub bounds: Option<Rc<[(i64, i64)]>>,
    pub sort: Type,
    pub route: Route,
}

/// A subprogram with the activation around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Procedure {
    pub unit: UnitId,
    pub link: Option<FrameId>,
}

/// The continuation of execution after a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    Return,
    /// A jump to a label that is in a list around.
    Jump(u32),
}
