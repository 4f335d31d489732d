//! Arrays as tangents and cotangents.

use super::coefficients::Emitter;
use crate::first_order::{Block, End, Kind, NOWHERE, Operand, Relation, Statement, Variable};
use vlad_table::Operation;

impl Emitter<'_> {
    /// Assigns a tangent or cotangent without the signs of its zeros, as it leaves a level (report, 9.2): a real, or an
    /// array of them.
    pub fn give_back(&mut self, target: Variable, operand: Operand) {
        let Some(kind) = self.function.kind(operand).element() else {
            self.statements.push(Statement::PositiveZero { target, operand });
            return;
        };
        let length = self.assign(Kind::Real, |target| Statement::Length { target, array: operand });
        let index = self.function.fresh(Kind::Real);
        let body = self.block(|code| {
            let index = Operand::Variable(index);
            let element = code.assign(kind, |target| Statement::Element { target, array: operand, index });
            let given = code.function.fresh(kind);
            code.give_back(given, element);
            End::Yield(vec![Operand::Variable(given)])
        });
        self.statements.push(Statement::Build { targets: vec![target], length, index, body });
    }

    /// Adds the elements of a cotangent to accumulators, in order.
    pub fn add_to_accumulators(&mut self, accumulators: Operand, cotangent: Operand) {
        let Some(kind) = self.function.kind(accumulators).element() else { return };
        let length = self.assign(Kind::Real, |target| Statement::Length { target, array: accumulators });
        let index = self.function.fresh(Kind::Real);
        let body = self.block(|code| {
            let index = Operand::Variable(index);
            let added = code.assign(kind, |target| Statement::Element { target, array: cotangent, index });
            if kind.is_array() {
                let inner = code.assign(kind, |target| Statement::Element { target, array: accumulators, index });
                code.add_to_accumulators(inner, added);
            } else {
                let old = code.assign(kind, |target| Statement::Load { target, array: accumulators, index });
                let value = code.binary(Operation::Add, old, added);
                code.statements.push(Statement::Store { array: accumulators, index, value });
            }
            End::Yield(Vec::new())
        });
        self.statements.push(Statement::Build { targets: Vec::new(), length, index, body });
    }

    /// Copies accumulators to others of the same lengths, which may be the same ones.
    pub fn replace_accumulators(&mut self, accumulators: Operand, by: Operand) {
        let Some(kind) = self.function.kind(accumulators).element() else { return };
        let length = self.assign(Kind::Real, |target| Statement::Length { target, array: accumulators });
        let index = self.function.fresh(Kind::Real);
        let body = self.block(|code| {
            let index = Operand::Variable(index);
            if kind.is_array() {
                let inner = code.assign(kind, |target| Statement::Element { target, array: accumulators, index });
                let by = code.assign(kind, |target| Statement::Element { target, array: by, index });
                code.replace_accumulators(inner, by);
            } else {
                let value = code.assign(kind, |target| Statement::Load { target, array: by, index });
                code.statements.push(Statement::Store { array: accumulators, index, value });
            }
            End::Yield(Vec::new())
        });
        self.statements.push(Statement::Build { targets: Vec::new(), length, index, body });
    }

    /// Bails out unless a cotangent has the lengths of its result.
    pub fn require_lengths(&mut self, result: Operand, cotangent: Operand) {
        if !self.function.kind(result).is_array() {
            return;
        }
        let (first, second, relation) = (result, cotangent, Relation::SameLengths);
        let test = self.assign(Kind::Boolean, |target| Statement::CompareArrays { target, relation, first, second });
        let otherwise = Box::new(Block { statements: Vec::new(), end: End::BailOut(NOWHERE) });
        let end = End::Branch { test, consequent: Box::default(), alternative: otherwise };
        let block = Block { statements: Vec::new(), end };
        self.statements.push(Statement::Bind { targets: Vec::new(), block });
    }

    /// A tangent as a value: an array of zeros, or an absent cell, where an array or a cell has the constant 0 as its
    /// tangent.
    pub fn materialised(&mut self, primal: Operand, tangent: Operand) -> Operand {
        let kind = self.function.kind(primal);
        match tangent {
            Operand::Variable(_) => tangent,
            Operand::Real(_) | Operand::Boolean(_) if kind.is_array() && kind.is_differentiable() => {
                self.assign(kind, |target| Statement::Zeros { target, like: primal })
            }
            Operand::Real(_) | Operand::Boolean(_) if kind == Kind::Cell => {
                self.assign(kind, |target| Statement::Cell { target, parts: Vec::new() })
            }
            Operand::Real(_) | Operand::Boolean(_) => tangent,
        }
    }
}
