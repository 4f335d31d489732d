//! Knowledge about terms that the rules and moves rest on: what holds at a place, which comparisons of sizes follow from
//! it, which terms are total, and which numbers are never -0.
//!
//! Nothing here changes a program. Facts that are assumed and not proved are tested before the rewritten code is entered
//! ([`guard`]).

pub mod guard;
pub mod known;
pub mod linear;
pub mod one_hot;
pub mod proofs;
pub mod signs;
pub mod sizes;
pub mod totality;

pub use known::{Assumption, Facts, Instances, Ranges, Relation, index_state};
