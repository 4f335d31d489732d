//! Facts about units and functions that decide how they are printed.
//!
//! | module | facts |
//! |---|---|
//! | [`calls`] | functions that are reached, that need host stack, and that take turns |
//! | [`definitions`] | the definitions of variables, in the order of the text |
//! | [`bounds`] | comparisons of counters with numbers that stay |
//! | [`wholes`], [`chosen`] | reals that are whole numbers, and indices among them that are chosen |
//! | [`angles`] | sines and cosines of one angle |

pub mod angles;
pub mod bounds;
pub mod calls;
pub mod chosen;
pub mod definitions;
pub mod wholes;
