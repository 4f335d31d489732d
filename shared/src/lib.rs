//! What every engine of VLAD shares: the front end, the values, the primitives, and the one definition of differentiation.
//!
//! The way of the data (docs/ARCHITECTURE.md); each step is a free function from one representation to the next:
//!
//! ```text
//! text --lexer--> tokens --grammar--> surface tree --expand--> named core --resolve--> core --> an engine
//! ```
//!
//! This crate knows no engine, prints nothing and never exits.

pub mod apply;
pub mod capsule;
pub mod capsule_file;
pub mod checkpointing;
pub mod computations;
pub mod core;
pub mod core_check;
pub mod core_equality;
pub mod core_print;
pub mod cps;
pub mod diagnostic;
pub mod differentiation;
pub mod effects;
mod elements;
pub mod equality;
pub mod expand;
pub mod explain;
pub mod library;
pub mod load;
pub mod math;
pub mod mismatch;
pub mod number;
pub mod operands;
pub mod pending;
pub mod prelude;
pub mod print;
pub mod render;
pub mod report;
pub mod resolve;
pub mod restart;
pub mod room;
pub mod run;
pub mod segments;
pub mod source;
pub mod steps;
pub mod suggest;
pub mod suspended;
pub mod syntax;
pub mod table;
pub mod tagged;
pub mod transformation;
pub mod usage;
pub mod value;
pub mod vector;
pub mod whereabouts;

/// Stops the process for a broken internal invariant, which the message names. Never for anything a user can cause.
#[macro_export]
macro_rules! internal_bug {
    ($($message:tt)*) => {{
        #[allow(clippy::panic)]
        {
            panic!("broken invariant: {}", format_args!($($message)*))
        }
    }};
}
