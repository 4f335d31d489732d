//! The procedure of the prelude or of a library that an error inside library code is reported for.
//!
//! The program calls `quantile`, and the error occurs in a procedure that `quantile` calls: it is reported for `quantile`. If
//! the procedure that the program calls by name cannot reach the error, as `map` in `(map median l)`, the error is reported for
//! the outermost pending procedure of library code that it cannot reach: the program has passed that one.

use super::explain::{applied_primitive, written_operands};
use super::frames::{PendingFrame, entered_at};
use super::mismatch::parameters;
use vlad_core::node_ranges::NodeRanges;
use vlad_core::print::patterns::as_written;
use vlad_core::{Constant, Expression, ExpressionId, LambdaId, Program, Reference};
use vlad_values::fault::{Cause, RuntimeError};

/// The procedure, as far as the frames have been seen.
pub(crate) struct Called<'error> {
    program: &'error Program,
    whereabouts: &'error NodeRanges,
    site: ExpressionId,
    /// The procedure that the program calls by name at the call site.
    entered: Option<(&'error str, LambdaId)>,
    /// For each lambda, true if it is the definition that was entered or is reached from it.
    reached: Vec<bool>,
    /// The outermost definition seen that is not reached.
    passed: Option<LambdaId>,
    is_within: bool,
}

impl<'error> Called<'error> {
    /// Begins with the node of an error in library code and its call site; the frames around it follow.
    pub(crate) fn around(
        program: &'error Program,
        whereabouts: &'error NodeRanges,
        codes: &[Option<LambdaId>],
        node: ExpressionId,
        site: ExpressionId,
    ) -> Called<'error> {
        let mut called = Called {
            program,
            whereabouts,
            site,
            entered: entered_at(program, codes, site).filter(|_| program.is_shipped(node)),
            reached: vec![],
            passed: None,
            is_within: program.is_shipped(node),
        };
        if called.is_within {
            called.reached = reached(program, whereabouts, codes, called.entered.map(|(_, lambda)| lambda));
            called.visit(node);
        }
        called
    }

    /// Adds the next frame; frames come innermost first.
    pub(crate) fn frame(&mut self, frame: &PendingFrame) {
        let node = frame.awaiting.node;
        self.is_within &= self.program.is_shipped(node) && frame.site.is_none_or(|site| site == self.site);
        if self.is_within {
            self.visit(node);
        }
    }

    fn visit(&mut self, node: ExpressionId) {
        if let Some(definition) = self.whereabouts.outermost_procedure(self.program, node)
            && !self.reached.get(definition.0 as usize).copied().unwrap_or_default()
        {
            self.passed = Some(definition);
        }
    }

    /// Returns the name of the procedure.
    pub(crate) fn name(&self) -> Option<&'error str> {
        match self.passed {
            Some(passed) => self.program.lambda(passed).name.as_deref(),
            None => self.entered.map(|(name, _)| name),
        }
    }

    /// Returns true if an error is about a primitive that the procedure passes to another one, as `sum` passes `+`.
    pub(crate) fn has_passed(&self, trouble: &RuntimeError, node: ExpressionId) -> bool {
        let Some(Cause::NoReal { name, .. }) = trouble.cause.as_deref() else { return false };
        let is_meant = |operand: ExpressionId| {
            matches!(self.program.expression(operand), Expression::Variable(Reference::Primitive(primitive))
                if primitive.name() == name)
        };
        let passes = |node: ExpressionId| match self.program.expression(node) {
            Expression::Application { operand, .. } => is_meant(operand),
            Expression::Cons { first, second } => is_meant(first) || is_meant(second),
            _ => false,
        };
        let is_reached = |node: ExpressionId| {
            let definition = self.whereabouts.outermost_procedure(self.program, node);
            definition.is_some_and(|definition| self.reached.get(definition.0 as usize).copied().unwrap_or_default())
        };
        self.program.is_shipped(node)
            && !applied_primitive(self.program, node)
            && (0..self.program.shipped_nodes).map(ExpressionId).any(|node| passes(node) && is_reached(node))
    }

    /// Returns a hint if the program calls the procedure with another number of operands than it has parameters.
    pub(crate) fn miscounted(&self) -> Option<String> {
        let (name, lambda) = self.entered.filter(|_| self.passed.is_none())?;
        let written = written_operands(self.program, self.site)?;
        let parameters = parameters(self.program, self.program.lambda(lambda).pattern);
        if written == parameters.len() || (written == 1 && !self.is_written_list()) {
            return None;
        }
        let names: Vec<String> = parameters.iter().map(|part| as_written(self.program, *part)).collect();
        let (count, names) = (names.len(), names.join(" "));
        let ending = if count == 1 { "" } else { "s" };
        let verb = if written == 1 { "is" } else { "are" };
        Some(format!(
            "`{name}` takes {count} operand{ending}, ({names}), and {written} {verb} written: several are one tuple"
        ))
    }

    /// Returns true if the operand of the call is written as a list, whose elements may be meant as operands.
    fn is_written_list(&self) -> bool {
        let Expression::Application { operand, .. } = self.program.expression(self.site) else { return false };
        let mut rest = operand;
        while let Expression::Cons { second, .. } = self.program.expression(rest) {
            rest = second;
        }
        matches!(self.program.expression(rest), Expression::Constant(constant)
            if matches!(self.program.constant(constant), Constant::Nil | Constant::Pair(..)))
    }
}

/// Marks the lambdas of the definitions that a definition of library code reaches, itself among them.
fn reached(
    program: &Program,
    whereabouts: &NodeRanges,
    codes: &[Option<LambdaId>],
    entered: Option<LambdaId>,
) -> Vec<bool> {
    let mut reached = vec![false; program.lambdas.len()];
    let mut uses: Vec<Vec<LambdaId>> = vec![vec![]; program.lambdas.len()];
    for node in (0..program.shipped_nodes).map(ExpressionId) {
        if let Expression::Variable(Reference::Global(global)) = program.expression(node)
            && let Some(used) = codes.get(global.0 as usize).copied().flatten()
            && let Some(user) = whereabouts.outermost_procedure(program, node)
            && let Some(uses) = uses.get_mut(user.0 as usize)
        {
            uses.push(used);
        }
    }
    let mut pending: Vec<LambdaId> = entered.into_iter().collect();
    while let Some(lambda) = pending.pop() {
        let Some(mark) = reached.get_mut(lambda.0 as usize) else { continue };
        if !std::mem::replace(mark, true) {
            pending.extend(uses.get(lambda.0 as usize).into_iter().flatten());
        }
    }
    reached
}
