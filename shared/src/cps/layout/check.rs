//! The checker of layouts: whether what is alive in converted code is known in core. Runs in tests.

use super::{At, Layout};
use crate::core::Program;
use crate::cps::convert::observation::Places;
use crate::cps::{Atom, Block, BlockId, Converted, Instruction, Role, Variable};
use std::collections::HashSet;

/// Checks that wherever a run can stand, each variable that is alive holds a value of core: one that is found in it, or
/// in a tree that it is the root of. So a row can be made from core there, with a value for each variable.
///
/// # Errors
/// A variable that holds none, or a place that is not the only one of its node.
pub fn check(program: &Program, converted: &Converted) -> Result<(), String> {
    let layout = Layout::of(program, converted);
    let places: Vec<At> = (0u32..).zip(&converted.blocks).flat_map(|(number, block)| all_in(number, block)).collect();
    layout.prepare(places.iter().map(|at| layout.stop(*at)));
    for at in places {
        let stop = layout.stop(at);
        let Some(known) = layout.places(stop).filter(|_| layout.at(stop) == Some(at)) else {
            return Err(format!("{at:?}: no run that stands at {stop:?} is there"));
        };
        let holders = holders(&known);
        if let Some(variable) = layout.alive(at).into_iter().find(|variable| !holders.contains(variable)) {
            return Err(format!("{at:?}: x{} is alive, but holds no local and no operand of {stop:?}", variable.0));
        }
    }
    Ok(())
}

/// A place where a run can stand in a block.
fn all_in(number: u32, block: &Block) -> impl Iterator<Item = At> {
    let frame = match block.role {
        Role::Continuation { .. } => Some(At::Frame(BlockId(number))),
        Role::Entry | Role::Branch => None,
    };
    let steps = block.instructions.iter().enumerate();
    let steps = steps.filter(|(_, instruction)| matches!(instruction, Instruction::Step(_)));
    frame.into_iter().chain(steps.map(move |(place, _)| At::Step(BlockId(number), place)))
}

/// The variables that hold locals and operands.
fn holders(places: &Places) -> HashSet<Variable> {
    let found = places.locals.iter().chain(&places.operands);
    let holders = found.flat_map(|found| &found.holders).filter_map(|holder| match holder.atom {
        Atom::Variable(variable) | Atom::Moved(variable) => Some(variable),
        Atom::Constant(_) | Atom::Global(_) | Atom::Primitive(_) | Atom::Slot(_) | Atom::Sibling(_) => None,
    });
    holders.collect()
}
