//! Parts of a program: some definitions with all that they name.

use super::{Expression, ExpressionId, GlobalId, Item, Program};
use rustc_hash::FxHashSet;

/// Leaves out all items but some definitions and those that they name.
pub fn keep_definitions(program: &mut Program, wanted: Vec<GlobalId>) {
    let needed = with_dependencies(program, wanted);
    program.items.retain(|item| matches!(item, Item::Define(global) if needed.contains(global)));
}

/// Returns globals with all that they name.
fn with_dependencies(program: &Program, mut pending: Vec<GlobalId>) -> FxHashSet<GlobalId> {
    let (mut all, mut parts) = (FxHashSet::default(), vec![]);
    while let Some(global) = pending.pop() {
        if !all.insert(global) {
            continue;
        }
        let mut expressions: Vec<ExpressionId> = vec![program.global(global).value];
        while let Some(id) = expressions.pop() {
            if let Expression::Global(named) = program.expression(id) {
                pending.push(named);
            }
            program.parts(id, &mut parts);
            expressions.append(&mut parts);
        }
    }
    all
}
