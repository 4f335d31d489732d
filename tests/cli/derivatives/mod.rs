//! Derivatives from the command line: their tables and checks, transformed code, and the ways of reverse mode.

mod adr;
mod checkpoint;
mod derive;
mod gradcheck;
mod transformation;
