//! Passes on the arrays in which reverse sweeps accumulate adjoints. They take code without levels, and run last.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`reused_zeros`] | arrays of zeros whose length alone is read are the accumulators of that length |
//! | [`forwarded_cotangents`] | no accumulators are made to which a given array is added and nothing else |

pub mod forwarded_cotangents;
pub mod reused_zeros;
