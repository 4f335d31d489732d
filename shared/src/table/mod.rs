//! The table of primitives: the operations on reals with their derivatives, and the names that programs call.
//!
//! Nothing outside this table knows a derivative. [`operations`] has one row for each operation on reals: evaluation and
//! linearisation, the latter as data, so that engines in Rust interpret it and the C back end prints it.
//! [`primitives`] has one row for each name of the language.

mod operand_count;
pub mod operations;
pub mod primitives;

pub use operand_count::OperandCount;
pub use operations::{Arity, Evaluation, Operation, OperationRow, Term, Test};
pub use primitives::{Comparison, Control, Division, Form, Mark, OnVector, Predicate, Primitive, PrimitiveRow, Single};
