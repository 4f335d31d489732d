//! Guarded products, and the signs of zeros on which they depend. For code without levels.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`zero_signs`] | no operation that changes only the sign of a zero that nobody observes |
//! | [`negations`] | no negation whose result is only added, subtracted or negated |
//! | [`proven`] | no guarded product of factors that are known to need no guard |
//! | [`hoisted`] | no guarded product in an innermost loop, with a factor from outside that is finite and not 0 |
//! | [`speculative`] | guarded products stand where one test for many of them has failed, or where it would not pay |
//!
//! [`accumulation`] recognises an addition to an element of accumulators.

mod accumulation;
pub mod hoisted;
pub mod negations;
pub mod proven;
pub mod speculative;
pub mod zero_signs;
