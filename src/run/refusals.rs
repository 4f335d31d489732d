//! The refusal of `--specialise always`: the items of a program that compute something and cannot be specialised.

use vlad_compiler::Passes;
use vlad_compiler::analysis::{Reason, Weighing};
use vlad_compiler::explain::{Explained, explain};
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::render::place;
use vlad_shared::core::source::Span;
use vlad_shared::core::{Item, Program};

/// The errors of `--specialise always`: one for each item that computes something and cannot be specialised.
pub fn refusals(program: &Program, passes: Passes) -> Vec<Diagnostic> {
    let refused = |explained: &Explained| {
        let reason = explained.outcome.as_ref().err().filter(|_| explained.is_refused(program))?;
        let span = place_of(program, explained, reason);
        let message = format!("{} cannot be specialised: {}", title(program, explained), reason.text());
        Some(Diagnostic::new(Kind::Specialise, span, message).with_hint(reason.hint()))
    };
    explain(program, passes, Weighing::None).iter().filter_map(refused).collect()
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
