//! F-smooth: a typed functional array language with derivatives (Shaikhha et al. 2018), from its text to named core.
//!
//! ```text
//! text --lexer, layout, grammar--> surface tree --resolve--> scoped tree --infer--> typed tree
//!     --differentiate--> typed tree --rewrite--> typed tree --lower--> named core
//! ```
//!
//! Every program has the library, [`LIBRARY`], of which the instances that it uses are part of the program.

mod builder;
pub mod builtins;
mod data;
pub mod differentiation;
pub mod infer;
pub mod interface;
mod language;
pub mod lower;
pub mod reading;
pub mod rewrite;
pub mod scoped;
mod session;
pub mod syntax;
pub mod typed;

pub use language::FSMOOTH;
pub use reading::{LIBRARY, typed};
