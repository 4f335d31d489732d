//! `vlad gradcheck`: a table of the derivatives of a procedure at a point, by every mode and by difference quotients.

use crate::options::engine::{CompilerArguments, engines};
use crate::options::limits::{bytes, seconds};
use crate::options::operand::{self, ArraysArgument, no_datum, operand};
use crate::options::program::ProgramArguments;
use crate::output::conclusion::Conclusion;
use crate::output::console::{Console, Form};
use crate::process::exit::Exit;
use crate::process::memory;
use crate::run::watchdog::Watchdog;
use clap::Args;
use serde_json::json;
use std::cmp::Ordering;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use vlad_derivatives::gradcheck::claims::{self, Claim, Judgement};
use vlad_derivatives::gradcheck::{self, Answer, Counts, Difference, Entry, NoAnswer, Question, Tolerance, Verdict};
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::number::{self, Notation};

/// The default tolerance.
pub const DEFAULT_TOLERANCE: Tolerance = Tolerance::relative(1e-9);

/// The most lines of the table without `--all`.
const MOST_LINES: usize = 20;

/// The text behind the options in `vlad gradcheck --help`.
pub const HELP: &str = "\
F and X are one expression each. They are evaluated once, after the program, and can use its definitions. The point X and the value of F \
consist of reals, booleans, pairs and vectors. X may also be a JSON file, with a name that ends with .json (see `vlad derive --help`).

Each derivative is computed by j*, by *j, by checkpoint-*j and by a difference quotient. Quotients come from runs of the program on reals of 96 \
digits, and have 30 correct digits where the procedure is smooth. In these runs, operators inside the procedure are replaced by quotients as \
well. An error is relative to the derivative, or to a thousandth of the largest derivative if that is more.

A quotient is a derivative only in the limit of small steps. Where the quotients of three steps do not fit a smooth function, each side of the \
point is judged by four steps, each 64 times the next. If both sides have the same limit, it is the derivative: 0 for the square \
of (max x 0) at 0. If they have two limits, or grow like the reciprocal of the step, the point is a kink or a jump. If they grow more \
slowly, the slope is infinite.

Each derivative gets one of four verdicts:
  right            Its error is within the tolerance, or its distance from the quotient is within the absolute tolerance.
  wrong            Its error exceeds the tolerance, and rounding does not explain it. A derivative is also wrong if checkpoint-*j \
and *j differ in a bit, or if an intermediate real is too large for a double while the quotient is finite.
  ill-conditioned  Its error exceeds the tolerance and 1e-12, and rounding explains it. This is tested by relative errors of at most 2^-45 in \
the results of the program's operations and in the derivatives of their operands: the quotient must change by at least half the error. The \
derivative of an operation itself counts as exact. So a program with cancelling terms is ill-conditioned, and (tanh x) at 19 is not.
  not compared     No derivative exists, or none is known. The slopes of the two sides differ or the value jumps (kink), a slope is infinite or \
not a number (not finite), or 96 digits and these steps do not decide (imprecise).
The last line is \"all well\" if all derivatives are right. Otherwise it counts the verdicts.

With --against, the numbers of FILE.json are compared with the quotients instead of those of the engine, each under its path. The file has the \
form of `vlad derive --json`: an object with some of the members value, gradient, jacobian and hessian. Without an object, it holds the \
gradient if the value is a real, and else the Jacobian. The object may also name the point. Other members of the object of `vlad derive` \
are ignored. Any other member, and numbers in another shape, are errors.

With --json one object is printed:
  {\"point\": TEXT, \"value\": TEXT,
   \"entries\": [{\"input\": I, \"output\": O, \"forward\": REAL, \"reverse\": REAL, \"checkpointed\": REAL,
     \"difference\": REAL or null, \"error\": REAL or null, \"verdict\": \"right\" or \"wrong\" or
     \"ill-conditioned\" or \"not compared\", \"reason\": null or \"kink\" or \"not finite\" or
     \"imprecise\" or \"out of range\"}, ...],
   \"worst\": REAL or null, \"derivatives\": N, \"right\": N, \"wrong\": N, \"ill_conditioned\": N,
   \"not_compared\": N}
With --against, entries has an object for each number of the file, with \"quantity\", \"path\" and \"claimed\" in place of \
input, output and checkpointed. \
REAL is a number, or one of the texts \"+inf.0\", \"-inf.0\" and \"+nan.0\". Difference and error are null if the derivative was not \
compared, and worst is null if none was. The reason \"out of range\" marks a wrong derivative with an intermediate real that is not a finite double.

The exit code is 1 if a derivative is wrong or there is no answer; with --strict, also if a derivative is not right.";

/// The arguments of `vlad gradcheck`.
#[derive(Debug, Args)]
pub struct GradcheckArguments {
    /// The program.
    #[command(flatten)]
    program: ProgramArguments,
    /// The procedure F: a name or an expression
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    function: String,
    /// The point X: an expression or a JSON file
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    at: String,
    /// Compare the numbers of this JSON file, made by another tool, with the difference quotients
    #[arg(long, value_name = "FILE.json")]
    against: Option<PathBuf>,
    /// Read JSON arrays that no pattern takes apart as vectors or as lists
    #[arg(long, value_name = "STRUCTURE", default_value = "vectors")]
    arrays: ArraysArgument,
    /// Accept derivatives up to this relative error
    #[arg(long, value_name = "T", default_value_t = DEFAULT_TOLERANCE.relative, value_parser = tolerance)]
    tolerance: f64,
    /// Accept derivatives up to this distance from the quotient, with any relative error
    #[arg(long, value_name = "A", default_value_t = DEFAULT_TOLERANCE.absolute, value_parser = distance)]
    absolute_tolerance: f64,
    /// Run the operators on this engine
    #[arg(long, value_name = "ENGINE", default_value = "hybrid", value_parser = engines())]
    engine: Engine,
    /// Show every derivative, not only the worst 20
    #[arg(long)]
    all: bool,
    /// Fail unless all derivatives are right
    #[arg(long)]
    strict: bool,
    /// Print one JSON object instead of the table
    #[arg(long)]
    json: bool,
    /// Limit each run of the engine, and the computation of the quotients, to this time
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    timeout: Duration,
    /// Fail when the process uses more memory: bytes, or a number with K, M or G.
    ///
    /// The default is a quarter of the machine's memory, or 1G if that is more, as far as it is available.
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

/// Parses a distance.
fn distance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(distance) if distance >= 0.0 && f64::is_finite(distance) => Ok(distance),
        Ok(_) | Err(_) => Err("a distance is a number that is not negative".to_owned()),
    }
}

impl GradcheckArguments {
    /// The lines of the table.
    fn lines(&self) -> Lines {
        if self.all { Lines::All } else { Lines::Worst }
    }

    /// The errors up to which a derivative is right.
    fn tolerance(&self) -> Tolerance {
        Tolerance { relative: self.tolerance, absolute: self.absolute_tolerance }
    }
}

/// Checks derivatives and reports the result.
pub fn gradcheck(arguments: &GradcheckArguments, languages: Languages) -> Exit {
    let console = Arc::new(Console::new(Form::Text, Notation::Shortest, arguments.program.style(), None));
    let memory = arguments.max_memory.or_else(memory::default_limit);
    Watchdog::start(&Limits { memory, ..Limits::default() }, &console);
    let read = question(arguments, languages).and_then(|question| {
        let claims = arguments.against.as_deref().map(operand::json).transpose()?;
        Ok((question, claims))
    });
    let (question, claims) = match read {
        Ok(read) => read,
        Err(Failure { diagnostics, sources }) => {
            return console.conclude(Conclusion::new(&diagnostics, &sources, None));
        }
    };
    let settings = arguments.compiler.settings();
    let told = match &claims {
        None => gradcheck::check(arguments.engine, &settings, &question).map(|answer| {
            let text = if arguments.json {
                object(arguments, &answer)
            } else {
                table(&answer, arguments.tolerance(), arguments.lines())
            };
            (text, answer.counts(arguments.tolerance()))
        }),
        Some(claims) => claims::judge(arguments.engine, &settings, &question, claims).map(|judgement| {
            let text = match arguments.json {
                true => claims_object(arguments, &judgement),
                false => claims_table(arguments, &judgement),
            };
            (text, claims_counts(arguments, &judgement))
        }),
    };
    match told {
        Ok((text, counts)) => match console.conclude_with_text(&text) {
            Exit::Success if counts.wrong > 0 || (arguments.strict && counts.not_right() > 0) => Exit::Failure,
            ending => ending,
        },
        Err(NoAnswer::Program(diagnostics, sources) | NoAnswer::Operators(diagnostics, sources)) => {
            console.conclude(Conclusion::new(&diagnostics, &sources, None))
        }
        Err(NoAnswer::Compiler(error)) => {
            let sources = SourceMap::default();
            console.conclude(Conclusion { compiler: Some(&error), ..Conclusion::new(&[], &sources, None) })
        }
        Err(NoAnswer::Refused(refusal)) => refuse(&console, &format!("there are no difference quotients: {refusal}")),
        Err(NoAnswer::Point(wrong)) => console.fail(no_datum("--at", &wrong)),
        Err(NoAnswer::Claims(message)) => console.fail(Diagnostic::new(Kind::Conformance, None, message)),
        Err(NoAnswer::Other(message)) => refuse(&console, &message),
    }
}

fn refuse(console: &Console, message: &str) -> Exit {
    let diagnostic = Diagnostic::new(Kind::Limit, None, message.to_owned());
    console.fail(diagnostic)
}

/// Returns the question; the program's text is read here, once for all programs that are made of it.
fn question(arguments: &GradcheckArguments, languages: Languages) -> Result<Question, Failure> {
    Ok(Question {
        program: arguments.program.whole_input()?,
        options: arguments.program.options(languages),
        function: arguments.function.clone(),
        point: operand(&arguments.at, arguments.arrays)?,
        typed: None,
        time: arguments.timeout,
        // The process as a whole has a memory limit.
        memory: None,
    })
}

/// The lines of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lines {
    /// One for each row.
    All,
    /// Those of the worst rows.
    Worst,
}

/// The rows of a table, the worst ones if there are many.
fn worst_first<T>(lines: Lines, rows: &[T], rank: impl Fn(&T) -> (Verdict, Option<f64>)) -> Vec<&T> {
    let mut rows: Vec<&T> = rows.iter().collect();
    if lines == Lines::Worst && rows.len() > MOST_LINES {
        rows.sort_by(|a, b| rank(b).partial_cmp(&rank(a)).unwrap_or(Ordering::Equal));
        rows.truncate(MOST_LINES);
    }
    rows
}

/// Returns the table of an answer.
pub fn table(answer: &Answer, tolerance: Tolerance, lines: Lines) -> String {
    let rank = |entry: &Entry| (entry.verdict(tolerance), entry.error());
    let entries = worst_first(lines, &answer.entries, rank);
    let row = |entry: &&Entry| {
        [
            entry.output.to_string(),
            entry.input.to_string(),
            number::format(entry.forward),
            number::format(entry.reverse),
            number::format(entry.checkpointed),
            entry.difference.text(),
            shown_error(entry),
            shown_verdict(entry.verdict(tolerance)).to_owned(),
        ]
    };
    let heads = ["of", "by", "forward", "reverse", "checkpointed", "differences", "error", ""].map(str::to_owned);
    let rows: Vec<[String; 8]> = std::iter::once(heads).chain(entries.iter().map(row)).collect();
    let text = format!("at {}: {}\n{}", answer.point, answer.value, laid_out(&rows));
    let counted = Counted { rows: entries.len(), all: answer.entries.len(), noun: ["derivative", "derivatives"] };
    text + &counted.summary(answer.worst(), &answer.counts(tolerance))
}

fn claims_table(arguments: &GradcheckArguments, judgement: &Judgement) -> String {
    let tolerance = arguments.tolerance();
    let rank = |claim: &Claim| (claim.verdict(tolerance), claim.entry.error());
    let claims = worst_first(arguments.lines(), &judgement.claims, rank);
    let row = |claim: &&Claim| {
        [
            format!("{}{}", claim.quantity.name(), claim.path),
            claim.entry.claimed.map(number::format).unwrap_or_default(),
            number::format(claim.entry.reverse),
            claim.entry.difference.text(),
            shown_error(&claim.entry),
            shown_verdict(claim.verdict(tolerance)).to_owned(),
        ]
    };
    let heads = ["number", "claimed", "vlad", "differences", "error", ""].map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(heads).chain(claims.iter().map(row)).collect();
    let text = format!("at {}: {}\n{}", judgement.point, judgement.value, laid_out(&rows));
    let counted = Counted { rows: claims.len(), all: judgement.claims.len(), noun: ["number", "numbers"] };
    text + &counted.summary(worst_claim(judgement), &claims_counts(arguments, judgement))
}

/// The largest relative error of the claims that were compared.
fn worst_claim(judgement: &Judgement) -> Option<f64> {
    judgement.claims.iter().filter_map(|claim| claim.entry.error()).reduce(f64::max)
}

fn claims_counts(arguments: &GradcheckArguments, judgement: &Judgement) -> Counts {
    Counts::of(judgement.claims.iter().map(|claim| claim.verdict(arguments.tolerance())))
}

fn shown_error(entry: &Entry) -> String {
    entry.error().map(|error| format!("{error:.1e}")).unwrap_or_default()
}

fn shown_verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Right => "",
        Verdict::Wrong => "WRONG",
        Verdict::WrongBeyondRange => "WRONG, out of range",
        verdict @ (Verdict::NotCompared(_) | Verdict::IllConditioned) => verdict.text(),
    }
}

/// The rows of a table as lines, with columns of one width.
fn laid_out<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..COLUMNS).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            // Writing to a string cannot fail.
            let _ = write!(line, "{cell:>width$}  ");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// The rows that are shown, all that there are, and the noun for one and for several.
struct Counted {
    rows: usize,
    all: usize,
    noun: [&'static str; 2],
}

impl Counted {
    /// The lines below a table.
    fn summary(&self, worst: Option<f64>, counts: &Counts) -> String {
        let mut text = String::new();
        if self.rows < self.all {
            let _ = writeln!(text, "and {} that are no worse", self.all - self.rows);
        }
        let [one, several] = self.noun;
        let _ = write!(text, "{} {}", self.all, if self.all == 1 { one } else { several });
        if let Some(worst) = worst {
            let _ = write!(text, ", worst relative error {worst:.1e}");
        }
        let _ = writeln!(text, ": {}", conclusion(counts));
        text
    }
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

/// The reason for a verdict, if it has one.
fn reason(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::NotCompared(reason) => Some(reason.text()),
        Verdict::WrongBeyondRange => Some("out of range"),
        Verdict::Right | Verdict::IllConditioned | Verdict::Wrong => None,
    }
}

/// The derivative by differences, if there is one.
fn quotient(entry: &Entry) -> Option<serde_json::Value> {
    match entry.difference {
        Difference::Derivative(found) => Some(real(found.derivative)),
        Difference::Missing(_) => None,
    }
}

fn object(arguments: &GradcheckArguments, answer: &Answer) -> String {
    let entry = |entry: &Entry| {
        let verdict = entry.verdict(arguments.tolerance());
        json!({
            "input": entry.input,
            "output": entry.output,
            "forward": real(entry.forward),
            "reverse": real(entry.reverse),
            "checkpointed": real(entry.checkpointed),
            "difference": quotient(entry),
            "error": entry.error().map(real),
            "verdict": verdict.text(),
            "reason": reason(verdict),
        })
    };
    let entries = answer.entries.iter().map(entry).collect();
    whole_object([&answer.point, &answer.value], entries, answer.worst(), &answer.counts(arguments.tolerance()))
}

fn claims_object(arguments: &GradcheckArguments, judgement: &Judgement) -> String {
    let claim = |claim: &Claim| {
        let verdict = claim.verdict(arguments.tolerance());
        json!({
            "quantity": claim.quantity.name(),
            "path": claim.path,
            "claimed": claim.entry.claimed.map(real),
            "forward": real(claim.entry.forward),
            "reverse": real(claim.entry.reverse),
            "difference": quotient(&claim.entry),
            "error": claim.entry.error().map(real),
            "verdict": verdict.text(),
            "reason": reason(verdict),
        })
    };
    let entries = judgement.claims.iter().map(claim).collect();
    let counts = claims_counts(arguments, judgement);
    whole_object([&judgement.point, &judgement.value], entries, worst_claim(judgement), &counts)
}

fn whole_object(
    [point, value]: [&String; 2],
    entries: Vec<serde_json::Value>,
    worst: Option<f64>,
    counts: &Counts,
) -> String {
    let object = json!({
        "point": point,
        "value": value,
        "derivatives": entries.len(),
        "entries": entries,
        "worst": worst.map(real),
        "right": counts.right,
        "wrong": counts.wrong,
        "ill_conditioned": counts.ill_conditioned,
        "not_compared": counts.not_compared,
    });
    format!("{object}\n")
}
