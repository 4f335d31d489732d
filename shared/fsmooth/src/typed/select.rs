//! Parts of a program: some definitions with all that they name.

use super::{GlobalId, Head, Item, Program};
use rustc_hash::FxHashSet;

/// Leaves out all items but some definitions and those that they name.
pub fn keep_definitions(program: &mut Program, wanted: Vec<GlobalId>) {
    let needed = with_dependencies(program, wanted);
    program.items.retain(|item| matches!(item, Item::Define(global) if needed.contains(global)));
}

/// Returns globals with all that they name.
fn with_dependencies(program: &Program, mut pending: Vec<GlobalId>) -> FxHashSet<GlobalId> {
    let mut all = FxHashSet::default();
    while let Some(global) = pending.pop() {
        if !all.insert(global) {
            continue;
        }
        program.walk(program.global(global).value, |_, head| {
            if let Head::Global(named) = head {
                pending.push(named);
            }
            true
        });
    }
    all
}
