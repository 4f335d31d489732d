//! Prints the time of gradients of F-smooth programs as exported C against hand-written C, over sizes: figures 8 to 11 of
//! Shaikhha et al. (2018), with forward mode and the best by hand in the place of other tools.
//!
//! `cargo run --release -p vlad-benches --bin smooth [TURNS] [FOLDER]` prints Markdown, ready for `benches/record`, and
//! writes a picture of each series to the folder. Only C is measured (`benches/smooth`), so the build of this program has
//! no influence. Ratios are of times of one process; figures are medians over the turns. A series ends where a
//! call takes [`LONGEST`] or memory ends.

mod code;
mod plots;

use code::{Driver, Version};
use std::io::{self, Write};
use std::path::PathBuf;
use std::{env, fs};
use vlad_benches::{fault, median, root};

/// The seconds of a call after which a series has no larger sizes.
pub const LONGEST: f64 = 0.5;

/// A gradient that is measured.
#[derive(Debug)]
pub struct Problem {
    /// The name of its picture.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Its function in the program, and the one by reverse mode.
    pub functions: [&'static str; 2],
    /// The signature of both.
    pub signature: &'static str,
    /// The sizes.
    pub sizes: &'static [usize],
}

const LONG: &[usize] = &[10, 100, 1000, 10_000, 100_000, 1_000_000];
const SQUARE: &[usize] = &[10, 30, 100, 300, 1000, 3000];
const JACOBIAN: &[usize] = &[10, 30, 100, 300, 1000];

/// The problems, in the order of their numbers in `benches/smooth/driver.c`.
const PROBLEMS: [Problem; 7] = [
    problem("dot", "d(v·w)/dv", ["dot", "dotReverse"], "vector,vector->vector", LONG),
    problem("maximum", "d(max v)/dv", ["maximum", "maximumReverse"], "vector->vector", LONG),
    problem("addition", "d(v + w)/dv, n by n", ["addition", "additionReverse"], "vector,vector->matrix", SQUARE),
    problem("scale", "d(v s)/ds", ["scale", "scaleReverse"], "vector,real->vector", LONG),
    problem(
        "factorisation",
        "factorisation of a matrix, n by n",
        ["factorisation", "factorisationReverse"],
        "vector,vector,matrix->vector",
        SQUARE,
    ),
    problem(
        "logsumexp",
        "logarithm of a sum of exponentials",
        ["logsumexp", "logsumexpReverse"],
        "vector->vector",
        LONG,
    ),
    problem(
        "projection",
        "pictures of n points, 3n + 11 by 2n",
        ["projection", "projectionReverse"],
        "real,vector->matrix",
        JACOBIAN,
    ),
];

const fn problem(
    name: &'static str,
    title: &'static str,
    functions: [&'static str; 2],
    signature: &'static str,
    sizes: &'static [usize],
) -> Problem {
    Problem { name, title, functions, signature, sizes }
}

/// The figures of a variant at a size.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The variant.
    pub variant: String,
    /// The size.
    pub size: usize,
    /// The median of its seconds.
    pub seconds: f64,
    /// The median of its ratios to the best C by hand.
    pub ratio: f64,
}

fn main() -> io::Result<()> {
    let mut turns = 5;
    let mut folder = root().join("benches/record/smooth");
    for argument in env::args().skip(1) {
        match argument.parse::<usize>() {
            Ok(number) if number > 0 => turns = number,
            Ok(_) => return Err(fault("at least one turn is expected")),
            Err(_) => folder = PathBuf::from(argument),
        }
    }
    fs::create_dir_all(&folder)?;
    let scratch = tempfile::tempdir()?;
    let mut out = io::stdout();
    for (problem, number) in PROBLEMS.iter().zip(0..) {
        let (driver, refusals) = Driver::new(problem, number, &scratch.path().join(problem.name))?;
        let figures = measured(problem, &driver, turns)?;
        table(&mut out, problem, &driver, &figures)?;
        for refusal in refusals {
            writeln!(out, "\n{refusal}")?;
        }
        plots::plot(&folder.join(format!("{}.svg", problem.name)), problem.title, &figures)?;
        out.flush()?;
    }
    Ok(())
}

/// The figures of all variants at all sizes that they reach.
fn measured(problem: &Problem, driver: &Driver, turns: usize) -> io::Result<Vec<Figure>> {
    let mut variants = driver.variants();
    let mut figures = Vec::new();
    for size in problem.sizes {
        let mut times: Vec<(String, Vec<f64>, Vec<f64>)> =
            variants.iter().map(|variant| (variant.clone(), Vec::new(), Vec::new())).collect();
        for _ in 0..turns {
            let found = driver.run(*size, &variants)?;
            let best = found.first().and_then(|(_, seconds)| *seconds);
            let best = best.ok_or_else(|| fault("the best C by hand has a time"))?;
            for (name, seconds) in &found {
                let Some(row) = times.iter_mut().find(|(variant, ..)| variant == name) else { continue };
                row.1.extend(*seconds);
                row.2.extend(seconds.map(|seconds| seconds / best));
            }
        }
        for (variant, seconds, ratios) in times {
            let (seconds, ratio) = (median(&seconds), median(&ratios));
            if !seconds.is_finite() || seconds > LONGEST && variant != "best" {
                variants.retain(|other| *other != variant);
            }
            if seconds.is_finite() {
                figures.push(Figure { variant, size: *size, seconds, ratio });
            }
        }
    }
    Ok(figures)
}

/// Prints the table of a problem.
fn table(out: &mut impl Write, problem: &Problem, driver: &Driver, figures: &[Figure]) -> io::Result<()> {
    let variants = driver.variants();
    let others: Vec<&String> = variants.iter().filter(|variant| *variant != "best").collect();
    let titles: Vec<String> = others.iter().map(|variant| Version::title(variant)).collect();
    writeln!(out, "\n## {}\n\n| n | best by hand, ns | {} |", problem.title, titles.join(" | "))?;
    writeln!(out, "|---|---|{}", "---|".repeat(titles.len()))?;
    for size in problem.sizes {
        let of = |variant: &str| figures.iter().find(|figure| figure.size == *size && figure.variant == variant);
        let best = of("best").map_or_else(String::new, |figure| format!("{:.0}", 1e9 * figure.seconds));
        let cells =
            others.iter().map(|variant| of(variant).map_or_else(String::new, |figure| format!("{:.2}", figure.ratio)));
        writeln!(out, "| {size} | {best} | {} |", cells.collect::<Vec<String>>().join(" | "))?;
    }
    Ok(())
}
