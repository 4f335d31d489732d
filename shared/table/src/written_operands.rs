//! Names whose meaning depends on the operands that are written beside them: on their number, or on texts among them.

use crate::primitives::Primitive;

impl Primitive {
    /// Returns true if the number of written operands decides which primitive its name means as an operator.
    pub fn minds_operands(self) -> bool {
        matches!(self, Primitive::Forward | Primitive::Reverse | Primitive::Checkpoint)
    }

    /// Returns the primitive that its name means as an operator of so many written operands.
    #[must_use]
    pub fn with_operands(self, written: usize) -> Primitive {
        match (self, written) {
            (Primitive::Forward, 1) => Primitive::TransformForward,
            (Primitive::Reverse, 1) => Primitive::TransformReverse,
            (Primitive::Checkpoint, 5) => Primitive::CheckpointBisection,
            (Primitive::Checkpoint, 6) => Primitive::CheckpointBinomial,
            (_, _) => self,
        }
    }

    /// Returns the primitive that its name means as an operator with texts among its operands; none if it takes none.
    #[must_use]
    pub fn with_texts(self) -> Option<Primitive> {
        match self {
            Primitive::Write => Some(Primitive::WriteText),
            Primitive::Error => Some(Primitive::ErrorText),
            _ => None,
        }
    }
}
