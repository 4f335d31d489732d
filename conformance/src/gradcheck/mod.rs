//! A check of the derivatives of one procedure at one point: forward, reverse and checkpointed mode on an engine are
//! compared with difference quotients with 96 digits ([`crate::extended`]), which use no rule of differentiation.
//!
//! ```text
//! program, F, X --run--> X and (F X) as data --run--> the Jacobian by j*, *j, checkpoint-*j --compare--> entries
//!                                            --extended--> the Jacobian by differences ---^
//! ```
//!
//! Invariant: an entry is called wrong only if there is a derivative to compare it with, and rounding does not explain
//! its error ([`crate::extended::rounding`]); overflow of a double is no rounding. An entry is called right only if it
//! was compared and is within the tolerance. All others get verdicts of their own ([`Verdict`]).

mod data;
mod verdict;

use crate::extended::arithmetic::{Reference, subtract, to_double};
use crate::extended::difference::{DirectionalDerivative, roughness, unit_vector};
use crate::extended::machine::{Machine, Range};
use crate::extended::refusal::{NotDifferentiable, Refusal};
use crate::extended::rounding::RoundingErrors;
pub use data::Shape;
use data::{ResultHost, Shown};
use std::time::Duration;
use vlad_compiler::toolchain::ToolchainError;
use vlad_engines::{Engine, Settings, Task};
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::report::Failure;
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::language::{Language, Usage};
use vlad_shared::frontend::load::{self, Input, Options};
use vlad_shared::frontend::vlad::appendix::{Appendix, GivenExpression, Made, Part};
use vlad_shared::runtime::run::{Limits, Outcome};

pub use verdict::{Counts, Derivative, Difference, Entry, Reason, Verdict};

/// The most coordinates of a point and of its value, together.
const MOST_COORDINATES: usize = 2000;

/// The lower bound, relative to the largest entry, of the size that errors are relative to.
const LEAST_PART: f64 = 1e-3;

/// The absolute lower bound of that size. The truncation error of a quotient is of the order of the square of its step,
/// 2^-132, so a quotient says nothing about the relative error of a smaller derivative.
const LEAST_SIZE: f64 = 1e-30;

/// The relative error above which the contribution of rounding is estimated.
const DOUBTFUL: f64 = 1e-12;

/// The number of runs with simulated rounding errors.
const ROUNDINGS: u64 = 3;

/// The positions of the procedure and of the point among the expressions that are appended to the program.
const FUNCTION: Part = Part::Given(0);
const POINT: Part = Part::Given(1);

/// A question for [`check`]: a program, a procedure, a point, and limits.
#[derive(Clone, Debug)]
pub struct Question {
    /// The program.
    pub program: Input,
    /// The options for finding files.
    pub options: Options,
    /// The text of an expression for the procedure. It sees the program's definitions.
    pub function: String,
    /// The text of an expression for the point.
    pub point: String,
    /// The time that each engine, and the differences, may take.
    pub time: Duration,
    /// The memory that an engine may take, if there is a limit.
    pub memory: Option<u64>,
}

/// A Jacobian, entry by entry.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The point, as it is printed.
    pub point: String,
    /// The value there, as it is printed.
    pub value: String,
    /// The entries, by inputs and then by outputs.
    pub entries: Vec<Entry>,
}

/// The reason why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The program fails.
    Program(Vec<Diagnostic>, Box<SourceMap>),
    /// The operators of differentiation fail, and the procedure itself does not.
    Operators(Vec<Diagnostic>, Box<SourceMap>),
    /// The engine needs a C compiler.
    Compiler(ToolchainError),
    /// The evaluator with 96 digits refuses the program.
    Refused(Refusal),
    /// Any other reason.
    Other(String),
}

impl Answer {
    /// The largest relative error of those that were compared; none if none was.
    pub fn worst(&self) -> Option<f64> {
        self.entries.iter().filter_map(Entry::error).reduce(f64::max)
    }

    /// The numbers of entries of each verdict for a tolerance.
    pub fn counts(&self, tolerance: f64) -> Counts {
        Counts::of(&self.entries, tolerance)
    }
}

/// Finds the Jacobian in all four ways and compares them.
///
/// # Errors
/// See [`NoAnswer`].
pub fn check(engine: Engine, settings: &Settings, question: &Question) -> Result<Answer, NoAnswer> {
    let call = vec![FUNCTION, POINT];
    let shown = run(engine, settings, question, Shown::Whole, vec![vec![POINT], call])?;
    let [point, value] = shown.as_slice() else { return other("the program prints no value of the procedure") };
    let (inputs, outputs) = (point.coordinates(), value.coordinates());
    if inputs == 0 {
        return other("there is no real in the point");
    }
    if outputs == 0 {
        return other("there is no real in the value");
    }
    if inputs + outputs > MOST_COORDINATES {
        return other(&format!(
            "there are {inputs} reals in the point and {outputs} in the value, over {MOST_COORDINATES}"
        ));
    }
    let applied = |operator: &str, along| vec![Part::Datum(operator.to_owned()), FUNCTION, POINT, Part::Datum(along)];
    let mut expressions: Vec<Made> = (0..inputs).map(|input| applied("j*", point.direction(input))).collect();
    for operator in ["*j", "checkpoint-*j"] {
        expressions.extend((0..outputs).map(|output| applied(operator, value.direction(output))));
    }
    let derivatives = run(engine, settings, question, Shown::Second, expressions).map_err(as_operator_fault)?;
    let reals: Vec<Vec<f64>> = derivatives.iter().map(Shape::reals).collect();
    let Differences { slopes, range } = differences(question, inputs, None)?;
    let (columns, rows) = reals.split_at(inputs.min(reals.len()));
    let (reverse, checkpointed) = rows.split_at(outputs.min(rows.len()));
    let find = |rows: &[Vec<f64>], row: usize, column: usize| {
        rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or(f64::NAN)
    };
    let largest = slopes.iter().flat_map(|slope| &slope.tangent).map(|entry| to_double(entry).abs());
    let values = value.reals();
    let floor = largest.filter(|size| size.is_finite()).fold(0.0, f64::max) * LEAST_PART;
    let mut entries = Vec::new();
    for (input, slope) in slopes.iter().enumerate() {
        for output in 0..outputs {
            let entry = Entry {
                input,
                output,
                forward: find(columns, input, output),
                reverse: find(reverse, output, input),
                checkpointed: find(checkpointed, output, input),
                difference: Difference::Missing(Reason::NotFinite),
                is_of_a_number: values.get(output).is_some_and(|real| !real.is_nan()),
            };
            entries.push(Entry { difference: difference(&entry, slope, range, floor), ..entry });
        }
    }
    if entries.iter().any(|entry| entry.error().is_some_and(|error| error > DOUBTFUL)) {
        for seed in 0..ROUNDINGS {
            let rounded = match differences(question, inputs, Some(RoundingErrors::new(seed))) {
                Ok(differences) => Some(differences.slopes),
                // If a perturbed real makes the program fail, rounding may have any effect.
                Err(NoAnswer::Refused(Refusal::Fault(_))) => None,
                Err(trouble) => return Err(trouble),
            };
            entries.iter_mut().for_each(|entry| account_for(entry, rounded.as_deref(), floor));
        }
    }
    Ok(Answer { point: point.text.clone(), value: value.text.clone(), entries })
}

/// Reclassifies a fault of the derivatives at a point where the procedure has a value.
fn as_operator_fault(trouble: NoAnswer) -> NoAnswer {
    match trouble {
        NoAnswer::Program(diagnostics, sources)
            if !diagnostics.iter().any(|error| matches!(error.kind, Kind::Time | Kind::Memory)) =>
        {
            NoAnswer::Operators(diagnostics, sources)
        }
        trouble => trouble,
    }
}

/// Records the distance that an entry moves under simulated rounding; rounding explains twice that distance.
fn account_for(entry: &mut Entry, rounded: Option<&[DirectionalDerivative]>, floor: f64) {
    let Difference::Derivative(found) = &mut entry.difference else { return };
    let slope = rounded.and_then(|slopes| slopes.get(entry.input)).filter(|slope| slope.rough_inside.is_none());
    let moved = slope.and_then(|slope| slope.tangent.get(entry.output)).map(to_double);
    let size = found.derivative.abs().max(floor).max(LEAST_SIZE);
    let distance =
        moved.filter(|moved| moved.is_finite()).map_or(f64::INFINITY, |moved| (moved - found.derivative).abs());
    found.rounding = found.rounding.max(2.0 * distance / size);
}

fn other<T>(message: &str) -> Result<T, NoAnswer> {
    Err(NoAnswer::Other(message.to_owned()))
}

/// The derivative of an entry by differences and its error, or the reason why there is none.
fn difference(entry: &Entry, slope: &DirectionalDerivative, range: Range, floor: f64) -> Difference {
    let found = slope.tangent.get(entry.output).map(|derivative| (derivative, to_double(derivative)));
    let Some((derivative, rounded)) = found.filter(|(_, rounded)| rounded.is_finite()) else {
        return Difference::Missing(Reason::NotFinite);
    };
    let missing = slope.rough_inside.max(roughness(slope, entry.output)).map(|rough| match rough {
        NotDifferentiable::Kink => Reason::Kink,
        NotDifferentiable::Imprecise => Reason::Imprecise,
        NotDifferentiable::NotFinite => Reason::NotFinite,
    });
    if let Some(reason) = missing {
        return Difference::Missing(reason);
    }
    let three = [entry.forward, entry.reverse, entry.checkpointed];
    let size = rounded.abs().max(floor).max(LEAST_SIZE);
    let mut worst = 0.0;
    for real in three {
        if !real.is_finite() {
            worst = f64::INFINITY;
            continue;
        }
        let distance = subtract(&Reference::number(real), derivative).abs();
        let error = to_double(&distance) / size;
        // Neither case is a wrong derivative: the jump is too close for the step, or 96 digits are too few.
        if error > DOUBTFUL && slope.has_jumped {
            return Difference::Missing(Reason::Kink);
        }
        if error > DOUBTFUL && slope.may_be_off(entry.output, &distance) {
            return Difference::Missing(Reason::Imprecise);
        }
        let error_of_itself = to_double(&distance) / rounded.abs().max(floor);
        if real != 0.0 && error <= DOUBTFUL && error_of_itself > DOUBTFUL {
            return Difference::Missing(Reason::Imprecise);
        }
        worst = error.max(worst);
    }
    Difference::Derivative(Derivative { derivative: rounded, error: worst, rounding: 0.0, range })
}

/// The program with expressions appended: those for the procedure and the point, and others made of these.
fn with(question: &Question, made: Vec<Made>) -> Result<Program, NoAnswer> {
    let Question { program, options, function, point, .. } = question;
    let is_name = function.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    let function = match program_language(question).filter(|_| is_name) {
        Some(language) => language.spelled(function),
        None => function.clone(),
    };
    let given = [("--function", function), ("--at", point.clone())];
    let given = given.map(|(name, text)| GivenExpression { name: name.to_owned(), text, usage: Usage::Value }).into();
    load::load_with(program.clone(), options, &Appendix { given, made })
        .map_err(|Failure { diagnostics, sources }| NoAnswer::Program(diagnostics, Box::new(sources)))
}

/// The language of the program's own text, if an option or its path tells.
fn program_language(question: &Question) -> Option<&'static dyn Language> {
    question.options.language.or_else(|| match &question.program {
        Input::Path(path) | Input::Read { path, .. } => question.options.languages.of_file(path),
        Input::Text { .. } | Input::Kept(_) => None,
    })
}

/// The values of the appended expressions, on an engine.
fn run(
    engine: Engine,
    settings: &Settings,
    question: &Question,
    shown: Shown,
    expressions: Vec<Made>,
) -> Result<Vec<Shape>, NoAnswer> {
    let count = expressions.len();
    let program = with(question, expressions)?;
    let limits = Limits { time: Some(question.time), memory: question.memory, ..Limits::default() };
    let task = Task { program: &program, limits: &limits };
    let ready = engine.make_ready(&[task], settings).map_err(NoAnswer::Compiler)?;
    let mut host = ResultHost::of(shown);
    let report = ready.first().map(|ready| ready.run(task, &mut host).outcome);
    if let Some(Outcome::Failed(diagnostic)) = report {
        return Err(NoAnswer::Program(vec![*diagnostic], Box::new(program.sources)));
    }
    let mut shapes = host.shapes;
    let shapes = shapes.split_off(shapes.len().saturating_sub(count));
    match shapes.into_iter().collect::<Option<Vec<Shape>>>() {
        Some(shapes) => Ok(shapes),
        None => other("the point and the value are made of reals, booleans, pairs and vectors, and nothing else"),
    }
}

/// The derivatives by differences.
struct Differences {
    /// One along each coordinate of the point.
    slopes: Vec<DirectionalDerivative>,
    /// The range of all results between the point and the value.
    range: Range,
}

/// The derivative along each coordinate of the point, by differences, with simulated rounding errors if `roundings` is
/// given.
fn differences(question: &Question, inputs: usize, roundings: Option<RoundingErrors>) -> Result<Differences, NoAnswer> {
    let program = with(question, vec![vec![FUNCTION], vec![POINT]])?;
    let Some(mut machine) = Machine::new(&program, question.time) else {
        return other("there is no memory for 96 digits");
    };
    machine.roundings = roundings;
    let mut values = machine.run().map_err(NoAnswer::Refused)?;
    let (Some(point), Some(function)) = (values.pop(), values.pop()) else {
        return other("the program has no procedure and no point");
    };
    // Infinities from before the derivatives do not count.
    machine.range = Range::Finite;
    let slope = |input| machine.slope(&function, &point, &unit_vector(inputs, input)).map_err(NoAnswer::Refused);
    let slopes = (0..inputs).map(slope).collect::<Result<Vec<DirectionalDerivative>, NoAnswer>>()?;
    Ok(Differences { slopes, range: machine.range })
}

#[cfg(test)]
mod tests;
