//! Cells move the tangents of their parts, and the numbers of nodes, along in cells of their own.

use super::coefficients::is_constant_zero;
use super::forward::Emission;
use crate::first_order::{Operand, Statement, Tape, Variable};
use vlad_table::internal_bug;

impl Emission<'_> {
    /// An action on an accumulator in memory, whose tangent is an accumulator, too; returns false for actions on a tape.
    pub(super) fn on_accumulator(
        &mut self,
        statement: &Statement,
        (targets, action, operands): (&[Variable], Tape, &[Operand]),
        code: &mut Vec<Statement>,
    ) -> bool {
        let of_tangent = |targets, operands| Statement::Tape { targets, action, operands };
        match (action, targets, operands) {
            (Tape::Allocate, [target], _) => {
                code.push(statement.clone());
                self.with_tangent(*target, code, |target| of_tangent(vec![target], Vec::new()));
            }
            (Tape::Sum, [target], [reference]) => {
                code.push(statement.clone());
                let reference = self.tangent(*reference);
                if !is_constant_zero(reference) {
                    self.with_tangent(*target, code, |target| of_tangent(vec![target], vec![reference]));
                }
            }
            (Tape::Add, [], [reference, added]) => {
                code.push(statement.clone());
                let (reference, added) = (self.tangent(*reference), self.tangent(*added));
                if !is_constant_zero(reference) && !is_constant_zero(added) {
                    code.push(of_tangent(Vec::new(), vec![reference, added]));
                }
            }
            _ => return false,
        }
        true
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
