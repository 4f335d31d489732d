//! A sweep: functions in the language, and their derivatives by each operand, against reals of 96 digits at all magnitudes.
//!
//! A file of a sweep is a program that includes libraries alone. A line `;; sweep: NAME GRID ...` asks for the function NAME, with a grid for each operand
//! ([`grids`]), `;; sweep values: NAME GRID ...` for its values alone, and `;; sweep gradient: NAME GRID ...` for derivatives with errors
//! relative to the largest of them ([`Derivatives`]). It is compared with `exact-NAME`, if the file defines that, or with itself, both evaluated on reals of 96 digits
//! ([`vlad_derivatives::extended`]), where derivatives are difference quotients.
//!
//! An error is *explained* as far as the function itself differs where each operand is moved by two units in its last place: so much no
//! algorithm on doubles is asked for. A greater error that is also above [`TOLERANCE`] is a finding, and so is a value that is NaN,
//! infinite or 0 where the function is a finite double other than 0.

pub mod grids;

pub use grids::Density;

use crate::observe::{RunConditions, observe};
use astro_float_num::BigFloat;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use vlad_derivatives::extended::arithmetic::{
    Reference, divide, is_finite, multiply, power_of_two, subtract, to_double,
};
use vlad_derivatives::extended::difference::unit_vector;
use vlad_derivatives::extended::machine::Machine;
use vlad_derivatives::extended::value::Value;
use vlad_engines::Engine;
use vlad_shared::frontend::load::{self, Input, Options};
use vlad_shared::table::number;

/// The relative error that needs no explanation.
pub const TOLERANCE: f64 = 1e-13;

/// The time that one function may take.
const TIME: Duration = Duration::from_secs(3600);

/// The derivatives that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivatives {
    /// None.
    Left,
    /// Each by itself.
    Each,
    /// The gradient: errors are relative to the largest derivative, as the operands are the elements of one sample or matrix, and to the
    /// value by the operand, as results that do not change with the scale of the operands have derivatives that cancel.
    Gradient,
}

/// A function of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The grids, one for each operand.
    pub grids: Vec<String>,
    /// The derivatives that are compared besides the value.
    pub derivatives: Derivatives,
}

/// The findings of a function.
#[derive(Clone, Debug)]
pub struct Found {
    /// The name of the function.
    pub name: String,
    /// The number of points where it was compared.
    pub points: usize,
    /// The errors of the value.
    pub value: Worst,
    /// The errors of derivatives by all operands.
    pub derivative: Worst,
    /// Descriptions of what is more than the tolerance.
    pub findings: Vec<String>,
}

/// The greatest errors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worst {
    /// The greatest error in units in the last place of the exact value.
    pub units: f64,
    /// The greatest error relative to the exact value, less what is explained.
    pub unexplained: f64,
}

/// Returns the functions that a text asks for.
///
/// # Errors
/// A line has a word that names no grid, or there is no grid.
pub fn functions(text: &str) -> Result<Vec<Function>, String> {
    let function = |(derivatives, line): (Derivatives, &str)| {
        let mut words = line.split_whitespace().map(str::to_owned);
        let (name, grids) = (words.next().unwrap_or_default(), words.collect::<Vec<String>>());
        match grids.iter().find(|word| grids::operands(word).is_none()) {
            Some(word) => Err(format!("{name}: no grid is called {word}")),
            None if grids.is_empty() => Err(format!("{name}: no grid is given")),
            None => Ok(Function { name, grids, derivatives }),
        }
    };
    let asked = |line| {
        let with = |prefix, derivatives| str::strip_prefix(line, prefix).map(|rest| (derivatives, rest));
        with(";; sweep: ", Derivatives::Each)
            .or_else(|| with(";; sweep values: ", Derivatives::Left))
            .or_else(|| with(";; sweep gradient: ", Derivatives::Gradient))
    };
    text.lines().filter_map(asked).map(function).collect()
}

/// Returns the files of the sweep of this project, by name.
///
/// # Errors
/// The folder cannot be read.
pub fn files() -> io::Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sweep");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "vlad"));
    files.sort();
    Ok(files)
}

/// The head of a table of rows.
pub const HEADER: &str =
    "| function | points | value, ulp | derivative, ulp | value, unexplained | derivative, unexplained |
|---|---|---|---|---|---|";

impl Found {
    /// A row of a table.
    pub fn row(&self) -> String {
        let Found { name, points, value, derivative, .. } = self;
        let units = |worst: &Worst| {
            if worst.units < 1e4 { format!("{:.2}", worst.units) } else { format!("{:.1e}", worst.units) }
        };
        let rest = |worst: &Worst| {
            if worst.unexplained > 0.0 { format!("{:.1e}", worst.unexplained) } else { "none".to_owned() }
        };
        let name = name.strip_prefix("sweep-").unwrap_or(name);
        format!(
            "| `{name}` | {points} | {} | {} | {} | {} |",
            units(value),
            units(derivative),
            rest(value),
            rest(derivative)
        )
    }
}

/// Sweeps a function of a file.
///
/// # Errors
/// The program does not run, on doubles or on reals of 96 digits.
pub fn sweep(text: &str, function: &Function, density: Density) -> Result<Found, String> {
    let operands: Vec<Vec<f64>> = function.grids.iter().filter_map(|word| grids::operands(word)).collect();
    let points = grids::points(&operands, density);
    let doubles = on_doubles(text, &function.name, &points)?;
    let exact_name = format!("exact-{}", function.name);
    let is_given = text.contains(&format!("(define ({exact_name} "));
    let name = if is_given { &exact_name } else { &function.name };
    let program = load(&format!("{text}\n{name}\n"))?;
    let mut machine = Machine::new(&program, TIME).ok_or("no memory")?;
    let values = machine.run().map_err(|refusal| format!("{name}: {refusal:?}"))?;
    let procedure = values.last().cloned().ok_or("no procedure")?;
    let mut exact = Exact { machine, procedure };
    let mut found = Found {
        name: function.name.clone(),
        points: points.len(),
        value: Worst::default(),
        derivative: Worst::default(),
        findings: vec![],
    };
    for (point, doubles) in points.iter().zip(&doubles) {
        exact.compare(point, doubles, function.derivatives, &mut found)?;
    }
    Ok(found)
}

/// The value and the derivatives by each operand on doubles, by reverse mode, at each point.
fn on_doubles(text: &str, name: &str, points: &[Vec<f64>]) -> Result<Vec<Vec<f64>>, String> {
    let mut program = text.to_owned();
    for point in points {
        let operands: Vec<String> = point.iter().map(|x| number::format(*x)).collect();
        let operands = operands.join(" ");
        let _ = write!(program, "\n(*j {name} (cons* {operands}) 1)");
    }
    let input = Input::Text { name: "sweep".to_owned(), bytes: program.into_bytes(), folder: None };
    let observation = observe(Engine::Hybrid, input, &RunConditions::default());
    if !observation.diagnostics.is_empty() {
        let place = points.get(observation.output.len()).map(|point| format!("{point:?}")).unwrap_or_default();
        return Err(format!("{name} at {place}:\n{}", observation.rendered()));
    }
    let reals = |line: &String| line.split(['(', ')', ' ']).filter_map(number::parse).collect();
    Ok(observation.output.iter().map(reals).collect())
}

fn load(text: &str) -> Result<vlad_shared::core::Program, String> {
    let input = Input::Text { name: "sweep".to_owned(), bytes: text.as_bytes().to_vec(), folder: None };
    load::load(input, &Options::default()).map_err(|failure| format!("{:?}", failure.diagnostics))
}

/// A function on reals of 96 digits.
struct Exact<'program> {
    machine: Machine<'program>,
    procedure: Value,
}

impl Exact<'_> {
    fn compare(
        &mut self,
        point: &[f64],
        doubles: &[f64],
        derivatives: Derivatives,
        found: &mut Found,
    ) -> Result<(), String> {
        let at = |point: &[f64]| point.iter().map(|x| number::format(*x)).collect::<Vec<String>>().join(" ");
        let here: Vec<BigFloat> = point.iter().map(|x| Reference::number(*x)).collect();
        let moved: Vec<Vec<BigFloat>> = (0..point.len()).map(|place| aside(&here, place)).collect();
        let Some(value) = self.value(&here)? else { return Ok(()) };
        let mut explained = Reference::number(0.0);
        for point in &moved {
            if let Some(other) = self.value(point)? {
                explained = greater(explained, subtract(&other, &value).abs());
            }
        }
        let Some((first, rest)) = doubles.split_first() else { return Err("no value".to_owned()) };
        if let Some(finding) = found.value.add(*first, &value, &explained) {
            found.findings.push(format!("{} {}: {finding}", found.name, at(point)));
        }
        if derivatives == Derivatives::Left {
            return Ok(());
        }
        let slopes = (0..rest.len()).map(|place| self.slope(&here, place)).collect::<Result<Vec<_>, String>>()?;
        let largest = slopes.iter().flatten().map(BigFloat::abs).fold(Reference::number(0.0), greater);
        for (place, (double, slope)) in rest.iter().zip(&slopes).enumerate() {
            let Some(slope) = slope else { continue };
            let mut explained = Reference::number(0.0);
            for point in &moved {
                if let Some(other) = self.slope(point, place)? {
                    explained = greater(explained, subtract(&other, slope).abs());
                }
            }
            if let (Derivatives::Gradient, Some(x)) = (derivatives, here.get(place)) {
                // An error within the tolerance of these sizes counts as explained.
                let size =
                    if x.is_zero() { largest.clone() } else { greater(largest.clone(), divide(&value, x).abs()) };
                explained = greater(explained, multiply(&size, &Reference::number(TOLERANCE)));
            }
            if let Some(finding) = found.derivative.add(*double, slope, &explained) {
                found.findings.push(format!("{} {}, by operand {}: {finding}", found.name, at(point), place + 1));
            }
        }
        Ok(())
    }

    /// The value; none if it is not finite.
    fn value(&mut self, point: &[BigFloat]) -> Result<Option<BigFloat>, String> {
        let value =
            self.machine.apply(&self.procedure.clone(), operand(point)).map_err(|refusal| format!("{refusal:?}"))?;
        Ok(value.reals().first().map(|real| BigFloat::clone(real)).filter(is_finite))
    }

    /// The derivative by an operand; none if there is none, it is not finite, or 96 digits are too few for its quotient.
    ///
    /// The step is relative to the operand. Where that is so small that the quotient has no digits, two other steps are taken, which
    /// have to agree.
    fn slope(&mut self, point: &[BigFloat], place: usize) -> Result<Option<BigFloat>, String> {
        let size = point.get(place).map(BigFloat::abs).filter(|size| !size.is_zero());
        if let Some(size) = size
            && let Some(slope) = self.quotient(point, place, &size)?
        {
            return Ok(Some(slope));
        }
        let (Some(one), Some(other)) =
            (self.quotient(point, place, &power_of_two(-60))?, self.quotient(point, place, &power_of_two(-80))?)
        else {
            return Ok(None);
        };
        let distance = subtract(&one, &other).abs();
        Ok((distance <= multiply(&one.abs(), &power_of_two(-60))).then_some(one))
    }

    /// The quotient with steps relative to a size; none if it has hardly any digits.
    fn quotient(&mut self, point: &[BigFloat], place: usize, size: &BigFloat) -> Result<Option<BigFloat>, String> {
        let direction: Vec<BigFloat> =
            unit_vector(point.len(), place).iter().map(|along| multiply(along, size)).collect();
        let slope = self
            .machine
            .slope(&self.procedure.clone(), &operand(point), &direction)
            .map_err(|refusal| format!("{refusal:?}"))?;
        let Some(tangent) = slope.tangent.first() else { return Err("no real".to_owned()) };
        let is_known =
            slope.roughness(0).is_none() && !slope.may_be_off(0, &multiply(&tangent.abs(), &power_of_two(-60)));
        Ok(is_known.then(|| divide(tangent, size)).filter(is_finite))
    }
}

/// The operand of a procedure of several reals.
fn operand(point: &[BigFloat]) -> Value {
    let mut reals = point.iter().rev().map(|real| Value::real(real.clone()));
    let last = reals.next().unwrap_or_default();
    reals.fold(last, |rest, first| Value::pair(first, rest))
}

/// The point with a coordinate moved by two units in its last place.
fn aside(point: &[BigFloat], place: usize) -> Vec<BigFloat> {
    let factor = Reference::number(1.0 + 2.0 * f64::EPSILON);
    let moved =
        |(number, real): (usize, &BigFloat)| if number == place { multiply(real, &factor) } else { real.clone() };
    point.iter().enumerate().map(moved).collect()
}

fn greater(a: BigFloat, b: BigFloat) -> BigFloat {
    if a < b { b } else { a }
}

impl Worst {
    /// Takes account of a double and the exact value. Returns a description if the error is more than tolerated.
    fn add(&mut self, double: f64, exact: &BigFloat, explained: &BigFloat) -> Option<String> {
        let rounded = to_double(exact);
        // Where the exact value is 0 but for the errors of 96 digits, it differs by more where an operand moves.
        if rounded == double || double == 0.0 && exact.abs() < *explained {
            return None;
        }
        let described =
            |error: &str| format!("{} instead of {} ({error})", number::format(double), number::format(rounded));
        let is_lost = double == 0.0 && rounded.abs() >= f64::MIN_POSITIVE;
        if !double.is_finite() || is_lost {
            return rounded.is_finite().then(|| described("not finite, or 0"));
        }
        if !rounded.is_finite() {
            return (double.abs() < 0.999 * f64::MAX).then(|| described("the exact value is no double"));
        }
        let error = subtract(&Reference::number(double), exact).abs();
        // Subnormal numbers have an absolute error.
        let size = exact.abs();
        let least = power_of_two(-1022);
        let size = if size < least { least } else { size };
        let relative = to_double(&divide(&error, &size));
        let unexplained = relative - to_double(&divide(explained, &size));
        self.units = self.units.max(relative * units_in(rounded));
        self.unexplained = self.unexplained.max(unexplained);
        (unexplained > TOLERANCE).then(|| described(&format!("relative error {relative:.1e}")))
    }
}

/// The number of units in the last place in a double.
fn units_in(double: f64) -> f64 {
    let exponent = double.abs().max(f64::MIN_POSITIVE).log2().floor();
    double.abs().max(f64::MIN_POSITIVE) / exponent.exp2() / f64::EPSILON
}
