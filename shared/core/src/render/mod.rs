//! Rendering of diagnostics as text: the message, the line with the place underlined, the hint, the pending calls.
//!
//! Invariant: the result is a bounded amount of printable text, whatever the program contains. Long lines are cut
//! around the place, long messages in the middle, long chains of calls are folded and then cut, and characters that a
//! terminal would interpret rather than show are written as escapes.
//!
//! ```text
//! error[type]: `car` expects a pair, found 3
//!  --> program.vlad:3:8
//!   |
//! 3 |   (+ 1 (car x))
//!   |        ^^^^^^^
//!   = hint: ...
//! pending calls, innermost first:
//!   in `loop` at program.vlad:7:5: (loop (- i 1))
//!   ... the last call again, 99 times ...
//! ```

mod chain;
pub mod escapes;
mod excerpt;
mod printable;

pub use chain::{ChainLine, chain_lines};

use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Position, SourceMap, Span};
use excerpt::{Excerpt, excerpt};
pub(crate) use printable::collapsed;
use printable::printable;
use std::fmt::Write;

/// The style of rendered diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text alone.
    Plain,
    /// Text with the escape sequences that colour it in a terminal.
    Coloured,
}

/// The role of a piece of rendered text, which determines its colour.
#[derive(Clone, Copy)]
enum Role {
    Error,
    Warning,
    Message,
    Frame,
    Mark,
    Aside,
}

impl Style {
    fn paint(self, role: Role, text: &str) -> String {
        let code = match role {
            Role::Error | Role::Mark => "1;31",
            Role::Warning => "1;33",
            Role::Message => "1",
            Role::Frame => "1;34",
            Role::Aside => "1;36",
        };
        match self {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

/// The greatest number of diagnostics shown of one text or one report; for the rest only the number is reported (a
/// front end may itself stop counting at some number).
pub const MOST_DIAGNOSTICS: usize = 20;

/// The number of characters of a message that are shown.
const MESSAGE_WIDTH: usize = 400;

/// The number of columns of a pending call's text that are shown.
const CALL_WIDTH: usize = 60;

/// Renders diagnostics, each ending in a line end, the first [`MOST_DIAGNOSTICS`] of them.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, style: Style) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(MOST_DIAGNOSTICS) {
        render_one(&mut out, diagnostic, sources, style);
    }
    match diagnostics.len().saturating_sub(MOST_DIAGNOSTICS) {
        0 => {}
        more => line(&mut out, format_args!("... and at least {more} more")),
    }
    out
}

/// Appends a line. Writing to a string cannot fail, so there is no error to return.
fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{text}");
}

fn render_one(out: &mut String, diagnostic: &Diagnostic, sources: &SourceMap, style: Style) {
    let severity = diagnostic.kind.severity();
    let role = match severity {
        Severity::Error => Role::Error,
        Severity::Warning => Role::Warning,
    };
    let head = style.paint(role, &format!("{}[{}]", severity.name(), diagnostic.kind));
    let message = style.paint(Role::Message, &printable(&diagnostic.message, MESSAGE_WIDTH));
    line(out, format_args!("{head}: {message}"));

    let spans = diagnostic.span.into_iter().chain(diagnostic.labels.iter().map(|label| label.span));
    let last_line = spans.filter_map(|span| Some(position(sources, span)?.1.line)).max().unwrap_or(0);
    let gutter = last_line.max(1).to_string().len();

    if let Some(span) = diagnostic.span {
        render_place(out, span, gutter, sources, style);
    }
    if let Some(hint) = &diagnostic.hint {
        render_hint(out, hint, gutter, style);
    }
    for label in &diagnostic.labels {
        let note = style.paint(Role::Aside, "note");
        line(out, format_args!("{note}: {}", printable(&label.message, MESSAGE_WIDTH)));
        render_place(out, label.span, gutter, sources, style);
    }
    render_chain(out, diagnostic, sources);
}

/// Returns the name of the file that contains a span, and the position where the span begins.
fn position(sources: &SourceMap, span: Span) -> Option<(&str, Position)> {
    let file = sources.get(span.file)?;
    Some((&file.name, file.position(span.start)))
}

/// Returns a place as `name:line:column`.
pub fn place(sources: &SourceMap, span: Span) -> String {
    match position(sources, span) {
        Some((name, Position { line, column })) => format!("{}:{line}:{column}", printable(name, MESSAGE_WIDTH)),
        None => "an unknown place".to_owned(),
    }
}

/// Renders a place and a hint as they stand below the message of a diagnostic.
pub fn render_explanation(span: Span, hint: &str, sources: &SourceMap, style: Style) -> String {
    let gutter = position(sources, span).map_or(1, |(_, position)| position.line.to_string().len());
    let mut out = String::new();
    render_place(&mut out, span, gutter, sources, style);
    render_hint(&mut out, hint, gutter, style);
    out
}

fn render_hint(out: &mut String, hint: &str, gutter: usize, style: Style) {
    let equals = style.paint(Role::Frame, "=");
    let hint_word = style.paint(Role::Aside, "hint");
    line(out, format_args!("{:gutter$} {equals} {hint_word}: {}", "", printable(hint, MESSAGE_WIDTH)));
}

/// Renders the arrow, the line and the underlining.
fn render_place(out: &mut String, span: Span, gutter: usize, sources: &SourceMap, style: Style) {
    let arrow = style.paint(Role::Frame, "-->");
    line(out, format_args!("{:gutter$}{arrow} {}", "", place(sources, span)));
    let Some(file) = sources.get(span.file) else { return };
    let Excerpt { text, before, width, last_line } = excerpt(file, span);
    let bar = style.paint(Role::Frame, "|");
    let number = style.paint(Role::Frame, &format!("{:>gutter$}", file.position(span.start).line));
    let mark = style.paint(Role::Mark, &"^".repeat(width));
    let going_on = last_line.map_or_else(String::new, |last| format!(" ... to line {last}"));
    line(out, format_args!("{:gutter$} {bar}", ""));
    line(out, format_args!("{}", format_args!("{number} {bar} {text}").to_string().trim_end()));
    line(out, format_args!("{:gutter$} {bar} {:before$}{mark}{going_on}", "", ""));
}

fn render_chain(out: &mut String, diagnostic: &Diagnostic, sources: &SourceMap) {
    if diagnostic.chain.is_empty() {
        return;
    }
    out.push_str("pending calls, innermost first:\n");
    for chain_line in chain_lines(diagnostic) {
        match chain_line {
            ChainLine::Call(call) => {
                let within = match &call.procedure {
                    Some(procedure) => format!("in `{}` ", printable(procedure, CALL_WIDTH)),
                    None => String::new(),
                };
                let text = collapsed(sources.text(call.span), CALL_WIDTH);
                line(out, format_args!("  {within}at {}: {text}", place(sources, call.span)));
            }
            ChainLine::Again { calls: 1, times } => {
                line(out, format_args!("  ... the last call again, {} ...", count_of_times(times)));
            }
            ChainLine::Again { calls, times } => {
                line(out, format_args!("  ... the last {calls} calls again, {} ...", count_of_times(times)));
            }
            ChainLine::Omitted(calls) => line(out, format_args!("  ... {calls} more ...")),
        }
    }
}

fn count_of_times(times: usize) -> String {
    if times == 1 { "once".to_owned() } else { format!("{times} times") }
}

#[cfg(test)]
mod tests;
