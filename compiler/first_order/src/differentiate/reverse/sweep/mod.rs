//! The reverse sweep over a trace (report, 9.2), as first-order code.
//!
//! [`accumulators`] are passed along, into a construct and out of it; [`blocks`] has the sweep over
//! blocks, branches, operations and calls, and [`loops`] that over loops; [`contribute`] adds to an accumulator, wherever
//! it is; [`pops`] are the records of recursive functions, and [`linear_recursion`] is the case of functions that call
//! themselves once.

mod accumulators;
mod blocks;
mod contribute;
mod linear_recursion;
mod loops;
mod pops;

pub use accumulators::{Accumulators, CarriedValue, Incoming, LoopCarried, SweepStart, of_nodes, of_own};
pub use blocks::Sweep;
pub use linear_recursion::Linear;
