//! Tests of the front end through its interface: text in, core or errors out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod depth;
mod desugaring;
mod errors;
mod farfel;
mod files;
mod fsmooth;
mod naming;
mod reading;
mod resolving;
mod soup;
mod warnings;

use vlad_core::diagnostic::Failure;
use vlad_core::{Program, check as core_check, print as core_print};
use vlad_frontend::load::{Expanded, Input, Options, expanded, load};
use vlad_language::named::check as named_check;

/// A text as an input.
fn text(text: &str) -> Input {
    Input::Text { name: "<test>".into(), bytes: text.as_bytes().to_vec(), folder: None }
}

/// Checks the invariant of the named core of an input, if it has no errors up to there.
fn check_named(input: Input) {
    if let Ok(Expanded { names, named, prelude, items }) = expanded(input.clone(), &Options::default()) {
        named_check::check(&named, &names, prelude.into_iter().chain(items))
            .unwrap_or_else(|message| panic!("{message}\nin {input:?}"));
    }
}

/// Loads a text and checks the invariants of the result.
fn try_load(program: &str) -> Result<Program, Failure> {
    check_named(text(program));
    let loaded = load(text(program), &Options::default())?;
    core_check::check(&loaded).unwrap_or_else(|message| panic!("{message}\nin {program}"));
    Ok(loaded)
}

/// Returns the errors as text: kind, the text of the span, message, labels, hint.
fn describe(failure: &Failure) -> String {
    let mut lines = vec![];
    for diagnostic in &failure.diagnostics {
        let place = diagnostic.span.map_or("nowhere".to_string(), |span| {
            let position = failure.sources.get(span.file).unwrap().position(span.start);
            format!("{}:{} `{}`", position.line, position.column, failure.sources.text(span))
        });
        lines.push(format!("{} at {place}: {}", diagnostic.kind, diagnostic.message));
        for label in &diagnostic.labels {
            let position = failure.sources.get(label.span.file).unwrap().position(label.span.start);
            lines.push(format!("  {}:{}: {}", position.line, position.column, label.message));
        }
        lines.extend(diagnostic.hint.iter().map(|hint| format!("  hint: {hint}")));
    }
    lines.join("\n")
}

/// Loads a text without errors.
fn program(text: &str) -> Program {
    try_load(text).unwrap_or_else(|failure| panic!("{}\nin {text}", describe(&failure)))
}

/// Returns the core of a text on one line.
fn core(text: &str) -> String {
    core_print::print(&program(text)).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks the core of a text.
fn check(text: &str, expected: &str) {
    assert_eq!(core(text), expected, "for {text}");
}

/// Checks the errors of a text.
fn check_errors(text: &str, expected: &str) {
    let failure = match try_load(text) {
        Err(failure) => failure,
        Ok(_) => panic!("no errors in {text}"),
    };
    assert_eq!(describe(&failure), expected, "for {text}");
}
