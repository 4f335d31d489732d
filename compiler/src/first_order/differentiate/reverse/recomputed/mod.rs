//! Sweeps over code that is executed again, in place of a record of everything.
//!
//! [`iterations`] executes one iteration again and sweeps over it: [`state`] is what it begins with, [`loop_carried`]
//! what it need not compute since the first execution has passed it on, and [`unused`] what nobody reads. [`peeled`]
//! treats the last iteration of a loop apart, and [`selection`] loops that select a maximum or a minimum. With
//! `checkpoint-*j`, whole intervals of iterations are executed again, from snapshots ([`checkpointed`]).

pub mod checkpointed;
pub mod iterations;
pub mod loop_carried;
pub mod peeled;
pub mod selection;
pub mod state;
pub mod unused;
