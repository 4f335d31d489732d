//! Integers in C: unsigned words, which are compared as signed ones.

use super::function::{Body, name, operand};
use crate::c::Expression as C;
use vlad_first_order::counted_loops::whole;
use vlad_first_order::{Kind, Operand};

impl Body<'_> {
    /// An integer, or the integer of a real that is a whole number.
    pub fn integer(&self, index: Operand) -> C {
        match index {
            Operand::Variable(variable) if self.kind(variable) == Kind::Integer => name(variable),
            Operand::Real(bits) if let Some(whole) = whole(bits.real()) => C::Number(whole),
            _ => C::call("vlad_whole", [operand(index)]),
        }
    }

    /// Two operands that are compared.
    pub fn compared(&self, operands: [Operand; 2]) -> [C; 2] {
        let is_integer = |operand: &Operand| self.function.kind(*operand) == Kind::Integer;
        if !operands.iter().any(is_integer) {
            return operands.map(operand);
        }
        operands.map(|operand| match operand {
            Operand::Real(bits) if bits.real() < 0.0 => self.signed(Operand::real(-bits.real())).prefix("-"),
            _ => self.signed(operand),
        })
    }

    /// An integer with its sign.
    pub fn signed(&self, integer: Operand) -> C {
        C::call("vlad_signed", [self.integer(integer)])
    }
}
