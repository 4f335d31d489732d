//! The place of the native engine: from core to C, to a shared object, loaded into the process.
//!
//! This version of VLAD has the interpreter only; the crate holds the engine's place in the workspace, so that the rule
//! that engines depend on `vlad-shared` and on no other engine is checked from the beginning. It exports nothing.
