//! The tangents of cells, which are cells of the tangents of their parts, and of accumulators in memory.

use super::emission::Emission;
use crate::first_order::differentiate::emitter::is_constant_zero;
use crate::first_order::{AccumulatorAction, Kind, MemoryAction, Operand, Statement, Variable};
use vlad_table::internal_bug;

impl Emission<'_> {
    /// The tangent of an action on accumulators in memory: the same action on their tangents, which are accumulators in memory as
    /// well.
    pub(super) fn on_accumulator(
        &mut self,
        (targets, action, operands): (&[Variable], AccumulatorAction, &[Operand]),
        code: &mut Vec<Statement>,
    ) {
        let tangents = match (action, operands) {
            (AccumulatorAction::Refer, [array, index]) => vec![self.tangent(*array), *index],
            _ => operands.iter().map(|operand| self.tangent(*operand)).collect(),
        };
        let is_allocated = |action| matches!(action, AccumulatorAction::Allocate | AccumulatorAction::Refer);
        if !is_allocated(action) && tangents.iter().copied().any(is_constant_zero) {
            return;
        }
        match targets {
            [target] => self.with_tangent(*target, code, |target| Statement::action(vec![target], action, tangents)),
            _ => code.push(Statement::action(Vec::new(), action, tangents)),
        }
    }

    /// The cells that are kept when memory is freed, and their tangents.
    pub(super) fn keep(&mut self, targets: &[Variable], operands: &[Operand], code: &mut Vec<Statement>) {
        let (mut targets_of_both, mut both) = (targets.to_vec(), operands.to_vec());
        for (target, cell) in targets.iter().zip(operands.iter().skip(1)) {
            let tangent = self.tangent(*cell);
            if is_constant_zero(tangent) {
                continue;
            }
            let moved = self.function.fresh(Kind::Cell);
            self.set_tangent(*target, moved.into());
            targets_of_both.push(moved);
            both.push(tangent);
        }
        code.push(Statement::action(targets_of_both, MemoryAction::Keep, both));
    }

    /// A cell or its parts.
    pub(super) fn on_cell(&mut self, statement: &Statement, code: &mut Vec<Statement>) {
        code.push(statement.clone());
        match statement {
            Statement::Cell { target, parts } => {
                let has_tangents = |this: &Self| parts.iter().any(|part| !is_constant_zero(this.tangent(*part)));
                if !has_tangents(self) {
                    return;
                }
                let parts: Vec<Operand> =
                    parts.iter().copied().filter(|part| self.function.kind(*part).is_differentiable()).collect();
                let parts = parts.into_iter().map(|part| self.materialised(part, code)).collect();
                self.with_tangent(*target, code, |target| Statement::Cell { target, parts });
            }
            Statement::Parts { targets, cell } => {
                let cell = self.tangent(*cell);
                if is_constant_zero(cell) {
                    return;
                }
                let mut tangents = Vec::new();
                for target in targets {
                    let kind = self.function.kind(Operand::Variable(*target));
                    if kind.is_differentiable() {
                        let tangent = self.function.fresh(kind);
                        self.set_tangent(*target, Operand::Variable(tangent));
                        tangents.push(tangent);
                    }
                }
                code.push(Statement::Parts { targets: tangents, cell });
            }
            _ => internal_bug!("a statement on cells is expected"),
        }
    }
}
