//! Core: the language in which every front end ends and every engine starts, with what belongs to any program text.
//!
//! - [`program`]: the syntax tree; [`constant`]: its quoted data; [`check`]: its invariant; [`equality`]: equality of
//!   code up to bound names; [`print`]: its text; [`fixed_form`]: lines of Fortran;
//! - [`liveness`]: the nodes whose value is used; [`node_ranges`]: the position of a node in its procedure and
//!   definition; [`parts`]: the parts of a node and what it refers to;
//! - [`source`]: texts and spans; [`diagnostic`]: errors of a program and their collection; [`render`]:
//!   their text; [`notes`] of front ends for it; [`summary`]: the beginning of a long value in a message.
//!
//! Nothing here evaluates anything, and there are no run-time values.

pub mod check;
pub mod constant;
pub mod diagnostic;
pub mod equality;
pub mod fixed_form;
pub mod liveness;
pub mod node_ranges;
pub mod notes;
pub mod numbers;
pub mod parts;
pub mod print;
pub mod program;
pub mod render;
pub mod source;
pub mod summary;

pub use constant::{Constant, ConstantId, Constants};
pub use program::{
    Awaiting, Binder, Elementwise, Expression, ExpressionId, Global, GlobalId, Group, GroupId, InputNotation, Item,
    Lambda, LambdaId, MOST_OPERANDS, OutputNotation, Pattern, PatternId, Program, Reference,
};
