//! The arguments of `vlad plot`.

use super::axis::Axis;
use crate::options::engine::{CompilerArguments, engines};
use crate::options::limits::LimitArguments;
use crate::options::operand::ArraysArgument;
use crate::options::program::ProgramArguments;
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use std::ffi::OsString;
use std::path::PathBuf;
use vlad_engines::Engine;
use vlad_shared::table::number;

/// The points of an interval of one variable if their number is not given.
pub const POINTS: usize = 200;

/// The same of each of two variables.
pub const POINTS_OF_A_SIDE: usize = 60;

/// The most points of an interval, and the most of a grid.
pub const MOST_POINTS: usize = 20_000;

/// The most derivatives of a procedure.
const MOST_DERIVATIVES: i64 = 8;

/// The text behind the options in `vlad plot --help`.
pub const HELP: &str = "\
A procedure is a name or an expression. It is evaluated after the program and can use its definitions. It maps a real to a real, or to \
data with several reals, which are one series each. --contour draws level lines of a procedure of two reals. The pattern of \
the procedure determines if these are two operands, a list or, with --arrays, a vector or a list. --path draws the points of a list or \
vector; each point has two reals.

A FILE with a name that ends with .csv or .tsv is a table and no program. Tables are also given by --csv. The first column is \
horizontal, and each of the others is a series.

With -o the drawing is written to a file: as SVG if its name ends with .svg, as text if it ends with .txt. Other tools convert SVG into PNG \
and PDF.

Values that are not finite are not drawn, and neither are derivatives there. The output of the program is not shown.";

/// The arguments of `vlad plot`.
#[derive(Debug, Args)]
pub struct PlotArguments {
    /// The program, or a table.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// Draw this procedure of one real; may be repeated
    #[arg(long, value_name = "F", allow_hyphen_values = true, requires = "over")]
    pub function: Vec<String>,
    /// Draw over the interval A:B, at N points; give it twice for --contour, horizontal and vertical.
    ///
    /// The default of N is 200, and 60 for each interval of --contour.
    #[arg(long, value_name = "A:B[:N]", allow_hyphen_values = true, value_parser = interval)]
    pub over: Vec<Interval>,
    /// Draw the derivatives of orders up to K as well
    #[arg(long, value_name = "K", default_value = "0", requires = "function")]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=MOST_DERIVATIVES))]
    pub with_derivatives: u32,
    /// Draw the contours of this procedure of two reals
    #[arg(long, value_name = "G", allow_hyphen_values = true, conflicts_with = "function", requires = "over")]
    pub contour: Option<String>,
    /// Draw a line through the points in the value of this expression; may be repeated
    #[arg(long, value_name = "PATH", allow_hyphen_values = true)]
    pub path: Vec<String>,
    /// Draw the numbers of this table as dots; may be repeated
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Vec<PathBuf>,
    /// Use this column of tables, a name or a number, as the horizontal axis (default: the first)
    #[arg(long, value_name = "COLUMN")]
    pub x: Option<String>,
    /// Draw this column of tables, a name or a number; may be repeated (default: all others)
    #[arg(long, value_name = "COLUMN")]
    pub y: Vec<String>,
    /// Show the values from LOW to HIGH (default: all values)
    #[arg(long, value_name = "LOW:HIGH", allow_hyphen_values = true, value_parser = range)]
    pub range: Option<Axis>,
    /// Write SVG or text to this file, instead of text to standard output
    #[arg(short, long, value_name = "FILE.svg|FILE.txt", value_parser = OsStringValueParser::new().try_map(picture))]
    pub output: Option<Picture>,
    /// Set the title
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub title: String,
    /// Set the width of the field in characters
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u16).range(8..=400))]
    pub width: u16,
    /// Set the height of the field in characters
    #[arg(long, value_name = "N", default_value = "18", value_parser = clap::value_parser!(u16).range(4..=200))]
    pub height: u16,
    /// Pass the two reals of --contour as a vector or a list where its pattern does not decide
    #[arg(long, value_name = "STRUCTURE", default_value = "vectors")]
    pub arrays: ArraysArgument,
    /// Run the program on this engine
    #[arg(long, value_name = "ENGINE", default_value = "hybrid", value_parser = engines())]
    pub engine: Engine,
    /// The limits on memory, time and output.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// The options for compiling programs.
    #[command(flatten)]
    pub compiler: CompilerArguments,
}

/// An interval, and the number of its points if it is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The ends.
    pub axis: Axis,
    /// The number of points.
    pub points: Option<usize>,
}

/// The form of a drawing in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// SVG.
    Svg,
    /// Text, as on the standard output.
    Text,
}

/// A file for a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The file.
    pub path: PathBuf,
    /// The form, which the end of its name tells.
    pub form: Form,
}

/// Finds the form of a drawing in a file.
fn picture(name: OsString) -> Result<Picture, String> {
    let path = PathBuf::from(name);
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let form = match extension.as_deref() {
        Some("svg") => Form::Svg,
        Some("txt") => Form::Text,
        Some(_) | None => {
            return Err(format!("{} ends with neither .svg nor .txt: drawings are SVG or text", path.display()));
        }
    };
    Ok(Picture { path, form })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_by_names() {
        for (name, form) in [("a.svg", Form::Svg), ("b.c/a.SVG", Form::Svg), ("a.txt", Form::Text)] {
            assert_eq!(picture(name.into()), Ok(Picture { path: name.into(), form }));
        }
        for name in ["a.png", "a.svg.png", "a", ".svg", "a.pdf", "a.", "", "a.csv"] {
            let error = picture(name.into()).unwrap_err();
            assert!(error.contains(".svg") && error.contains(".txt"), "{error}");
        }
    }

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
