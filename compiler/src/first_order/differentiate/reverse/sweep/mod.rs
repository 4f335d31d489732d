//! The reverse sweep over a trace (report, 9.2).
//!
//! [`blocks`] has the sweep itself; [`transfer`] the accumulators with which it enters and leaves a construct; [`contribute`] the additions to
//! accumulators; [`pops`] the records of recursive functions, and [`linear_recursion`] those of which each activation makes one call.

pub mod blocks;
pub mod contribute;
pub mod linear_recursion;
pub mod pops;
pub mod transfer;
