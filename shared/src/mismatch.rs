//! What is said when an argument does not match a pattern.

use crate::core::{LambdaId, Pattern, PatternId, Program};
use crate::diagnostic::Kind;
use crate::print::summary;
use crate::run::Trouble;
use crate::value::Value;

/// What a pattern belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binder {
    /// A procedure that is called: the pattern is its parameter list.
    Procedure,
    /// A `let` or another form that takes a value apart.
    Let,
}

/// The trouble with an argument that the pattern of a lambda does not match.
pub fn mismatch(program: &Program, code: LambdaId, argument: &Value, binder: Binder) -> Trouble {
    let lambda = program.lambda(code);
    let found = summary(program, argument);
    let pattern = pattern_text(program, lambda.pattern);
    if binder == Binder::Let {
        return Trouble::new(Kind::Pattern, format!("a value that matches {pattern} is expected, found {found}"));
    }
    let name = lambda.name.as_ref().map_or_else(|| "this procedure".to_owned(), |name| format!("`{name}`"));
    let found = if matches!(argument, Value::Nil) { "() or none".to_owned() } else { found };
    let message = match operands(program, lambda.pattern) {
        Operands::None => format!("{name} expects no operands, found {found}"),
        Operands::One => format!("{name} expects an operand that matches {pattern}, found {found}"),
        Operands::Several(parts) => {
            let names: Vec<String> = parts.iter().map(|part| pattern_text(program, *part)).collect();
            let names = cut(names.join(" "));
            format!("{name} expects {} operands ({names}), found {found}", parts.len())
        }
    };
    Trouble::new(Kind::Pattern, message).with_hint("is the number of operands right? several are passed as one tuple")
}

/// What a parameter list takes.
enum Operands {
    /// The empty list: no operands.
    None,
    /// One operand with a pattern of its own.
    One,
    /// A tuple.
    Several(Vec<PatternId>),
}

fn operands(program: &Program, pattern: PatternId) -> Operands {
    let (mut parts, tail) = spine(program, pattern);
    match (parts.is_empty(), program.pattern(tail)) {
        (true, Pattern::Constant(constant)) if matches!(program.constant(constant), Value::Nil) => Operands::None,
        (false, Pattern::Variable | Pattern::Pair(..)) => {
            parts.push(tail);
            Operands::Several(parts)
        }
        (_, _) => Operands::One,
    }
}

/// The firsts of the pairs along the tail of a pattern, and what the tail ends in.
fn spine(program: &Program, pattern: PatternId) -> (Vec<PatternId>, PatternId) {
    let mut parts = Vec::new();
    let mut tail = pattern;
    while let Pattern::Pair(first, rest) = program.pattern(tail) {
        parts.push(first);
        tail = rest;
    }
    (parts, tail)
}

/// What is still to be written of a pattern.
enum Pending {
    Pattern(PatternId),
    Text(&'static str),
}

/// A pattern as text, with `list`, `cons` and `cons*` as a program would write it; cut if it is long.
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
                Pattern::Constant(constant) => out.push_str(&summary(program, program.constant(constant))),
                Pattern::Pair(..) => {
                    let (mut parts, tail) = spine(program, id);
                    let ends_in_nil = matches!(program.pattern(tail), Pattern::Constant(constant)
                        if matches!(program.constant(constant), Value::Nil));
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
    cut(out)
}

/// The most characters of a pattern that are shown.
const LONGEST: usize = 60;

fn cut(text: String) -> String {
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(" ...".chars()).collect()
}
