//! The command line: subcommands, options, and what values options take.

use crate::choice::EngineArguments;
use crate::conform::ConformArguments;
use crate::division::Division;
use crate::ending::EXIT_CODES;
use crate::fuzz::FuzzArguments;
use crate::gradcheck::GradcheckArguments;
use crate::json::JSON_FORM;
use crate::limits::{LimitArguments, Trust};
use crate::profile::PROFILE_FORM;
use crate::resume::ResumeArguments;
use crate::suspend::SuspendArguments;
use crate::toolchain::{CacheArguments, DoctorArguments};
use crate::words;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read};
use std::path::PathBuf;
use vlad_shared::diagnostic::{Diagnostic, Kind};
use vlad_shared::load::files::ALLOWED;
use vlad_shared::load::{Failure, Input, Options, Reach};
use vlad_shared::render::Style;
use vlad_shared::source::SourceMap;

/// Run programs in VLAD, a small pure functional language whose derivative operators are first-class.
///
/// Without a subcommand a program is run: `vlad FILE` is `vlad run FILE`. A file whose name is that of a subcommand is
/// given as a path: `vlad ./run`. The options of a subcommand may also stand before it.
#[derive(Debug, Parser)]
#[command(name = "vlad", version, after_help = EXIT_CODES)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do, unless it is to run a program.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to run a program.
    #[command(flatten)]
    pub run: RunArguments,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a program: print the value of each of its top-level expressions
    #[command(after_help = EXIT_CODES, after_long_help = format!("{JSON_FORM}\n\n{EXIT_CODES}"))]
    Run(Box<RunArguments>),
    /// Run a program, and tell what its operators of differentiation and checkpointing took
    #[command(after_help = EXIT_CODES, after_long_help = format!("{JSON_FORM}\n{PROFILE_FORM}\n\n{EXIT_CODES}"))]
    Profile(Box<ProfileArguments>),
    /// Run a program for a number of steps, and write what is left of the run to a file
    #[command(after_help = EXIT_CODES)]
    Suspend(Box<SuspendArguments>),
    /// Go on with a run that was suspended
    #[command(after_help = EXIT_CODES)]
    Resume(Box<ResumeArguments>),
    /// Look for errors that can be found without running a program, and for calls that are hardly meant; say nothing if there
    /// are none
    #[command(after_help = EXIT_CODES)]
    Check(CheckArguments),
    /// Show what becomes of a program on its way to an engine
    #[command(after_help = EXIT_CODES)]
    Show(ShowArguments),
    /// Run many programs on all engines, and compare what they do with what is expected and with each other
    #[command(after_help = EXIT_CODES, after_long_help = crate::conform::help())]
    Conform(ConformArguments),
    /// Run random programs on several engines, and look for those that they disagree about
    #[command(after_help = EXIT_CODES, after_long_help = crate::fuzz::help())]
    Fuzz(Box<FuzzArguments>),
    /// Check the derivatives of a procedure at a point against each other and against difference quotients
    #[command(after_help = EXIT_CODES, after_long_help = format!("{}\n\n{EXIT_CODES}", crate::gradcheck::HELP))]
    Gradcheck(Box<GradcheckArguments>),
    /// Tell where compiled objects are kept, or remove them
    #[command(after_help = EXIT_CODES)]
    Cache(CacheArguments),
    /// Tell what the native engine finds on this machine, and try it
    #[command(after_help = EXIT_CODES)]
    Doctor(DoctorArguments),
    /// Compile what a run of `auto` asks for, on its standard input
    #[command(name = crate::automatic::helper::NAME, hide = true)]
    CompileInBackground,
}

/// Which program, and how it is read.
#[derive(Debug, Args)]
pub struct ProgramArguments {
    #[command(flatten)]
    source: SourceArguments,
    /// How it is read.
    #[command(flatten)]
    pub reading: ReadingArguments,
}

/// How programs are read, and what is wrong with them shown.
#[derive(Debug, Args)]
pub struct ReadingArguments {
    /// A folder to look for included files in, with or without .vlad behind the name, after the folder of the file that
    /// includes them and before the libraries that come with vlad (linear-algebra); may be repeated
    #[arg(short = 'I', value_name = "FOLDER")]
    include_folders: Vec<PathBuf>,
    /// When to colour errors
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Do not trust the program: include no files but those below its own folder and below folders given by -I; limit
    /// memory, time and output; keep compiled programs only where VLAD_CACHE says
    #[arg(long)]
    sandbox: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct SourceArguments {
    /// The program's file, or - for a program from the standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// The program itself
    #[arg(short = 'e', value_name = "EXPRESSION", allow_hyphen_values = true)]
    expression: Option<OsString>,
}

/// The arguments of `vlad run`.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// Which program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// How it is run.
    #[command(flatten)]
    pub options: RunOptions,
}

/// How programs are run.
#[derive(Debug, Args)]
pub struct RunOptions {
    /// What runs it.
    #[command(flatten)]
    pub engine: EngineArguments,
    /// Add its 16 hexadecimal digits to each real that is printed
    #[arg(long)]
    pub bits: bool,
    /// Tell the number of steps, the peak memory and the time on the standard error
    #[arg(long)]
    pub stats: bool,
    /// Print one JSON object with output and errors instead of the output (see `vlad run --help`)
    #[arg(long)]
    pub json: bool,
    /// Fail before step N + 1
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_steps: Option<u64>,
    /// What it may take.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// How `checkpoint-*j` divides an execution.
    #[command(flatten)]
    pub division: Division,
}

/// The arguments of `vlad profile`.
#[derive(Debug, Args)]
pub struct ProfileArguments {
    /// What to run, and how.
    #[command(flatten)]
    pub run: RunArguments,
    /// Write a picture of what `checkpoint-*j` executed to a file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// The arguments of `vlad check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Which program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// What it may take.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Print one JSON object with the errors and warnings, as `vlad run --json` does
    #[arg(long)]
    pub json: bool,
    /// End with exit code 1 if there are warnings
    #[arg(long, value_name = "WHAT")]
    pub deny: Option<Denied>,
}

/// What is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Denied {
    /// Warnings
    Warnings,
}

/// The arguments of `vlad show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// What to show
    #[arg(value_name = "WHAT")]
    pub stage: Stage,
    /// Which program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// What it may take.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Of forward and reverse: the procedure, by its name at top level
    #[arg(long, value_name = "NAME", required_if_eq_any = [("stage", "forward"), ("stage", "reverse")])]
    #[arg(allow_hyphen_values = true)]
    pub function: Option<String>,
}

/// The representations of a program that can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// The tokens of its text
    Tokens,
    /// Its surface tree
    Ast,
    /// Its core before names are resolved: every form desugared
    Named,
    /// Its core, which `interp` runs
    Core,
    /// Its core after CPS conversion, which `hybrid` and `native` run
    Cps,
    /// The C that `native` makes of it
    C,
    /// The forward transformation of a procedure, as code
    Forward,
    /// The reverse transformation of a procedure, as code
    Reverse,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    /// If the standard error is a terminal and NO_COLOR is not set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Where the numbers come from that a program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberSource {
    /// The standard input.
    StandardInput,
    /// Nowhere: the standard input was the program.
    Nowhere,
}

impl Arguments {
    /// Reads the words of the command line, the first of which is the command's own name.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Arguments, clap::Error> {
        let command = Arguments::command();
        let words = words::in_order(words.into_iter().collect(), &command);
        if let Some(complaint) = words::misspelt(&words, &command) {
            return Err(complaint);
        }
        Arguments::try_parse_from(&words).or_else(|error| {
            // A second file would be complained of as a subcommand in the wrong place. Put plainly, it is one too many.
            if error.kind() != ErrorKind::ArgumentConflict {
                return Err(error);
            }
            let (name, rest) = words.split_at(words.len().min(1));
            Arguments::try_parse_from([name, &["run".into()], rest].concat())
        })
    }
}

impl ProgramArguments {
    /// The program's text or file. A program from the standard input is read here, to its end.
    pub fn input(&self) -> Result<Input, Failure> {
        // What stands in no file includes files from the folder that the command runs in, unless it is not trusted.
        let folder = match self.reading.trust() {
            Trust::Trusted => Some(PathBuf::new()),
            Trust::Sandboxed => None,
        };
        if let Some(expression) = &self.source.expression {
            let bytes = expression.as_encoded_bytes().to_vec();
            return Ok(Input::Text { name: "<expression>".to_owned(), bytes, folder });
        }
        match &self.source.file {
            Some(file) if self.number_source() == NumberSource::StandardInput => Ok(Input::Path(file.clone())),
            _ => {
                let mut bytes = Vec::new();
                // One byte more than is allowed tells that it is too much.
                match io::stdin().lock().take(ALLOWED + 1).read_to_end(&mut bytes) {
                    Ok(_) => Ok(Input::Text { name: "<stdin>".to_owned(), bytes, folder }),
                    Err(error) => {
                        let message = format!("the program cannot be read from the standard input: {error}");
                        let diagnostics = vec![Diagnostic::new(Kind::File, None, message)];
                        Err(Failure { diagnostics, sources: SourceMap::default() })
                    }
                }
            }
        }
    }

    /// Where the program's numbers come from.
    pub fn number_source(&self) -> NumberSource {
        match &self.source.file {
            Some(file) if file.as_os_str() == "-" => NumberSource::Nowhere,
            Some(_) | None => NumberSource::StandardInput,
        }
    }

    /// How files are found.
    pub fn options(&self) -> Options {
        self.reading.options()
    }

    /// Whether to colour errors.
    pub fn style(&self) -> Style {
        self.reading.style()
    }
}

impl ReadingArguments {
    /// How files are found.
    pub fn options(&self) -> Options {
        let reach = match self.trust() {
            Trust::Trusted => Reach::Anywhere,
            Trust::Sandboxed => Reach::Beneath,
        };
        Options { include_folders: self.include_folders.clone(), reach }
    }

    /// Whether the program is trusted.
    pub fn trust(&self) -> Trust {
        if self.sandbox { Trust::Sandboxed } else { Trust::Trusted }
    }

    /// Whether to colour errors.
    pub fn style(&self) -> Style {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = || std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
        match self.color {
            Color::Always => Style::Coloured,
            Color::Never => Style::Plain,
            Color::Auto if io::stderr().is_terminal() && !set("NO_COLOR") && !dumb() => Style::Coloured,
            Color::Auto => Style::Plain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
