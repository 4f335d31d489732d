//! `vlad plot`: procedures of a real with their derivatives, procedures of two reals as contours, paths of points, and
//! tables of numbers, in the terminal or as SVG.
//!
//! ```text
//! program, procedures --sample--> series and grids --+
//! table --table--> series ---------------------------+--> a drawing --terminal|svg--> text
//! ```
//!
//! Invariant: both forms show the same drawing. What is not a finite number is not drawn, and interrupts a line.

mod arguments;
mod axis;
mod contour;
mod drawing;
mod sample;
mod svg;
mod table;
mod terminal;

pub use arguments::{HELP, PlotArguments};

use crate::commands::derivatives::derive::without_values;
use crate::commands::inspection;
use crate::options::program::bytes_of;
use crate::output::conclusion::Conclusion;
use crate::output::console::{self, Console};
use crate::process::exit::Exit;
use arguments::{Form, Picture};
use axis::Axis;
use clap::error::ErrorKind;
use drawing::{Drawing, Marks, Series, extent};
use sample::{NoDrawing, Samples};
use std::path::{Path, PathBuf};
use terminal::Size;
use vlad_files::output::Output;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::data::Separator;
use vlad_shared::frontend::languages::Languages;

/// The extensions of tables.
const TABLES: [&str; 2] = ["csv", TABS];

/// The extension of tables with tabs between their cells.
const TABS: &str = "tsv";

/// The share of an axis that is left free at both ends.
const MARGIN: f64 = 0.04;

/// Draws.
pub fn plot(arguments: &PlotArguments, languages: Languages) -> Exit {
    if let Err(complaint) = refuse(arguments) {
        return Exit::of_usage(&clap::Error::raw(ErrorKind::ArgumentConflict, format!("{complaint}\n")));
    }
    let console = inspection::console(console::Form::Text, &arguments.program, &arguments.limits);
    let output = match arguments.output.as_ref().map(|picture| begin(picture, arguments)).transpose() {
        Ok(output) => output,
        Err(diagnostic) => return console.fail(*diagnostic),
    };
    let drawing = match drawing(arguments, languages) {
        Ok(drawing) => drawing,
        Err(NoDrawing::Values(trouble)) => return without_values(&console, trouble),
        Err(NoDrawing::Refused(diagnostic)) => return console.fail(*diagnostic),
        Err(NoDrawing::Failed(Failure { diagnostics, sources })) => {
            return console.conclude(Conclusion::new(&diagnostics, &sources, None));
        }
    };
    let text = || {
        let size = Size { width: arguments.width.into(), height: arguments.height.into() };
        terminal::draw(&drawing, size)
    };
    match output {
        Some((output, Picture { path, form: Form::Svg })) => written(&console, output, path, &svg::draw(&drawing)),
        Some((output, Picture { path, form: Form::Text })) => written(&console, output, path, &text()),
        None => console.conclude_with_text(&text()),
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
    TABLES.iter().any(|table| has_extension(file, table)).then_some(file)
}

fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension))
}

/// Opens the file of the picture, so that a path that cannot be written is reported at once.
fn begin<'given>(
    picture: &'given Picture,
    arguments: &PlotArguments,
) -> Result<(Output, &'given Picture), Box<Diagnostic>> {
    let path = &picture.path;
    let same = |other: &Path| matches!((path.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if arguments.program.file().into_iter().chain(arguments.csv.iter().map(PathBuf::as_path)).any(same) {
        let message = format!("the picture cannot be written to {}: it is what is drawn", path.display());
        return Err(Box::new(Diagnostic::new(Kind::Output, None, message)));
    }
    Output::begin(path).map(|output| (output, picture)).map_err(|error| Box::new(not_written(path, &error)))
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
    let bytes = bytes_of(path).map_err(NoDrawing::Refused)?;
    let name = path.display().to_string();
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(refusal(Kind::Read, &format!("{name} is no text in UTF-8")));
    };
    let separator = if has_extension(path, TABS) { Separator::TAB } else { arguments.program.reading.separator() };
    let table = table::read(&name, &text, separator).map_err(NoDrawing::Failed)?;
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
