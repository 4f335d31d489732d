//! The converted program: core after CPS conversion, with the count and the limit threaded (report, part 13).
//!
//! In the equations of the talk of 2018 (part II, "Threading step counts and limits") a converted procedure takes a
//! continuation k, a count n and a limit l beside its argument, and a continuation takes n and l beside its value. Here
//! the converted program is a first-order IR:
//!
//! - An [`Activation`] is the converted body of a procedure, or of an expression at top level. Its k is implicit:
//!   [`End::Return`] passes its value to k, and a call in tail position passes k on.
//! - A [`Block`] is a λ of the converted program whose uses are known: the entry of a procedure, a branch, a join after
//!   a branch, or the continuation λ n l x. of a call. Only the last kind is ever reified, as the frame of a call
//!   ([`CallContinuation::Continue`]), and the frame keeps exactly the variables that are free in it. The blocks of an
//!   activation form no cycle: a loop is a call.
//! - n and l are implicit, too: [`Instruction::Step`] is "if n = l then stop, else n+1", and is emitted where the
//!   equations count. A step belongs to the expression node that is entered.
//!
//! Invariants (checked by [`check::check`]): each variable is bound once, before its uses, and owned by one place at a
//! time (see [`Atom::Moved`]); blocks only continue with blocks of their own activation; [`Block::needs_slots`] and
//! [`Block::needs_site`] are exact; each expression node of core is entered in exactly one place. The checker does not
//! check that each path takes the steps that core counts; the comparison of step counts between engines shows it.
//!
//! - [`convert`]: core to converted program; postcondition: the invariants above except ownership and needs;
//! - [`liveness`]: the free variables of each block, the last use of each variable, and the needs of a block;
//! - [`check`]: the invariants, after the passes, in tests;
//! - [`print`]: the printed form (`vlad show cps`).

pub mod check;
pub mod convert;
pub mod liveness;
pub mod print;
pub mod tree;

pub use tree::{
    Activation, ActivationId, Atom, Block, BlockId, CallContinuation, Converted, End, Instruction, Role, Variable,
};

use vlad_core::Program;

/// Runs the passes from core to the converted program that engines run.
pub fn pipeline(program: &Program) -> Converted {
    let mut converted = convert::convert(program);
    liveness::analyse(&mut converted);
    converted
}
