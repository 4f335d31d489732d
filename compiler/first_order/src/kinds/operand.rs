//! Operands of statements: variables, and constants.

use super::bits::Bits;

vlad_core::numbers! {
    /// The number of a function in its unit.
    FunctionId;
    /// The number of a variable in its function.
    Variable;
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A variable.
    Variable(Variable),
    /// A real constant: inactive at every level.
    Real(Bits),
    /// A boolean constant.
    Boolean(bool),
}

impl Operand {
    /// A value of a record that nobody reads, on the path that pushes it: a NaN that no program has, since its payload
    /// is not that of a result.
    pub const UNREAD: Operand = Operand::Real(Bits(0x7ff8_0000_756e_7265));

    /// Variables as operands.
    pub fn all(variables: &[Variable]) -> Vec<Operand> {
        variables.iter().copied().map(Operand::Variable).collect()
    }

    /// A real constant.
    pub fn real(real: f64) -> Operand {
        Operand::Real(Bits::of(real))
    }

    /// The constant that it is.
    pub fn constant(self) -> Option<Operand> {
        match self {
            Operand::Variable(_) => None,
            Operand::Real(_) | Operand::Boolean(_) => Some(self),
        }
    }

    /// The number that it is.
    pub fn number(self) -> Option<f64> {
        if let Operand::Real(bits) = self { Some(bits.real()) } else { None }
    }

    /// The variable that it is.
    pub fn variable(self) -> Option<Variable> {
        match self {
            Operand::Variable(variable) => Some(variable),
            Operand::Real(_) | Operand::Boolean(_) => None,
        }
    }
}

impl From<Variable> for Operand {
    fn from(variable: Variable) -> Operand {
        Operand::Variable(variable)
    }
}
