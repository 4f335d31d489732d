//! Statements that move reals: into arrays, cells and accumulators in memory, and out of them.
//!
//! The same statement moves the tangents of these reals, in arrays, cells and accumulators of their own. Indices
//! and lengths are those of the primal.

use super::emission::Emission;
use crate::differentiate::emitter::is_constant_zero;
use crate::{AccumulatorAction, Action, Kind, MemoryAction, Operand, Statement, Variable};
use vlad_table::internal_bug;

impl Emission<'_> {
    /// Appends a statement that moves reals, and the one that moves their tangents, unless these are known to be zero.
    pub fn moving(&mut self, statement: &Statement, code: &mut Vec<Statement>) {
        code.push(statement.clone());
        let mut made = statement.clone();
        let is_zero = |this: &Self, operand: &Operand| is_constant_zero(this.tangent(*operand));
        match &mut made {
            Statement::Array { elements: moved, .. } | Statement::Cell { parts: moved, .. } => {
                if moved.iter().all(|operand| is_zero(self, operand)) {
                    return;
                }
                moved.retain(|operand| self.function.kind(*operand).is_differentiable());
                moved.iter_mut().for_each(|operand| *operand = self.materialised(*operand, code));
            }
            Statement::Element { array: moved, .. } | Statement::Parts { cell: moved, .. } => {
                if is_zero(self, moved) {
                    return;
                }
                *moved = self.tangent(*moved);
            }
            Statement::Replace { array, value, .. } => {
                if is_zero(self, array) && is_zero(self, value) {
                    return;
                }
                *array = self.materialised(*array, code);
                *value = self.tangent(*value);
            }
            Statement::Load { array, .. } => *array = self.tangent(*array),
            Statement::Store { array, value, .. } => (*array, *value) = (self.tangent(*array), self.tangent(*value)),
            Statement::Accumulators { .. } => {}
            Statement::Act { action: Action::Accumulator(action), operands, .. } => match action {
                AccumulatorAction::Allocate => {}
                AccumulatorAction::Refer => {
                    operands.iter_mut().take(1).for_each(|array| *array = self.tangent(*array));
                }
                AccumulatorAction::Add | AccumulatorAction::Sum | AccumulatorAction::HandOver => {
                    if operands.iter().any(|operand| is_zero(self, operand)) {
                        return;
                    }
                    operands.iter_mut().for_each(|operand| *operand = self.tangent(*operand));
                }
            },
            _ => internal_bug!("a statement that moves reals is expected"),
        }
        let mut of_tangents = Vec::new();
        for target in statement.targets() {
            let kind = self.function.kind((*target).into());
            if kind.is_differentiable() {
                let tangent = self.function.fresh(kind);
                self.set_tangent(*target, tangent.into());
                of_tangents.push(tangent);
            }
        }
        match &mut made {
            Statement::Parts { targets, .. } => *targets = of_tangents,
            other => other.targets_mut().iter_mut().zip(of_tangents).for_each(|(target, tangent)| *target = tangent),
        }
        code.push(made);
    }

    /// Appends the action that frees memory but for some cells, and for their tangents.
    pub fn keep(&mut self, targets: &[Variable], operands: &[Operand], code: &mut Vec<Statement>) {
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
}
