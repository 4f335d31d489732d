//! Sweeps over code that is executed again, in place of a record of everything.
//!
//! [`iterations`] executes one iteration again and sweeps over it: [`state`] gives it the state with which it begins,
//! [`loop_carried`] the values that the first execution has passed on, and [`unused`] leaves out code that nobody reads.
//! [`peeled`] treats the last iteration of a loop apart, and [`selection`] loops that select a maximum or a minimum. With
//! `checkpoint-*j`, whole intervals of iterations are executed again, from snapshots ([`checkpointed`]).

pub mod checkpointed;
pub mod iterations;
pub mod loop_carried;
pub mod peeled;
pub mod selection;
pub mod state;
pub mod unused;
