//! The checker of layouts (frame maps), run in tests: every live variable of converted code corresponds to a value of
//! core.

use crate::layout::{Layout, StopPoint};
use std::collections::HashSet;
use vlad_core::Program;
use vlad_cps::convert::observation::PointLocations;
use vlad_cps::{Atom, Block, BlockId, Converted, Instruction, Role, Variable};

/// Checks that at every stop point each live variable holds a value of core: the value is in the variable, or in a tree
/// of which the variable is the root. So the values of core suffice to make a row with a value for each variable.
///
/// # Errors
/// Returns a description of a variable that holds none, or of a stop point that is not the only one of its node.
pub fn check(program: &Program, converted: &Converted) -> Result<(), String> {
    let layout = Layout::of(program, converted);
    let places: Vec<StopPoint> =
        (0u32..).zip(&converted.blocks).flat_map(|(number, block)| all_in(number, block)).collect();
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

/// All stop points in a block.
fn all_in(number: u32, block: &Block) -> impl Iterator<Item = StopPoint> {
    let frame = match block.role {
        Role::Continuation { .. } => Some(StopPoint::Frame(BlockId(number))),
        Role::Entry | Role::Branch => None,
    };
    let steps = block.instructions.iter().enumerate();
    let steps = steps.filter(|(_, instruction)| matches!(instruction, Instruction::Step(_)));
    frame.into_iter().chain(steps.map(move |(place, _)| StopPoint::Step(BlockId(number), place)))
}

/// The variables that hold locals and operands.
fn holders(places: &PointLocations) -> HashSet<Variable> {
    let found = places.locals.iter().chain(&places.operands);
    let holders = found.flat_map(|found| &found.holders).filter_map(|holder| match holder.atom {
        Atom::Variable(variable) | Atom::Moved(variable) => Some(variable),
        Atom::Constant(_) | Atom::Global(_) | Atom::Primitive(_) | Atom::Slot(_) | Atom::Sibling(_) => None,
    });
    holders.collect()
}
