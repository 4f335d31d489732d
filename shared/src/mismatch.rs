//! What is said when an argument does not match a pattern.

use crate::core::{LambdaId, Pattern, PatternId, Program};
use crate::diagnostic::Kind;
use crate::equality::same_value;
use crate::print::summary;
use crate::render::collapsed;
use crate::run::{Cause, Limits, Trouble, Watch};
use crate::value::Value;

/// What a pattern belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binder {
    /// A procedure that is called: the pattern is its parameter list.
    Procedure,
    /// A `let` or another form that takes a value apart.
    Let,
}

/// The trouble with an argument that the pattern of a lambda does not match, as far as it can be told without the application.
pub fn mismatch(program: &Program, lambda: LambdaId, argument: &Value, binder: Binder) -> Trouble {
    let argument = argument.clone();
    described(program, lambda, &argument, binder, None).with_cause(Cause::Mismatch { lambda, binder, argument })
}

/// The same where it may be known with how many operands the application is written.
pub(crate) fn described(
    program: &Program,
    lambda: LambdaId,
    argument: &Value,
    binder: Binder,
    written: Option<usize>,
) -> Trouble {
    let lambda = program.lambda(lambda);
    let parameters = parameters(program, lambda.pattern);
    if binder == Binder::Let {
        let operands = operands(argument, Some(parameters.len()));
        let (pattern, found, _) =
            first_mismatch(program, &parameters, &operands).unwrap_or((lambda.pattern, argument, 0));
        let (pattern, found) = (as_written(program, pattern), summary(program, found));
        return Trouble::new(Kind::Pattern, format!("a value that matches {pattern} is expected, found {found}"));
    }
    let name = lambda.name.as_ref().map_or_else(|| "this procedure".to_owned(), |name| format!("`{name}`"));
    let operands =
        operands(argument, written.filter(|written| *written != 1).or_else(|| taken_for(argument, parameters.len())));
    if operands.len() == parameters.len()
        && let Some((pattern, found, place)) = first_mismatch(program, &parameters, &operands)
    {
        let (pattern, found) = (as_written(program, pattern), summary(program, found));
        let which = if parameters.len() == 1 { String::new() } else { format!(" as its {}", ordinal(place)) };
        return Trouble::new(
            Kind::Pattern,
            format!("{name} expects an operand that matches {pattern}{which}, found {found}"),
        );
    }
    let expected = match parameters.as_slice() {
        [] => "no operands".to_owned(),
        [only] => format!("an operand that matches {}", as_written(program, *only)),
        several => {
            let names: Vec<String> = several.iter().take(LONGEST).map(|part| as_written(program, *part)).collect();
            format!("{} operands ({})", several.len(), cut(&names.join(" ")))
        }
    };
    Trouble::new(Kind::Pattern, format!("{name} expects {expected}, found {}", counted(program, &operands)))
        .with_hint("is the number of operands right? several are passed as one tuple")
}

/// The patterns of a parameter list, as they are written: a pair that stands where its first half does is two of them.
fn parameters(program: &Program, pattern: PatternId) -> Vec<PatternId> {
    let mut parameters = Vec::new();
    let mut rest = pattern;
    loop {
        match program.pattern(rest) {
            Pattern::Constant(constant)
                if parameters.is_empty() && matches!(program.constant(constant), Value::Nil) =>
            {
                return parameters;
            }
            Pattern::Pair(first, second) if program.pattern_span(rest).start == program.pattern_span(first).start => {
                parameters.push(first);
                rest = second;
            }
            Pattern::Variable | Pattern::Constant(_) | Pattern::Pair(..) => {
                parameters.push(rest);
                return parameters;
            }
        }
    }
}

/// The number of operands that an argument has for a procedure of so many parameters, if nothing else tells: a list is one, and
/// a tuple is taken apart no further than the parameters go.
fn taken_for(argument: &Value, parameters: usize) -> Option<usize> {
    let (mut pairs, mut rest) = (0, argument);
    while let Value::Pair(pair) = rest {
        pairs += 1;
        rest = &pair.second;
    }
    match rest {
        Value::Nil if pairs == 0 => None,
        Value::Nil => Some(1),
        _ => Some((pairs + 1).min(parameters.max(1))),
    }
}

/// The operands of an argument if there are so many of them; fewer if it has fewer. None are none for sure.
pub(crate) fn operands(argument: &Value, count: Option<usize>) -> Vec<&Value> {
    let mut operands = Vec::new();
    let Some(count) = count else { return vec![argument] };
    let mut rest = argument;
    while let Value::Pair(pair) = rest
        && operands.len() + 1 < count
    {
        operands.push(&pair.first);
        rest = &pair.second;
    }
    if count > 0 {
        operands.push(rest);
    }
    operands
}

/// The first of some operands that its pattern does not match, with the pattern and the operand's place.
fn first_mismatch<'value>(
    program: &Program,
    patterns: &[PatternId],
    operands: &[&'value Value],
) -> Option<(PatternId, &'value Value, usize)> {
    let pairs = patterns.iter().zip(operands).enumerate();
    let mut mismatches = pairs.filter(|(_, (pattern, operand))| !matches(program, **pattern, operand));
    mismatches.next().map(|(place, (pattern, operand))| (*pattern, *operand, place))
}

/// Whether a pattern matches a value.
fn matches(program: &Program, pattern: PatternId, value: &Value) -> bool {
    let mut watch = Watch::new(&Limits::default());
    let mut pending = vec![(pattern, value)];
    while let Some((pattern, value)) = pending.pop() {
        match (program.pattern(pattern), value) {
            (Pattern::Variable, _) => {}
            (Pattern::Constant(constant), value) => {
                if !same_value(program, program.constant(constant), value, &mut watch).unwrap_or(false) {
                    return false;
                }
            }
            (Pattern::Pair(first, second), Value::Pair(pair)) => {
                pending.extend([(second, &pair.second), (first, &pair.first)]);
            }
            (Pattern::Pair(..), _) => return false,
        }
    }
    true
}

/// Operands with their number.
fn counted(program: &Program, operands: &[&Value]) -> String {
    match operands {
        [] => "none".to_owned(),
        [only] => format!("1 operand: {}", summary(program, only)),
        several => {
            let shown: Vec<String> = several.iter().take(LONGEST).map(|operand| summary(program, operand)).collect();
            format!("{} operands: {}", several.len(), cut(&shown.join(" ")))
        }
    }
}

/// The number of an operand in words, from the number of those before it.
pub(crate) fn ordinal(place: usize) -> String {
    const WORDS: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    match WORDS.get(place) {
        Some(word) => format!("{word} operand"),
        None => format!("operand number {}", place + 1),
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

/// A pattern as it is written, on one line; cut if it is long.
fn as_written(program: &Program, pattern: PatternId) -> String {
    let written = program.sources.text(program.pattern_span(pattern));
    // On one line a comment would end with the text.
    if written.is_empty() || written.contains([';', '|']) {
        return pattern_text(program, pattern);
    }
    collapsed(written, LONGEST)
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
    cut(&out)
}

/// The most characters of patterns, or of operands, that are shown.
const LONGEST: usize = 60;

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(" ...".chars()).collect()
}
