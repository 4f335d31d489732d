//! Cells move the tangents of their parts, and the numbers of nodes, along in cells of their own.

use super::emission::Emission;
use crate::first_order::differentiate::coefficients::is_constant_zero;
use crate::first_order::{Kind, Operand, Statement, Tape, Variable};
use vlad_table::internal_bug;

impl Emission<'_> {
    /// An action on an accumulator in memory, whose tangent is an accumulator, too, or on the memory; returns false for actions
    /// on a tape.
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
            (Tape::Refer, [target], [array, index]) => {
                code.push(statement.clone());
                let (array, index) = (self.tangent(*array), *index);
                self.with_tangent(*target, code, |target| of_tangent(vec![target], vec![array, index]));
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
            (Tape::HandOver, [], [from, to]) => {
                code.push(statement.clone());
                let (from, to) = (self.tangent(*from), self.tangent(*to));
                if !is_constant_zero(from) && !is_constant_zero(to) {
                    code.push(of_tangent(Vec::new(), vec![from, to]));
                }
            }
            (
                Tape::Mark
                | Tape::Release
                | Tape::Size
                | Tape::BeginReads
                | Tape::Reads
                | Tape::ReadAgain
                | Tape::EndReads,
                ..,
            ) => code.push(statement.clone()),
            (Tape::Keep, targets, [mark, kept @ ..]) => self.keep(targets, (*mark, kept), code),
            _ => return false,
        }
        true
    }

    /// The cells that are kept, and their tangents.
    fn keep(&mut self, targets: &[Variable], (mark, kept): (Operand, &[Operand]), code: &mut Vec<Statement>) {
        let (mut targets_of_both, mut both) = (targets.to_vec(), vec![mark]);
        both.extend(kept);
        for (target, cell) in targets.iter().zip(kept) {
            let tangent = self.tangent(*cell);
            if is_constant_zero(tangent) {
                continue;
            }
            let moved = self.function.fresh(Kind::Cell);
            self.set_tangent(*target, moved.into());
            targets_of_both.push(moved);
            both.push(tangent);
        }
        code.push(Statement::Tape { targets: targets_of_both, action: Tape::Keep, operands: both });
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
