//! The kinds of leaves, their constants, and the words that statements name: relations, stacks, actions, recordings.

pub mod actions;
pub mod bits;
pub mod kind;
pub mod recording;
