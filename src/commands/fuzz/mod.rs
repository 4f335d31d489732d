//! `vlad fuzz`: runs random programs on several engines, which must agree about each of them.
//!
//! Worker processes of the same command run the programs ([`worker`]). [`supervisor`] starts them, reads their results,
//! and replaces a worker that crashes. The program of the crash is then a finding: [`trial`] shrinks it, and
//! [`findings`] writes it to a file. [`report`] reports the result.

mod arguments;
mod findings;
mod merge;
mod process;
mod report;
mod supervisor;
mod trial;
mod worker;

pub use arguments::FuzzArguments;

use crate::output::conclusion::Conclusion;
use crate::output::console::Console;
use crate::process::exit::Exit;
use crate::run::engines;
use crate::run::watchdog::Watchdog;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use supervisor::Campaign;
use trial::Outcome;
use vlad_compiler::toolchain::ToolchainError;
use vlad_conformance::random::campaign::Plan;
use vlad_conformance::random::saved;
use vlad_engines::Engine;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::runtime::run::Limits;

/// The text behind the options in `vlad fuzz --help`.
pub fn help() -> String {
    format!(
        "The exit code is 3 if there are findings: engines disagree, or one of them crashes or hangs. A finding is a \
         program that is shrunk as far as possible. Its comments state the behaviour of the first engine \
         (see conformance/corpus/README.md), so `vlad conform FILE` reproduces the finding. For a wrong derivative they \
         state a call of `vlad gradcheck`.\n\n\
         With --shard, several machines run a part of the programs each and print JSON reports by --json. --merge makes one \
         report of them, with the exit code of the whole campaign. It fails if a shard is missing.\n\n{}\n\n{}",
        report::FORM,
        crate::process::exit::EXIT_CODES
    )
}

/// Runs a campaign, or a case of a file, and reports the result.
pub fn fuzz(arguments: &FuzzArguments) -> Exit {
    let console = Arc::new(Console::plain());
    // Cases have limits of their own; the watchdog only handles signals.
    Watchdog::start(&Limits::default(), &console);
    if arguments.worker {
        let mut engines = arguments.engine.clone();
        engines.sort_by_key(|engine| Engine::COMPARED.iter().position(|other| other == engine));
        let plan = arguments.plan(engines);
        return match &arguments.case {
            Some(file) => worker::work_on_one(&plan, file),
            None => worker::work(&plan, arguments.range(), arguments.minutes),
        };
    }
    if !arguments.merge.is_empty() {
        return match merged(arguments) {
            Ok(campaign) => report::tell(arguments, &campaign, &console),
            Err(diagnostic) => console.fail(*diagnostic),
        };
    }
    let plan = match prepare(arguments) {
        Ok(plan) => plan,
        Err(NothingToRun::Error(diagnostic)) => return console.fail(*diagnostic),
        Err(NothingToRun::NoCompiler(error)) => {
            let sources = SourceMap::default();
            return console.conclude(Conclusion { compiler: Some(&error), ..Conclusion::new(&[], &sources, None) });
        }
    };
    if let Some(file) = &arguments.case {
        return match run_again(arguments, &plan, file) {
            Ok(outcome) => report::report_outcome(&outcome, &console),
            Err(error) => console.fail(Diagnostic::new(Kind::File, None, error)),
        };
    }
    match supervisor::supervise(arguments, &plan) {
        Ok(campaign) => report::tell(arguments, &campaign, &console),
        Err(error) => console.fail(Diagnostic::new(Kind::File, None, error)),
    }
}

/// Merges reports, and writes the findings in them to the folder for findings.
fn merged(arguments: &FuzzArguments) -> Result<Campaign, Box<Diagnostic>> {
    let campaign = merge::merged(&arguments.merge)?;
    let failed = |message| Box::new(Diagnostic::new(Kind::Output, None, message));
    make_folder(arguments).map_err(failed)?;
    for finding in &campaign.tally.findings {
        findings::keep(arguments.output.as_deref(), campaign.seed, finding).map_err(failed)?;
    }
    Ok(campaign)
}

/// Makes the folder for findings, if there is to be one.
fn make_folder(arguments: &FuzzArguments) -> Result<(), String> {
    let made = arguments.output.as_ref().map_or(Ok(()), fs::create_dir_all);
    made.map_err(|error| {
        let folder = arguments.output.as_deref().unwrap_or(Path::new("")).display();
        format!("the folder {folder} cannot be made: {error}")
    })
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

/// The reason why nothing can be run.
enum NothingToRun {
    Error(Box<Diagnostic>),
    NoCompiler(ToolchainError),
}

/// Returns the plan. Creates the folder for findings first, so that a folder that cannot be created is reported at
/// once.
fn prepare(arguments: &FuzzArguments) -> Result<Plan, NothingToRun> {
    let settings = arguments.compiler.settings();
    let engines = engines::engines_that_work(&arguments.engine, &arguments.compiler, &settings)
        .map_err(NothingToRun::NoCompiler)?;
    make_folder(arguments)
        .map_err(|message| NothingToRun::Error(Box::new(Diagnostic::new(Kind::Output, None, message))))?;
    Ok(arguments.plan(engines))
}
