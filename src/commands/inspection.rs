//! `vlad check` and `vlad show`: the commands that inspect a program without running it.

use crate::options::limits::{Bounds, LimitArguments};
use crate::options::passes::PassArguments;
use crate::options::program::ProgramArguments;
use crate::output::conclusion::{Conclusion, Warnings};
use crate::output::console::{Console, Form};
use crate::process::exit::Exit;
use crate::run::watchdog::Watchdog;
use clap::error::ErrorKind;
use clap::{Args, ValueEnum};
use std::sync::Arc;
use vlad_compiler::analysis::{Reason, Weighing};
use vlad_compiler::{Passes, specialise};
use vlad_first_order::Unit;
use vlad_first_order::storage::lower;
use vlad_first_order::storage::placement::Execution;
use vlad_first_order::text::print::print;
use vlad_shared::core::Program;
use vlad_shared::core::diagnostic::{Diagnostic, Failure};
use vlad_shared::core::print as core_print;
use vlad_shared::core::source::SourceMap;
use vlad_shared::cps;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load;
use vlad_shared::frontend::transformation::{self, Mode};
use vlad_shared::language::Rewriting;
use vlad_shared::runtime::run::Limits;
use vlad_shared::table::number::Notation;

/// The arguments of `vlad check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// The limits on memory, time and output.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Print one JSON object with the errors and warnings, in the form of `vlad run --json`
    #[arg(long)]
    pub json: bool,
    /// Exit with code 1 if there are warnings
    #[arg(long, value_name = "WHAT")]
    pub deny: Option<DeniedDiagnostics>,
}

/// A class of diagnostics that is treated as failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeniedDiagnostics {
    /// Warnings
    Warnings,
}

/// The arguments of `vlad show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// The representation to print
    #[arg(value_name = "WHAT")]
    pub stage: Stage,
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// The limits on memory, time and output.
    #[command(flatten)]
    pub limits: LimitArguments,
    /// Show this procedure, by its name at top level; for forward, reverse, derivative and rewrites
    #[arg(long, value_name = "NAME")]
    #[arg(required_if_eq_any = [("stage", "forward"), ("stage", "reverse"), ("stage", "derivative"), ("stage", "rewrites")])]
    #[arg(allow_hyphen_values = true)]
    pub function: Option<String>,
    /// For ir, storage and c: the passes over specialised code.
    #[command(flatten)]
    pub passes: PassArguments,
}

/// The representations of a program that can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Tokens of the text
    Tokens,
    /// The syntax tree
    Ast,
    /// The typed tree, in languages with types
    Typed,
    /// Farfel without nested subprograms and procedure arguments, and with blocks as subroutines
    Lifted,
    /// Desugared core, before names are resolved
    Named,
    /// Core, the code of `interp`
    Core,
    /// First-order code of each item that `native` specialises
    Ir,
    /// Storage code: first-order code with arrays in memory and loops over ranges, from which C is printed
    Storage,
    /// Core after CPS conversion, the code of `hybrid` and `native`
    Cps,
    /// The C code of `native`
    C,
    /// The forward transformation of a procedure, as code
    Forward,
    /// The reverse transformation of a procedure, as code
    Reverse,
    /// The code of a function's value and derivative, in typed languages
    Derivative,
    /// The rewriting steps of a function in F-smooth, each with the terms before and after it
    Rewrites,
}

/// Loads a program and reports its errors and warnings.
pub fn check(arguments: &CheckArguments, languages: Languages) -> Exit {
    let form = if arguments.json { Form::Json } else { Form::Text };
    let console = console(form, &arguments.program, &arguments.limits);
    // A check tells of the program as it is written, and does not wait for its rewriting.
    let mut options = arguments.program.options(languages);
    options.rewriting = options.rewriting.or(Some(Rewriting::Off));
    let checked = arguments.program.input().and_then(|input| load::check(input, &options));
    match checked {
        Ok((program, diagnostics)) => {
            let warnings = match arguments.deny {
                Some(DeniedDiagnostics::Warnings) => Warnings::Denied,
                None => Warnings::Allowed,
            };
            console.conclude(Conclusion { warnings, ..Conclusion::new(&diagnostics, &program.sources, Some(0)) })
        }
        Err(Failure { diagnostics, sources }) => conclude(&console, &diagnostics, &sources),
    }
}

/// Prints a representation of a program, or the transformed code of one of its procedures.
pub fn show(arguments: &ShowArguments, languages: Languages) -> Exit {
    let mode = match arguments.stage {
        Stage::Forward => Some(Mode::Forward),
        Stage::Reverse => Some(Mode::Reverse),
        Stage::Tokens
        | Stage::Ast
        | Stage::Typed
        | Stage::Lifted
        | Stage::Named
        | Stage::Core
        | Stage::Ir
        | Stage::Storage
        | Stage::Cps
        | Stage::C
        | Stage::Derivative
        | Stage::Rewrites => None,
    };
    let transformation = mode.zip(arguments.function.as_deref());
    if arguments.function.is_some()
        && transformation.is_none()
        && !matches!(arguments.stage, Stage::Derivative | Stage::Rewrites)
    {
        let message = "--function is for what is shown of one procedure: `show forward`, `show reverse`, `show derivative` \
                       and `show rewrites`\n";
        return Exit::of_usage(&clap::Error::raw(ErrorKind::ArgumentConflict, message));
    }
    let passes = arguments.passes.passes;
    if passes != Passes::ALL && !matches!(arguments.stage, Stage::Ir | Stage::Storage | Stage::C) {
        let message = "--specialise-passes is for what is shown of specialised code: `show ir`, `show storage` and \
                       `show c`\n";
        return Exit::of_usage(&clap::Error::raw(ErrorKind::ArgumentConflict, message));
    }
    let console = console(Form::Text, &arguments.program, &arguments.limits);
    let options = arguments.program.options(languages);
    let shown = arguments.program.input().and_then(|input| match arguments.stage {
        Stage::Tokens => load::tokens(input, &options),
        Stage::Ast => load::surface(input, &options),
        Stage::Typed => load::typed(input, &options),
        Stage::Lifted => load::lifted(input, &options),
        Stage::Named => load::named(input, &options),
        Stage::Core => Ok(core_print::print(&load::load(input, &options)?)),
        Stage::Ir => Ok(first_order(&load::load(input, &options)?, passes, |unit| unit)),
        Stage::Storage => {
            Ok(first_order(&load::load(input, &options)?, passes, |unit| lower(&unit, Execution::Machine, passes)))
        }
        Stage::Cps => {
            let program = load::load(input, &options)?;
            Ok(cps::print::print(&program, &cps::pipeline(&program)))
        }
        Stage::Derivative => {
            let function = arguments.function.as_deref();
            function.map_or(Ok(String::new()), |function| load::derivative(input, &options, function))
        }
        Stage::Rewrites => {
            let function = arguments.function.as_deref();
            function.map_or(Ok(String::new()), |function| load::rewrites(input, &options, function))
        }
        Stage::Forward | Stage::Reverse => {
            let program = load::load(input, &options)?;
            transformation
                .map_or(Ok(String::new()), |(mode, name)| transformation::transformed(&program, name, mode, languages))
        }
        Stage::C => {
            let program = load::load(input, &options)?;
            Ok(vlad_compiler::generate(
                &program,
                vlad_compiler::counting_for(&program, &Limits::default()),
                Some(passes),
            ))
        }
    });
    match shown {
        Ok(text) => console.conclude_with_text(&text),
        Err(Failure { diagnostics, sources }) => conclude(&console, &diagnostics, &sources),
    }
}

/// The first-order code of the items of a program in a later form, or the reasons why they have none.
fn first_order(program: &Program, passes: Passes, form: impl Fn(Unit) -> Unit) -> String {
    let item = |(unit, number): (Result<Unit, Reason>, usize)| match unit {
        Ok(unit) => format!("item {number}\n{}\n", print(&form(unit), Some(program))),
        Err(reason) => format!("item {number}: not specialised: {}\n\n", reason.text()),
    };
    specialise(program, passes, Weighing::All).into_iter().zip(0..).map(item).collect()
}

/// The outputs of an inspection. It has the limits that loading a program has in a run.
pub fn console(form: Form, program: &ProgramArguments, limits: &LimitArguments) -> Arc<Console> {
    let Bounds { memory, time, output } = limits.bounds(program.reading.trust());
    let console = Arc::new(Console::new(form, Notation::Shortest, program.style(), output));
    Watchdog::start(&Limits { memory, time, ..Limits::default() }, &console);
    console
}

fn conclude(console: &Console, diagnostics: &[Diagnostic], sources: &SourceMap) -> Exit {
    console.conclude(Conclusion::new(diagnostics, sources, Some(0)))
}
