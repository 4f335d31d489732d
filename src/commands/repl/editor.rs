//! Inputs from a terminal: a line editor with history, completion, and several lines for one input.

use super::completion::Completions;
use super::history;
use super::lines::{NextInput, is_command};
use rustyline::completion::Completer;
use rustyline::config::{BellStyle, CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::{History, MemHistory, SearchDirection};
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Editor, Helper};
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;
use vlad_shared::core::render::Style;
use vlad_shared::language::Language;

/// The most inputs that are kept.
const MOST_INPUTS: usize = 10_000;

/// The editor of a session.
pub struct InputEditor {
    editor: Editor<InputHelper, MemHistory>,
    /// The file of the history; none if nothing is kept.
    file: Option<PathBuf>,
}

/// The parts of the editor that know the language and the session.
struct InputHelper {
    language: &'static dyn Language,
    completions: Completions,
    style: Style,
}

impl InputEditor {
    /// An editor with the history in a file, if there is one.
    ///
    /// # Errors
    /// The terminal cannot be used.
    pub fn new(language: &'static dyn Language, style: Style, file: Option<PathBuf>) -> io::Result<InputEditor> {
        let config = Config::builder().completion_type(CompletionType::List).bell_style(BellStyle::None).build();
        let mut known = MemHistory::with_config(&config);
        known.set_max_len(MOST_INPUTS).map_err(io::Error::other)?;
        let mut editor = Editor::with_history(config, known).map_err(io::Error::other)?;
        editor.set_helper(Some(InputHelper { language, completions: Completions::default(), style }));
        for input in file.as_deref().map(history::read).unwrap_or_default() {
            let _ = editor.add_history_entry(input);
        }
        Ok(InputEditor { editor, file })
    }

    /// Reads the next input.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub fn next_input(&mut self, prompt: &str, completions: Completions) -> io::Result<NextInput> {
        if let Some(helper) = self.editor.helper_mut() {
            helper.completions = completions;
        }
        let read = self.editor.readline(prompt);
        match read {
            Ok(text) => {
                if !text.trim().is_empty() {
                    let _ = self.editor.add_history_entry(text.as_str());
                }
                Ok(NextInput::Input(text))
            }
            Err(ReadlineError::Eof) => Ok(NextInput::End),
            Err(ReadlineError::Interrupted) => Ok(NextInput::Interrupted),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(other) => Err(io::Error::other(other)),
        }
    }

    /// Writes the history to its file. That this fails is no error of the session.
    pub fn keep_history(&self) {
        let Some(file) = &self.file else { return };
        let known = self.editor.history();
        let inputs = (0..known.len()).filter_map(|place| {
            let entry = known.get(place, SearchDirection::Forward).ok().flatten()?;
            Some(entry.entry.into_owned())
        });
        let _ = history::write(file, inputs);
    }
}

impl Validator for InputHelper {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        let is_unfinished = !is_command(text) && self.language.is_unfinished(text);
        Ok(if is_unfinished { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Completer for InputHelper {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.completions.at(line.get(..pos).unwrap_or(line)))
    }
}

impl Highlighter for InputHelper {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        match self.style {
            Style::Coloured => Cow::Owned(format!("\x1b[1;34m{prompt}\x1b[0m")),
            Style::Plain => Cow::Borrowed(prompt),
        }
    }
}

impl Hinter for InputHelper {
    type Hint = String;
}

impl Helper for InputHelper {}
