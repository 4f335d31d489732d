//! The parser: the lines of a text to statements, with the actions of the grammar and the messages for what does not fit
//! it. A statement with an error is reported and left out.

use crate::syntax::grammar::StatementParser;
use crate::syntax::lexer::{self, Raw, RawToken};
use crate::syntax::lines::{self, Line};
use crate::syntax::tree::{AdItem, Binary, Expr, ExprId, Label, Mode, Placed, Tree, Unary};
use crate::syntax::words::{Misuse, Token, Word, Words};
use lalrpop_util::ParseError;
use vlad_core::diagnostic::{Diagnostic, Kind, Report};
use vlad_core::source::{FileId, SourceMap, Span};
use vlad_language::invisible;
use vlad_language::names::{NameId, Names};
use vlad_language::{Part, PartName, ReadingContext};
use vlad_table::number;

/// The builder of the tree, called by the parser.
pub struct Builder<'line> {
    tree: &'line mut Tree,
    line: &'line Line<'line>,
    file: FileId,
}

impl Builder<'_> {
    /// Returns the place of a range of the line.
    pub(super) fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.file, self.line.source(start), self.line.source_end(end))
    }

    pub(super) fn leaf(&mut self, expression: Expr, start: u32, end: u32) -> ExprId {
        let span = self.span(start, end);
        self.tree.add(expression, span)
    }

    pub(super) fn name(&mut self, name: NameId, start: u32, end: u32) -> ExprId {
        self.leaf(Expr::Name(name), start, end)
    }

    pub(super) fn apply(&mut self, name: NameId, parts: Vec<ExprId>, start: u32, end: u32) -> ExprId {
        let parts = self.tree.add_parts(&parts);
        self.leaf(Expr::Apply(name, parts), start, end)
    }

    pub(super) fn unary(&mut self, operation: Unary, operand: ExprId, start: u32, end: u32) -> ExprId {
        self.leaf(Expr::Unary(operation, operand), start, end)
    }

    pub(super) fn binary(&mut self, operation: Binary, first: ExprId, second: ExprId, start: u32, end: u32) -> ExprId {
        self.leaf(Expr::Binary(operation, first, second), start, end)
    }

    pub(super) fn label(&self, number: f64, start: u32, end: u32) -> Label {
        // What is no label is one that no statement has.
        let number = if (1.0..=99999.0).contains(&number) { number as u32 } else { 0 };
        Label { number, span: self.span(start, end) }
    }

    pub(super) fn implied(
        &self,
        items: Vec<AdItem>,
        index: ExprId,
        range: [Option<ExprId>; 3],
        start: u32,
        end: u32,
    ) -> AdItem {
        AdItem::Implied { items, index, range, span: self.span(start, end) }
    }
}

/// A text that is being read: its number, its characters and lines, and the index of the next line.
struct OpenText<'text> {
    file: FileId,
    text: &'text str,
    lines: Vec<Line<'text>>,
    next: usize,
}

impl<'text> OpenText<'text> {
    fn new(file: FileId, sources: &'text SourceMap, report: &mut Report) -> OpenText<'text> {
        let text = sources.get(file).map_or("", |file| file.text.as_str());
        let (lines, errors) = lines::lines(text);
        for (start, end, message) in errors {
            report.push(Diagnostic::new(Kind::Read, Span::new(file, start, end), message));
        }
        OpenText { file, text, lines, next: 0 }
    }
}

/// Reads the statements of a text, with those of the texts that it includes.
pub fn parse(file: FileId, reading: &mut ReadingContext<'_>) -> Tree {
    let mut tree = Tree::default();
    let (sources, parts) = (reading.sources, reading.parts);
    let mut reader = Reader {
        parser: StatementParser::new(),
        raw: vec![],
        texts: vec![],
        names: reading.names,
        report: reading.report,
        tree: &mut tree,
    };
    let mut open = vec![OpenText::new(file, sources, reader.report)];
    while let Some(innermost) = open.last_mut() {
        let Some(line) = innermost.lines.get(innermost.next).filter(|_| !reader.report.is_full()) else {
            open.pop();
            continue;
        };
        innermost.next += 1;
        let Some((name, span)) = reader.line(innermost.file, innermost.text, line) else { continue };
        match parts.get(&span) {
            Some(Part::Text(text)) => open.push(OpenText::new(text.file, sources, reader.report)),
            Some(Part::Other) => reader.tree.others.push((name, span)),
            // Whoever looked for it has reported why it is not there.
            Some(Part::Missing) | None => {}
        }
    }
    tree
}

/// The reader of lines of statements.
struct Reader<'reading> {
    parser: StatementParser,
    raw: Vec<RawToken>,
    /// The texts in quotes of the statement that is read.
    texts: Vec<String>,
    names: &'reading mut Names,
    report: &'reading mut Report,
    tree: &'reading mut Tree,
}

impl Reader<'_> {
    /// Reads a line to a statement of the tree; returns the name of the text that it includes, if it does.
    fn line(&mut self, file: FileId, text: &str, line: &Line<'_>) -> Option<(String, Span)> {
        let Reader { parser, raw, texts, names, report, tree } = self;
        raw.clear();
        let place = |start: u32, end: u32| Span::new(file, line.source(start), line.source_end(end));
        let strays = lexer::lex(&line.text, raw);
        for (start, end) in &strays {
            let (message, hint) = stray(line.text.get(*start as usize..*end as usize).unwrap_or(""));
            let diagnostic = Diagnostic::new(Kind::Read, place(*start, *end), message);
            report.push(match hint {
                Some(hint) => diagnostic.with_hint(hint),
                None => diagnostic,
            });
        }
        let others = later_marks(raw);
        for (start, end, message) in &others {
            report.push(Diagnostic::new(Kind::Read, place(*start, *end), *message));
        }
        let is_sound = strays.is_empty() && others.is_empty();
        let (Some(first), Some(last), true) = (raw.first(), raw.last(), is_sound) else { return None };
        let span = place(first.start, last.end);
        let label = line.label.map(|(number, at, length)| Label { number, span: Span::new(file, at, at + length) });
        let words = match Words::find(&line.text, raw) {
            Ok(words) => words,
            Err(Misuse { at, message, hint }) => {
                let token = raw.get(at).unwrap_or(last);
                let place = place(token.start, token.end);
                let hint = if is_behind_the_card(text, place) { Some(CARD.to_owned()) } else { hint };
                let diagnostic = Diagnostic::new(Kind::Syntax, place, message);
                report.push(match hint {
                    Some(hint) => diagnostic.with_hint(hint),
                    None => diagnostic,
                });
                return None;
            }
        };
        if words.is_inclusion() {
            if let Some(label) = label {
                report.push(Diagnostic::new(Kind::Syntax, label.span, "an INCLUDE has no label"));
            }
            return Some((quoted(line, last), place(last.start, last.end)));
        }
        let mut classifier = Classifier {
            text: &line.text,
            raw,
            words: &words,
            next: 0,
            next_found: 0,
            first_text: tree.texts.len() as u32,
            names,
            texts,
            misread: None,
        };
        let mut builder = Builder { tree, line, file };
        match parser.parse(&mut builder, &mut classifier) {
            Ok(statement) => tree.statements.push(Placed { label, statement, span }),
            Err(error) => report.push(match classifier.misread {
                Some((token, message)) => Diagnostic::new(Kind::Read, place(token.start, token.end), message),
                None => explain(error, text, words.found.first().map(|(.., word)| *word), span, place),
            }),
        }
        tree.texts.append(texts);
        None
    }
}

/// Returns the names of the texts that a text includes.
pub fn inclusions(file: FileId, text: &str) -> Vec<PartName> {
    const WORD: &[u8] = b"INCLUDE";
    if !text.as_bytes().windows(WORD.len()).any(|window| window.eq_ignore_ascii_case(WORD)) {
        return vec![];
    }
    let (mut found, mut raw) = (vec![], vec![]);
    for line in &lines::lines(text).0 {
        raw.clear();
        let begins = line.text.as_bytes().get(..WORD.len()).is_some_and(|first| first.eq_ignore_ascii_case(WORD));
        if !begins || !lexer::lex(&line.text, &mut raw).is_empty() {
            continue;
        }
        if let (Ok(words), Some(last)) = (Words::find(&line.text, &raw), raw.last())
            && words.is_inclusion()
        {
            let span = Span::new(file, line.source(last.start), line.source_end(last.end));
            found.push(PartName { name: quoted(line, last), span });
        }
    }
    found
}

/// Returns the characters of a text in quotes.
fn quoted(line: &Line<'_>, token: &RawToken) -> String {
    unquoted(line.text.get(token.start as usize..token.end as usize).unwrap_or(""))
}

/// Returns the characters between quotes, in which a doubled quote is a quote.
fn unquoted(written: &str) -> String {
    let quote = written.get(..1).unwrap_or("'");
    let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or("");
    inner.replace(&quote.repeat(2), quote)
}

/// The hint for text in the columns that fixed form does not read.
const CARD: &str = "what stands behind column 72 is part of the statement: remove it, or put a ! before it";

/// Returns true if a place is behind column 72 of its line.
fn is_behind_the_card(text: &str, place: Span) -> bool {
    let before = text.get(..place.start as usize).unwrap_or("");
    let line = before.rsplit(['\n', '\r']).next().unwrap_or("");
    line.chars().count() >= 72
}

/// The message for comparisons of Fortran 90.
const COMPARISONS: &str = "comparisons are written .LT. .LE. .GT. .GE. .EQ. .NE.";

/// Returns the message and the hint for characters that are no token.
fn stray(text: &str) -> (String, Option<String>) {
    let message = match text.chars().next() {
        Some('\'' | '"') => "this text is not closed",
        Some('.') => "a point stands in a number, or around an operator as in .EQ.",
        Some(';') => "each statement has a line of its own",
        Some('<' | '>') => COMPARISONS,
        Some('_') => "a name begins with a letter, and a number has no kind behind it: every REAL is a double",
        Some('[' | ']') => "there are no lists of elements: an array is assigned element by element",
        Some(character) => match invisible(character) {
            Some((code, hint)) => return (format!("the character {code} is no token"), Some(hint)),
            None => return (format!("`{text}` is no token"), None),
        },
        None => "this is no token",
    };
    (message.to_owned(), None)
}

/// Returns the marks of Fortran 90 that consist of marks of Fortran 77, with messages.
fn later_marks(raw: &[RawToken]) -> Vec<(u32, u32, &'static str)> {
    let together = raw.iter().zip(raw.iter().skip(1)).filter(|(first, second)| first.end == second.start);
    let later = together.filter_map(|(first, second)| {
        let message = match (first.kind, second.kind) {
            (Raw::Equals | Raw::Slash, Raw::Equals) => COMPARISONS,
            (Raw::Colon, Raw::Colon) => "a declaration has no ::, as in REAL X, Y(3)",
            (Raw::Slash, Raw::Slash) => "there is no text but that which PRINT writes, so none is joined by //",
            _ => return None,
        };
        Some((first.start, second.end, message))
    });
    later.collect()
}

/// The tokens of the grammar, made of those of the lexer one by one as the parser asks for them.
struct Classifier<'line> {
    text: &'line str,
    raw: &'line [RawToken],
    words: &'line Words<'line>,
    /// The index of the next raw token, and of the next keyword that was found.
    next: usize,
    next_found: usize,
    /// The number of the first text in quotes.
    first_text: u32,
    names: &'line mut Names,
    texts: &'line mut Vec<String>,
    /// The token that is none of the grammar, with the message: the tokens end there.
    misread: Option<(RawToken, String)>,
}

impl Iterator for Classifier<'_> {
    type Item = Result<(u32, Token, u32), ()>;

    fn next(&mut self) -> Option<Self::Item> {
        let token = *self.raw.get(self.next)?;
        if let Some((at, count, word)) = self.words.found.get(self.next_found)
            && *at == self.next
        {
            self.next_found += 1;
            self.next += count;
            let last = self.raw.get(at + count.saturating_sub(1)).unwrap_or(&token);
            let end = if *count == 0 { token.start } else { last.end };
            return Some(Ok((token.start, Token::Word(*word), end)));
        }
        self.next += 1;
        let may_be_kind = self.words.has_kinds && self.raw.get(self.next).is_some_and(|next| next.kind == Raw::Open);
        Some(match self.token(&token, may_be_kind) {
            Ok(kind) => Ok((token.start, kind, token.end)),
            Err(message) => {
                self.misread = Some((token, message));
                Err(())
            }
        })
    }
}

impl Classifier<'_> {
    fn token(&mut self, token: &RawToken, may_be_kind: bool) -> Result<Token, String> {
        let written = self.text.get(token.start as usize..token.end as usize).unwrap_or("");
        Ok(match token.kind {
            Raw::Word => {
                let is = |word: &str| may_be_kind && written.eq_ignore_ascii_case(word);
                match (is(Mode::Forward.kind()), is(Mode::Reverse.kind())) {
                    (true, _) => Token::Kind(Mode::Forward),
                    (_, true) => Token::Kind(Mode::Reverse),
                    _ if written.bytes().any(|byte| byte.is_ascii_lowercase()) => {
                        Token::Name(self.names.intern(&written.to_ascii_uppercase()))
                    }
                    _ => Token::Name(self.names.intern(written)),
                }
            }
            Raw::Integer => Token::Integer(number::parse(written).ok_or("this is no number")?),
            Raw::Real => {
                let is_plain = !written.contains(['d', 'D']);
                let value =
                    if is_plain { number::parse(written) } else { number::parse(&written.replace(['d', 'D'], "e")) };
                Token::Real(value.ok_or("this is no number")?)
            }
            Raw::Text => {
                self.texts.push(unquoted(written));
                Token::Text(self.first_text + self.texts.len() as u32 - 1)
            }
            Raw::Dotted => dotted(written).ok_or_else(|| format!("`{written}` is no operator"))?,
            kind => Token::Mark(kind),
        })
    }
}

/// Returns the meaning of a word between dots.
fn dotted(written: &str) -> Option<Token> {
    Some(match written.to_ascii_uppercase().as_str() {
        ".TRUE." => Token::Logical(true),
        ".FALSE." => Token::Logical(false),
        ".AND." => Token::And,
        ".OR." => Token::Or,
        ".NOT." => Token::Not,
        ".EQ." => Token::Comparison(Binary::Equal),
        ".NE." => Token::Comparison(Binary::NotEqual),
        ".LT." => Token::Comparison(Binary::Less),
        ".LE." => Token::Comparison(Binary::LessOrEqual),
        ".GT." => Token::Comparison(Binary::Greater),
        ".GE." => Token::Comparison(Binary::GreaterOrEqual),
        ".EQV." => Token::Equivalence(Binary::Equivalent),
        ".NEQV." => Token::Equivalence(Binary::NotEquivalent),
        _ => return None,
    })
}

/// Returns the diagnostic for tokens that do not fit the grammar.
fn explain(
    error: ParseError<u32, Token, ()>,
    text: &str,
    word: Option<Word>,
    statement: Span,
    place: impl Fn(u32, u32) -> Span,
) -> Diagnostic {
    let word = word.map(Word::text);
    let within = match word {
        Some("=") => "this assignment".to_owned(),
        Some(word) => format!("this {word} statement"),
        None => "this statement".to_owned(),
    };
    match error {
        ParseError::UnrecognizedToken { token: (start, token, end), .. }
        | ParseError::ExtraToken { token: (start, token, end) } => {
            let place = place(start, end);
            let diagnostic = Diagnostic::new(Kind::Syntax, place, format!("{within} does not continue like this"));
            if is_behind_the_card(text, place) {
                return diagnostic.with_hint(CARD);
            }
            let is_in = |words: &[&str]| word.is_some_and(|word| words.contains(&word));
            match token {
                Token::Kind(mode) if is_in(&["END ADF", "END ADR"]) => {
                    diagnostic.with_hint(format!("a derivative is assigned: D = {}(Y)", mode.kind()))
                }
                Token::Mark(_) if is_in(&["ADF", "ADR", "END ADF", "END ADR"]) => diagnostic.with_hint(
                    "TANGENT and COTANGENT are of a variable or an element: TANGENT(X) = e begins \
                                          a block, D = TANGENT(Y) ends it",
                ),
                Token::Mark(Raw::Minus | Raw::Plus) => {
                    diagnostic.with_hint("a sign behind an operator stands in parentheses: A*(-B)")
                }
                Token::Name(_) => diagnostic.with_hint("a name holds no blanks"),
                Token::Text(_) => diagnostic.with_hint("text in quotes stands only in the list of PRINT"),
                _ => diagnostic,
            }
        }
        ParseError::UnrecognizedEof { .. } | ParseError::InvalidToken { .. } | ParseError::User { .. } => {
            Diagnostic::new(Kind::Syntax, statement, format!("{within} ends too early"))
        }
    }
}
