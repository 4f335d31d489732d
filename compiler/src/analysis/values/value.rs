//! Values of the abstract evaluator: an abstract value, and operands of the residual code for its leaves.

use super::domain::AbstractId;
use std::rc::Rc;
use vlad_first_order::Operand;
use vlad_table::internal_bug;

/// A value: what is known of it, and where its leaves are.
#[derive(Clone, Debug)]
pub struct Value {
    /// The known part.
    pub of: AbstractId,
    /// The operands of its leaves, from left to right.
    pub leaves: Leaves,
}

/// A part of a shared sequence of operands, so that taking lists apart copies nothing.
#[derive(Clone, Debug)]
pub struct Leaves {
    all: Rc<[Operand]>,
    from: usize,
    to: usize,
}

impl Leaves {
    /// No operands.
    pub fn none() -> Leaves {
        Leaves { all: Rc::new([]), from: 0, to: 0 }
    }

    /// The operands.
    pub fn as_slice(&self) -> &[Operand] {
        self.all.get(self.from..self.to).unwrap_or_default()
    }

    /// The first `count` operands, and the others.
    pub fn split(&self, count: usize) -> (Leaves, Leaves) {
        let middle = (self.from + count).min(self.to);
        (Leaves { to: middle, ..self.clone() }, Leaves { from: middle, ..self.clone() })
    }
}

impl From<Vec<Operand>> for Leaves {
    fn from(operands: Vec<Operand>) -> Leaves {
        Leaves { from: 0, to: operands.len(), all: operands.into() }
    }
}

impl Value {
    /// A value without leaves.
    pub fn known(of: AbstractId) -> Value {
        Value { of, leaves: Leaves::none() }
    }

    /// The operand of a value that is a leaf.
    pub fn operand(&self) -> Operand {
        match self.leaves.as_slice().first() {
            Some(operand) => *operand,
            None => internal_bug!("a leaf has an operand"),
        }
    }

    /// A leaf.
    pub fn leaf(of: AbstractId, operand: Operand) -> Value {
        Value { of, leaves: Leaves::from(vec![operand]) }
    }
}

/// The rows of known lengths that are arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Those in the value of the item.
    OfValue,
    /// All.
    All,
}
