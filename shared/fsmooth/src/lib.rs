//! F-smooth: a typed functional array language with derivatives (Shaikhha et al. 2018), from its text to named core.
//!
//! ```text
//! text --lexer, layout, grammar--> surface tree --resolve--> scoped tree --infer--> typed tree
//!     --differentiate--> typed tree --rewrite--> typed tree --lower--> named core
//! ```
//!
//! [`language`] runs these steps for the command, and [`reading`] the ones before differentiation. Every program has the library,
//! [`LIBRARY`]; the instances of its definitions that a program uses are part of the program.
//!
//! | module | |
//! |---|---|
//! | [`syntax`], [`scoped`], [`infer`], [`typed`] | the trees, in arenas, and the steps that make them |
//! | [`differentiation`], [`rewrite`] | steps from typed tree to typed tree, which make code with [`builder`] |
//! | [`lower`] | typed tree to named core |
//! | [`builtins`] | the functions of the language |
//! | [`data`], [`interface`] | data files as definitions; exported functions on data of other languages |
//! | [`session`] | the texts of an interactive session |

mod builder;
pub mod builtins;
mod data;
pub mod differentiation;
pub mod infer;
pub mod interface;
mod language;
mod lists;
pub mod lower;
pub mod reading;
pub mod rewrite;
pub mod scoped;
mod session;
pub mod syntax;
pub mod typed;

pub use language::FSMOOTH;
pub use reading::{LIBRARY, typed};
