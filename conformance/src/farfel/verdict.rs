//! The comparison of an engine's behaviour with the evaluator's.

use crate::observe::Observation;
use vlad_farfel_oracle::evaluate::{Behaviour, Ending, Line, Printed};
use vlad_shared::core::diagnostic::Kind;

/// The greatest difference of numbers in programs with blocks of differentiation, relative to the number or to 1.
pub const TOLERANCE: f64 = 1e-8;

/// The greatest number that is compared in such programs: beyond, rounding errors may be as large as the tolerance.
const MOST: f64 = 1e8;

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Both behave the same.
    Agrees,
    /// Nothing can be said.
    Open(String),
    /// They differ; the first line tells the sort of the difference.
    Differs(String),
}

/// Compares an engine's behaviour with the evaluator's.
pub fn verdict(expected: &Behaviour, observation: &Observation) -> Verdict {
    if let Ending::Broken(reason) = &expected.ending {
        return Verdict::Differs(format!("the generator is wrong: {reason}"));
    }
    if let Some(lost) = observation.diagnostics.iter().find(|error| error.span.is_none() && has_place(error.kind)) {
        return Verdict::Differs(format!("an error has no place: {}\n{}", lost.message, observation.rendered()));
    }
    if observation.diagnostics.iter().any(|error| !has_place(error.kind)) {
        return Verdict::Open("a limit is reached".to_owned());
    }
    let is_refused = observation.steps.is_none();
    let has_failed = !observation.diagnostics.is_empty();
    let rendered = || format!("{}\nexpected {:?}, {:?}", observation.rendered(), expected.ending, texts(expected));
    let message = || observation.diagnostics.first().map(|error| error.message.clone()).unwrap_or_default();
    // A program that is refused prints nothing.
    for (number, (line, printed)) in expected.lines.iter().zip(&observation.output).enumerate() {
        if let Some(difference) = difference(line, printed, expected.differentiates) {
            let all = observation.output.join("\n");
            return Verdict::Differs(format!("line {} differs: {difference}\n{all}\n{}", number + 1, rendered()));
        }
    }
    match &expected.ending {
        Ending::Finished if is_refused => Verdict::Differs(format!("it is refused: {}\n{}", message(), rendered())),
        Ending::Finished if has_failed => Verdict::Differs(format!("it fails: {}\n{}", message(), rendered())),
        Ending::Finished if observation.output.len() != expected.lines.len() => {
            Verdict::Differs(format!("it prints other lines\n{}\n{}", observation.output.join("\n"), rendered()))
        }
        Ending::Finished if expected.is_aliased => {
            Verdict::Differs(format!("a variable with two names is accepted\n{}", rendered()))
        }
        Ending::Finished => Verdict::Agrees,
        Ending::Failed(_) if is_refused => Verdict::Agrees,
        Ending::Failed(_) if has_failed && observation.output.len() == expected.lines.len() => Verdict::Agrees,
        Ending::Failed(reason) => {
            Verdict::Differs(format!("it should fail: {reason}\n{}\n{}", observation.output.join("\n"), rendered()))
        }
        Ending::Unknown(reason) => Verdict::Open((*reason).to_owned()),
        Ending::Broken(_) => Verdict::Agrees,
    }
}

/// Returns true if errors of a kind have places: limits need not.
fn has_place(kind: Kind) -> bool {
    !matches!(kind, Kind::Time | Kind::Memory | Kind::Steps | Kind::Depth | Kind::Limit)
}

fn texts(behaviour: &Behaviour) -> Vec<String> {
    behaviour.lines.iter().map(text).collect()
}

fn text(line: &Line) -> String {
    line.iter().map(Printed::text).collect::<Vec<_>>().join(" ")
}

/// The difference between a line and the printed one.
fn difference(line: &Line, printed: &str, is_approximate: bool) -> Option<String> {
    let expected = text(line);
    if expected == printed {
        return None;
    }
    let all = || Some(format!("expected `{expected}`, printed `{printed}`"));
    if !is_approximate {
        return all();
    }
    let (own, other): (Vec<&str>, Vec<&str>) = (expected.split(' ').collect(), printed.split(' ').collect());
    if own.len() == other.len() && own.iter().zip(&other).all(|(own, other)| is_near(own, other)) {
        None
    } else {
        all()
    }
}

fn is_near(own: &str, other: &str) -> bool {
    let number = |text: &str| vlad_shared::table::number::parse(text);
    match (number(own), number(other)) {
        (Some(own), Some(_)) if own.abs() > MOST || own.is_nan() => true,
        (Some(own), Some(other)) => (own - other).abs() <= TOLERANCE * own.abs().max(other.abs()).max(1.0),
        (_, _) => own == other,
    }
}
