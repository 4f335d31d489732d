//! The arguments of `vlad fuzz`, the campaign that they describe, and the command lines of its workers.

use crate::options::engine::{CompilerArguments, compared_engines};
use crate::options::limits::seconds;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::num::{NonZeroU64, NonZeroUsize};
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;
use vlad_compiler::compiled::cache::CachePolicy;
use vlad_compiler::toolchain::Optimisation;
use vlad_conformance::random::GeneratorOptions;
use vlad_conformance::random::campaign::{Mixture, Plan};
use vlad_conformance::shard::Shard;
use vlad_engines::{Engine, Settings};

/// The number of cases if neither a number nor a time is given.
const DEFAULT_CASES: u64 = 1000;

/// The arguments of `vlad fuzz`.
#[derive(Debug, Args)]
pub struct FuzzArguments {
    /// Generate the programs from this seed; a seed gives the same programs on every machine
    #[arg(long, value_name = "S", default_value = "1")]
    pub seed: u64,
    /// Run N programs (default: 1000, or with --minutes no limit)
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// Begin with program N; `--from N --cases 1` runs one program of a campaign again
    #[arg(long, value_name = "N", default_value = "0")]
    pub from: u64,
    /// Start no program after so many minutes, which may be a fraction
    #[arg(long, value_name = "M", value_parser = minutes, allow_negative_numbers = true)]
    pub minutes: Option<Duration>,
    /// Run only part I of N of the programs, to share a campaign among several machines
    #[arg(long, value_name = "I/N", conflicts_with_all = ["case", "merge"])]
    pub shard: Option<Shard>,
    /// Merge the JSON reports of all shards into one report; run nothing
    #[arg(long, value_name = "REPORT.json", num_args = 1.., conflicts_with_all = ["cases", "from", "minutes", "case", "seed", "engine"])]
    pub merge: Vec<PathBuf>,
    /// Run on this engine; may be repeated (default: interp, hybrid and native, as far as they work here).
    ///
    /// Engines are compared with the first one in the order interp, hybrid, native-tagged, native, first-order.
    #[arg(long, value_name = "ENGINE", value_parser = compared_engines())]
    pub engine: Vec<Engine>,
    /// Choose the kind of programs
    #[arg(long, value_name = "KIND", default_value = "both")]
    kind: MixtureArgument,
    /// Set the size of good programs, in percent of the usual size
    #[arg(long, value_name = "K", default_value_t = GeneratorOptions::default().size)]
    size: usize,
    /// Nest at most D operators of differentiation in the text of a program
    #[arg(long, value_name = "D", default_value_t = GeneratorOptions::default().depth)]
    depth: usize,
    /// Let P percent of the programs have a long, wide or large part.
    ///
    /// A part is, for example, a body of hundreds of bindings, dozens of parameters, a group of a dozen procedures, or
    /// capsules in capsules.
    #[arg(long, value_name = "P", default_value_t = GeneratorOptions::default().shape, value_parser = percentage)]
    shape: usize,
    /// Interrupt P percent of the programs: by a step limit, or by suspensions at random steps
    #[arg(long, value_name = "P", default_value_t = GeneratorOptions::default().interruption, value_parser = percentage)]
    interruption: usize,
    /// Write each finding to this folder, as a program with comments that reproduce it
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// Run the program of a finding that crashed a process again, with its limit and suspensions.
    ///
    /// Other options are not taken from the file. Its comments list those of the campaign.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cases", "from", "minutes", "output", "coverage", "json"])]
    pub case: Option<PathBuf>,
    /// Run programs in N processes at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    pub jobs: NonZeroUsize,
    /// Set the optimisation of the C compiler, which takes most of the time
    #[arg(long, value_name = "HOW", default_value = "least")]
    optimise: OptimiseArgument,
    /// Compile one program in N, and each program that reaches an operation in a new nesting of operators
    #[arg(long, value_name = "N", default_value = "1")]
    compile_one_in: NonZeroU64,
    /// Print tables of the executed operations and of the names in the programs
    #[arg(long)]
    pub coverage: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// The options for compiling programs.
    #[command(flatten)]
    pub compiler: CompilerArguments,
    /// Run as a worker process.
    #[arg(long, hide = true)]
    pub worker: bool,
}

/// The kinds of programs, as an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MixtureArgument {
    /// Well-typed programs over the whole language; one in eight is mutated in one place
    Good,
    /// Ill-typed and malformed programs, and random texts
    Bad,
    /// Good and bad programs in turn
    Both,
    /// Procedures, with their derivatives checked at a point as by `vlad gradcheck`
    Gradients,
    /// Programs that read numbers and nest operators; `native` specialises most of them
    Scalar,
    /// Farfel programs, compared with a separate evaluator, and damaged texts
    Farfel,
    /// F-smooth programs with derivatives, both as written and rewritten, and damaged texts
    Fsmooth,
}

/// The levels of optimisation, as an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OptimiseArgument {
    /// No optimisation
    Least,
    /// The optimisation of long programs
    Fast,
    /// The optimisation of programs of usual length
    Full,
}

/// Parses a time in minutes.
fn minutes(text: &str) -> Result<Duration, String> {
    let time = seconds(text).map_err(|_| "a time is a positive number of minutes".to_owned())?;
    time.checked_mul(60).ok_or_else(|| "a time is a positive number of minutes".to_owned())
}

/// Parses a percentage.
fn percentage(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= 100);
    number.ok_or_else(|| "it is a whole number from 0 to 100".to_owned())
}

impl FuzzArguments {
    /// Returns the campaign of these options on some engines.
    pub fn plan(&self, engines: Vec<Engine>) -> Plan {
        let optimisation = match self.optimise {
            OptimiseArgument::Least => Optimisation::Least,
            OptimiseArgument::Fast => Optimisation::Fast,
            OptimiseArgument::Full => Optimisation::Full,
        };
        // The cache is bypassed, since random programs are not run again.
        let settings =
            Settings { cache: CachePolicy::Bypass, optimisation: Some(optimisation), ..self.compiler.settings() };
        let mixture = match self.kind {
            MixtureArgument::Good => Mixture::Good,
            MixtureArgument::Bad => Mixture::Bad,
            MixtureArgument::Both => Mixture::Both,
            MixtureArgument::Gradients => Mixture::Gradients,
            MixtureArgument::Scalar => Mixture::Scalar,
            MixtureArgument::Farfel => Mixture::Farfel,
            MixtureArgument::Fsmooth => Mixture::FSmooth,
        };
        let generator_options =
            GeneratorOptions { size: self.size, depth: self.depth, shape: self.shape, interruption: self.interruption };
        Plan {
            engines,
            settings,
            compiled_one_in: self.compile_one_in.get(),
            seed: self.seed,
            mixture,
            generator_options,
        }
    }

    /// Returns the numbers of the cases.
    pub fn range(&self) -> Range<u64> {
        let cases = self.cases.unwrap_or(if self.minutes.is_some() { u64::MAX } else { DEFAULT_CASES });
        let all = self.from..self.from.saturating_add(cases);
        self.shard.map_or(all.clone(), |shard| shard.part(all))
    }

    /// Returns the command line of a worker on some engines, without the range of its cases.
    pub fn for_worker(&self, engines: &[Engine]) -> Vec<OsString> {
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

    /// Returns the options with which a case is run on some engines; they are independent of how it was generated.
    pub fn for_case(&self, engines: &[Engine]) -> Vec<OsString> {
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
