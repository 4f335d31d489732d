//! Reverse mode (`*j`): an operator that computes results and cotangents, made of a function without levels.
//!
//! The equation is rule 5a of the report (9.2). An operator executes the primal, which records values, and then the
//! sweep: the operations in reverse order, each of which adds products of its coefficients with its accumulator to the
//! accumulators of its operands. Both are first-order code that consists of exactly the operations of the rule in their
//! order, so the passes of [`super`] remove levels around it as well.
//!
//! In the order in which things happen:
//!
//! 1. [`memory`]: code with arrays or cells gets ordinary code that passes accumulators in memory along.
//! 2. [`callers`]: a caller of the function is made, with the parameters of the operator.
//! 3. [`trace`]: caller and recursive functions are traced, which names their nodes ([`nodes`]). Other functions are
//!    inlined.
//! 4. [`recording`]: of loops of code with arrays, it is decided what the first execution records, and what is executed
//!    again.
//! 5. [`sweep`]: the sweep over a trace is emitted. This tells which values of the primal it reads. If code is executed
//!    again, that code is emitted with the sweep ([`recomputed`]).
//! 6. [`lower`]: the primal is emitted, which records these values. [`operator`] makes functions of both.
//!
//! The record of straight-line code is its variables. Loops and recursive functions push theirs on the record stack
//! ([`Statement::Push`]), so code that uses the record stack itself, the sweep of an inner level, is refused.
//!
//! [`Statement::Push`]: crate::Statement::Push

mod callers;
mod lower;
mod memory;
mod nodes;
mod operator;
mod recomputed;
mod recording;
mod sweep;
#[cfg(test)]
mod tests;
mod trace;

use super::refusal::{Refusal, RefusalKind};
use crate::{Function, FunctionId, Kind, Recording, Unit};
use callers::{caller, caller_with_references, caller_with_shadow_arrays, cells_are_small};
use memory::references::with_references;
use memory::shadow_arrays::{self, Prepared};
use nodes::Instances;
use operator::{Source, functions};
use std::collections::HashSet;

/// A function that is called in reverse mode.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mode {
    /// The function.
    pub function: FunctionId,
    /// Its active parameters.
    pub active: Vec<bool>,
    /// The record of its execution.
    pub recording: Recording,
}

/// The data that the code may have besides reals and booleans. With other data than scalars, no level of reverse mode may
/// be around.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Data {
    /// None.
    Scalars,
    /// Arrays, whose accumulators are in shadow arrays; true if no level at all is around.
    Arrays {
        /// True if no level is around.
        is_outermost: bool,
    },
    /// Cells: reals that these hold have references to their accumulators. Arrays of active reals only enter and leave
    /// the level.
    Cells,
}

/// Adds a function that calls another one in reverse mode. Its parameters are those of the function, then a cotangent for
/// each real among its results; its results are those of the function, then a cotangent for each parameter that is
/// active. `balanced` are functions that leave the record stack as they found it.
///
/// # Errors
/// Returns a refusal if the function uses the record stack or other data, if the code becomes too large, or if it cannot
/// be divided as the recording asks.
pub fn remove(unit: &mut Unit, mode: &Mode, data: Data, balanced: &HashSet<FunctionId>) -> Result<FunctionId, Refusal> {
    let instances = Instances::beside(balanced, mode.recording);
    let made = match data {
        Data::Scalars => remove_with_scalars(unit, mode, instances),
        Data::Arrays { is_outermost } => remove_with_arrays(unit, mode, is_outermost, instances),
        Data::Cells => remove_with_cells(unit, mode, instances),
    };
    made.map_err(|refusal| refusal.within(&unit.function(mode.function).name))
}

fn remove_with_scalars(unit: &mut Unit, mode: &Mode, instances: Instances) -> Result<FunctionId, Refusal> {
    if shadow_arrays::uses(unit, mode.function, |kind| kind == Kind::Cell) {
        return Err(Refusal::new(RefusalKind::Cells));
    }
    if shadow_arrays::uses(unit, mode.function, Kind::is_array) {
        return Err(Refusal::new(RefusalKind::Arrays));
    }
    let caller = caller(unit.function(mode.function), mode.function);
    let source = Source { active: &mode.active, arrays: None, references: None, is_outermost: false };
    replace(unit, vec![caller], source, instances)
}

/// Refuses also recursion with arrays.
fn remove_with_arrays(
    unit: &mut Unit,
    mode: &Mode,
    is_outermost: bool,
    mut instances: Instances,
) -> Result<FunctionId, Refusal> {
    let prepared = shadow_arrays::with_shadow_arrays(unit, &mut instances, mode.function, &mode.active)?;
    let Prepared { function: prepared, shadows } = prepared;
    let id = FunctionId(unit.functions.len() as u32 + 1);
    let caller = caller_with_shadow_arrays(unit.function(mode.function), &prepared, id, &mode.active);
    let source = Source { active: &mode.active, arrays: Some((id, &shadows)), references: None, is_outermost };
    replace(unit, vec![caller, prepared], source, instances)
}

/// Refuses also arrays of active reals, other than those in which these enter and leave the level.
fn remove_with_cells(unit: &mut Unit, mode: &Mode, mut instances: Instances) -> Result<FunctionId, Refusal> {
    if mode.recording != Recording::Everything && !unit.functions.iter().all(cells_are_small) {
        return Err(Refusal::new(RefusalKind::CheckpointCells));
    }
    let id = FunctionId(unit.functions.len() as u32);
    let next = FunctionId(id.0 + 1);
    let mut referring = with_references(unit, &mut instances, (mode.function, &mode.active), next)?;
    let (caller, references) = caller_with_references(unit, mode.function, &referring, id);
    referring.functions.insert(0, caller);
    let source = Source { active: &mode.active, arrays: None, references: Some(&references), is_outermost: false };
    replace(unit, referring.functions, source, instances)
}

/// Adds the functions of an operator, given its sources: a caller, whose number it gets, and functions with accumulators
/// in memory.
fn replace(
    unit: &mut Unit,
    sources: Vec<Function>,
    source: Source<'_>,
    instances: Instances,
) -> Result<FunctionId, Refusal> {
    let id = FunctionId(unit.functions.len() as u32);
    unit.functions.extend(sources);
    let functions = functions(unit, (id, source), instances);
    unit.functions.truncate(id.0 as usize);
    unit.functions.extend(functions?);
    Ok(id)
}
