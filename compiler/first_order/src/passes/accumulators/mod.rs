//! The arrays in which reverse sweeps accumulate adjoints. For code without levels, after all other passes.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`reused_zeros`] | no array of zeros of which accumulators only take the length |
//! | [`forwarded_cotangents`] | no accumulators that have a given array and nothing else |
//!
//! [`accumulation`] recognises an addition to an element.

pub mod accumulation;
pub mod forwarded_cotangents;
pub mod reused_zeros;
