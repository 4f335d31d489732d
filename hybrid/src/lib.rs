//! The place of the hybrid engine: CPS conversion as a program transformation, then a direct-style evaluator of converted
//! code.
//!
//! This version of VLAD has the interpreter only; the crate holds the engine's place in the workspace, so that the rule
//! that engines depend on `vlad-shared` and on no other engine is checked from the beginning. It exports nothing.
