//! Facts about code that passes and printers ask for: each is found in one place.
//!
//! | module | facts |
//! |---|---|
//! | [`effects`] | what a statement depends on and does; the cost of operations |
//! | [`call_graph`] | callees, cycles, and the functions that are reached |
//! | [`variables`] | the variables that code reads and assigns |
//! | [`counted_loops`] | loops that a counter ends |
//! | [`elementwise`] | loops whose iterations may be executed at once |

pub mod call_graph;
pub mod counted_loops;
pub mod effects;
pub mod elementwise;
pub mod variables;
