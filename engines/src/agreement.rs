//! Comparison of the behaviour of several engines on one program, to the last bit: output, errors, steps.
//!
//! Invariant: everything that one engine does and another does not is reported, with the engines that do it; where the
//! engines agree nothing is reported. No engine promises how far a program gets before it runs out of memory or time:
//! in that case only the kind of the error is compared, and the output up to the point that all engines reached.

use crate::Engine;
use std::ops::Range;
use vlad_core::diagnostic::{Diagnostic, Kind};
use vlad_core::render::escapes::on_one_line;
use vlad_core::source::{SourceMap, Span};
use vlad_runtime::run::Outcome;

/// The observed behaviour of an engine on a program.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// The engine.
    pub engine: Engine,
    /// The lines that it printed, with the bits of reals.
    pub output: Vec<String>,
    /// The outcome: finished, output closed, or an error.
    pub outcome: Outcome,
    /// The steps that it took.
    pub steps: u64,
}

/// Something about which engines disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The subject of the disagreement: "line 2 of the output", "the number of steps".
    pub about: String,
    /// The different answers, that of the first engine first.
    pub answers: Vec<Answer>,
}

/// One answer to the subject of a disagreement, with the engines that give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The engines that give this answer.
    pub engines: Vec<Engine>,
    /// The answer, in a line.
    pub says: String,
}

/// The termination of a run, without the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Termination {
    Finished,
    OutputClosed,
    Failed(Kind),
}

impl Behaviour {
    fn ending(&self) -> Termination {
        match &self.outcome {
            Outcome::Finished | Outcome::Stopped => Termination::Finished,
            Outcome::OutputClosed => Termination::OutputClosed,
            Outcome::Failed(diagnostic) => Termination::Failed(diagnostic.kind),
        }
    }

    fn diagnostic(&self) -> Option<&Diagnostic> {
        match &self.outcome {
            Outcome::Failed(diagnostic) => Some(diagnostic),
            Outcome::Finished | Outcome::OutputClosed | Outcome::Stopped => None,
        }
    }

    /// Returns true if the run was stopped by a limit that engines notice at different places.
    fn is_cut_off(&self) -> bool {
        matches!(self.ending(), Termination::Failed(Kind::Memory | Kind::Time))
    }
}

/// Returns everything about which engines disagree that ran the same program on the same input. `sources` are the
/// program's.
pub fn disagreements(conducts: &[Behaviour], sources: &SourceMap) -> Vec<Disagreement> {
    let mut found = Vec::new();
    found.extend(of_endings(conducts));
    let same_ending = found.is_empty();
    found.extend(of_output(conducts));
    if conducts.iter().any(Behaviour::is_cut_off) {
        return found;
    }
    if same_ending {
        found.extend(of_errors(conducts, sources));
    }
    let steps = conducts.iter().map(|conduct| (conduct.engine, conduct.steps.to_string()));
    found.extend(disagreement("the number of steps", steps));
    found
}

/// Disagreements as text for people: nothing if there are none.
pub fn report(disagreements: &[Disagreement]) -> String {
    if disagreements.is_empty() {
        return String::new();
    }
    let mut lines = vec!["error: the engines disagree".to_owned()];
    for Disagreement { about, answers } in disagreements {
        lines.push(format!("  {}", on_one_line(about)));
        for Answer { engines, says } in answers {
            let names: Vec<&str> = engines.iter().map(|engine| engine.name()).collect();
            lines.push(format!("    {}: {}", names.join(", "), on_one_line(says)));
        }
    }
    lines.join("\n") + "\n"
}

/// The different answers to a question; none if there is only one.
fn disagreement(about: &str, says: impl Iterator<Item = (Engine, String)>) -> Option<Disagreement> {
    let mut answers: Vec<Answer> = Vec::new();
    for (engine, says) in says {
        match answers.iter_mut().find(|answer| answer.says == says) {
            Some(answer) => answer.engines.push(engine),
            None => answers.push(Answer { engines: vec![engine], says }),
        }
    }
    (answers.len() > 1).then(|| Disagreement { about: about.to_owned(), answers })
}

/// Compares whether the engines end in an error, and the kind of that error. The messages are shown only if these
/// differ.
fn of_endings(conducts: &[Behaviour]) -> Option<Disagreement> {
    let mut endings = conducts.iter().map(Behaviour::ending);
    let first = endings.next()?;
    if endings.all(|ending| ending == first) {
        return None;
    }
    let says = |conduct: &Behaviour| match &conduct.outcome {
        Outcome::Finished | Outcome::Stopped => "no error".to_owned(),
        Outcome::OutputClosed => "no error, but nobody reads the output any more".to_owned(),
        Outcome::Failed(diagnostic) => format!("error[{}]: {}", diagnostic.kind, around(&diagnostic.message, 0)),
    };
    disagreement("the outcome", conducts.iter().map(|conduct| (conduct.engine, says(conduct))))
}

/// The first line of the output that is not the same everywhere.
fn of_output(conducts: &[Behaviour]) -> Option<Disagreement> {
    let most = conducts.iter().map(|conduct| conduct.output.len()).max()?;
    for number in 0..most {
        // An engine that was cut off may not have reached this line.
        let asked = || conducts.iter().filter(|conduct| conduct.output.len() > number || !conduct.is_cut_off());
        let mut lines = asked().map(|conduct| conduct.output.get(number));
        let first = lines.next()?;
        if lines.all(|line| line == first) {
            continue;
        }
        let at = common_beginning(asked().filter_map(|conduct| conduct.output.get(number)).map(String::as_str));
        let says = |conduct: &Behaviour| match conduct.output.get(number) {
            Some(line) => around(line, at),
            None => "nothing".to_owned(),
        };
        return disagreement(
            &format!("line {} of the output", number + 1),
            asked().map(|conduct| (conduct.engine, says(conduct))),
        );
    }
    None
}

/// Returns the differences between errors of one kind.
fn of_errors(conducts: &[Behaviour], sources: &SourceMap) -> Vec<Disagreement> {
    let errors: Vec<(Engine, &Diagnostic)> =
        conducts.iter().filter_map(|conduct| Some((conduct.engine, conduct.diagnostic()?))).collect();
    let about = |what: &str, says: &dyn Fn(&Diagnostic) -> String| {
        disagreement(what, errors.iter().map(|(engine, diagnostic)| (*engine, says(diagnostic))))
    };
    let labels = |diagnostic: &Diagnostic| {
        let labels =
            diagnostic.labels.iter().map(|label| format!("{} at {}", label.message, place(label.span, sources)));
        or_none(labels.collect::<Vec<String>>().join("; "))
    };
    let mut found = Vec::new();
    found.extend(about("the message of the error", &|diagnostic| diagnostic.message.clone()));
    found.extend(about("the hint of the error", &|diagnostic| or_none(diagnostic.hint.clone().unwrap_or_default())));
    found.extend(about("the place of the error", &|diagnostic| {
        or_none(diagnostic.span.map_or_else(String::new, |span| place(span, sources)))
    }));
    found.extend(about("the notes of the error", &labels));
    let most = errors.iter().map(|(_, diagnostic)| diagnostic.chain.len()).max().unwrap_or(0);
    // Only the first differing call is reported: the rest of the chain would repeat it.
    found.extend((0..most).find_map(|number| {
        let call = |diagnostic: &Diagnostic| {
            let call = diagnostic.chain.get(number);
            or_none(call.map_or_else(String::new, |call| {
                let procedure = call.procedure.as_deref().map_or_else(String::new, |name| format!(" in `{name}`"));
                format!("{}{procedure}", place(call.span, sources))
            }))
        };
        about(&format!("pending call {}", number + 1), &call)
    }));
    found.extend(about("the number of pending calls left out", &|diagnostic| diagnostic.elided_calls.to_string()));
    found
}

fn or_none(text: String) -> String {
    if text.is_empty() { "none".to_owned() } else { text }
}

/// A span as line and column numbers from 1.
fn place(span: Span, sources: &SourceMap) -> String {
    match sources.get(span.file) {
        None => format!("bytes {} to {} of file {}", span.start, span.end, span.file.0),
        Some(file) => {
            let (start, end) = (file.position(span.start), file.position(span.end));
            format!("{}:{}:{}-{}:{}", file.name, start.line, start.column, end.line, end.column)
        }
    }
}

/// The number of characters of the common prefix of all texts.
fn common_beginning<'text>(mut texts: impl Iterator<Item = &'text str>) -> usize {
    let Some(first) = texts.next() else { return 0 };
    let alike = |text: &str| first.chars().zip(text.chars()).take_while(|(one, other)| one == other).count();
    texts.map(alike).min().unwrap_or(0)
}

/// The characters of a text that are shown before and after the position that matters.
const SHOWN: Range<usize> = 40..80;

/// A text around a character, so that a difference deep in a long line is seen.
fn around(text: &str, at: usize) -> String {
    let start = at.saturating_sub(SHOWN.start);
    // A short beginning is worth more than the mark of its omission.
    let start = if start <= SHOWN.start { 0 } else { start };
    let end = at.saturating_add(SHOWN.end);
    let mut shown: String = text.chars().skip(start).take(end - start).collect();
    if start > 0 {
        shown.insert_str(0, "... ");
    }
    if text.chars().nth(end).is_some() {
        shown.push_str(" ...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_core::diagnostic::PendingCall;
    use vlad_core::source::FileId;

    // The engine of a fabricated conduct makes no difference here: the tests look at the answers alone.
    fn conduct(output: &[&str], outcome: Outcome, steps: u64) -> Behaviour {
        let output = output.iter().map(|line| (*line).to_owned()).collect();
        Behaviour { engine: Engine::Interp, output, outcome, steps }
    }

    fn failed(diagnostic: Diagnostic) -> Outcome {
        Outcome::Failed(Box::new(diagnostic))
    }

    fn found(conducts: &[Behaviour]) -> Vec<(String, Vec<String>)> {
        let describe = |each: Disagreement| {
            (each.about, each.answers.into_iter().map(|answer| answer.says).collect::<Vec<String>>())
        };
        disagreements(conducts, &SourceMap::default()).into_iter().map(describe).collect()
    }

    fn expected(about: &str, says: &[&str]) -> (String, Vec<String>) {
        (about.to_owned(), says.iter().map(|text| (*text).to_owned()).collect())
    }

    #[test]
    fn what_is_alike_is_no_disagreement() {
        let one = conduct(&["1", "2"], Outcome::Finished, 7);
        assert!(found(&[one.clone(), one.clone(), one]).is_empty());
        let error = failed(Diagnostic::new(Kind::Type, None, "message").with_hint("hint"));
        assert!(found(&[conduct(&[], error.clone(), 7), conduct(&[], error, 7)]).is_empty());
    }

    #[test]
    fn bits_lines_and_steps_count() {
        let one = conduct(&["1", "0.1[3fb999999999999a]"], Outcome::Finished, 7);
        let other = conduct(&["1", "0.1[3fb999999999999b]"], Outcome::Finished, 8);
        assert_eq!(
            found(&[one.clone(), other, one]),
            [
                expected("line 2 of the output", &["0.1[3fb999999999999a]", "0.1[3fb999999999999b]"]),
                expected("the number of steps", &["7", "8"])
            ]
        );
        let shorter = conduct(&["1"], Outcome::Finished, 7);
        let longer = conduct(&["1", "2"], Outcome::Finished, 7);
        assert_eq!(found(&[shorter, longer]), [expected("line 2 of the output", &["nothing", "2"])]);
    }

    #[test]
    fn every_part_of_an_error_counts() {
        let file = FileId(0);
        let plain = Diagnostic::new(Kind::Type, None, "message");
        let mut called = plain.clone();
        called.chain = vec![PendingCall { span: Span { file, start: 1, end: 2 }, procedure: Some("f".to_owned()) }];
        let mut cut = plain.clone();
        cut.elided_calls = 3;
        let placed = Diagnostic { span: Some(Span { file, start: 1, end: 2 }), ..plain.clone() };
        for (other, about, says) in [
            (Diagnostic::new(Kind::Type, None, "other"), "the message of the error", ["message", "other"]),
            (plain.clone().with_hint("hint"), "the hint of the error", ["none", "hint"]),
            (placed, "the place of the error", ["none", "bytes 1 to 2 of file 0"]),
            (
                plain.clone().with_label(Span { file, start: 1, end: 2 }, "there"),
                "the notes of the error",
                ["none", "there at bytes 1 to 2 of file 0"],
            ),
            (called, "pending call 1", ["none", "bytes 1 to 2 of file 0 in `f`"]),
            (cut, "the number of pending calls left out", ["0", "3"]),
        ] {
            let conducts = [conduct(&[], failed(plain.clone()), 1), conduct(&[], failed(other), 1)];
            assert_eq!(found(&conducts), [expected(about, &says)]);
        }
        let conducts = [conduct(&[], failed(plain), 1), conduct(&[], Outcome::Finished, 1)];
        assert_eq!(found(&conducts), [expected("the outcome", &["error[type]: message", "no error"])]);
    }

    #[test]
    fn limits_of_memory_and_time_agree_in_kind() {
        let cut = |output, kind, steps| conduct(output, failed(Diagnostic::new(kind, None, "limit")), steps);
        assert!(found(&[cut(&["1"], Kind::Time, 5), cut(&["1", "2"], Kind::Time, 9)]).is_empty());
        let different = found(&[cut(&["1"], Kind::Time, 5), cut(&["2"], Kind::Time, 9)]);
        assert_eq!(different, [expected("line 1 of the output", &["1", "2"])]);
        let kinds = found(&[cut(&["1"], Kind::Time, 5), cut(&["1"], Kind::Memory, 9)]);
        assert_eq!(kinds, [expected("the outcome", &["error[time]: limit", "error[memory]: limit"])]);
        let faster = found(&[cut(&["1"], Kind::Time, 5), conduct(&["1", "2"], Outcome::Finished, 9)]);
        assert_eq!(faster, [expected("the outcome", &["error[time]: limit", "no error"])]);
    }

    #[test]
    fn long_lines_are_shown_where_they_differ() {
        let line = |middle: &str| format!("{}{middle}{}", "a".repeat(1000), "b".repeat(1000));
        let (one, other) = (line("1"), line("2"));
        let told = found(&[conduct(&[&one], Outcome::Finished, 1), conduct(&[&other], Outcome::Finished, 1)]);
        let says = |middle: &str| format!("... {}{middle}{} ...", "a".repeat(40), "b".repeat(79));
        assert_eq!(told, [expected("line 1 of the output", &[&says("1"), &says("2")])]);
    }
}
