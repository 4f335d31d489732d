//! Nodes, and the traces that name them: what the trace produces, and the sweep and the primal are emitted from.
//!
//! From the parts to the whole: [`identity`] names nodes, and says which of them a value may be; [`flags`] is the code that tells
//! at run time; [`code`] reads and renames first-order code; [`frames`] is the function in the making, with what the sweep reads
//! of it; [`traced`] is the trace of a block; [`instances`] are the variants of recursive functions, and [`last_uses`] tells which
//! arguments a call is the last to use.

pub mod code;
pub mod flags;
pub mod frames;
pub mod identity;
pub mod instances;
pub mod last_uses;
pub mod traced;
