//! The choice of engines, and of the items that they compile.

use super::passes::PassArguments;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use std::env;
use std::ffi::OsString;
use vlad_compiler::compiled::cache::CachePolicy;
use vlad_compiler::{Passes, Specialise};
use vlad_engines::{Engine, Settings};

/// The value of `--engine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineChoice {
    /// The fastest engine that works here.
    Automatic,
    /// This one.
    One(Engine),
    /// All of them, compared with each other.
    All,
}

/// The options that choose engines.
#[derive(Debug, Args)]
pub struct EngineArguments {
    /// Run on this engine
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = choices())]
    pub engine: EngineChoice,
    /// The options for compiling programs.
    #[command(flatten)]
    pub compiler: CompilerArguments,
}

/// The options about compiled programs.
#[derive(Debug, Args)]
pub struct CompilerArguments {
    /// Use this C compiler for the engine `native`: a path, or a name in PATH (default: VLAD_CC).
    ///
    /// Without VLAD_CC it is the compiler that CC names, or else cc, gcc or clang. tcc compiles fastest; gcc and clang make
    /// faster programs.
    #[arg(long, value_name = "COMPILER")]
    cc: Option<OsString>,
    /// Do not use the cache of compiled programs
    #[arg(long)]
    no_cache: bool,
    /// Choose which top-level items the engine `native` specialises.
    ///
    /// The code of a specialised item computes on plain numbers, and its derivatives are transformed at compile time.
    #[arg(long, value_name = "WHICH", default_value = "auto", value_parser = specialisations())]
    specialise: Specialise,
    /// The options for the passes over specialised code.
    #[command(flatten)]
    passes: PassArguments,
}

impl CompilerArguments {
    /// Returns the settings of these options.
    pub fn settings(&self) -> Settings {
        let cache = if self.no_cache { CachePolicy::Bypass } else { CachePolicy::Use };
        let (compiler, specialise, passes) = (self.cc.clone(), self.specialise, self.passes.passes);
        Settings { compiler, cache, specialise, passes, ..Settings::default() }
    }

    /// Returns the words of the command line that give these options, except those for the cache.
    pub fn words(&self) -> Vec<OsString> {
        let specialise = match self.specialise {
            Specialise::Never => "--specialise=never",
            Specialise::Auto => "--specialise=auto",
            Specialise::Always => "--specialise=always",
        };
        let compiler = self.cc.iter().flat_map(|compiler| ["--cc".into(), compiler.clone()]);
        compiler.chain([specialise.into(), format!("--specialise-passes={}", self.passes.passes).into()]).collect()
    }

    /// Refuses `--specialise always` for something that is never specialised.
    pub fn not_always(&self, what: &str) -> Option<clap::Error> {
        let message = format!("--specialise always: {what} is not specialised\n");
        self.always().map(|_| clap::Error::raw(ErrorKind::ArgumentConflict, message))
    }

    /// Returns the passes by which all items have to be specialised, if they have to be.
    pub fn always(&self) -> Option<Passes> {
        (self.specialise == Specialise::Always).then_some(self.passes.passes)
    }

    /// Returns true if the user names a compiler, by an option or in the environment.
    pub fn name_a_compiler(&self) -> bool {
        self.cc.is_some() || env::var_os("VLAD_CC").is_some_and(|name| !name.is_empty())
    }
}

/// The parser of the value of `--specialise`.
fn specialisations() -> impl TypedValueParser<Value = Specialise> {
    let names = [
        PossibleValue::new("never").help("No item"),
        PossibleValue::new("auto").help("Each item that can be specialised"),
        PossibleValue::new("always")
            .help("Each item that computes something; an item that cannot be specialised is an error"),
    ];
    PossibleValuesParser::new(names).map(|name| match name.as_str() {
        "never" => Specialise::Never,
        "always" => Specialise::Always,
        _ => Specialise::Auto,
    })
}

/// The parser of the name of an engine.
pub fn engines() -> impl TypedValueParser<Value = Engine> {
    engines_of(&Engine::ALL)
}

/// The parser of the name of an engine or of a part of one, to be compared with others.
pub fn compared_engines() -> impl TypedValueParser<Value = Engine> {
    engines_of(&Engine::COMPARED)
}

fn engines_of(engines: &[Engine]) -> impl TypedValueParser<Value = Engine> + use<> {
    let name = |engine: &Engine| PossibleValue::new(engine.name()).help(engine.description());
    let names: Vec<PossibleValue> = engines.iter().map(name).collect();
    PossibleValuesParser::new(names).map(|name| Engine::named(&name).unwrap_or(Engine::ALL[0]))
}

/// The parser of the value of `--engine`.
fn choices() -> impl TypedValueParser<Value = EngineChoice> {
    let first = PossibleValue::new("auto").help("hybrid at first, then native when the program is compiled");
    let last = PossibleValue::new("all").help("All engines on the same input; their results are compared");
    let names = Engine::ALL.map(|engine| PossibleValue::new(engine.name()).help(engine.description()));
    PossibleValuesParser::new([first].into_iter().chain(names).chain([last])).map(|name| match name.as_str() {
        "all" => EngineChoice::All,
        other => Engine::named(other).map_or(EngineChoice::Automatic, EngineChoice::One),
    })
}

/// The parser of the engine of a built program.
pub fn choices_to_build() -> impl TypedValueParser<Value = EngineChoice> {
    let first = PossibleValue::new("auto").help("native, or hybrid if the program is too large to compile");
    let names = Engine::ALL.map(|engine| PossibleValue::new(engine.name()).help(engine.description()));
    PossibleValuesParser::new([first].into_iter().chain(names))
        .map(|name| Engine::named(&name).map_or(EngineChoice::Automatic, EngineChoice::One))
}
