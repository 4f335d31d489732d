//! Facts about units and functions that decide how they are printed.
//!
//! | module | facts |
//! |---|---|
//! | [`calls`] | functions that are reached, that need host stack, and that take turns |
//! | [`definitions`] | the definitions of variables, in the order of the text |
//! | [`angles`] | sines and cosines of one angle |

pub mod angles;
pub mod calls;
pub mod definitions;
