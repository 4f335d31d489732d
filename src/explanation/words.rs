//! The place of a reason and the words for an item, in text and in JSON alike.

use vlad_compiler::analysis::Reason;
use vlad_compiler::explain::{Call, Explained};
use vlad_shared::core::render::place;
use vlad_shared::core::source::Span;
use vlad_shared::core::{Item, Program};

/// The treatment of the times of phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// They are shown.
    Shown,
    /// They are left out, so that the output is the same each time.
    LeftOut,
}

/// The place that a reason is about.
pub fn place_of(program: &Program, explained: &Explained, reason: &Reason) -> Span {
    program.span(reason.node.unwrap_or(explained.item.node()))
}

/// The words for an item.
pub fn title(program: &Program, explained: &Explained) -> String {
    match explained.item {
        Item::Define(global, _) => format!("the definition of `{}`", program.global(global).name),
        Item::Expression(node) => format!("the expression at {}", place(&program.sources, program.span(node))),
    }
}

/// The word for a call that has specialised code.
pub fn call_word(call: Call) -> &'static str {
    match call {
        Call::Plain => "application",
        Call::Forward => "j*",
        Call::Reverse => "*j",
    }
}
