//! Facts about units and functions that decide how they are printed.
//!
//! | module | facts |
//! |---|---|
//! | [`calls`] | functions that are reached, that need host stack, and that take turns |

pub mod calls;
