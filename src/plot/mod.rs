//! `vlad plot`: procedures of a real with their derivatives, procedures of two reals as contours, paths of points, and
//! tables of numbers, in the terminal or as SVG.
//!
//! ```text
//! program, procedures --sample--> series and grids --+
//! CSV --table--> series -----------------------------+--> a drawing --terminal|svg--> text
//! ```
//!
//! Invariant: both forms show the same drawing. What is not a finite number is not drawn, and interrupts a line.

mod axis;
mod contour;
mod drawing;
mod sample;
mod svg;
mod table;
mod terminal;

use crate::conclusion::Conclusion;
use crate::console::{Console, Form};
use crate::derive::without_values;
use crate::engine_selection::{CompilerArguments, engines};
use crate::exit::Exit;
use crate::inspection;
use crate::limits::LimitArguments;
use crate::operand::ArraysArgument;
use crate::options::{ProgramArguments, bytes_of};
use axis::Axis;
use clap::Args;
use clap::error::ErrorKind;
use drawing::{Drawing, Marks, Series, extent};
use sample::{NoDrawing, Samples};
use std::path::{Path, PathBuf};
use terminal::Size;
use vlad_engines::Engine;
use vlad_files::output::Output;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::report::Failure;
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::table::number;

/// The extension of tables.
const TABLE: &str = "csv";

/// The points of an interval if their number is not given: of one variable, and of each of two.
const POINTS: usize = 200;
const POINTS_OF_A_SIDE: usize = 60;

/// The most points of an interval, and the most of a grid.
const MOST_POINTS: usize = 20_000;

/// The most derivatives of a procedure.
const MOST_DERIVATIVES: i64 = 8;

/// The share of an axis that is left free at both ends.
const MARGIN: f64 = 0.04;

/// The text behind the options in `vlad plot --help`.
pub const HELP: &str = "\
A procedure is a name or an expression, which is evaluated behind the program and sees all that it defines. It maps a real \
to a real, or to data with several, each of which is a series. --contour draws the lines at which a procedure of two \
reals has the same value; the pattern of the procedure says if they are operands, a list or, with --arrays, a vector or a list. --path draws \
the points of a list or vector, each of which has two reals. A FILE whose name ends with .csv is a table and no program, as one \
of --csv is: its first column is across, and each of the others is a series.

Values that are not finite are not drawn. What the program prints is not shown.";

/// The arguments of `vlad plot`.
#[derive(Debug, Args)]
pub struct PlotArguments {
    /// The program, or a table.
    #[command(flatten)]
    program: ProgramArguments,
    /// A procedure of a real; may be repeated
    #[arg(long, value_name = "F", allow_hyphen_values = true, requires = "over")]
    function: Vec<String>,
    /// The interval A:B of its operand, or A:B:N with the number of points; for --contour twice, across and up
    #[arg(long, value_name = "A:B[:N]", allow_hyphen_values = true, value_parser = interval)]
    over: Vec<Interval>,
    /// Draw the derivatives of orders up to K as well
    #[arg(long, value_name = "K", default_value = "0", requires = "function")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=MOST_DERIVATIVES))]
    with_derivatives: u32,
    /// A procedure of two reals, whose contours are drawn
    #[arg(long, value_name = "G", allow_hyphen_values = true, conflicts_with = "function", requires = "over")]
    contour: Option<String>,
    /// An expression whose value is a list or vector of points with two reals each, drawn as a line; may be repeated
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    path: Vec<String>,
    /// A table of numbers, drawn as dots; may be repeated
    #[arg(long, value_name = "FILE.csv")]
    csv: Vec<PathBuf>,
    /// The column of tables that is across, by its name or number; the first if not given
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// A column of tables that is drawn, by its name or number; may be repeated; all others if none is given
    #[arg(long, value_name = "COLUMN")]
    y: Vec<String>,
    /// The interval LOW:HIGH that is shown upwards; if not given, all values
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true, value_parser = range)]
    range: Option<Axis>,
    /// Write SVG to this file instead of text to the standard output
    #[arg(short, long, value_name = "FILE.svg")]
    output: Option<PathBuf>,
    /// The title
    #[arg(long, value_name = "TEXT", default_value = "")]
    title: String,
    /// The width of the field in characters
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u16).range(8..=400))]
    width: u16,
    /// The height of the field in characters
    #[arg(long, value_name = "N", default_value = "18", value_parser = clap::value_parser!(u16).range(4..=200))]
    height: u16,
    /// The structure of the two reals of --contour where its pattern tells none
    #[arg(long, value_name = "STRUCTURE", default_value = "vectors")]
    arrays: ArraysArgument,
    /// The engine that runs the program
    #[arg(long, value_name = "ENGINE", default_value = "hybrid", value_parser = engines())]
    engine: Engine,
    /// The limits on memory, time and output.
    #[command(flatten)]
    limits: LimitArguments,
    /// The options for compiling programs.
    #[command(flatten)]
    compiler: CompilerArguments,
}

/// An interval, and the number of its points if it is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The ends.
    axis: Axis,
    /// The number of points.
    points: Option<usize>,
}

/// Parses an interval with an optional number of points.
fn interval(text: &str) -> Result<Interval, String> {
    let complaint = || format!("an interval is A:B or A:B:N, with A less than B and N from 2 to {MOST_POINTS}");
    let parts: Vec<&str> = text.split(':').collect();
    let (ends, points) = match *parts {
        [low, high] => ([low, high], None),
        [low, high, points] => ([low, high], Some(points)),
        _ => return Err(complaint()),
    };
    let points = match points {
        None => None,
        Some(points) => {
            let number = points.parse().ok().filter(|number| (2..=MOST_POINTS).contains(number));
            Some(number.ok_or_else(complaint)?)
        }
    };
    let axis = ends_of(ends).ok_or_else(complaint)?;
    Ok(Interval { axis, points })
}

/// Parses an interval.
fn range(text: &str) -> Result<Axis, String> {
    let ends = text.split_once(':').and_then(|(low, high)| ends_of([low, high]));
    ends.ok_or_else(|| "a range is LOW:HIGH, with LOW less than HIGH".to_owned())
}

fn ends_of(ends: [&str; 2]) -> Option<Axis> {
    let [low, high] = ends.map(|end| number::parse(end).filter(|end| end.is_finite()));
    let (low, high) = low.zip(high)?;
    (low < high).then_some(Axis { low, high })
}

/// Draws.
pub fn plot(arguments: &PlotArguments, languages: Languages) -> Exit {
    if let Err(complaint) = refuse(arguments) {
        return Exit::of_usage(&clap::Error::raw(ErrorKind::ArgumentConflict, format!("{complaint}\n")));
    }
    let console = inspection::console(Form::Text, &arguments.program, &arguments.limits);
    let output = match arguments.output.as_deref().map(|path| begin(path, arguments)).transpose() {
        Ok(output) => output,
        Err(diagnostic) => return console.fail(diagnostic),
    };
    let drawing = match drawing(arguments, languages) {
        Ok(drawing) => drawing,
        Err(NoDrawing::Values(trouble)) => return without_values(&console, trouble),
        Err(NoDrawing::Refused(diagnostic)) => return console.fail(*diagnostic),
        Err(NoDrawing::Failed(Failure { diagnostics, sources })) => {
            return console.conclude(Conclusion::new(&diagnostics, &sources, None));
        }
    };
    match output {
        Some((output, path)) => written(&console, output, path, &svg::draw(&drawing)),
        None => {
            let size = Size { width: arguments.width.into(), height: arguments.height.into() };
            console.conclude_with_text(&terminal::draw(&drawing, size))
        }
    }
}

/// Refuses combinations of options.
fn refuse(arguments: &PlotArguments) -> Result<(), &'static str> {
    let is_table = table_among_programs(arguments).is_some();
    let draws = !arguments.function.is_empty() || arguments.contour.is_some() || !arguments.path.is_empty();
    let variables = if arguments.contour.is_some() { 2 } else { 1 };
    match arguments.over.len() {
        _ if is_table && draws => {
            Err("--function, --contour and --path are for programs, and FILE is a table: add it with --csv")
        }
        _ if !is_table && !draws && arguments.csv.is_empty() => {
            Err("nothing to draw: give --function, --contour, --path or --csv")
        }
        given if given > variables => Err("--over is given too often: once for --function, and twice for --contour"),
        1 if arguments.contour.is_some() => Err("--contour needs --over twice: across and up"),
        _ if (arguments.x.is_some() || !arguments.y.is_empty()) && !is_table && arguments.csv.is_empty() => {
            Err("--x and --y are for tables: give --csv")
        }
        _ => Ok(()),
    }
}

/// The table that stands in the place of a program.
fn table_among_programs(arguments: &PlotArguments) -> Option<&Path> {
    let file = arguments.program.file()?;
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(TABLE)).then_some(file)
}

/// Opens the file of the picture, so that a path that cannot be written is reported at once.
fn begin<'path>(path: &'path Path, arguments: &PlotArguments) -> Result<(Output, &'path Path), Diagnostic> {
    let same = |other: &Path| matches!((path.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if arguments.program.file().into_iter().chain(arguments.csv.iter().map(PathBuf::as_path)).any(same) {
        let message = format!("the picture cannot be written to {}: it is what is drawn", path.display());
        return Err(Diagnostic::new(Kind::Output, None, message));
    }
    Output::begin(path).map(|output| (output, path)).map_err(|error| not_written(path, &error))
}

fn not_written(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::new(Kind::Output, None, format!("the picture cannot be written to {}: {error}", path.display()))
}

/// Writes the picture.
fn written(console: &Console, output: Output, path: &Path, picture: &str) -> Exit {
    match output.write(picture.as_bytes()) {
        Ok(()) => console.conclude(Conclusion::new(&[], &SourceMap::default(), None)),
        Err(error) => console.fail(not_written(path, &error)),
    }
}

/// Makes the drawing that the arguments ask for.
fn drawing(arguments: &PlotArguments, languages: Languages) -> Result<Drawing, NoDrawing> {
    let mut series = Vec::new();
    let mut contours = Vec::new();
    let mut sides = None;
    let tables = table_among_programs(arguments).into_iter().chain(arguments.csv.iter().map(PathBuf::as_path));
    for path in tables.collect::<Vec<&Path>>() {
        series.extend(of_table(arguments, path)?);
    }
    let side = |index: usize| arguments.over.get(index).copied();
    if table_among_programs(arguments).is_none() {
        let mut samples = Samples::of(arguments, languages)?;
        if let (Some(procedure), Some(across), Some(up)) = (&arguments.contour, side(0), side(1)) {
            let grid = samples.grid(procedure, across, up)?;
            sides = Some((across.axis, up.axis));
            contours = grid.contours();
        } else if let Some(over) = side(0) {
            for procedure in &arguments.function {
                series.extend(samples.series(procedure, over, arguments.with_derivatives)?);
            }
        }
        for path in &arguments.path {
            series.push(samples.path(path)?);
        }
    }
    let drawn = |axis: Option<Axis>| axis.map(with_margin);
    let nothing = || refusal(Kind::Limit, "nothing that is drawn is a finite number");
    let across = sides.map(|(across, _)| across).or_else(|| side(0).map(|over| over.axis));
    let across = across.or_else(|| drawn(extent(&series, |point| point.0))).ok_or_else(nothing)?;
    let up = arguments.range.or(sides.map(|(_, up)| up));
    let up = up.or_else(|| drawn(extent(&series, |point| point.1))).ok_or_else(nothing)?;
    Ok(Drawing { title: arguments.title.clone(), across, up, contours, series })
}

fn refusal(kind: Kind, message: &str) -> NoDrawing {
    NoDrawing::Refused(Box::new(Diagnostic::new(kind, None, message)))
}

/// An interval that is a little longer at both ends.
fn with_margin(axis: Axis) -> Axis {
    let longer = Axis { low: axis.at(-MARGIN), high: axis.at(1.0 + MARGIN) };
    if longer.low.is_finite() && longer.high.is_finite() { longer } else { axis }
}

/// The series of a table.
fn of_table(arguments: &PlotArguments, path: &Path) -> Result<Vec<Series>, NoDrawing> {
    let refused = |diagnostic| NoDrawing::Refused(Box::new(diagnostic));
    let bytes = bytes_of(path).map_err(refused)?;
    let name = path.display().to_string();
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(refusal(Kind::Read, &format!("{name} is no text in UTF-8")));
    };
    let table = table::read(&name, &text).map_err(NoDrawing::Failed)?;
    let column = |wanted: &String| {
        let missing =
            || refusal(Kind::Unbound, &format!("{name} has no column `{wanted}`, but {}", table.names.join(", ")));
        table.column(wanted).ok_or_else(missing)
    };
    let across = arguments.x.as_ref().map_or(Ok(0), column)?;
    let drawn = match arguments.y.is_empty() {
        true => (0..table.names.len()).filter(|index| *index != across || table.names.len() == 1).collect(),
        false => arguments.y.iter().map(column).collect::<Result<Vec<usize>, NoDrawing>>()?,
    };
    let series = drawn.into_iter().map(|index| Series {
        name: table.names.get(index).cloned().unwrap_or_default(),
        marks: Marks::Dots,
        points: match table.names.len() {
            // A single column is drawn over the numbers of its rows.
            1 => (0..).map(f64::from).zip(table.numbers(index)).collect(),
            _ => table.numbers(across).zip(table.numbers(index)).collect(),
        },
    });
    Ok(series.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_ends_and_points() {
        let axis = Axis { low: -1.5, high: 1e3 };
        assert_eq!(interval("-1.5:1e3"), Ok(Interval { axis, points: None }));
        assert_eq!(interval("-1.5:1e3:7"), Ok(Interval { axis, points: Some(7) }));
        assert_eq!(range("-1.5:1e3"), Ok(axis));
        for wrong in ["", "1", "1:1", "2:1", "0:+inf.0", "0:x", "0:1:1", "0:1:20001", "0:1:2:3", "0:1:1.5"] {
            assert!(interval(wrong).is_err(), "{wrong}");
        }
        assert!(range("1:0").is_err() && range("0:1:2").is_err());
    }
}
