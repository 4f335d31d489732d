//! Suspended runs in files, and the stop points of converted code in terms of core.
//!
//! [`capsule_file`] writes and reads suspended runs; [`layout`] translates a suspended computation between the points
//! of core, which files and the interpreter use, and the frames of converted code; [`correspondence`] takes values of
//! one program over to another one with the same items.

pub mod capsule_file;
pub mod correspondence;
pub mod layout;
