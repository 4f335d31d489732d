//! The statements of storage code ([`crate::storage`]), and the words in them.
//!
//! A parameter stands for blocks ([`crate::Block`]).

use super::integers::IntegerOperation;
use super::operand::{Operand, Variable};

/// A statement of storage code.
#[derive(Clone, Debug, PartialEq)]
pub enum Storage<Block> {
    /// Executes an operation on integers, or between integers and other kinds.
    Integer {
        /// The result.
        target: Variable,
        /// The operation.
        operation: IntegerOperation,
        /// Its operands. An integer constant is the real of the same value.
        operands: Vec<Operand>,
    },
    /// Executes a block for each index of a range, in order. The block repeats, with the next state.
    For {
        /// The last state.
        targets: Vec<Variable>,
        /// The index, an integer, and the state, visible in the block.
        variables: Vec<Variable>,
        /// The first index, and the first state.
        initial: Vec<Operand>,
        /// The integer behind the last index.
        end: Operand,
        /// The indices in place of the range, if a boolean is true.
        listed: Option<Listed>,
        /// The order of the iterations.
        order: Order,
        /// The block.
        body: Block,
    },
    /// Makes an array whose elements are not set.
    Allocate {
        /// The array.
        target: Variable,
        /// Its length, an integer.
        length: Operand,
        /// The memory in which it is.
        place: Place,
    },
    /// Prepares the memory of a result for the rows of a matrix, which have one length.
    BeginRows {
        /// The index of the rows, by which they name this statement ([`Place::EvenRow`]).
        rows: Variable,
        /// The number of the result.
        result: usize,
        /// The number of rows, and their length: integers.
        counts: [Operand; 2],
        /// The elements before the rows are made.
        content: Content,
    },
    /// Sets all elements of an array to +0.
    Fill {
        /// The array.
        array: Operand,
        /// The result, the number of the array among its rows, and their number, if the rows behind it may be set as well.
        behind: Option<(usize, [Operand; 2])>,
    },
    /// Finds the end of a part of a range, whose iterations are executed without a look at limits.
    Part {
        /// The end, an integer: the beginning where the range is empty.
        target: Variable,
        /// The beginning of the part, and the end of the range: integers.
        range: [Operand; 2],
    },
    /// Copies reals, of which C compilers do not know that they are copies: each has a register of its own.
    Apart {
        /// The copies.
        targets: Vec<Variable>,
        /// The reals.
        values: Vec<Operand>,
    },
    /// Computes the sine and the cosine of an angle.
    SineAndCosine {
        /// The sine, and the cosine.
        targets: [Variable; 2],
        /// The angle.
        angle: Operand,
    },
    /// Takes so many turns at once.
    Turns {
        /// Their number, an integer.
        count: Operand,
    },
    /// Counts steps of the source for each of so many iterations.
    CountEach {
        /// The steps of one.
        steps: u64,
        /// The number of iterations, an integer.
        times: Operand,
    },
    /// Notes where the memory begins that is allocated from now on.
    Mark {
        /// The mark, an integer.
        target: Variable,
    },
    /// Frees what has been allocated since a mark, but for some arrays and cells, if it is more than a limit.
    Keep {
        /// The next limit for the same code if there is a limit, then the arrays and cells, where they are from now on.
        targets: Vec<Variable>,
        /// The mark.
        mark: Operand,
        /// The limit in bytes, an integer; a constant one if there is none.
        limit: Option<Operand>,
        /// The arrays and cells.
        values: Vec<Operand>,
    },
}

/// Indices in place of a range, if a boolean is true: the boolean, and the indices.
pub type Listed = (Operand, Vec<Operand>);

/// The order of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// One after another.
    Sequential,
    /// The same, several turns of few instructions one behind another.
    Unrolled,
    /// Any order, several at once with packed instructions. The state is nothing, or one real to which each iteration adds.
    Parallel,
}

/// The memory of an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// The memory of arrays.
    Memory,
    /// The memory of the caller's result with a number, if it fits there.
    Result(usize),
    /// A row of that memory, by the number of the row.
    Row(usize, Operand),
    /// A row of a memory that [`Storage::BeginRows`] has prepared, by the number of the row.
    EvenRow(Variable, Operand),
    /// None: the array is a matrix whose rows are all in the memory of the caller.
    Rows,
    /// The one of two buffers in which a third array is not: the buffers, and the array.
    Buffer([Operand; 3]),
}

/// The elements of memory that is prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Unknown ones, which are not set.
    Unset,
    /// Zeros with a positive sign.
    Zeros,
}

impl Place {
    /// The operands in it.
    pub fn operands(&self) -> &[Operand] {
        match self {
            Place::Memory | Place::Result(_) | Place::Rows => &[],
            Place::Row(_, row) | Place::EvenRow(_, row) => std::slice::from_ref(row),
            Place::Buffer(operands) => operands,
        }
    }

    fn operands_mut(&mut self) -> &mut [Operand] {
        match self {
            Place::Memory | Place::Result(_) | Place::Rows => &mut [],
            Place::Row(_, row) | Place::EvenRow(_, row) => std::slice::from_mut(row),
            Place::Buffer(operands) => operands,
        }
    }
}

/// Visits the operands of a statement, borrowed in one of two ways.
macro_rules! visit_operands {
    ($statement:expr, $iter:ident, $option:ident, $of_place:ident, $visit:ident) => {
        match $statement {
            Storage::Integer { operands, .. } => operands.$iter().for_each($visit),
            Storage::For { initial, end, listed, .. } => {
                initial.$iter().for_each(&mut *$visit);
                $visit(end);
                if let Some((test, items)) = listed.$option() {
                    $visit(test);
                    items.$iter().for_each($visit);
                }
            }
            Storage::Allocate { length, place, .. } => {
                $visit(length);
                place.$of_place().$iter().for_each($visit);
            }
            Storage::BeginRows { counts, .. } => counts.$iter().for_each($visit),
            Storage::Fill { array, behind } => {
                $visit(array);
                behind.$iter().for_each(|(_, rows)| rows.$iter().for_each(&mut *$visit));
            }
            Storage::Part { range, .. } => range.$iter().for_each($visit),
            Storage::Apart { values, .. } => values.$iter().for_each($visit),
            Storage::SineAndCosine { angle, .. } => $visit(angle),
            Storage::Turns { count } | Storage::CountEach { times: count, .. } => $visit(count),
            Storage::Mark { .. } => {}
            Storage::Keep { mark, limit, values, .. } => {
                $visit(mark);
                limit.$iter().chain(values.$iter()).for_each($visit);
            }
        }
    };
}

/// The variables that a statement assigns in the block where it stands, borrowed in one of two ways.
macro_rules! targets {
    ($statement:expr, $one:path $(, $mutable:tt)?) => {
        match $statement {
            Storage::Integer { target, .. }
            | Storage::Allocate { target, .. }
            | Storage::Part { target, .. }
            | Storage::Mark { target } => $one(target),
            Storage::For { targets, .. }
            | Storage::Apart { targets, .. }
            | Storage::Keep { targets, .. } => targets,
            Storage::SineAndCosine { targets, .. } => targets,
            Storage::BeginRows { .. }
            | Storage::Fill { .. }
            | Storage::Turns { .. }
            | Storage::CountEach { .. } => & $($mutable)? [],
        }
    };
}

impl<Block> Storage<Block> {
    /// The variables that the statement assigns in the block where it stands.
    pub fn targets(&self) -> &[Variable] {
        targets!(self, std::slice::from_ref)
    }

    /// The same variables, to be changed.
    pub fn targets_mut(&mut self) -> &mut [Variable] {
        targets!(self, std::slice::from_mut, mut)
    }

    /// Visits each operand that the statement itself reads.
    pub fn each_operand(&self, visit: &mut impl FnMut(&Operand)) {
        visit_operands!(self, iter, as_ref, operands, visit);
    }

    /// Changes each operand that the statement itself reads.
    pub fn change_operands(&mut self, change: &mut impl FnMut(&mut Operand)) {
        visit_operands!(self, iter_mut, as_mut, operands_mut, change);
    }

    /// The variables that the statement assigns for its block.
    pub fn inner_variables(&self) -> &[Variable] {
        match self {
            Storage::For { variables, .. } => variables,
            _ => &[],
        }
    }

    /// The same variables, to be changed.
    pub fn inner_variables_mut(&mut self) -> &mut [Variable] {
        match self {
            Storage::For { variables, .. } => variables,
            _ => &mut [],
        }
    }
}
