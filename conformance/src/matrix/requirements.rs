//! The requirements that an external implementation has to meet on a program, and its differences from them.

use crate::corpus::case::{Agreement, Case, ExpectedError, ExpectedLine};
use crate::corpus::check::{Difference, output_differences, steps_difference};
use crate::corpus::compare::DEFAULT_TOLERANCE;
use crate::observe::Observation;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use vlad_files::process::Termination;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::source::Position;

/// The difference that numbers of an external implementation may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Closeness {
    /// By this tolerance, relative to numbers greater than 1.
    Tolerance(f64),
    /// By so many units in the last place from what the engines compute; 0 if the bits have to be the same.
    Units(u64),
}

/// The expectations that a command has to meet.
#[derive(Clone, Debug)]
pub struct CommandExpectations {
    output: Vec<ExpectedLine>,
    errors: Vec<WantedError>,
    /// The steps, which count if the command prints its own.
    steps: Option<u64>,
}

/// An expected error.
#[derive(Clone, Debug)]
struct WantedError {
    kind: Kind,
    /// The beginning of its place, if it has one.
    place: Option<WantedPlace>,
    /// The line of the case, from 0, that states it.
    at: usize,
}

/// The beginning of the place of an expected error.
#[derive(Clone, Debug)]
struct WantedPlace {
    /// The file; none if it is that of the case.
    file: Option<PathBuf>,
    /// `LINE:COLUMN`.
    start: String,
}

impl CommandExpectations {
    /// The expectations of a case.
    pub fn of_case(case: &Case) -> CommandExpectations {
        let place = |error: &ExpectedError| {
            let place = error.place.as_ref()?;
            let start = place.range.split_once('-')?.0.to_owned();
            Some(WantedPlace { file: place.file.as_ref().map(PathBuf::from), start })
        };
        let error = |error: &ExpectedError| WantedError { kind: error.kind, place: place(error), at: error.at };
        let errors = case.errors.iter().map(error).collect();
        CommandExpectations { output: case.output.clone(), errors, steps: case.steps }
    }

    /// The same expectations with the usual tolerance where a case wants numbers exactly.
    pub(super) fn within_12_digits(mut self) -> CommandExpectations {
        for line in self.output.iter_mut().filter(|line| line.agreement == Agreement::Exact) {
            line.agreement = Agreement::Within(DEFAULT_TOLERANCE);
        }
        self
    }

    /// The same expectations with another closeness of numbers, also where a case wants them exactly. Units are counted from
    /// what an engine printed, where a case may have fewer digits; without an engine, where a case has all of them.
    pub(super) fn by(mut self, closeness: Closeness, engine: Option<&Observation>) -> CommandExpectations {
        let agreement = match closeness {
            Closeness::Tolerance(tolerance) => Agreement::Near(tolerance),
            Closeness::Units(units) => {
                let agreement = Agreement::Units(units);
                let Some(engine) = engine else {
                    let exact = self.output.iter_mut().filter(|line| line.agreement == Agreement::Exact);
                    exact.for_each(|line| line.agreement = agreement);
                    return self;
                };
                for (line, printed) in self.output.iter_mut().zip(&engine.output) {
                    line.text.clone_from(printed);
                }
                agreement
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
        let place = |error: &Diagnostic| {
            let span = error.span?;
            let file = observation.sources.get(span.file)?;
            let Position { line, column } = file.position(span.start);
            Some(WantedPlace { file: Some(PathBuf::from(&file.name)), start: format!("{line}:{column}") })
        };
        let error = |error: &Diagnostic| WantedError { kind: error.kind, place: place(error), at: 0 };
        let errors = observation.diagnostics.iter().map(error);
        CommandExpectations {
            output: observation.output.iter().enumerate().map(line).collect(),
            errors: errors.collect(),
            steps: observation.steps,
        }
    }

    /// The number of bytes that a command may print on its standard output: enough for any notation of what is expected.
    pub(super) fn most_output(&self) -> usize {
        let expected: usize = self.output.iter().map(|line| line.text.len() + 1).sum();
        LEAST_ROOM.saturating_add(expected.saturating_mul(ROOM_FOR_BYTE))
    }

    /// Returns the line of a case, from 1, that states the first output, or else the first error, which a command does not meet.
    pub(super) fn unmet_line(&self, printed: &Printed<'_>, file: &Path) -> Option<usize> {
        let at = match output_differences(&self.output, printed.output.lines()).next() {
            Some(line) => line.expected_at(),
            None => {
                let unmet = error_difference(printed.errors, &self.errors, file).map_or(0, |(number, _)| number);
                self.errors.get(unmet).map(|error| error.at)
            }
        };
        at.map(|at| at + 1)
    }

    /// Compares them with what a command printed on a file, and with its end. The differences are made as they are asked for.
    pub(super) fn differences<'text>(
        &'text self,
        printed: &Printed<'text>,
        file: &Path,
        ending: Termination,
        limit: Duration,
    ) -> impl Iterator<Item = Difference<'text>> + use<'text> {
        let ending = ending_difference(ending, self.errors.is_empty(), limit);
        let lines = output_differences(&self.output, printed.output.lines());
        let kinds = error_difference(printed.errors, &self.errors, file).map(|(_, difference)| difference);
        let steps = printed.steps.and_then(|steps| steps_difference(self.steps, Some(steps)));
        let (before, after) = (ending.into_iter(), kinds.into_iter().chain(steps));
        before.map(Difference::Other).chain(lines.map(Difference::Line)).chain(after.map(Difference::Other))
    }
}

/// The output of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Printed<'text> {
    /// The lines of its standard output that belong to the program.
    output: &'text str,
    /// Its standard error.
    errors: &'text str,
    /// The steps that a line `steps N` of the standard error tells, or one behind the expected output.
    pub(super) steps: Option<u64>,
}

impl<'text> Printed<'text> {
    /// Reads what a command printed where this is wanted.
    pub(super) fn read(output: &'text str, errors: &'text str, wanted: &CommandExpectations) -> Printed<'text> {
        let own = errors.lines().rev().find_map(steps);
        let whole = output.trim_end_matches('\n');
        let (before, last) = whole.rsplit_once('\n').unwrap_or(("", whole));
        match steps(last).filter(|_| before.lines().count() >= wanted.output.len()) {
            Some(steps) => Printed { output: before, errors, steps: own.or(Some(steps)) },
            None => Printed { output, errors, steps: own },
        }
    }
}

/// The number in a line `steps N`, or `steps: N`, as `vlad --stats` has it.
fn steps(line: &str) -> Option<u64> {
    let rest = line.trim().strip_prefix("steps")?;
    let number = rest.strip_prefix(':').unwrap_or(rest);
    number.strip_prefix(' ')?.trim().parse().ok()
}

/// The difference between the end of a command and the one that is expected.
fn ending_difference(ending: Termination, succeeds: bool, limit: Duration) -> Option<String> {
    match ending {
        Termination::Exited(status) => match status.code() {
            Some(0) if !succeeds => Some("it ended well (exit code 0) where an error is expected".to_owned()),
            Some(code) if succeeds && code != 0 => {
                Some(format!("it failed (exit code {code}) where no error is expected"))
            }
            Some(_) => None,
            None => Some(format!("it was ended by signal {}", status.signal().unwrap_or_default())),
        },
        Termination::TimedOut => Some(format!("it was ended after {} s", limit.as_secs_f64())),
        Termination::PrintedTooMuch => Some("it was ended because it printed too much".to_owned()),
    }
}

/// The bytes that may always be printed, and those for each byte that is expected.
const LEAST_ROOM: usize = 1 << 20;
const ROOM_FOR_BYTE: usize = 8;

/// The first difference between the errors that the command names and the expected ones, with the number of the expected one; none
/// if it names none.
fn error_difference(errors: &str, wanted: &[WantedError], own: &Path) -> Option<(usize, String)> {
    let lines: Vec<&str> = errors.lines().collect();
    let mut named = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let Some((kind, _)) = line.strip_prefix("error[").and_then(|rest| rest.split_once("]: ")) else { continue };
        named.push((kind, lines.get(number + 1).and_then(|next| next.trim_start().strip_prefix("--> "))));
    }
    if named.is_empty() {
        return None;
    }
    let kinds = |kinds: Vec<&str>| if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") };
    let wanted_kinds = kinds(wanted.iter().map(|error| error.kind.name()).collect());
    let named_kinds = kinds(named.iter().map(|(kind, _)| *kind).collect());
    if wanted_kinds != named_kinds {
        let equal = named.iter().zip(wanted).take_while(|((kind, _), wanted)| *kind == wanted.kind.name()).count();
        let message = format!("errors of these kinds are expected: {wanted_kinds}; it names: {named_kinds}");
        return Some((equal, message));
    }
    let differing = |((kind, place), wanted): (&(&str, Option<&str>), &WantedError)| {
        let (text, wanted) = (place.as_ref()?.trim_end(), wanted.place.as_ref()?);
        let Some((file, start)) = place_named(text) else {
            return Some(format!("the place of the {kind} error is FILE:LINE:COLUMN, not `{text}`"));
        };
        if start != wanted.start {
            return Some(format!("the {kind} error is expected at {}, not at {start}", wanted.start));
        }
        let (file, wanted) = (Path::new(file), wanted.file.as_deref().unwrap_or(own));
        let is_same = file.ends_with(wanted) || wanted.ends_with(file);
        (!is_same).then(|| format!("the {kind} error is expected in {}, not in {}", wanted.display(), file.display()))
    };
    let differences = named.iter().zip(wanted).map(differing);
    (0..).zip(differences).find_map(|(number, difference)| Some((number, difference?)))
}

/// The file and the beginning of a place `FILE:LINE:COLUMN`, which may be followed by its end, `-LINE:COLUMN`.
fn place_named(text: &str) -> Option<(&str, &str)> {
    let is_position = |text: &str| {
        let parts = text.split_once(':');
        parts.is_some_and(|parts| <[&str; 2]>::from(parts).iter().all(|part| part.parse::<u32>().is_ok()))
    };
    let text = match text.rsplit_once('-') {
        Some((before, end)) if is_position(end) => before,
        Some(_) | None => text,
    };
    let (before, _) = text.rsplit_once(':')?;
    let (file, _) = before.rsplit_once(':')?;
    let start = text.get(file.len() + 1..).filter(|start| is_position(start))?;
    Some((file, start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::case;
    use vlad_shared::frontend::vlad::Vlad;
    use vlad_shared::language::Language;

    #[test]
    fn steps_are_a_line_of_their_own() {
        let case = case::parse_any(";; expect: 1\n;; steps: 7", Vlad.comment()).unwrap();
        let wanted = CommandExpectations::of_case(&case);
        for (output, errors, lines, steps) in [
            ("1\n", "", "1\n", None),
            ("1\n", "steps 7\n", "1\n", Some(7)),
            ("1\n", "steps: 8\ntime: 3\n", "1\n", Some(8)),
            ("1\nsteps 9\n", "", "1", Some(9)),
            // It is the output that is expected, in a wrong form.
            ("steps 9\n", "", "steps 9\n", None),
            ("1\nsteps many\n", "steps7", "1\nsteps many\n", None),
        ] {
            let printed = Printed::read(output, errors, &wanted);
            assert_eq!((printed.output, printed.steps), (lines, steps), "{output:?} {errors:?}");
        }
    }

    #[test]
    fn units_without_an_engine_are_for_exact_lines() {
        let case = case::parse_any(";; expect: 0.3333333333\n;; exact: 0.5", Vlad.comment()).unwrap();
        let wanted = CommandExpectations::of_case(&case).by(Closeness::Units(0), None);
        let agreements: Vec<Agreement> = wanted.output.iter().map(|line| line.agreement).collect();
        assert_eq!(agreements, [Agreement::Within(DEFAULT_TOLERANCE), Agreement::Units(0)]);
    }

    #[test]
    fn places_have_a_file_and_a_beginning() {
        for (text, place) in [
            ("a.vlad:1:2", Some(("a.vlad", "1:2"))),
            ("a-b:c/d.vlad:10:2-11:3", Some(("a-b:c/d.vlad", "10:2"))),
            ("a.vlad:4", None),
            ("1:2", None),
            ("a.vlad:1:x", None),
        ] {
            assert_eq!(place_named(text), place, "{text}");
        }
    }

    #[test]
    fn places_of_errors_are_compared() {
        let case = case::parse_any(
            ";; expect: 1\n;; error: type 4:1-4:8 car\n;; error: type b/c.vlad:1:1-1:2 x",
            Vlad.comment(),
        );
        let wanted = CommandExpectations::of_case(&case.unwrap());
        let said = |first: &str, second: &str| {
            let errors = format!("error[type]: x\n --> {first}\nerror[type]: x\n  --> {second}\n");
            error_difference(&errors, &wanted.errors, Path::new("folder/a.vlad"))
        };
        assert_eq!(said("/x/folder/a.vlad:4:1-4:8", "folder/b/c.vlad:1:1"), None);
        assert_eq!(said("a.vlad:4:1", "c.vlad:1:1"), None);
        for (first, second, difference) in [
            ("a.vlad:4:2", "c.vlad:1:1", "expected at 4:1, not at 4:2"),
            ("a.vlad:4", "c.vlad:1:1", "is FILE:LINE:COLUMN, not `a.vlad:4`"),
            ("c.vlad:4:1", "c.vlad:1:1", "expected in folder/a.vlad, not in c.vlad"),
            ("a.vlad:4:1", "folder/a.vlad:1:1", "expected in b/c.vlad, not in folder/a.vlad"),
        ] {
            let (_, found) = said(first, second).unwrap();
            assert!(found.contains(difference), "{found}");
        }
        let printed = Printed { output: "2\n", errors: "", steps: None };
        assert_eq!(wanted.unmet_line(&printed, Path::new("a.vlad")), Some(1));
        for (errors, line) in [
            ("error[read]: x", 2),
            ("error[type]: x\n --> a.vlad:4:1", 3),
            ("error[type]: x\n --> a.vlad:4:1\nerror[type]: x\n --> c.vlad:1:2", 3),
            ("", 2),
        ] {
            let printed = Printed { output: "1\n", errors, steps: None };
            assert_eq!(wanted.unmet_line(&printed, Path::new("a.vlad")), Some(line), "{errors}");
        }
    }
}
