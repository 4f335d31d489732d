//! The syntax: text to statements.
//!
//! | pass | from | to | postcondition |
//! |---|---|---|---|
//! | [`lines::lines`] | text | lines of statements | no comments; continuations are joined |
//! | [`lexer::lex`] | a line | tokens | every token is one of the language |
//! | [`words::Words::find`] | tokens | the same, with keywords | the statement is one of the language |
//! | [`parser::parse`] | those | [`tree::Tree`] | expressions in an arena, parts first |

pub mod lexer;
pub mod lines;
pub mod parser;
pub mod tree;
pub mod words;

/// The parser generated from the grammar in `grammar.lalrpop`.
#[allow(clippy::all, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, missing_docs, unused)]
mod grammar {
    use lalrpop_util::lalrpop_mod;
    lalrpop_mod!(generated, "/syntax/grammar.rs");
    pub use generated::StatementParser;
}
