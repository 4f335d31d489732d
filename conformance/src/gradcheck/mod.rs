//! Derivatives of one procedure at one point, three ways and a fourth: forward, reverse and checkpointed mode on an engine,
//! and difference quotients with 96 digits ([`crate::extended`]), which know nothing of differentiation.
//!
//! ```text
//! program, F, X --run--> X and (F X) as data --run--> the Jacobian by j*, *j, checkpoint-*j --compare--> entries
//!                                            --extended--> the Jacobian by differences ---^
//! ```
//!
//! Invariant: an entry is called wrong only where there is a derivative to compare with, and where rounding does not explain
//! what it is off by ([`crate::extended::rounding`]). Where the procedure has a kink, or a value that is no finite number,
//! it says so instead.

mod data;

use crate::engine::{Engine, Settings, Task};
use crate::extended::arithmetic::{Reference, is_finite, subtract, to_double};
use crate::extended::difference::{Rough, Slope, roughness, unit_vector};
use crate::extended::machine::{Machine, Refusal};
use crate::extended::rounding::Roundings;
use data::Shape;
use std::path::PathBuf;
use std::time::Duration;
use vlad_compiler::toolchain::ToolchainError;
use vlad_shared::core::Program;
use vlad_shared::diagnostic::{Diagnostic, Kind};
use vlad_shared::load::{self, Failure, Input, Options};
use vlad_shared::number;
use vlad_shared::run::{Limits, Outcome};
use vlad_shared::source::SourceMap;

/// The most coordinates of a point and of a value, together.
const MOST_COORDINATES: usize = 2000;

/// An entry is compared relative to itself, but not to less than this part of the largest one.
const LEAST_PART: f64 = 1e-3;

/// Nor to less than this: a quotient leaves out a part of the order of the square of its step, 2^-132.
const LEAST_SIZE: f64 = 1e-30;

/// The relative error from which on it is asked how much of it is rounding.
const DOUBTFUL: f64 = 1e-12;

/// How many times reals are made to be off, to see how far that moves a derivative.
const ROUNDINGS: u64 = 3;

/// What is to be checked.
#[derive(Clone, Debug)]
pub struct Question {
    /// What the program is called in errors.
    pub name: String,
    /// Its text.
    pub bytes: Vec<u8>,
    /// The folder of its includes.
    pub folder: Option<PathBuf>,
    /// How files are found.
    pub options: Options,
    /// An expression that gives the procedure.
    pub function: String,
    /// An expression that gives the point.
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

/// A derivative of a real of the value by a real of the point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The number of the real of the point, in the order printed, from 0.
    pub input: usize,
    /// The number of the real of the value.
    pub output: usize,
    /// By `j*`.
    pub forward: f64,
    /// By `*j`.
    pub reverse: f64,
    /// By `checkpoint-*j`.
    pub checkpointed: f64,
    /// By differences.
    pub difference: Difference,
}

/// What difference quotients say about a derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Difference {
    /// There is one: rounded to a double, and how far from it the worst of the three is, in relative terms.
    Derivative {
        /// The derivative.
        derivative: f64,
        /// The relative error.
        error: f64,
        /// The relative error that rounding explains; 0 where nobody asked, since the error is small.
        rounding: f64,
    },
    /// The two sides of the point differ, of the procedure or of one that is differentiated inside.
    Kink,
    /// There is no finite number, of the differences, also of those of a procedure that is differentiated inside, or of the three.
    NotFinite,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Trouble {
    /// The program fails.
    Program(Vec<Diagnostic>, Box<SourceMap>),
    /// The operators fail, where the procedure itself does not.
    Operators(Vec<Diagnostic>, Box<SourceMap>),
    /// The engine needs a C compiler.
    Compiler(ToolchainError),
    /// The procedure cannot be followed with 96 digits.
    Refused(Refusal),
    /// Something else.
    Other(String),
}

impl Difference {
    /// The derivative, or why there is none, for people.
    pub fn text(&self) -> String {
        match self {
            Difference::Derivative { derivative, .. } => number::format(*derivative),
            Difference::Kink => "kink".to_owned(),
            Difference::NotFinite => "not finite".to_owned(),
        }
    }
}

impl Answer {
    /// The largest relative error.
    pub fn worst(&self) -> f64 {
        self.entries.iter().map(Entry::error).fold(0.0, f64::max)
    }

    /// How many entries have an error above a tolerance and above what rounding explains, or differ between `*j` and
    /// `checkpoint-*j`.
    pub fn wrong(&self, tolerance: f64) -> usize {
        self.entries.iter().filter(|entry| entry.is_wrong(tolerance)).count()
    }
}

impl Entry {
    /// The relative error, where there is a derivative.
    pub fn error(&self) -> f64 {
        match self.difference {
            Difference::Derivative { error, .. } => error,
            Difference::Kink | Difference::NotFinite => 0.0,
        }
    }

    /// Whether it is off by more than a tolerance, and by no more than rounding explains.
    pub fn is_ill_conditioned(&self, tolerance: f64) -> bool {
        match self.difference {
            Difference::Derivative { error, rounding, .. } => error > tolerance && error <= rounding,
            Difference::Kink | Difference::NotFinite => false,
        }
    }

    /// Whether it is wrong. `checkpoint-*j` is to have the very bits of `*j`, kink or not.
    pub fn is_wrong(&self, tolerance: f64) -> bool {
        let same = self.reverse.to_bits() == self.checkpointed.to_bits()
            || (self.reverse.is_nan() && self.checkpointed.is_nan());
        !same || (self.error() > tolerance && !self.is_ill_conditioned(tolerance))
    }
}

/// Finds the Jacobian in all ways.
///
/// # Errors
/// See [`Trouble`].
pub fn check(engine: Engine, settings: &Settings, question: &Question) -> Result<Answer, Trouble> {
    let Question { function, point, .. } = question;
    let shown = run(engine, settings, question, &[point.clone(), format!("({function} {point})")])?;
    let [point, value] = shown.as_slice() else { return other("the program prints no value of the procedure") };
    let (inputs, outputs) = (point.coordinates(), value.coordinates());
    if inputs == 0 {
        return other("there is no real in the point");
    }
    if inputs + outputs > MOST_COORDINATES {
        return other(&format!(
            "there are {inputs} reals in the point and {outputs} in the value, over {MOST_COORDINATES}"
        ));
    }
    let at = point.quoted();
    let mut expressions: Vec<String> =
        (0..inputs).map(|input| format!("(cdr (j* {function} {at} {}))", point.direction(input))).collect();
    for operator in ["*j", "checkpoint-*j"] {
        expressions.extend(
            (0..outputs).map(|output| format!("(cdr ({operator} {function} {at} {}))", value.direction(output))),
        );
    }
    let derivatives = run(engine, settings, question, &expressions).map_err(of_operators)?;
    let reals: Vec<Vec<f64>> = derivatives.iter().map(Shape::reals).collect();
    let slopes = differences(question, &at, inputs, None)?;
    let (columns, rows) = reals.split_at(inputs.min(reals.len()));
    let (reverse, checkpointed) = rows.split_at(outputs.min(rows.len()));
    let find = |rows: &[Vec<f64>], row: usize, column: usize| {
        rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or(f64::NAN)
    };
    let largest = slopes.iter().flat_map(|slope| &slope.tangent).map(|entry| to_double(entry).abs());
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
                difference: Difference::NotFinite,
            };
            entries.push(Entry { difference: difference(&entry, slope, floor), ..entry });
        }
    }
    if entries.iter().any(|entry| entry.error() > DOUBTFUL) {
        for seed in 0..ROUNDINGS {
            let rounded = match differences(question, &at, inputs, Some(Roundings::new(seed))) {
                Ok(slopes) => Some(slopes),
                // Where a real that is off makes the program fail, rounding may do anything.
                Err(Trouble::Refused(Refusal::Fault(_))) => None,
                Err(trouble) => return Err(trouble),
            };
            entries.iter_mut().for_each(|entry| account_for(entry, rounded.as_deref(), floor));
        }
    }
    Ok(Answer { point: point.text.clone(), value: value.text.clone(), entries })
}

/// What goes wrong with derivatives at a point at which the procedure has a value.
fn of_operators(trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Program(diagnostics, sources)
            if !diagnostics.iter().any(|error| matches!(error.kind, Kind::Time | Kind::Memory)) =>
        {
            Trouble::Operators(diagnostics, sources)
        }
        trouble => trouble,
    }
}

/// Notes how far an entry moves where reals are off: twice as far is what rounding explains.
fn account_for(entry: &mut Entry, rounded: Option<&[Slope]>, floor: f64) {
    let slope = rounded.and_then(|slopes| slopes.get(entry.input)).filter(|slope| slope.rough_inside.is_none());
    let moved = slope.and_then(|slope| slope.tangent.get(entry.output)).map(to_double);
    if let Difference::Derivative { derivative, rounding, .. } = &mut entry.difference {
        let size = derivative.abs().max(floor).max(LEAST_SIZE);
        let distance =
            moved.filter(|moved| moved.is_finite()).map_or(f64::INFINITY, |moved| (moved - *derivative).abs());
        *rounding = rounding.max(2.0 * distance / size);
    }
}

fn other<T>(message: &str) -> Result<T, Trouble> {
    Err(Trouble::Other(message.to_owned()))
}

/// What the differences say about an entry.
fn difference(entry: &Entry, slope: &Slope, floor: f64) -> Difference {
    let three = [entry.forward, entry.reverse, entry.checkpointed];
    let Some(derivative) = slope.tangent.get(entry.output).filter(|derivative| is_finite(derivative)) else {
        return Difference::NotFinite;
    };
    if three.iter().any(|real| !real.is_finite()) {
        return Difference::NotFinite;
    }
    match slope.rough_inside.max(roughness(slope, entry.output)) {
        Some(Rough::Kink) => return Difference::Kink,
        Some(Rough::NotFinite) => return Difference::NotFinite,
        None => {}
    }
    let size = to_double(derivative).abs().max(floor).max(LEAST_SIZE);
    let error = |real: f64| to_double(&subtract(&Reference::number(real), derivative).abs()) / size;
    Difference::Derivative {
        derivative: to_double(derivative),
        error: three.into_iter().map(error).fold(0.0, f64::max),
        rounding: 0.0,
    }
}

/// The text of the program with more expressions behind it.
fn with(question: &Question, expressions: &[String]) -> Result<Program, Trouble> {
    let mut bytes = question.bytes.clone();
    for expression in expressions {
        bytes.push(b'\n');
        bytes.extend_from_slice(expression.as_bytes());
    }
    let input = Input::Text { name: question.name.clone(), bytes, folder: question.folder.clone() };
    load::load(input, &question.options)
        .map_err(|Failure { diagnostics, sources }| Trouble::Program(diagnostics, Box::new(sources)))
}

/// The values of expressions behind the program, on an engine.
fn run(
    engine: Engine,
    settings: &Settings,
    question: &Question,
    expressions: &[String],
) -> Result<Vec<Shape>, Trouble> {
    let program = with(question, expressions)?;
    let limits = Limits { time: Some(question.time), memory: question.memory, ..Limits::default() };
    let task = Task { program: &program, limits: &limits };
    let ready = engine.make_ready(&[task], settings).map_err(Trouble::Compiler)?;
    let mut host = data::Listener::default();
    let report = ready.first().map(|ready| ready.run(task, &mut host).outcome);
    if let Some(Outcome::Failed(diagnostic)) = report {
        return Err(Trouble::Program(vec![*diagnostic], Box::new(program.sources)));
    }
    let mut shapes = host.shapes;
    let shapes = shapes.split_off(shapes.len().saturating_sub(expressions.len()));
    match shapes.into_iter().collect::<Option<Vec<Shape>>>() {
        Some(shapes) => Ok(shapes),
        None => other("the point and the value are made of reals, booleans, pairs and vectors, and nothing else"),
    }
}

/// The derivative along each coordinate of the point, by differences; of reals that are off, if they are to be.
fn differences(
    question: &Question,
    at: &str,
    inputs: usize,
    roundings: Option<Roundings>,
) -> Result<Vec<Slope>, Trouble> {
    let program = with(question, &[question.function.clone(), at.to_owned()])?;
    let Some(mut machine) = Machine::new(&program, question.time) else {
        return other("there is no memory for 96 digits");
    };
    machine.roundings = roundings;
    let mut values = machine.run().map_err(Trouble::Refused)?;
    let (Some(point), Some(function)) = (values.pop(), values.pop()) else {
        return other("the program has no procedure and no point");
    };
    let slope = |input| machine.slope(&function, &point, &unit_vector(inputs, input)).map_err(Trouble::Refused);
    (0..inputs).map(slope).collect()
}

#[cfg(test)]
mod tests;
