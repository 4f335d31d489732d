//! F-smooth: a typed functional array language with derivatives (Shaikhha et al. 2018), from its text to named core.
//!
//! ```text
//! text --lexer--> tokens --grammar--> surface tree --infer--> typed tree --lower--> named core
//! ```

pub mod builtins;
pub mod differentiation;
pub mod rewrite;
pub mod typed;
