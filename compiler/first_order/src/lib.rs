//! First-order code: the intermediate representation of the specialising compiler.
//!
//! Values of the source are flattened: a pair or a closure is the sequence of its *leaves*, the reals and booleans in it
//! that are not known at compile time, from left to right. A vector whose length is not known is an *array* for each leaf
//! of its elements, and data of unbounded depth is a *cell*. Everything else about a value is known, so functions are
//! monomorphic, each call names its callee, and nothing but arrays and cells is allocated.
//!
//! ```text
//! unit      functions, of which one is the entry
//! function  parameters -> results, a block
//! block     statements, then an end
//! end       yield results | repeat the loop with a new state | branch to one of two blocks | bail out
//! ```
//!
//! Blocks are nested, and control is structured: the end of a block *in tail position* of a function, a `bind` or a loop
//! decides about that construct, and the two blocks of a branch are in the same tail position as the branch. A variable
//! is assigned exactly once, before its uses, and is visible in the blocks nested after it.
//!
//! **Levels.** [`Statement::Forward`] and [`Statement::Reverse`] call a function at a new level of differentiation. The
//! code of a function does not say what it computes at the levels around it: the passes of [`differentiate`] replace these
//! statements, the newest levels first, by calls of functions that compute derivatives as well. Moving a value - a
//! binding, an argument, a result, a state, an element - is no operation and makes no tape node; each [`Statement::Operation`] is
//! one operation of the table, and one node at each level at which an operand is active (report, part 9). A cell that enters or
//! leaves a level is a skeleton: no real of it is read on the other side, and it is active at no level. The reals are passed
//! in an array beside it.
//!
//! **Bailing out.** Code either yields its results, with the bits of the report, or bails out: a run-time error, an
//! excluded shape, a stack that is used up. The tagged back end evaluates the item again and finds the error.
//!
//! Depth of nesting is bounded by [`MOST_DEPTH`], so passes may recurse over blocks.

pub mod build;
pub mod check;
pub mod differentiate;
pub mod evaluate;
mod facts;
mod kinds;
pub mod names;
pub mod passes;
#[cfg(test)]
pub mod random;
pub mod storage;
pub mod template;
pub mod text;
mod unit;
mod visit;

pub use facts::{call_graph, counted_loops, effects, elementwise, variables};
pub use kinds::actions::{AccumulatorAction, Action, JournalAction, MemoryAction, Relation, Stack, TapeAction};
pub use kinds::bits::{Bits, CellLeaf, Leaf};
pub use kinds::integers::IntegerOperation;
pub use kinds::kind::{Elements, Kind, Scalar};
pub use kinds::operand::{FunctionId, Operand, Variable};
pub use kinds::recording::{Division, Recording};
pub use kinds::storage::{Content, Listed, Order, Place, Storage};
pub use kinds::{bits, kind};
use template::{Line, Template};
pub use vlad_core::numbers::{Number, Table};
use vlad_core::{ExpressionId, GlobalId};
use vlad_table::{Comparison, Operation};

/// The allocator of the command, with which the tests of random units take a fifth less time.
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The greatest depth of nested blocks. Producers refuse programs that need more.
pub const MOST_DEPTH: usize = 400;

/// The place of a bail-out that the code of an operator makes, where a cotangent does not have the lengths of its result.
pub const NOWHERE: ExpressionId = ExpressionId(0);

/// A table with an entry for each function of a unit.
pub type FunctionTable<T> = Table<FunctionId, T>;

/// A table with an entry for each variable of a function.
pub type VariableTable<T> = Table<Variable, T>;

/// The code of one top-level item.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// The functions.
    pub functions: Vec<Function>,
    /// The function without parameters whose results are the leaves of the item's value.
    pub entry: Option<FunctionId>,
    /// The definitions of earlier items whose values are read; [`Statement::Input`] numbers their leaves, in this order.
    pub inputs: Vec<(GlobalId, Template)>,
    /// The forms of the lines that are written ([`Statement::Write`]).
    pub written: Vec<Line>,
    /// The shape of the item's value.
    pub result: Template,
    /// The nested calls of the program, at most, for each level of recursion ([`call_graph::nesting`]); 0 before it is known.
    pub nesting: u32,
}

/// A function.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// The name of the procedure in the program, for readers; not unique.
    pub name: String,
    /// The kinds of its variables, by number.
    pub variables: Vec<Kind>,
    /// Its parameters.
    pub parameters: Vec<Variable>,
    /// The kinds of its results.
    pub results: Vec<Kind>,
    /// Its code; the block is in tail position.
    pub body: Block,
}

/// A sequence of statements and its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// The end.
    pub end: End,
}

/// The end of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Ends the enclosing construct (function, `bind` or loop) with results.
    Yield(Vec<Operand>),
    /// Begins the next iteration of the loop whose body the block is in tail position of.
    Repeat(Vec<Operand>),
    /// Continues with one of two blocks.
    Branch {
        /// The condition.
        test: Operand,
        /// The block for true.
        consequent: Box<Block>,
        /// The block for false.
        alternative: Box<Block>,
    },
    /// Gives the item up. The node is where the source would fail, or what was not typed.
    BailOut(ExpressionId),
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Executes one operation of the table: one node at each level at which an operand is active.
    Operation {
        /// The result.
        target: Variable,
        /// The operation.
        operation: Operation,
        /// The first operand.
        first: Operand,
        /// The second operand of a binary operation.
        second: Option<Operand>,
    },
    /// Replaces -0 by +0, as operators do with tangents and cotangents that they return. No operation: at levels around
    /// it the target is the operand, with the same tangent and the same node.
    PositiveZero {
        /// The result.
        target: Variable,
        /// The operand.
        operand: Operand,
    },
    /// Compares the primals of two reals, also for `equal?`. No operation.
    Compare {
        /// The boolean result.
        target: Variable,
        /// The comparison.
        comparison: Comparison,
        /// The first operand.
        first: Operand,
        /// The second operand.
        second: Operand,
    },
    /// Executes a block, which yields the values of the targets.
    Bind {
        /// The targets.
        targets: Vec<Variable>,
        /// The block; it is in tail position of the statement.
        block: Block,
    },
    /// Executes a block repeatedly, until it yields the values of the targets.
    Loop {
        /// The targets.
        targets: Vec<Variable>,
        /// The variables of the state, visible in the body.
        state: Vec<Variable>,
        /// The values of the state in the first iteration.
        initial: Vec<Operand>,
        /// The body; it is in tail position of the loop, and may repeat it.
        body: Block,
    },
    /// Calls a function.
    Call {
        /// The targets: the function's results.
        targets: Vec<Variable>,
        /// The function.
        function: FunctionId,
        /// The arguments.
        arguments: Vec<Operand>,
    },
    /// Calls a function in forward mode at a new level (`j*`).
    Forward {
        /// The targets: the function's results, then a tangent for each real among them, in order. Zeros among the
        /// tangents are +0.
        targets: Vec<Variable>,
        /// The function.
        function: FunctionId,
        /// The primals of its arguments.
        arguments: Vec<Operand>,
        /// For each argument its tangent; none if it is constant at the level.
        tangents: Vec<Option<Operand>>,
    },
    /// Calls a function in reverse mode at a new level (`*j`), and sweeps back.
    Reverse {
        /// The targets: the function's results, then a cotangent for each argument that is active, in order. Zeros among
        /// the cotangents are +0.
        targets: Vec<Variable>,
        /// The function.
        function: FunctionId,
        /// The primals of its arguments.
        arguments: Vec<Operand>,
        /// For each argument whether it is a position of x: a node of its own.
        active: Vec<bool>,
        /// The cotangent of each real among the function's results, in order.
        cotangents: Vec<Operand>,
        /// The record that the sweep reads.
        recording: Recording,
    },
    /// Reads a leaf of the unit's inputs: constant at every level.
    Input {
        /// The result.
        target: Variable,
        /// The number of the leaf.
        input: u32,
    },
    /// Reads the next number of the standard input: constant at every level.
    Read {
        /// The result.
        target: Variable,
    },
    /// Writes the primals of a value.
    Write {
        /// The number of its shape in [`Unit::written`].
        template: u32,
        /// Its leaves.
        leaves: Vec<Operand>,
    },
    /// Pushes a record.
    Push {
        /// The stack.
        stack: Stack,
        /// The values.
        values: Vec<Operand>,
    },
    /// Pops what one [`Statement::Push`] has pushed.
    Pop {
        /// The stack.
        stack: Stack,
        /// The targets, in the order of the pushed values.
        targets: Vec<Variable>,
    },
    /// Executes an action on what a reverse level keeps outside of variables.
    Act {
        /// The result, if there is one.
        targets: Vec<Variable>,
        /// The action.
        action: Action,
        /// The operands.
        operands: Vec<Operand>,
    },
    /// Makes an array of given elements.
    Array {
        /// The array.
        target: Variable,
        /// Its elements.
        elements: Vec<Operand>,
    },
    /// Makes arrays of one length: executes a block for each index, from 0 on, which yields their elements there.
    Build {
        /// The arrays.
        targets: Vec<Variable>,
        /// Their length, a whole number.
        length: Operand,
        /// The index, a real, visible in the block.
        index: Variable,
        /// The block; it is in tail position of the statement.
        body: Block,
    },
    /// Returns an element of an array. It is moved: a real has the node that it had when the array was made.
    Element {
        /// The element.
        target: Variable,
        /// The array.
        array: Operand,
        /// A valid index.
        index: Operand,
    },
    /// Makes an array with the elements of another one, but for that at one index; all its reals are copied. Reverse mode does
    /// not take it, and [`in_place`] leaves none.
    Replace {
        /// The new array.
        target: Variable,
        /// The other one.
        array: Operand,
        /// A valid index.
        index: Operand,
        /// The element there.
        value: Operand,
        /// The application in the program that it is the code of.
        node: ExpressionId,
    },
    /// Returns the length of an array, a real that is constant at every level.
    Length {
        /// The result.
        target: Variable,
        /// The array.
        array: Operand,
    },
    /// Tests whether the primal of a real is a valid index: a whole number from 0, below the length of an array.
    IsIndex {
        /// The boolean result.
        target: Variable,
        /// The array.
        array: Operand,
        /// The real.
        index: Operand,
    },
    /// Compares two arrays of one kind.
    CompareArrays {
        /// The boolean result.
        target: Variable,
        /// The relation.
        relation: Relation,
        /// The first array.
        first: Operand,
        /// The second array.
        second: Operand,
    },
    /// Makes an array of +0 of the lengths of an array of reals, of whatever rank.
    Zeros {
        /// The new array.
        target: Variable,
        /// The array that has its lengths.
        like: Operand,
    },
    /// The same, for accumulators of a reverse sweep, which change: [`Statement::Store`] and [`Statement::Load`] are about them,
    /// and about vectors that are updated in place.
    Accumulators {
        /// The new array.
        target: Variable,
        /// The array that has its lengths.
        like: Operand,
    },
    /// Returns the present value of an element of an array that changes.
    Load {
        /// The element.
        target: Variable,
        /// The array, of rank 1.
        array: Operand,
        /// A valid index.
        index: Operand,
    },
    /// Replaces an element of an array that changes.
    Store {
        /// The array, of rank 1.
        array: Operand,
        /// A valid index.
        index: Operand,
        /// The new value.
        value: Operand,
    },
    /// Returns the number of steps counted so far, a real that is constant at every level.
    Steps {
        /// The result.
        target: Variable,
    },
    /// Counts the steps that were counted between two [`Statement::Steps`] once more; with the two exchanged, not at all.
    Recount {
        /// The number before.
        before: Operand,
        /// The number after.
        after: Operand,
    },
    /// Makes a cell. One without parts is *absent*: wherever parts are read from it, they are 0, false, and absent.
    Cell {
        /// The cell.
        target: Variable,
        /// Its parts.
        parts: Vec<Operand>,
    },
    /// Returns the first parts of a cell, which has booleans; one more boolean is false if it has no more. They are moved: a real has
    /// the node that it had when the cell was made.
    Parts {
        /// The parts, of the kinds that they had when the cell was made. There may be more, which are cells.
        targets: Vec<Variable>,
        /// The cell.
        cell: Operand,
    },
    /// Counts steps of the source.
    Count {
        /// Their number.
        steps: u64,
    },
    /// A statement of storage code, which no pass on first-order code meets.
    Storage(Storage<Block>),
}

/// Nothing, which yields nothing.
impl Default for Block {
    fn default() -> Block {
        Block { statements: Vec::new(), end: End::Yield(Vec::new()) }
    }
}

impl From<Storage<Block>> for Statement {
    fn from(statement: Storage<Block>) -> Statement {
        Statement::Storage(statement)
    }
}
