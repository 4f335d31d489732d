//! Analysis of definitions: finds the values that are known procedures, and the definitions that have run before a
//! block.

use crate::tagged::unit::Unit;
use vlad_core::{GlobalId, Item, LambdaId, Program};
use vlad_cps::{ActivationId, Converted};
use vlad_table::internal_bug;

/// The facts about the definitions of a program.
#[derive(Clone, Debug)]
pub struct Globals {
    /// For each definition its code, if its value is always a procedure without captured slots.
    procedures: Vec<Option<LambdaId>>,
    /// For each definition, the number of items after which it has run.
    defined_after: Vec<usize>,
    /// For each activation, the number of items that have run before it can run.
    runs_after: Vec<usize>,
}

/// Analyses the definitions of a program.
pub fn globals(unit: Unit<'_>) -> Globals {
    Globals {
        procedures: unit.program.known_definitions(),
        defined_after: defined_after(unit.program),
        runs_after: runs_after(unit.program, unit.converted),
    }
}

impl Globals {
    /// Returns the code of a definition whose value is always a procedure without captured slots.
    pub fn procedure(&self, global: GlobalId) -> Option<LambdaId> {
        self.procedures.get(global.0 as usize).copied().flatten()
    }

    /// Returns true if a definition has run whenever code of an activation runs.
    pub fn is_defined(&self, global: GlobalId, activation: ActivationId) -> bool {
        let after = self.defined_after.get(global.0 as usize);
        let runs = self.runs_after.get(activation.0 as usize);
        after.zip(runs).is_some_and(|(after, runs)| after <= runs)
    }
}

/// Returns for each definition the number of items after which it has run; 0 for those of the prelude, which run first.
fn defined_after(program: &Program) -> Vec<usize> {
    let of_prelude = program.prelude.iter().map(|(global, _)| (*global, 0));
    let of_items = program.items.iter().zip(1..).filter_map(|(item, after)| match *item {
        Item::Define(global, _) => Some((global, after)),
        Item::Expression(_) => None,
    });
    let mut all = vec![usize::MAX; program.globals.len()];
    for (global, after) in of_prelude.chain(of_items) {
        match all.get_mut(global.0 as usize) {
            Some(place) => *place = after,
            None => internal_bug!("global {} is in the arena", global.0),
        }
    }
    all
}

/// Returns for each activation the number of items that have run before it can run. The conversion puts the procedures
/// within an item directly behind the item, and those of the prelude before all items. A procedure that an item only
/// defines, and the procedures within it, cannot run before that definition has.
fn runs_after(program: &Program, converted: &Converted) -> Vec<usize> {
    let mut items = converted.items.iter().zip(&program.items).enumerate().peekable();
    let (mut top, mut inner) = (0, 0);
    let activations = 0..converted.activations.len() as u32;
    let after = activations.map(|number| {
        if let Some((place, (_, item))) = items.next_if(|(_, (activation, _))| activation.0 == number) {
            let is_procedure = matches!(item, Item::Define(..)) && program.procedure_at(item.node()).is_some();
            (top, inner) = (place, place + usize::from(is_procedure));
            return top;
        }
        inner
    });
    after.collect()
}
