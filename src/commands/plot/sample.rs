//! Samples of the procedures of a program: their values at points, as series, grids and paths.

use super::arguments::{Interval, MOST_POINTS, POINTS, POINTS_OF_A_SIDE, PlotArguments};
use super::contour::Grid;
use super::drawing::{Marks, Point, Series};
use crate::commands::derivatives::derive::{numbers, settings};
use vlad_derivatives::appended::data::Datum;
use vlad_derivatives::appended::point::{self, Arrays};
use vlad_derivatives::appended::{Call, Evaluation, NoValues, Numbers, Shown};
use vlad_derivatives::derive::nested;
use vlad_engines::{Engine, Settings};
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::vlad::appendix::{Made, Part};
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::number;

/// The words for the orders of derivatives in legends.
const ORDERS: [&str; 4] = ["", "first derivative of ", "second derivative of ", "third derivative of "];

/// The reason why there is no drawing.
pub enum NoDrawing {
    /// The program has no values.
    Values(NoValues),
    /// A file has errors.
    Failed(Failure),
    /// Something that is to be drawn does not exist.
    Refused(Box<Diagnostic>),
}

impl From<NoValues> for NoDrawing {
    fn from(trouble: NoValues) -> NoDrawing {
        NoDrawing::Values(trouble)
    }
}

/// A program whose procedures are sampled.
pub struct Samples {
    evaluation: Evaluation,
    engine: Engine,
    settings: Settings,
    arrays: Arrays,
    numbers: Numbers,
}

impl Samples {
    /// The program of the arguments.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of(arguments: &PlotArguments, languages: Languages) -> Result<Samples, NoDrawing> {
        let time = arguments.limits.bounds(arguments.program.reading.trust()).time;
        let program = arguments.program.whole_input().map_err(NoDrawing::Failed)?;
        // The process as a whole has a memory limit.
        let limits = Limits { time, ..Limits::default() };
        let evaluation = Evaluation::of(program, arguments.program.options(languages), limits);
        Ok(Samples {
            evaluation,
            engine: arguments.engine,
            settings: settings(&arguments.program, &arguments.limits, &arguments.compiler),
            arrays: arguments.arrays.arrays(),
            numbers: numbers(&arguments.program),
        })
    }

    fn call(&self, option: &str, text: &str) -> Call {
        Call::of_expressions(self.evaluation.clone(), (option, text), &[])
    }

    fn values(&mut self, call: &Call, made: Vec<Made>) -> Result<Vec<Datum>, NoValues> {
        let on = (self.engine, &self.settings);
        call.evaluation.values(on, made, Shown::Whole, &mut self.numbers)
    }

    /// The values of a procedure over an interval, and its derivatives of orders up to `orders`. A derivative is NaN where the value or
    /// a derivative of a lower order is no finite number.
    ///
    /// # Errors
    /// The program fails, or a value is no data or has no real.
    pub fn series(&mut self, procedure: &str, over: Interval, orders: u32) -> Result<Vec<Series>, NoDrawing> {
        let call = self.call("--function", procedure);
        let count = over.points.unwrap_or(POINTS);
        let at: Vec<f64> = (0..count).map(|index| over.axis.at(index as f64 / (count - 1) as f64)).collect();
        let mut made = Vec::new();
        for order in 0..=orders {
            made.extend(at.iter().map(|x| match order {
                0 => Call::value_at(real(*x)),
                _ => Call::derivative_at(&nested("j*", order), real(*x), [real(1.0)]),
            }));
        }
        let values = self.values(&call, made)?;
        let mut series: Vec<Series> = Vec::new();
        // For each real at each point: true where the function and its derivatives so far are numbers.
        let mut has_value: Vec<Vec<bool>> = Vec::new();
        for (order, values) in values.chunks(count).enumerate() {
            let paths = values.first().map(Datum::paths).unwrap_or_default();
            if paths.is_empty() {
                return Err(refused(format!("the value of `{procedure}` has no real")));
            }
            let reals: Vec<Vec<f64>> = values.iter().map(Datum::reals).collect();
            for (index, path) in paths.iter().enumerate() {
                let mut own: Vec<f64> =
                    reals.iter().map(|reals| reals.get(index).copied().unwrap_or(f64::NAN)).collect();
                if has_value.len() == index {
                    has_value.push(vec![true; count]);
                }
                let of_function = has_value.get_mut(index).into_iter().flatten();
                for (real, has_value) in own.iter_mut().zip(of_function) {
                    *has_value &= real.is_finite();
                    // A derivative needs a value there, whatever the code of a branch gives.
                    if !*has_value {
                        *real = f64::NAN;
                    }
                }
                let points = at.iter().copied().zip(own).collect();
                series.push(Series { name: named(order, procedure, path), marks: Marks::Line, points });
            }
        }
        Ok(series)
    }

    /// The values of a procedure of two reals on a grid.
    ///
    /// # Errors
    /// The program fails, a value is no real, or there are too many points.
    pub fn grid(&mut self, procedure: &str, across: Interval, up: Interval) -> Result<Grid, NoDrawing> {
        let call = self.call("--contour", procedure);
        let side = |interval: Interval| (interval.axis, interval.points.unwrap_or(POINTS_OF_A_SIDE));
        let (across, up) = (side(across), side(up));
        if across.1 * up.1 > MOST_POINTS {
            let message = format!("a grid of {} by {} has more than {MOST_POINTS} points", across.1, up.1);
            return Err(refused(message));
        }
        let program = call.evaluation.load(vec![vec![Call::PROCEDURE]])?;
        let operands = call.evaluation.operands()?;
        let mut made = Vec::new();
        for (x, y) in Grid::points(across, up) {
            let operand = point::datum(&serde_json::json!([x, y]), self.arrays, &program, &operands);
            let operand = operand.map_err(|wrong| NoValues::Operand("--contour".to_owned(), wrong))?;
            made.push(Call::value_at(Part::Datum(operand.quoted())));
        }
        let values = self.values(&call, made)?;
        if let Some(other) = values.iter().find(|value| !value.is_real()) {
            let value = other.text(vlad_derivatives::appended::data::Form::Vlad);
            return Err(refused(format!("the value of `{procedure}` is no real, but {value}")));
        }
        Ok(Grid { across, up, values: values.iter().flat_map(Datum::reals).collect() })
    }

    /// The points of a list or vector.
    ///
    /// # Errors
    /// The program fails, or the value is no list or vector of data with two reals each.
    pub fn path(&mut self, expression: &str) -> Result<Series, NoDrawing> {
        let mut evaluation = self.evaluation.clone();
        evaluation.given = vec![("--path".to_owned(), expression.to_owned())];
        let call = Call { evaluation, operands: Vec::new() };
        let values = self.values(&call, vec![vec![Call::PROCEDURE]])?;
        let points = values.first().and_then(points_of);
        let wrong =
            || refused(format!("the value of `{expression}` is no list or vector of points with two reals each"));
        Ok(Series { name: expression.to_owned(), marks: Marks::Path, points: points.ok_or_else(wrong)? })
    }
}

fn refused(message: String) -> NoDrawing {
    NoDrawing::Refused(Box::new(Diagnostic::new(Kind::Type, None, message)))
}

fn real(real: f64) -> Part {
    Part::Datum(number::format(real))
}

/// The name of a series in the legend.
fn named(order: usize, procedure: &str, path: &str) -> String {
    match ORDERS.get(order) {
        Some(words) => format!("{words}{procedure}{path}"),
        None => format!("{order}th derivative of {procedure}{path}"),
    }
}

/// The points of a datum, each an element with two reals; none if it has other elements.
fn points_of(datum: &Datum) -> Option<Vec<Point>> {
    let paths = datum.paths();
    let reals = datum.reals();
    // The reals of an element have paths that begin with its index.
    let element = |path: &String| path.split(']').next().map(str::to_owned).filter(|_| path.matches('[').count() > 1);
    let elements: Vec<String> = paths.iter().map(element).collect::<Option<Vec<String>>>()?;
    let mut points = Vec::new();
    for (pair, own) in reals.chunks(2).zip(elements.chunks(2)) {
        match (pair, own) {
            (&[x, y], [first, second]) if first == second => points.push((x, y)),
            _ => return None,
        }
    }
    let mut firsts: Vec<&String> = elements.iter().step_by(2).collect();
    firsts.dedup();
    (!points.is_empty() && firsts.len() == points.len()).then_some(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vlad_derivatives::appended::data::Token::{Boolean, Nil, Pair, Real, Vector};

    fn list(parts: &[Datum]) -> Datum {
        Datum::list(parts)
    }

    #[test]
    fn points_have_two_reals_each() {
        let pair = |x, y| Datum { tokens: vec![Pair, Real(x), Real(y)] };
        let vector = |x, y| Datum { tokens: vec![Vector(2), Real(x), Real(y)] };
        let listed = |x, y| list(&[Datum::real(x), Datum::real(y)]);
        let labelled = Datum { tokens: vec![Pair, Boolean(true), Pair, Real(3.0), Real(4.0)] };
        for elements in
            [[pair(1.0, 2.0), vector(3.0, 4.0)], [listed(1.0, 2.0), pair(3.0, 4.0)], [vector(1.0, 2.0), labelled]]
        {
            assert_eq!(points_of(&list(&elements)), Some(vec![(1.0, 2.0), (3.0, 4.0)]));
        }
        let single = list(&[Datum::real(1.0)]);
        let three = list(&[Datum::real(1.0), Datum::real(2.0), Datum::real(3.0)]);
        let four = list(&[Datum::real(1.0), Datum::real(2.0), Datum::real(3.0), Datum::real(4.0)]);
        for wrong in
            [Datum::real(1.0), four.clone(), list(&[single, three]), list(&[four]), Datum { tokens: vec![Nil] }]
        {
            assert_eq!(points_of(&wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn derivatives_have_names() {
        let names = [(0, ""), (1, ""), (2, "[0]"), (4, "")].map(|(order, path)| named(order, "f", path));
        assert_eq!(names, ["f", "first derivative of f", "second derivative of f[0]", "4th derivative of f"]);
    }
}
