//! The command line of a built program, and its run.

use super::executable::{self, Unusable};
use super::payload::{KeptOptions, Payload};
use crate::options::limits::{DepthArgument, LimitArguments};
use crate::options::program::{ColorArguments, NumberSource};
use crate::options::run::ReportOptions;
use crate::output::conclusion::Conclusion;
use crate::output::console::Console;
use crate::process::exit::{EXIT_CODES_OF_PROGRAMS, Exit};
use crate::run::running::{self, EngineSource, Loaded, RunRequest};
use clap::{CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;
use std::path::Path;
use vlad_shared::ad::traps::Traps;
use vlad_shared::core::diagnostic::{Diagnostic, Failure, Kind};
use vlad_shared::core::source::SourceMap;
use vlad_shared::frontend::languages::Languages;
use vlad_shared::frontend::load::load_kept;

/// A program built by vlad. It reads numbers from standard input and prints the values of its expressions.
#[derive(Debug, Parser)]
#[command(name = "program", after_help = EXIT_CODES_OF_PROGRAMS)]
#[command(version = concat!("(built by vlad ", env!("CARGO_PKG_VERSION"), ")"))]
struct Arguments {
    #[command(flatten)]
    report: ReportOptions,
    #[command(flatten)]
    color: ColorArguments,
    #[command(flatten)]
    limits: LimitArguments,
    #[command(flatten)]
    depth: DepthArgument,
}

impl Arguments {
    /// Reads the words of the command line, the first of which is the name under which the program was started.
    fn read(words: Vec<OsString>) -> Result<Arguments, clap::Error> {
        let name = words.first().and_then(|word| Path::new(word).file_name());
        let name = name.map_or_else(|| "program".to_owned(), |name| name.to_string_lossy().into_owned());
        let kept = |what: &'static str| move |argument: clap::Arg| argument.help(what).long_help(what);
        let command = Arguments::command()
            .display_name(name)
            .mut_arg("max_memory", kept(
                "Fail when the process uses more memory: bytes, or a number with K, M or G (default: the limit of the \
                 build, else a quarter of the machine's memory, or 1G if that is more)",
            ))
            .mut_arg("timeout", kept(
                "Fail after so many seconds, which may be a fraction (default: the limit of the build, else no limit)",
            ))
            .mut_arg("max_output", kept(
                "Fail when the output exceeds so many bytes (default: the limit of the build, else no limit)",
            ))
            .mut_arg("max_depth", kept(
                "Fail at a call nested more than N deep (default: the limit of the build, else 4000000)",
            ))
            .mut_arg("json", kept("Print one JSON object with output and errors"));
        Arguments::from_arg_matches(&command.try_get_matches_from(words)?)
    }
}

/// Runs the program of this executable, if it was built with one, on the command line of the process.
pub fn run(languages: Languages) -> Option<Exit> {
    let payload = match executable::own_payload() {
        Ok(payload) => Payload::of(&payload?).ok_or(Unusable::Damaged("it is no program")),
        Err(reason) => Err(reason),
    };
    Some(match payload {
        Ok(payload) => run_payload(&payload, languages),
        Err(reason) => {
            let Failure { diagnostics, sources } = unusable(&reason);
            let console = Console::plain();
            console.conclude(Conclusion::new(&diagnostics, &sources, None))
        }
    })
}

fn run_payload(payload: &Payload, languages: Languages) -> Exit {
    let Payload { sources, code, kept: KeptOptions { limits, depth, trust, strategy } } = payload;
    let arguments = match Arguments::read(std::env::args_os().collect()) {
        Ok(arguments) => arguments,
        Err(error) => return Exit::of_usage(&error),
    };
    running::carry_out(&RunRequest {
        engines: EngineSource::BuiltIn(code),
        report: &arguments.report,
        limits: &arguments.limits.or(limits),
        max_steps: None,
        depth: arguments.depth.or(*depth),
        strategy: *strategy,
        traps: Traps::Off,
        style: arguments.color.style(),
        trust: *trust,
        numbers: NumberSource::StandardInput,
        load: &|| match load_kept(sources.clone(), languages) {
            Some(program) => Ok(Loaded { program, from: None }),
            None => Err(unusable(&Unusable::Damaged("its texts are no program"))),
        },
        profiled: None,
        suspension: None,
    })
}

/// The error of an executable whose payload cannot be used.
fn unusable(reason: &Unusable) -> Failure {
    let name = std::env::args_os().next().unwrap_or_default();
    let name = Path::new(&name).display();
    let diagnostic = match reason {
        Unusable::Unread(error) => {
            let message = format!("`{name}` cannot read its own file, which contains its program: {error}");
            Diagnostic::new(Kind::File, None, message)
        }
        Unusable::Damaged(how) => Diagnostic::new(Kind::File, None, format!("`{name}` is damaged: {how}"))
            .with_hint("build it again with `vlad build`"),
    };
    Failure { diagnostics: vec![diagnostic], sources: SourceMap::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
        let read = |words: &[&str]| Arguments::read(words.iter().map(OsString::from).collect());
        assert!(read(&["/a/newton", "--bits", "--timeout", "1"]).unwrap().report.bits);
        let version = read(&["/a/newton", "--version"]).unwrap_err().to_string();
        assert_eq!(version, format!("newton (built by vlad {})\n", env!("CARGO_PKG_VERSION")));
        for words in [&["newton", "1"][..], &["newton", "--engine", "interp"], &["newton", "run"]] {
            assert!(read(words).unwrap_err().use_stderr(), "{words:?}");
        }
    }
}
