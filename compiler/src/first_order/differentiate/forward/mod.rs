//! Forward mode (`j*`): derivatives of functions without levels.
//!
//! [`activity`] says what is known of tangents at compile time; [`derivatives`] are the functions that have been made; [`emission`] has the
//! rule of the report, and makes them; [`cells`] moves the tangents of what cells hold.

pub mod activity;
mod cells;
pub mod derivatives;
pub mod emission;
