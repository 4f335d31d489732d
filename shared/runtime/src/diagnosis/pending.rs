//! The diagnostic of a run-time fault: its place and the pending calls, derived from an engine's frames.

use super::called::Called;
use super::elements::Elements;
use super::explain::explained;
use super::frames::PendingFrame;
use std::collections::VecDeque;
use vlad_core::diagnostic::{Diagnostic, Kind, PendingCall};
use vlad_core::node_ranges::NodeRanges;
use vlad_core::source::FileId;
use vlad_core::{ExpressionId, Program};
use vlad_values::fault::RuntimeError;

/// The number of calls kept at either end of a long chain.
const CALLS_KEPT: usize = 50;

/// Makes the diagnostic of a fault at a node. A fault inside the prelude or a library is reported at `site`, the
/// application of the user's program through which it was entered. The frames, innermost first, determine the pending
/// calls, the last of which is at `top`, the expression at top level. If memory is exhausted, the message includes the
/// depth of nested calls, if there are any.
pub fn diagnose(
    program: &Program,
    trouble: RuntimeError,
    node: ExpressionId,
    site: ExpressionId,
    frames: impl Iterator<Item = PendingFrame>,
    top: ExpressionId,
) -> Diagnostic {
    let whereabouts = NodeRanges::of(program);
    let place = if program.is_shipped(node) { site } else { node };
    let codes = program.known_definitions();
    let name_around = |node| whereabouts.procedure(node).and_then(|lambda| program.lambda(lambda).name.clone());
    let mut elements = Elements::around(program, &whereabouts, &codes, node, site);
    let mut called = Called::around(program, &whereabouts, &codes, node, site);
    let calls = pending_calls(
        program,
        &whereabouts,
        frames.inspect(|frame| {
            elements.frame(frame);
            called.frame(frame);
        }),
        InnermostNode { node, place },
        top,
    );
    let is_vlad = !program.notes.has_spellings(program.span(place).file);
    let name = called.name().filter(|_| is_vlad);
    let mut trouble = explained(program, trouble, node, name);
    if let Some(name) = name.filter(|_| called.has_passed(&trouble, node)) {
        trouble.message = format!("`{name}`: {}", trouble.message);
    }
    if is_vlad && place != node && trouble.hint.is_none() && is_about_values(trouble.kind) {
        trouble.hint = called.miscounted();
    }
    let trouble = respelled(program, trouble, program.span(place).file);
    let mut diagnostic = trouble.at(program.span(place));
    if place != node {
        let inside = whereabouts.definition(program, node);
        let message = inside.map_or_else(|| "inside the prelude".to_owned(), |name| format!("inside `{name}`"));
        diagnostic = diagnostic.with_label(program.span(node), message);
    }
    if let Some(told) = elements.told().filter(|_| is_about_values(diagnostic.kind)) {
        diagnostic.message = format!("{} ({told})", diagnostic.message);
    }
    // Code that is aborted where memory ends has no frames any more: nothing is said of its calls.
    if diagnostic.kind == Kind::Memory && calls.depth > 0 {
        let innermost = match (whereabouts.procedure(node), name_around(node)) {
            (None, _) => "at top level".to_owned(),
            (Some(_), Some(name)) => format!("in `{name}`"),
            (Some(_), None) => "in a procedure without a name".to_owned(),
        };
        let ending = if calls.depth == 1 { "" } else { "s" };
        diagnostic.message += &format!(", {} call{ending} deep, {innermost}", calls.depth);
    }
    diagnostic.elided_calls = calls.elided;
    let kept = calls.innermost.iter().chain(&calls.outermost);
    diagnostic.chain =
        kept.map(|node| PendingCall { span: program.span(*node), procedure: name_around(*node) }).collect();
    diagnostic
}

/// Returns a run-time error in the words of the language of the file that it is told of. Advice in expressions of VLAD is of
/// no use in another language.
fn respelled(program: &Program, trouble: RuntimeError, file: FileId) -> RuntimeError {
    if !program.notes.has_spellings(file) {
        return trouble;
    }
    let message = program.notes.respelled(file, trouble.message);
    let hint = trouble.hint.filter(|hint| !hint.contains("`("));
    RuntimeError { message, hint, ..trouble }
}

/// Returns true if errors of a kind arise from the values of a program, not from limits or the context of the run.
fn is_about_values(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Type | Kind::Pattern | Kind::Conformance | Kind::Unbound | Kind::Input | Kind::Raised | Kind::NonFinite
    )
}

/// Both ends of a chain of calls. The middle is never stored, since a chain may be as long as memory allows.
#[derive(Default)]
struct Calls {
    innermost: Vec<ExpressionId>,
    outermost: VecDeque<ExpressionId>,
    /// The number of calls between the two ends.
    elided: u64,
    /// The number of all calls, including those in library code.
    depth: u64,
}

impl Calls {
    fn push(&mut self, call: ExpressionId) {
        if self.innermost.len() < CALLS_KEPT {
            self.innermost.push(call);
            return;
        }
        self.outermost.push_back(call);
        if self.outermost.len() > CALLS_KEPT {
            self.outermost.pop_front();
            self.elided += 1;
        }
    }
}

/// The innermost node reached by a traversal of frames.
struct InnermostNode {
    /// Among all expression nodes.
    node: ExpressionId,
    /// Among the nodes of the user's program.
    place: ExpressionId,
}

/// The pending calls, innermost first: the call that each activation awaits, except the activation in which the error
/// arose.
///
/// The frames of one activation nest: the awaited node of a frame contains the node of the previous frame. Any other
/// frame begins the next activation. (Recursive procedures are no exception: an activation that has reached a node has
/// the frames around that node.) The frames of the prelude and of libraries are counted, and are not listed.
fn pending_calls(
    program: &Program,
    whereabouts: &NodeRanges,
    frames: impl Iterator<Item = PendingFrame>,
    mut inner: InnermostNode,
    top: ExpressionId,
) -> Calls {
    let mut calls = Calls::default();
    for frame in frames.map(|frame| frame.awaiting) {
        calls.depth += u64::from(!whereabouts.contains(frame.awaited, inner.node));
        inner.node = frame.node;
        if program.is_shipped(frame.node) {
            continue;
        }
        if !whereabouts.contains(frame.awaited, inner.place) {
            calls.push(frame.awaited);
        }
        inner.place = frame.node;
    }
    calls.depth += u64::from(!whereabouts.contains(top, inner.node));
    if !whereabouts.contains(top, inner.place) {
        calls.push(top);
    }
    calls
}
