//! Heads of the C functions.

use super::body::Form;
use super::context::Context;
use super::regions::EntryKind;
use crate::c::{Head, named};

/// The head of a function, by its number. A chunk or a spilled block must not be inlined into the function before it,
/// which would undo the cut: such functions get `VLAD_APART`.
pub fn head(context: &Context<'_>, number: usize, form: Form) -> Head {
    if form == Form::Stepwise {
        return stepwise_head("static VLAD_COLD ", context.stepwise_name(number));
    }
    let storage = match context.regions.function(number).entering {
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
