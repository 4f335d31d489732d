//! The trace of a function: first-order code becomes [`super::nodes::traced`], with the nodes that it makes.
//!
//! [`blocks`] has the tracer, and the statements without a module of their own; then follow [`loops`], the [`calls`] of
//! recursive functions, and code with [`arrays`] or [`cells`].

pub mod arrays;
pub mod blocks;
pub mod calls;
pub mod cells;
pub mod loops;
