//! Nodes, and the traces that name them. The tracer makes a trace, and sweep and primal are emitted from it.
//!
//! From the parts to the whole: [`identity`] names nodes, and says which of them a value may be; [`flags`] is the code
//! that tells at run time; [`code`] reads and renames first-order code; [`frames`] is the function in the making, with
//! notes of the values that the sweep reads; [`traced`] is the trace of a block; [`instances`] are the variants of
//! recursive functions, and [`last_uses`] tells which arguments a call is the last to use.

mod code;
mod flags;
mod frames;
mod identity;
mod instances;
mod last_uses;
mod traced;

pub use code::{pops, read_in, read_outer, with_other_names};
pub use frames::{Draft, FrameId, FrameKind, SegmentId, Selection};
pub use identity::{Alternative, FLAG, Identity, Node, Origin, flag_count, join};
pub use instances::{Execution, Instance, Instances, Parameter, PrimalFunctions, ReverseInstance, constant_parameters};
pub use last_uses::{LastReads, LiveNodes};
pub use traced::{Ends, Role, Step, Traced, TracedBuild, TracedCall, TracedEnd, TracedLoop};
