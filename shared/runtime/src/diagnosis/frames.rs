//! Pending frames: the frames of an engine's continuation, as far as error messages need them.

use vlad_core::{Awaiting, Expression, ExpressionId, LambdaId, Program, Reference};

/// The information that a frame of a continuation has for errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingFrame {
    /// The call that it awaits.
    pub awaiting: Awaiting,
    /// The call site of the waiting activation, if the frame has it.
    pub site: Option<ExpressionId>,
    /// The index of the iteration, if the frame is that of a loop procedure.
    pub iteration: Option<u64>,
}

impl PendingFrame {
    /// A frame of a node that awaits a call, without further information.
    pub fn of_call(node: ExpressionId, awaited: ExpressionId) -> PendingFrame {
        PendingFrame { awaiting: Awaiting { node, awaited }, site: None, iteration: None }
    }
}

/// The procedure of the prelude or of a library that an application calls by name, with the name as it is written there.
/// `codes` is the result of [`Program::known_definitions`].
pub(crate) fn entered_at<'program>(
    program: &'program Program,
    codes: &[Option<LambdaId>],
    site: ExpressionId,
) -> Option<(&'program str, LambdaId)> {
    let Expression::Application { operator, .. } = program.expression(site) else { return None };
    let Expression::Variable(Reference::Global(global)) = program.expression(operator) else { return None };
    let code = codes.get(global.0 as usize).copied().flatten()?;
    program.is_shipped(program.lambda(code).body).then(|| (program.sources.text(program.span(operator)), code))
}
