//! The kinds of leaves, operands, and the words that statements name: relations, stacks, actions, recordings, and those of
//! storage code.

pub mod actions;
pub mod bits;
pub mod integers;
pub mod kind;
pub mod operand;
pub mod recording;
pub mod storage;
