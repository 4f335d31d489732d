//! The code that the machine runs: the converted program with every operand resolved to a place, and the steps of a
//! block added up.
//!
//! It has one block for each block of the converted program, with the same number. The machine has one *store* of
//! values: constants, primitives, the values of definitions, the registers of the running activation (one for each
//! variable), and a few spare ones for moves. So most operands, of whatever kind, are an index.
//!
//! Invariant: a block's [`Block::origins`] map each operation to the instruction of the converted block that it came
//! from; data that is needed only for faults (nodes, counts within a block) is looked up there.

use vlad_core::{Binder, ConstantId, ExpressionId, LambdaId};
use vlad_cps::{BlockId, Converted};
use vlad_table::{Comparison, Predicate, Primitive, internal_bug};

/// An index into the store.
pub type Index = u32;

/// The location of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// In the store, where it stays.
    Kept(Index),
    /// In a register, which is empty afterwards.
    Moved(Index),
    /// In a captured slot of the running procedure.
    Slot(u32),
    /// A member of the running procedure's group: that code with the running procedure's captured slots.
    Sibling(LambdaId),
}

/// The start indices of the parts of the store: constants at 0, then these.
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

/// A program, ready to run.
#[derive(Debug)]
pub struct Code<'converted> {
    /// The converted program that it was made from.
    pub converted: &'converted Converted,
    /// The layout of the store.
    pub layout: Layout,
    /// The blocks, by the numbers of the converted program.
    pub blocks: Vec<Block>,
    /// The entry points of each lambda; none for that of a `let`.
    pub procedures: Vec<Option<Procedure>>,
}

/// The entry points of a procedure.
#[derive(Debug)]
pub struct Procedure {
    /// With its argument.
    pub whole: EntryPoint,
    /// With the parts of its argument, if its pattern is variables in a row.
    pub parts: Option<EntryPoint>,
}

/// An entry point of a procedure.
#[derive(Debug)]
pub struct EntryPoint {
    /// The block where it begins.
    pub block: BlockId,
    /// The registers that take the arguments.
    pub parameters: Box<[Index]>,
    /// True if the procedure's captured slots or siblings are used after this entry.
    pub needs_slots: bool,
}

/// A basic block: straight-line code and its end.
#[derive(Debug)]
pub struct Block {
    /// The number of its steps.
    pub steps: u64,
    /// The operations between them.
    pub operations: Box<[Operation]>,
    /// For each operation the index of its instruction in the converted block.
    pub origins: Box<[u32]>,
    /// Its end.
    pub end: End,
    /// The registers of its parameters.
    pub parameters: Box<[Index]>,
    /// The registers that a frame for it keeps.
    pub free: Box<[Index]>,
    /// True if a frame for it keeps the captured slots.
    pub needs_slots: bool,
}

/// One operation of a block. `to` is the register of the result.
#[derive(Debug)]
#[allow(missing_docs)] // fields of one sort: places of operands, and the data of the converted instruction
pub enum Operation {
    /// Fails unless a definition has run.
    Defined { global: u32 },
    /// A new pair.
    Pair { to: Index, first: Location, second: Location },
    /// A new procedure.
    Close { to: Index, lambda: LambdaId, captures: Box<[Location]> },
    /// The members of a group.
    Tie { members: Box<[(Index, LambdaId)]>, captures: Box<[Location]> },
    /// A primitive that is a binary operation, on two operands.
    Binary { to: Index, primitive: Primitive, evaluate: fn(f64, f64) -> f64, first: Location, second: Location },
    /// A primitive that is a unary operation.
    Unary { to: Index, primitive: Primitive, evaluate: fn(f64) -> f64, operand: Location },
    /// A comparison of two operands.
    Compare { to: Index, primitive: Primitive, comparison: Comparison, first: Location, second: Location },
    /// A comparison of a real with zero.
    AgainstZero { to: Index, primitive: Primitive, comparison: Comparison, operand: Location },
    /// A question about any value.
    Ask { to: Index, predicate: Predicate, operand: Location },
    /// `car`.
    First { to: Index, operand: Location },
    /// `cdr`.
    Second { to: Index, operand: Location },
    /// `get`.
    Element { to: Index, primitive: Primitive, first: Location, second: Location },
    /// Any primitive on its whole argument.
    Apply { to: Index, primitive: Primitive, operand: Location },
    /// Any primitive on the tuple of several operands.
    ApplyTuple { to: Index, primitive: Primitive, operands: Box<[Location]> },
    /// Destructures a value by a pattern.
    Match { pattern: Box<[PatternStep]>, lambda: LambdaId, binder: Binder, argument: Location },
    /// Drops the value of a register.
    Drop { register: Index },
}

/// A pattern, written from the outside in and from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternStep {
    /// A pair: its first half comes next, then its second.
    Pair,
    /// A variable: the value is moved to the register.
    Bind(Index),
    /// A constant that the value is compared with.
    Constant(ConstantId),
}

/// The end of a block.
#[derive(Debug)]
pub enum End {
    /// Returns the value of the activation.
    Return(Location),
    /// Continues with another block.
    Jump {
        /// The block.
        block: BlockId,
        /// The moves to its parameters.
        moves: Moves,
    },
    /// Continues with one of two blocks.
    Branch {
        /// The condition.
        test: Location,
        /// Taken unless it is `#f`.
        consequent: BlockId,
        /// Taken if it is `#f`.
        alternative: BlockId,
    },
    /// Applies an operator of any kind.
    Call {
        /// The operator.
        operator: Location,
        /// The operands: one value, or a tuple.
        operands: Box<[Location]>,
        /// The data common to all calls.
        call: Call,
    },
    /// Continues with a block of a known procedure.
    Enter {
        /// The block.
        block: BlockId,
        /// The source of its captured slots.
        slots: SlotSource,
        /// The moves to its parameters.
        moves: Moves,
        /// The data common to all calls.
        call: Call,
    },
}

/// The data common to all calls.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The block that awaits the value; none in tail position.
    pub then: Option<BlockId>,
    /// The application.
    pub node: ExpressionId,
    /// The call site of the callee if it differs from that of the caller: outside library code it is the node.
    pub site: Option<ExpressionId>,
}

/// The source of the captured slots of a known procedure that is called.
#[derive(Clone, Copy, Debug)]
pub enum SlotSource {
    /// It needs none.
    Nothing,
    /// It needs none, and the operator is dropped.
    Drop(Index),
    /// It has those of the running procedure.
    Own,
    /// From the operator.
    Of(Location),
}

/// Moves between registers, in two parts: a frame saves its registers between them.
#[derive(Debug, Default)]
pub struct Moves {
    /// Done first.
    pub before: Box<[Move]>,
    /// Done last.
    pub after: Box<[Move]>,
}

/// One move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The source.
    pub from: Location,
    /// The target register.
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

    /// The entry points of a lambda.
    #[inline]
    pub fn procedure(&self, lambda: LambdaId) -> &Procedure {
        match self.procedures.get(lambda.0 as usize) {
            Some(Some(procedure)) => procedure,
            Some(None) | None => internal_bug!("lambda {} is a procedure's", lambda.0),
        }
    }
}
