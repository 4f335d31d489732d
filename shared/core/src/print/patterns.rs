//! The text of patterns, for messages and for printed converted code.

use crate::constant::Constant;
use crate::program::{Pattern, PatternId, Program};
use crate::render::collapsed;

/// The greatest number of characters shown of patterns or operands.
pub const LONGEST: usize = 60;

/// Cuts a text that is longer than [`LONGEST`] characters.
pub fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(" ...".chars()).collect()
}

/// Returns a pattern as written in the program, on one line; cut if it is long.
pub fn as_written(program: &Program, pattern: PatternId) -> String {
    let written = program.sources.text(program.pattern_span(pattern));
    // On one line, a comment would extend to the end of the text.
    if written.is_empty() || written.contains([';', '|']) {
        return pattern_text(program, pattern);
    }
    collapsed(written, LONGEST)
}

/// Returns a pattern as text, with `list`, `cons` and `cons*` as in a program; cut if it is long.
pub fn pattern_text(program: &Program, pattern: PatternId) -> String {
    let mut out = String::new();
    let mut pending = vec![Pending::Pattern(pattern)];
    while let Some(next) = pending.pop()
        && out.len() <= LONGEST
    {
        match next {
            Pending::Text(text) => out.push_str(text),
            Pending::Pattern(id) => match program.pattern(id) {
                Pattern::Variable => out.push_str(program.pattern_name(id)),
                Pattern::Constant(constant) => out.push_str(&program.constants.summary(constant)),
                Pattern::Pair(..) => {
                    let (mut parts, tail) = spine(program, id);
                    let ends_in_nil = matches!(program.pattern(tail), Pattern::Constant(constant)
                        if matches!(program.constant(constant), Constant::Nil));
                    out.push_str(match (ends_in_nil, parts.len()) {
                        (true, _) => "(list",
                        (false, 1) => "(cons",
                        (false, _) => "(cons*",
                    });
                    if !ends_in_nil {
                        parts.push(tail);
                    }
                    pending.push(Pending::Text(")"));
                    for part in parts.into_iter().rev() {
                        pending.push(Pending::Pattern(part));
                        pending.push(Pending::Text(" "));
                    }
                }
            },
        }
    }
    cut(&out)
}

/// A pending part of a pattern's text.
enum Pending {
    Pattern(PatternId),
    Text(&'static str),
}

/// Returns the firsts of the pairs along the tail of a pattern, and the end of the tail.
pub fn spine(program: &Program, pattern: PatternId) -> (Vec<PatternId>, PatternId) {
    let mut parts = Vec::new();
    let mut tail = pattern;
    while let Pattern::Pair(first, rest) = program.pattern(tail) {
        parts.push(first);
        tail = rest;
    }
    (parts, tail)
}
