//! Forward mode (`j*`): derivatives of functions without levels.
//!
//! [`activity`] says what is known of tangents at compile time; [`derivatives`] are the functions that have been made;
//! [`emission`] has the rule of the report, and makes them; [`moving`] treats statements that move reals into arrays and
//! cells, and out of them.

pub mod activity;
pub mod derivatives;
pub mod emission;
mod moving;
