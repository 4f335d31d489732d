//! The instruction codes of the stack program that encodes values in a capsule file.
//!
//! `KEEP` numbers the part made last; `AGAIN` and `PROCEDURE_AGAIN` refer to a part by its number. `OPEN` begins the
//! values of a skeleton, and `SKELETON` ends them. The variants `_OF_OTHERS` are of values whose primals differ from
//! those of the application or computation that they come from.

pub const END: u8 = 0;
pub const NIL: u8 = 1;
pub const FALSE: u8 = 2;
pub const TRUE: u8 = 3;
pub const REAL: u8 = 4;
pub const HOLE: u8 = 5;
pub const PRIMITIVE: u8 = 6;
pub const PAIR: u8 = 7;
pub const PROCEDURE: u8 = 8;
pub const PROCEDURE_AGAIN: u8 = 9;
pub const OPEN: u8 = 10;
pub const SKELETON: u8 = 11;
pub const CAPSULE: u8 = 12;
pub const KEEP: u8 = 13;
pub const AGAIN: u8 = 14;
pub const PERTURBATION: u8 = 15;
pub const SENSITIVITY: u8 = 16;
pub const REVERSE: u8 = 17;
pub const CONSTANT: u8 = 18;
pub const BUNDLE: u8 = 19;
pub const BUNDLE_OF_PERTURBATION: u8 = 20;
pub const BACKPROPAGATOR: u8 = 21;
pub const BACKPROPAGATOR_OF_OTHERS: u8 = 22;
pub const CAPSULE_OF_OTHERS: u8 = 23;
pub const VECTOR: u8 = 24;
pub const VECTOR_OF_REALS: u8 = 25;
