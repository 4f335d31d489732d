//! The kinds of the leaves of shapes.

use crate::template::{Step, Template};
use crate::{Kind, Unit};

/// The kinds of the leaves of all inputs.
pub fn input_kinds(unit: &Unit) -> Result<Vec<Kind>, String> {
    let mut kinds = Vec::new();
    for (_, template) in &unit.inputs {
        kinds.extend(leaf_kinds(template)?);
    }
    Ok(kinds)
}

/// The kinds of the leaves of a shape, which must leave one value, as the shapes of its cells do.
pub fn leaf_kinds(template: &Template) -> Result<Vec<Kind>, String> {
    for steps in &template.cells {
        kinds_of(steps, template.cells.len())?;
    }
    kinds_of(&template.steps, template.cells.len())
}

fn kinds_of(steps: &[Step], cells: usize) -> Result<Vec<Kind>, String> {
    let mut kinds = Vec::new();
    let mut height: usize = 0;
    for step in steps {
        if let Step::CellLeaf(number) = step
            && *number as usize >= cells
        {
            return Err(format!("there is no cell {number}"));
        }
        kinds.extend(step.leaf());
        height = height.checked_sub(step.taken()).ok_or("a shape takes more values than there are")? + 1;
    }
    if height == 1 { Ok(kinds) } else { Err(format!("a shape leaves {height} values")) }
}
