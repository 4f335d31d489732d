//! The command line as a whole: the subcommands, each with the arguments that its module declares.

use crate::commands::build::BuildArguments;
use crate::commands::conform::{self, ConformArguments};
use crate::commands::derivatives::derive::{self, DeriveArguments};
use crate::commands::derivatives::gradcheck::{self, GradcheckArguments};
use crate::commands::emit::{self, EmitArguments};
use crate::commands::explanation::{self, ExplainArguments};
use crate::commands::fuzz::{self, FuzzArguments};
use crate::commands::inspection::{CheckArguments, ShowArguments};
use crate::commands::manual::{CompletionsArguments, ManArguments};
use crate::commands::plot::{self, PlotArguments};
use crate::commands::profile::{self, ProfileArguments};
use crate::commands::repl::{self, ReplArguments};
use crate::commands::suspension::resume::ResumeArguments;
use crate::commands::suspension::suspend::SuspendArguments;
use crate::commands::table::{self, TableArguments};
use crate::commands::toolchain::{CacheArguments, DoctorArguments};
use crate::commands::trace::{self, TraceArguments};
use crate::options::program::LANGUAGE;
use crate::options::run::RunArguments;
use crate::output::json::JSON_FORM;
use crate::process::exit::EXIT_CODES;
use crate::run::profile::PROFILE_FORM;
use crate::word_order;
use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::language::Language;

/// Run and differentiate programs in VLAD, F-smooth and Farfel.
///
/// VLAD is a small pure functional language with first-class derivative operators. F-smooth is a typed language of
/// arrays; its derivatives are optimised by rewriting. Farfel is Fortran 77 with blocks of differentiation.
///
/// `vlad FILE` is short for `vlad run FILE`. A file with the name of a subcommand is given as a path: `vlad ./run`. The
/// options of a subcommand may precede it.
#[derive(Debug, Parser)]
#[command(name = "vlad", version, after_help = EXIT_CODES)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, arg_required_else_help = true)]
pub struct Arguments {
    /// The subcommand; without one, a program is run.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The arguments of `vlad run`, if there is no subcommand.
    #[command(flatten)]
    pub run: RunArguments,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a program and print the value of each top-level expression
    #[command(after_help = EXIT_CODES, after_long_help = format!("{JSON_FORM}\n\n{EXIT_CODES}"))]
    Run(Box<RunArguments>),
    /// Build an executable that needs neither vlad nor a C compiler.
    ///
    /// It behaves like `vlad run` with these options. Its own options may replace the limits. The limits on memory and time
    /// also hold for the build.
    #[command(after_help = EXIT_CODES)]
    Build(Box<BuildArguments>),
    /// Run a program and report the steps, memory and time of its derivative and checkpointing operators
    #[command(after_help = EXIT_CODES, after_long_help = format!("{JSON_FORM}\n{PROFILE_FORM}\n\n{EXIT_CODES}"))]
    Profile(Box<ProfileArguments>),
    /// Run a program for N steps and write the suspended run to a file
    #[command(after_help = EXIT_CODES)]
    Suspend(Box<SuspendArguments>),
    /// Continue a suspended run
    #[command(after_help = EXIT_CODES)]
    Resume(Box<ResumeArguments>),
    /// Report errors and probable mistakes without running the program.
    ///
    /// It prints nothing if there are none.
    #[command(after_help = EXIT_CODES)]
    Check(CheckArguments),
    /// Print an intermediate representation of a program, or the transformed code of a procedure
    #[command(after_help = EXIT_CODES)]
    Show(ShowArguments),
    /// Report which items of a program the engine `native` specialises and why it skips the others, or explain a kind of
    /// error
    #[command(after_help = EXIT_CODES, after_long_help = format!("{}\n\n{EXIT_CODES}", explanation::help()))]
    Explain(ExplainArguments),
    /// Export procedures of a program as C, for callers in C, Python and Fortran
    #[command(after_help = EXIT_CODES, after_long_help = format!("{}\n\n{EXIT_CODES}", emit::HELP))]
    Emit(Box<EmitArguments>),
    /// Run many programs on all engines, and compare the results with expectations and with each other
    #[command(after_help = EXIT_CODES, after_long_help = conform::help())]
    Conform(Box<ConformArguments>),
    /// Print the primitives and the coefficients of derivatives as JSON
    #[command(after_help = EXIT_CODES, after_long_help = format!("{}\n\n{EXIT_CODES}", table::FORM))]
    Table(TableArguments),
    /// Run random programs on several engines and report disagreements
    #[command(after_help = EXIT_CODES, after_long_help = fuzz::help())]
    Fuzz(Box<FuzzArguments>),
    /// Check the derivatives of a procedure at a point against each other and against difference quotients
    #[command(after_help = EXIT_CODES, after_long_help = format!("{}\n\n{EXIT_CODES}", gradcheck::HELP))]
    Gradcheck(Box<GradcheckArguments>),
    /// Compute the gradient, Jacobian, Hessian or Taylor coefficients of a procedure at a point
    #[command(after_help = EXIT_CODES, after_long_help = format!("{}\n\n{EXIT_CODES}", derive::HELP))]
    Derive(Box<DeriveArguments>),
    /// Plot procedures, derivatives, contours, paths and tables, in the terminal or as SVG
    #[command(after_help = EXIT_CODES, after_long_help = format!("{}\n\n{EXIT_CODES}", plot::HELP))]
    Plot(Box<PlotArguments>),
    /// Start a session that evaluates inputs as they are typed
    #[command(after_help = EXIT_CODES, after_long_help = format!("{}\n\n{EXIT_CODES}", repl::HELP))]
    Repl(Box<ReplArguments>),
    /// Print the operations on reals in a call, with tangents or adjoints, or the steps of an evaluation
    #[command(after_help = EXIT_CODES, after_long_help = format!("{}\n\n{EXIT_CODES}", trace::HELP))]
    Trace(Box<TraceArguments>),
    /// Print the folder of the cache of compiled programs, or empty it
    #[command(after_help = EXIT_CODES)]
    Cache(CacheArguments),
    /// Report the C compiler and the cache of the engine `native`, and test them
    #[command(after_help = EXIT_CODES)]
    Doctor(DoctorArguments),
    /// Print a script that completes this command line in a shell
    #[command(after_help = EXIT_CODES)]
    Completions(CompletionsArguments),
    /// Print a manual page, or write all of them to a folder
    #[command(after_help = EXIT_CODES)]
    Man(ManArguments),
}

impl Arguments {
    /// Reads the words of the command line, the first of which is the command's own name.
    pub fn read(words: impl IntoIterator<Item = OsString>, languages: Languages) -> Result<Arguments, clap::Error> {
        let command = described(languages);
        let parse = |words: &[OsString]| -> Result<Arguments, clap::Error> {
            Arguments::from_arg_matches(&command.clone().try_get_matches_from(words)?)
        };
        let words = word_order::in_order(words.into_iter().collect(), &command);
        if let Some(complaint) = word_order::misspelt(&words, &command) {
            return Err(complaint);
        }
        let arguments = parse(&words).or_else(|error| {
            // Clap would report a second file as a subcommand in the wrong place. As arguments of `vlad run`, the words
            // have one file too many. Options of a subcommand that exclude each other are no such case.
            if error.kind() != ErrorKind::ArgumentConflict || word_order::begin_with_subcommand(&words, &command) {
                return Err(error);
            }
            let (name, rest) = words.split_at(words.len().min(1));
            parse(&[name, &["run".into()], rest].concat())
        })?;
        match &arguments.command {
            Some(Command::Profile(profile)) => match profile::refuse(profile) {
                Some(refusal) => Err(refusal.format(&mut Arguments::command())),
                None => Ok(arguments),
            },
            _ => Ok(arguments),
        }
    }
}

/// The description of the command line, with the languages that it names.
pub fn described(languages: Languages) -> clap::Command {
    with_languages(Arguments::command(), languages)
}

/// Returns a command whose options for a language, those of its subcommands too, accept the names of some languages.
fn with_languages(command: clap::Command, languages: Languages) -> clap::Command {
    let names = PossibleValuesParser::new(languages.all().map(Language::name));
    let command = command.mut_args(|argument| match argument.get_id() == LANGUAGE {
        true => argument.value_parser(names.clone()),
        false => argument,
    });
    command.mut_subcommands(|command| with_languages(command, languages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        described(Languages::default()).debug_assert();
    }

    /// The words of a command as a shell splits it, up to a redirection or another command.
    fn words(line: &str) -> Vec<String> {
        let mut words = Vec::new();
        for (number, part) in line.split('\'').enumerate() {
            match number % 2 {
                0 => words.extend(part.split_whitespace().map(str::to_owned)),
                _ => words.push(part.to_owned()),
            }
        }
        let end = words.iter().position(|word| matches!(word.as_str(), ">" | "||" | "&&" | "|"));
        words.truncate(end.unwrap_or(words.len()));
        words
    }

    /// The workflow in `docs/ci` has command lines that the command understands.
    #[test]
    fn the_workflow_is_in_step_with_the_command_line() {
        let workflow = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci/github.yml");
        let text = std::fs::read_to_string(workflow).unwrap();
        let mut commands = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| line.starts_with("vlad ")) {
            // Expressions of the workflow stand for numbers.
            let mut line = line.to_owned();
            while let Some((before, (_, after))) =
                line.split_once("${{").map(|(b, rest)| (b, rest.split_once("}}").unwrap()))
            {
                line = format!("{before}1{after}");
            }
            let read = Arguments::read(words(&line).into_iter().map(OsString::from), Languages::default());
            assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
            commands.push(words(&line)[1].clone());
        }
        commands.sort();
        commands.dedup();
        assert_eq!(commands, ["conform", "derive", "fuzz", "gradcheck"]);
    }
}
