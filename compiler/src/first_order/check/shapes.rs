//! The kinds of the leaves of shapes.

use crate::first_order::template::{Step, Template};
use crate::first_order::{Kind, Unit};

/// The kinds of the leaves of all inputs.
pub fn input_kinds(unit: &Unit) -> Result<Vec<Kind>, String> {
    let mut kinds = Vec::new();
    for (_, template) in &unit.inputs {
        kinds.extend(leaf_kinds(template)?);
    }
    Ok(kinds)
}

/// The kinds of the leaves of a shape, which must leave one value.
pub fn leaf_kinds(template: &Template) -> Result<Vec<Kind>, String> {
    let mut kinds = Vec::new();
    let mut height: usize = 0;
    for step in &template.steps {
        let taken = match step {
            Step::Nil | Step::Boolean(_) | Step::Real(_) | Step::Primitive(_) => 0,
            Step::RealLeaf => {
                kinds.push(Kind::Real);
                0
            }
            Step::BooleanLeaf => {
                kinds.push(Kind::Boolean);
                0
            }
            Step::ArrayLeaf(elements) => {
                kinds.push(Kind::Array(*elements));
                0
            }
            Step::Pair => 2,
            Step::Procedure(_, parts) | Step::Vector(parts) => *parts as usize,
            Step::Bundle(_) | Step::Backpropagator | Step::Last => 2,
            Step::Either(_) => 3,
            Step::Tagged(_) => 1,
        };
        height = height.checked_sub(taken).ok_or("a shape takes more values than there are")? + 1;
    }
    if height == 1 { Ok(kinds) } else { Err(format!("a shape leaves {height} values")) }
}
