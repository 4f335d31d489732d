//! External implementations as columns: commands that take a file and the standard input, and print.
//!
//! They have to meet the portable part of a case ([`super::requirements`]): the lines of output, numbers within the tolerance; success
//! (exit code 0) if the case expects no error, and failure (another code) if it does. If a command prints lines like
//! `error[KIND]: ...` on its standard error, the kinds have to be those expected, and if such a line is followed by `-->
//! FILE:LINE:COLUMN`, that has to be the start of the expected error. Steps are compared if it prints a line
//! `steps N`, and bits where that is asked for ([`Closeness`]). Limits of steps and depth, and folders for includes, are given to
//! it by options of its own ([`OptionWords`]); without one, the cases that need it are skipped.
//!
//! Invariant: a command that prints much takes memory and time in proportion to what is expected of it.

use super::cell::{Cell, Verdict, Words};
use super::command::{CommandLine, is_name};
use super::requirements::Printed;
use crate::corpus::case::Case;
use crate::observe::Observation;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use vlad_files::process::{self, Bounds, OutputBound, Streams};
use vlad_shared::core::diagnostic::Kind;

pub use super::command::{OptionKind, OptionWords};
pub use super::requirements::{Closeness, CommandExpectations};

/// The most bytes of a standard error that are looked at.
const KEPT_ERRORS: usize = 1 << 20;

/// The most bytes of a standard error; a command that prints more is ended.
const MOST_ERRORS: u64 = 64 << 20;

/// An external implementation.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// Its name in reports.
    pub name: String,
    /// The command that runs it.
    command: CommandLine,
    /// The options by which it is given limits and folders.
    options: Vec<OptionWords>,
    /// The closeness of its numbers; if none is given, the tolerances of the cases.
    closeness: Option<Closeness>,
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
        let (name, command) = match text.split_once('=') {
            Some((name, command)) if is_name(name) => (Some(name.to_owned()), command),
            Some(_) | None => (None, text),
        };
        let command = CommandLine::parse(command)?;
        let name = name.unwrap_or_else(|| command.stem());
        Ok(External { name, command, options: Vec::new(), closeness: None })
    }

    /// An implementation of which a report tells the name alone.
    pub fn named(name: &str) -> External {
        External { name: name.to_owned(), command: CommandLine::default(), options: Vec::new(), closeness: None }
    }

    /// Returns it with the closeness of its numbers, the last one that is given for it.
    pub fn with_closeness(self, given: &[ExternalCloseness]) -> External {
        let is_own = |given: &&ExternalCloseness| given.name.as_ref().is_none_or(|name| *name == self.name);
        let closeness = given.iter().rfind(is_own).map(|given| given.closeness);
        External { closeness, ..self }
    }

    /// Returns it with the options that are given for it: of each kind, the last one.
    pub fn with_options(self, given: &[OptionWords]) -> External {
        let is_own = |given: &&OptionWords| given.name.as_ref().is_none_or(|name| *name == self.name);
        let own = |kind| given.iter().filter(is_own).rfind(|given| given.kind == kind).cloned();
        let kinds = [OptionKind::Steps, OptionKind::Depth, OptionKind::Folder];
        External { options: kinds.into_iter().filter_map(own).collect(), ..self }
    }

    /// The option of a kind.
    fn option(&self, kind: OptionKind) -> Option<&OptionWords> {
        self.options.iter().find(|option| option.kind == kind)
    }

    /// The words that give it the limits and the folders of a case.
    fn options_for(&self, file: &Path, case: &Case) -> Vec<OsString> {
        let limit = |kind, limit: Option<u64>| {
            limit
                .zip(self.option(kind))
                .map_or(Vec::new(), |(limit, option)| option.with(OsStr::new(&limit.to_string())))
        };
        let place = file.parent().unwrap_or(Path::new("."));
        let folders = case.folders.iter().zip(std::iter::repeat(self.option(OptionKind::Folder)));
        let folders =
            folders.filter_map(|(folder, option)| Some(option?.with(place.join(folder).as_os_str()))).flatten();
        let limits = [limit(OptionKind::Steps, case.limits.steps), limit(OptionKind::Depth, case.limits.depth)];
        limits.into_iter().flatten().chain(folders).collect()
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
        if let Some(reason) = self.reason_to_skip(case) {
            return Cell::without_run(Verdict::Skipped(reason));
        }
        let wanted = match self.closeness {
            Some(closeness) => wanted.clone().by(closeness, engine),
            // The functions of another implementation may differ in their last digits.
            None => wanted.clone().within_12_digits(),
        };
        let begun = Instant::now();
        let mut command = Command::new(&self.command.program);
        command.args(self.command.arguments(file, self.options_for(file, case)));
        let errors = OutputBound { kept: KEPT_ERRORS, most: Some(MOST_ERRORS) };
        let bounds = Bounds { time: limit, output: OutputBound::fatal(wanted.most_output()), errors };
        let finished = process::run(command, case.input.as_bytes(), Streams::Apart, bounds);
        let time = begun.elapsed();
        let finished = match finished {
            Ok(finished) => finished,
            Err(error) => {
                let reason = format!("`{}` cannot be started: {error}", self.command.program);
                return Cell { time, ..Cell::without_run(Verdict::failed_because(&reason)) };
            }
        };
        let (output, errors) = (String::from_utf8_lossy(&finished.output), String::from_utf8_lossy(&finished.errors));
        let printed = Printed::read(&output, &errors, &wanted);
        let mut differences = wanted.differences(&printed, file, finished.ending, limit).peekable();
        let verdict = match differences.peek() {
            None => Verdict::Passed,
            Some(_) => Verdict::failed(differences, Words { before: "it said: ", text: &errors }),
        };
        let line = if case.expects_something() { wanted.unmet_line(&printed, file) } else { None };
        Cell { verdict, steps: printed.steps, time, line }
    }

    /// The reason why a case cannot be run: it depends on something that the command does not receive.
    fn reason_to_skip(&self, case: &Case) -> Option<String> {
        if !case.folders.is_empty() && self.option(OptionKind::Folder).is_none() {
            return Some("the case needs a folder to look for includes in".to_owned());
        }
        let is_unknown = |kind: Kind| match kind {
            Kind::Steps => case.limits.steps.is_none() || self.option(OptionKind::Steps).is_none(),
            Kind::Depth => case.limits.depth.is_none() || self.option(OptionKind::Depth).is_none(),
            other => matches!(other, Kind::Memory | Kind::Time),
        };
        let error = case.errors.iter().find(|error| is_unknown(error.kind))?;
        Some(format!("the case is about a limit of {}", error.kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::case;
    use vlad_shared::frontend::vlad::Vlad;
    use vlad_shared::language::Language;

    #[test]
    fn commands_have_names() {
        for (text, name, program) in [
            ("other=./run.sh -x", "other", "./run.sh"),
            ("/opt/my-vlad.py {}", "my-vlad", "/opt/my-vlad.py"),
            ("run --mode=fast", "run", "run"),
            ("./a=b", "a=b", "./a=b"),
        ] {
            let external = External::parse(text).unwrap();
            assert_eq!((external.name.as_str(), external.command.program.as_str()), (name, program), "{text}");
        }
        for text in ["", " ", "name=", "''", "a='"] {
            assert!(External::parse(text).is_err(), "{text}");
        }
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
            (";; error: type 1:2-1:3 car", "echo error[type]: something >&2; echo \" --> file:1:2\" >&2; exit 1"),
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
                "echo error[type]: something >&2; echo \" --> file:3:2\" >&2; exit 1",
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
