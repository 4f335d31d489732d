//! Heads of the C functions of converted code: storage class, name and parameters, for prototypes and definitions.

use super::analyses::regions::EntryKind;
use super::body::Form;
use super::context::Context;
use crate::c::{Head, named};

/// The head of a function, by its number. Code at top level is executed once (blocks of an activation form no cycle), so
/// it gets `VLAD_COLD`: compilers spend less time on it. A chunk or a spilled block must not be inlined into the function
/// before it, which would undo the cut: such functions get `VLAD_APART`, which `VLAD_COLD` includes.
pub fn head(context: &Context<'_>, number: usize, form: Form) -> Head {
    if form == Form::Stepwise {
        return stepwise_head("static VLAD_COLD ", context.stepwise_name(number));
    }
    let function = context.regions.function(number);
    if context.unit.activation_of(function.head()).lambda.is_none() {
        return block_head("static VLAD_COLD ", context.name_of(number));
    }
    let storage = match function.entering {
        EntryKind::Spill | EntryKind::Chunk(_) => "static VLAD_APART ",
        EntryKind::Item | EntryKind::Argument | EntryKind::Arguments | EntryKind::Frame => "static ",
    };
    block_head(storage, context.name_of(number))
}

/// The head of a function that is a `vlad_stepwise`.
pub fn stepwise_head(storage: &'static str, name: String) -> Head {
    let mut head = block_head(storage, name);
    head.parameters.push(("const struct vlad_frame *", "point".into()));
    head
}

/// The head of a function that is a `vlad_block`.
pub fn block_head(storage: &'static str, name: String) -> Head {
    let parameters = [
        ("struct vlad_machine *", "m"),
        ("vlad_value *", "top"),
        ("int64_t", "fuel"),
        ("struct vlad_slots *", "slots"),
        ("vlad_value", "x"),
    ];
    Head { storage, result: "int".into(), name, parameters: named(parameters) }
}
