//! The front end of VLAD: from text to core.
//!
//! ```text
//! text --lexer--> tokens --grammar--> surface tree --expand--> named core --resolve--> core
//! ```
//!
//! [`load`] runs the passes; [`prelude`] and [`library`] are texts that come with vlad; [`transformation`] shows the transformed
//! code of procedures. Engines do not import this crate.

pub mod expand;
pub mod library;
pub mod load;
pub mod prelude;
pub mod resolve;
pub mod suggest;
pub mod syntax;
pub mod transformation;
