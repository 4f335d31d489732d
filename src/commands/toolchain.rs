//! `vlad cache` and `vlad doctor`: the cache of compiled programs, and the C compiler of the native engine.

use crate::options::engine::CompilerArguments;
use crate::output::console::Console;
use crate::process::exit::Exit;
use crate::run::watchdog::Watchdog;
use clap::{Args, Subcommand};
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use std::time::Duration;
use vlad_compiler::compiled::cache::{self, Usage};
use vlad_compiler::compiled::doctor::{self, CacheState, Diagnosis};
use vlad_compiler::toolchain::{Optimisation, Search, Toolchain, ToolchainError, shown_path};
use vlad_engines::Settings;
use vlad_shared::core::diagnostic::{Diagnostic, Kind};
use vlad_shared::runtime::run::Limits;

/// The arguments of `vlad cache`.
#[derive(Debug, Args)]
pub struct CacheArguments {
    /// The action.
    #[command(subcommand)]
    command: CacheCommand,
}

/// The actions on the cache.
#[derive(Clone, Copy, Debug, Subcommand)]
enum CacheCommand {
    /// Print the folder of compiled programs, whether it exists or not
    Path,
    /// Remove all compiled programs
    Clear,
}

/// The arguments of `vlad doctor`.
#[derive(Debug, Args)]
pub struct DoctorArguments {
    /// The options for compiling programs.
    #[command(flatten)]
    compiler: CompilerArguments,
}

/// The time limit of the compiler for each trial.
const TIME_FOR_TRIALS: Duration = Duration::from_secs(30);

/// Prints the path of the cache, or empties it.
pub fn cache(arguments: &CacheArguments) -> Exit {
    let console = Console::plain();
    let Some(folder) = cache::folder() else {
        let message = "there is no cache: none of VLAD_CACHE, XDG_CACHE_HOME and HOME names a folder";
        return console.fail(Diagnostic::new(Kind::File, None, message));
    };
    match arguments.command {
        // A path need not be UTF-8, and is printed to be used, so its bytes are written as they are.
        CacheCommand::Path => console.conclude_with_bytes(&[folder.as_os_str().as_bytes(), b"\n"].concat()),
        CacheCommand::Clear => match cache::clear(&folder) {
            Ok(removed) => {
                let text = format!("{} removed from {}\n", counted(removed), shown_path(&folder));
                console.conclude_with_bytes(text.as_bytes())
            }
            Err(error) => {
                let message = format!("the cache {} cannot be emptied: {error}", shown_path(&folder));
                console.fail(Diagnostic::new(Kind::File, None, message))
            }
        },
    }
}

fn counted(usage: Usage) -> String {
    let programs = if usage.entries == 1 { "object" } else { "objects" };
    format!("{} {programs}, {} bytes", usage.entries, usage.bytes)
}

/// Reports the C compiler and the cache that the native engine finds, and whether it works.
pub fn doctor(arguments: &DoctorArguments) -> Exit {
    let console = Arc::new(Console::plain());
    // Each trial has a limit of its own; the watchdog only handles signals.
    Watchdog::start(&Limits::default(), &console);
    let Settings { compiler, cache, .. } = arguments.compiler.settings();
    let diagnosis = doctor::diagnose(&Search::with_environment(compiler), cache, TIME_FOR_TRIALS);
    let told = console.conclude_with_bytes(report(&diagnosis).as_bytes());
    match (told, &diagnosis.probe) {
        (Exit::Success, Err(_)) => Exit::NoCompiler,
        (told, _) => told,
    }
}

fn report(diagnosis: &Diagnosis) -> String {
    let mut out = String::new();
    match &diagnosis.toolchain {
        Ok(toolchain) => compiler(&mut out, toolchain),
        Err(error) => trouble(&mut out, "compiler", error),
    }
    match (&diagnosis.toolchain, &diagnosis.probe) {
        (Ok(_), Ok(time)) => {
            line(&mut out, "trial", &format!("compiled, loaded and called in {:.3} s", time.as_secs_f64()));
        }
        (Ok(_), Err(error)) => trouble(&mut out, "trial", error),
        (Err(_), _) => line(&mut out, "trial", "not made"),
    }
    cache_report(&mut out, &diagnosis.cache);
    let verdict = if diagnosis.probe.is_ok() { "works" } else { "does not work" };
    line(&mut out, "native", verdict);
    line(&mut out, "auto", automatic(diagnosis));
    out
}

/// The engines that `auto` would use.
fn automatic(diagnosis: &Diagnosis) -> &'static str {
    match (&diagnosis.probe, &diagnosis.cache.folder) {
        (Ok(_), Some(_)) => "native for what is in the cache, else hybrid at once and native when it is compiled",
        (Ok(_), None) => "hybrid at once, and native when the program is compiled",
        (Err(_), _) => "hybrid",
    }
}

/// Appends a line. Writing to a string cannot fail, so there is no error to hand on.
fn line(out: &mut String, name: &str, text: &str) {
    let _ = writeln!(out, "{name:<10} {text}");
}

/// Appends an error, which may have several lines.
fn trouble(out: &mut String, name: &str, error: &ToolchainError) {
    for (number, text) in error.to_string().lines().enumerate() {
        line(out, if number == 0 { name } else { "" }, text);
    }
}

fn compiler(out: &mut String, toolchain: &Toolchain) {
    line(out, "compiler", &format!("{} (from {})", shown_path(toolchain.program()), toolchain.choice().name()));
    let version = &toolchain.identity().version;
    line(out, "version", if version.is_empty() { "unknown" } else { version });
    line(out, "family", toolchain.family().name());
    line(out, "flags", &toolchain.flags(Optimisation::Full).join(" "));
}

fn cache_report(out: &mut String, state: &CacheState) {
    match (&state.folder, state.usage) {
        (Some(folder), Some(usage)) => line(out, "cache", &format!("{}: {}", shown_path(folder), counted(usage))),
        (Some(folder), None) => line(out, "cache", &shown_path(folder)),
        (None, _) => line(out, "cache", "none"),
    }
    for note in &state.notes {
        line(out, "", &note.to_string());
    }
}
