//! The diagnostic of a run-time fault: its place and the pending calls, from what an engine's frames tell.

use crate::core::{Expression, ExpressionId, LambdaId, Program, Reference};
use crate::diagnostic::{Diagnostic, Kind, PendingCall};
use crate::elements::Elements;
use crate::explain::explained;
use crate::run::Trouble;
use crate::whereabouts::Whereabouts;
use std::collections::VecDeque;

/// Calls kept at either end of a long chain.
const CALLS_KEPT: usize = 50;

/// What a frame of a continuation tells about the call that it awaits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Awaiting {
    /// The node whose rest the frame is.
    pub node: ExpressionId,
    /// The node whose value it awaits: a part of `node`, or `node` itself where an operator calls a procedure.
    pub awaited: ExpressionId,
}

/// What errors tell of a frame of a continuation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingFrame {
    /// The call.
    pub awaiting: Awaiting,
    /// The site of the activation that waits, if the frame has it.
    pub site: Option<ExpressionId>,
    /// The number of the iteration, if it is that of a frame machine.
    pub iteration: Option<u64>,
}

impl PendingFrame {
    /// A frame of a node that awaits a call, of which nothing more is known.
    pub fn of_call(node: ExpressionId, awaited: ExpressionId) -> PendingFrame {
        PendingFrame { awaiting: Awaiting { node, awaited }, site: None, iteration: None }
    }
}

/// The diagnostic of trouble at a node. A fault inside the prelude or a library is shown at `site`, the user's application
/// through which it was entered; the frames, innermost first, tell the pending calls, the last of which is at `top`, the
/// expression at top level. Where memory ends, the message tells how deep calls were nested.
pub fn diagnose(
    program: &Program,
    trouble: Trouble,
    node: ExpressionId,
    site: ExpressionId,
    frames: impl Iterator<Item = PendingFrame>,
    top: ExpressionId,
) -> Diagnostic {
    let whereabouts = Whereabouts::of(program);
    let place = if program.is_shipped(node) { site } else { node };
    let codes = program.definition_codes();
    let inside = whereabouts.definition(program, node);
    let entered = entered_at(program, &codes, site).or(inside).filter(|_| program.is_prelude(node));
    let trouble = explained(program, trouble, node, entered);
    let mut diagnostic = trouble.at(program.span(place));
    if place != node {
        let message = inside.map_or_else(|| "inside the prelude".to_owned(), |name| format!("inside `{name}`"));
        diagnostic = diagnostic.with_label(program.span(node), message);
    }
    let name_around = |node| whereabouts.procedure(node).and_then(|lambda| program.lambda(lambda).name.clone());
    let mut elements = Elements::around(program, &whereabouts, &codes, node, site);
    let calls =
        pending_calls(program, &whereabouts, frames.inspect(|frame| elements.frame(frame)), Nest { node, place }, top);
    if let Some(told) = elements.told().filter(|_| is_about_values(diagnostic.kind)) {
        diagnostic.message = format!("{} ({told})", diagnostic.message);
    }
    if diagnostic.kind == Kind::Memory {
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

/// Whether errors of a kind come of the values that a program works on, and not of limits and what is around it.
fn is_about_values(kind: Kind) -> bool {
    matches!(kind, Kind::Type | Kind::Pattern | Kind::Conformance | Kind::Unbound | Kind::Input)
}

/// The procedure of the prelude or of a library that an application calls by its name, as it is written there. The codes are
/// those of [`Program::definition_codes`].
pub(crate) fn entered_at<'program>(
    program: &'program Program,
    codes: &[Option<LambdaId>],
    site: ExpressionId,
) -> Option<&'program str> {
    let Expression::Application { operator, .. } = program.expression(site) else { return None };
    let Expression::Variable(Reference::Global(global)) = program.expression(operator) else { return None };
    let code = codes.get(global.0 as usize).copied().flatten()?;
    program.is_shipped(program.lambda(code).body).then(|| program.sources.text(program.span(operator)))
}

/// Both ends of a chain of calls. The middle is not kept even for a moment: a chain may be as long as memory allows.
#[derive(Default)]
struct Calls {
    innermost: Vec<ExpressionId>,
    outermost: VecDeque<ExpressionId>,
    /// How many calls stand between them.
    elided: u64,
    /// The number of calls, those of shipped code included.
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

/// The innermost node that a walk over frames has come to.
struct Nest {
    /// Among all nodes.
    node: ExpressionId,
    /// Among those of the user's program.
    place: ExpressionId,
}

/// The pending calls, innermost first: of each activation but the one in which the error arose the call that it awaits.
///
/// The frames of one activation nest: what a frame awaits lies around the node of the frame before it. Any other frame
/// begins the next activation. (A recursive procedure is no exception: an activation that got to a node has the frames
/// around that node.) The frames of the prelude and of libraries are counted and left out.
fn pending_calls(
    program: &Program,
    whereabouts: &Whereabouts,
    frames: impl Iterator<Item = PendingFrame>,
    mut inner: Nest,
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
