//! `vlad gradcheck`: a table of the derivatives of a procedure at a point, by every mode and by difference quotients.

use crate::conclusion::Conclusion;
use crate::console::{Console, Form};
use crate::engine_selection::{CompilerArguments, engines};
use crate::exit::Exit;
use crate::limits::{bytes, seconds};
use crate::memory;
use crate::options::ProgramArguments;
use crate::watchdog::Watchdog;
use clap::Args;
use serde_json::json;
use std::cmp::Ordering;
use std::fmt::Write;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use std::time::Duration;
use vlad_conformance::gradcheck::{self, Answer, Counts, Difference, Entry, NoAnswer, Question, Verdict};
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::source::{MOST_BYTES, SourceMap};
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::Input;
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::number::{self, Notation};

/// The default tolerance: the relative error up to which a derivative counts as right.
pub const DEFAULT_TOLERANCE: f64 = 1e-9;

/// The most lines of the table without `--all`.
const MOST_LINES: usize = 20;

/// The text behind the options in `vlad gradcheck --help`.
pub const HELP: &str = "\
F and X are one expression each, which is evaluated once, behind the program; they see all that it defines. The point and the \
value are made of reals, booleans, pairs and vectors. Each derivative is found by j*, by *j, by checkpoint-*j, and by a \
difference quotient of the program run on reals of 96 digits, good to 30 digits where the procedure is smooth; operators inside \
of the procedure are replaced by difference quotients there, too. An error is relative to the derivative, or to a thousandth of the largest one if \
that is more.

Each derivative has one of four verdicts:
  right            its error is within the tolerance
  wrong            its error is not, and rounding does not explain it; or checkpoint-*j does not agree with *j to the bit. A derivative is wrong, too, where \
a real on the way is too large for a double, and the quotient is a finite number
  ill-conditioned  its error is not, but it is over 1e-12 and rounding explains it: the quotient changes by at least half \
the error when reals of the program have relative errors of at most 2^-45
  not compared     there is no quotient to compare it with: those on the two sides of the point are not the same (kink), one is \
no finite number (not finite), or 96 digits are too few (imprecise)
The last line is \"all well\" if all derivatives are right; otherwise it counts the verdicts.

With --json one object is printed:
  {\"point\": TEXT, \"value\": TEXT,
   \"entries\": [{\"input\": I, \"output\": O, \"forward\": REAL, \"reverse\": REAL, \"checkpointed\": REAL,
     \"difference\": REAL or null, \"error\": REAL or null, \"verdict\": \"right\" or \"wrong\" or
     \"ill-conditioned\" or \"not compared\", \"reason\": null or \"kink\" or \"not finite\" or
     \"imprecise\" or \"out of range\"}, ...],
   \"worst\": REAL or null, \"derivatives\": N, \"right\": N, \"wrong\": N, \"ill_conditioned\": N,
   \"not_compared\": N}
REAL is a number, or one of the texts \"+inf.0\", \"-inf.0\" and \"+nan.0\". Difference and error are null if the derivative was not \
compared, and worst is if none was. The reason \"out of range\" is that of a wrong derivative next to a real that is no finite double.

Exit code 1 says that a derivative is wrong - with --strict, that one is not right - or that there is no answer.";

/// The arguments of `vlad gradcheck`.
#[derive(Debug, Args)]
pub struct GradcheckArguments {
    /// The program.
    #[command(flatten)]
    program: ProgramArguments,
    /// The procedure: its name, or an expression
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    function: String,
    /// The point: an expression
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    at: String,
    /// The relative error up to which a derivative is right
    #[arg(long, value_name = "T", default_value_t = DEFAULT_TOLERANCE, value_parser = tolerance)]
    tolerance: f64,
    /// The engine that runs the operators
    #[arg(long, value_name = "ENGINE", default_value = "hybrid", value_parser = engines())]
    engine: Engine,
    /// Show every derivative, not only the 20 that are worst
    #[arg(long)]
    all: bool,
    /// Fail also if a derivative is ill-conditioned or was not compared
    #[arg(long)]
    strict: bool,
    /// Print one JSON object instead of the table
    #[arg(long)]
    json: bool,
    /// The time limit of each run of the engine, and of the difference quotients
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Duration,
    /// Fail when the process takes more memory: bytes, or a number with K, M or G; if not given, a quarter of the
    /// machine's memory, but at least 1G, if that is available
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_memory: Option<u64>,
    /// The options for compiling programs.
    #[command(flatten)]
    compiler: CompilerArguments,
}

/// Parses a tolerance.
fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(tolerance) if tolerance > 0.0 && tolerance < 1.0 => Ok(tolerance),
        Ok(_) | Err(_) => Err("a tolerance is a number between 0 and 1".to_owned()),
    }
}

/// Checks derivatives and reports the result.
pub fn gradcheck(arguments: &GradcheckArguments, languages: Languages) -> Exit {
    let console = Arc::new(Console::new(Form::Text, Notation::Shortest, arguments.program.style(), None));
    let memory = arguments.max_memory.or_else(memory::default_limit);
    Watchdog::start(&Limits { memory, ..Limits::default() }, &console);
    let question = match question(arguments, languages) {
        Ok(question) => question,
        Err((diagnostics, sources)) => return console.conclude(Conclusion::new(&diagnostics, &sources, None)),
    };
    match gradcheck::check(arguments.engine, &arguments.compiler.settings(), &question) {
        Ok(answer) => {
            let lines = if arguments.all { Lines::All } else { Lines::Worst };
            let text =
                if arguments.json { object(arguments, &answer) } else { table(&answer, arguments.tolerance, lines) };
            match console.conclude_with_text(&text) {
                Exit::Success if fails(arguments, &answer) => Exit::Failure,
                ending => ending,
            }
        }
        Err(NoAnswer::Program(diagnostics, sources) | NoAnswer::Operators(diagnostics, sources)) => {
            console.conclude(Conclusion::new(&diagnostics, &sources, None))
        }
        Err(NoAnswer::Compiler(error)) => {
            let sources = SourceMap::default();
            console.conclude(Conclusion { compiler: Some(&error), ..Conclusion::new(&[], &sources, None) })
        }
        Err(NoAnswer::Refused(refusal)) => refuse(&console, &format!("there are no difference quotients: {refusal}")),
        Err(NoAnswer::Other(message)) => refuse(&console, &message),
    }
}

/// Returns true if the command fails with this answer.
fn fails(arguments: &GradcheckArguments, answer: &Answer) -> bool {
    let counts = answer.counts(arguments.tolerance);
    counts.wrong > 0 || (arguments.strict && counts.not_right() > 0)
}

fn refuse(console: &Console, message: &str) -> Exit {
    let diagnostic = Diagnostic::new(Kind::Limit, None, message.to_owned());
    console.fail(diagnostic)
}

/// Returns the question; the program's text is read here, once for all programs that are made of it.
fn question(arguments: &GradcheckArguments, languages: Languages) -> Result<Question, (Vec<Diagnostic>, SourceMap)> {
    let input = arguments.program.input().map_err(|failure| (failure.diagnostics, failure.sources))?;
    let program = match input {
        Input::Path(path) => {
            let mut bytes = Vec::new();
            // One byte beyond the limit is read: if it is there, the text is too long.
            let read = File::open(&path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
            read.map_err(|error| {
                let message = format!("{} cannot be read: {error}", path.display());
                (vec![Diagnostic::new(Kind::File, None, message)], SourceMap::default())
            })?;
            Input::Read { path, bytes }
        }
        read @ (Input::Text { .. } | Input::Read { .. } | Input::Kept(_)) => read,
    };
    let (function, point) = (arguments.function.clone(), arguments.at.clone());
    Ok(Question {
        program,
        options: arguments.program.options(languages),
        function,
        point,
        time: arguments.timeout,
        // The process as a whole has a memory limit.
        memory: None,
    })
}

/// The lines of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// One for each derivative.
    All,
    /// Those of the worst derivatives.
    Worst,
}

/// Returns the table of an answer.
pub fn table(answer: &Answer, tolerance: f64, lines: Lines) -> String {
    let mut entries: Vec<&Entry> = answer.entries.iter().collect();
    if lines == Lines::Worst && entries.len() > MOST_LINES {
        let rank = |entry: &Entry| (entry.verdict(tolerance), entry.error());
        entries.sort_by(|a, b| rank(b).partial_cmp(&rank(a)).unwrap_or(Ordering::Equal));
        entries.truncate(MOST_LINES);
    }
    let row = |entry: &&Entry| {
        let verdict = match entry.verdict(tolerance) {
            Verdict::Right => "",
            Verdict::Wrong => "WRONG",
            Verdict::WrongBeyondRange => "WRONG, out of range",
            verdict @ (Verdict::NotCompared(_) | Verdict::IllConditioned) => verdict.text(),
        };
        [
            entry.output.to_string(),
            entry.input.to_string(),
            number::format(entry.forward),
            number::format(entry.reverse),
            number::format(entry.checkpointed),
            entry.difference.text(),
            entry.error().map(|error| format!("{error:.1e}")).unwrap_or_default(),
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
    let all = answer.entries.len();
    if entries.len() < all {
        let _ = writeln!(text, "and {} that are no worse", all - entries.len());
    }
    let noun = if all == 1 { "derivative" } else { "derivatives" };
    let _ = write!(text, "{all} {noun}");
    if let Some(worst) = answer.worst() {
        let _ = write!(text, ", worst relative error {worst:.1e}");
    }
    let _ = writeln!(text, ": {}", conclusion(&answer.counts(tolerance)));
    text
}

/// Returns the verdicts in a few words.
fn conclusion(counts: &Counts) -> String {
    if counts.not_right() == 0 {
        return "all well".to_owned();
    }
    let counted = [
        (counts.wrong, "WRONG"),
        (counts.ill_conditioned, "ill-conditioned"),
        (counts.not_compared, "not compared"),
        (counts.right, "right"),
    ];
    let words: Vec<String> =
        counted.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    words.join(", ")
}

/// Returns a real as a number, or as a text if JSON has no number for it.
fn real(real: f64) -> serde_json::Value {
    if real.is_finite() { json!(real) } else { json!(number::format(real)) }
}

fn object(arguments: &GradcheckArguments, answer: &Answer) -> String {
    let entries: Vec<serde_json::Value> = answer
        .entries
        .iter()
        .map(|entry| {
            let verdict = entry.verdict(arguments.tolerance);
            let reason = match verdict {
                Verdict::NotCompared(reason) => Some(reason.text()),
                Verdict::WrongBeyondRange => Some("out of range"),
                Verdict::Right | Verdict::IllConditioned | Verdict::Wrong => None,
            };
            let difference = match entry.difference {
                Difference::Derivative(found) => Some(real(found.derivative)),
                Difference::Missing(_) => None,
            };
            json!({
                "input": entry.input,
                "output": entry.output,
                "forward": real(entry.forward),
                "reverse": real(entry.reverse),
                "checkpointed": real(entry.checkpointed),
                "difference": difference,
                "error": entry.error().map(real),
                "verdict": verdict.text(),
                "reason": reason,
            })
        })
        .collect();
    let counts = answer.counts(arguments.tolerance);
    let object = json!({
        "point": answer.point,
        "value": answer.value,
        "entries": entries,
        "worst": answer.worst().map(real),
        "derivatives": answer.entries.len(),
        "right": counts.right,
        "wrong": counts.wrong,
        "ill_conditioned": counts.ill_conditioned,
        "not_compared": counts.not_compared,
    });
    format!("{object}\n")
}
