//! `vlad trace --step`: the steps of an evaluation, forwards and backwards.
//!
//! The steps around the present one are kept; others are found by walking from the start again ([`vlad_engines::walk`]).

use super::question::ResultHost;
use crate::output::console::Console;
use crate::process::exit::Exit;
use std::fmt::Write;
use std::io::{self, BufRead, IsTerminal};
use vlad_derivatives::appended::Call;
use vlad_engines::walk::{View, Walk, walk as walk_through};
use vlad_shared::core::diagnostic::Failure;
use vlad_shared::core::render;
use vlad_shared::core::{ExpressionId, Program};
use vlad_shared::frontend::load::{Input, Options, load};
use vlad_shared::runtime::run::{Limits, Outcome};

/// The number of views that are kept before and behind the present one.
const AROUND: u64 = 128;

/// The characters of an expression that are shown.
const LONGEST: usize = 100;

/// A key, which is a line of the input.
#[derive(Debug, PartialEq, Eq)]
enum Key {
    Forwards,
    Backwards,
    To(u64),
    End,
    Unknown,
}

/// Walks through the evaluation of a call, or of a whole program, as the keys say.
///
/// # Errors
/// The errors in the texts.
pub fn walk(
    input: Input,
    options: &Options,
    call: Option<&Call>,
    limits: &Limits,
    console: &Console,
) -> Result<Exit, Failure> {
    let (program, first) = match call {
        Some(call) => {
            let program = call.evaluation.program(vec![call.value()])?;
            let last = program.items.len().saturating_sub(1);
            (program, last)
        }
        None => (load(input, options)?, 0),
    };
    let is_typed = io::stdin().is_terminal();
    let mut walking = Walking { program: &program, first, limits: *limits, walk: None, at: 0 };
    let mut keys = io::stdin().lock();
    loop {
        let shown = walking.text();
        let prompt = if is_typed { "step> " } else { "" };
        if console.write_text(&format!("{shown}{prompt}")).is_err() {
            break;
        }
        let mut line = String::new();
        match keys.read_line(&mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        match key(line.trim()) {
            Key::Forwards => walking.go_to(walking.at.saturating_add(1)),
            Key::Backwards => walking.go_to(walking.at.saturating_sub(1)),
            Key::To(step) => walking.go_to(step),
            Key::End => break,
            Key::Unknown => {
                let help = "an empty line or `n` goes forwards, `b` backwards, a number to that step, `q` ends\n";
                if console.write_text(help).is_err() {
                    break;
                }
            }
        }
    }
    let _ = console.write_text(if is_typed { "\n" } else { "" });
    Ok(console.conclude_with_text(""))
}

fn key(line: &str) -> Key {
    match line {
        "" | "n" | "next" => Key::Forwards,
        "b" | "p" | "back" => Key::Backwards,
        "q" | "quit" => Key::End,
        other => other.parse().map_or(Key::Unknown, Key::To),
    }
}

/// The present step, with the views around it.
struct Walking<'program> {
    program: &'program Program,
    /// The first item whose steps are shown.
    first: usize,
    limits: Limits,
    walk: Option<Walk>,
    at: u64,
}

impl Walking<'_> {
    /// Goes to a step, or to the end if there are fewer.
    fn go_to(&mut self, step: u64) {
        self.at = step;
        self.find();
        if let Some(walk) = &self.walk
            && walk.report.is_some()
            && !walk.views.iter().any(|view| view.step == step)
        {
            // The end of the evaluation is behind the last step.
            match walk.views.last() {
                Some(last) => self.at = last.step + 1,
                None if step > AROUND => self.go_to(step - AROUND),
                None => self.at = 0,
            }
        }
    }

    /// Walks to the present step, unless its view is kept.
    fn find(&mut self) {
        let is_kept = self.walk.as_ref().is_some_and(|walk| walk.views.iter().any(|view| view.step == self.at));
        if !is_kept {
            let range = self.at.saturating_sub(AROUND)..self.at.saturating_add(AROUND);
            let mut host = ResultHost::default();
            self.walk = Some(walk_through(self.program, &mut host, &self.limits, self.first, range));
        }
    }

    /// The text of the present step.
    fn text(&mut self) -> String {
        self.find();
        let Some(walk) = &self.walk else { return String::new() };
        match walk.views.iter().find(|view| view.step == self.at) {
            Some(view) => self.view(view),
            None => match walk.report.as_ref().map(|report| &report.outcome) {
                Some(Outcome::Failed(diagnostic)) => {
                    let diagnostics = std::slice::from_ref(&**diagnostic);
                    let text = render::render(diagnostics, &self.program.sources, render::Style::Plain);
                    format!("step {}: the evaluation ends with an error\n{text}", self.at)
                }
                Some(Outcome::Finished | Outcome::OutputClosed | Outcome::Stopped) | None => {
                    format!("step {}: the evaluation has ended\n", self.at)
                }
            },
        }
    }

    fn view(&self, view: &View) -> String {
        let mut text = format!("step {} at {}", view.step, self.place(view.node));
        if view.operators > 0 {
            let noun = if view.operators == 1 { "operator" } else { "operators" };
            let _ = write!(text, ", inside {} {noun}", view.operators);
        }
        let _ = writeln!(text, "\n  expression    {}", self.source(view.node));
        for (place, (name, value)) in view.environment.iter().enumerate() {
            let head = if place == 0 { "environment" } else { "" };
            let _ = writeln!(text, "  {head:<12}  {name} = {value}");
        }
        if view.hidden_variables > 0 {
            let _ = writeln!(text, "                ... {} more", view.hidden_variables);
        }
        for (place, frame) in view.continuation.iter().enumerate() {
            let head = if place == 0 { "continuation" } else { "" };
            let waiting = frame.waiting.as_ref().map_or_else(String::new, |value| format!(", with {value}"));
            let (awaited, node) = (self.source(frame.awaited), self.source(frame.node));
            let _ = writeln!(text, "  {head:<12}  {awaited} in {node}{waiting}");
        }
        if view.hidden_frames > 0 {
            let _ = writeln!(text, "                ... {} more", view.hidden_frames);
        }
        text
    }

    fn place(&self, node: ExpressionId) -> String {
        render::place(&self.program.sources, self.program.span(node))
    }

    /// The text of an expression on one line.
    fn source(&self, node: ExpressionId) -> String {
        let written = self.program.sources.text(self.program.span(node));
        let words: Vec<&str> = written.split_whitespace().collect();
        let line = words.join(" ");
        if line.chars().count() <= LONGEST {
            return line;
        }
        line.chars().take(LONGEST).chain(" ...".chars()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_lines() {
        assert_eq!([key(""), key("n"), key("b"), key("q")], [Key::Forwards, Key::Forwards, Key::Backwards, Key::End]);
        assert_eq!((key("12"), key("-1"), key("x")), (Key::To(12), Key::Unknown, Key::Unknown));
    }
}
