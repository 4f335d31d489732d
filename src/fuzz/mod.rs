//! `vlad fuzz`: random programs on several engines, which have to agree about each.
//!
//! The work is done by other processes of the same command ([`worker`]), which [`supervisor`] starts, listens to, and
//! replaces when one breaks down: then the case at which it did is the finding. What is found is told by [`told`].

mod supervisor;
mod told;
mod trial;
mod worker;

use crate::choice::{self, CompilerArguments, engines};
use crate::console::{Conclusion, Console, Form};
use crate::ending::Ending;
use crate::limits::seconds;
use crate::watchdog::Watchdog;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use trial::Outcome;
use vlad_compiler::cache::CachePolicy;
use vlad_compiler::toolchain::{Optimisation, ToolchainError};
use vlad_conformance::engine::{Engine, Settings};
use vlad_conformance::random::campaign::{Mixture, Plan};
use vlad_conformance::random::{Dials, saved};
use vlad_shared::diagnostic::{Diagnostic, Kind};
use vlad_shared::print::Notation;
use vlad_shared::render::Style;
use vlad_shared::run::Limits;
use vlad_shared::source::SourceMap;

/// The number of cases if neither that nor a time is given.
const DEFAULT_CASES: u64 = 1000;

/// The arguments of `vlad fuzz`.
#[derive(Debug, Args)]
pub struct FuzzArguments {
    /// What the programs are made from: the same seed, the same programs, on every machine
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,
    /// How many programs; if not given, 1000, or as many as there is time for
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// The number of the first of them: with `--cases 1`, one program of a campaign again
    #[arg(long, value_name = "N", default_value = "0")]
    from: u64,
    /// Begin no more programs after so many minutes; fractions are allowed
    #[arg(long, value_name = "M", value_parser = minutes, allow_negative_numbers = true)]
    minutes: Option<Duration>,
    /// An engine to run on; may be repeated; if none is given, all that work here. The first in the order interp, hybrid,
    /// native is the one that the others are compared with
    #[arg(long, value_name = "ENGINE", value_parser = engines())]
    engine: Vec<Engine>,
    /// Which sort of programs
    #[arg(long, value_name = "KIND", default_value = "both")]
    kind: MixtureArgument,
    /// How large good programs are, in hundredths of the usual size
    #[arg(long, value_name = "K", default_value_t = Dials::default().size)]
    size: usize,
    /// How many operators of differentiation are written inside one another at most
    #[arg(long, value_name = "D", default_value_t = Dials::default().depth)]
    depth: usize,
    /// The number of programs in a hundred that have something long, wide or large: bodies of hundreds of bindings, dozens of
    /// parameters and operands, groups of a dozen procedures, capsules in capsules and the like
    #[arg(long, value_name = "P", default_value_t = Dials::default().shape, value_parser = percentage)]
    shape: usize,
    /// The number of programs in a hundred that are interrupted: run under a limit of steps that they do not keep, or suspended at
    /// random steps and gone on with by a random engine
    #[arg(long, value_name = "P", default_value_t = Dials::default().interruption, value_parser = percentage)]
    interruption: usize,
    /// Write each finding to a file in this folder: a program that says what is expected of it, or how to
    /// see it
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Run the program of a finding again over which a process broke down, with the limit and the suspensions that it had;
    /// the other options are those of this command, and the comments of the program give the ones that it was found with
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cases", "from", "minutes", "output", "coverage", "json"])]
    case: Option<PathBuf>,
    /// How many processes run programs at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    jobs: NonZeroUsize,
    /// How hard the C compiler tries: it takes most of the time
    #[arg(long, value_name = "HOW", default_value = "least")]
    optimise: OptimiseArgument,
    /// Compile one program in N only, and those that reach what none before them reached
    #[arg(long, value_name = "N", default_value = "1")]
    compile_one_in: NonZeroU64,
    /// Print the tables of what was reached
    #[arg(long)]
    coverage: bool,
    /// Print one JSON object instead of the text
    #[arg(long)]
    json: bool,
    /// How programs are compiled.
    #[command(flatten)]
    compiler: CompilerArguments,
    /// Be the process that does the work.
    #[arg(long, hide = true)]
    worker: bool,
}

/// Which sort of programs, as an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MixtureArgument {
    /// Well-typed ones over the whole language, one in eight of them spoilt in one place
    Good,
    /// Ill-typed and malformed ones, and texts that are no programs
    Bad,
    /// Both in turn
    Both,
    /// Procedures with a point, the derivatives of which are checked as by `vlad gradcheck`
    Gradients,
}

/// How hard the C compiler tries, as an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OptimiseArgument {
    /// Not at all
    Least,
    /// As for long programs
    Fast,
    /// As for programs of usual length
    Full,
}

/// What stands behind the options in `vlad fuzz --help`.
pub fn help() -> String {
    format!(
        "Exit code 3 says that there are findings: engines disagree, or one of them breaks down or hangs. Each is made as \
         small as it becomes, and is a program that says in comments what the first engine does with it \
         (conformance/corpus/README.md): `vlad conform FILE` shows the same. Of a derivative that is wrong it says in \
         comments how `vlad gradcheck` shows it.\n\n{}\n\n{}",
        told::FORM,
        crate::ending::EXIT_CODES
    )
}

/// Reads a time in minutes.
fn minutes(text: &str) -> Result<Duration, String> {
    let time = seconds(text).map_err(|_| "a time is a positive number of minutes".to_owned())?;
    time.checked_mul(60).ok_or_else(|| "a time is a positive number of minutes".to_owned())
}

/// Reads how many of a hundred.
fn percentage(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= 100);
    number.ok_or_else(|| "it is a whole number from 0 to 100".to_owned())
}

impl FuzzArguments {
    /// The campaign on some engines.
    fn plan(&self, engines: Vec<Engine>) -> Plan {
        let optimisation = match self.optimise {
            OptimiseArgument::Least => Optimisation::Least,
            OptimiseArgument::Fast => Optimisation::Fast,
            OptimiseArgument::Full => Optimisation::Full,
        };
        // Programs that never come again have no place in a cache.
        let settings =
            Settings { cache: CachePolicy::Bypass, optimisation: Some(optimisation), ..self.compiler.settings() };
        let mixture = match self.kind {
            MixtureArgument::Good => Mixture::Good,
            MixtureArgument::Bad => Mixture::Bad,
            MixtureArgument::Both => Mixture::Both,
            MixtureArgument::Gradients => Mixture::Gradients,
        };
        let dials = Dials { size: self.size, depth: self.depth, shape: self.shape, interruption: self.interruption };
        Plan { engines, settings, compiled_one_in: self.compile_one_in.get(), seed: self.seed, mixture, dials }
    }

    /// The number behind the last case.
    fn end(&self) -> u64 {
        let cases = self.cases.unwrap_or(if self.minutes.is_some() { u64::MAX } else { DEFAULT_CASES });
        self.from.saturating_add(cases)
    }

    /// The words of the command line of a worker on some engines, but for which cases it runs.
    fn for_worker(&self, engines: &[Engine]) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec!["fuzz".into(), "--worker".into()];
        let mut option = |name: &str, value: String| words.extend([name.into(), value.into()]);
        option("--seed", self.seed.to_string());
        option("--size", self.size.to_string());
        option("--depth", self.depth.to_string());
        option("--shape", self.shape.to_string());
        option("--interruption", self.interruption.to_string());
        option("--compile-one-in", self.compile_one_in.to_string());
        words.extend(self.for_case(engines));
        words
    }

    /// The words that say how a case is run on some engines, whatever it was made from.
    fn for_case(&self, engines: &[Engine]) -> Vec<OsString> {
        let value = |value: Option<clap::builder::PossibleValue>| {
            value.map_or_else(String::new, |value| value.get_name().to_owned())
        };
        let mut words = Vec::new();
        let mut option = |name: &str, value: String| words.extend([name.into(), value.into()]);
        option("--kind", value(self.kind.to_possible_value()));
        option("--optimise", value(self.optimise.to_possible_value()));
        engines.iter().for_each(|engine| option("--engine", engine.name().to_owned()));
        words.extend(self.compiler.words());
        words
    }
}

/// Runs a campaign and tells what came of it.
pub fn fuzz(arguments: &FuzzArguments) -> Ending {
    let console = Arc::new(Console::new(Form::Text, Notation::Shortest, Style::Plain, None));
    // Cases have limits of their own. This is for signals.
    Watchdog::start(&Limits::default(), &console);
    if arguments.worker {
        let mut engines = arguments.engine.clone();
        engines.sort_by_key(|engine| Engine::ALL.iter().position(|other| other == engine));
        let plan = arguments.plan(engines);
        return match &arguments.case {
            Some(file) => worker::work_on_one(&plan, file),
            None => worker::work(&plan, arguments.from..arguments.end(), arguments.minutes),
        };
    }
    let plan = match prepare(arguments) {
        Ok(plan) => plan,
        Err(Obstacle::Error(diagnostic)) => return fail(&console, *diagnostic),
        Err(Obstacle::NoCompiler(error)) => {
            let sources = SourceMap::default();
            return console.conclude(Conclusion { compiler: Some(&error), ..Conclusion::new(&[], &sources, None) });
        }
    };
    if let Some(file) = &arguments.case {
        return match run_again(arguments, &plan, file) {
            Ok(outcome) => told::tell_outcome(&outcome, &console),
            Err(error) => fail(&console, Diagnostic::new(Kind::File, None, error)),
        };
    }
    match supervisor::supervise(arguments, &plan) {
        Ok(campaign) => told::tell(arguments, &campaign, &console),
        Err(error) => fail(&console, Diagnostic::new(Kind::File, None, error)),
    }
}

/// Runs the case of a file again.
///
/// # Errors
/// The file holds no case, or cannot be read, or no process can be started.
fn run_again(arguments: &FuzzArguments, plan: &Plan, file: &Path) -> Result<Outcome, String> {
    let text = fs::read(file).map_err(|error| format!("{} cannot be read: {error}", file.display()))?;
    saved::read(&text).map_err(|error| format!("{} holds no case: {error}", file.display()))?;
    trial::run(&arguments.for_case(&plan.engines), file).map_err(|error| format!("the case cannot be run: {error}"))
}

/// Why nothing can be run.
enum Obstacle {
    Error(Box<Diagnostic>),
    NoCompiler(ToolchainError),
}

/// The plan; and the folder for findings is made first: nobody wants to learn at the end that there is no place for them.
fn prepare(arguments: &FuzzArguments) -> Result<Plan, Obstacle> {
    let settings = arguments.compiler.settings();
    let engines =
        choice::engines_that_work(&arguments.engine, &arguments.compiler, &settings).map_err(Obstacle::NoCompiler)?;
    if let Some(folder) = &arguments.output {
        fs::create_dir_all(folder).map_err(|error| {
            let message = format!("the folder {} cannot be made: {error}", folder.display());
            Obstacle::Error(Box::new(Diagnostic::new(Kind::Output, None, message)))
        })?;
    }
    Ok(arguments.plan(engines))
}

fn fail(console: &Console, diagnostic: Diagnostic) -> Ending {
    console.conclude(Conclusion::new(&[diagnostic], &SourceMap::default(), None))
}
