//! The needs of continuations, as a frame keeps them: no more than its continuation refers to, so that dead values are
//! freed while a call is pending.
//!
//! Equation: a local is dead for a node that saves an environment if none of the references of [`vlad_core::liveness`]
//! within the parts after the first is to it; likewise the slots. Here the answers are kept, each from when its node
//! first saves an environment, and bounded: where the rest is longer than [`LONGEST_WALK`] nodes, and for locals beyond
//! the first 64 of an activation, everything counts as needed. (A capsule keeps exactly what is needed:
//! [`vlad_runtime::suspended`].)

use std::cell::OnceCell;
use vlad_core::{ExpressionId, Program, Reference};

/// The most nodes that are traversed to find the needs of a continuation; it keeps the time linear in the program.
const LONGEST_WALK: usize = 400;

/// The needs of a node's continuation.
#[derive(Clone, Debug, Default)]
pub struct ContinuationNeeds {
    /// The dead locals, to which it does not refer.
    pub dead: Box<[u32]>,
    /// True if it refers to slots, or to siblings, which share them.
    pub slots: bool,
}

/// The needs of the nodes' continuations, computed on demand.
#[derive(Debug)]
pub struct ContinuationNeedsTable {
    continuation_needs: Vec<OnceCell<ContinuationNeeds>>,
}

impl ContinuationNeedsTable {
    /// An empty table for a program.
    pub fn of(program: &Program) -> ContinuationNeedsTable {
        ContinuationNeedsTable { continuation_needs: vec![OnceCell::new(); program.expressions.len()] }
    }

    /// The needs of a node's continuation in an activation with this many locals.
    #[inline]
    pub fn get(&self, program: &Program, node: ExpressionId, locals: usize) -> &ContinuationNeeds {
        match self.continuation_needs.get(node.0 as usize) {
            Some(rest) => rest.get_or_init(|| find(program, node, locals)),
            None => vlad_table::internal_bug!("expression {} is in the arena", node.0),
        }
    }
}

/// The needs found so far.
struct Needs {
    /// The first 64 locals, one bit each.
    locals: u64,
    slots: bool,
}

fn find(program: &Program, node: ExpressionId, locals: usize) -> ContinuationNeeds {
    let mut needs = Needs { locals: 0, slots: false };
    for (walked, part) in program.within(program.parts_after_first(node)).enumerate() {
        if walked == LONGEST_WALK {
            return ContinuationNeeds { dead: Box::default(), slots: true };
        }
        program.references(part).for_each(|reference| needs.note(reference));
    }
    let dead = (0..locals.min(64) as u32).filter(|local| needs.locals & 1 << local == 0).collect();
    ContinuationNeeds { dead, slots: needs.slots }
}

impl Needs {
    fn note(&mut self, reference: Reference) {
        match reference {
            Reference::Local(local) if local < 64 => self.locals |= 1 << local,
            Reference::Slot(_) | Reference::Sibling(_) => self.slots = true,
            Reference::Local(_) | Reference::Global(_) | Reference::Primitive(_) => {}
        }
    }
}
