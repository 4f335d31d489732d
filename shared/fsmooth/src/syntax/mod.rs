//! From text to the surface tree.
//!
//! ```text
//! text --lexer--> tokens --layout--> tokens of each item, with every `in` --grammar--> surface tree
//! ```
//!
//! Each item is parsed by itself, so an error in one hides nothing in another. The parser keeps its stack on the heap.

pub mod describe;
pub mod explain;
pub mod layout;
pub mod lexer;
pub mod reader;
pub mod token_class;
pub mod tree;
pub mod words;

/// The parser generated from the grammar in `grammar.lalrpop`.
#[allow(clippy::all, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs, unused)]
mod grammar {
    use lalrpop_util::lalrpop_mod;
    lalrpop_mod!(generated, "/syntax/grammar.rs");
    pub use generated::ItemParser;
}
