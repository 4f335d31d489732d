//! Sharing: equal computations are executed once. For code without levels, where an operation is only its value.
//!
//! | pass | postcondition |
//! |---|---|
//! | [`common`] | no operation whose value is known where it stands |
//! | [`hoist`] | no operation after a branch or a loop that could be executed before it, and is in it |
//! | [`fuse`] | no two loops, and no two calls, of one block that decide alike |
//! | [`repeated`] | no call of a function without effects in the scope of an equal one |
//!
//! [`computation`] tells which computations are equal, [`choices`] which binds choose by one test.

mod choices;
pub mod common;
mod computation;
pub mod fuse;
pub mod hoist;
pub mod repeated;
