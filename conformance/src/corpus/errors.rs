//! Expected errors and observed ones: their differences, and the lines by which a case expects an error.

use super::case::{Case, ExpectedError, PendingCall, TextPlace};
use crate::observe::Observation;
use std::path::Path;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::source::{SourceMap, Span};
use vlad_shared::language::Comment;

/// The differences between an expected and an observed error, in words; `name` is the name of the case's own file.
pub fn error_differences(
    expected: &ExpectedError,
    actual: &Diagnostic,
    sources: &SourceMap,
    name: &str,
) -> Vec<String> {
    let mut found = Vec::new();
    if expected.kind != actual.kind {
        found.push(format!("an error of kind {} is expected, this one is of kind {}", expected.kind, actual.kind));
    }
    if !message_agrees(expected, actual) {
        found.push(format!("a message with `{}` is expected, got `{}`", expected.message, actual.message));
    }
    if let Some(hint) = &expected.hint
        && !hint_agrees(expected, actual)
    {
        found.push(format!("a hint with `{hint}` is expected, got {:?}", actual.hint));
    }
    let place = actual.span.map(|span| place(span, sources));
    let agrees = match (&expected.place, &place) {
        // No engine promises the place where memory or time runs out: `-` leaves the place open.
        (None, _) if matches!(expected.kind, Kind::Memory | Kind::Time) => true,
        (None, None) => true,
        (Some(expected), Some(actual)) => places_agree(expected, actual, name),
        (None, Some(_)) | (Some(_), None) => false,
    };
    if !agrees {
        found.push(format!(
            "the place {} is expected, got {}",
            described(expected.place.as_ref()),
            described(place.as_ref())
        ));
    }
    if let Some(expected) = &expected.calls {
        found.extend(call_difference(expected, &pending_calls(actual, sources), name));
    }
    found
}

/// Returns true if an error has the expected part of a message.
pub fn message_agrees(expected: &ExpectedError, actual: &Diagnostic) -> bool {
    actual.message.contains(&expected.message)
}

/// Returns true if an error has the expected part of a hint.
pub fn hint_agrees(expected: &ExpectedError, actual: &Diagnostic) -> bool {
    let has = |hint: &String| actual.hint.as_ref().is_some_and(|actual| actual.contains(hint));
    expected.hint.as_ref().is_none_or(has)
}

/// The errors that differ from the expected ones in the words of message and hint alone, each with the expected one.
pub fn reworded<'run>(
    case: &'run Case,
    observation: &'run Observation,
    name: &str,
) -> Vec<(&'run ExpectedError, &'run Diagnostic)> {
    let differs = |expected: &ExpectedError, actual: &Diagnostic| {
        !error_differences(expected, actual, &observation.sources, name).is_empty()
    };
    let pairs = case.errors.iter().zip(&observation.diagnostics);
    let in_words = |(expected, actual): &(&ExpectedError, &Diagnostic)| {
        let wordless = ExpectedError { message: String::new(), hint: None, ..(*expected).clone() };
        differs(expected, actual) && !differs(&wordless, actual)
    };
    pairs.filter(in_words).collect()
}

/// The message of an error as far as an expectation, which is a single line, can state it.
pub fn message_line(error: &Diagnostic) -> &str {
    error.message.split(char::is_control).next().unwrap_or_default().trim_end()
}

/// Returns the lines by which a case expects these errors, each with its line end; `name` is the name of the case's own
/// file.
///
/// # Errors
/// Returns the reason why an error cannot be stated as an expectation.
pub fn error_lines(
    errors: &[Diagnostic],
    sources: &SourceMap,
    name: &str,
    comment: Comment,
) -> Result<Vec<String>, String> {
    let error_line = |error: &Diagnostic| {
        if matches!(error.kind, Kind::Memory | Kind::Time) {
            return Err(format!("a limit of {} was reached, which says nothing of the program", error.kind));
        }
        let place = error.span.map(|span| place(span, sources));
        let place = place.map(|place| TextPlace { file: place.file.filter(|file| file != name), ..place });
        let place = described(place.as_ref());
        if place.contains(char::is_whitespace) {
            return Err(format!("the place {place} has blanks, so that no case can name it"));
        }
        Ok(comment.line(&format!("error: {} {place} {}", error.kind, message_line(error))) + "\n")
    };
    errors.iter().map(error_line).collect()
}

/// Returns the first difference between chains of pending calls; the rest of a long chain would only repeat it.
fn call_difference(expected: &[PendingCall], actual: &[PendingCall], name: &str) -> Option<String> {
    let agrees = |number: &usize| match (expected.get(*number), actual.get(*number)) {
        (Some(expected), Some(actual)) => calls_agree(expected, actual, name),
        (None, Some(_)) | (Some(_), None) => false,
        (None, None) => true,
    };
    let number = (0..expected.len().max(actual.len())).find(|number| !agrees(number))?;
    let text = |calls: &[PendingCall]| calls.get(number).map_or_else(|| "none".to_owned(), described_call);
    Some(format!("line {} of the pending calls: expected {}, got {}", number + 1, text(expected), text(actual)))
}

fn calls_agree(expected: &PendingCall, actual: &PendingCall, name: &str) -> bool {
    use PendingCall::{At, Elided};
    match (expected, actual) {
        (At { place: expected, procedure: in_expected }, At { place: actual, procedure: in_actual }) => {
            places_agree(expected, actual, name) && in_expected == in_actual
        }
        (Elided(expected), Elided(actual)) => expected == actual,
        (At { .. }, Elided(_)) | (Elided(_), At { .. }) => false,
    }
}

/// Returns the chain of an error in the form in which a case states it.
fn pending_calls(diagnostic: &Diagnostic, sources: &SourceMap) -> Vec<PendingCall> {
    let chain = diagnostic.chain.iter();
    let mut calls: Vec<PendingCall> = chain
        .map(|call| PendingCall::At { place: place(call.span, sources), procedure: call.procedure.clone() })
        .collect();
    if diagnostic.elided_calls > 0 {
        calls.insert(calls.len() / 2, PendingCall::Elided(diagnostic.elided_calls));
    }
    calls
}

fn described_call(call: &PendingCall) -> String {
    match call {
        PendingCall::At { place, procedure: None } => described(Some(place)),
        PendingCall::At { place, procedure: Some(procedure) } => {
            format!("{} {procedure}", described(Some(place)))
        }
        PendingCall::Elided(number) => format!("... {number}"),
    }
}

/// Returns true if a place is the expected one. Files are named by the end of their path.
fn places_agree(expected: &TextPlace, actual: &TextPlace, name: &str) -> bool {
    let file = actual.file.as_deref().unwrap_or_default();
    let same_file = match &expected.file {
        None => file == name,
        Some(expected) => file != name && (file == expected || Path::new(file).ends_with(expected)),
    };
    same_file && expected.range == actual.range
}

/// A place as a case states it.
pub fn described(place: Option<&TextPlace>) -> String {
    match place {
        None => "-".to_owned(),
        Some(TextPlace { file: None, range }) => range.clone(),
        Some(TextPlace { file: Some(file), range }) => format!("{file}:{range}"),
    }
}

/// A span as line and column numbers from 1.
pub fn place(span: Span, sources: &SourceMap) -> TextPlace {
    match sources.get(span.file) {
        None => TextPlace { file: Some("a file that is not there".to_owned()), range: String::new() },
        Some(file) => {
            let (start, end) = (file.position(span.start), file.position(span.end));
            let range = format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column);
            TextPlace { file: Some(file.name.clone()), range }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_out_calls_stand_in_the_middle() {
        let file = vlad_shared::core::source::FileId(0);
        let at = |start| PendingCall::At {
            place: TextPlace { file: Some("a file that is not there".to_owned()), range: String::new() },
            procedure: Some(format!("at {start}")),
        };
        let call = |start| vlad_shared::core::diagnostic::PendingCall {
            span: Span { file, start, end: start + 1 },
            procedure: Some(format!("at {start}")),
        };
        let mut diagnostic = Diagnostic::new(Kind::Type, None, "message");
        diagnostic.chain = vec![call(1), call(2)];
        diagnostic.elided_calls = 7;
        let calls = pending_calls(&diagnostic, &SourceMap::default());
        assert_eq!(calls, [at(1), PendingCall::Elided(7), at(2)]);
    }
}
