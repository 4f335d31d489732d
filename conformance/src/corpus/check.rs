//! Comparison of an engine's behaviour with the expectations of a case, and readable reports of the differences.

use super::case::{self, Agreement, Case, ExpectedLine};
use super::compare::{lines_agree, lines_agree_in_units, lines_agree_nearly};
use super::errors::{described, error_differences, place};
use crate::observe::{Observation, RunConditions, observe, observe_all};
use std::fmt::{self, Write};
use std::path::Path;
use vlad_engines::{Engine, Settings};
use vlad_shared::core::diagnostic::Diagnostic;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::Input;
use vlad_shared::frontend::vlad::Vlad;
use vlad_shared::language::Language;
use vlad_shared::table::number::Notation;

/// A case with its program.
#[derive(Clone, Debug)]
pub struct Trial {
    name: String,
    program: Input,
    case: Case,
    setting: RunConditions,
}

impl Trial {
    /// The case in a file, whose extension tells the language.
    ///
    /// # Errors
    /// Returns a report for people if the file cannot be read or is not a case.
    pub fn of_file(path: &Path) -> Result<Trial, String> {
        let name = path.display().to_string();
        let case = case_of(&name, &read_text(path)?, language_of(path))?;
        let setting = setting(&case, path.parent().unwrap_or(Path::new(".")));
        Ok(Trial { name, program: Input::Path(path.to_path_buf()), case, setting })
    }

    /// The case in a text of VLAD.
    ///
    /// # Errors
    /// Returns a report for people if the text is not a case.
    pub fn of_text(name: &str, text: &str) -> Result<Trial, String> {
        Trial::of_text_in(&Vlad, name, text)
    }

    /// The case in a text of a language.
    ///
    /// # Errors
    /// Returns a report for people if the text is not a case.
    pub fn of_text_in(language: &'static dyn Language, name: &str, text: &str) -> Result<Trial, String> {
        let case = case_of(name, text, language)?;
        let setting = RunConditions { language: Some(language), ..setting(&case, Path::new(".")) };
        let program = Input::Text { name: name.to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
        Ok(Trial { name: name.to_owned(), program, case, setting })
    }

    /// Runs the case on an engine.
    ///
    /// # Errors
    /// Returns a report for people if the engine does not meet the expectations.
    pub fn check(self, engine: Engine) -> Result<(), String> {
        let observation = observe(engine, self.program, &self.setting);
        verdict(engine, &self.case, &observation, &self.name)
    }

    /// Runs several cases on an engine, which makes them ready together, with the given compilation. Returns the
    /// results of [`Trial::check`] in the order of the cases.
    pub fn check_all(engine: Engine, trials: Vec<Trial>, compilation: &Settings) -> Vec<Result<(), String>> {
        let programs = trials.iter().map(|trial| (trial.program.clone(), trial.setting.clone())).collect();
        let observations = observe_all(engine, programs, compilation);
        let verdict = |(trial, observation): (&Trial, _)| verdict(engine, &trial.case, &observation, &trial.name);
        trials.iter().zip(observations).map(verdict).collect()
    }
}

/// Returns the language of a case by the extension of its file.
pub fn language_of(path: &Path) -> &'static dyn Language {
    Languages::default().of_file(path).unwrap_or(&Vlad)
}

fn case_of(name: &str, text: &str, language: &dyn Language) -> Result<Case, String> {
    case::parse(text, language.comment()).map_err(|message| format!("{name}: {message}"))
}

/// Runs a case given as text of VLAD on an engine.
///
/// # Errors
/// Returns a report for people if the text is not a case, or the engine does not meet its expectations.
pub fn check_text(engine: Engine, name: &str, text: &str) -> Result<(), String> {
    Trial::of_text(name, text)?.check(engine)
}

/// Returns the text of a case. Bytes that are not UTF-8, which a case may be about, are replaced.
///
/// # Errors
/// Returns a message with the path if the file cannot be read.
pub fn read_text(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Runs the case in a file on an engine and returns the observed behaviour.
pub fn observe_file(engine: Engine, path: &Path, case: &Case) -> Observation {
    let folder = path.parent().unwrap_or(Path::new("."));
    observe(engine, Input::Path(path.to_path_buf()), &setting(case, folder))
}

/// Returns the input, include folders and limits of a case's program; `folder` is the one that contains the case.
pub fn setting(case: &Case, folder: &Path) -> RunConditions {
    RunConditions {
        language: None,
        input: case.input.clone(),
        include_folders: case.folders.iter().map(|name| folder.join(name)).collect(),
        limits: case.limits.limits(),
        notation: Notation::Shortest,
        compilation: Settings::default(),
    }
}

fn verdict(engine: Engine, case: &Case, observation: &Observation, name: &str) -> Result<(), String> {
    let mut differences = differences(case, observation, name).peekable();
    if differences.peek().is_none() {
        return Ok(());
    }
    let mut report = format!("{name} on {engine}:\n");
    for difference in differences {
        line(&mut report, format_args!("  {difference}"));
    }
    for output in &observation.output {
        line(&mut report, format_args!("  output | {output}"));
    }
    for diagnostic in observation.rendered().lines() {
        line(&mut report, format_args!("  errors | {diagnostic}"));
    }
    for diagnostic in &observation.diagnostics {
        line(
            &mut report,
            format_args!("  place of the {} error: {}", diagnostic.kind, place_text(diagnostic, observation)),
        );
    }
    Err(report)
}

/// Appends a line. Writing to a string cannot fail, so there is no error to return.
fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{text}");
}

/// A difference between the expectations of a case and an observation. Its text is made when it is shown.
#[derive(Clone, Debug)]
pub enum Difference<'text> {
    /// A line of output.
    Line(OutputDifference<'text>),
    /// Anything else.
    Other(String),
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Line(line) => line.fmt(out),
            Difference::Other(text) => out.write_str(text),
        }
    }
}

/// Returns the differences between the expectations of a case and an observation; `name` is the name of the case's own
/// file.
pub fn differences<'text>(
    case: &'text Case,
    observation: &'text Observation,
    name: &str,
) -> impl Iterator<Item = Difference<'text>> {
    let lines = output_differences(&case.output, observation.output.iter().map(String::as_str));
    let others = differences_of_errors_and_steps(case, observation, name);
    lines.map(Difference::Line).chain(others.into_iter().map(Difference::Other))
}

fn differences_of_errors_and_steps(case: &Case, observation: &Observation, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for number in 0..case.errors.len().max(observation.diagnostics.len()) {
        match (case.errors.get(number), observation.diagnostics.get(number)) {
            (Some(expected), Some(actual)) => {
                found.extend(error_differences(expected, actual, &observation.sources, name));
            }
            (Some(expected), None) => found
                .push(format!("there is no error of kind {} with the message `{}`", expected.kind, expected.message)),
            (None, Some(actual)) => {
                found.push(format!("there is an error of kind {} that is not expected", actual.kind))
            }
            (None, None) => {}
        }
    }
    found.extend(steps_difference(case.steps, observation.steps));
    found
}

/// Returns the difference between an expected number of steps and the one that was taken.
pub fn steps_difference(expected: Option<u64>, taken: Option<u64>) -> Option<String> {
    let steps = expected.filter(|steps| taken != Some(*steps))?;
    let taken = taken.map_or_else(|| "none".to_owned(), |taken| taken.to_string());
    Some(format!("{steps} steps are expected, {taken} were taken"))
}

/// A difference between an expected line and the printed one.
#[derive(Clone, Debug)]
pub struct OutputDifference<'text> {
    /// The number of the line in the output, from 0.
    number: usize,
    expected: Option<&'text ExpectedLine>,
    actual: Option<&'text str>,
}

impl OutputDifference<'_> {
    /// The line of the case, from 0, that states the expected line, if there is one.
    pub fn expected_at(&self) -> Option<usize> {
        self.expected.map(|expected| expected.at)
    }
}

/// Returns the differences between the expected lines and the printed ones, which are compared as they are asked for.
pub fn output_differences<'text>(
    expected: &'text [ExpectedLine],
    output: impl Iterator<Item = &'text str>,
) -> impl Iterator<Item = OutputDifference<'text>> {
    let (mut expected, mut output, mut numbers) = (expected.iter(), output.fuse(), 0..);
    std::iter::from_fn(move || {
        loop {
            let (number, expected, actual) = (numbers.next()?, expected.next(), output.next());
            match (expected, actual) {
                (None, None) => return None,
                (Some(expected), Some(actual)) if line_agrees(expected, actual) => {}
                (Some(_), _) | (None, Some(_)) => return Some(OutputDifference { number, expected, actual }),
            }
        }
    })
}

impl fmt::Display for OutputDifference<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.number + 1;
        let actual = shortened(self.actual.unwrap_or_default());
        match (self.expected, self.actual) {
            (Some(expected), Some(_)) => write!(
                out,
                "line {number} of the output (line {} of the case): expected `{}`, got `{actual}`",
                expected.at + 1,
                shortened(&expected.text)
            ),
            (Some(expected), None) => {
                write!(out, "line {number} of the output is missing: `{}`", shortened(&expected.text))
            }
            (None, _) => write!(out, "line {number} of the output is not expected: `{actual}`"),
        }
    }
}

/// The most characters of a line that differences quote: enough to see it, whatever was printed.
const MOST_CHARACTERS: usize = 4000;

/// Returns the beginning of a line.
fn shortened(line: &str) -> &str {
    line.char_indices().nth(MOST_CHARACTERS).and_then(|(end, _)| line.get(..end)).unwrap_or(line)
}

/// Returns the line of a case, from 1, that the first of these differences is about: that of an expectation that is not
/// met, or that of an error that is not expected; none if it is about neither.
pub fn line_of_difference(case: &Case, observation: &Observation, name: &str) -> Option<usize> {
    let unmet = case.output.iter().enumerate().find(|(number, expected)| {
        !observation.output.get(*number).is_some_and(|actual| line_agrees(expected, actual))
    });
    if let Some((_, expected)) = unmet {
        return Some(expected.at + 1);
    }
    let sources = &observation.sources;
    for number in 0..case.errors.len().max(observation.diagnostics.len()) {
        match (case.errors.get(number), observation.diagnostics.get(number)) {
            (Some(expected), Some(actual)) if error_differences(expected, actual, sources, name).is_empty() => {}
            (Some(expected), _) => return Some(expected.at + 1),
            (None, Some(actual)) => {
                let span = actual.span.filter(|span| sources.get(span.file).is_some_and(|file| file.name == name))?;
                return Some(sources.get(span.file)?.position(span.start).line as usize);
            }
            (None, None) => {}
        }
    }
    None
}

/// Returns true if a line of output is the expected one.
pub fn line_agrees(expected: &ExpectedLine, actual: &str) -> bool {
    match expected.agreement {
        Agreement::Within(tolerance) => lines_agree(&expected.text, actual, tolerance),
        Agreement::Near(tolerance) => lines_agree_nearly(&expected.text, actual, tolerance),
        Agreement::Units(most) => lines_agree_in_units(&expected.text, actual, most),
        Agreement::Exact => expected.text == actual,
    }
}

fn place_text(diagnostic: &Diagnostic, observation: &Observation) -> String {
    described(diagnostic.span.map(|span| place(span, &observation.sources)).as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "(define (f x) (+ 1 (car x)))\n(* 2 (f 3))\n;; error: type 1:20-1:27 `car`\n";

    fn check(calls: &str) -> Result<(), String> {
        Engine::ALL.into_iter().try_for_each(|engine| check_text(engine, "program", &format!("{PROGRAM}{calls}")))
    }

    #[test]
    fn chains_that_are_not_spoken_of_are_free() {
        check("").unwrap();
    }

    #[test]
    fn the_chain_is_the_expected_one() {
        check(";; call: 2:6-2:11\n").unwrap();
        for wrong in [
            ";; calls: none\n",
            ";; call: 2:6-2:11 f\n",
            ";; call: 2:6-2:10\n",
            ";; call: other.vlad:2:6-2:11\n",
            ";; call: 2:6-2:11\n;; call: 2:1-2:12\n",
            ";; call: 2:6-2:11\n;; call: ... 1\n",
            ";; call: ... 1\n;; call: 2:6-2:11\n",
        ] {
            let report = check(wrong).unwrap_err();
            assert!(report.contains("of the pending calls"), "{wrong}{report}");
        }
    }
}
