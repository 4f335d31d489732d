//! `vlad derive`: the derivatives of a procedure at a point as data, for people and for other tools.

use crate::commands::inspection;
use crate::options::engine::{CompilerArguments, engines};
use crate::options::limits::LimitArguments;
use crate::options::operand::{ArraysArgument, no_datum, operand};
use crate::options::program::{NumberSource, ProgramArguments};
use crate::output::conclusion::Conclusion;
use crate::output::console::{Console, Form};
use crate::process::exit::Exit;
use crate::run::engines::CompilationLimits;
use clap::{Args, ValueEnum};
use std::io;
use std::time::Instant;
use vlad_derivatives::appended::data;
use vlad_derivatives::appended::{NoValues, Numbers};
use vlad_derivatives::derive::{self, Derived, HIGHEST_ORDER, Mode, NoDerivative, Quantity, Question};
use vlad_engines::{Engine, Settings};
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::runtime::run::Limits;

/// The text behind the options in `vlad derive --help`.
pub const HELP: &str = "\
F and X are one expression each. They are evaluated once, after the program, and can use its definitions. The output of the program is \
not shown.

X may also be a JSON file, with a name that ends with .json. It holds numbers, booleans and nested arrays. An array becomes a tuple \
where the pattern of F takes its operand apart. Elsewhere it becomes a vector, or a list with --arrays lists. In F-smooth, types tell \
arrays from pairs.

A gradient has the shape of X. A Jacobian has the shape of the value, with data of the shape of X in place of each real. A \
Hessian is a Jacobian in which data of the shape of X replace each real once more. Taylor coefficients are a list that begins with order 0.

With --json one object is printed:
  {\"function\": F, \"point\": DATA, \"value\": DATA, \"quantity\": NAME, \"mode\": \"forward\" or \"reverse\" or
   \"checkpoint\" or \"forward over reverse\", \"engine\": ENGINE, NAME: DATA}
NAME is \"gradient\", \"jacobian\", \"hessian\" or \"taylor\". DATA are numbers, booleans and nested arrays, which stand for lists, \
vectors and pairs. A number has as few digits as reproduce it exactly. Numbers that are not finite are the texts \"+inf.0\", \"-inf.0\" and \
\"+nan.0\".";

/// The arguments of `vlad derive`.
#[derive(Debug, Args)]
pub struct DeriveArguments {
    /// The program.
    #[command(flatten)]
    program: ProgramArguments,
    /// The procedure F: a name or an expression
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    function: String,
    /// The point X: an expression or a JSON file
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    at: String,
    /// The quantity.
    #[command(flatten)]
    quantity: QuantityArguments,
    /// Take Taylor coefficients in this direction: an expression or a JSON file (default: 1)
    #[arg(long, value_name = "X'", allow_hyphen_values = true, requires = "taylor")]
    along: Option<String>,
    /// Choose the mode (default: the one with the fewest applications of operators).
    ///
    /// The default for Hessians is forward over reverse, and for Taylor coefficients forward.
    #[arg(long, value_name = "MODE")]
    mode: Option<ModeArgument>,
    /// Read JSON arrays that no pattern takes apart as vectors or as lists
    #[arg(long, value_name = "STRUCTURE", default_value = "vectors")]
    arrays: ArraysArgument,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Run the program and the operators on this engine
    #[arg(long, value_name = "ENGINE", default_value = "hybrid", value_parser = engines())]
    engine: Engine,
    /// The limits on memory, time and output.
    #[command(flatten)]
    limits: LimitArguments,
    /// The options for compiling programs.
    #[command(flatten)]
    compiler: CompilerArguments,
}

/// The choice of a quantity.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct QuantityArguments {
    /// Compute the gradient: the default if the value of F is a real
    #[arg(long)]
    gradient: bool,
    /// Compute the Jacobian: the default for other values
    #[arg(long)]
    jacobian: bool,
    /// Compute the Hessian: the second derivatives of each real of the value
    #[arg(long)]
    hessian: bool,
    /// Compute the Taylor coefficients of orders up to N; the time doubles with each order
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(HIGHEST_ORDER)))]
    taylor: Option<u32>,
}

/// The modes, as an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ModeArgument {
    /// By j*
    Forward,
    /// By *j
    Reverse,
    /// By checkpoint-*j
    Checkpoint,
}

impl ModeArgument {
    fn mode(self) -> Mode {
        match self {
            ModeArgument::Forward => Mode::Forward,
            ModeArgument::Reverse => Mode::Reverse,
            ModeArgument::Checkpoint => Mode::Checkpoint,
        }
    }
}

impl QuantityArguments {
    fn quantity(&self) -> Option<Quantity> {
        let asked_for = [
            (self.gradient, Quantity::Gradient),
            (self.jacobian, Quantity::Jacobian),
            (self.hessian, Quantity::Hessian),
        ];
        let simple = asked_for.into_iter().find_map(|(is_asked_for, quantity)| is_asked_for.then_some(quantity));
        simple.or_else(|| self.taylor.map(Quantity::Taylor))
    }
}

/// Computes derivatives and prints them.
pub fn derive(arguments: &DeriveArguments, languages: Languages) -> Exit {
    let console = inspection::console(Form::Text, &arguments.program, &arguments.limits);
    let question = match question(arguments, languages) {
        Ok(question) => question,
        Err(Failure { diagnostics, sources }) => {
            return console.conclude(Conclusion::new(&diagnostics, &sources, None));
        }
    };
    let on = (arguments.engine, &settings(&arguments.program, &arguments.limits, &arguments.compiler));
    match derive::derive(on, &question, &mut numbers(&arguments.program)) {
        Ok(derived) => {
            console.conclude_with_text(&if arguments.json { object(arguments, &derived) } else { text(&derived) })
        }
        Err(NoDerivative::Refused(message)) => console.fail(Diagnostic::new(Kind::Limit, None, message)),
        Err(NoDerivative::Values(trouble)) => without_values(&console, trouble),
    }
}

/// The settings for compiling a program under its limits.
pub fn settings(program: &ProgramArguments, limits: &LimitArguments, compiler: &CompilerArguments) -> Settings {
    let trust = program.reading.trust();
    let deadline = limits.bounds(trust).time.and_then(|time| Instant::now().checked_add(time));
    CompilationLimits { deadline, memory: limits.of_compilers(trust), trust }.settings(compiler)
}

/// The numbers that the program reads.
pub fn numbers(program: &ProgramArguments) -> Numbers {
    match program.number_source() {
        NumberSource::StandardInput => Numbers::of(Box::new(io::stdin().lock())),
        NumberSource::Nowhere => Numbers::none(),
    }
}

/// Reports why expressions behind a program have no values.
pub fn without_values(console: &Console, trouble: NoValues) -> Exit {
    match trouble {
        NoValues::Program(diagnostics, sources) => console.conclude(Conclusion::new(&diagnostics, &sources, None)),
        NoValues::Compiler(error) => {
            let sources = SourceMap::default();
            console.conclude(Conclusion { compiler: Some(&error), ..Conclusion::new(&[], &sources, None) })
        }
        NoValues::NoData => {
            let message = "operands and values are made of reals, booleans, pairs and vectors, and nothing else";
            console.fail(Diagnostic::new(Kind::Type, None, message))
        }
        NoValues::Operand(name, wrong) => console.fail(no_datum(&name, &wrong)),
    }
}

fn question(arguments: &DeriveArguments, languages: Languages) -> Result<Question, Failure> {
    let trust = arguments.program.reading.trust();
    let time = arguments.limits.bounds(trust).time;
    Ok(Question {
        program: arguments.program.whole_input()?,
        options: arguments.program.options(languages),
        function: arguments.function.clone(),
        point: operand(&arguments.at, arguments.arrays)?,
        along: arguments.along.as_ref().map(|along| operand(along, arguments.arrays)).transpose()?,
        quantity: arguments.quantity.quantity(),
        mode: arguments.mode.map(ModeArgument::mode),
        // The process as a whole has a memory limit.
        limits: Limits { time, ..Limits::default() },
    })
}

fn text(derived: &Derived) -> String {
    let Derived { point, value, quantity, mode, derivative, pairs: _ } = derived;
    let [point, value, derivative] = [point, value, derivative].map(|datum| datum.text(data::Form::Vlad));
    format!("at {point}: {value}\n{}, {}: {derivative}\n", quantity.name(), mode.name())
}

fn object(arguments: &DeriveArguments, derived: &Derived) -> String {
    let Derived { point, value, quantity, mode, derivative, pairs } = derived;
    let in_json = |datum: &data::Datum| datum.for_json(*pairs).text(data::Form::Json);
    let [point, value, derivative] = [point, value, derivative].map(in_json);
    let (function, name) = (serde_json::json!(arguments.function), quantity.name());
    format!(
        "{{\"function\":{function},\"point\":{point},\"value\":{value},\"quantity\":\"{name}\",\"mode\":\"{}\",\"engine\":\"{}\",\
         \"{name}\":{derivative}}}\n",
        mode.name(),
        arguments.engine.name(),
    )
}
