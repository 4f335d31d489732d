//! External implementations as columns: commands that take a file and the standard input, and print.
//!
//! They have to meet the portable part of a case: the lines of output, numbers within the tolerance; success (exit code
//! 0) if the case expects no error, and failure (another code) if it does. If a command prints lines like `error[KIND]:
//! ...` on its standard error, the kinds have to be those expected, and if such a line is followed by `-->
//! FILE:LINE:COLUMN`, line and column have to be those of the start of the expected error. Steps are not
//! compared, and bits where that is asked for ([`Closeness`]).

use super::cell::{Cell, Verdict};
use crate::case::{Agreement, Case, ExpectedError, ExpectedLine};
use crate::check;
use crate::compare::DEFAULT_TOLERANCE;
use crate::observe::Observation;
use std::ffi::{OsStr, OsString};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use vlad_files::process::{self, Bounds, Excess, Finished, Streams, Termination};
use vlad_shared::core::diagnostic::Kind;

/// The most bytes of an output; a program that prints more is ended.
const MOST_OUTPUT: usize = 64 << 20;

/// An external implementation.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// Its name in reports.
    pub name: String,
    /// The program, by its path or its name.
    program: String,
    /// Its arguments. `{}` in them is replaced by the file, which is appended if no argument contains `{}`.
    arguments: Vec<String>,
    /// The closeness of its numbers; if none is given, the tolerances of the cases.
    closeness: Option<Closeness>,
}

/// The difference that numbers of an external implementation may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Closeness {
    /// By this tolerance, relative to numbers greater than 1.
    Tolerance(f64),
    /// By so many units in the last place from what the engines compute; 0 if the bits have to be the same.
    Units(u64),
}

/// The closeness that is asked of external implementations.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalCloseness {
    /// The name of the implementation; all of them if none is given.
    pub name: Option<String>,
    /// The difference.
    pub closeness: Closeness,
}

impl ExternalCloseness {
    /// Parses a tolerance, `T` or `NAME=T`.
    ///
    /// # Errors
    /// The tolerance is no number between 0 and 1.
    pub fn tolerance(text: &str) -> Result<ExternalCloseness, String> {
        let (name, tolerance) = named(text);
        match tolerance.parse() {
            Ok(tolerance) if tolerance > 0.0 && tolerance < 1.0 => {
                Ok(ExternalCloseness { name, closeness: Closeness::Tolerance(tolerance) })
            }
            Ok(_) | Err(_) => Err("a tolerance is T or NAME=T, with T between 0 and 1".to_owned()),
        }
    }

    /// Parses a number of units in the last place, `N` or `NAME=N`.
    ///
    /// # Errors
    /// It is no whole number.
    pub fn units(text: &str) -> Result<ExternalCloseness, String> {
        let (name, units) = named(text);
        match units.parse() {
            Ok(units) => Ok(ExternalCloseness { name, closeness: Closeness::Units(units) }),
            Err(_) => Err("units in the last place are N or NAME=N, with a whole number N".to_owned()),
        }
    }

    /// The same bits, of all implementations.
    pub const BITS: ExternalCloseness = ExternalCloseness { name: None, closeness: Closeness::Units(0) };
}

/// Splits a name from what is said of it.
fn named(text: &str) -> (Option<String>, &str) {
    match text.rsplit_once('=') {
        Some((name, said)) => (Some(name.to_owned()), said),
        None => (None, text),
    }
}

impl External {
    /// Parses `NAME=COMMAND` or `COMMAND`; the default name is the stem of the program's file name. A command is split
    /// into words as by a shell - blanks, quotes, backslashes - but no shell is run: no other character is special.
    ///
    /// # Errors
    /// Returns a message if there is no command or a quote is not closed.
    pub fn parse(text: &str) -> Result<External, String> {
        let is_name = |name: &str| {
            !name.is_empty() && name.chars().all(|each| each.is_alphanumeric() || matches!(each, '-' | '_' | '.' | '+'))
        };
        let (name, command) = match text.split_once('=') {
            Some((name, command)) if is_name(name) => (Some(name.to_owned()), command),
            Some(_) | None => (None, text),
        };
        let mut words = words(command)?.into_iter();
        let program = words.next().filter(|program| !program.is_empty()).ok_or("there is no command")?;
        let file = Path::new(&program).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = name.or(file).unwrap_or_else(|| program.clone());
        Ok(External { name, program, arguments: words.collect(), closeness: None })
    }

    /// An implementation of which a report tells the name alone.
    pub fn named(name: &str) -> External {
        External { name: name.to_owned(), program: String::new(), arguments: Vec::new(), closeness: None }
    }

    /// Returns it with the closeness of its numbers, the last one that is given for it.
    pub fn with_closeness(self, given: &[ExternalCloseness]) -> External {
        let is_own = |given: &&ExternalCloseness| given.name.as_ref().is_none_or(|name| *name == self.name);
        let closeness = given.iter().rfind(is_own).map(|given| given.closeness);
        External { closeness, ..self }
    }

    /// The arguments that run it on a file.
    fn arguments(&self, file: &Path) -> Vec<OsString> {
        // A name that begins with a hyphen would be taken for an option.
        let hyphen = file.as_os_str().as_encoded_bytes().starts_with(b"-");
        let file = if hyphen { Path::new(".").join(file) } else { file.to_path_buf() };
        let mut arguments: Vec<OsString> = self.arguments.iter().map(|word| filled(word, file.as_os_str())).collect();
        if !self.arguments.iter().any(|word| word.contains("{}")) {
            arguments.push(file.into_os_string());
        }
        arguments
    }

    /// Runs it on a file and compares the result with the expectations, or with what an engine did.
    pub fn judge(
        &self,
        file: &Path,
        case: &Case,
        wanted: &CommandExpectations,
        engine: Option<&Observation>,
        limit: Duration,
    ) -> Cell {
        if let Some(reason) = reason_to_skip(case) {
            return Cell::without_run(Verdict::Skipped(reason));
        }
        let begun = Instant::now();
        let mut command = Command::new(&self.program);
        command.args(self.arguments(file));
        let bounds = Bounds { time: limit, output: MOST_OUTPUT, excess: Excess::Fatal };
        let finished = process::run(command, case.input.as_bytes(), Streams::Apart, bounds);
        let time = begun.elapsed();
        let differences = match finished {
            Err(error) => vec![format!("`{}` cannot be started: {error}", self.program)],
            Ok(finished) => match self.closeness {
                Some(closeness) => differences(&finished, &wanted.clone().by(closeness, engine), limit),
                // The functions of another implementation may differ in their last digits.
                None => differences(&finished, &wanted.clone().within_12_digits(), limit),
            },
        };
        let verdict = if differences.is_empty() { Verdict::Passed } else { Verdict::Failed(differences) };
        Cell { verdict, steps: None, time, line: None }
    }
}

/// The reason why a case cannot be run by a command: it depends on something that the command does not receive.
fn reason_to_skip(case: &Case) -> Option<String> {
    let is_limit = |kind: Kind| matches!(kind, Kind::Steps | Kind::Depth | Kind::Memory | Kind::Time);
    if !case.folders.is_empty() {
        return Some("the case needs a folder to look for includes in".to_owned());
    }
    let error = case.errors.iter().find(|error| is_limit(error.kind))?;
    Some(format!("the case is about a limit of {}", error.kind))
}

/// A word with each `{}` replaced by the file.
fn filled(word: &str, file: &OsStr) -> OsString {
    let mut filled = OsString::new();
    for (number, piece) in word.split("{}").enumerate() {
        if number > 0 {
            filled.push(file);
        }
        filled.push(piece);
    }
    filled
}

/// The expectations that a command has to meet.
#[derive(Clone, Debug)]
pub struct CommandExpectations {
    output: Vec<ExpectedLine>,
    errors: Vec<WantedError>,
}

/// An expected error.
#[derive(Clone, Debug)]
struct WantedError {
    kind: Kind,
    /// The start of its place, `LINE:COLUMN`, if that is known.
    start: Option<String>,
}

impl CommandExpectations {
    /// The expectations of a case.
    pub fn of_case(case: &Case) -> CommandExpectations {
        let start = |error: &ExpectedError| Some(error.place.as_ref()?.range.split_once('-')?.0.to_owned());
        let errors = case.errors.iter().map(|error| WantedError { kind: error.kind, start: start(error) }).collect();
        CommandExpectations { output: case.output.clone(), errors }
    }

    /// The same expectations with the usual tolerance where a case wants numbers exactly.
    fn within_12_digits(mut self) -> CommandExpectations {
        for line in self.output.iter_mut().filter(|line| line.agreement == Agreement::Exact) {
            line.agreement = Agreement::Within(DEFAULT_TOLERANCE);
        }
        self
    }

    /// The same expectations with another closeness of numbers, also where a case wants them exactly. Units are counted from
    /// what an engine printed, where a case may have fewer digits.
    fn by(mut self, closeness: Closeness, engine: Option<&Observation>) -> CommandExpectations {
        let agreement = match closeness {
            Closeness::Tolerance(tolerance) => Agreement::Near(tolerance),
            Closeness::Units(units) => {
                let printed = engine.map_or(&[][..], |observation| &observation.output);
                for (line, printed) in self.output.iter_mut().zip(printed) {
                    line.text.clone_from(printed);
                }
                Agreement::Units(units)
            }
        };
        self.output.iter_mut().for_each(|line| line.agreement = agreement);
        self
    }

    /// The observed behaviour of an engine, as expectations for a program that has none of its own.
    pub fn of_observation(observation: &Observation) -> CommandExpectations {
        let line = |(at, text): (usize, &String)| ExpectedLine {
            text: text.clone(),
            agreement: Agreement::Within(DEFAULT_TOLERANCE),
            at,
        };
        let errors = observation.diagnostics.iter().map(|error| WantedError { kind: error.kind, start: None });
        CommandExpectations {
            output: observation.output.iter().enumerate().map(line).collect(),
            errors: errors.collect(),
        }
    }
}

fn differences(finished: &Finished, wanted: &CommandExpectations, limit: Duration) -> Vec<String> {
    let mut found = Vec::new();
    let succeeds = wanted.errors.is_empty();
    match finished.ending {
        Termination::Exited(status) => match status.code() {
            Some(0) if !succeeds => found.push("it ended well (exit code 0) where an error is expected".to_owned()),
            Some(code) if succeeds && code != 0 => {
                found.push(format!("it failed (exit code {code}) where no error is expected"));
            }
            Some(_) => {}
            None => found.push(format!("it was ended by signal {}", status.signal().unwrap_or_default())),
        },
        Termination::TimedOut => found.push(format!("it was ended after {} s", limit.as_secs_f64())),
        Termination::PrintedTooMuch => found.push("it was ended because it printed too much".to_owned()),
    }
    let output = String::from_utf8_lossy(&finished.output);
    let output: Vec<String> = output.lines().map(str::to_owned).collect();
    found.extend(check::output_differences(&wanted.output, &output));
    let errors = String::from_utf8_lossy(&finished.errors);
    found.extend(error_difference(&errors, &wanted.errors));
    if !found.is_empty() {
        found.extend(errors.lines().take(MOST_ERROR_LINES).map(|line| format!("it said: {}", shortened(line))));
    }
    found
}

/// The most lines of its standard error that are quoted.
const MOST_ERROR_LINES: usize = 5;

/// The most characters of a line that are quoted.
const MOST_CHARACTERS: usize = 200;

fn shortened(line: &str) -> String {
    line.chars().take(MOST_CHARACTERS).collect()
}

/// The difference between the errors that the command names and the expected ones; none if it names none.
fn error_difference(errors: &str, wanted: &[WantedError]) -> Option<String> {
    let lines: Vec<&str> = errors.lines().collect();
    let mut named = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let Some((kind, _)) = line.strip_prefix("error[").and_then(|rest| rest.split_once("]: ")) else { continue };
        let place = lines.get(number + 1).and_then(|next| next.trim_start().strip_prefix("--> "));
        let mut pieces = place.unwrap_or_default().trim_end().rsplitn(3, ':');
        let (column, line) = (pieces.next(), pieces.next());
        let start = line.zip(column).map(|(line, column)| format!("{line}:{column}"));
        named.push((kind, start.filter(|_| place.is_some())));
    }
    if named.is_empty() {
        return None;
    }
    let kinds = |kinds: Vec<&str>| if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") };
    let wanted_kinds = kinds(wanted.iter().map(|error| error.kind.name()).collect());
    let named_kinds = kinds(named.iter().map(|(kind, _)| *kind).collect());
    if wanted_kinds != named_kinds {
        return Some(format!("errors of these kinds are expected: {wanted_kinds}; it names: {named_kinds}"));
    }
    named.iter().zip(wanted).find_map(|((kind, start), wanted)| match (start, &wanted.start) {
        (Some(start), Some(wanted)) if start != wanted => {
            Some(format!("the {kind} error is expected at {wanted}, not at {start}"))
        }
        _ => None,
    })
}

/// Splits a command into words.
fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            '\'' => {
                let word = word.get_or_insert_default();
                let not_closed = || "a single quote is not closed".to_owned();
                loop {
                    match characters.next().ok_or_else(not_closed)? {
                        '\'' => break,
                        inside => word.push(inside),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                let not_closed = || "a double quote is not closed".to_owned();
                loop {
                    match characters.next().ok_or_else(not_closed)? {
                        '"' => break,
                        '\\' => match characters.next().ok_or_else(not_closed)? {
                            escaped @ ('"' | '\\') => word.push(escaped),
                            other => word.extend(['\\', other]),
                        },
                        inside => word.push(inside),
                    }
                }
            }
            '\\' => {
                let escaped = characters.next().ok_or("nothing follows the last backslash")?;
                word.get_or_insert_default().push(escaped);
            }
            blank if blank.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case;
    use vlad_shared::frontend::language::Language;
    use vlad_shared::frontend::vlad::Vlad;

    #[test]
    fn commands_are_cut_as_a_shell_would() {
        for (command, expected) in [
            ("a b  c", &["a", "b", "c"][..]),
            (" 'a b' \"c d\"\\ e ", &["a b", "c d e"]),
            ("a '' \"\\\"\\\\\\x\"", &["a", "", "\"\\\\x"]),
            ("a$HOME*;b", &["a$HOME*;b"]),
            ("", &[]),
        ] {
            assert_eq!(words(command).unwrap(), expected, "{command}");
        }
        for command in ["'a", "\"a", "\"a\\", "a\\"] {
            assert!(words(command).is_err(), "{command}");
        }
    }

    #[test]
    fn commands_have_names() {
        for (text, name, program) in [
            ("other=./run.sh -x", "other", "./run.sh"),
            ("/opt/my-vlad.py {}", "my-vlad", "/opt/my-vlad.py"),
            ("run --mode=fast", "run", "run"),
            ("./a=b", "a=b", "./a=b"),
        ] {
            let external = External::parse(text).unwrap();
            assert_eq!((external.name.as_str(), external.program.as_str()), (name, program), "{text}");
        }
        for text in ["", " ", "name=", "''", "a='"] {
            assert!(External::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_file_is_put_where_it_belongs() {
        let arguments = |text: &str, file: &str| External::parse(text).unwrap().arguments(Path::new(file));
        assert_eq!(arguments("a -q", "my file.vlad"), ["-q", "my file.vlad"]);
        assert_eq!(arguments("a --in={} -q", "f"), ["--in=f", "-q"]);
        assert_eq!(arguments("a", "-x.vlad"), ["./-x.vlad"]);
    }

    fn judged(text: &str, script: &str) -> Verdict {
        let case = case::parse_any(text, Vlad.comment()).unwrap();
        let external = External::parse(&format!("sh -c '{script}'")).unwrap();
        external
            .judge(Path::new("file"), &case, &CommandExpectations::of_case(&case), None, Duration::from_secs(20))
            .verdict
    }

    #[test]
    fn it_has_to_do_what_the_case_expects() {
        for (text, script) in [
            (";; expect: 0.5", "echo 0.50000000000000001"),
            (";; expect: 3\n;; input: 1\n;; input: 2", "read a; read b; echo $((a + b))"),
            (";; expect: 1\n;; error: type 1:2-1:3 car", "echo 1; exit 7"),
            (";; error: type 1:2-1:3 car", "echo error[type]: something >&2; exit 1"),
            (";; error: type 1:2-1:3 car", "echo error[type]: something >&2; echo \" --> f:1:2\" >&2; exit 1"),
        ] {
            assert_eq!(judged(text, script), Verdict::Passed, "{text}");
        }
        for (text, script, reason) in [
            (";; expect: 0.5", "echo 0.6", "expected `0.5`, got `0.6`"),
            (";; expect: 0.5", "echo 0.5; exit 1", "exit code 1"),
            (";; expect: 0.5", "echo 0.5; echo 1", "not expected: `1`"),
            (";; expect: 0.5", "kill -11 $$", "signal 11"),
            (";; expect: 0.5", "printf \"\\377\\000\"", "got"),
            (";; error: type 1:2-1:3 car", "exit 0", "where an error is expected"),
            (
                ";; error: type 1:2-1:3 car",
                "echo error[read]: x >&2; exit 1",
                "kinds are expected: type; it names: read",
            ),
            (
                ";; error: type 1:2-1:3 car",
                "echo error[type]: something >&2; echo \" --> f:3:2\" >&2; exit 1",
                "at 1:2, not at 3:2",
            ),
        ] {
            let Verdict::Failed(reasons) = judged(text, script) else { panic!("{text} {script}") };
            assert!(reasons.iter().any(|given| given.contains(reason)), "{reasons:?}");
        }
    }

    #[test]
    fn what_it_cannot_know_is_skipped() {
        for text in [
            "1\n;; error: steps 1:1-1:2 limit\n;; limit: steps 0",
            "1\n;; error: memory - limit",
            "1\n;; expect: 1\n;; folder: a",
        ] {
            assert!(matches!(judged(text, "exit 1"), Verdict::Skipped(_)), "{text}");
        }
    }
}
