//! Texts that are damaged in a few places: lines, letters and words are left out, repeated, exchanged and replaced.
//!
//! Of such a text is asked that nothing breaks down, that each error has a place, and that engines agree.

use super::{Case, conditions, input};
use crate::observe::{Observation, observe};
use std::panic::{AssertUnwindSafe, catch_unwind};
use vlad_derivatives::numbers::Numbers;
use vlad_engines::{Engine, Settings};
use vlad_farfel_oracle::generate::Options;

/// The step limit of damaged programs.
const MOST_STEPS: u64 = 300_000;

/// Words that replace others.
const WORDS: [&str; 42] = [
    "X",
    "I",
    "P",
    "F1",
    "R2",
    "END",
    "ADF",
    "ADR",
    "TANGENT",
    "COTANGENT",
    "END ADF",
    "END ADR",
    "IF",
    "THEN",
    "ELSE",
    "END IF",
    "DO",
    "END DO",
    "GOTO",
    "10",
    "RETURN",
    "STOP",
    "CALL",
    "FUNCTION",
    "SUBROUTINE",
    "REAL",
    "INTEGER",
    "LOGICAL",
    "EXTERNAL",
    "DIMENSION",
    "PARAMETER",
    "COMMON",
    "DATA",
    "FORMAT",
    "(",
    ")",
    "=",
    ",",
    ".AND.",
    "**",
    "'",
    "PRINT *",
];

/// Letters that replace others.
const LETTERS: [char; 22] =
    ['(', ')', ',', '=', '+', '*', '/', '.', '\'', '&', '!', ':', ' ', '\n', '0', '9', 'E', 'X', 'i', '\t', '\0', 'λ'];

/// The text of a seed, with its seed's damage.
pub fn damaged(seed: u64) -> (Case, String) {
    let case = Case::of(seed, if seed.is_multiple_of(3) { Options::PLAIN } else { Options::ALL });
    let mut numbers = Numbers::new(seed);
    let mut text = case.text.clone();
    for _ in 0..1 + numbers.below(3) {
        text = damage(&text, &mut numbers);
    }
    (case, text)
}

fn damage(text: &str, numbers: &mut Numbers) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let place = numbers.below(lines.len());
    let mut change_line = |change: &mut dyn FnMut(&mut Vec<char>)| {
        if let Some(line) = lines.get_mut(place) {
            let mut letters: Vec<char> = line.chars().collect();
            change(&mut letters);
            *line = letters.into_iter().collect();
        }
    };
    match numbers.below(9) {
        0 => {
            lines.remove(place);
        }
        1 => {
            let line = lines.get(place).cloned().unwrap_or_default();
            let to = numbers.below(lines.len() + 1);
            lines.insert(to, line);
        }
        2 => {
            let other = numbers.below(lines.len());
            lines.swap(place, other);
        }
        3 => change_line(&mut |letters| {
            if !letters.is_empty() {
                letters.remove(numbers.below(letters.len()));
            }
        }),
        4 => change_line(&mut |letters| {
            let at = numbers.below(letters.len() + 1);
            letters.insert(at, LETTERS.get(numbers.below(LETTERS.len())).copied().unwrap_or(' '));
        }),
        5 => lines.truncate(place),
        _ => change_line(&mut |letters| replace_word(letters, numbers)),
    }
    lines.join("\n")
}

/// Replaces a word of a line, or a letter between words.
fn replace_word(letters: &mut Vec<char>, numbers: &mut Numbers) {
    let at = numbers.below(letters.len().max(1));
    let is_word = |letter: Option<&char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
    let (mut begin, mut end) = (at, at + 1);
    while begin > 0 && is_word(letters.get(begin)) && is_word(letters.get(begin - 1)) {
        begin -= 1;
    }
    while is_word(letters.get(end - 1)) && is_word(letters.get(end)) {
        end += 1;
    }
    let word = WORDS.get(numbers.below(WORDS.len())).copied().unwrap_or_default();
    letters.splice(begin.min(letters.len())..end.min(letters.len()), word.chars());
}

/// The difference between engines on the damaged text of a seed, or an error without a place.
pub fn difference(seed: u64, engines: &[Engine], settings: &Settings) -> Option<String> {
    let (case, text) = damaged(seed);
    let numbers: Vec<String> = case.tree.input.iter().map(f64::to_string).collect();
    disagreement(&text, numbers.join(" "), engines, settings).map(|difference| format!("{difference}\n{text}"))
}

/// The difference between engines on a text, or an error without a place.
pub fn disagreement(text: &str, numbers: String, engines: &[Engine], settings: &Settings) -> Option<String> {
    let mut conditions = conditions(numbers, settings);
    // A damaged program may run forever.
    conditions.limits.steps = Some(MOST_STEPS);
    let run = |engine: &Engine| {
        catch_unwind(AssertUnwindSafe(|| observe(*engine, input(text), &conditions)))
            .map_err(|panic| panic.downcast_ref::<String>().cloned().unwrap_or_else(|| "a panic".to_owned()))
    };
    let mut first: Option<Observation> = None;
    for engine in engines {
        let observation = match run(engine) {
            Ok(observation) => observation,
            Err(message) => return Some(format!("it breaks down: {message}")),
        };
        let lost = observation.diagnostics.iter().find(|error| error.span.is_none());
        if let Some(error) = lost.filter(|_| observation.steps.is_none()) {
            return Some(format!("an error has no place: {}", error.message));
        }
        match &first {
            None => first = Some(observation),
            Some(first) if first.output != observation.output || first.rendered() != observation.rendered() => {
                let (one, other) = (first.rendered(), observation.rendered());
                return Some(format!("engines differ\n{one}\n{other}"));
            }
            Some(_) => {}
        }
    }
    None
}
