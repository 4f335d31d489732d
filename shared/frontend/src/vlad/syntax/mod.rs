//! The syntax: text to surface tree.
//!
//! | pass | from | to | postcondition |
//! |---|---|---|---|
//! | [`lexer::lex`] | text | tokens | every token has its value; anything that is no token has been reported |
//! | [`balance::check`] | tokens | the same | every parenthesis has its partner of the same kind |
//! | [`reader::read`] | tokens | surface tree | data only: comments and commented-out data are gone |

pub mod balance;
pub mod describe;
pub mod lexer;
pub mod reader;
pub mod tree;

/// The parser generated from the grammar in `grammar.lalrpop`.
#[allow(clippy::all, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs, unused)]
mod grammar {
    use lalrpop_util::lalrpop_mod;
    lalrpop_mod!(generated, "/vlad/syntax/grammar.rs");
    pub use generated::FileParser;
}
