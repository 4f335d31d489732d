//! `vlad gradcheck`: the derivatives of a procedure at a point, by every mode and by differences, in a table.

use crate::arguments::ProgramArguments;
use crate::choice::{CompilerArguments, engines};
use crate::console::{Conclusion, Console, Form};
use crate::ending::Ending;
use crate::limits::{bytes, seconds};
use crate::memory;
use crate::unfinished::Unfinished;
use crate::watchdog::Watchdog;
use clap::Args;
use serde_json::json;
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use vlad_conformance::engine::Engine;
use vlad_conformance::gradcheck::{self, Answer, Difference, Entry, Question, Trouble};
use vlad_shared::diagnostic::{Diagnostic, Kind};
use vlad_shared::internal_bug;
use vlad_shared::load::Input;
use vlad_shared::load::files::ALLOWED;
use vlad_shared::number;
use vlad_shared::print::Notation;
use vlad_shared::run::Limits;
use vlad_shared::source::SourceMap;

/// The relative error above which an entry is wrong, if none is given.
const DEFAULT_TOLERANCE: f64 = 1e-9;

/// The most lines of the table, if not all are asked for.
const MOST_LINES: usize = 20;

/// What stands behind the options in `vlad gradcheck --help`.
pub const HELP: &str = "\
F and X are expressions behind the program; they see all that it defines. The point and the value are made of reals, \
booleans, pairs and vectors. Each derivative is found by j*, by *j, by checkpoint-*j, and by a difference quotient of the \
program run on reals of 96 digits, good to 30 digits where the procedure is smooth; operators inside of the procedure are \
differences there, too. An error is relative to the derivative, or to a thousandth of the largest one if that is more.

An entry is not called wrong where the differences on the two sides are not the same, which is a kink, nor where a derivative \
or a difference is no finite number, nor if it has an error over 1e-12 that rounding explains: the quotient moves half as far \
when reals of the program are off by 2^-45 of themselves at most.

With --json one object is printed:
  {\"point\": TEXT, \"value\": TEXT,
   \"entries\": [{\"input\": I, \"output\": O, \"forward\": TEXT, \"reverse\": TEXT, \"checkpointed\": TEXT,
     \"difference\": TEXT or \"kink\" or \"not finite\", \"error\": TEXT or null,
     \"rounding\": BOOLEAN, \"ok\": BOOLEAN}, ...],
   \"worst\": TEXT, \"wrong\": N}

Exit code 1 says that an entry is wrong, or that there is no answer.";

/// The arguments of `vlad gradcheck`.
#[derive(Debug, Args)]
pub struct GradcheckArguments {
    /// Which program.
    #[command(flatten)]
    program: ProgramArguments,
    /// The procedure: its name, or an expression
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    function: String,
    /// The point: an expression
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    at: String,
    /// The relative error above which an entry is wrong
    #[arg(long, value_name = "T", default_value_t = DEFAULT_TOLERANCE, value_parser = tolerance)]
    tolerance: f64,
    /// What runs the operators
    #[arg(long, value_name = "ENGINE", default_value = "hybrid", value_parser = engines())]
    engine: Engine,
    /// Show every entry, not only the 20 with the largest errors
    #[arg(long)]
    all: bool,
    /// Print one JSON object instead of the table
    #[arg(long)]
    json: bool,
    /// The time that the engine may take for each of its runs, and the differences
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Duration,
    /// How programs are compiled.
    /// Fail when the process takes more memory: bytes, or a number with K, M or G; if not given, seven eighths of what is
    /// available
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_memory: Option<u64>,
    #[command(flatten)]
    compiler: CompilerArguments,
}

/// Reads a tolerance.
fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(tolerance) if tolerance > 0.0 && tolerance < 1.0 => Ok(tolerance),
        Ok(_) | Err(_) => Err("a tolerance is a number between 0 and 1".to_owned()),
    }
}

/// Checks derivatives and tells what came of it.
pub fn gradcheck(arguments: &GradcheckArguments) -> Ending {
    let console = Arc::new(Console::new(Form::Text, Notation::Shortest, arguments.program.style(), None));
    let memory = arguments.max_memory.or_else(memory::default_limit);
    Watchdog::start(&Limits { memory, ..Limits::default() }, &console, &Unfinished::default());
    let question = match question(arguments) {
        Ok(question) => question,
        Err((diagnostics, sources)) => return console.conclude(Conclusion::new(&diagnostics, &sources, None)),
    };
    match gradcheck::check(arguments.engine, &arguments.compiler.settings(), &question) {
        Ok(answer) => {
            let text = if arguments.json { object(arguments, &answer) } else { table(arguments, &answer) };
            match console.conclude_with_text(&text) {
                Ending::Success if answer.wrong(arguments.tolerance) > 0 => Ending::Failure,
                ending => ending,
            }
        }
        Err(Trouble::Program(diagnostics, sources) | Trouble::Operators(diagnostics, sources)) => {
            console.conclude(Conclusion::new(&diagnostics, &sources, None))
        }
        Err(Trouble::Compiler(error)) => {
            let sources = SourceMap::default();
            console.conclude(Conclusion { compiler: Some(&error), ..Conclusion::new(&[], &sources, None) })
        }
        Err(Trouble::Refused(refusal)) => refuse(&console, &format!("there are no differences: {refusal}")),
        Err(Trouble::Other(message)) => refuse(&console, &message),
    }
}

fn refuse(console: &Console, message: &str) -> Ending {
    let diagnostic = Diagnostic::new(Kind::Limit, None, message.to_owned());
    console.conclude(Conclusion::new(&[diagnostic], &SourceMap::default(), None))
}

/// The question; the program's text is read here, since expressions are put behind it.
fn question(arguments: &GradcheckArguments) -> Result<Question, (Vec<Diagnostic>, SourceMap)> {
    let input = arguments.program.input().map_err(|failure| (failure.diagnostics, failure.sources))?;
    let (name, bytes, folder) = match input {
        Input::Text { name, bytes, folder } => (name, bytes, folder),
        Input::Path(path) => {
            let mut bytes = Vec::new();
            // One byte more than is allowed tells that it is too much.
            let read = File::open(&path).and_then(|file| file.take(ALLOWED + 1).read_to_end(&mut bytes));
            read.map_err(|error| {
                let message = format!("{} cannot be read: {error}", path.display());
                (vec![Diagnostic::new(Kind::File, None, message)], SourceMap::default())
            })?;
            (path.display().to_string(), bytes, path.parent().map(Path::to_path_buf))
        }
        Input::Kept(_) => internal_bug!("a program that is named on the command line is a file or a text"),
    };
    let (function, point) = (arguments.function.clone(), arguments.at.clone());
    Ok(Question {
        name,
        bytes,
        folder,
        options: arguments.program.options(),
        function,
        point,
        time: arguments.timeout,
        // The whole process has a limit.
        memory: None,
    })
}

fn error_text(entry: &Entry) -> Option<String> {
    match entry.difference {
        Difference::Derivative { error, .. } => Some(format!("{error:.1e}")),
        Difference::Kink | Difference::NotFinite => None,
    }
}

fn table(arguments: &GradcheckArguments, answer: &Answer) -> String {
    let mut entries: Vec<&Entry> = answer.entries.iter().collect();
    if !arguments.all && entries.len() > MOST_LINES {
        let rank = |entry: &Entry| (entry.is_wrong(arguments.tolerance), entry.error());
        entries.sort_by(|a, b| rank(b).partial_cmp(&rank(a)).unwrap_or(std::cmp::Ordering::Equal));
        entries.truncate(MOST_LINES);
    }
    let row = |entry: &&Entry| {
        let verdict = if entry.is_wrong(arguments.tolerance) {
            "WRONG"
        } else if entry.is_ill_conditioned(arguments.tolerance) {
            "rounding"
        } else {
            ""
        };
        [
            entry.output.to_string(),
            entry.input.to_string(),
            number::format(entry.forward),
            number::format(entry.reverse),
            number::format(entry.checkpointed),
            entry.difference.text(),
            error_text(entry).unwrap_or_default(),
            verdict.to_owned(),
        ]
    };
    let heads = ["of", "by", "forward", "reverse", "checkpointed", "differences", "error", ""].map(str::to_owned);
    let rows: Vec<[String; 8]> = std::iter::once(heads).chain(entries.iter().map(row)).collect();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..8).map(width).collect();
    let mut text = format!("at {}: {}\n", answer.point, answer.value);
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:>width$}  ");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let (all, wrong) = (answer.entries.len(), answer.wrong(arguments.tolerance));
    if entries.len() < all {
        let _ = writeln!(text, "and {} with smaller errors", all - entries.len());
    }
    let unchecked =
        answer.entries.iter().filter(|entry| !matches!(entry.difference, Difference::Derivative { .. })).count();
    let noun = if all == 1 { "derivative" } else { "derivatives" };
    let _ = write!(text, "{all} {noun}, worst relative error {:.1e}", answer.worst());
    if unchecked > 0 {
        let _ = write!(text, ", {unchecked} without differences to compare with");
    }
    let ill = answer.entries.iter().filter(|entry| entry.is_ill_conditioned(arguments.tolerance)).count();
    if ill > 0 {
        let _ = write!(text, ", {ill} off by rounding");
    }
    let _ = writeln!(text, ": {}", if wrong == 0 { "all well".to_owned() } else { format!("{wrong} WRONG") });
    text
}

fn object(arguments: &GradcheckArguments, answer: &Answer) -> String {
    let entries: Vec<serde_json::Value> = answer
        .entries
        .iter()
        .map(|entry| {
            json!({
                "input": entry.input,
                "output": entry.output,
                "forward": number::format(entry.forward),
                "reverse": number::format(entry.reverse),
                "checkpointed": number::format(entry.checkpointed),
                "difference": entry.difference.text(),
                "error": error_text(entry),
                "rounding": entry.is_ill_conditioned(arguments.tolerance),
                "ok": !entry.is_wrong(arguments.tolerance),
            })
        })
        .collect();
    let object = json!({
        "point": answer.point,
        "value": answer.value,
        "entries": entries,
        "worst": format!("{:.1e}", answer.worst()),
        "wrong": answer.wrong(arguments.tolerance),
    });
    format!("{object}\n")
}
