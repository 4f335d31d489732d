//! The dynamic definition of differentiation (report, parts 8, 9 and 15): levels, tapes and traversals, on any data,
//! nested freely.
//!
//! Every operation on reals goes through [`Levels::unary`] and [`Levels::binary`], whatever levels its operands carry;
//! that makes the operators nest. The operators themselves, which call procedures, are in the crate `vlad-runtime`.
//!
//! - [`arithmetic`]: the operations of the table on lifted reals, level by level;
//! - [`tape`]: the tape of a reverse level; [`sweep`]: the reverse sweep over it;
//! - [`rebuild`]: traversal of data of any depth, alone or in step with a second value that must conform;
//! - [`forward`], [`reverse`]: lifting the operand of `j*` and `*j`, and the split or the sweep of the result;
//! - [`reflection`]: construction and inspection of bundles and tagged values;
//! - [`capsules`]: conversion between states of suspended computations and capsules;
//! - [`tangent_space`]: `zero` and `plus`;
//! - [`checkpointing`]: schedules of `checkpoint-*j`;
//! - [`log`]: the log of the operations at the outermost level;
//! - [`plain`]: operations on plain reals, and the plain real under all levels of a number.

pub mod arithmetic;
pub mod capsules;
pub mod checkpointing;
mod context;
pub mod forward;
pub mod log;
pub mod plain;
pub mod rebuild;
pub mod reflection;
pub mod reverse;
pub mod sweep;
pub mod tangent_space;
pub mod tape;
pub mod traps;

pub use arithmetic::Levels;
pub use context::TraversalContext;
