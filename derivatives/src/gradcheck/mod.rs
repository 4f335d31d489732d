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

pub mod claims;
mod verdict;

use crate::appended::data::{Datum, Form};
use crate::appended::point::{NoDatum, Point};
use crate::appended::{Call, Evaluation, NoValues, Numbers, Shown, TypedInput};
use crate::extended::arithmetic::{Reference, subtract, to_double};
use crate::extended::difference::{DirectionalDerivative, unit_vector};
use crate::extended::machine::{Machine, Range};
use crate::extended::refusal::{NotDifferentiable, Refusal};
use crate::extended::rounding::RoundingErrors;
use std::ops;
use std::time::Duration;
use vlad_compiler::toolchain::ToolchainError;
use vlad_engines::{Engine, Settings};
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::load::{Input, Options};
use vlad_shared::frontend::vlad::appendix::{Made, Part};
use vlad_shared::runtime::run::Limits;

pub use verdict::{Counts, Derivative, Difference, Entry, Reason, Tolerance, Verdict};

/// The most coordinates of a point and of its value, together.
const MOST_COORDINATES: usize = 2000;

/// The lower bound, relative to the largest entry, of the size that errors are relative to.
const LEAST_PART: f64 = 1e-3;

/// The absolute lower bound of that size for derivatives that are 0, which have no relative error, and for those with quotients
/// inside, whose truncation errors are not known.
const LEAST_SIZE: f64 = 1e-30;

/// The absolute lower bound for other derivatives: doubles below it have fewer digits, or results before them had.
const LEAST_DOUBLE: f64 = 1e-290;

/// The relative error above which the contribution of rounding is estimated.
const DOUBTFUL: f64 = 1e-12;

/// The number of runs with simulated rounding errors.
const ROUNDINGS: u64 = 3;

/// A question for [`check`]: a program, a procedure, a point, and limits.
#[derive(Clone, Debug)]
pub struct Question {
    /// The program.
    pub program: Input,
    /// The options for finding files.
    pub options: Options,
    /// The text of an expression for the procedure. It sees the program's definitions.
    pub function: String,
    /// The point.
    pub point: Point,
    /// The input of a session that asks the question, if there is one.
    pub typed: Option<TypedInput>,
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
    /// The point is JSON, and is no datum.
    Point(NoDatum),
    /// Claims do not have the shape of what they are about.
    Claims(String),
    /// Any other reason.
    Other(String),
}

impl Answer {
    /// The largest relative error of those that were compared; none if none was.
    pub fn worst(&self) -> Option<f64> {
        self.entries.iter().filter_map(Entry::error).reduce(f64::max)
    }

    /// The numbers of entries of each verdict for a tolerance.
    pub fn counts(&self, tolerance: Tolerance) -> Counts {
        Counts::of(self.entries.iter().map(|entry| entry.verdict(tolerance)))
    }
}

/// Finds the Jacobian in all four ways and compares them.
///
/// # Errors
/// See [`NoAnswer`].
pub fn check(engine: Engine, settings: &Settings, question: &Question) -> Result<Answer, NoAnswer> {
    let subject = Subject::of(engine, settings, question, Order::First)?;
    let (point, value) = subject.point_and_value()?;
    let entries = subject.entries(&point, &value, None)?;
    Ok(Answer { point: point.text(Form::Vlad), value: value.text(Form::Vlad), entries })
}

/// The order of the derivatives that are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// The Jacobian of the procedure.
    First,
    /// The Jacobian of its gradient: the Hessian.
    Second,
}

/// An expression for the procedure that maps a procedure to its gradient.
const GRADIENT: &str = "(lambda (f) (lambda (p) ((lambda ((cons y d)) d) (*j f p 1))))";

/// A procedure, or its gradient, at a point.
struct Subject<'run> {
    engine: Engine,
    settings: &'run Settings,
    time: Duration,
    call: Call,
    order: Order,
}

impl Subject<'_> {
    fn of<'run>(
        engine: Engine,
        settings: &'run Settings,
        question: &Question,
        order: Order,
    ) -> Result<Subject<'run>, NoAnswer> {
        let Question { program, options, function, point, typed, time, memory } = question;
        let limits = Limits { time: Some(*time), memory: *memory, ..Limits::default() };
        let (program, options) = (program.clone(), options.clone());
        let evaluation = Evaluation { typed: typed.clone(), ..Evaluation::of(program, options, limits) };
        let call = Call::new(evaluation, ("--function", function), &[("--at", point)])?;
        Ok(Subject { engine, settings, time: *time, call, order })
    }

    /// The point and the value of the procedure there, which have enough reals, and not too many.
    fn point_and_value(&self) -> Result<(Datum, Datum), NoAnswer> {
        let value = match self.order {
            Order::First => self.call.value(),
            Order::Second => self.call.derivative(&format!("(lambda (f x) (({GRADIENT} f) x))"), []),
        };
        let shown = self.run(Shown::Whole, vec![self.call.point(), value])?;
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
        Ok((point.clone(), value.clone()))
    }

    /// The entries at the point. If numbers are claimed, by outputs and then by inputs, these are compared in the place of
    /// those of the engine.
    fn entries(&self, point: &Datum, value: &Datum, claimed: Option<&[f64]>) -> Result<Vec<Entry>, NoAnswer> {
        let (inputs, outputs) = (point.coordinates(), value.coordinates());
        let applied = |operator: &str, along| {
            let operator = match self.order {
                Order::First => operator.to_owned(),
                Order::Second => format!("(lambda (f x t) ({operator} ({GRADIENT} f) x t))"),
            };
            self.call.derivative(&operator, [Part::Datum(along)])
        };
        let mut expressions: Vec<Made> = (0..inputs).map(|input| applied("j*", point.direction(input))).collect();
        for operator in ["*j", "checkpoint-*j"] {
            expressions.extend((0..outputs).map(|output| applied(operator, value.direction(output))));
        }
        let derivatives = self.run(Shown::Second, expressions).map_err(as_operator_fault)?;
        let reals: Vec<Vec<f64>> = derivatives.iter().map(Datum::reals).collect();
        let Differences { slopes, range } = self.differences(inputs, None)?;
        let (columns, rows) = reals.split_at(inputs.min(reals.len()));
        let (reverse, checkpointed) = rows.split_at(outputs.min(rows.len()));
        let find = |rows: &[Vec<f64>], row: usize, column: usize| {
            rows.get(row).and_then(|row| row.get(column)).copied().unwrap_or(f64::NAN)
        };
        let values = value.reals();
        let floor = floor(slopes.iter().flat_map(|slope| &slope.tangent).map(to_double));
        let mut entries = Vec::new();
        for (input, slope) in slopes.iter().enumerate() {
            for output in 0..outputs {
                let entry = Entry {
                    input,
                    output,
                    forward: find(columns, input, output),
                    reverse: find(reverse, output, input),
                    checkpointed: find(checkpointed, output, input),
                    claimed: claimed.map(|claimed| claimed.get(output * inputs + input).copied().unwrap_or(f64::NAN)),
                    difference: Difference::Missing(Reason::NotFinite),
                    is_of_a_number: values.get(output).is_some_and(|real| !real.is_nan()),
                };
                entries.push(Entry { difference: difference(&entry, slope, range, floor), ..entry });
            }
        }
        if entries.iter().any(|entry| entry.error().is_some_and(|error| error > DOUBTFUL)) {
            for seed in 0..ROUNDINGS {
                let rounded = match self.differences(inputs, Some(RoundingErrors::new(seed))) {
                    Ok(differences) => Some(differences.slopes),
                    // If a perturbed real makes the program fail, rounding may have any effect.
                    Err(NoAnswer::Refused(Refusal::Fault(_))) => None,
                    Err(trouble) => return Err(trouble),
                };
                entries.iter_mut().for_each(|entry| account_for(entry, rounded.as_deref()));
            }
        }
        Ok(entries)
    }

    /// The values of expressions, on the engine.
    fn run(&self, shown: Shown, expressions: Vec<Made>) -> Result<Vec<Datum>, NoAnswer> {
        let on = (self.engine, self.settings);
        self.call.evaluation.values(on, expressions, shown, &mut Numbers::none()).map_err(NoAnswer::from)
    }

    /// The derivative along each coordinate of the point, by differences, with simulated rounding errors if `roundings`
    /// is given.
    fn differences(&self, inputs: usize, roundings: Option<RoundingErrors>) -> Result<Differences, NoAnswer> {
        self.differences_along(0..inputs, inputs, roundings)
    }

    /// The same along some coordinates.
    fn differences_along(
        &self,
        coordinates: ops::Range<usize>,
        inputs: usize,
        roundings: Option<RoundingErrors>,
    ) -> Result<Differences, NoAnswer> {
        let function = match self.order {
            Order::First => vec![Call::PROCEDURE],
            Order::Second => vec![Part::Datum(GRADIENT.to_owned()), Call::PROCEDURE],
        };
        let program = self.call.evaluation.load(vec![function, self.call.point()])?;
        let Some(mut machine) = Machine::new(&program, self.time) else {
            return other("there is no memory for 96 digits");
        };
        machine.roundings = roundings;
        let mut values = machine.run().map_err(NoAnswer::Refused)?;
        let (Some(point), Some(function)) = (values.pop(), values.pop()) else {
            return other("the program has no procedure and no point");
        };
        // Infinities from before the derivatives do not count; reals that are not known do.
        machine.range = Range::Finite;
        let rough_before = machine.rough;
        let slope = |input| {
            let slope = machine.slope(&function, &point, &unit_vector(inputs, input)).map_err(NoAnswer::Refused)?;
            Ok(DirectionalDerivative { rough_inside: slope.rough_inside.max(rough_before), ..slope })
        };
        let slopes = coordinates.map(slope).collect::<Result<Vec<DirectionalDerivative>, NoAnswer>>()?;
        Ok(Differences { slopes, range: machine.range })
    }
}

impl From<NoValues> for NoAnswer {
    fn from(trouble: NoValues) -> NoAnswer {
        match trouble {
            NoValues::Program(diagnostics, sources) => NoAnswer::Program(diagnostics, sources),
            NoValues::Compiler(error) => NoAnswer::Compiler(error),
            NoValues::NoData => NoAnswer::Other(
                "the point and the value are made of reals, booleans, pairs and vectors, and nothing else".to_owned(),
            ),
            NoValues::Operand(_, wrong) => NoAnswer::Point(wrong),
        }
    }
}

/// The size below which the errors of numbers of these sizes are not relative to themselves.
fn floor(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.map(f64::abs).filter(|size| size.is_finite()).fold(0.0, f64::max) * LEAST_PART
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

/// Records the distance that an entry moves under simulated rounding.
fn account_for(entry: &mut Entry, rounded: Option<&[DirectionalDerivative]>) {
    let slope = rounded.and_then(|slopes| slopes.get(entry.input)).filter(|slope| slope.rough_inside.is_none());
    entry.explain(slope.and_then(|slope| slope.tangent.get(entry.output)).map(to_double));
}

fn other<T>(message: &str) -> Result<T, NoAnswer> {
    Err(NoAnswer::Other(message.to_owned()))
}

/// The derivative of an entry by differences and its error, or the reason why there is none.
fn difference(entry: &Entry, slope: &DirectionalDerivative, range: Range, floor: f64) -> Difference {
    if let Some(rough) = slope.roughness(entry.output) {
        return Difference::Missing(reason(rough));
    }
    let found = slope.tangent.get(entry.output).map(|derivative| (derivative, to_double(derivative)));
    let Some((exact, derivative)) = found.filter(|(_, rounded)| rounded.is_finite()) else {
        return Difference::Missing(Reason::NotFinite);
    };
    let size = derivative.abs().max(floor).max(least_size(slope, derivative));
    let mut farthest = 0.0;
    for real in entry.compared() {
        if !real.is_finite() {
            farthest = f64::INFINITY;
            continue;
        }
        let exactly = subtract(&Reference::number(real), exact).abs();
        let distance = to_double(&exactly);
        // Neither case is a wrong derivative: the jump is too close for the steps, or the error of the quotient is as large.
        if distance / size > DOUBTFUL && slope.has_jumped {
            return Difference::Missing(Reason::Kink);
        }
        if distance / size > DOUBTFUL && slope.may_be_off(entry.output, &exactly) {
            return Difference::Missing(Reason::Imprecise);
        }
        let error_of_itself = distance / derivative.abs().max(floor);
        if real != 0.0 && distance / size <= DOUBTFUL && error_of_itself > DOUBTFUL {
            return Difference::Missing(Reason::Imprecise);
        }
        farthest = distance.max(farthest);
    }
    Difference::Derivative(Derivative { derivative, distance: farthest, size, rounding: 0.0, range })
}

/// The least size that the errors of a derivative are relative to.
fn least_size(slope: &DirectionalDerivative, derivative: f64) -> f64 {
    if slope.has_inside || derivative == 0.0 { LEAST_SIZE } else { LEAST_DOUBLE }
}

/// The reason for people.
fn reason(rough: NotDifferentiable) -> Reason {
    match rough {
        NotDifferentiable::Kink => Reason::Kink,
        NotDifferentiable::Imprecise => Reason::Imprecise,
        NotDifferentiable::NotFinite => Reason::NotFinite,
    }
}

/// The derivatives by differences.
struct Differences {
    /// One along each coordinate of the point.
    slopes: Vec<DirectionalDerivative>,
    /// The range of all results between the point and the value.
    range: Range,
}

#[cfg(test)]
mod tests;
