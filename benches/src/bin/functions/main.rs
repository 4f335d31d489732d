//! Measures the mathematical functions of the language and compares their results.
//!
//! `cargo run --release -p vlad-benches --bin functions [TURNS]` prints the time of each function beside that of the C library's function and
//! of the one of `pxfm`, a crate in Rust: the least of the turns, in which they ran one after the other. The operands are ordinary
//! ones. `--against-digits N` compares N points of each function with values of 96 digits, rounded; `--against-other N` compares N
//! points of each function with those of `pxfm`; names of functions restrict a comparison to them. `--threads 2` takes two
//! processors for a comparison. All print Markdown, ready for `benches/record`.
#![allow(unsafe_code)] // the C library is called

mod other;

use std::hint::black_box;
use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use std::{env, thread};
use vlad_benches::fault;
use vlad_conformance::functions::turn::{Differences, Turn, compare};
use vlad_conformance::functions::{Function, by_operation, compiled};
use vlad_derivatives::extended::arithmetic::Reference;
use vlad_derivatives::extended::rounded::functions;
use vlad_derivatives::numbers::Numbers;
use vlad_shared::table::Operation;
use vlad_shared::table::operations::OPERATIONS;

/// The functions of the C library, by the names of `vlad_table::math`.
mod library {
    // SAFETY: C declares these functions with these types; they are safe for every argument. Two of them may write `errno`, and `lgamma`
    // its sign, which nothing here reads.
    unsafe extern "C" {
        pub safe fn exp(x: f64) -> f64;
        pub safe fn log(x: f64) -> f64;
        pub safe fn sin(x: f64) -> f64;
        pub safe fn cos(x: f64) -> f64;
        pub safe fn tan(x: f64) -> f64;
        pub safe fn asin(x: f64) -> f64;
        pub safe fn acos(x: f64) -> f64;
        pub safe fn atan(x: f64) -> f64;
        pub safe fn atan2(y: f64, x: f64) -> f64;
        pub safe fn sinh(x: f64) -> f64;
        pub safe fn cosh(x: f64) -> f64;
        pub safe fn tanh(x: f64) -> f64;
        pub safe fn asinh(x: f64) -> f64;
        pub safe fn acosh(x: f64) -> f64;
        pub safe fn atanh(x: f64) -> f64;
        pub safe fn pow(x: f64, y: f64) -> f64;
        pub safe fn hypot(x: f64, y: f64) -> f64;
        pub safe fn cbrt(x: f64) -> f64;
        pub safe fn exp2(x: f64) -> f64;
        pub safe fn log2(x: f64) -> f64;
        pub safe fn log10(x: f64) -> f64;
        pub safe fn log1p(x: f64) -> f64;
        pub safe fn expm1(x: f64) -> f64;
        pub safe fn erf(x: f64) -> f64;
        pub safe fn erfc(x: f64) -> f64;
        pub safe fn lgamma(x: f64) -> f64;
        pub safe fn tgamma(x: f64) -> f64;
    }
}

/// The functions of a module, by their names in C. A function that the C library or `pxfm` lacks stands nowhere here, and is not compared
/// with others.
macro_rules! functions_of {
    ($module:ident) => {
        by_operation(&functions_of!(
            $module: exp log sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt exp2 log2 log10 log1p expm1 erf erfc lgamma
            tgamma; atan2 pow hypot
        ))
    };
    ($module:ident: $($unary:ident)*; $($binary:ident)*) => {
        [
            $((stringify!($unary), Function::Unary($module::$unary)),)*
            $((stringify!($binary), Function::Binary($module::$binary)),)*
        ]
    };
}

/// The points of a measured loop.
const POINTS: usize = 4096;

/// The exponents of powers that have rows of their own.
const EXPONENTS: [f64; 4] = [2.0, 3.0, -1.0, 0.5];

/// The arguments of the program.
struct Arguments {
    turns: usize,
    threads: usize,
    against_digits: Option<usize>,
    against_other: Option<usize>,
    /// The functions to compare; all if it is empty.
    functions: Vec<Operation>,
}

impl Arguments {
    fn read() -> io::Result<Arguments> {
        let mut arguments =
            Arguments { turns: 50, threads: 1, against_digits: None, against_other: None, functions: Vec::new() };
        let mut given = env::args().skip(1);
        while let Some(word) = given.next() {
            if let Some(function) = functions().find(|function| name(*function) == word) {
                arguments.functions.push(function);
                continue;
            }
            let named = word.starts_with("--");
            let number = if named { given.next().unwrap_or_default() } else { word.clone() };
            let number = number.parse().ok().filter(|number| *number > 0);
            let number = number
                .ok_or_else(|| fault(format!("{word} is no number of turns and no function, or lacks a number")))?;
            match word.as_str() {
                "--threads" => arguments.threads = number,
                "--against-digits" => arguments.against_digits = Some(number),
                "--against-other" => arguments.against_other = Some(number),
                _ if named => return Err(fault(format!("{word} is no option"))),
                _ => arguments.turns = number,
            }
        }
        if !arguments.functions.is_empty() && arguments.against_digits.or(arguments.against_other).is_none() {
            return Err(fault("functions are named for a comparison"));
        }
        Ok(arguments)
    }
}

fn main() -> io::Result<()> {
    let arguments = Arguments::read()?;
    let (compiled, other) = (compiled(), functions_of!(other));
    if let Some(points) = arguments.against_digits {
        return print_differences(&arguments, |operation, reference| {
            let function = function_of(&compiled, operation)?;
            Some(compare(Turn::of(points), reference, (operation, function), |reference, point| {
                function.rounded(reference, operation, point)
            }))
        });
    }
    if let Some(points) = arguments.against_other {
        return print_differences(&arguments, |operation, reference| {
            let (function, other) = (function_of(&compiled, operation)?, function_of(&other, operation)?);
            let turn = Turn { random: points, ..Turn::of(points.min(10_000)) };
            Some(compare(turn, reference, (operation, other), |_, point| function.at(point)))
        });
    }
    print_times(arguments.turns)
}

/// The function of an operation; none if the list has none.
fn function_of(functions: &[(Operation, Function)], operation: Operation) -> Option<Function> {
    functions.iter().find(|(other, _)| *other == operation).map(|(_, function)| *function)
}

/// The name of a function in the table of operations.
fn name(operation: Operation) -> &'static str {
    OPERATIONS.iter().find(|row| row.operation == operation).map_or("", |row| row.name)
}

/// Prints a row for each function as soon as it has been compared, and below the table points at which results differ.
fn print_differences(
    arguments: &Arguments,
    compare: impl Fn(Operation, &mut Reference) -> Option<Differences> + Sync,
) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "| function | points | differ | s |\n|---|---|---|---|")?;
    let (next, functions) = (AtomicUsize::new(0), functions().collect::<Vec<Operation>>());
    let work = || -> io::Result<Vec<(usize, Differences)>> {
        let mut reference = Reference::new().ok_or_else(|| fault("no memory for constants"))?;
        let mut found = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(operation) = functions.get(index) else { return Ok(found) };
            if !arguments.functions.is_empty() && !arguments.functions.contains(operation) {
                continue;
            }
            let begun = Instant::now();
            let Some(differences) = compare(*operation, &mut reference) else { continue };
            let (name, seconds) = (name(*operation), begun.elapsed().as_secs_f64());
            writeln!(io::stdout(), "| {name} | {} | {} | {seconds:.0} |", differences.points, differences.count)?;
            found.push((index, differences));
        }
    };
    let results: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..arguments.threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(thread::ScopedJoinHandle::join).collect()
    });
    let mut all = Vec::new();
    for result in results {
        all.extend(result.map_err(|_| fault("a thread failed"))??);
    }
    all.sort_by_key(|(index, _)| *index);
    let named = |index: usize| functions.get(index).map_or("", |operation| name(*operation));
    for (index, differences) in &all {
        if let Some(report) = differences.report(named(*index)) {
            write!(out, "\n{report}")?;
        }
    }
    Ok(())
}

/// The ordinary operands of a function: an interval for each.
fn intervals(operation: Operation) -> [(f64, f64); 2] {
    use Operation as O;
    let first = match operation {
        O::Logarithm | O::BinaryLogarithm | O::DecimalLogarithm => (0.01, 100.0),
        O::ArcSine | O::ArcCosine | O::InverseHyperbolicTangent => (-1.0, 1.0),
        O::InverseHyperbolicCosine => (1.0, 10.0),
        O::LogarithmOfOnePlus => (-0.9, 10.0),
        O::HyperbolicTangent | O::ErrorFunction | O::ComplementaryErrorFunction => (-4.0, 4.0),
        O::LogGamma | O::Gamma => (0.1, 20.0),
        O::Power => (0.1, 10.0),
        _ => (-10.0, 10.0),
    };
    [first, (-5.0, 5.0)]
}

/// The nanoseconds a call, in one pass over the points.
fn nanoseconds(function: Function, points: &[[f64; 2]]) -> f64 {
    let begun = Instant::now();
    match black_box(function) {
        Function::Unary(function) => points.iter().for_each(|[x, _]| {
            black_box(function(*x));
        }),
        Function::Binary(function) => points.iter().for_each(|[x, y]| {
            black_box(function(*x, *y));
        }),
    }
    begun.elapsed().as_secs_f64() * 1e9 / points.len() as f64
}

/// Ordinary points of a function, with an exponent of their own if there is one.
fn ordinary_points(numbers: &mut Numbers, operation: Operation, exponent: Option<f64>) -> Vec<[f64; 2]> {
    let mut random =
        |(from, to): (f64, f64)| from + (to - from) * ((numbers.bits() >> 11) as f64 / (1_u64 << 53) as f64);
    let mut point = || {
        let [x, y] = intervals(operation).map(&mut random);
        [x, exponent.unwrap_or(y)]
    };
    (0..POINTS).map(|_| point()).collect()
}

/// The least nanoseconds of some functions, which take turns.
fn least_nanoseconds(turns: usize, functions: [Function; 3], points: &[[f64; 2]]) -> [f64; 3] {
    (0..turns).fold([f64::INFINITY; 3], |least, _| {
        let mut next = functions.iter().map(|function| nanoseconds(*function, points));
        least.map(|least| next.next().map_or(least, |time| least.min(time)))
    })
}

fn print_times(turns: usize) -> io::Result<()> {
    let (library, other) = (functions_of!(library), functions_of!(other));
    let mut out = io::stdout();
    writeln!(out, "| function | ns | C library, ns | `pxfm`, ns | ratio to C | ratio of `pxfm` to C |")?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    let mut numbers = Numbers::new(1);
    let (mut logarithm, mut other_logarithm) = (0.0, 0.0);
    for (operation, own) in compiled() {
        let others = (function_of(&library, operation), function_of(&other, operation));
        let (Some(in_c), Some(in_rust)) = others else { continue };
        let more: &[f64] = if operation == Operation::Power { &EXPONENTS } else { &[] };
        for exponent in [None].into_iter().chain(more.iter().copied().map(Some)) {
            let points = ordinary_points(&mut numbers, operation, exponent);
            let [own, in_c, in_rust] = least_nanoseconds(turns, [own, in_c, in_rust], &points);
            let (ratio, other_ratio) = (own / in_c, in_rust / in_c);
            let of = exponent.map_or_else(String::new, |exponent| format!(" with exponent {exponent}"));
            let name = name(operation);
            writeln!(out, "| {name}{of} | {own:.1} | {in_c:.1} | {in_rust:.1} | {ratio:.2} | {other_ratio:.2} |")?;
            // The mean is of one row for each function.
            if exponent.is_none() {
                logarithm += ratio.ln() / library.len() as f64;
                other_logarithm += other_ratio.ln() / library.len() as f64;
            }
        }
    }
    writeln!(out, "| geometric mean | | | | {:.2} | {:.2} |", logarithm.exp(), other_logarithm.exp())
}
