//! Messages for an argument that does not match a pattern.

use vlad_core::diagnostic::Kind;
use vlad_core::print::patterns::{LONGEST, as_written, cut};
use vlad_core::program::STOP;
use vlad_core::{Binder, Constant, LambdaId, Pattern, PatternId, Program};
use vlad_values::Value;
use vlad_values::constants::constant_value;
use vlad_values::equality::same_value;
use vlad_values::fault::{Cause, RuntimeError};
use vlad_values::print::summary;
use vlad_values::watch::LimitCheck;

/// Returns the run-time error for an argument that the pattern of a lambda does not match, described without its
/// application.
pub fn mismatch(program: &Program, lambda: LambdaId, argument: &Value, binder: Binder) -> RuntimeError {
    let argument = argument.clone();
    described(program, lambda, &argument, binder, None).with_cause(Cause::Mismatch { lambda, binder, argument })
}

/// Describes the mismatch, given the number of operands written in the application, if it is known.
pub(crate) fn described(
    program: &Program,
    lambda: LambdaId,
    argument: &Value,
    binder: Binder,
    written: Option<usize>,
) -> RuntimeError {
    let lambda = program.lambda(lambda);
    let parameters = parameters(program, lambda.pattern);
    if let (Binder::Let, Some(requirement)) = (binder, &lambda.name) {
        // A `let` has no name; with one it states what the language that it comes from requires.
        let kind = if requirement.as_str() == STOP { Kind::Stopped } else { Kind::Pattern };
        return RuntimeError::new(kind, requirement.to_string());
    }
    if binder == Binder::Let {
        let operands = operands(argument, Some(parameters.len()));
        let (pattern, found, _) =
            first_mismatch(program, &parameters, &operands).unwrap_or((lambda.pattern, argument, 0));
        let (pattern, found) = (as_written(program, pattern), summary(program, found));
        return RuntimeError::new(Kind::Pattern, format!("a value that matches {pattern} is expected, found {found}"));
    }
    let name = lambda.name.as_ref().map_or_else(|| "this procedure".to_owned(), |name| format!("`{name}`"));
    let operands =
        operands(argument, written.filter(|written| *written != 1).or_else(|| taken_for(argument, parameters.len())));
    if operands.len() == parameters.len()
        && let Some((pattern, found, place)) = first_mismatch(program, &parameters, &operands)
    {
        let (pattern, found) = (as_written(program, pattern), summary(program, found));
        let which = if parameters.len() == 1 { String::new() } else { format!(" as its {}", ordinal(place)) };
        return RuntimeError::new(
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
    RuntimeError::new(Kind::Pattern, format!("{name} expects {expected}, found {}", counted(program, &operands)))
        .with_hint("is the number of operands right? several are passed as one tuple")
}

/// Returns the patterns of a parameter list as written: a pair that begins where its first half does is two of them.
pub(crate) fn parameters(program: &Program, pattern: PatternId) -> Vec<PatternId> {
    let mut parameters = Vec::new();
    let mut rest = pattern;
    loop {
        match program.pattern(rest) {
            Pattern::Constant(constant)
                if parameters.is_empty() && matches!(program.constant(constant), Constant::Nil) =>
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

/// Returns the number of operands that an argument has for a procedure of so many parameters, if nothing else
/// determines it: a list is one operand, and a tuple is split into at most as many as there are parameters. None for
/// the empty list.
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

/// Returns the operands of an argument if there are `count` of them; fewer if it has fewer, none if `count` is 0.
/// Without a count, the argument is one operand.
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

/// Returns the first operand that its pattern does not match, with the pattern and the operand's position.
fn first_mismatch<'value>(
    program: &Program,
    patterns: &[PatternId],
    operands: &[&'value Value],
) -> Option<(PatternId, &'value Value, usize)> {
    let pairs = patterns.iter().zip(operands).enumerate();
    let mut mismatches = pairs.filter(|(_, (pattern, operand))| !matches(program, **pattern, operand));
    mismatches.next().map(|(place, (pattern, operand))| (*pattern, *operand, place))
}

/// Returns true if a pattern matches a value.
fn matches(program: &Program, pattern: PatternId, value: &Value) -> bool {
    let mut watch = LimitCheck::default();
    let mut pending = vec![(pattern, value)];
    while let Some((pattern, value)) = pending.pop() {
        match (program.pattern(pattern), value) {
            (Pattern::Variable, _) => {}
            (Pattern::Constant(constant), value) => {
                if !same_value(program, &constant_value(&program.constants, constant), value, &mut watch)
                    .unwrap_or(false)
                {
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

/// Describes operands with their number.
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

/// Returns the ordinal of an operand in words, from the number of operands before it.
pub(crate) fn ordinal(place: usize) -> String {
    const WORDS: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    match WORDS.get(place) {
        Some(word) => format!("{word} operand"),
        None => format!("operand number {}", place + 1),
    }
}
