//! The liveness of locals in the continuation of an expression node: a frame keeps no more than is live, so that dead
//! values are freed while a call is pending.
//!
//! For each node that saves an environment in its frame, the locals that nothing after the awaited part refers to, and
//! whether the slots are needed. Found when the node first saves an environment. (A capsule keeps exactly what is needed:
//! [`vlad_runtime::suspended`].) Where the rest is longer than
//! [`LONGEST_WALK`] nodes, and for locals beyond the first 64 of an activation, everything counts as needed.

use std::cell::OnceCell;
use vlad_core::{Expression, ExpressionId, Program, Reference};

/// The most nodes that are traversed to find the needs of a continuation; it keeps the time linear in the program.
const LONGEST_WALK: usize = 400;

/// The needs of a node's continuation.
#[derive(Clone, Debug, Default)]
pub struct Rest {
    /// The dead locals, to which it does not refer.
    pub dead: Box<[u32]>,
    /// True if it refers to slots, or to siblings, which share them.
    pub slots: bool,
}

/// The needs of the nodes' continuations, computed on demand.
#[derive(Debug)]
pub struct Rests {
    rests: Vec<OnceCell<Rest>>,
}

impl Rests {
    /// An empty table for a program.
    pub fn of(program: &Program) -> Rests {
        Rests { rests: vec![OnceCell::new(); program.expressions.len()] }
    }

    /// The needs of a node's continuation in an activation with this many locals.
    #[inline]
    pub fn get(&self, program: &Program, node: ExpressionId, locals: usize) -> &Rest {
        match self.rests.get(node.0 as usize) {
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

fn find(program: &Program, node: ExpressionId, locals: usize) -> Rest {
    let mut pending = match program.expression(node) {
        Expression::Application { operand, .. } => vec![operand],
        Expression::Cons { second, .. } => vec![second],
        Expression::If { consequent, alternative, .. } => vec![consequent, alternative],
        Expression::Let { lambda, .. } => vec![program.lambda(lambda).body],
        Expression::Constant(_) | Expression::Variable(_) | Expression::Lambda(_) | Expression::Letrec { .. } => {
            vlad_table::internal_bug!("expression {} awaits a part", node.0)
        }
    };
    let mut needs = Needs { locals: 0, slots: false };
    let mut walked = 0;
    while let Some(part) = pending.pop() {
        walked += 1;
        if walked > LONGEST_WALK {
            return Rest { dead: Box::default(), slots: true };
        }
        match program.expression(part) {
            Expression::Constant(_) => {}
            Expression::Variable(reference) => needs.note(reference),
            Expression::Lambda(lambda) => {
                program.lambda(lambda).captures.iter().for_each(|capture| needs.note(*capture))
            }
            Expression::Application { operator, operand } => pending.extend([operator, operand]),
            Expression::Let { lambda, operand, .. } => pending.extend([program.lambda(lambda).body, operand]),
            Expression::Cons { first, second } => pending.extend([first, second]),
            Expression::If { test, consequent, alternative } => pending.extend([test, consequent, alternative]),
            Expression::Letrec { group, body } => {
                program.group(group).captures.iter().for_each(|capture| needs.note(*capture));
                pending.push(body);
            }
        }
    }
    let dead = (0..locals.min(64) as u32).filter(|local| needs.locals & 1 << local == 0).collect();
    Rest { dead, slots: needs.slots }
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
