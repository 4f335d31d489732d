//! Calls of a function by itself that end a loop which is last in its body: the loop yields the arguments, and the call follows
//! it.
//!
//! ```text
//! t = loop ... yield e | u = call f a; yield u        t b p = loop ... yield e #f 0 | yield 0 #t a
//! yield t                                        ->   if b: u = call f p; yield u   else: yield t
//! ```
//!
//! So the call is in tail position, and becomes an iteration of a loop around the function's body. Values are only moved. A path that
//! does not have one of them yields another in its place, which is not read: no bit changes.

use crate::passes::shape::iteration::{are_targets, ends_in_call};
use crate::{Block, End, Function, FunctionId, Kind, Operand, Statement};

/// Moves the calls of a function by itself out of the loops that are last in a block of it.
pub fn move_calls_behind_loops(id: FunctionId, function: &mut Function, block: &mut Block) {
    for inner in block.end.blocks_mut().into_iter().flatten() {
        move_calls_behind_loops(id, function, inner);
    }
    let End::Yield(results) = &block.end else { return };
    let Some(Statement::Loop { targets, body, .. }) = block.statements.last_mut() else { return };
    if !are_targets(results, targets) {
        return;
    }
    move_calls_behind_loops(id, function, body);
    if !body.leaves().any(|leaf| ends_in_call(leaf, id)) {
        return;
    }
    let kinds = function.kinds(&function.parameters);
    let of_results = function.results.clone();
    body.change_leaves(&mut |leaf| {
        if ends_in_call(leaf, id)
            && let Some(Statement::Call { arguments, .. }) = leaf.statements.pop()
        {
            let mut values = others(&of_results, function, &mut leaf.statements);
            values.push(Operand::Boolean(true));
            values.extend(arguments);
            leaf.end = End::Yield(values);
        } else if let End::Yield(values) = &mut leaf.end {
            values.push(Operand::Boolean(false));
            values.extend(others(&kinds, function, &mut leaf.statements));
        }
    });
    let yielded = targets.clone();
    let calls = function.fresh(Kind::Boolean);
    let arguments = function.fresh_all(&kinds);
    targets.push(calls);
    targets.extend(&arguments);
    let called = function.fresh_all(&of_results);
    let end = End::Yield(Operand::all(&called));
    let call = Statement::Call { targets: called, function: id, arguments: Operand::all(&arguments) };
    block.end = End::Branch {
        test: calls.into(),
        consequent: Box::new(Block { statements: vec![call], end }),
        alternative: Box::new(Block { statements: Vec::new(), end: End::Yield(Operand::all(&yielded)) }),
    };
}

/// Values of some kinds that nothing reads.
fn others(kinds: &[Kind], function: &mut Function, statements: &mut Vec<Statement>) -> Vec<Operand> {
    let other = |kind: &Kind| match kind {
        Kind::Integer => vlad_table::internal_bug!("first-order code has no integers"),
        Kind::Real => Operand::real(0.0),
        Kind::Boolean => Operand::Boolean(false),
        Kind::Array(_) => {
            let target = function.fresh(*kind);
            statements.push(Statement::Array { target, elements: Vec::new() });
            target.into()
        }
        Kind::Cell => {
            let target = function.fresh(Kind::Cell);
            statements.push(Statement::Cell { target, parts: Vec::new() });
            target.into()
        }
    };
    kinds.iter().map(other).collect()
}
