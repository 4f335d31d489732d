//! The code that the machine runs: the converted program with every operand resolved to a place, and steps summed up.
//!
//! One block for each block of the converted program, under the same number. The machine has one *store* of values:
//! constants, primitives, the values of definitions, the registers of the running activation (one a variable), and a few
//! spare ones for moving values about. So most operands are an index, whatever they are.
//!
//! Invariant: a block's [`Block::origins`] tell for each operation which instruction of the converted block it came from;
//! what is only needed when something goes wrong (nodes, counts within a block) is looked up there.

use vlad_shared::core::{ConstantId, ExpressionId, LambdaId};
use vlad_shared::cps::{BlockId, Converted};
use vlad_shared::internal_bug;
use vlad_shared::mismatch::Binder;
use vlad_shared::table::{Comparison, Predicate, Primitive};

/// An index into the store.
pub type Index = u32;

/// Where an operand is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the store, where it stays.
    Kept(Index),
    /// In a register that it leaves.
    Moved(Index),
    /// In a slot of the running procedure.
    Slot(u32),
    /// A member of the running procedure's group: that code with the running procedure's slots.
    Sibling(LambdaId),
}

/// What parts of the store begin where: constants at 0, then these.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    /// The primitives, in the order of the table.
    pub primitives: Index,
    /// The values of definitions.
    pub globals: Index,
    /// The registers of the running activation.
    pub registers: Index,
    /// The spare registers.
    pub spare: Index,
    /// The end.
    pub end: Index,
}

/// A program, ready to be run.
#[derive(Debug)]
pub struct Code<'converted> {
    /// What it was made from.
    pub converted: &'converted Converted,
    /// How the store is divided.
    pub layout: Layout,
    /// The blocks, under the numbers of the converted program.
    pub blocks: Vec<Block>,
    /// How each lambda is entered; none for that of a `let`.
    pub procedures: Vec<Option<Procedure>>,
}

/// How a procedure is entered.
#[derive(Debug)]
pub struct Procedure {
    /// With its argument.
    pub whole: Door,
    /// With the parts of its argument, if its pattern is variables in a row.
    pub parts: Option<Door>,
}

/// A way into a procedure.
#[derive(Debug)]
pub struct Door {
    /// The block where it begins.
    pub block: BlockId,
    /// The registers that take the arguments.
    pub parameters: Box<[Index]>,
    /// Whether the procedure's slots or siblings are referred to behind it.
    pub needs_slots: bool,
}

/// Straight code and what comes after it.
#[derive(Debug)]
pub struct Block {
    /// How many steps it takes.
    pub steps: u64,
    /// What it does between them.
    pub operations: Box<[Operation]>,
    /// For each operation the place of its instruction in the converted block.
    pub origins: Box<[u32]>,
    /// How it ends.
    pub end: End,
    /// The registers that it is given values for.
    pub parameters: Box<[Index]>,
    /// The registers that a frame for it keeps.
    pub free: Box<[Index]>,
    /// Whether a frame for it keeps the slots.
    pub needs_slots: bool,
}

/// One thing that a block does. `to` is the register that takes the result.
#[derive(Debug)]
#[allow(missing_docs)] // fields of one sort: places of operands, and what the converted instruction says
pub enum Operation {
    /// Fails unless a definition has run.
    Defined { global: u32 },
    /// A new pair.
    Pair { to: Index, first: Place, second: Place },
    /// A new procedure.
    Close { to: Index, lambda: LambdaId, captures: Box<[Place]> },
    /// The members of a group.
    Tie { members: Box<[(Index, LambdaId)]>, captures: Box<[Place]> },
    /// A primitive that is a binary operation, on two operands.
    Binary { to: Index, primitive: Primitive, evaluate: fn(f64, f64) -> f64, first: Place, second: Place },
    /// A primitive that is a unary operation.
    Unary { to: Index, primitive: Primitive, evaluate: fn(f64) -> f64, operand: Place },
    /// A comparison of two operands.
    Compare { to: Index, primitive: Primitive, comparison: Comparison, first: Place, second: Place },
    /// A comparison of a real with zero.
    AgainstZero { to: Index, primitive: Primitive, comparison: Comparison, operand: Place },
    /// A question about any value.
    Ask { to: Index, predicate: Predicate, operand: Place },
    /// `car`.
    First { to: Index, operand: Place },
    /// `cdr`.
    Second { to: Index, operand: Place },
    /// `get`.
    Element { to: Index, primitive: Primitive, first: Place, second: Place },
    /// Any primitive on its whole argument.
    Apply { to: Index, primitive: Primitive, operand: Place },
    /// Any primitive on the tuple of several operands.
    ApplyTuple { to: Index, primitive: Primitive, operands: Box<[Place]> },
    /// Takes a value apart.
    Match { pattern: Box<[PatternStep]>, lambda: LambdaId, binder: Binder, argument: Place },
    /// Gives a value up.
    Drop { register: Index },
}

/// A pattern, written from the outside in and from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternStep {
    /// A pair: its first half comes next, then its second.
    Pair,
    /// A variable: the value goes to the register.
    Bind(Index),
    /// A constant, which the value is compared with.
    Constant(ConstantId),
}

/// How a block ends.
#[derive(Debug)]
pub enum End {
    /// The value of the activation.
    Return(Place),
    /// Goes on to another block.
    Jump {
        /// The block.
        block: BlockId,
        /// What its parameters are given.
        moves: Moves,
    },
    /// Goes on to one of two blocks.
    Branch {
        /// The condition.
        test: Place,
        /// Taken unless it is `#f`.
        consequent: BlockId,
        /// Taken if it is `#f`.
        alternative: BlockId,
    },
    /// Applies an operator of any kind.
    Call {
        /// The operator.
        operator: Place,
        /// The operands: one value, or a tuple.
        operands: Box<[Place]>,
        /// What all calls tell.
        call: Call,
    },
    /// Goes to a block of a known procedure.
    Enter {
        /// The block.
        block: BlockId,
        /// Where its slots come from.
        slots: Provision,
        /// What its parameters are given.
        moves: Moves,
        /// What all calls tell.
        call: Call,
    },
}

/// What all calls tell.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The block that awaits the value; none in tail position.
    pub then: Option<BlockId>,
    /// The application.
    pub node: ExpressionId,
    /// Whether the callee is told another site than that of the caller, which is so outside shipped code: the node.
    pub site: Option<ExpressionId>,
}

/// Where a known procedure that is called has its slots from.
#[derive(Clone, Copy, Debug)]
pub enum Provision {
    /// It needs none.
    Nothing,
    /// It needs none, and the operator is used up.
    Drop(Index),
    /// It has those of the running procedure.
    Own,
    /// From the operator.
    Of(Place),
}

/// Values on their way to other registers, in two parts: what a frame takes over is taken between the two.
#[derive(Debug, Default)]
pub struct Moves {
    /// Done first.
    pub before: Box<[Move]>,
    /// Done last.
    pub after: Box<[Move]>,
}

/// One value on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it comes from.
    pub from: Place,
    /// The register that takes it.
    pub to: Index,
}

impl Code<'_> {
    /// A block.
    #[inline]
    pub fn block(&self, id: BlockId) -> &Block {
        match self.blocks.get(id.0 as usize) {
            Some(block) => block,
            None => internal_bug!("block {} is in the code", id.0),
        }
    }

    /// How a lambda is entered.
    #[inline]
    pub fn procedure(&self, lambda: LambdaId) -> &Procedure {
        match self.procedures.get(lambda.0 as usize) {
            Some(Some(procedure)) => procedure,
            Some(None) | None => internal_bug!("lambda {} is a procedure's", lambda.0),
        }
    }
}
