//! Code on arrays as tangents and cotangents: element by element, at whatever rank.

use super::emitter::{Emitter, choice};
use crate::{Block, End, Kind, NOWHERE, Operand, Relation, Statement};

impl Emitter<'_> {
    /// The value of a function for a real, or the array of its values for the reals of an array.
    pub fn mapped(&mut self, operand: Operand, map: &mut impl FnMut(&mut Emitter<'_>, Operand) -> Operand) -> Operand {
        let kind = self.function.kind(operand);
        let Some(of_element) = kind.element() else { return map(self, operand) };
        let length = self.length(operand);
        let index = self.function.fresh(Kind::Real);
        let body = self.block(|code| {
            let element = code.element(of_element, operand, index.into());
            End::Yield(vec![code.mapped(element, map)])
        });
        self.assign(kind, |target| Statement::Build { targets: vec![target], length, index, body })
    }

    /// A tangent or cotangent without the signs of its zeros, as it leaves a level (report, 9.2).
    pub fn without_signs_of_zeros(&mut self, operand: Operand) -> Operand {
        self.mapped(operand, &mut |code, operand| {
            code.assign(Kind::Real, |target| Statement::PositiveZero { target, operand })
        })
    }

    /// Executes code at each place of two arrays of the same lengths, in order. It is given the two arrays of reals, and
    /// the index. The lengths are read from one of the two.
    pub fn at_each_place(
        &mut self,
        [first, second]: [Operand; 2],
        like: Operand,
        write: &mut impl FnMut(&mut Emitter<'_>, [Operand; 2], Operand),
    ) {
        let Some(kind) = self.function.kind(like).element() else { return };
        let length = self.length(like);
        let index = self.function.fresh(Kind::Real);
        let body = self.block(|code| {
            if kind.is_array() {
                let [of_first, of_second] = [first, second].map(|array| code.element(kind, array, index.into()));
                let like = if like == first { of_first } else { of_second };
                code.at_each_place([of_first, of_second], like, write);
            } else {
                write(code, [first, second], index.into());
            }
            End::Yield(Vec::new())
        });
        self.statements.push(Statement::Build { targets: Vec::new(), length, index, body });
    }

    /// Adds the elements of a cotangent to accumulators, in order.
    pub fn add_to_accumulators(&mut self, accumulators: Operand, cotangent: Operand) {
        self.at_each_place([cotangent, accumulators], accumulators, &mut |code, [cotangent, accumulators], index| {
            let added = code.element(Kind::Real, cotangent, index);
            code.add_at((accumulators, index), added);
        });
    }

    /// Copies accumulators to others of the same lengths, which may be the same ones.
    pub fn replace_accumulators(&mut self, accumulators: Operand, by: Operand) {
        self.at_each_place([accumulators, by], accumulators, &mut |code, [array, by], index| {
            let value = code.load(by, index);
            code.statements.push(Statement::Store { array, index, value });
        });
    }

    /// Bails out unless a cotangent has the lengths of its result.
    pub fn require_lengths(&mut self, result: Operand, cotangent: Operand) {
        if !self.function.kind(result).is_array() {
            return;
        }
        let (first, second, relation) = (result, cotangent, Relation::SameLengths);
        let test = self.assign(Kind::Boolean, |target| Statement::CompareArrays { target, relation, first, second });
        let otherwise = Block { statements: Vec::new(), end: End::BailOut(NOWHERE) };
        self.statements.push(choice(Vec::new(), test, Block::default(), otherwise));
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
