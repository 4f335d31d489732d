//! Inputs of a session: where an input ends, and the items of a text.

use super::syntax::layout;
use super::syntax::lexer::{Token, TokenKind, lex};
use super::syntax::reader::{ReadItem, read};
use super::syntax::token_class::TokenClass;
use super::syntax::tree::{SurfaceItem, Tree};
use std::ops::Range;
use vlad_core::diagnostic::Report;
use vlad_core::source::FileId;
use vlad_language::Encoding;
use vlad_language::names::Names;

/// Returns true if a text is only the beginning of an input: a bracket is open, or an operator or a keyword awaits what
/// follows it. An input of several lines whose last line is indented ends with an empty line.
pub fn is_unfinished(text: &str) -> bool {
    let tokens = tokens(text);
    let Some(last) = tokens.last() else { return false };
    let depth: i64 = tokens.iter().map(|token| nesting(token.kind)).sum();
    if depth > 0 || awaits_more(last.kind) {
        return true;
    }
    let mut lines = text.trim_end_matches(['\n', '\r']).lines().rev();
    let last = lines.next().unwrap_or_default();
    let is_indented = last.starts_with([' ', '\t']) && !last.trim().is_empty();
    let ends_with_empty_line = text.ends_with("\n\n") || text.ends_with("\r\n\r\n");
    is_indented && !ends_with_empty_line
}

/// Returns the extents of the definitions of a text.
pub fn definitions(text: &str) -> Vec<Range<u32>> {
    let (mut names, mut tree, mut report) = (Names::new(), Tree::default(), Report::default());
    let tokens = lex(FileId(0), text, Encoding::Sound, &mut names, &mut report);
    let read = read(FileId(0), &tokens, &names, &mut tree, &mut report);
    let items = layout::items(FileId(0), &tokens, &mut report);
    let extent = |tokens: &[Token]| {
        let end = tokens.iter().map(|token| token.end).max()?;
        tokens.first().map(|first| first.start..end)
    };
    let defines = |item: &ReadItem| matches!(item, ReadItem::Read(SurfaceItem::Define(_)));
    let defining = read.iter().zip(&items).filter(|(item, _)| defines(item));
    defining.filter_map(|(_, item)| extent(&item.tokens)).collect()
}

fn tokens(text: &str) -> Vec<Token> {
    lex(FileId(0), text, Encoding::Sound, &mut Names::new(), &mut Report::default())
}

fn nesting(kind: TokenKind) -> i64 {
    i64::from(kind.class() == TokenClass::Open) - i64::from(kind.class() == TokenClass::Close)
}

fn awaits_more(kind: TokenKind) -> bool {
    matches!(kind.class(), TokenClass::Keyword | TokenClass::Mark | TokenClass::Operator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_end_where_nothing_is_missing() {
        for text in ["1 + 2", "let x = 3", "", "let f x =\n  x + 1\n\n", "// let", "[| 1;\n 2 |]\n\n", "(fun x -> x)"] {
            assert!(!is_unfinished(text), "{text:?}");
        }
        for text in ["1 +", "let f x =", "let f x =\n  x + 1\n", "[| 1; 2", "if a then b else", "f (g", "fun x ->"] {
            assert!(is_unfinished(text), "{text:?}");
        }
    }

    #[test]
    fn definitions_have_extents() {
        assert_eq!(definitions("let a = 1\nlet f x =\n  x + a\nf 2"), vec![0..9, 10..27]);
        assert_eq!(definitions("let a = 1 in a\nlet b = 2"), vec![15..24]);
    }
}
