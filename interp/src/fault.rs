//! From a fault inside the machine to the diagnostic that a user sees: place and pending calls.

use crate::continuation::Continuation;
use std::collections::{HashMap, HashSet};
use vlad_shared::apply::Fault;
use vlad_shared::core::{Expression, ExpressionId, LambdaId, Program};
use vlad_shared::diagnostic::{Diagnostic, PendingCall};
use vlad_shared::run::Trouble;
use vlad_shared::source::Span;

/// A fault and where it arose.
#[derive(Debug)]
pub struct Stop {
    /// What happened.
    pub fault: Fault,
    /// The node that was evaluated or applied.
    pub node: ExpressionId,
    /// The user's application to show instead if the node is the prelude's.
    pub site: ExpressionId,
}

/// A fault on its way out; boxed, since it is rare and results are many.
pub type Stopped = Box<Stop>;

/// Calls kept at either end of a long chain.
const CALLS_KEPT: usize = 50;

/// The diagnostic of trouble at a node, with the pending calls that the frames tell.
pub fn diagnose(
    program: &Program,
    trouble: Trouble,
    node: ExpressionId,
    site: ExpressionId,
    frames: &Continuation,
    top: ExpressionId,
) -> Diagnostic {
    let place = if program.is_prelude(node) { site } else { node };
    let mut diagnostic = Diagnostic::new(trouble.kind, program.span(place), trouble.message);
    diagnostic.hint = trouble.hint;
    let owners = owners(program);
    if place != node {
        let inside = owners.get(&node).and_then(|lambda| program.lambda(*lambda).name.as_ref());
        let message = inside.map_or_else(|| "inside the prelude".to_owned(), |name| format!("inside `{name}`"));
        diagnostic = diagnostic.with_label(program.span(node), message);
    }
    let mut calls = pending_calls(program, &owners, frames, top);
    // The call in which the error arose is shown already.
    if calls.first().is_some_and(|(_, span)| *span == program.span(place)) {
        calls.remove(0);
    }
    let elided = calls.len().saturating_sub(2 * CALLS_KEPT);
    diagnostic.elided_calls = elided as u64;
    let kept = calls.iter().enumerate().filter(|(at, _)| elided == 0 || *at < CALLS_KEPT || *at >= CALLS_KEPT + elided);
    diagnostic.chain = kept
        .map(|(_, (owner, span))| PendingCall {
            span: *span,
            procedure: owner.and_then(|lambda| program.lambda(lambda).name.clone()),
        })
        .collect();
    diagnostic
}

/// The pending calls, innermost first: for each frame of the user's the awaited expression and the procedure around it.
///
/// The frames of one activation nest: one that awaits an expression around what the frame before it awaits is left out,
/// and so is the prelude's work. The last one is the expression at top level.
fn pending_calls(
    program: &Program,
    owners: &HashMap<ExpressionId, LambdaId>,
    frames: &Continuation,
    top: ExpressionId,
) -> Vec<(Option<LambdaId>, Span)> {
    let owner_of = |node: ExpressionId| owners.get(&node).copied();
    let mut calls: Vec<(Option<LambdaId>, Span)> = Vec::new();
    for frame in frames.iter().filter(|frame| !program.is_prelude(frame.node())) {
        let Some(awaited) = frame.awaited(program) else {
            continue;
        };
        let call = (owner_of(frame.node()), program.span(awaited));
        if calls.last().is_none_or(|inner| !encloses(call, *inner)) {
            calls.push(call);
        }
    }
    let call = (None, program.span(top));
    if calls.last().is_none_or(|inner| !encloses(call, *inner)) {
        calls.push(call);
    }
    calls
}

/// Whether the first call's expression lies around the second's, in the same procedure.
fn encloses(outer: (Option<LambdaId>, Span), inner: (Option<LambdaId>, Span)) -> bool {
    let ((outer_owner, outer), (inner_owner, inner)) = (outer, inner);
    outer_owner == inner_owner
        && outer.file == inner.file
        && outer.start <= inner.start
        && inner.end <= outer.end
        && outer != inner
}

/// The procedure around each node of a procedure's body; nodes at top level have none.
fn owners(program: &Program) -> HashMap<ExpressionId, LambdaId> {
    // The lambda of a `let` is no procedure of its own: the one around it walks through it.
    let of_lets: HashSet<LambdaId> = program.expressions.iter().filter_map(let_lambda).collect();
    let mut owners = HashMap::new();
    let mut pending = Vec::new();
    for (number, lambda) in program.lambdas.iter().enumerate() {
        let id = LambdaId(number as u32);
        if !of_lets.contains(&id) {
            pending.push((lambda.body, id));
        }
        while let Some((node, owner)) = pending.pop() {
            owners.insert(node, owner);
            match program.expression(node) {
                Expression::Constant(_) | Expression::Variable(_) | Expression::Lambda(_) => {}
                Expression::Application { operator, operand } => {
                    pending.extend([(operator, owner), (operand, owner)]);
                }
                Expression::Let { lambda, operand, .. } => {
                    pending.extend([(program.lambda(lambda).body, owner), (operand, owner)]);
                }
                Expression::Cons { first, second } => pending.extend([(first, owner), (second, owner)]),
                Expression::If { test, consequent, alternative } => {
                    pending.extend([(test, owner), (consequent, owner), (alternative, owner)]);
                }
                Expression::Letrec { body, .. } => pending.push((body, owner)),
            }
        }
    }
    owners
}

fn let_lambda(expression: &Expression) -> Option<LambdaId> {
    match expression {
        Expression::Let { lambda, .. } => Some(*lambda),
        Expression::Constant(_)
        | Expression::Variable(_)
        | Expression::Lambda(_)
        | Expression::Application { .. }
        | Expression::Cons { .. }
        | Expression::If { .. }
        | Expression::Letrec { .. } => None,
    }
}
