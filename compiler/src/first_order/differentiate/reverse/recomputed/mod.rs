//! Sweeps over code that is executed again, in place of a record of everything.
//!
//! [`iterations`] sweeps over one iteration after it has been executed again, and over `build`s; [`loop_carried`] provides what the first
//! execution has handed on; [`peeled`] treats the last iteration of a loop apart, and [`selection`] loops that choose a maximum or
//! a minimum. With `checkpoint-*j` whole intervals of iterations are executed again, from states that have been kept ([`checkpointed`]).

pub mod checkpointed;
pub mod iterations;
pub mod loop_carried;
pub mod peeled;
pub mod selection;
